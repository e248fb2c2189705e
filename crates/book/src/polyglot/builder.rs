//! Building a book: collects moves of positions and writes them sorted.
//!
//! Entries are ordered as Polyglot's own `make-book` writes them: by key, then the heaviest first, so that a
//! program which stops at the first entry plays the best move.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use shakmaty::{CastlingMode, Chess, Position};
use tabia_core::chess::fen_of;

use super::book::BookMove;
use super::entry::{self, Entry};
use super::error::BookError;

/// Collects the entries of a book.
#[derive(Clone, Debug, Default)]
pub struct BookBuilder {
    /// By key and move code.
    entries: BTreeMap<(u64, u16), Entry>,
}

/// An illegal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{uci} is not legal in {fen}")]
pub struct IllegalBookMove {
    pub uci: String,
    pub fen: String,
}

impl BookBuilder {
    pub fn new() -> BookBuilder {
        BookBuilder::default()
    }

    /// Adds a move of a position. For a repeated move the weights add up (saturating), and the later `learn` is kept.
    pub fn add(&mut self, position: &Chess, added: BookMove) -> Result<(), IllegalBookMove> {
        let legal = position.is_legal(added.m);
        let Some(code) = entry::encode(added.m).filter(|_| legal) else {
            let uci = added.m.to_uci(CastlingMode::Chess960).to_string();
            return Err(IllegalBookMove { uci, fen: fen_of(position) });
        };
        let key = super::key(position);
        let entry = self.entries.entry((key, code)).or_insert(Entry { key, code, weight: 0, learn: 0 });
        entry.weight = entry.weight.saturating_add(added.weight);
        entry.learn = added.learn;
        Ok(())
    }

    /// The book as the bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut entries: Vec<Entry> = self.entries.values().copied().collect();
        entries.sort_by_key(|entry| (entry.key, Reverse(entry.weight)));
        entries.into_iter().flat_map(Entry::to_bytes).collect()
    }

    /// Writes the book to a file.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), BookError> {
        let path = path.as_ref();
        if self.entries.is_empty() {
            return Err(BookError::Nothing { path: path.to_owned() });
        }
        fs::write(path, self.to_bytes()).map_err(|source| BookError::Write { path: path.to_owned(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polyglot::Book;
    use shakmaty::{Move, Square};

    fn moves(position: &Chess, count: usize) -> Vec<Move> {
        position.legal_moves().into_iter().take(count).collect()
    }

    #[test]
    fn weights_of_the_same_move_add_up_to_what_an_entry_holds() {
        let position = Chess::default();
        let [a, b] = moves(&position, 2)[..] else { panic!() };
        let mut builder = BookBuilder::new();
        builder.add(&position, BookMove { m: a, weight: 2, learn: 1 }).unwrap();
        builder.add(&position, BookMove { m: b, weight: u16::MAX, learn: 0 }).unwrap();
        builder.add(&position, BookMove { m: a, weight: 3, learn: 4 }).unwrap();
        builder.add(&position, BookMove { m: b, weight: 1, learn: 0 }).unwrap();
        let book = Book::from_bytes(builder.to_bytes()).unwrap();
        assert_eq!(
            book.entries(&position),
            [BookMove { m: b, weight: u16::MAX, learn: 0 }, BookMove { m: a, weight: 5, learn: 4 }]
        );
    }

    #[test]
    fn the_heaviest_entry_of_a_position_is_written_first() {
        let position = Chess::default();
        let mut builder = BookBuilder::new();
        for (m, weight) in moves(&position, 3).into_iter().zip([1, 3, 2]) {
            builder.add(&position, BookMove { m, weight, learn: 0 }).unwrap();
        }
        let bytes = builder.to_bytes();
        assert_eq!([bytes[11], bytes[27], bytes[43]], [3, 2, 1]);
    }

    #[test]
    fn illegal_moves_are_refused_by_name() {
        let castle = Move::Castle { king: Square::E1, rook: Square::H1 };
        let refused = BookBuilder::new().add(&Chess::default(), BookMove { m: castle, weight: 1, learn: 0 });
        assert!(refused.unwrap_err().to_string().starts_with("e1h1 is not legal in rnbqkbnr/"));
    }
}
