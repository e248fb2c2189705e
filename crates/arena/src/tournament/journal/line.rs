//! One game as a line of JSON.

use serde::{Deserialize, Serialize};
use shakmaty::Color;
use tabia_core::{Outcome, Reason, Score};

use tabia_games::record::{GameRecord, Ply, Variant};

/// A column; left out if it has no values.
type Column<T> = Vec<Option<T>>;

/// A line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The number of the game.
    pub game: usize,
    #[serde(default, skip_serializing_if = "is_chess")]
    variant: Variant,
    white: String,
    black: String,
    result: String,
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// Plies of the opening, which the players did not choose.
    opening: usize,
    moves: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    scores: Column<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    depths: Column<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nodes: Column<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    times_ms: Column<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    clocks_ms: Column<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Column<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
}

/// A line that retracts a game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retraction {
    pub retracted: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_chess(variant: &Variant) -> bool {
    *variant == Variant::Chess
}

fn column<T>(plies: &[Ply], of: impl Fn(&Ply) -> Option<T>) -> Column<T> {
    let column: Column<T> = plies.iter().map(of).collect();
    if column.iter().all(Option::is_none) { Vec::new() } else { column }
}

impl Line {
    /// The line of a game. A move has no space in any variant.
    pub fn new(game: usize, record: &GameRecord) -> Line {
        let plies = &record.plies;
        let actions: Vec<&str> = plies.iter().map(|ply| ply.action.as_str()).collect();
        Line {
            game,
            variant: record.variant,
            white: record.white.clone(),
            black: record.black.clone(),
            result: record.outcome.map_or("*", Outcome::as_pgn).to_owned(),
            reason: record.outcome.map(|outcome| outcome.reason.to_string()).unwrap_or_default(),
            detail: record.detail.clone(),
            start: record.start.clone(),
            opening: plies.iter().take_while(|ply| ply.opening).count(),
            moves: actions.join(" "),
            scores: column(plies, |ply| ply.score.map(Score::raw)),
            depths: column(plies, |ply| ply.depth),
            nodes: column(plies, |ply| ply.nodes),
            times_ms: column(plies, |ply| ply.time_ms),
            clocks_ms: column(plies, |ply| ply.clock_ms),
            comments: column(plies, |ply| ply.comment.clone()),
            tags: record.tags.clone(),
        }
    }

    /// The game of the line; the error says what is wrong with it.
    pub fn record(self) -> Result<GameRecord, String> {
        let outcome = self.outcome()?;
        let count = self.moves.split_whitespace().count();
        for (name, length) in [
            ("scores", self.scores.len()),
            ("depths", self.depths.len()),
            ("nodes", self.nodes.len()),
            ("times_ms", self.times_ms.len()),
            ("clocks_ms", self.clocks_ms.len()),
            ("comments", self.comments.len()),
        ] {
            if length != 0 && length != count {
                return Err(format!("{name} has {length} entries for {count} moves"));
            }
        }
        let at = |column: &Column<u64>, index: usize| column.get(index).copied().flatten();
        let ply = |(index, action): (usize, &str)| Ply {
            opening: index < self.opening,
            score: self.scores.get(index).copied().flatten().map(Score::from_raw),
            depth: self.depths.get(index).copied().flatten(),
            nodes: at(&self.nodes, index),
            time_ms: at(&self.times_ms, index),
            clock_ms: at(&self.clocks_ms, index),
            comment: self.comments.get(index).cloned().flatten(),
            ..Ply::of(action)
        };
        let plies = self.moves.split_whitespace().enumerate().map(ply).collect();
        Ok(GameRecord {
            variant: self.variant,
            white: self.white,
            black: self.black,
            start: self.start,
            plies,
            outcome,
            detail: self.detail,
            tags: self.tags,
        })
    }

    fn outcome(&self) -> Result<Option<Outcome>, String> {
        let winner = match self.result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            "1/2-1/2" => None,
            "*" => return Ok(None),
            other => return Err(format!("\"{other}\" is no result; it is 1-0, 0-1, 1/2-1/2 or *")),
        };
        let reason =
            Reason::named(&self.reason).ok_or_else(|| format!("a game cannot end by \"{}\"", self.reason))?;
        Ok(Some(Outcome { winner, reason }))
    }
}
