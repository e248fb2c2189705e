//! The loop that plays one game: the same for a tournament, self-play, tuning and a genetic algorithm.
//!
//! At each turn the rules may end the game, then adjudication may; else the side to move chooses an action. Everything that
//! differs between callers (who chooses, clocks, records, live displays, limits on the length) is in their [`Players`].

use std::ops::ControlFlow;

use shakmaty::Color;

use crate::agent::{Agent, AgentError};
use crate::game::{Game, Turn};
use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::stop::Stop;

/// Both players of a game, with adjudication and observation.
pub trait Players<G: Game> {
    /// Why a game ends without an outcome.
    type Error;

    /// The outcome of a game that goes on by its rules, where an adjudicator or a limit on its length ends it.
    fn adjudicate(&mut self, _game: &G) -> Option<Outcome> {
        None
    }

    /// The action of the side to move, or an outcome that the search before it decides.
    fn choose(&mut self, game: &G, turn: Color) -> Result<ControlFlow<Outcome, G::Action>, Self::Error>;

    /// Plays an action that [`Players::choose`] returned, and observes it. A game of chance may play what follows by chance
    /// at once, or leave it to [`Players::chance`].
    fn apply(&mut self, game: &mut G, action: G::Action, _turn: Color) -> Result<(), Self::Error> {
        game.apply(action);
        Ok(())
    }

    /// Draws a chance event.
    fn chance(&mut self, _game: &G) -> Result<G::Action, Self::Error> {
        unreachable!("a game with chance events draws them")
    }
}

/// Plays a game to its end.
pub fn play<G: Game, P: Players<G>>(game: &mut G, players: &mut P) -> Result<Outcome, P::Error> {
    loop {
        match game.turn() {
            Turn::Over(outcome) => return Ok(outcome),
            Turn::Chance => {
                let event = players.chance(game)?;
                game.apply(event);
            }
            Turn::Player(turn) => {
                if let Some(outcome) = players.adjudicate(game) {
                    return Ok(outcome);
                }
                match players.choose(game, turn)? {
                    ControlFlow::Break(outcome) => return Ok(outcome),
                    ControlFlow::Continue(action) => players.apply(game, action, turn)?,
                }
            }
        }
    }
}

/// Why a game between agents has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    #[error("the game was stopped")]
    Stopped,
    #[error(transparent)]
    Failed(#[from] AgentError),
}

impl Unfinished {
    /// `None` for a game that was stopped.
    pub fn unless_stopped<T>(result: Result<T, Unfinished>) -> Result<Option<T>, AgentError> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Unfinished::Stopped) => Ok(None),
            Err(Unfinished::Failed(error)) => Err(error),
        }
    }
}

/// Asks an agent for an action. What it returns after being stopped does not count.
pub fn ask<G: Game>(
    agent: &mut dyn Agent<G>,
    game: &G,
    limits: &Limits<G::Action>,
    stop: &Stop,
) -> Result<G::Action, Unfinished> {
    let chosen = agent.choose(game, limits, stop, &mut |_| {})?;
    if stop.is_stopped() { Err(Unfinished::Stopped) } else { Ok(chosen) }
}

#[cfg(test)]
mod tests {
    use shakmaty::Move;

    use super::*;
    use crate::chess::ChessGame;
    use crate::outcome::Reason;

    /// Plays a list of moves, and adjudicates after some.
    struct Script {
        moves: Vec<&'static str>,
        limit: usize,
        resigns_at: Option<usize>,
        seen: Vec<Color>,
    }

    impl Players<ChessGame> for Script {
        type Error = String;

        fn adjudicate(&mut self, game: &ChessGame) -> Option<Outcome> {
            (game.moves().len() >= self.limit).then_some(Outcome::draw(Reason::MoveLimit))
        }

        fn choose(&mut self, game: &ChessGame, turn: Color) -> Result<ControlFlow<Outcome, Move>, String> {
            let ply = game.moves().len();
            if self.resigns_at == Some(ply) {
                return Ok(ControlFlow::Break(Outcome::win(turn.other(), Reason::Resignation)));
            }
            let text = self.moves.get(ply).ok_or("no more moves")?;
            Ok(ControlFlow::Continue(game.read_move(text).unwrap()))
        }

        fn apply(&mut self, game: &mut ChessGame, action: Move, turn: Color) -> Result<(), String> {
            game.apply(action);
            self.seen.push(turn);
            Ok(())
        }
    }

    fn played(limit: usize, resigns_at: Option<usize>) -> (Result<Outcome, String>, usize, Vec<Color>) {
        let mut script =
            Script { moves: vec!["f2f3", "e7e5", "g2g4", "d8h4"], limit, resigns_at, seen: Vec::new() };
        let mut game = ChessGame::default();
        let outcome = play(&mut game, &mut script);
        (outcome, game.moves().len(), script.seen)
    }

    #[test]
    fn rules_come_before_adjudication_and_adjudication_before_the_next_move() {
        let mate = Outcome::win(Color::Black, Reason::Checkmate);
        let (outcome, plies, seen) = played(4, None);
        assert_eq!((outcome, plies), (Ok(mate), 4));
        assert_eq!(seen, [Color::White, Color::Black, Color::White, Color::Black]);
        assert_eq!(played(3, Some(3)).0, Ok(Outcome::draw(Reason::MoveLimit)));
        let resigned = Outcome::win(Color::White, Reason::Resignation);
        assert_eq!((played(9, Some(3)).0, played(9, Some(3)).1), (Ok(resigned), 3));
    }

    #[test]
    fn an_error_leaves_the_game_as_it_is() {
        let mut script = Script { moves: vec!["e2e4"], limit: 9, resigns_at: None, seen: Vec::new() };
        let mut game = ChessGame::default();
        assert_eq!(play(&mut game, &mut script), Err("no more moves".to_owned()));
        assert_eq!(game.moves().len(), 1);
    }
}
