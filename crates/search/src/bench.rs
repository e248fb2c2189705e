//! The bench signature: positions searched to a fixed depth, and the node count.
//!
//! Two builds with the same number search identically; a non-functional change must not change it.

use std::time::{Duration, Instant};

use tabia_core::{ChessGame, FenError, Limits, Stop};

use crate::agents::{self, PlayerError};
use crate::engine::{Settings, TableTooLarge};
use crate::player::{OwnLimits, Player};

/// Depth of the recorded signature.
pub const DEPTH: u32 = 13;

/// Openings, middlegames, endings, mates and blockades; two from Chess960.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/3P1B2/2P1PN2/PP3PPP/RN1QKB1R b KQkq - 0 5",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1P1P1/PP2BP1P/R1BQ1RK1 w - - 1 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1bq1r1k/b1p1npp1/p2p3p/1p6/3PP3/1B2NN2/PP3PPP/R2Q1RK1 w - - 1 16",
    "3r1rk1/1pp1bpp1/6p1/pP1npqPn/8/4N2P/P2PP3/1B2BRK1 w - - 0 20",
    "4r1k1/r1q2ppp/ppp2n2/4P3/5Rb1/1N1BQ3/PPP3PP/R5K1 w - - 1 17",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 30",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 42",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 60",
    "6k1/6p1/P6p/r1N5/5p2/7P/1b3PP1/4R1K1 w - - 0 33",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 47",
    "8/3p4/p1bk3p/Pp6/1Kp1PpPp/2P2P1P/2P5/5B2 b - - 0 40",
    "7k/3p2pp/4q3/8/4Q3/5Kp1/P6b/8 w - - 0 45",
    "8/2k5/3p4/p2P1p2/P2P1P2/8/8/4K3 w - - 0 50",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 35",
    "r2r1n2/pp2bk2/2p1p2p/3q4/3PN1QP/2P3R1/P4PP1/5RK1 w - - 0 24",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
];

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Total nodes: the signature.
    pub nodes: u64,
    /// Total time.
    pub elapsed: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    #[error("there is no evaluation \"{0}\"")]
    Evaluation(String),
    /// The transposition table does not fit into memory.
    #[error(transparent)]
    Table(TableTooLarge),
    #[error(transparent)]
    Position(#[from] FenError),
}

/// Searches every position to `depth` with a new engine over a named evaluation; `tell` is called after each.
pub fn run(
    evaluation: &str,
    settings: &Settings,
    depth: u32,
    tell: &mut dyn FnMut(usize, &str, u64),
) -> Result<Outcome, BenchError> {
    let mut player =
        agents::player(evaluation, settings.clone(), OwnLimits::default()).map_err(|error| match error {
            PlayerError::Table(too_large) => BenchError::Table(too_large),
            _ => BenchError::Evaluation(evaluation.to_owned()),
        })?;
    run_with(player.as_mut(), depth, tell)
}

/// Searches every position to `depth` with a given player.
pub fn run_with(
    player: &mut dyn Player,
    depth: u32,
    tell: &mut dyn FnMut(usize, &str, u64),
) -> Result<Outcome, BenchError> {
    let mut outcome = Outcome { nodes: 0, elapsed: Duration::ZERO };
    for (index, fen) in POSITIONS.iter().enumerate() {
        let game = ChessGame::from_fen(fen)?;
        player.new_game();
        let start = Instant::now();
        let found = player.search(&game, &Limits::depth(depth), &Stop::new(), &mut |_| {});
        outcome.elapsed += start.elapsed();
        let nodes = found.map_or(0, |found| found.nodes);
        outcome.nodes += nodes;
        tell(index, fen, nodes);
    }
    Ok(outcome)
}
