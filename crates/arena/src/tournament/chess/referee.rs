//! One game of chess between two players, from the opening to the end.
//!
//! Every game has an outcome unless it was stopped. A player that fails loses, and the record says why; nothing that a
//! player does is an error here.

use std::ops::ControlFlow;

use shakmaty::{ByColor, CastlingMode, Color, Move};
use tabia_core::play::{self, Players};
use tabia_core::{ChessGame, Game, Outcome, Reason, Stop};

use super::adjudication::Adjudication;
use super::clock::{Clocks, TimeMargins};
use super::time_control::TimeControl;
use crate::driver::{Fault, FaultKind, NoMove, Player, PlayerMove};
use crate::tournament::live::GameReporter;
use tabia_games::record::{GameRecord, Ply};

/// How games are run.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What ends a game besides the rules of chess.
    pub adjudication: Adjudication,
    /// Tolerances of time control.
    pub time_margins: TimeMargins,
    pub ponder: bool,
}

pub struct FinishedGame {
    /// The game, without names and tags.
    pub record: GameRecord,
    /// Players that must be restarted before their next game.
    pub needs_restart: ByColor<bool>,
}

/// A loss by a fault, on time or by resignation.
struct Forfeit {
    loser: Color,
    reason: Reason,
    detail: Option<String>,
}

/// Two players, their clocks, and the record of their game.
struct Referee<'a> {
    rules: &'a Rules,
    stop: &'a Stop,
    report: &'a GameReporter<'a>,
    players: ByColor<&'a mut dyn Player>,
    plies: Vec<Ply>,
    clocks: Clocks,
    time_controls: ByColor<TimeControl>,
    /// The answer of the player that moves now.
    answer: Option<PlayerMove>,
}

/// Plays a game from the position of `game`; `None` if it was stopped. Times are recorded only for players with a clock,
/// so that all other games repeat exactly.
#[expect(clippy::needless_pass_by_value, reason = "two exclusive references, taken over for the game")]
pub fn play(
    players: ByColor<&mut dyn Player>,
    mut game: ChessGame,
    time_controls: ByColor<TimeControl>,
    rules: &Rules,
    seeds: ByColor<u64>,
    stop: &Stop,
    report: &GameReporter<'_>,
) -> Option<FinishedGame> {
    let start = starting_fen(&game);
    let variant = game.mode().into();
    let mut referee = Referee {
        rules,
        stop,
        report,
        players: ByColor { white: &mut *players.white, black: &mut *players.black },
        plies: opening_plies(&game),
        clocks: Clocks::new(time_controls, rules.time_margins),
        time_controls,
        answer: None,
    };
    let ended = referee.start(&game, seeds).and_then(|()| play::play(&mut game, &mut referee));
    let mut needs_restart = ByColor { white: false, black: false };
    let (outcome, detail) = match ended {
        Ok(outcome) => (outcome, None),
        Err(Some(Forfeit { loser, reason, detail })) => {
            *needs_restart.get_mut(loser) = reason != Reason::Resignation;
            (Outcome::win(loser.other(), reason), detail)
        }
        Err(None) => return None,
    };
    for color in Color::ALL {
        let needs_restart = needs_restart.get_mut(color);
        // A failure after the end of a game does not change its outcome.
        *needs_restart = *needs_restart || referee.players.get_mut(color).end_game(&game).is_err();
    }
    let record = GameRecord {
        variant,
        start,
        plies: referee.plies,
        outcome: Some(outcome),
        detail,
        ..GameRecord::default()
    };
    Some(FinishedGame { record, needs_restart })
}

/// The record of a game in which a player could not be started.
pub fn unplayed(game: &ChessGame, outcome: Outcome, detail: String) -> GameRecord {
    GameRecord {
        variant: game.mode().into(),
        start: starting_fen(game),
        plies: opening_plies(game),
        outcome: Some(outcome),
        detail: Some(detail),
        ..GameRecord::default()
    }
}

fn opening_plies(game: &ChessGame) -> Vec<Ply> {
    game.moves().iter().map(|m| Ply { opening: true, ..Ply::of(game.write_move(*m)) }).collect()
}

/// The starting position as FEN, unless it is the standard one.
pub fn starting_fen(game: &ChessGame) -> Option<String> {
    let start = ChessGame::from_position(game.start().clone(), game.mode());
    let usual = *game.start() == shakmaty::Chess::default() && game.mode() == CastlingMode::Standard;
    (!usual).then(|| start.fen())
}

impl Referee<'_> {
    /// Prepares both players for the game.
    fn start(&mut self, game: &ChessGame, seeds: ByColor<u64>) -> Result<(), Option<Forfeit>> {
        for color in Color::ALL {
            if self.stop.is_stopped() {
                return Err(None);
            }
            let ready = self.players.get_mut(color).new_game(game, *seeds.get(color));
            ready.map_err(|fault| Some(forfeit(color, fault)))?;
        }
        Ok(())
    }
}

impl Players<ChessGame> for Referee<'_> {
    /// `None` is a game that was stopped.
    type Error = Option<Forfeit>;

    fn adjudicate(&mut self, game: &ChessGame) -> Option<Outcome> {
        self.rules.adjudication.adjudicate(game, &self.plies)
    }

    fn choose(
        &mut self,
        game: &ChessGame,
        turn: Color,
    ) -> Result<ControlFlow<Outcome, Move>, Option<Forfeit>> {
        let (limits, timeouts) = (self.clocks.limits(turn), self.clocks.timeouts(turn));
        let answer = match self.players.get_mut(turn).choose(game, &limits, &timeouts, self.stop) {
            Ok(answer) => answer,
            Err(NoMove::Interrupted) => return Err(None),
            Err(NoMove::Resigned) => {
                return Err(Some(Forfeit { loser: turn, reason: Reason::Resignation, detail: None }));
            }
            Err(NoMove::Fault(fault)) => return Err(Some(forfeit(turn, fault))),
        };
        let elapsed = answer.elapsed;
        self.clocks.spend(turn, elapsed).map_err(|over| {
            let detail = format!(
                "{} ms over its time after thinking for {} ms",
                over.as_millis(),
                elapsed.as_millis()
            );
            Some(Forfeit { loser: turn, reason: Reason::TimeForfeit, detail: Some(detail) })
        })?;
        let choice = answer.choice;
        self.answer = Some(answer);
        Ok(ControlFlow::Continue(choice))
    }

    /// Records the move, and lets the player ponder.
    fn apply(&mut self, game: &mut ChessGame, action: Move, turn: Color) -> Result<(), Option<Forfeit>> {
        let text = game.write_move(action);
        game.apply(action);
        if let Some(answer) = self.answer.take() {
            self.report.played(&text, answer.score, self.clocks.both_ms());
            let timed = self.time_controls.get(turn).is_timed();
            self.plies.push(Ply {
                score: answer.score,
                depth: answer.depth,
                nodes: answer.nodes,
                time_ms: timed.then_some(answer.elapsed.as_millis() as u64),
                clock_ms: self.clocks.left_ms(turn),
                ..Ply::of(text)
            });
        }
        if self.rules.ponder && game.outcome().is_none() {
            let limits = self.clocks.limits(turn);
            let pondering = self.players.get_mut(turn).ponder(game, &limits);
            pondering.map_err(|fault| Some(forfeit(turn, fault)))?;
        }
        Ok(())
    }
}

fn forfeit(loser: Color, fault: Fault) -> Forfeit {
    let reason = match fault.kind {
        FaultKind::IllegalMove => Reason::IllegalMove,
        _ => Reason::Fault,
    };
    Forfeit { loser, reason, detail: Some(fault.detail) }
}
