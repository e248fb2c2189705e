//! The `info` line: search information from the engine.
//!
//! Engines agree on the keywords of this line and on little else. Stockfish writes `score cp 39 wdl 60 939 1
//! upperbound`, Toga puts `multipv` first, Glaurung ends with a space, GNU Chess says `info depth 3` and leaves the rest
//! for other lines. So keywords may be anywhere, an invalid value leaves its field empty, and unknown tokens are skipped,
//! as are the moves of `refutation` and `currline`. Parsing never fails: nothing in an info is worth losing a game.

use std::fmt;
use std::time::Duration;

use shakmaty::uci::UciMove;
use tabia_core::{Bound, Wdl};

use crate::tokens::Tokens;

/// A score in UCI's form, from the side to move's view.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UciScore {
    /// Centipawns.
    Cp(i32),
    /// Full moves to mate: negative when being mated, zero for mate on the board.
    Mate(i32),
}

/// A score and whether it is exact.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ReportedScore {
    pub value: UciScore,
    /// Exact, or a bound from a search window.
    pub bound: Bound,
}

/// One `info` line. Fields that the line lacks are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Nominal depth in plies.
    pub depth: Option<u32>,
    /// Deepest ply reached.
    pub seldepth: Option<u32>,
    /// Rank of the line among several, from 1.
    pub multipv: Option<u32>,
    /// Score of the line.
    pub score: Option<ReportedScore>,
    /// Win, draw and loss probabilities of the side to move; ignored unless they sum to 1000.
    pub wdl: Option<Wdl>,
    pub nodes: Option<u64>,
    /// Nodes per second. Engines derived from Fruit write 0 for the first second.
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    pub tbhits: Option<u64>,
    /// Time since the start of the search, in whole milliseconds on the line.
    pub time: Option<Duration>,
    /// CPU usage in thousandths.
    pub cpuload: Option<u32>,
    /// The root move being searched.
    pub currmove: Option<UciMove>,
    /// Its number in the list of moves, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation, up to the first token that is not a move.
    pub pv: Vec<UciMove>,
    pub string: Option<String>,
}

impl Info {
    /// An info with text only.
    ///
    /// ```
    /// use tabia_uci::Info;
    ///
    /// assert_eq!(Info::message("3 threads").to_string(), "info string 3 threads");
    /// ```
    pub fn message(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }

