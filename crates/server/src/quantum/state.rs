//! A game of quantum chess in progress: the session, its random sequence and the events.
//!
//! Measurements are drawn from the game's seed, one random number for each, in one sequence from the first move on:
//! the same seed and the same moves give the same game, here and in the terminal. A take-back starts another
//! sequence, so later measurements may have other results.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};
use tabia_core::seed::{self, Random};
use tabia_core::{Agent, Game, Outcome, Score, SearchInfo};
use tabia_games::record::{GameRecord, Ply, Variant};
use tabia_games::replay::RULES;
use tabia_quantum::{Action, Move, PositionError, QuantumGame, Rules};
use tabia_session::Session;
use utoipa::ToSchema;

use super::error::QuantumError;
use crate::id::Id;
use crate::line::white_score;
use crate::sessions::journal::{EventKind, GameEvent, Journal};
use crate::sessions::kind::GameKind;
use crate::sessions::player::Player;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// `Site` of games played here.
const EVENT: &str = "Tabia, quantum chess";
/// The longest name of a player that is kept.
const LONGEST_NAME: usize = 200;
/// Whatever is random in the two agents follows from the game's seed, each from a part of its own.
const WHITE_SEED: u64 = u64::MAX;
const BLACK_SEED: u64 = u64::MAX - 1;

/// An event of a quantum game. It does not keep the position, which may have a thousand branches.
pub type QuantumGameEvent = GameEvent<QuantumPly, ()>;

