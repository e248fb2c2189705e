//! Shows an agent's search on a terminal, in one line that is overwritten.

use std::io::{self, IsTerminal, Write};

use shakmaty::Color;
use tabia_core::{Agent, AgentError, Game, Limits, SearchInfo, Stop};

use crate::terminal::ERASE_LINE;
use crate::text;

/// Longest line that can be erased: a wrapped one cannot.
const COLUMNS: usize = 78;

/// An agent's choice, and its last search information.
pub struct Choice<G: Game> {
    pub action: Result<G::Action, AgentError>,
    pub info: Option<SearchInfo<G::Action>>,
}

/// Lets an agent choose for a side, showing its search information meanwhile.
pub fn choose<G: Game>(
    agent: &mut dyn Agent<G>,
    (game, turn): (&G, Color),
    limits: &Limits<G::Action>,
    stop: &Stop,
    out: &mut io::Stdout,
    summary: impl Fn(&SearchInfo<G::Action>) -> String,
) -> io::Result<Choice<G>> {
    let live = out.is_terminal();
    let mut last: Option<SearchInfo<G::Action>> = None;
    let action = agent.choose(game, limits, stop, &mut |info| {
        if info.rank != 1 {
            return;
        }
        if live {
            // Errors of progress output are ignored.
            let line = format!("{} thinks: {}", text::side(turn), summary(info));
            let line: String = line.chars().take(COLUMNS).collect();
            let _ = write!(out, "{ERASE_LINE}{line}");
            let _ = out.flush();
        }
        last = Some(info.clone());
    });
    if live {
        write!(out, "{ERASE_LINE}")?;
    }
    Ok(Choice { action, info: last })
}
