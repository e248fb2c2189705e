//! A line of play that an agent found, in White's view, with the names that `tabia analyze --json` gives its parts.

use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move};
use tabia_core::{Bound, ChessGame, Score, SearchInfo, Wdl};
use utoipa::ToSchema;

/// Whether a score is exact.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = BoundDocument)]
pub enum LineBound {
    /// It is.
    Exact,
    /// At least this much, in White's view.
    Lower,
    /// At most this much, in White's view.
    Upper,
}

/// A line of play and what it is worth. Score and chances are White's view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = LineDocument)]
pub struct EngineLine {
    /// Its place among several, from 1.
    pub rank: u32,
    /// Nominal depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Centipawns in White's view; absent when it is a mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_cp: Option<i32>,
    /// Full moves to mate; positive when White gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Whether the score is exact.
    pub bound: LineBound,
    /// White wins, draws and Black wins in a thousand, if the agent has a model of them.
    pub wdl: Option<[u16; 3]>,
    /// Positions visited.
    pub nodes: u64,
    /// Positions a second.
    pub nps: u64,
    /// Milliseconds since the search began.
    pub time_ms: u64,
    /// The line as UCI writes it.
    pub pv_uci: Vec<String>,
    /// The line in standard notation.
    pub pv_san: Vec<String>,
}

impl EngineLine {
    /// Search information about a position.
    pub fn new(game: &ChessGame, info: &SearchInfo<Move>) -> EngineLine {
        let turn = game.side_to_move();
        let (score_cp, mate) = white_score(info.score, turn);
        EngineLine {
            rank: info.rank,
            depth: info.depth,
            seldepth: info.selective_depth,
            score_cp,
            mate,
            bound: match (info.bound, turn) {
                (Bound::Exact, _) => LineBound::Exact,
                (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => LineBound::Lower,
                (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => LineBound::Upper,
            },
            wdl: info.wdl.map(|Wdl { win, draw, loss }| turn.fold_wb([win, draw, loss], [loss, draw, win])),
            nodes: info.nodes,
            nps: info.nodes_per_second(),
            time_ms: info.elapsed.as_millis() as u64,
            pv_uci: info.line.iter().map(|m| game.write_move(*m)).collect(),
            pv_san: san_moves(game.position(), &info.line),
        }
    }

    /// The score from `color`'s point of view in centipawns; a mate counts as a large score.
    pub fn centipawns_for(&self, color: Color) -> i32 {
        let white = match (self.score_cp, self.mate) {
            (Some(score), _) => score,
            (None, Some(moves)) if moves > 0 => Score::MATE.raw(),
            (None, Some(_)) => -Score::MATE.raw(),
            (None, None) => 0,
        };
        color.fold_wb(white, -white)
    }
}

/// Converts a score of the side to move to White's view, as centipawns or moves to mate. Moves to mate are computed
/// before the sign is changed, because negating a mate score shifts it by half a move.
pub fn white_score(score: Score, turn: Color) -> (Option<i32>, Option<i32>) {
    let sign = turn.fold_wb(1, -1);
    match score.moves_to_mate() {
        Some(moves) => (None, Some(sign * moves)),
        None => (Some(sign * score.raw()), None),
    }
}

/// Moves in standard notation.
pub fn san_moves(start: &Chess, moves: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    moves.iter().map(|m| SanPlus::from_move_and_play_unchecked(&mut position, *m).to_string()).collect()
}
