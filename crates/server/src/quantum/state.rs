//! A game of quantum chess being played: the branches, the players, the luck, and what happened so far.
//!
//! Luck is drawn from the game's seed as the rules have it, one whole number for each measurement, in one row from the first
//! move on: the same seed and the same moves are the same game, here and in the terminal. A move that is taken back takes the row
//! away with it: what is measured after it comes from another.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use shakmaty::Color;
use tabia_core::seed::{self, Random};
use tabia_core::{Outcome, Reason};
use tabia_games::record::{GameRecord, Ply, Variant};
use tabia_quantum::{Move, PositionError, QuantumGame, Rules};

use super::document::{MeasurementDocument, QuantumLine, QuantumPly};
use super::error::QuantumError;
use super::event::{QuantumEvent, QuantumEventKind};
use crate::chess::document::Awaits;
use crate::chess::setup::Player;
use crate::id::Id;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// Events kept for those who come back; whoever was away for longer gets the game as it is.
const EVENTS_KEPT: usize = 256;
/// Where games of this server are played.
const EVENT: &str = "Tabia, quantum chess";

/// What a game was set up with; it never changes afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuantumSetup {
    /// The position it starts from, as text.
    pub start: String,
    /// Who has White.
    pub white: Player,
    /// Who has Black.
    pub black: Player,
    /// What measurements are drawn from.
    pub seed: u64,
    /// Whether moves can be taken back.
    pub takebacks: bool,
    /// The version of the rules, as [`Rules`] numbers them. Games saved before there was a second one have none.
    #[serde(default = "unnamed_rules")]
    pub rules: u8,
}

fn unnamed_rules() -> u8 {
    Rules::UNNAMED.number()
}

impl QuantumSetup {
    /// Who has a colour.
    pub fn player(&self, color: Color) -> &Player {
        color.fold_wb(&self.white, &self.black)
    }

    /// The game before its first move.
    fn starting_game(&self) -> Result<QuantumGame, PositionError> {
        let game: QuantumGame = self.start.parse()?;
        Ok(game.with_rules(Rules::from_number(self.rules).unwrap_or_default()))
    }
}

/// A game being played.
#[derive(Clone, Debug)]
pub struct QuantumGameState {
    /// Its name.
    pub id: Id,
    /// Whose list it is in.
    pub owner: Id,
    /// What it was set up with.
    pub setup: QuantumSetup,
    /// The branches and their past.
    pub game: QuantumGame,
    /// What was played.
    pub plies: Vec<QuantumPly>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// How often moves were taken back.
    pub undone: u64,
    /// Plies that were not drawn from the present row of luck: those given at the start, or before the last take-back.
    pub given: usize,
    /// The row of luck.
    rng: Random,
    /// The number of the last event.
    pub version: u64,
    /// The number of the event that brought the position on the board.
    pub position_version: u64,
    /// The last events, oldest first.
    pub log: VecDeque<Arc<QuantumEvent>>,
    /// When it was set up.
    pub created: Timestamp,
    /// When something last happened.
    pub updated: Timestamp,
}

impl QuantumGameState {
    /// A game as it is set up, with plies already played, each with what it measured.
    pub fn new(owner: Id, setup: QuantumSetup, plies: &[String]) -> Result<QuantumGameState, QuantumError> {
        let mut state = QuantumGameState::empty(Id::random(), owner, setup, Timestamp::now())?;
        for (index, text) in plies.iter().enumerate() {
            state.repeat(text).map_err(|error| QuantumError::MoveInList { number: index + 1, error })?;
        }
        state.given = state.plies.len();
        state.outcome = state.game.outcome();
        state.push_event(QuantumEventKind::Created, |_| {});
        state.position_version = state.version;
        Ok(state)
    }

    /// A game before its first event; what was kept of it is put in by whoever loads it.
    pub fn empty(
        id: Id,
        owner: Id,
        setup: QuantumSetup,
        created: Timestamp,
    ) -> Result<QuantumGameState, QuantumError> {
        Ok(QuantumGameState {
            id,
            owner,
            game: setup.starting_game()?,
            rng: seed::random(setup.seed),
            setup,
            plies: Vec::new(),
            outcome: None,
            undone: 0,
            given: 0,
            version: 0,
            position_version: 0,
            log: VecDeque::new(),
            created,
            updated: created,
        })
    }

    /// Puts back what was kept: plies, and the row of luck as far as it was drawn.
    pub fn restore(&mut self, plies: Vec<QuantumPly>, undone: u64, given: usize) -> Result<(), QuantumError> {
        (self.undone, self.given) = (undone, given);
        self.rng = seed::random(self.rng_seed());
        for (index, kept) in plies.into_iter().enumerate() {
            if index < given {
                self.game.play_text(&kept.text)?;
            } else {
                let signs = kept.text.trim_end_matches(['+', '-']);
                let m = self.game.read_move(signs)?;
                let found = self.game.play(m, &mut self.rng)?.text;
                if found != kept.text {
                    return Err(QuantumError::ReplayMismatch { number: index + 1, kept: kept.text, found });
                }
            }
            self.plies.push(kept);
        }
        Ok(())
    }

