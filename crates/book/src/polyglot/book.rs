//! A book in memory, and its moves for a position.
//!
//! A file with entries out of order is rejected, not sorted. A book has no magic number, so the order of its keys is the
//! only thing that distinguishes it from any other file whose length is a multiple of 16, and every other program finds
//! nothing in such a file. For the same reason an empty file is rejected: it is what a failed download leaves.
//!
//! Entries are not trusted. A key may collide and a book may be wrong, so only moves that are legal in the position are
//! returned; others are ignored.

use std::cmp::Reverse;
use std::path::Path;
use std::{fmt, fs};

use shakmaty::{Chess, Move};

use super::entry::{self, ENTRY_BYTES, Entry};
use super::error::{BookError, BookFault};

/// A book move of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in the position it was looked up for.
    pub m: Move,
    /// Weight relative to the other moves of the position. By convention 0 marks a rejected move.
    pub weight: u16,
    /// Learning data of other programs; 0 in most books.
    pub learn: u32,
}

/// An opening book in memory.
#[derive(Clone)]
pub struct Book {
    /// Entries sorted by key, at least one.
    bytes: Vec<u8>,
}

impl Book {
    /// Reads a book from a file into memory.
    pub fn open(path: impl AsRef<Path>) -> Result<Book, BookError> {
        let path = path.as_ref();
        let unreadable = |source| BookError::Read { path: path.to_owned(), source };
        // To open a FIFO blocks until somebody writes to it, and a device may never end.
        if !fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(BookError::NotAFile { path: path.to_owned() });
        }
        let bytes = fs::read(path).map_err(unreadable)?;
        Book::from_bytes(bytes).map_err(|fault| BookError::NotABook { path: path.to_owned(), fault })
    }

    /// Parses the bytes of a book file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookFault> {
        let (chunks, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if bytes.is_empty() {
            return Err(BookFault::Empty);
        }
        if !rest.is_empty() {
            return Err(BookFault::Length { bytes: bytes.len(), entries: chunks.len(), extra: rest.len() });
        }
        let mut previous = 0;
        for (index, chunk) in chunks.iter().enumerate() {
            let Entry { key, .. } = Entry::from_bytes(*chunk);
            if key < previous {
                return Err(BookFault::Order { entry: index + 1, key, previous });
            }
            previous = key;
        }
        Ok(Book { bytes })
    }

    /// Number of entries, legal or not.
    pub fn entry_count(&self) -> usize {
        self.chunks().len()
    }

    /// The legal book moves of a position, heaviest first; ties in the book's order.
    pub fn entries(&self, position: &Chess) -> Vec<BookMove> {
        let key = super::key(position);
        let first = self.chunks().partition_point(|chunk| Entry::from_bytes(*chunk).key < key);
        let mut moves: Vec<BookMove> = self.chunks()[first..]
            .iter()
            .map(|chunk| Entry::from_bytes(*chunk))
            .take_while(|entry| entry.key == key)
            .filter_map(|Entry { code, weight, learn, .. }| {
                entry::decode(code, position).map(|m| BookMove { m, weight, learn })
            })
            .collect();
        moves.sort_by_key(|entry| Reverse(entry.weight));
        moves
    }

    /// The heaviest move; `None` if the book has no move with a weight.
    pub fn best(&self, position: &Chess) -> Option<BookMove> {
        self.entries(position).into_iter().next().filter(|entry| entry.weight > 0)
    }

    /// A move drawn in proportion to its weight by a random number that is uniform over `u64`. The same number gives the
    /// same move; a move of weight 0 is never drawn.
    pub fn choose(&self, position: &Chess, random: u64) -> Option<BookMove> {
        let moves = self.entries(position);
        let total: u128 = moves.iter().map(|entry| u128::from(entry.weight)).sum();
        let mut point = (u128::from(random) * total) >> u64::BITS;
        moves.into_iter().find(|entry| {
            let weight = u128::from(entry.weight);
            let chosen = point < weight;
            point = point.saturating_sub(weight);
            chosen
        })
    }

    fn chunks(&self) -> &[[u8; ENTRY_BYTES]] {
        self.bytes.as_chunks().0
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("entry_count", &self.entry_count()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Position, Square};

    const START: u64 = 0x463b_9618_1691_fc9c;
    const E2E4: u16 = 0x031c;
    const D2D4: u16 = 0x02db;
    const E2E5: u16 = 0x0324;

    fn book(entries: &[(u64, u16, u16)]) -> Result<Book, BookFault> {
        let bytes =
            entries.iter().flat_map(|&(key, code, weight)| Entry { key, code, weight, learn: 7 }.to_bytes());
        Book::from_bytes(bytes.collect())
    }

    fn targets(moves: &[BookMove]) -> Vec<Square> {
        moves.iter().map(|entry| entry.m.to()).collect()
    }

    #[test]
    fn legal_moves_come_heaviest_first_and_illegal_ones_not_at_all() {
        let book = book(&[(1, 0, 9), (START, E2E4, 1), (START, E2E5, 5), (START, D2D4, 3), (u64::MAX, 0, 9)]);
        let book = book.unwrap();
        let moves = book.entries(&Chess::default());
        assert_eq!(targets(&moves), [Square::D4, Square::E4]);
        assert_eq!((moves[0].weight, moves[0].learn), (3, 7));
        assert_eq!(book.best(&Chess::default()), Some(moves[0]));
        assert_eq!(book.entry_count(), 5);
    }

    #[test]
    fn a_position_the_book_does_not_have_has_no_moves() {
        let book = book(&[(START, E2E4, 1)]).unwrap();
        let mut position = Chess::default();
        position.play_unchecked(book.best(&position).unwrap().m);
        assert_eq!(book.entries(&position), []);
        assert_eq!(book.best(&position), None);
        assert_eq!(book.choose(&position, 0), None);
    }

    #[test]
    fn moves_are_drawn_in_proportion_to_their_weights() {
        let book = book(&[(START, E2E4, 1), (START, D2D4, 3)]).unwrap();
        let quarter = 1 << 62;
        for (random, expected) in [
            (0, Square::D4),
            (3 * quarter - 1, Square::D4),
            (3 * quarter, Square::E4),
            (u64::MAX, Square::E4),
        ] {
            assert_eq!(book.choose(&Chess::default(), random).unwrap().m.to(), expected, "{random}");
        }
    }

    #[test]
    fn struck_out_moves_are_listed_but_never_played() {
        let struck = book(&[(START, E2E4, 0)]).unwrap();
        assert_eq!(struck.entries(&Chess::default()).len(), 1);
        assert_eq!(struck.best(&Chess::default()), None);
        assert_eq!(struck.choose(&Chess::default(), u64::MAX), None);
        let one_left = book(&[(START, E2E4, 0), (START, D2D4, 1)]).unwrap();
        assert_eq!(one_left.choose(&Chess::default(), u64::MAX).unwrap().m.to(), Square::D4);
    }

    #[test]
    fn each_fault_is_named_with_its_place() {
        let fault = |bytes: Vec<u8>| Book::from_bytes(bytes).unwrap_err().to_string();
        assert!(fault(vec![]).starts_with("it is empty"));
        assert!(
            fault(vec![0; 39])
                .starts_with("it has 39 bytes, expected a multiple of 16 (7 left over after entry 2)")
        );
        let fault = book(&[(1, 0, 0), (3, 0, 0), (3, 0, 0), (2, 0, 0)]).unwrap_err();
        assert_eq!(fault, BookFault::Order { entry: 4, key: 2, previous: 3 });
        assert!(fault.to_string().starts_with("entry 4 (at byte 48) has key 0000000000000002, less than"));
    }
}