    /// Parses a line, with or without the initial `info`.
    ///
    /// ```
    /// use tabia_uci::Info;
    ///
    /// let info = Info::read("info depth 8 score cp 31 nodes 1200 pv e2e4 e7e5");
    /// assert_eq!((info.depth, info.nodes), (Some(8), Some(1200)));
    /// assert!(info.is_line());
    /// ```
    pub fn read(line: &str) -> Info {
        let mut info = Info::default();
        let (mut value, mut bound) = (None, Bound::Exact);
        let mut tokens = Tokens::new(line);
        while let Some(word) = tokens.next() {
            match word {
                "depth" => info.depth = tokens.parsed(),
                "seldepth" => info.seldepth = tokens.parsed(),
                "multipv" => info.multipv = tokens.parsed(),
                "cp" => value = tokens.parsed().map(UciScore::Cp),
                "mate" => value = tokens.parsed().map(UciScore::Mate),
                "lowerbound" => bound = Bound::Lower,
                "upperbound" => bound = Bound::Upper,
                "wdl" => info.wdl = wdl(&mut tokens),
                "nodes" => info.nodes = tokens.parsed(),
                "nps" => info.nps = tokens.parsed(),
                "hashfull" => info.hashfull = tokens.parsed(),
                "tbhits" => info.tbhits = tokens.parsed(),
                "time" => info.time = tokens.parsed().map(Duration::from_millis),
                "cpuload" => info.cpuload = tokens.parsed(),
                "currmove" => info.currmove = tokens.parsed(),
                "currmovenumber" => info.currmovenumber = tokens.parsed(),
                "pv" => info.pv = std::iter::from_fn(|| tokens.parsed()).collect(),
                "string" => {
                    info.string = Some(tokens.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info.score = value.map(|value| ReportedScore { value, bound });
        info
    }

    /// Whether this has a principal variation.
    pub fn is_line(&self) -> bool {
        self.score.is_some() || !self.pv.is_empty()
    }
}

fn wdl(tokens: &mut Tokens<'_>) -> Option<Wdl> {
    let wdl = Wdl { win: tokens.parsed()?, draw: tokens.parsed()?, loss: tokens.parsed()? };
    let sum = u32::from(wdl.win) + u32::from(wdl.draw) + u32::from(wdl.loss);
    (sum == 1000).then_some(wdl)
}

/// `cp 13` or `mate -2`.
impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciScore::Cp(centipawns) => write!(f, "cp {centipawns}"),
            UciScore::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// `cp 13`, `cp 13 lowerbound`.
impl fmt::Display for ReportedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        match self.bound {
            Bound::Exact => Ok(()),
            Bound::Lower => f.write_str(" lowerbound"),
            Bound::Upper => f.write_str(" upperbound"),
        }
    }
}

fn field(f: &mut fmt::Formatter<'_>, keyword: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {keyword} {value}"),
        None => Ok(()),
    }
}

/// The whole line in the usual order.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        field(f, "score", self.score)?;
        if let Some(Wdl { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tbhits)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "cpuload", self.cpuload)?;
        field(f, "currmove", self.currmove)?;
        field(f, "currmovenumber", self.currmovenumber)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            for m in &self.pv {
                write!(f, " {m}")?;
            }
        }
        match self.string.as_deref() {
            None => Ok(()),
            Some("") => f.write_str(" string"),
            Some(text) => write!(f, " string {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<UciMove> {
        text.split_whitespace().map(|m| m.parse().unwrap()).collect()
    }

    #[test]
    fn stockfish_puts_chances_between_score_and_bound() {
        let info = Info::read(
            "info depth 24 seldepth 30 multipv 1 score cp 39 wdl 60 939 1 upperbound nodes 1705583 nps 528207 \
             hashfull 633 tbhits 0 time 3229 pv d2d4 d7d5",
        );
        let score = ReportedScore { value: UciScore::Cp(39), bound: Bound::Upper };
        assert_eq!(info.score, Some(score));
        assert_eq!(info.wdl, Some(Wdl { win: 60, draw: 939, loss: 1 }));
        assert_eq!(info.nodes, Some(1_705_583));
        assert_eq!(info.time, Some(Duration::from_millis(3229)));
        assert_eq!(
            info.to_string(),
            "info depth 24 seldepth 30 multipv 1 score cp 39 upperbound wdl 60 939 1 nodes 1705583 nps 528207 \
             hashfull 633 tbhits 0 time 3229 pv d2d4 d7d5"
        );
    }

    #[test]
    fn toga_puts_the_rank_first_and_the_bound_before_the_time() {
        let info = Info::read(
            "info multipv 1 depth 8 seldepth 19 score cp -4 lowerbound time 27 nodes 22919 pv b8c6 d2d4",
        );
        assert_eq!((info.multipv, info.depth, info.seldepth), (Some(1), Some(8), Some(19)));
        assert_eq!(info.score, Some(ReportedScore { value: UciScore::Cp(-4), bound: Bound::Lower }));
        assert_eq!(info.pv, moves("b8c6 d2d4"));
    }

    #[test]
    fn glaurung_ends_with_a_space_and_shows_lines_with_null_moves() {
        let info = Info::read("info depth 2 score mate -1 time 0 nodes 17 nps 0 pv a8b8 h1h8 ");
        assert_eq!(info.score, Some(ReportedScore { value: UciScore::Mate(-1), bound: Bound::Exact }));
        assert_eq!(info.pv, moves("a8b8 h1h8"));
        assert_eq!(Info::read("info currline 2 a2a3 0000 d2d3"), Info::default());
    }

    #[test]
    fn gnu_chess_spreads_one_report_over_several_lines() {
        assert_eq!(Info::read("info depth 3"), Info { depth: Some(3), ..Info::default() });
        let load = Info::read("info time 17 nodes 36951 nps 0 cpuload 855");
        assert_eq!((load.cpuload, load.nps, load.is_line()), (Some(855), Some(0), false));
        let current = Info::read("info currmove b1c3 currmovenumber 2");
        assert_eq!((current.currmove, current.currmovenumber), ("b1c3".parse().ok(), Some(2)));
        assert_eq!(Info::read("info hashfull 5").hashfull, Some(5));
    }

    #[test]
    fn a_mated_side_is_told_without_a_line() {
        let info = Info::read("info depth 0 score mate 0");
        assert_eq!(info.score.map(|score| score.value), Some(UciScore::Mate(0)));
        assert!(info.is_line() && info.pv.is_empty());
    }

    #[test]
    fn text_for_people_is_the_rest_of_the_line_as_written() {
        let info = Info::read("info string NNUE  evaluation: depth 3 enabled");
        assert_eq!(info, Info::message("NNUE  evaluation: depth 3 enabled"));
        assert_eq!(info.to_string(), "info string NNUE  evaluation: depth 3 enabled");
        assert_eq!(Info::read("info depth 3 string hello").depth, Some(3));
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let info = Info::read(
            "info depth deep nodes -3 score cp 1.5 wdl 1 2 3 brainload 7 pv e2e4 Nf6 g1f3 time \t 12 nps",
        );
        let expected = Info { pv: moves("e2e4"), time: Some(Duration::from_millis(12)), ..Info::default() };
        assert_eq!(info, expected);
        assert_eq!(Info::read("info depth seldepth 7").seldepth, Some(7));
        assert_eq!(Info::read("info refutation d1h5 g6h5 hashfull 3").hashfull, Some(3));
    }
}
