//! Openings as they are given out.

use std::path::PathBuf;

use tabia_book::{BookBuilder, BookMove};
use tabia_core::{ChessGame, Game};

use super::*;

fn file(name: &str, content: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabia-openings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

const EPD: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR x KQkq - 0 1
7k/6Q1/6K1/8/8/8/8/8 b - - 0 1
bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9; id \"FRC 1\";
";

#[test]
fn positions_are_read_and_broken_ones_left_out_or_refused() {
    let path = file("some.epd", EPD.as_bytes());
    let (openings, faults) = Openings::read(&path, &ReadOptions::default()).unwrap();
    assert_eq!(openings.len(), 2);
    assert_eq!(openings.at(0), &Opening::default());
    assert_eq!(openings.at(1).variant, Variant::Chess960);
    assert_eq!(openings.at(1).name.as_deref(), Some("FRC 1"));
    assert_eq!(openings.at(2), openings.at(0), "after the last comes the first");
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(faults[0].contains("some.epd:2: not a valid position: the side to move is \"x\""), "{faults:?}");
    assert!(faults[1].contains("some.epd:3: the game is over here: 1-0 (checkmate)"), "{faults:?}");
    let strict = Openings::read(&path, &ReadOptions { strict: true, ..ReadOptions::default() });
    assert!(strict.unwrap_err().to_string().contains("some.epd:2: "));
}

#[test]
fn games_are_cut_to_their_openings() {
    let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *\n\n1. d4 d5 2. Kd3 *\n\n[ECO \"A10\"]\n\n1. c4 *\n";
    let path = file("games.pgn", text.as_bytes());
    let (all, faults) = Openings::read(&path, &ReadOptions::default()).unwrap();
    assert_eq!((all.len(), faults.len()), (3, 1));
    assert!(faults[0].to_string().contains("games.pgn:5: \"Kd3\" is not legal"), "{}", faults[0]);
    assert_eq!(all.at(2).name.as_deref(), Some("A10"));
    let (cut, _) = Openings::read(&path, &ReadOptions { plies: Some(4), ..ReadOptions::default() }).unwrap();
    assert_eq!(cut.len(), 2, "two games that are the same so far are one opening");
    assert_eq!(cut.at(0).moves, ["e2e4", "e7e5", "g1f3", "b8c6"]);
    assert!(cut.at(0).record().plies.iter().all(|ply| ply.opening));
    assert_eq!(cut.at(0).game().moves().len(), 4);
}

#[test]
fn a_book_gives_different_walks_and_the_same_for_the_same_seed() {
    let mut builder = BookBuilder::new();
    let mut known = Vec::new();
    for moves in ["e4 e5 Nf3 Nc6", "e4 c5 Nf3 d6", "d4 d5 c4 e6", "d4 Nf6 c4 g6", "c4 e5"] {
        let mut game = ChessGame::default();
        for text in moves.split_whitespace() {
            let m = game.read_move(text).unwrap();
            builder.add(game.position(), BookMove { m, weight: 10, learn: 0 }).unwrap();
            game.apply(m);
        }
        known.push(game.key());
    }
    let path = file("small.bin", &builder.to_bytes());
    let options = ReadOptions { walks: 50, ..ReadOptions::default() };
    let (openings, _) = Openings::read(&path, &options).unwrap();
    assert_eq!(openings.len(), 5);
    assert!(openings.iter().all(|opening| known.contains(&opening.game().key())));
    assert_eq!(Openings::read(&path, &options).unwrap().0, openings);
    let other = Openings::read(&path, &ReadOptions { seed: 2, ..options }).unwrap().0;
    assert_ne!(other, openings, "five walks in another order");
}

#[test]
fn shuffling_keeps_every_opening_and_repeats_by_seed() {
    let sorted = |openings: &Openings| {
        let mut names: Vec<_> = openings.iter().map(|opening| opening.name.clone()).collect();
        names.sort();
        names
    };
    let all = Openings::built_in();
    let shuffled = all.clone().in_order(Order::Shuffled(7));
    assert_ne!(shuffled, all);
    assert_eq!(sorted(&shuffled), sorted(&all));
    assert_eq!(shuffled, all.clone().in_order(Order::Shuffled(7)));
    assert_eq!(all.clone().in_order(Order::Sequential), all);
}

#[test]
fn files_of_no_use_are_refused_with_a_reason() {
    let fault = |path: PathBuf| Openings::read(path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(fault(file("list.csv", b"x")).contains("expected one of .epd"));
    assert!(fault(file("empty.epd", b"# nothing\n")).contains("has no openings"));
    assert!(fault(file("bad.epd", b"8/8 w - -\n")).contains("the first fault: "));
    assert!(fault(PathBuf::from("/nowhere/at.pgn")).contains("cannot read /nowhere/at.pgn"));
    assert!(fault(file("bad.bin", b"0123456789")).contains("bad.bin"));
}
