//! The `go` command.
//!
//! Times are kept as signed numbers, as written. A GUI whose clock has expired sends negative ones; [`crate::convert`]
//! decides what to do about that, not the parser.
//!
//! UCI asks to ignore unknown tokens, and some servers add their own, so an unknown token beside known ones is skipped. A
//! line of *only* unknown tokens is an error instead: `go depht 5` would otherwise search forever.

use std::fmt;
use std::str::FromStr;

use tabia_core::spelling;

use crate::command_error::CommandError;
use crate::tokens::Tokens;

/// The keywords of a `go` line.
const KEYWORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// The limits of a search as written. The default has none: search until `stop`.
///
/// ```
/// use tabia_uci::Go;
///
/// let go = Go { depth: Some(12), ..Go::default() };
/// assert_eq!(go.to_string(), "go depth 12");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies of nominal depth.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Milliseconds for this move.
    pub movetime: Option<i64>,
    /// Milliseconds left to White.
    pub wtime: Option<i64>,
    /// Milliseconds left to Black.
    pub btime: Option<i64>,
    /// Milliseconds that White gains per move.
    pub winc: Option<i64>,
    /// Milliseconds that Black gains per move.
    pub binc: Option<i64>,
    /// Moves until the next time control.
    pub movestogo: Option<u32>,
    /// Look for a mate in this many full moves.
    pub mate: Option<u32>,
    /// Do not answer before `stop`.
    pub infinite: bool,
    /// Think on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these moves, as written; empty means all.
    pub searchmoves: Vec<String>,
}

impl Go {
    /// Parses the rest of the line after `go`.
    pub(crate) fn read(tokens: &mut Tokens<'_>) -> Result<Go, CommandError> {
        const MS: &str = "a whole number of milliseconds";
        const COUNT: &str = "a whole number";
        let mut go = Go::default();
        let mut stranger = None;
        while let Some(word) = tokens.next() {
            match word {
                "depth" => go.depth = Some(number("depth", COUNT, tokens)?),
                "nodes" => go.nodes = Some(number("nodes", COUNT, tokens)?),
                "movetime" => go.movetime = Some(number("movetime", MS, tokens)?),
                "wtime" => go.wtime = Some(number("wtime", MS, tokens)?),
                "btime" => go.btime = Some(number("btime", MS, tokens)?),
                "winc" => go.winc = Some(number("winc", MS, tokens)?),
                "binc" => go.binc = Some(number("binc", MS, tokens)?),
                "movestogo" => go.movestogo = Some(number("movestogo", COUNT, tokens)?),
                "mate" => go.mate = Some(number("mate", COUNT, tokens)?),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let moves = tokens.until(|word| KEYWORDS.contains(&word));
                    go.searchmoves = moves.split_whitespace().map(str::to_owned).collect();
                }
                unknown => stranger = stranger.or(Some(unknown)),
            }
        }
        match stranger {
            Some(word) if go == Go::default() => Err(CommandError::Unfit {
                keyword: "go",
                expected: "a limit such as `depth 8` or `movetime 1000`",
                found: word.to_owned(),
                hint: spelling::hint(word, KEYWORDS),
            }),
            _ => Ok(go),
        }
    }
}

/// The number after a keyword.
pub(crate) fn number<T: FromStr>(
    keyword: &'static str,
    expected: &'static str,
    tokens: &mut Tokens<'_>,
) -> Result<T, CommandError> {
    let found = tokens.next().ok_or(CommandError::Missing { keyword, expected })?;
    found.parse().map_err(|_| CommandError::Unfit {
        keyword,
        expected,
        found: found.to_owned(),
        hint: String::new(),
    })
}

/// The whole line. `searchmoves` comes last, because some engines read everything after it as moves.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (keyword, number) in [
            ("wtime", self.wtime),
            ("btime", self.btime),
            ("winc", self.winc),
            ("binc", self.binc),
            ("movestogo", self.movestogo.map(i64::from)),
            ("movetime", self.movetime),
            ("depth", self.depth.map(i64::from)),
            ("mate", self.mate.map(i64::from)),
        ] {
            if let Some(number) = number {
                write!(f, " {keyword} {number}")?;
            }
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.searchmoves.is_empty() {
            write!(f, " searchmoves {}", self.searchmoves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Go, String> {
        Go::read(&mut Tokens::new(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_clock_is_read_in_any_order_and_with_negative_times() {
        let go = read("binc 200  movestogo 12 btime -31 wtime\t60000 winc 100").unwrap();
        let expected = Go {
            wtime: Some(60_000),
            btime: Some(-31),
            winc: Some(100),
            binc: Some(200),
            movestogo: Some(12),
            ..Go::default()
        };
        assert_eq!(go, expected);
    }

    #[test]
    fn searchmoves_run_to_the_next_keyword() {
        let go = read("searchmoves e2e4 d2d4 depth 3 infinite").unwrap();
        assert_eq!(go.searchmoves, ["e2e4", "d2d4"]);
        assert_eq!((go.depth, go.infinite), (Some(3), true));
        assert_eq!(go.to_string(), "go depth 3 infinite searchmoves e2e4 d2d4");
        assert_eq!(read("searchmoves").unwrap(), Go::default());
    }

    #[test]
    fn a_bad_or_missing_number_is_named_with_its_keyword() {
        assert_eq!(read("depth x").unwrap_err(), "`depth` needs a whole number after it, not \"x\"");
        assert_eq!(
            read("wtime 1.5").unwrap_err(),
            "`wtime` needs a whole number of milliseconds after it, not \"1.5\""
        );
        assert_eq!(
            read("nodes").unwrap_err(),
            "`nodes` needs a whole number after it, and the line ends there"
        );
        assert!(read("depth -3").is_err());
        assert!(read("nodes 99999999999999999999").is_err());
    }

    #[test]
    fn unknown_words_are_skipped_unless_nothing_else_is_said() {
        assert_eq!(read("wtime 5 rtime 4 btime 6").unwrap().btime, Some(6));
        let error = read("depht 5").unwrap_err();
        assert!(error.contains("not \"depht\"; did you mean \"depth\"?"), "{error}");
        assert_eq!(read("").unwrap(), Go::default());
    }
}
