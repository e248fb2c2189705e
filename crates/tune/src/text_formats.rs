//! Samples as the text files of other trainers.
//!
//! | format | a sample | score | result |
//! | --- | --- | --- | --- |
//! | [bullet](https://github.com/jw1912/bullet), `.txt` | a line `FEN \| score \| result` | centipawns, White's view | `1.0`, `0.5`, `0.0`, White's view |
//! | Stockfish's `.plain` | lines `fen`, `move`, `score`, `ply`, `result`, then `e` | centipawns of the side to move | `1`, `0`, `-1` of the side to move |
//!
//! Our samples have no move: a `.plain` written here has the null move `0000`, and a move that is read is left out.

use shakmaty::{Color, Position};
use tabia_core::chess::fen_of;
use tabia_core::fen::{self, FenError};

use crate::exchange::{ply_of, whites};
use crate::sample::{GameResult, Sample};

/// Why a text is no sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("{0} parts separated by |, expected 3: FEN | score | result")]
    Parts(usize),
    #[error("the score is \"{0}\", expected whole centipawns")]
    Score(String),
    #[error("the result is \"{0}\", expected {1}")]
    Result(String, &'static str),
    #[error("the ply is \"{0}\", expected a whole number")]
    Ply(String),
    #[error("there is no {0} before the line `e`")]
    Missing(&'static str),
    #[error("\"{0}\" is none of fen, move, score, ply, result and e")]
    Word(String),
    #[error(transparent)]
    Fen(#[from] FenError),
}

/// A sample as bullet's text, without its line feed; none if it is no position of chess.
pub fn to_bullet(sample: &Sample) -> Option<String> {
    let result = match sample.result {
        GameResult::Win => "1.0",
        GameResult::Draw => "0.5",
        GameResult::Loss => "0.0",
    };
    Some(format!("{} | {} | {result}", full_fen(sample)?, sample.score))
}

/// A FEN with the move number that the sample's ply says.
fn full_fen(sample: &Sample) -> Option<String> {
    let fen = fen_of(&sample.position()?);
    let (rest, _) = fen.rsplit_once(' ')?;
    Some(format!("{rest} {}", sample.ply / 2 + 1))
}

/// A sample from a line of bullet's text. Decimals of the result may be left out.
pub fn from_bullet(line: &str) -> Result<Sample, TextError> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let [fen, score, result] = parts[..] else { return Err(TextError::Parts(parts.len())) };
    let (position, _) = fen::read(fen, None)?;
    let result = match result {
        "1.0" | "1" => GameResult::Win,
        "0.5" => GameResult::Draw,
        "0.0" | "0" => GameResult::Loss,
        other => return Err(TextError::Result(other.to_owned(), "1.0, 0.5 or 0.0")),
    };
    let score = score.parse().map_err(|_| TextError::Score(score.to_owned()))?;
    Ok(Sample::new(&position, score, result, ply_of(&position)))
}

/// A sample as Stockfish's `.plain`, its last line feed included; none if it is no position of chess.
pub fn to_plain(sample: &Sample) -> Option<String> {
    let white = match sample.result {
        GameResult::Win => 1,
        GameResult::Draw => 0,
        GameResult::Loss => -1,
    };
    let (fen, ply, score) = (full_fen(sample)?, sample.ply, whites(sample.score, sample.turn));
    let result = sample.turn.fold_wb(white, -white);
    Some(format!("fen {fen}\nmove 0000\nscore {score}\nply {ply}\nresult {result}\ne\n"))
}

/// Reads a `.plain` line by line.
#[derive(Clone, Debug, Default)]
pub struct PlainReader {
    fen: Option<String>,
    score: Option<String>,
    ply: Option<String>,
    result: Option<String>,
}

impl PlainReader {
    /// Takes the next line; a sample where it ends one.
    pub fn line(&mut self, line: &str) -> Result<Option<Sample>, TextError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = || Some(rest.trim().to_owned());
        match word {
            "fen" => self.fen = rest(),
            "score" => self.score = rest(),
            "ply" => self.ply = rest(),
            "result" => self.result = rest(),
            "move" | "" => {}
            "e" => return std::mem::take(self).sample().map(Some),
            other => return Err(TextError::Word(other.chars().take(20).collect())),
        }
        Ok(None)
    }

    fn sample(self) -> Result<Sample, TextError> {
        let (position, _) = fen::read(&self.fen.ok_or(TextError::Missing("fen"))?, None)?;
        let score = self.score.ok_or(TextError::Missing("score"))?;
        let score: i16 = score.parse().map_err(|_| TextError::Score(score))?;
        let turn = position.turn();
        let result = match (self.result.ok_or(TextError::Missing("result"))?.as_str(), turn) {
            ("0", _) => GameResult::Draw,
            ("1", Color::White) | ("-1", Color::Black) => GameResult::Win,
            ("1", Color::Black) | ("-1", Color::White) => GameResult::Loss,
            (other, _) => return Err(TextError::Result(other.to_owned(), "1, 0 or -1")),
        };
        let ply = match self.ply {
            Some(ply) => ply.parse().map_err(|_| TextError::Ply(ply))?,
            None => ply_of(&position),
        };
        Ok(Sample::new(&position, whites(score, turn), result, ply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_eval::testing;

    fn sample(seed: u64) -> Sample {
        let position = testing::random_position(seed);
        let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][seed as usize % 3];
        Sample::new(&position, (seed as i16 % 700) - 350, result, ply_of(&position))
    }

    #[test]
    fn both_formats_give_back_what_was_written() {
        for seed in 0..300 {
            let sample = sample(seed);
            assert_eq!(from_bullet(&to_bullet(&sample).unwrap()), Ok(sample.clone()));
            let (mut reader, mut read) = (PlainReader::default(), Vec::new());
            for line in to_plain(&sample).unwrap().lines() {
                read.extend(reader.line(line).unwrap());
            }
            assert_eq!(read, [sample]);
        }
    }

    #[test]
    fn move_numbers_beyond_the_largest_ply_survive() {
        for turn in ["w", "b"] {
            let line = format!("8/8/8/8/8/6k1/4q3/6K1 {turn} - - 0 4294967295 | 1 | 0.5");
            let sample = from_bullet(&line).unwrap();
            assert_eq!(from_bullet(&to_bullet(&sample).unwrap()), Ok(sample), "{line}");
        }
    }

    #[test]
    fn castling_rights_of_chess960_survive() {
        for fen in ["8/8/8/8/8/6k1/4q3/6KR w K - 0 3", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"] {
            let sample = from_bullet(&format!("{fen} | 12 | 0.5")).unwrap();
            assert!(sample.castling.any());
            assert_eq!(from_bullet(&to_bullet(&sample).unwrap()), Ok(sample), "{fen}");
        }
    }

    #[test]
    fn scores_are_whites_view_in_one_and_the_movers_in_the_other() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let sample = from_bullet(&format!("{fen} | 35 | 1.0")).unwrap();
        assert_eq!((sample.score, sample.result, sample.ply), (35, GameResult::Win, 1));
        let plain = to_plain(&sample).unwrap();
        assert!(plain.contains("score -35\nply 1\nresult -1\ne\n"), "{plain}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(from_bullet("a | b"), Err(TextError::Parts(2)));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(from_bullet(&format!("{start} | much | 1.0")), Err(TextError::Score("much".to_owned())));
        assert!(matches!(from_bullet(&format!("{start} | 1 | 2.0")), Err(TextError::Result(..))));
        assert!(matches!(from_bullet("x | 1 | 1.0"), Err(TextError::Fen(_))));
        let mut reader = PlainReader::default();
        assert_eq!(reader.line(&format!("fen {start}")), Ok(None));
        assert_eq!(reader.line("e"), Err(TextError::Missing("score")));
        assert!(matches!(reader.line("hello world"), Err(TextError::Word(_))));
    }
}
