//! Replays: games as JSON, in the format of seed 001 §7.3.
//!
//! ```json
//! {"moves": ["e2e4", "e7e5"], "result": "1-0", "reason": "resignation", "white": "…", "black": "…",
//!  "event": "…", "timestamp": "2024-01-15T14:30:00", "variant": "chess"}
//! ```
//!
//! `fen` is present for a non-standard start, `seed` for a game with randomness, `rules` where the variant numbers the
//! versions of its rules (quantum chess: a game without it is of version 1), `detail` where there is more about its end.
//! Two fields are Tabia's own and optional: `tags`, other tags as pairs in their order, and `thoughts`, one object per
//! move with its search information (`score_cp` or `mate` in White's view, `depth`, `nodes`, `time_ms`, `clock_ms`,
//! `comment`, `glyphs`, `instead`, `opening`). Unknown fields are ignored; an invalid one is named in the error.

mod fields;
mod search_info;

use serde::Serialize;
use serde_json::Value;
use tabia_core::Outcome;

use crate::pgn;
use crate::record::{GameRecord, Ply, RecordError, Variant};
use fields::Fields;
use search_info::PlySearchInfo;

/// The tag of the random seed, in games with randomness.
const SEED: &str = "Seed";
/// The tag of the version of a variant's rules.
pub const RULES: &str = "Rules";

/// Why a text is not a replay.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("this is not valid JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the document is {found}; expected an object with \"moves\"")]
    Document { found: String },
    #[error("the field \"{field}\" is {found}; expected {expected}")]
    Field {
        /// Its name, with its index in lists: `moves[3]`.
        field: String,
        found: String,
        expected: &'static str,
    },
    #[error("the game cannot be replayed: {0}")]
    Unplayable(#[from] RecordError),
}

/// The fields as written.
#[derive(Serialize)]
struct Document<'a> {
    moves: Vec<&'a str>,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    white: &'a str,
    black: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
    variant: Variant,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<&'a (String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    thoughts: Vec<PlySearchInfo>,
}

/// One replay as JSON, followed by a newline.
pub fn write(record: &GameRecord) -> String {
    let timestamp = timestamp(record);
    let seed = record.tag(SEED).and_then(|seed| seed.parse().ok());
    let rules = record.tag(RULES).and_then(|rules| rules.parse().ok());
    let told = |name: &str| {
        name == "Event"
            || timestamp.is_some() && matches!(name, "Date" | "Time")
            || seed.is_some() && name == SEED
            || rules.is_some() && name == RULES
    };
    let known = record.plies.iter().any(|ply| *ply != Ply::of(ply.action.as_str()));
    let document = Document {
        moves: record.plies.iter().map(|ply| ply.action.as_str()).collect(),
        result: record.outcome.map_or("*", Outcome::as_pgn),
        reason: record.outcome.map(|outcome| outcome.reason.to_string()),
        detail: record.detail.as_deref(),
        white: &record.white,
        black: &record.black,
        event: record.tag("Event"),
        tags: record.tags.iter().filter(|(name, _)| !told(name)).collect(),
        timestamp,
        variant: record.variant,
        fen: record.start.as_deref(),
        seed,
        rules,
        thoughts: if known { search_info::of(record) } else { Vec::new() },
    };
    let mut text = serde_json::to_string_pretty(&document).expect("texts and numbers are always JSON");
    text.push('\n');
    text
}

/// `2024-01-15T14:30:00` from the tags `Date` and `Time`.
fn timestamp(record: &GameRecord) -> Option<String> {
    let date = record.tag("Date").filter(|date| pgn::is_date(date))?;
    let time = record.tag("Time").filter(|time| fields::is_time(time))?;
    Some(format!("{}T{time}", date.replace('.', "-")))
}

/// Reads one replay. Moves of chess are validated.
///
/// ```
/// use tabia_games::{GameRecord, Ply, replay};
///
/// let record = GameRecord { plies: vec![Ply::of("g1f3")], ..GameRecord::default() };
/// assert_eq!(replay::read(&replay::write(&record))?.plies, record.plies);
/// # Ok::<(), tabia_games::replay::ReplayError>(())
/// ```
pub fn read(text: &str) -> Result<GameRecord, ReplayError> {
    let value: Value = serde_json::from_str(text)?;
    let fields = Fields::of(&value)?;
    let variant = fields.variant()?;
    let moves = fields.texts("moves")?;
    let mut record = GameRecord {
        variant,
        white: fields.text("white")?.unwrap_or_default(),
        black: fields.text("black")?.unwrap_or_default(),
        start: fields.text("fen")?,
        plies: moves.into_iter().map(Ply::of).collect(),
        outcome: None,
        detail: fields.text("detail")?,
        tags: Vec::new(),
    };
    if let Some(event) = fields.text("event")? {
        record.tags.push(("Event".to_owned(), event));
    }
    if let Some((date, time)) = fields.timestamp()? {
        record.tags.extend([("Date".to_owned(), date), ("Time".to_owned(), time)]);
    }
    if let Some(seed) = fields.number::<u64>("seed")? {
        record.tags.push((SEED.to_owned(), seed.to_string()));
    }
    if let Some(rules) = fields.number::<u8>("rules")? {
        record.tags.push((RULES.to_owned(), rules.to_string()));
    }
    record.tags.extend(fields.pairs("tags")?);
    let game = match variant {
        Variant::Quantum => None,
        Variant::Chess | Variant::Chess960 => Some(record.play()?),
    };
    record.outcome = fields.outcome(game.as_ref())?;
    search_info::read(&fields, &mut record)?;
    Ok(record)
}

#[cfg(test)]
mod tests;