    /// Whom the game waits for.
    pub fn awaits(&self) -> Awaits {
        match self.setup.player(self.game.side_to_move()) {
            _ if self.outcome.is_some() => Awaits::Nobody,
            Player::Human { .. } => Awaits::Human,
            Player::Agent { .. } => Awaits::Agent,
        }
    }

    /// A person moves.
    pub fn play_human_move(&mut self, text: &str, expected: Option<usize>) -> Result<(), QuantumError> {
        self.ensure_ongoing()?;
        let actual = self.plies.len();
        if let Some(expected) = expected.filter(|expected| *expected != actual) {
            return Err(QuantumError::PlyMismatch { expected, actual });
        }
        if self.awaits() == Awaits::Agent {
            return Err(QuantumError::AgentsTurn(self.game.side_to_move().into()));
        }
        let m = self.game.read_move(text)?;
        self.play_move(m, None)
    }

    /// A move: the branches, its measurements, the event, and the end if it is one.
    pub fn play_move(&mut self, m: Move, thought: Option<&QuantumLine>) -> Result<(), QuantumError> {
        let (side, chance) = (self.game.side_to_move(), self.game.success_chance(m));
        let played = self.game.play(m, &mut self.rng)?;
        let measured = played
            .measured
            .iter()
            .zip(played.told)
            .map(|((measurement, yes), words)| MeasurementDocument {
                words,
                about_king: measurement.about_king,
                yes: *yes,
                probability: measurement.probability(*yes),
            })
            .collect();
        let ply = self.ply(m, side, chance, played.text, measured);
        let ply = QuantumPly {
            score_cp: thought.and_then(|line| line.score_cp),
            nodes: thought.map(|line| line.nodes),
            ..ply
        };
        self.plies.push(ply.clone());
        self.outcome = self.game.outcome();
        self.push_event(QuantumEventKind::Moved, |event| event.played = Some(ply));
        self.position_version = self.version;
        if self.outcome.is_some() {
            self.push_event(QuantumEventKind::Ended, |_| {});
        }
        Ok(())
    }

    /// Plays a ply with its measurements as they are written; no event.
    fn repeat(&mut self, text: &str) -> Result<(), tabia_quantum::PlayError> {
        let m = self.game.read_move(text.trim().trim_end_matches(['+', '-']))?;
        let (side, chance) = (self.game.side_to_move(), self.game.success_chance(m));
        let mut measured = Vec::new();
        // What is said of a measurement must be asked while it is made.
        let before = self.game.clone();
        self.game.play_text(text)?;
        let mut asked = before;
        tabia_core::Game::apply(&mut asked, tabia_quantum::Action::Move(m));
        for sign in text.trim().chars().filter(|c| matches!(c, '+' | '-')) {
            let Some(measurement) = asked.measurement() else { break };
            let yes = sign == '+';
            measured.push(MeasurementDocument {
                words: asked.tell(measurement.answer(yes)).unwrap_or_default(),
                about_king: measurement.about_king,
                yes,
                probability: measurement.probability(yes),
            });
            tabia_core::Game::apply(&mut asked, measurement.answer(yes));
        }
        let ply = self.ply(m, side, chance, text.trim().to_owned(), measured);
        self.plies.push(ply);
        Ok(())
    }

    fn ply(
        &self,
        m: Move,
        side: Color,
        chance: f64,
        text: String,
        measured: Vec<MeasurementDocument>,
    ) -> QuantumPly {
        QuantumPly {
            ply: self.plies.len() + 1,
            side: side.into(),
            text,
            from: m.from().to_string(),
            to: m.to().to_string(),
            split: m.is_split(),
            chance,
            measured,
            branches: self.game.branches().len(),
            score_cp: None,
            nodes: None,
        }
    }

    /// The state after so many plies.
    pub fn at(&self, ply: usize) -> Result<QuantumGame, QuantumError> {
        let played = self.plies.len();
        let texts = self.plies.get(..ply).ok_or(QuantumError::NoSuchPly { asked: ply, played })?;
        if ply == played {
            return Ok(self.game.clone());
        }
        let mut game = self.setup.starting_game()?;
        for ply in texts {
            game.play_text(&ply.text)?;
        }
        Ok(game)
    }

    /// Takes back a person's last move, and the agent's reply to it if there was one.
    pub fn undo(&mut self) -> Result<usize, QuantumError> {
        if !self.setup.takebacks {
            return Err(QuantumError::NoTakebacks);
        }
        if let Some(outcome) = self.outcome
            && matches!(outcome.reason, Reason::Resignation | Reason::Fault)
        {
            return Err(QuantumError::NotUndoable(outcome.reason));
        }
        let last_human = self
            .plies
            .iter()
            .rposition(|played| self.setup.player(played.side.into()).is_human())
            .ok_or(QuantumError::NothingToUndo)?;
        let plies = self.plies.len() - last_human;
        self.game = self.at(last_human)?;
        self.plies.truncate(last_human);
        self.outcome = None;
        self.undone += 1;
        self.given = last_human;
        self.rng = seed::random(self.rng_seed());
        self.push_event(QuantumEventKind::Undone, |event| event.plies = Some(plies));
        self.position_version = self.version;
        Ok(plies)
    }

