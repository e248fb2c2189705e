//! Conversion between games and records.

use shakmaty::{Chess, Color};
use tabia_core::Score;
use tabia_core::chess::fen_of;
use tabia_games::record::{GameRecord, Ply, Variant as RecordVariant};

use super::error::ChessError;
use super::setup::{START, Setup, Variant};
use super::state::{ChessGameState, PlayedMove};
use crate::id::Id;
use crate::sessions::kind::GameKind;
use crate::sessions::player::Player;

/// Longer names of players and events are truncated.
const LONGEST_NAME: usize = 200;
/// The PGN tag `Site` of games played here.
const EVENT: &str = "Tabia";

/// The record of a game.
pub fn of(state: &ChessGameState) -> GameRecord {
    let begun = state.journal.created.to_string();
    let date = begun.get(..10).unwrap_or_default().replace('-', ".");
    let time = begun.get(11..19).unwrap_or_default().to_owned();
    let event = state.setup.event.clone().unwrap_or_else(|| EVENT.to_owned());
    let mut tags = vec![("Event".to_owned(), event), ("Date".to_owned(), date), ("Time".to_owned(), time)];
    if let Some(clock) = state.setup.clock {
        let seconds = |ms: u64| format!("{}", ms as f64 / 1000.0);
        tags.push((
            "TimeControl".to_owned(),
            format!("{}+{}", seconds(clock.initial_ms), seconds(clock.increment_ms)),
        ));
    }
    let usual = *state.game().start() == Chess::default();
    GameRecord {
        variant: match state.setup.variant {
            Variant::Chess => RecordVariant::Chess,
            Variant::Chess960 => RecordVariant::Chess960,
        },
        white: state.setup.white.name().to_owned(),
        black: state.setup.black.name().to_owned(),
        start: (!usual).then(|| fen_of(state.game().start())),
        plies: state.moves.iter().map(ply).collect(),
        outcome: state.outcome(),
        detail: None,
        tags,
    }
}

fn ply(played: &PlayedMove) -> Ply {
    Ply {
        action: played.uci.clone(),
        score: score(played),
        depth: played.depth,
        nodes: played.nodes,
        time_ms: played.time_ms,
        clock_ms: played.clock_ms,
        comment: played.comment.clone(),
        ..Ply::default()
    }
}

/// The score from the player's point of view.
fn score(played: &PlayedMove) -> Option<Score> {
    let sign = Color::from(played.side).fold_wb(1, -1);
    if let Some(moves) = played.mate {
        // Moves to mate are counted from the position before the move.
        let own = sign * moves;
        let plies = own.unsigned_abs().min(1_000) as u16 * 2;
        return Some(if own > 0 {
            Score::mate_in_plies(plies.saturating_sub(1))
        } else {
            Score::mated_in_plies(plies)
        });
    }
    Some(Score::cp(sign * played.score_cp?))
}

/// A game between two people from a record.
pub fn play(owner: Id, record: &GameRecord, longest: usize) -> Result<ChessGameState, ChessError> {
    let named = |name: &str| {
        let name: String = name.chars().take(LONGEST_NAME).collect();
        Player::Human { name: (!name.is_empty() && name != "?").then_some(name) }
    };
    let setup = Setup {
        variant: match record.variant {
            RecordVariant::Chess => Variant::Chess,
            RecordVariant::Chess960 => Variant::Chess960,
            RecordVariant::Quantum => return Err(ChessError::Quantum),
        },
        start: record.start.clone().unwrap_or_else(|| START.to_owned()),
        white: named(&record.white),
        black: named(&record.black),
        clock: None,
        event: record.tag("Event").map(|event| event.chars().take(LONGEST_NAME).collect()),
    };
    let moves: Vec<String> = record.plies.iter().map(|ply| ply.action.clone()).collect();
    ChessGameState::imported(owner, setup, &moves, longest, |state| {
        for (played, ply) in state.moves.iter_mut().zip(&record.plies) {
            let view = ply.score.map(|score| crate::line::white_score(score, Color::from(played.side)));
            (played.score_cp, played.mate) = view.unwrap_or_default();
            played.depth = ply.depth;
            played.nodes = ply.nodes;
            played.time_ms = ply.time_ms;
            played.clock_ms = ply.clock_ms;
            played.comment.clone_from(&ply.comment);
        }
        if let Some(outcome) = record.outcome.filter(|_| !state.is_over()) {
            state.session_mut().end(outcome, std::time::Instant::now());
        }
    })
}
