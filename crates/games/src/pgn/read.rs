//! Streaming reader of PGN files.

use std::fs::File;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::Path;

use pgn_reader::{RawTag, Reader, Visitor};

use tabia_core::printable;

use super::decode;
use super::parse::{self, NextGame, ParseError, Parsed};
use super::recording_reader::{self, RecordingReader};
use crate::error::{FileError, LineError};
use crate::record::GameRecord;
use crate::tree::{GameTree, Played};

/// Longest tag pair that is accepted.
const TAG_BYTES: usize = 4096;

/// What pgn-reader says at the end of a source within a comment.
const OPEN_COMMENT: &str = "unterminated comment";

#[derive(Clone, Debug, PartialEq)]
pub struct ReadGame {
    /// The game with its variations.
    pub tree: GameTree,
    /// What was read otherwise than it is written: variations, which are kept up to the error; comments and tags that are
    /// not closed; glyphs and bytes that PGN has not; and a null move in the main line, which the tree keeps but no record
    /// can have.
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
    /// What is left of a text that has more than one game.
    rest: Option<GameText>,
    ended: bool,
}

/// The text of a game, and of those after it that it was read with.
struct GameText {
    bytes: Vec<u8>,
    /// Where the game begins in `bytes`, and on which line and where that is in the source.
    from: usize,
    line: usize,
    offset: u64,
    /// Whether a `}` may follow.
    has_brace: bool,
}

impl GameText {
    fn game(&self) -> &[u8] {
        &self.bytes[self.from..]
    }

    fn line_of(&self, at: usize) -> usize {
        self.line + recording_reader::newlines(&self.game()[..at.min(self.game().len())])
    }

    /// The text from its next game on.
    fn next(self, next: NextGame) -> GameText {
        GameText {
            line: self.line_of(next.at),
            from: self.from + next.at,
            offset: self.offset + next.at as u64,
            has_brace: next.has_brace,
            bytes: self.bytes,
        }
    }
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
struct TagReader {
    /// Whether to stop before the moves.
    only_tags: bool,
}

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
        if self.only_tags { ControlFlow::Break(tags) } else { ControlFlow::Continue(tags) }
    }

    fn end_game(&mut self, tags: Self::Movetext) -> Self::Output {
        tags
    }
}

/// The tags of the first game of a text.
fn tags_of(text: &[u8]) -> io::Result<Tags> {
    let mut reader = Reader::build(text).set_supported_tag_line_length(TAG_BYTES).finish();
    reader.read_game(&mut TagReader { only_tags: true }).map(Option::unwrap_or_default)
}

impl<R: Read> Trees<R> {
    /// Reads from any source; `file` is its name in errors.
    pub fn new(source: R, file: impl Into<String>) -> Trees<R> {
        let (recorder, kept) = RecordingReader::new(source);
        let reader = Reader::build(recorder).set_supported_tag_line_length(TAG_BYTES).finish();
        Trees { reader, kept, file: file.into(), line: 1, end_line: 1, span: 0..0, rest: None, ended: false }
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

    /// Notes where the game is that comes next: the first bytes of this text.
    fn place(&mut self, text: &GameText, length: usize) {
        self.span = text.offset..text.offset + length as u64;
        self.end_line = text.line_of(length);
    }

    fn fault(&self, line: usize, why: impl Into<String>) -> LineError {
        LineError { file: self.file.clone(), line, why: why.into() }
    }

    /// The text of the next game, and its tags.
    fn next_text(&mut self) -> Option<(GameText, io::Result<Tags>)> {
        if let Some(text) = self.rest.take() {
            let tags = tags_of(text.game());
            return Some((text, tags));
        }
        let more = self.reader.has_more();
        let (line, offset) = self.kept.advance(self.reader.buffer().len());
        let text = |bytes| GameText { bytes, from: 0, line, offset, has_brace: true };
        match more {
            Ok(false) => return None,
            Ok(true) => {}
            Err(error) => return Some((text(Vec::new()), Err(error))),
        }
        let mut tags = self.reader.read_game(&mut TagReader { only_tags: false });
        let bytes = self.kept.passed(self.reader.buffer().len());
        // A comment that is not closed reaches to the end of the source: its game has tags all the same.
        let is_open = |error: &io::Error| error.to_string() == OPEN_COMMENT;
        if tags.as_ref().is_err_and(is_open) {
            tags = tags_of(&bytes).map(Some);
        }
        Some((text(bytes), tags.map(Option::unwrap_or_default)))
    }
}

impl<R: Read> Iterator for Trees<R> {
    type Item = Result<ReadGame, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let (text, tags) = self.next_text()?;
            self.line = text.line;
            self.place(&text, text.game().len());
            if text.game().starts_with(b"\xff\xfe") || text.game().starts_with(b"\xfe\xff") {
                self.ended = true;
                return Some(Err(self.fault(text.line, "the text is UTF-16; save it as UTF-8")));
            }
            let tags = match tags {
                Ok(tags) => tags,
                // pgn-reader's message for unterminated tags; it continues after them.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Some(Err(self.fault(self.end_line, error.to_string())));
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(self.fault(text.line, format!("cannot read on: {error}"))));
                }
            };
            let (parsed, next) = parse::game(tags, text.game(), text.has_brace);
            let length = next.map_or(text.game().len(), |next| next.at);
            self.place(&text, length);
            let fault = |ParseError { at, why }: ParseError| self.fault(text.line_of(at), why);
            let read = match parsed {
                Ok(parsed) if is_nothing(&parsed, &text.game()[..length]) => None,
                Ok(Parsed { tree, broken, .. }) => {
                    let faults = broken.into_iter().map(fault).collect();
                    Some(Ok(ReadGame { tree, faults }))
                }
                Err(wrong) => Some(Err(fault(wrong))),
            };
            self.rest = next.map(|next| text.next(next));
            if read.is_some() {
                return read;
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
