//! Any game that can be played is written and read back as it was.

use proptest::prelude::*;
use rand::Rng;
use rand::seq::IndexedRandom;
use shakmaty::{CastlingMode, Color, Position};
use tabia_core::{ChessGame, Game, Outcome, Reason, Score, seed};
use tabia_games::{GameRecord, Ply, pgn, record::Variant};

const STARTS: [(&str, CastlingMode); 4] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
    ("r3k2r/pPp2ppp/8/2PpP3/8/8/PpP2PPP/R3K2R w KQkq d6 0 10", CastlingMode::Standard),
    ("8/5k2/8/8/3p4/8/4P1K1/8 b - - 12 60", CastlingMode::Standard),
    ("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", CastlingMode::Chess960),
];

const REASONS: [Reason; 6] = [
    Reason::Resignation,
    Reason::TimeForfeit,
    Reason::IllegalMove,
    Reason::Fault,
    Reason::Adjudication,
    Reason::MoveLimit,
];

fn maybe<T>(random: &mut impl Rng, value: T) -> Option<T> {
    random.random_bool(0.5).then_some(value)
}

/// A score that a move can have which does not mate: PGN says of those no more than `#`.
fn score(random: &mut impl Rng) -> Score {
    match random.random_range(0..6) {
        0 => Score::mate_in_plies(2 * random.random_range(1..40) + 1),
        1 => Score::mated_in_plies(2 * random.random_range(1..40)),
        2 => -Score::TABLEBASE_WIN,
        _ => Score::cp(random.random_range(-28_000..=28_000)),
    }
}

/// Random moves with random remarks.
fn record(number: u64) -> GameRecord {
    let mut random = seed::random(number);
    let (fen, mode) = STARTS[random.random_range(0..STARTS.len())];
    let mut game = ChessGame::from_fen_in_mode(fen, mode).unwrap();
    let mut plies = Vec::new();
    for _ in 0..random.random_range(0..80) {
        let moves = game.position().legal_moves();
        let Some(m) = moves.choose(&mut random).copied() else { break };
        let mut side_line = ChessGame::from_position(game.position().clone(), mode);
        for _ in 0..random.random_range(0..4) {
            let Some(m) = side_line.position().legal_moves().choose(&mut random).copied() else { break };
            side_line.apply(m);
        }
        plies.push(Ply {
            action: game.write_move(m),
            opening: random.random_bool(0.1),
            score: maybe(&mut random, ()).map(|()| score(&mut random)),
            depth: maybe(&mut random, 18),
            nodes: maybe(&mut random, 123_456_789),
            time_ms: maybe(&mut random, ()).map(|()| random.random_range(0..100_000)),
            clock_ms: maybe(&mut random, ()).map(|()| random.random_range(0..10_000_000)),
            comment: maybe(&mut random, "a [remark] with; 1. e4 $5 (signs) % \" \\ ü".to_owned()),
            glyphs: maybe(&mut random, vec![6]).unwrap_or_default(),
            instead: side_line.moves().iter().map(|m| side_line.write_move(*m)).collect(),
        });
        game.apply(m);
    }
    let reason = *REASONS.choose(&mut random).unwrap();
    let outcome = match random.random_range(0..4) {
        0 => Some(Outcome::win(Color::White, reason)),
        1 => Some(Outcome::win(Color::Black, reason)),
        2 => Some(Outcome::draw(reason)),
        _ => None,
    };
    let tags =
        [("Event", "An \"event\" \\"), ("Date", "2024.01.15"), ("Round", "3.1"), ("TimeControl", "8+0.08")];
    GameRecord {
        variant: if mode == CastlingMode::Chess960 { Variant::Chess960 } else { Variant::Chess },
        white: "engine(nodes=20000)".to_owned(),
        black: "Hübner, R.".to_owned(),
        start: (game.start() != ChessGame::default().start())
            .then(|| tabia_core::chess::fen_of(game.start())),
        plies,
        outcome,
        detail: maybe(&mut random, "it played \"e9\"".to_owned()),
        tags: tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_survive_pgn(first in any::<u64>(), second in any::<u64>()) {
        let records = [record(first), record(second)];
        let text: String = records.iter().map(|record| pgn::write(record).unwrap()).collect();
        prop_assert!(text.lines().all(|line| line.chars().count() <= 110), "{}", text);
        prop_assert_eq!(pgn::read_text(&text).unwrap(), records);
    }

    #[test]
    fn no_text_makes_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let games = pgn::Games::new(bytes.as_slice(), "noise").count();
        prop_assert!(games <= bytes.len());
    }

    #[test]
    fn no_broken_game_makes_the_reader_panic(number in any::<u64>(), cuts in proptest::collection::vec(any::<(u16, u8)>(), 1..8)) {
        let mut bytes = pgn::write(&record(number)).unwrap().into_bytes();
        for (at, byte) in cuts {
            let at = usize::from(at) % bytes.len();
            bytes[at] = byte;
        }
        let games: Vec<_> = pgn::Games::new(bytes.as_slice(), "noise").collect();
        prop_assert!(games.len() <= bytes.len());
        for record in games.into_iter().flatten() {
            let moves = |record: &GameRecord| record.plies.iter().map(|ply| ply.action.clone()).collect::<Vec<_>>();
            let again = pgn::read_text(&pgn::write(&record).unwrap()).unwrap();
            prop_assert_eq!(again.len(), 1);
            prop_assert_eq!((moves(&again[0]), &again[0].start), (moves(&record), &record.start));
        }
    }
}
