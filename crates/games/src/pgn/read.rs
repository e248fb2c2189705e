//! Games from a file, one after the other.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use pgn_reader::Reader;

use super::tape::{self, Tape};
use super::visit::{Builder, Built};
use super::{decode, stray};
use crate::fault::{Fault, FileError};
use crate::record::GameRecord;

/// The longest tag pair that is read; one that is longer is a fault.
const TAG_BYTES: usize = 4096;
/// Longer words are shortened in messages.
const WORD_SHOWN: usize = 24;

/// The games of a file or stream: an iterator over records, and faults where there should be one.
pub struct Games<R> {
    reader: Reader<Tape<R>>,
    kept: tape::Shared,
    file: String,
    line: usize,
    ended: bool,
}

/// Opens a file of games.
pub fn open(path: impl AsRef<Path>) -> Result<Games<File>, FileError> {
    let path = path.as_ref();
    let file = File::open(path).map_err(FileError::reading(path))?;
    Ok(Games::new(file, path.display().to_string()))
}

/// All games of a file, and what is wrong with the others; `strict` stops at the first fault.
pub fn read_all(path: impl AsRef<Path>, strict: bool) -> Result<(Vec<GameRecord>, Vec<Fault>), FileError> {
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    for game in open(path)? {
        match game {
            Ok(record) => records.push(record),
            Err(fault) if strict => return Err(fault.into()),
            Err(fault) => faults.push(fault),
        }
    }
    Ok((records, faults))
}

/// All games of a text; the first fault ends it.
pub fn read_text(text: &str) -> Result<Vec<GameRecord>, Fault> {
    Games::new(text.as_bytes(), "text").collect()
}

impl<R: Read> Games<R> {
    /// Games from any source; `file` names it in faults.
    pub fn new(source: R, file: impl Into<String>) -> Games<R> {
        let (tape, kept) = Tape::new(source);
        let reader = Reader::build(tape).set_supported_tag_line_length(TAG_BYTES).finish();
        Games { reader, kept, file: file.into(), line: 1, ended: false }
    }

    /// The first line of the game that came last.
    pub fn line(&self) -> usize {
        self.line
    }

    fn fault(&self, line: usize, why: impl Into<String>) -> Fault {
        Fault { file: self.file.clone(), line, why: why.into() }
    }

    /// The next game, its first line and its text as far as it was read.
    fn next_game(&mut self) -> Option<(usize, Vec<u8>, io::Result<Built>)> {
        let more = self.reader.has_more();
        let line = self.kept.wind(self.reader.buffer().len());
        match more {
            Ok(false) => return None,
            Ok(true) => {}
            Err(error) => return Some((line, Vec::new(), Err(error))),
        }
        let built = self.reader.read_game(&mut Builder);
        let text = self.kept.passed(self.reader.buffer().len());
        Some((line, text, built.map(|built| built.unwrap_or_else(|| Ok(GameRecord::default())))))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<GameRecord, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let Some((line, text, built)) = self.next_game() else { break };
            self.line = line;
            if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
                self.ended = true;
                return Some(Err(self.fault(line, "the text is UTF-16; save it as UTF-8")));
            }
            let built = match built {
                Ok(built) => built,
                // pgn-reader's word for tags and comments without an end; it goes on behind them.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(error.to_string()),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(self.fault(line, format!("cannot read on: {error}"))));
                }
            };
            let here = line + tape::newlines(&text);
            if let Some((at, word)) = stray::first(&text) {
                let why = format!("\"{}\" is not a move", shorten(&decode(word)));
                return Some(Err(self.fault(line + tape::newlines(&text[..at]), why)));
            }
            match built {
                Ok(record) if record == GameRecord::default() && !has_words(&text) => {}
                Ok(record) => return Some(Ok(record)),
                Err(why) => return Some(Err(self.fault(here, why))),
            }
        }
        None
    }
}

/// Whether there is anything but comments and space: no game is made of nothing.
fn has_words(text: &[u8]) -> bool {
    let comment_only = text.first().is_none_or(|byte| matches!(byte, b';' | b'%' | b'{'));
    !comment_only && text.iter().any(|byte| !byte.is_ascii_whitespace())
}

fn shorten(word: &str) -> String {
    if word.chars().count() <= WORD_SHOWN {
        return word.escape_debug().to_string();
    }
    word.chars().take(WORD_SHOWN).chain(['…']).collect::<String>().escape_debug().to_string()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
