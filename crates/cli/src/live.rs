//! An agent thinking where a person can see it: on a terminal, one line that is written over as it goes.

use std::io::{self, IsTerminal, Write};

use shakmaty::Color;
use tabia_core::{Agent, AgentError, Game, Limits, Stop, Thought};

use crate::terminal::ERASE_LINE;
use crate::text;

/// Columns that a line may take that is to be erased again: one that wraps cannot be.
const COLUMNS: usize = 78;

/// What an agent chose, and the last thing it thought of its best line.
pub struct Choice<G: Game> {
    /// The action, or why there is none.
    pub action: Result<G::Action, AgentError>,
    /// Its last thought, if it had any.
    pub thought: Option<Thought<G::Action>>,
}

/// Lets an agent choose for a side, showing a summary of its thoughts meanwhile.
pub fn choose<G: Game>(
    agent: &mut dyn Agent<G>,
    (game, turn): (&G, Color),
    limits: &Limits<G::Action>,
    stop: &Stop,
    out: &mut io::Stdout,
    summary: impl Fn(&Thought<G::Action>) -> String,
) -> io::Result<Choice<G>> {
    let live = out.is_terminal();
    let mut last: Option<Thought<G::Action>> = None;
    let action = agent.choose(game, limits, stop, &mut |thought| {
        if thought.rank != 1 {
            return;
        }
        if live {
            // A sign of life; nothing is lost when it cannot be shown.
            let line = format!("{} thinks: {}", text::side(turn), summary(thought));
            let line: String = line.chars().take(COLUMNS).collect();
            let _ = write!(out, "{ERASE_LINE}{line}");
            let _ = out.flush();
        }
        last = Some(thought.clone());
    });
    if live {
        write!(out, "{ERASE_LINE}")?;
    }
    Ok(Choice { action, thought: last })
}