/// Something that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = MeasurementDocument)]
pub struct MeasurementRecord {
    /// What it showed, in words.
    #[schema(example = "the knight was not on d5: 50%")]
    pub words: String,
    /// Whether it was about the king, rather than about a capture.
    pub about_king: bool,
    /// The answer.
    pub yes: bool,
    /// How likely that answer was.
    pub probability: f64,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QuantumPly {
    /// Its number, from 1.
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// As a record keeps it: with `+` or `-` for what each measurement showed.
    #[schema(example = "d1d5-")]
    pub text: String,
    /// From where.
    pub from: String,
    /// To where.
    pub to: String,
    /// Whether it split.
    pub split: bool,
    /// How likely it was to succeed.
    pub chance: f64,
    /// What was measured, in order.
    pub measured: Vec<MeasurementRecord>,
    /// Branches after it.
    pub branches: usize,
    /// What the agent that played it thought of it, in centipawns as White sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_cp: Option<i32>,
    /// Positions the agent visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

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
    /// The game before its first move.
    fn starting_game(&self) -> Result<QuantumGame, PositionError> {
        let game: QuantumGame = self.start.parse()?;
        Ok(game.with_rules(Rules::from_number(self.rules).unwrap_or_default()))
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct QuantumGameState {
    pub id: Id,
    /// The client whose list it is in.
    pub owner: Id,
    pub setup: QuantumSetup,
    session: Session<QuantumGame>,
    pub plies: Vec<QuantumPly>,
    /// Number of take-backs.
    pub undone: u64,
    /// Plies that were not drawn from the current random sequence: those given at the start, or before the last take-back.
    pub given: usize,
    rng: Random,
    pub journal: Journal<QuantumPly, ()>,
}

impl QuantumGameState {
    /// A new game, with plies already played and their measurements.
    pub fn new(owner: Id, setup: QuantumSetup, plies: &[String]) -> Result<QuantumGameState, QuantumError> {
        let mut state = QuantumGameState::empty(Id::random(), owner, setup, Timestamp::now())?;
        for (index, text) in plies.iter().enumerate() {
            let number = index + 1;
            let actions =
                state.game().read_ply(text).map_err(|error| QuantumError::MoveInList { number, error })?;
            let ply = state.record_ply(&actions, text.trim().to_owned(), |session| {
                session.repeat(&actions, None);
            });
            state.plies.extend(ply);
        }
        state.given = state.plies.len();
        state.push_event(EventKind::Created, |_| {});
        state.mark_position();
        Ok(state)
    }

    /// A game for people from a record: moves with what they measured, and the end that the rules do not give.
    pub fn imported(owner: Id, record: &GameRecord) -> Result<QuantumGameState, QuantumError> {
        if record.variant != Variant::Quantum {
            return Err(QuantumError::Chess);
        }
        let rules = match record.tag(RULES) {
            None => Rules::UNNAMED,
            Some(text) => text
                .parse()
                .ok()
                .and_then(Rules::from_number)
                .ok_or_else(|| QuantumError::Rules { found: text.to_owned() })?,
        };
        let named = |name: &str| {
            let name: String = name.chars().take(LONGEST_NAME).collect();
            Player::Human { name: (!name.is_empty() && name != "?").then_some(name) }
        };
        let setup = QuantumSetup {
            start: match &record.start {
                Some(text) => text.parse::<QuantumGame>()?.to_string(),
                None => QuantumGame::default().to_string(),
            },
            white: named(&record.white),
            black: named(&record.black),
            seed: record.tag("Seed").and_then(|seed| seed.parse().ok()).unwrap_or_default(),
            takebacks: true,
            rules: rules.number(),
        };
        let plies: Vec<String> = record.plies.iter().map(|ply| ply.action.clone()).collect();
        let mut state = QuantumGameState::new(owner, setup, &plies)?;
        if let Some(outcome) = record.outcome.filter(|_| !state.is_over()) {
            state.session.end(outcome, Instant::now());
            state.push_event(EventKind::Ended, |_| {});
        }
        Ok(state)
    }

    /// A game before its first event; what was kept of it is put in by whoever loads it.
    pub fn empty(
        id: Id,
        owner: Id,
        setup: QuantumSetup,
        created: Timestamp,
    ) -> Result<QuantumGameState, QuantumError> {
        let humans = ByColor { white: setup.white.is_human(), black: setup.black.is_human() };
        let session = Session::new(setup.starting_game()?, humans, Instant::now());
        Ok(QuantumGameState {
            id,
            owner,
            session: session.with_takebacks(setup.takebacks),
            rng: seed::random(setup.seed),
            setup,
            plies: Vec::new(),
            undone: 0,
            given: 0,
            journal: Journal::new(created),
        })
    }

    /// Restores what was saved: plies, and the position in the random sequence.
    pub fn restore(
        &mut self,
        plies: Vec<QuantumPly>,
        (undone, given): (u64, usize),
        outcome: Option<Outcome>,
        draw_offer: Option<Color>,
    ) -> Result<(), QuantumError> {
        (self.undone, self.given) = (undone, given);
        self.rng = seed::random(self.rng_seed());
        let mut scores = ByColor { white: None, black: None };
        for (index, kept) in plies.into_iter().enumerate() {
            let game = self.session.game();
            let actions = if index < given {
                game.read_ply(&kept.text)?
            } else {
                let m = game.read_move(kept.text.trim_end_matches(['+', '-']))?;
                let found = game.clone().play(m, &mut self.rng)?;
                if found.text != kept.text {
                    let (number, found) = (index + 1, found.text);
                    return Err(QuantumError::ReplayMismatch { number, kept: kept.text, found });
                }
                found.actions(m)
            };
            self.session.repeat(&actions, None);
            let mover = Color::from(kept.side);
            scores[mover] = kept.score_cp.map(|score| Score::cp(mover.fold_wb(score, -score)));
            self.plies.push(kept);
        }
        self.session.resume(outcome, draw_offer, scores, Instant::now());
        Ok(())
    }

    /// The branches and the history of the game.
    pub fn game(&self) -> &QuantumGame {
        self.session.game()
    }

    /// How the game ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.session.outcome()
    }

    /// Plays a person's move.
    pub fn play_human_move(&mut self, text: &str, expected: Option<usize>) -> Result<(), QuantumError> {
        self.session.check_human_turn(expected)?;
        let m = self.game().read_move(text)?;
        self.play_move(m, None)
    }

    /// Plays a move: applies it to the branches, draws its measurements, records the event, and ends the game if the
    /// move does.
    fn play_move(&mut self, m: Move, info: Option<&SearchInfo<Action>>) -> Result<(), QuantumError> {
        let played = self.session.game().clone().play(m, &mut self.rng)?;
        let turn = self.game().side_to_move();
        let actions = played.actions(m);
        let ply = self.record_ply(&actions, played.text, |session| {
            session.play(&actions, info.map(|info| info.score), Instant::now());
        });
        let ply = ply.map(|ply| QuantumPly {
            score_cp: info.and_then(|info| white_score(info.score, turn).0),
            nodes: info.map(|info| info.nodes),
            ..ply
        });
        self.plies.extend(ply.clone());
        self.push_event(EventKind::Moved, |event| event.played = ply);
        self.mark_position();
        if self.is_over() {
            self.push_event(EventKind::Ended, |_| {});
        }
        Ok(())
    }

    /// Plays the actions of a ply with `play`, and records it.
    fn record_ply(
        &mut self,
        actions: &[Action],
        text: String,
        play: impl FnOnce(&mut Session<QuantumGame>),
    ) -> Option<QuantumPly> {
        let Some(Action::Move(m)) = actions.first().copied() else { return None };
        let (side, chance) = (self.game().side_to_move(), self.game().success_chance(m));
        let measured = measured(self.game().clone(), actions);
        play(&mut self.session);
        Some(QuantumPly {
            ply: self.session.ply(),
            side: side.into(),
            text,
            from: m.from().to_string(),
            to: m.to().to_string(),
            split: m.is_split(),
            chance,
            measured,
            branches: self.game().branches().len(),
            score_cp: None,
            nodes: None,
        })
    }

    /// The state after a number of plies.
    pub fn at(&self, ply: usize) -> Result<QuantumGame, QuantumError> {
        self.session.at(ply).ok_or(QuantumError::NoSuchPly { asked: ply, played: self.plies.len() })
    }

    /// The seed of the current random sequence.
    fn rng_seed(&self) -> u64 {
        if self.undone == 0 { self.setup.seed } else { seed::derive(self.setup.seed, self.undone) }
    }

    /// The record of the game, for a file.
    pub fn record(&self) -> GameRecord {
        let begun = self.journal.created.to_string();
        let date = begun.get(..10).unwrap_or_default().replace('-', ".");
        let time = begun.get(11..19).unwrap_or_default().to_owned();
        let usual = QuantumGame::default().to_string();
        GameRecord {
            variant: Variant::Quantum,
            white: self.setup.white.name().to_owned(),
            black: self.setup.black.name().to_owned(),
            start: (self.setup.start != usual).then(|| self.setup.start.clone()),
            plies: self.plies.iter().map(written_ply).collect(),
            outcome: self.outcome(),
            detail: None,
            tags: [
                ("Event", EVENT.to_owned()),
                ("Date", date),
                ("Time", time),
                (RULES, self.setup.rules.to_string()),
            ]
            .into_iter()
            // The seed would predict every measurement; it is revealed after the game only.
            .chain(self.outcome().map(|_| ("Seed", self.setup.seed.to_string())))
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        }
    }
}

/// The measurements of a ply, in order.
fn measured(mut game: QuantumGame, actions: &[Action]) -> Vec<MeasurementRecord> {
    let mut measured = Vec::new();
    for action in actions {
        if let Some(measurement) = game.measurement() {
            let yes = *action == measurement.answer(true);
            measured.push(MeasurementRecord {
                words: game.tell(*action).unwrap_or_default(),
                about_king: measurement.about_king,
                yes,
                probability: measurement.probability(yes),
            });
        }
        game.apply(*action);
    }
    measured
}

fn written_ply(played: &QuantumPly) -> Ply {
    let told: Vec<&str> = played.measured.iter().map(|measured| measured.words.as_str()).collect();
    Ply {
        nodes: played.nodes,
        comment: (!told.is_empty()).then(|| told.join("; ")),
        ..Ply::of(played.text.as_str())
    }
}

impl GameKind for QuantumGameState {
    type Game = QuantumGame;
    type Ply = QuantumPly;
    type Snapshot = ();
    type Error = QuantumError;
    const GAME: &'static str = "quantum";

    fn id(&self) -> Id {
        self.id
    }

    fn owner(&self) -> Id {
        self.owner
    }

    fn renamed(&self, id: Id) -> Self {
        Self { id, ..self.clone() }
    }

    fn session(&self) -> &Session<QuantumGame> {
        &self.session
    }

    fn session_mut(&mut self) -> &mut Session<QuantumGame> {
        &mut self.session
    }

    fn journal(&self) -> &Journal<QuantumPly, ()> {
        &self.journal
    }

    fn journal_mut(&mut self) -> &mut Journal<QuantumPly, ()> {
        &mut self.journal
    }

    fn player(&self, color: Color) -> &Player {
        color.fold_wb(&self.setup.white, &self.setup.black)
    }

    fn snapshot(&self) {}

    fn is_legal(&self, action: Action) -> bool {
        matches!(action, Action::Move(m) if self.game().is_legal(m))
    }

    /// The rules limit the length of a game of quantum chess.
    fn play_agent_move(
        &mut self,
        action: Action,
        info: Option<&SearchInfo<Action>>,
        _longest: usize,
    ) -> Result<(), QuantumError> {
        match action {
            Action::Move(m) => self.play_move(m, info),
            Action::Capture(_) | Action::King(_) => Ok(()),
        }
    }

    fn undo(&mut self) -> Result<usize, QuantumError> {
        let plies = self.session.take_back(Instant::now())?;
        self.plies.truncate(self.session.ply());
        self.undone += 1;
        self.given = self.plies.len();
        self.rng = seed::random(self.rng_seed());
        self.push_event(EventKind::Undone, |event| event.plies = Some(plies));
        self.mark_position();
        Ok(plies)
    }

    fn reseed(&self, agent: &mut dyn Agent<QuantumGame>, color: Color) {
        agent.reseed(seed::derive(self.setup.seed, color.fold_wb(WHITE_SEED, BLACK_SEED)));
    }
}

#[cfg(test)]
mod tests {
    use tabia_core::Reason;

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
        assert_eq!((old.outcome(), old.game().no_progress()), (None, 1));
        assert_eq!(old.at(1).unwrap().outcome(), None);
        assert_eq!(old.record().tag("Rules"), Some("1"));
        let new = QuantumGameState::new(owner, setup(Some(2)), &plies[..1]).unwrap();
        assert_eq!(new.outcome(), Some(Outcome::draw(Reason::FiftyMoves)));
        assert!(QuantumGameState::new(owner, setup(Some(2)), &plies).is_err(), "it was over");
    }
}
