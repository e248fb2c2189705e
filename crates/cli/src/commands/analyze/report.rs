//! The result of an analysis: the best move and the final principal variations, as text and JSON.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use shakmaty::{Chess, Color, Move};
use tabia_core::{AgentSpec, Bound, ChessGame, SearchInfo, Wdl};

use super::table::percent;
use crate::terminal::Paint;
use crate::text::{self, WhiteScore};

/// The result of an analysis; its JSON is a contract.
#[derive(Debug, Serialize)]
pub struct Report {
    fen: String,
    turn: &'static str,
    agent: String,
    best: Option<Best>,
    lines: Vec<Line>,
    /// The analysed position.
    #[serde(skip)]
    position: Chess,
}

#[derive(Debug, Serialize)]
struct Best {
    uci: String,
    san: String,
}

/// One line; score and chances are White's view.
#[derive(Debug, Serialize)]
struct Line {
    rank: u32,
    depth: u32,
    seldepth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    bound: &'static str,
    wdl: Option<[u16; 3]>,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    pv_uci: Vec<String>,
    pv_san: Vec<String>,
    #[serde(skip)]
    score: WhiteScore,
    #[serde(skip)]
    info: SearchInfo<Move>,
}

impl Report {
    /// An empty report.
    pub fn new(game: &ChessGame, spec: &AgentSpec) -> Report {
        Report {
            fen: game.fen(),
            turn: match game.side_to_move() {
                Color::White => "white",
                Color::Black => "black",
            },
            agent: spec.to_string(),
            best: None,
            lines: Vec::new(),
            position: game.position().clone(),
        }
    }

    /// Replaces the line of its rank.
    pub fn update(&mut self, game: &ChessGame, info: &SearchInfo<Move>) {
        self.lines.retain(|line| line.rank != info.rank);
        self.lines.push(Line::new(game, info));
        self.lines.sort_by_key(|line| line.rank);
    }

    /// Sets the chosen move.
    pub fn decide(&mut self, game: &ChessGame, best: Move) {
        let san = text::san_moves(game.position(), &[best]).concat();
        self.best = Some(Best { uci: game.write_move(best), san });
    }

    /// Prints the report as text.
    pub fn write_summary(
        &self,
        out: &mut impl Write,
        paint: Paint,
        elapsed: Duration,
        interrupted: bool,
    ) -> io::Result<()> {
        writeln!(out)?;
        if let Some(best) = &self.best {
            let changed = match self.lines.first() {
                // The agent changed its move at the last moment and has no line for it yet.
                Some(line) if line.pv_uci.first() != Some(&best.uci) => "  found after the last full line",
                _ => "",
            };
            writeln!(out, "best move  {}  ({}){}", paint.bold(&best.san), best.uci, paint.dim(changed))?;
        }
        for line in &self.lines {
            let description = in_words(line.score);
            let rank =
                if self.lines.len() > 1 { format!("line {:<5}", line.rank) } else { "score     ".into() };
            writeln!(out, "{rank} {}  White's view: {description}", paint.bold(line.score))?;
            if let Some([win, draw, loss]) = line.wdl {
                let (win, draw, loss) = (percent(win), percent(draw), percent(loss));
                writeln!(out, "           White wins {win:.0} %, draw {draw:.0} %, Black wins {loss:.0} %")?;
            }
            writeln!(out, "           {}", text::numbered(&self.position, &line.info.line))?;
        }
        if let Some(line) = self.lines.first() {
            let (nodes, nps) = (text::short_count(line.nodes), text::short_count(line.nps));
            let effort = format!("depth {} after {nodes} nodes ({nps} a second)", line.depth);
            write!(out, "{}", paint.dim(format_args!("searched   {effort}; ")))?;
        }
        let early = if interrupted { ", interrupted" } else { "" };
        writeln!(out, "{}", paint.dim(format_args!("{:.2} s in all{early}", elapsed.as_secs_f64())))
    }
}

impl Line {
    fn new(game: &ChessGame, info: &SearchInfo<Move>) -> Line {
        let turn = game.side_to_move();
        let score = WhiteScore::new(info.score, info.bound, turn);
        Line {
            rank: info.rank,
            depth: info.depth,
            seldepth: info.selective_depth,
            score_cp: if score.mate.is_none() { Some(score.score.raw()) } else { None },
            mate: score.mate,
            bound: match score.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            wdl: info.wdl.map(|wdl| {
                let Wdl { win, draw, loss } = text::chances_for_white(wdl, turn);
                [win, draw, loss]
            }),
            nodes: info.nodes,
            nps: info.nodes_per_second(),
            time_ms: info.elapsed.as_millis() as u64,
            pv_uci: info.line.iter().map(|m| game.write_move(*m)).collect(),
            pv_san: text::san_moves(game.position(), &info.line),
            score,
            info: info.clone(),
        }
    }
}

/// Thresholds of "about equal", "better" and "winning", in centipawns.
const EQUAL_CP: i32 = 30;
const BETTER_CP: i32 = 150;

/// A score in words.
fn in_words(score: WhiteScore) -> String {
    let value = score.score;
    let side = text::side(if value.raw() >= 0 { Color::White } else { Color::Black });
    match score.mate {
        Some(_) => score.phrase(),
        None if value.is_decisive() => format!("{side} wins by the endgame tables"),
        None => match value.raw().abs() {
            0..=EQUAL_CP => "about equal".to_owned(),
            ..=BETTER_CP => format!("{side} is better"),
            _ => format!("{side} is winning"),
        },
    }
}