    /// Where the present row of luck comes from.
    fn rng_seed(&self) -> u64 {
        if self.undone == 0 { self.setup.seed } else { seed::derive(self.setup.seed, self.undone) }
    }

    /// A person gives up.
    pub fn resign(&mut self, side: Option<Side>) -> Result<(), QuantumError> {
        self.ensure_ongoing()?;
        let human = |color: Color| self.setup.player(color).is_human();
        let loser = match (side, human(Color::White), human(Color::Black)) {
            (Some(side), ..) if human(side.into()) => side.into(),
            (Some(side), ..) => return Err(QuantumError::AgentSide(side)),
            (None, true, false) => Color::White,
            (None, false, true) => Color::Black,
            (None, true, true) => return Err(QuantumError::AmbiguousSide),
            (None, false, false) => return Err(QuantumError::NoHuman),
        };
        self.end(Outcome::win(loser.other(), Reason::Resignation), Some(loser), None);
        Ok(())
    }

    /// Ends the game.
    pub fn end(&mut self, outcome: Outcome, by: Option<Color>, detail: Option<String>) {
        self.outcome = Some(outcome);
        self.push_event(QuantumEventKind::Ended, |event| {
            event.by = by.map(Into::into);
            event.detail = detail;
        });
        self.position_version = self.version;
    }

    fn ensure_ongoing(&self) -> Result<(), QuantumError> {
        self.outcome.map_or(Ok(()), |outcome| Err(QuantumError::Over(outcome)))
    }

    fn push_event(&mut self, kind: QuantumEventKind, tell: impl FnOnce(&mut QuantumEvent)) {
        self.version += 1;
        self.updated = Timestamp::now();
        let mut event = QuantumEvent {
            version: self.version,
            kind,
            at: self.updated,
            played: None,
            plies: None,
            by: None,
            detail: None,
        };
        tell(&mut event);
        self.log.push_back(Arc::new(event));
        while self.log.len() > EVENTS_KEPT {
            self.log.pop_front();
        }
    }

    /// The record of the game, for a file.
    pub fn record(&self) -> GameRecord {
        let begun = self.created.to_string();
        let date = begun.get(..10).unwrap_or_default().replace('-', ".");
        let time = begun.get(11..19).unwrap_or_default().to_owned();
        let usual = QuantumGame::default().to_string();
        GameRecord {
            variant: Variant::Quantum,
            white: self.setup.white.name().to_owned(),
            black: self.setup.black.name().to_owned(),
            start: (self.setup.start != usual).then(|| self.setup.start.clone()),
            plies: self.plies.iter().map(record_ply).collect(),
            outcome: self.outcome,
            detail: None,
            tags: vec![
                ("Event".to_owned(), EVENT.to_owned()),
                ("Date".to_owned(), date),
                ("Time".to_owned(), time),
                ("Seed".to_owned(), self.setup.seed.to_string()),
                ("Rules".to_owned(), self.setup.rules.to_string()),
            ],
        }
    }
}

fn record_ply(played: &QuantumPly) -> Ply {
    let told: Vec<&str> = played.measured.iter().map(|measured| measured.words.as_str()).collect();
    Ply {
        nodes: played.nodes,
        comment: (!told.is_empty()).then(|| told.join("; ")),
        ..Ply::of(played.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A split of a pawn after 99 plies without progress: drawn by the rules of today, played on by the first ones.
    const START: &str = "7k/8/8/8/8/8/P7/R6K w - - 99 60";

    fn setup(rules: Option<u8>) -> QuantumSetup {
        let human = serde_json::to_value(Player::Human { name: None }).unwrap();
        let mut setup = serde_json::json!(
            {"start": START, "white": human, "black": human, "seed": 1, "takebacks": true}
        );
        if let Some(rules) = rules {
            setup["rules"] = rules.into();
        }
        serde_json::from_value(setup).unwrap()
    }

    #[test]
    fn a_game_saved_before_the_rules_had_versions_goes_on_by_the_first_ones() {
        let plies = ["a2~a3".to_owned(), "h8g8".to_owned()];
        let owner = Id::random();
        let old = QuantumGameState::new(owner, setup(None), &plies).unwrap();
        assert_eq!((old.outcome, old.game.no_progress()), (None, 1));
        assert_eq!(old.at(1).unwrap().outcome(), None);
        assert_eq!(old.record().tag("Rules"), Some("1"));
        let new = QuantumGameState::new(owner, setup(Some(2)), &plies[..1]).unwrap();
        assert_eq!(new.outcome, Some(Outcome::draw(Reason::FiftyMoves)));
        assert!(QuantumGameState::new(owner, setup(Some(2)), &plies).is_err(), "it was over");
    }
}
