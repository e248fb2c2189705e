//! Properties of books: what is written reads back, and no bytes make reading panic.

use proptest::prelude::*;
use shakmaty::{Chess, Position};
use tabia_book::polyglot::{Book, BookBuilder, BookMove, key};
use tabia_core::{ChessGame, Game};

/// Positions of a game in which the `n`-th number chooses among the legal moves, with the move chosen.
fn walk(start: &ChessGame, choices: &[(usize, u16, u32)]) -> Vec<(Chess, BookMove)> {
    let mut game = start.clone();
    let mut walked = Vec::new();
    for &(choice, weight, learn) in choices {
        let legal = game.position().legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[choice % legal.len()];
        walked.push((game.position().clone(), BookMove { m, weight, learn }));
        game.apply(m);
    }
    walked
}

fn start() -> impl Strategy<Value = ChessGame> {
    prop::sample::select(vec![
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        "rkr1nqbb/pppppppp/8/8/8/8/PPPPPPPP/RKR1NQBB w KQkq - 0 1",
    ])
    .prop_map(|fen| ChessGame::from_fen(fen).unwrap())
}

fn choices() -> impl Strategy<Value = Vec<(usize, u16, u32)>> {
    prop::collection::vec((0..256_usize, 0..1000_u16, any::<u32>()), 1..60)
}

/// Bytes that pass for a book more often than chance would have it: keys of real positions, in order.
fn likely_books() -> impl Strategy<Value = Vec<u8>> {
    (start(), choices(), prop::collection::vec((any::<usize>(), any::<u64>()), 1..60)).prop_map(
        |(start, choices, contents)| {
            let walked = walk(&start, &choices);
            let mut entries: Vec<(u64, u64)> = contents
                .into_iter()
                .map(|(index, rest)| (key(&walked[index % walked.len()].0), rest))
                .collect();
            entries.sort_by_key(|entry| entry.0);
            entries
                .into_iter()
                .flat_map(|(key, rest)| [key.to_be_bytes(), rest.to_be_bytes()].concat())
                .collect()
        },
    )
}

fn look_up(bytes: Vec<u8>, positions: &[(Chess, BookMove)], random: u64) {
    let Ok(book) = Book::from_bytes(bytes) else { return };
    for (position, _) in positions {
        let entries = book.entries(position);
        assert!(entries.iter().all(|entry| position.is_legal(entry.m)));
        assert!(entries.is_sorted_by(|a, b| a.weight >= b.weight));
        let playable = |entry: &BookMove| entry.weight > 0;
        assert_eq!(book.best(position), entries.first().copied().filter(playable));
        let chosen = book.choose(position, random);
        assert_eq!(chosen.is_some(), entries.iter().any(playable));
        assert!(chosen.is_none_or(|chosen| playable(&chosen) && entries.contains(&chosen)));
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(start in start(), choices in choices()) {
        let walked = walk(&start, &choices);
        let mut builder = BookBuilder::new();
        for (position, added) in &walked {
            builder.add(position, *added).unwrap();
        }
        let book = Book::from_bytes(builder.to_bytes()).unwrap();
        for (position, added) in &walked {
            // A position that came back, with the same move, holds both weights and the later `learn`.
            let same: Vec<&BookMove> = walked
                .iter()
                .filter(|(other, entry)| key(other) == key(position) && entry.m == added.m)
                .map(|(_, entry)| entry)
                .collect();
            let weight = same.iter().map(|entry| entry.weight).sum();
            let expected = BookMove { m: added.m, weight, learn: same[same.len() - 1].learn };
            prop_assert!(book.entries(position).contains(&expected));
        }
        let positions: usize = walked.iter().map(|(position, _)| key(position)).collect::<std::collections::HashSet<_>>().len();
        prop_assert!(book.entry_count() >= positions);
        prop_assert!(book.entry_count() <= walked.len());
    }

    #[test]
    fn no_bytes_make_a_book_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        start in start(), choices in choices(), random: u64,
    ) {
        look_up(bytes, &walk(&start, &choices), random);
    }

    #[test]
    fn whatever_a_book_says_only_legal_moves_come_out(
        bytes in likely_books(), start in start(), choices in choices(), random: u64,
    ) {
        prop_assert!(Book::from_bytes(bytes.clone()).is_ok());
        look_up(bytes, &walk(&start, &choices), random);
    }
}
