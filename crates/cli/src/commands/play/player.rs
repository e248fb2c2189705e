//! Players, and how a game in the terminal ends.

use std::fmt;

use shakmaty::{ByColor, Color};
use tabia_core::{Agent, AgentSpec, Catalogue, Game, Limits, Outcome};

use crate::catalogue;
use crate::limits::LimitArgs;

/// The spec of a person.
const HUMAN: &str = "human";

/// The player of one side.
pub enum Player<G: Game> {
    /// The person at the terminal.
    Human,
    /// An agent.
    Agent {
        /// Its spec.
        name: String,
        agent: Box<dyn Agent<G>>,
        /// Its search limits.
        limits: Limits<G::Action>,
    },
}

impl<G: Game + 'static> Player<G> {
    /// Creates the players from their specs.
    pub fn both(
        catalogue: &Catalogue<G>,
        specs: &ByColor<AgentSpec>,
        limits: &LimitArgs,
    ) -> anyhow::Result<ByColor<Player<G>>> {
        let player = |spec: &AgentSpec| -> anyhow::Result<Player<G>> {
            if *spec == AgentSpec::named(HUMAN) {
                return Ok(Player::Human);
            }
            let (entry, options) = catalogue::check(catalogue, spec)?;
            let limits = limits.for_agent(&options);
            let agent = (entry.build)(&options).map_err(|error| catalogue::refused::<G>(&error))?;
            Ok(Player::Agent { name: spec.to_string(), agent, limits })
        };
        Ok(ByColor { white: player(&specs.white)?, black: player(&specs.black)? })
    }

    /// Whether a person plays.
    pub fn is_human(&self) -> bool {
        matches!(self, Player::Human)
    }
}

impl<G: Game> fmt::Display for Player<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Human => f.write_str("you"),
            Player::Agent { name, .. } => f.write_str(name),
        }
    }
}

/// Default players: a person has White unless White is an agent; the other is a person or `opponent`.
pub fn specs(
    white: Option<&AgentSpec>,
    black: Option<&AgentSpec>,
    opponent: AgentSpec,
) -> ByColor<AgentSpec> {
    let human = AgentSpec::named(HUMAN);
    let against = if white.is_some_and(|spec| *spec != human) { human.clone() } else { opponent };
    ByColor { white: white.cloned().unwrap_or(human), black: black.cloned().unwrap_or(against) }
}

/// The side at the bottom of the board: White, unless the only person has Black.
pub fn bottom(human: ByColor<bool>) -> Color {
    if human.black && !human.white { Color::Black } else { Color::White }
}

/// How a game in the terminal ends.
pub enum Ending {
    /// By a result.
    Over(Outcome),
    /// The person quit; the reason, as the start of a sentence.
    Left(&'static str),
}
