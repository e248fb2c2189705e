//! The lines of an analysis as they are found, in columns.

use std::io::{self, Write};

use shakmaty::{Chess, Color, Move, Position};
use tabia_core::{AgentSpec, ChessGame, SearchInfo, Wdl};

use crate::terminal::Paint;
use crate::text::{self, WhiteScore};

/// Moves shown of a line that may still change; the summary has all of them.
const MOVES_SHOWN: usize = 8;

/// Columns for one search.
pub struct Table {
    position: Chess,
    fen: String,
    agent: String,
    ranked: bool,
    last_depth: u32,
}

impl Table {
    /// A table for a position; `ranked` when there is more than one line.
    pub fn new(game: &ChessGame, spec: &AgentSpec, ranked: bool) -> Table {
        let (position, fen) = (game.position().clone(), game.fen());
        Table { position, fen, agent: spec.to_string(), ranked, last_depth: 0 }
    }

    fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Prints the position and the column headers.
    pub fn head(&self, out: &mut dyn Write, paint: Paint) -> io::Result<()> {
        let turn = text::side(self.turn());
        writeln!(out, "{}  {} to move", paint.bold(&self.fen), turn)?;
        writeln!(
            out,
            "{}\n",
            paint.dim(format_args!("{} is thinking; Ctrl-C for the best so far", self.agent))
        )?;
        let rank = if self.ranked { " line" } else { "" };
        let mover = match self.turn() {
            Color::White => String::new(),
            Color::Black => format!(" {:>8}", "Black"),
        };
        let columns = format!(
            "{:>7}{rank} {:>8}{mover} {:>13} {:>7} {:>7}  moves",
            "depth",
            "White",
            format!("{turn} w/d/l"),
            "nodes",
            "time"
        );
        writeln!(out, "{}", paint.style("4", columns))
    }

    /// One line.
    pub fn line(&mut self, out: &mut dyn Write, paint: Paint, info: &SearchInfo<Move>) -> io::Result<()> {
        if self.ranked && info.rank == 1 && info.depth != self.last_depth {
            if self.last_depth > 0 {
                writeln!(out)?;
            }
            self.last_depth = info.depth;
        }
        let depth = format!("{}/{}", info.depth, info.selective_depth);
        let rank = if self.ranked { format!(" {:>4}", info.rank) } else { String::new() };
        let white = WhiteScore::new(info.score, info.bound, self.turn()).to_string();
        let white = format!("{white:>8}");
        let mover = match self.turn() {
            Color::White => String::new(),
            Color::Black => format!(" {:>8}", text::bounded(info.score, info.bound)),
        };
        let chances = info.wdl.map_or_else(
            || "-".to_owned(),
            |Wdl { win, draw, loss }| {
                format!("{:.0}/{:.0}/{:.0}", percent(win), percent(draw), percent(loss))
            },
        );
        let shown = &info.line[..info.line.len().min(MOVES_SHOWN)];
        let more = if info.line.len() > MOVES_SHOWN { " …" } else { "" };
        writeln!(
            out,
            "{depth:>7}{rank} {}{mover} {chances:>13} {:>7} {:>6.2}s  {}{}",
            paint.bold(white),
            text::short_count(info.nodes),
            info.elapsed.as_secs_f64(),
            text::numbered(&self.position, shown),
            paint.dim(more),
        )
    }
}

/// Thousandths as hundredths.
pub fn percent(thousandths: u16) -> f64 {
    f64::from(thousandths) / 10.0
}
