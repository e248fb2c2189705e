//! Decisions of players besides moves, in the line-based interface. The rules are in [`tabia_session`].

use std::io::{self, Write};
use std::time::Instant;

use shakmaty::Color;
use tabia_core::AgentError;
use tabia_session::{Session, SessionGame};

use super::input::Input;
use super::player::Ending;
use crate::text;

/// The person to move resigns.
pub fn resign<G: SessionGame>(session: &mut Session<G>, turn: Color) -> anyhow::Result<Option<Ending>> {
    session.resign(Some(turn), Instant::now())?;
    Ok(session.outcome().map(Ending::Over))
}

/// The person to move offers a draw. An agent answers by its score; a person is asked.
pub fn offer_draw<G: SessionGame>(
    session: &mut Session<G>,
    turn: Color,
    input: &Input,
    out: &mut io::Stdout,
) -> anyhow::Result<Option<Ending>> {
    let other = turn.other();
    let answer = match session.offer_draw(Some(turn), Instant::now()) {
        Ok((_, answer)) => answer.or_else(|| session.agent_answer(Instant::now())),
        Err(refusal) => {
            writeln!(out, "{refusal}")?;
            return Ok(None);
        }
    };
    if answer.is_none() {
        write!(out, "{}, do you accept a draw? (y/n) ", text::side(other))?;
        out.flush()?;
        let accepted = match input.line(out)? {
            Ok(line) => matches!(line.to_lowercase().as_str(), "y" | "yes"),
            Err(left) => return Ok(Some(left)),
        };
        session.answer_draw(Some(other), accepted, Instant::now())?;
    }
    if session.outcome().is_none() {
        writeln!(out, "{} declines.", text::side(other))?;
    }
    Ok(session.outcome().map(Ending::Over))
}

/// The agent to move returned no move and loses the game. A failure is also reported as an error.
pub fn agent_failed<G: SessionGame>(
    session: &mut Session<G>,
    name: &str,
    error: AgentError,
) -> anyhow::Result<Ending> {
    let loser = session.lose_by(&error, Instant::now());
    if let (AgentError::Resigned, Some(outcome)) = (&error, session.outcome()) {
        return Ok(Ending::Over(outcome));
    }
    Err(anyhow::Error::new(error).context(format!("{name} has no move for {}", text::side(loser))))
}
