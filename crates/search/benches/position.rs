//! The engine's position against shakmaty's, by the clock: successors made and hashed a second.
//!
//! Both walk the same tree of legal moves in the same run, and every node is made and hashed, the leaves too: that
//! is what a search does, where counting the last ply's moves in bulk is what it never does. The two take turns in
//! rounds of some hundredths of a second, and the best of many counts for each: short enough to find a moment
//! without disturbance, and a machine that is slow for a while is slow for both.

use std::hint::black_box;
use std::time::{Duration, Instant};

use shakmaty::{Chess, EnPassantMode, Position as _, zobrist::Zobrist64};
use tabia_core::ChessGame;
use tabia_search::engine::moves::MoveList;
use tabia_search::engine::position::Position;

const ROUNDS: usize = 300;

/// Name, position, depth: about a hundred thousand nodes each.
const TREES: [(&str, &str, u32); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("endgame", "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 42", 4),
];

/// Nodes below a position, and all their keys in one, so that none goes uncomputed.
#[derive(Copy, Clone, Default)]
struct Walk {
    nodes: u64,
    keys: u64,
}

impl Walk {
    fn engine(&mut self, position: &Position, depth: u32) {
        let mut list = MoveList::new();
        position.generate_all(&mut list);
        for scored in &list {
            let next = position.after(scored.mv);
            self.count(next.key());
            if depth > 1 {
                self.engine(&next, depth - 1);
            }
        }
    }

    fn shakmaty(&mut self, chess: &Chess, depth: u32) {
        for m in chess.legal_moves() {
            let mut next = chess.clone();
            next.play_unchecked(m);
            self.count(next.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
            if depth > 1 {
                self.shakmaty(&next, depth - 1);
            }
        }
    }

    fn count(&mut self, key: u64) {
        self.nodes += 1;
        self.keys ^= key;
    }
}

fn timed(walk: impl Fn(&mut Walk)) -> (u64, Duration) {
    let start = Instant::now();
    let mut walked = Walk::default();
    walk(&mut walked);
    black_box(walked.keys);
    (walked.nodes, start.elapsed())
}

fn main() {
    // `cargo test --all-targets` comes here too; only `cargo bench` means it.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("million successors made and hashed a second, best of {ROUNDS} rounds");
    println!("{:10} {:>10} {:>10} {:>10} {:>8}", "", "nodes", "shakmaty", "engine", "ratio");
    for (name, fen, depth) in TREES {
        let game = ChessGame::from_fen(fen).expect("the benchmark's positions are legal");
        let chess = game.position();
        let position = Position::new(chess);
        let mut best = [Duration::MAX; 2];
        let mut nodes = [0; 2];
        for _ in 0..ROUNDS {
            let rounds = [
                timed(|walk| walk.shakmaty(black_box(chess), depth)),
                timed(|walk| walk.engine(black_box(&position), depth)),
            ];
            for (side, (count, elapsed)) in rounds.into_iter().enumerate() {
                nodes[side] = count;
                best[side] = best[side].min(elapsed);
            }
        }
        assert_eq!(nodes[0], nodes[1], "both walk the same tree");
        let [shakmaty, engine] = best.map(|elapsed| nodes[0] as f64 / elapsed.as_secs_f64() / 1e6);
        println!("{name:10} {:>10} {shakmaty:>10.2} {engine:>10.2} {:>8.2}", nodes[0], engine / shakmaty);
    }
}
