//! EPD: a position on one line, and operations on it: `bm Nf3; id "WAC.001"; c0 "from a game";`.
//!
//! Reading is lenient: the counters of a FEN may follow the four fields, an operation may lack its semicolon, a text its
//! closing quote. The meaning of operations is up to the caller.

use std::path::Path;

use shakmaty::{CastlingMode, Move};
use tabia_core::chess::MoveError;
use tabia_core::{ChessGame, FenError};

use crate::error::{FileError, LineError};

/// A position with its operations.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position, as a game without moves.
    pub game: ChessGame,
    /// Operations in the order of the line.
    pub operations: Vec<Operation>,
}

/// `opcode operand operand;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The opcode: `bm`, `id`.
    pub code: String,
    /// The operands, without quotes.
    pub operands: Vec<String>,
}

impl Epd {
    /// Reads one line.
    ///
    /// ```
    /// use tabia_games::epd::Epd;
    ///
    /// let epd = Epd::read("4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; id \"example\";")?;
    /// assert_eq!(epd.text("id").as_deref(), Some("example"));
    /// let best = epd.read_move("Ra8+")?;
    /// assert_eq!(epd.game.write_move(best), "a1a8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(line: &str) -> Result<Epd, FenError> {
        let (fields, rest) = split_fields(line.trim());
        let operations = operations(rest);
        let counter = |code: &str, usual: u32| {
            let operation = operations.iter().find(|operation| operation.code == code);
            operation.and_then(|operation| operation.operands.first()?.parse::<u32>().ok()).unwrap_or(usual)
        };
        let counters = if fields.split_whitespace().count() > 4 {
            String::new()
        } else {
            format!(" {} {}", counter("hmvc", 0), counter("fmvn", 1))
        };
        let game = ChessGame::from_fen(&format!("{fields}{counters}"))
            .map_err(|error| FenError { fen: fields.clone(), ..error })?;
        Ok(Epd { game, operations })
    }

    /// The operands of an operation; `None` if absent.
    ///
    /// ```
    /// use tabia_games::epd::Epd;
    ///
    /// let epd = Epd::read("4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+;")?;
    /// assert_eq!(epd.operands("bm").map(<[String]>::len), Some(2));
    /// assert_eq!(epd.operands("am"), None);
    /// # Ok::<(), tabia_core::FenError>(())
    /// ```
    pub fn operands(&self, code: &str) -> Option<&[String]> {
        let operation = self.operations.iter().find(|operation| operation.code == code)?;
        Some(&operation.operands)
    }

    /// The operands of an operation as one text.
    pub fn text(&self, code: &str) -> Option<String> {
        self.operands(code).map(|operands| operands.join(" "))
    }

    /// Reads a move as test suites write it: SAN, long algebraic notation (`Bh8-f6+`, `e7xf8N`), or UCI.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let bare = text.trim_end_matches(['!', '?', '+', '#', ',', ';']);
        let bare = bare.strip_suffix("e.p.").unwrap_or(bare);
        let read = |text: &str| self.game.read_move(text);
        let without_dash = || bare.replacen('-', "", 1);
        let castling = bare.replace('0', "O");
        read(bare)
            .or_else(|_| read(&castling))
            .or_else(|_| read(&without_dash()))
            .or_else(|_| read(&with_equals(&without_dash())))
            .map_err(|_| match read(bare) {
                Err(MoveError::Illegal { fen, .. }) => MoveError::Illegal { text: text.to_owned(), fen },
                _ => MoveError::Unreadable(text.to_owned()),
            })
    }

    /// Whether castling rights are those of Chess960.
    pub fn is_chess960(&self) -> bool {
        self.game.mode() == CastlingMode::Chess960
    }
}

/// `e7xf8N` to `e7xf8=N`.
fn with_equals(text: &str) -> String {
    match text.char_indices().next_back() {
        Some((at, piece)) if "NBRQnbrq".contains(piece) => {
            format!("{}={}", &text[..at], piece.to_ascii_uppercase())
        }
        _ => text.to_owned(),
    }
}

/// The fields of the position, with counters if present, and the rest.
fn split_fields(line: &str) -> (String, &str) {
    let mut fields: Vec<&str> = Vec::new();
    let mut rest = line;
    while fields.len() < 6 {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let bare = word.trim_end_matches(';');
        let belongs = if fields.len() < 4 { !word.is_empty() } else { bare.parse::<u32>().is_ok() };
        if !belongs {
            break;
        }
        fields.push(bare);
        rest = rest.trim_start()[word.len()..].trim_start();
    }
    // A single number is not a pair of counters, and cannot start an operation either.
    if fields.len() == 5 {
        fields.pop();
    }
    (fields.join(" "), rest)
}

