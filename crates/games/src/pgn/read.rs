//! Streaming reader of PGN files.

use std::fs::File;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::Path;

use pgn_reader::{RawTag, Reader, Visitor};

use tabia_core::printable;

use super::decode;
use super::parse::{self, ParseError, Parsed};
use super::recording_reader::{self, RecordingReader};
use crate::error::{FileError, LineError};
use crate::record::GameRecord;
use crate::tree::{GameTree, Played};

/// Longest tag pair that is accepted.
const TAG_BYTES: usize = 4096;

#[derive(Clone, Debug, PartialEq)]
pub struct ReadGame {
    /// The game with its variations.
    pub tree: GameTree,
    /// Errors in variations, which are kept up to the error; and a null move in the main line, which the tree keeps but
    /// no record can have.
    pub faults: Vec<LineError>,
}

impl ReadGame {
    /// The record of the main line; a null move in it is a fault.
    pub fn into_record(mut self) -> Result<GameRecord, LineError> {
        let is_null = |id| self.tree.node(id).played() == Some(Played::Null);
        let null = self.tree.main_line().any(is_null);
        match self.faults.iter().position(|fault| null && fault.why.contains("null move")) {
            Some(index) => Err(self.faults.swap_remove(index)),
            None => Ok(self.tree.record()),
        }
    }
}

/// The tags of a game, in their order.
type Tags = Vec<(String, String)>;

/// Iterator over the games of a file or stream, with variations. Only one game at a time is in memory.
pub struct Trees<R> {
    reader: Reader<RecordingReader<R>>,
    kept: recording_reader::Recording,
    file: String,
    line: usize,
    end_line: usize,
    span: Range<u64>,
    ended: bool,
}

/// Iterator over the games of a file or stream as records; errors in variations are ignored.
pub struct Games<R>(Trees<R>);

/// Opens a file.
pub fn open(path: impl AsRef<Path>) -> Result<Games<File>, FileError> {
    open_trees(path).map(Games)
}

/// Opens a file, for reading with variations.
pub fn open_trees(path: impl AsRef<Path>) -> Result<Trees<File>, FileError> {
    let path = path.as_ref();
    let file = File::open(path).map_err(FileError::reading(path))?;
    Ok(Trees::new(file, path.display().to_string()))
}

/// All games of a file, and the errors; `strict` stops at the first error.
pub fn read_all(
    path: impl AsRef<Path>,
    strict: bool,
) -> Result<(Vec<GameRecord>, Vec<LineError>), FileError> {
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

/// All games of a text; fails at the first error.
///
/// ```
/// use tabia_games::pgn;
///
/// let games = pgn::read_text("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 1-0\n")?;
/// assert_eq!((games[0].white.as_str(), games[0].plies.len()), ("A", 3));
/// # Ok::<(), tabia_games::LineError>(())
/// ```
pub fn read_text(text: &str) -> Result<Vec<GameRecord>, LineError> {
    Games::new(text.as_bytes(), "text").collect()
}

impl<R: Read> Games<R> {
    /// Reads from any source; `file` is its name in errors.
    pub fn new(source: R, file: impl Into<String>) -> Games<R> {
        Games(Trees::new(source, file))
    }

    /// The first line of the last game.
    pub fn line(&self) -> usize {
        self.0.line
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<GameRecord, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|game| game.and_then(ReadGame::into_record))
    }
}

/// Collects the tag pairs; moves are parsed from the recorded text.
struct TagReader;

impl Visitor for TagReader {
    type Tags = Tags;
    type Movetext = Tags;
    type Output = Tags;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let text = |bytes: &[u8]| printable(&decode(bytes)).into_owned();
        tags.push((text(name).trim().to_owned(), text(&value.decode())));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(tags)
    }

    fn end_game(&mut self, tags: Self::Movetext) -> Self::Output {
        tags
    }
}

impl<R: Read> Trees<R> {
    /// Reads from any source; `file` is its name in errors.
    pub fn new(source: R, file: impl Into<String>) -> Trees<R> {
        let (recorder, kept) = RecordingReader::new(source);
        let reader = Reader::build(recorder).set_supported_tag_line_length(TAG_BYTES).finish();
        Trees { reader, kept, file: file.into(), line: 1, end_line: 1, span: 0..0, ended: false }
    }

    /// The first line of the last game.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Where the game or fault that came last lies in the source, in bytes.
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// The line on which it ends.
    pub fn end_line(&self) -> usize {
        self.end_line
    }

    fn fault(&self, line: usize, why: impl Into<String>) -> LineError {
        LineError { file: self.file.clone(), line, why: why.into() }
    }

    /// The tags of the next game, its first line, and its text.
    fn next_text(&mut self) -> Option<(usize, Vec<u8>, io::Result<Tags>)> {
        let more = self.reader.has_more();
        let (line, start) = self.kept.advance(self.reader.buffer().len());
        match more {
            Ok(false) => return None,
            Ok(true) => {}
            Err(error) => return Some((line, Vec::new(), Err(error))),
        }
        let tags = self.reader.read_game(&mut TagReader);
        let text = self.kept.passed(self.reader.buffer().len());
        self.span = start..start + text.len() as u64;
        self.end_line = line + recording_reader::newlines(&text);
        Some((line, text, tags.map(Option::unwrap_or_default)))
    }
}

impl<R: Read> Iterator for Trees<R> {
    type Item = Result<ReadGame, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let (line, text, tags) = self.next_text()?;
            self.line = line;
            if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
                self.ended = true;
                return Some(Err(self.fault(line, "the text is UTF-16; save it as UTF-8")));
            }
            let tags = match tags {
                Ok(tags) => tags,
                // pgn-reader's message for unterminated tags and comments; it continues after them.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Some(
                        Err(self.fault(line + recording_reader::newlines(&text), error.to_string())),
                    );
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(self.fault(line, format!("cannot read on: {error}"))));
                }
            };
            let fault = |ParseError { at, why }: ParseError| {
                self.fault(line + recording_reader::newlines(&text[..at.min(text.len())]), why)
            };
            match parse::game(tags, &text) {
                Ok(parsed) if is_nothing(&parsed, &text) => {}
                Ok(Parsed { tree, broken, .. }) => {
                    let faults = broken.into_iter().map(fault).collect();
                    return Some(Ok(ReadGame { tree, faults }));
                }
                Err(wrong) => return Some(Err(fault(wrong))),
            }
        }
        None
    }
}

/// Whether there are only comments and whitespace, which is not a game.
fn is_nothing(parsed: &Parsed, text: &[u8]) -> bool {
    let comment_only = text.first().is_none_or(|byte| matches!(byte, b';' | b'%' | b'{'));
    let has_words = !comment_only && text.iter().any(|byte| !byte.is_ascii_whitespace());
    let Parsed { tree, has_result, .. } = parsed;
    tree.is_empty() && tree.tags.is_empty() && !has_result && !has_words
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
