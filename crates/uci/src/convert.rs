//! Conversion between protocol types and those of `tabia_core`.
//!
//! In both directions, because Tabia is on both sides: as an engine it converts a [`Go`] to [`Limits`] and a [`SearchInfo`] to
//! an [`Info`]; as a GUI it converts limits to a `go` and an info to a [`SearchInfo`]. This is the only module that looks at a
//! position.

use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Move, Position};
use tabia_core::chess::MoveError;
use tabia_core::{Bound, ChessGame, Clock, Limits, Score, SearchInfo};

use crate::go::Go;
use crate::info::{Info, ReportedScore, UciScore};

/// A parsed `go`: the limits, and how to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    pub limits: Limits,
    /// The search runs on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// `bestmove` is held back until `stop`, even if the search has ended.
    pub infinite: bool,
}

/// An invalid move after `searchmoves`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("searchmoves: {0}")]
pub struct SearchMoveError(#[from] pub MoveError);

/// How search information is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ReportStyle {
    pub castling: CastlingMode,
    /// Whether win/draw/loss probabilities are shown (`UCI_ShowWDL`).
    pub show_wdl: bool,
}

impl Go {
    /// The search that this requests in a game.
    ///
    /// Impossible limits become the smallest possible: an expired clock has a millisecond left, depth 0 is depth 1. A
    /// clock of one side only is used for both. `infinite` overrides the clock and `movetime`; `movestogo 0` is ignored.
    ///
    /// ```
    /// use tabia_core::ChessGame;
    /// use tabia_uci::Go;
    ///
    /// let go = Go { nodes: Some(500), ..Go::default() };
    /// let request = go.request(&ChessGame::default())?;
    /// assert_eq!(request.limits.nodes, Some(500));
    /// # Ok::<(), tabia_uci::SearchMoveError>(())
    /// ```
    pub fn request(&self, game: &ChessGame) -> Result<SearchRequest, SearchMoveError> {
        let search_moves =
            self.searchmoves.iter().map(|text| game.read_move(text)).collect::<Result<_, _>>()?;
        let timed = !self.infinite;
        let limits = Limits {
            depth: self.depth.map(|depth| depth.max(1)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            movetime: self.movetime.filter(|_| timed).map(at_least_a_moment),
            clock: self.clock().filter(|_| timed),
            mate: self.mate.map(|moves| moves.max(1)),
            search_moves,
        };
        Ok(SearchRequest { limits, ponder: self.ponder, infinite: self.infinite })
    }

    fn clock(&self) -> Option<Clock> {
        let increment = |ms: Option<i64>| Duration::from_millis(ms.unwrap_or(0).max(0).unsigned_abs());
        Some(Clock {
            white: at_least_a_moment(self.wtime.or(self.btime)?),
            black: at_least_a_moment(self.btime.or(self.wtime)?),
            white_increment: increment(self.winc),
            black_increment: increment(self.binc),
            moves_to_go: self.movestogo.filter(|moves| *moves > 0),
        })
    }

    /// The `go` that requests these limits from another engine. Without limits it is `go infinite`.
    ///
    /// ```
    /// use shakmaty::CastlingMode;
    /// use tabia_core::Limits;
    /// use tabia_uci::Go;
    ///
    /// let go = Go::from_limits(&Limits::depth(6), CastlingMode::Standard);
    /// assert_eq!(go.to_string(), "go depth 6");
    /// ```
    pub fn from_limits(limits: &Limits, castling: CastlingMode) -> Go {
        let clock = |of: fn(&Clock) -> Duration| limits.clock.as_ref().map(|clock| milliseconds(of(clock)));
        Go {
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.movetime.map(|time| milliseconds(time).max(1)),
            wtime: clock(|clock| clock.white),
            btime: clock(|clock| clock.black),
            winc: clock(|clock| clock.white_increment),
            binc: clock(|clock| clock.black_increment),
            movestogo: limits.clock.and_then(|clock| clock.moves_to_go),
            mate: limits.mate,
            infinite: limits.is_infinite(),
            ponder: false,
            searchmoves: limits.search_moves.iter().map(|m| m.to_uci(castling).to_string()).collect(),
        }
    }
}

fn at_least_a_moment(ms: i64) -> Duration {
    Duration::from_millis(ms.max(1).unsigned_abs())
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

impl Info {
    /// The info line of a [`SearchInfo`].
    pub fn from_search_info(search_info: &SearchInfo<Move>, style: ReportStyle) -> Info {
        Info {
            depth: Some(search_info.depth),
            seldepth: Some(search_info.selective_depth),
            multipv: Some(search_info.rank),
            score: Some(ReportedScore { value: search_info.score.into(), bound: search_info.bound }),
            wdl: search_info.wdl.filter(|_| style.show_wdl),
            nodes: Some(search_info.nodes),
            nps: Some(search_info.nodes_per_second()),
            hashfull: Some(search_info.hash_full),
            tbhits: Some(search_info.table_hits),
            time: Some(search_info.elapsed),
            pv: search_info.line.iter().map(|m| m.to_uci(style.castling)).collect(),
            ..Info::default()
        }
    }

    /// The [`SearchInfo`] of a line with a score. The principal variation ends before its first illegal move.
    pub fn to_search_info(&self, position: &Chess) -> Option<SearchInfo<Move>> {
        let ReportedScore { value, bound } = self.score?;
        Some(SearchInfo {
            depth: self.depth.unwrap_or(0),
            selective_depth: self.seldepth.or(self.depth).unwrap_or(0),
            rank: self.multipv.unwrap_or(1),
            score: value.into(),
            bound,
            wdl: self.wdl,
            nodes: self.nodes.unwrap_or(0),
            table_hits: self.tbhits.unwrap_or(0),
            hash_full: self.hashfull.unwrap_or(0),
            elapsed: self.time.unwrap_or_default(),
            line: self.legal_line(position),
        })
    }

    fn legal_line(&self, position: &Chess) -> Vec<Move> {
        let mut position = position.clone();
        self.pv
            .iter()
            .map_while(|uci| {
                let m = uci.to_move(&position).ok()?;
                position.play_unchecked(m);
                Some(m)
            })
            .collect()
    }
}

/// Mates in full moves; everything else, proven or not, in centipawns.
impl From<Score> for UciScore {
    fn from(score: Score) -> UciScore {
        score.moves_to_mate().map_or(UciScore::Cp(score.raw()), UciScore::Mate)
    }
}

/// Clamped to the range of evaluations: another engine's 29 500 is not our tablebase win.
impl From<UciScore> for Score {
    fn from(score: UciScore) -> Score {
        /// Longest mate that a score can represent, in plies.
        const LONGEST: u32 = (Score::MATE.raw() - Score::MATE_BOUND.raw()) as u32;
        match score {
            UciScore::Cp(centipawns) => Score::cp(centipawns),
            UciScore::Mate(moves) => {
                let plies = moves.unsigned_abs().saturating_mul(2);
                if moves > 0 {
                    Score::mate_in_plies((plies - 1).min(LONGEST - 1) as u16)
                } else {
                    Score::mated_in_plies(plies.min(LONGEST) as u16)
                }
            }
        }
    }
}

/// An exact score.
impl From<Score> for ReportedScore {
    fn from(score: Score) -> ReportedScore {
        ReportedScore { value: score.into(), bound: Bound::Exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Tokens;
    use tabia_core::Wdl;

    fn go(text: &str) -> Go {
        Go::read(&mut Tokens::new(text)).expect(text)
    }

    fn limits(text: &str) -> Limits {
        go(text).request(&ChessGame::default()).expect(text).limits
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_clock_that_has_run_over_has_a_moment_left() {
        let clock = limits("wtime -50 btime 1000 winc -3 binc 20 movestogo 0").clock.unwrap();
        let expected = Clock {
            white: ms(1),
            black: ms(1000),
            white_increment: ms(0),
            black_increment: ms(20),
            moves_to_go: None,
        };
        assert_eq!(clock, expected);
        assert_eq!(limits("btime 7").clock.unwrap().white, ms(7));
        assert_eq!(limits("winc 7").clock, None);
        assert_eq!(limits("movetime 0 depth 0").movetime, Some(ms(1)));
        assert_eq!(limits("depth 0").depth, Some(1));
    }

    #[test]
    fn infinite_overrides_the_clock() {
        let request = go("infinite wtime 5 btime 5 depth 7").request(&ChessGame::default()).unwrap();
        assert_eq!(request.limits, Limits::depth(7));
        assert!(request.infinite && !request.ponder);
        assert!(go("ponder wtime 5 btime 5").request(&ChessGame::default()).unwrap().ponder);
    }

    #[test]
    fn moves_to_search_must_be_legal() {
        let game = ChessGame::default();
        assert_eq!(
            limits("searchmoves e2e4 g1f3").search_moves,
            [game.read_move("e2e4").unwrap(), game.read_move("g1f3").unwrap()]
        );
        let error = go("searchmoves e2e4 e2e5").request(&game).unwrap_err().to_string();
        assert!(error.starts_with("searchmoves: \"e2e5\" is not legal in rnbqkbnr"), "{error}");
        assert!(go("searchmoves zzzz").request(&game).unwrap_err().to_string().contains("is not a move"));
    }

    #[test]
    fn limits_survive_the_way_to_another_engine_and_back() {
        let game = ChessGame::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let castle = game.read_move("O-O").unwrap();
        let limits = Limits {
            depth: Some(9),
            nodes: Some(5000),
            clock: Some(Clock {
                white: ms(60_000),
                black: ms(50_000),
                white_increment: ms(100),
                black_increment: ms(200),
                moves_to_go: Some(5),
            }),
            search_moves: vec![castle],
            ..Limits::default()
        };
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            let go = Go::from_limits(&limits, mode);
            assert_eq!(go.request(&game).unwrap().limits, limits);
        }
        assert_eq!(Go::from_limits(&Limits::default(), game.mode()).to_string(), "go infinite");
        let instant = Limits::movetime(Duration::from_micros(10));
        assert_eq!(Go::from_limits(&instant, game.mode()).to_string(), "go movetime 1");
    }

    #[test]
    fn scores_are_told_in_centipawns_or_moves_to_mate() {
        for (score, text) in [
            (Score::cp(-35), "cp -35"),
            (Score::mate_in_plies(1), "mate 1"),
            (Score::mate_in_plies(5), "mate 3"),
            (Score::mated_in_plies(0), "mate 0"),
            (Score::mated_in_plies(4), "mate -2"),
        ] {
            let told = UciScore::from(score);
            assert_eq!(told.to_string(), text);
            assert_eq!(Score::from(told), score);
        }
        assert_eq!(UciScore::from(Score::TABLEBASE_WIN), UciScore::Cp(29_900));
        assert!(!Score::from(UciScore::Cp(29_900)).is_decisive());
    }

    #[test]
    fn absurd_scores_stay_on_the_scale() {
        for moves in [i32::MAX, 100_000, 1_001, 1_000] {
            assert_eq!(Score::from(UciScore::Mate(moves)).moves_to_mate(), Some(1_000));
        }
        for moves in [i32::MIN, -100_000, -1_001, -1_000] {
            assert_eq!(Score::from(UciScore::Mate(moves)).moves_to_mate(), Some(-1_000));
        }
        assert_eq!(Score::from(UciScore::Cp(i32::MIN)), -Score::EVALUATION_BOUND);
    }

    #[test]
    fn search_info_becomes_an_info_line_and_back() {
        let game = ChessGame::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let search_info = SearchInfo {
            depth: 7,
            selective_depth: 11,
            rank: 2,
            score: Score::cp(512),
            bound: Bound::Lower,
            wdl: Some(Wdl { win: 900, draw: 90, loss: 10 }),
            nodes: 4000,
            table_hits: 3,
            hash_full: 12,
            elapsed: ms(20),
            line: vec![game.read_move("O-O").unwrap()],
        };
        let style = ReportStyle { castling: CastlingMode::Standard, show_wdl: true };
        let info = Info::from_search_info(&search_info, style);
        assert_eq!(
            info.to_string(),
            "info depth 7 seldepth 11 multipv 2 score cp 512 lowerbound wdl 900 90 10 nodes 4000 nps 200000 \
             hashfull 12 tbhits 3 time 20 pv e1g1"
        );
        assert_eq!(info.to_search_info(game.position()), Some(search_info.clone()));
        let style = ReportStyle { castling: CastlingMode::Chess960, show_wdl: false };
        let info = Info::from_search_info(&search_info, style);
        assert_eq!(info.wdl, None);
        assert!(info.to_string().ends_with("pv e1h1"));
    }

    #[test]
    fn a_line_ends_before_its_first_illegal_move() {
        let game = ChessGame::default();
        let search_info =
            Info::read("score cp 1 pv e2e4 e7e5 e4e5 g8f6").to_search_info(game.position()).unwrap();
        assert_eq!(search_info.line.len(), 2);
        assert_eq!(Info::read("depth 3 pv e2e4").to_search_info(game.position()), None);
    }
}