fn operations(text: &str) -> Vec<Operation> {
    let mut operations = Vec::new();
    let mut tokens: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut chars = text.chars();
    let mut end = |tokens: &mut Vec<String>| {
        if !tokens.is_empty() {
            let code = tokens.remove(0);
            operations.push(Operation { code, operands: std::mem::take(tokens) });
        }
    };
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => word.get_or_insert_default().extend(chars.next()),
            '"' if quoted || word.is_none() => {
                quoted = !quoted;
                word.get_or_insert_default();
                if !quoted {
                    tokens.extend(word.take());
                }
            }
            _ if quoted => word.get_or_insert_default().push(c),
            ';' => {
                tokens.extend(word.take());
                end(&mut tokens);
            }
            _ if c.is_whitespace() => tokens.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    tokens.extend(word);
    end(&mut tokens);
    operations
}

/// A line of a file: its number and its result.
pub type Line = (usize, Result<Epd, LineError>);

/// The positions of a text, with their line numbers. Empty lines and lines that start with `#` are skipped.
pub fn lines<'a>(text: &'a str, file: &'a str) -> impl Iterator<Item = Line> + 'a {
    text.trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .map(move |(index, line)| {
            let number = index + 1;
            let epd = Epd::read(line).map_err(|error| LineError {
                file: file.to_owned(),
                line: number,
                why: format!("not a valid position: {error}"),
            });
            (number, epd)
        })
}

/// Reads a file as text; invalid UTF-8, which occurs in names only, is replaced.
pub fn read_file(path: &Path) -> Result<String, FileError> {
    let bytes = std::fs::read(path).map_err(FileError::reading(path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn read(rest: &str) -> Epd {
        Epd::read(&format!("{START} {rest}")).unwrap()
    }

    #[test]
    fn operations_are_taken_apart() {
        let epd = read("bm Nf3 e4; id \"WAC; 1\"; c0 \"a \\\"b\\\" c\" d;; ; am g4");
        assert_eq!(epd.operands("bm").unwrap(), ["Nf3", "e4"]);
        assert_eq!(epd.text("id").unwrap(), "WAC; 1");
        assert_eq!(epd.operands("c0").unwrap(), ["a \"b\" c", "d"]);
        assert_eq!(epd.operands("am").unwrap(), ["g4"]);
        assert!(epd.operands("dm").is_none());
        assert_eq!(read("c0 \"bm g5g2; am").text("c0").unwrap(), "bm g5g2; am");
    }

    #[test]
    fn counters_are_read_wherever_they_stand() {
        for (rest, fen) in [
            ("", "0 1"),
            ("3 7", "3 7"),
            ("8 47; pv f1e2", "8 47"),
            ("hmvc 3; fmvn 7;", "3 7"),
            ("bm e4; fmvn 9;", "0 9"),
        ] {
            assert_eq!(read(rest).game.fen(), format!("{START} {fen}"), "{rest}");
        }
        assert_eq!(read("8 47; pv f1e2").operations[0].code, "pv");
    }

    #[test]
    fn moves_are_read_in_the_notations_of_suites() {
        let epd = Epd::read("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq -").unwrap();
        for (text, uci) in [
            ("O-O", "e1g1"),
            ("0-0-0", "e1c1"),
            ("Ra1xa8+", "a1a8"),
            ("Rh1-h7!", "h1h7"),
            ("b7xa8Q+", "b7a8q"),
            ("b8=N", "b7b8n"),
            ("b7b8r", "b7b8r"),
            ("Ke2,", "e1e2"),
        ] {
            assert_eq!(epd.read_move(text).map(|m| epd.game.write_move(m)).as_deref(), Ok(uci), "{text}");
        }
        let fault = epd.read_move("Nf3").unwrap_err().to_string();
        assert!(fault.contains("\"Nf3\" is not legal"), "{fault}");
        assert!(epd.read_move("hello").unwrap_err().to_string().contains("is not a move"));
    }

    #[test]
    fn lines_have_their_numbers() {
        let text = format!("# a remark\n\n{START}\n8/8/8 w - -\n");
        let lines: Vec<Line> = lines(&text, "x.epd").collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].0 == 3 && lines[0].1.is_ok());
        let fault = lines[1].1.as_ref().unwrap_err().to_string();
        assert!(fault.starts_with("x.epd:4: not a valid position: the board has 3 ranks"), "{fault}");
    }
}
