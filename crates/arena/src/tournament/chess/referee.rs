//! One game of chess between two players, from the opening to the end.
//!
//! Every game ends with an outcome. A player that fails loses, and why is written down; nothing that a player does is
//! an error here. The only thing without an outcome is a game that was told to stop.

use shakmaty::{ByColor, CastlingMode, Color};
use tabia_core::{ChessGame, Game, Outcome, Reason, Stop};

use super::adjudication::Adjudication;
use super::clock::{Clocks, TimeMargins};
use super::time_control::TimeControl;
use crate::driver::{Answer, Fault, FaultKind, NoAnswer, Player};
use crate::tournament::live::GameReporter;
use tabia_games::record::{GameRecord, Ply};

/// How games are run.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What ends a game besides its rules.
    pub adjudication: Adjudication,
    /// How strictly time is kept.
    pub time_margins: TimeMargins,
    /// Whether players may think on the opponent's time.
    pub ponder: bool,
}

/// A finished game, and who of the two cannot go on as it is.
pub struct FinishedGame {
    /// The game, without names and tags.
    pub record: GameRecord,
    /// Players to be started anew before another game.
    pub needs_restart: ByColor<bool>,
}

/// How a game ends by a player's failure, or by its giving up.
struct Forfeit {
    loser: Color,
    reason: Reason,
    detail: Option<String>,
}

/// One game being played.
struct Referee<'a> {
    rules: &'a Rules,
    stop: &'a Stop,
    report: &'a GameReporter<'a>,
    game: ChessGame,
    plies: Vec<Ply>,
    clocks: Clocks,
    time_controls: ByColor<TimeControl>,
}

/// Plays a game from where `game` stands; none when it was told to stop. Nothing about time is written down for a
/// player without a clock, whose moves can repeat exactly.
pub fn play(
    players: ByColor<&mut dyn Player>,
    game: ChessGame,
    time_controls: ByColor<TimeControl>,
    rules: &Rules,
    seeds: ByColor<u64>,
    stop: &Stop,
    report: &GameReporter<'_>,
) -> Option<FinishedGame> {
    let plies = opening_plies(&game);
    let start = starting_fen(&game);
    let variant = game.mode().into();
    let clocks = Clocks::new(time_controls, rules.time_margins);
    let mut referee = Referee { rules, stop, report, game, plies, clocks, time_controls };
    let ByColor { white, black } = players;
    let mut needs_restart = ByColor { white: false, black: false };
    let (outcome, detail) = match referee.run(ByColor { white: &mut *white, black: &mut *black }, seeds) {
        Ok(outcome) => (outcome, None),
        Err(Some(Forfeit { loser, reason, detail })) => {
            *needs_restart.get_mut(loser) = reason != Reason::Resignation;
            (Outcome::win(loser.other(), reason), detail)
        }
        Err(None) => return None,
    };
    for (color, player) in [(Color::White, white), (Color::Black, black)] {
        let needs_restart = needs_restart.get_mut(color);
        // What happens after the end changes nothing about it.
        *needs_restart = *needs_restart || player.end_game(&referee.game).is_err();
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

/// The record of a game in which a player did not even sit down.
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

/// The start of a game, where it is not the usual one.
pub fn starting_fen(game: &ChessGame) -> Option<String> {
    let start = ChessGame::from_position(game.start().clone(), game.mode());
    let usual = *game.start() == shakmaty::Chess::default() && game.mode() == CastlingMode::Standard;
    (!usual).then(|| start.fen())
}

impl Referee<'_> {
    fn run(
        &mut self,
        mut players: ByColor<&mut dyn Player>,
        seeds: ByColor<u64>,
    ) -> Result<Outcome, Option<Forfeit>> {
        for color in Color::ALL {
            if self.stop.is_stopped() {
                return Err(None);
            }
            let ready = players.get_mut(color).new_game(&self.game, *seeds.get(color));
            ready.map_err(|fault| Some(forfeit(color, fault)))?;
        }
        loop {
            if let Some(outcome) = self.game.outcome().or_else(|| self.adjudicate()) {
                return Ok(outcome);
            }
            let color = self.game.side_to_move();
            self.turn(color, &mut **players.get_mut(color))?;
        }
    }

    fn adjudicate(&self) -> Option<Outcome> {
        self.rules.adjudication.adjudicate(&self.game, &self.plies)
    }

    /// One move of one player.
    fn turn(&mut self, color: Color, player: &mut dyn Player) -> Result<(), Option<Forfeit>> {
        let (limits, timeouts) = (self.clocks.limits(color), self.clocks.timeouts(color));
        let answer = match player.choose(&self.game, &limits, &timeouts, self.stop) {
            Ok(answer) => answer,
            Err(NoAnswer::Interrupted) => return Err(None),
            Err(NoAnswer::Resigned) => {
                return Err(Some(Forfeit { loser: color, reason: Reason::Resignation, detail: None }));
            }
            Err(NoAnswer::Fault(fault)) => return Err(Some(forfeit(color, fault))),
        };
        let elapsed = answer.elapsed;
        self.clocks.spend(color, elapsed).map_err(|over| {
            let detail = format!(
                "{} ms over its time after thinking for {} ms",
                over.as_millis(),
                elapsed.as_millis()
            );
            Some(Forfeit { loser: color, reason: Reason::TimeForfeit, detail: Some(detail) })
        })?;
        self.write_down(color, &answer);
        if self.rules.ponder && self.game.outcome().is_none() {
            let limits = self.clocks.limits(color);
            player.ponder(&self.game, &limits).map_err(|fault| Some(forfeit(color, fault)))?;
        }
        Ok(())
    }

    fn write_down(&mut self, color: Color, answer: &Answer) {
        let action = self.game.write_move(answer.choice);
        self.game.apply(answer.choice);
        let timed = self.time_controls.get(color).is_timed();
        self.report.played(&action, answer.score, self.clocks.both_ms());
        self.plies.push(Ply {
            score: answer.score,
            depth: answer.depth,
            nodes: answer.nodes,
            time_ms: timed.then_some(answer.elapsed.as_millis() as u64),
            clock_ms: self.clocks.left_ms(color),
            ..Ply::of(action)
        });
    }
}

fn forfeit(loser: Color, fault: Fault) -> Forfeit {
    let reason = match fault.kind {
        FaultKind::IllegalMove => Reason::IllegalMove,
        _ => Reason::Fault,
    };
    Forfeit { loser, reason, detail: Some(fault.detail) }
}
