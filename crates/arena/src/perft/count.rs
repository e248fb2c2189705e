//! Counting move paths with either of the two move generators.

use std::num::NonZero;

use serde::Serialize;
use shakmaty::{Chess, Move, Position as _, perft};
use tabia_core::Stop;
use tabia_search::engine::moves::{Move as PackedMove, MoveList, ScoredMove};
use tabia_search::engine::position::Position;

use crate::parallel;

/// The flag is looked at in nodes with at least this much depth left: often enough for a person, too seldom to
/// cost anything.
const LOOK_DEPTH: u32 = 4;

/// Whose moves are counted.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Generator {
    /// The rules, as all of Tabia plays by them.
    Shakmaty,
    /// The strong search's own position.
    Engine,
}

impl Generator {
    /// Paths of `depth` moves from a position; nothing if it was stopped first. The last move of a path is counted
    /// and not made.
    pub fn count(self, position: &Chess, depth: u32, stop: &Stop) -> Option<u64> {
        match self {
            Generator::Shakmaty => by_shakmaty(position, depth, stop),
            Generator::Engine => by_engine(&Position::new(position), depth, stop),
        }
    }

    /// Each first move and the paths of `depth` moves (at least one) that begin with it; nothing if it was stopped.
    pub fn divide(
        self,
        position: &Chess,
        depth: u32,
        threads: NonZero<usize>,
        stop: &Stop,
    ) -> Option<Vec<(PackedMove, u64)>> {
        match self {
            Generator::Shakmaty => {
                let moves = position.legal_moves();
                let share = |m: &Move| {
                    let mut next = position.clone();
                    next.play_unchecked(*m);
                    Some((PackedMove::from_shakmaty(*m), by_shakmaty(&next, depth - 1, stop)?))
                };
                parallel::map(&moves, threads, share).into_iter().collect()
            }
            Generator::Engine => {
                let position = Position::new(position);
                let mut moves = MoveList::new();
                position.generate_all(&mut moves);
                let share = |scored: &ScoredMove| {
                    let mv = scored.mv;
                    Some((mv, by_engine(&position.after(mv), depth - 1, stop)?))
                };
                parallel::map(&moves, threads, share).into_iter().collect()
            }
        }
    }

    /// How it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Generator::Shakmaty => "shakmaty",
            Generator::Engine => "engine",
        }
    }
}

fn by_shakmaty(position: &Chess, depth: u32, stop: &Stop) -> Option<u64> {
    if depth < LOOK_DEPTH {
        return Some(perft(position, depth));
    }
    let mut nodes = 0;
    for m in position.legal_moves() {
        if stop.is_stopped() {
            return None;
        }
        let mut next = position.clone();
        next.play_unchecked(m);
        nodes += by_shakmaty(&next, depth - 1, stop)?;
    }
    Some(nodes)
}

fn by_engine(position: &Position, depth: u32, stop: &Stop) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut moves = MoveList::new();
    position.generate_all(&mut moves);
    if depth == 1 {
        return Some(moves.len() as u64);
    }
    let mut nodes = 0;
    for scored in &moves {
        if depth >= LOOK_DEPTH && stop.is_stopped() {
            return None;
        }
        nodes += by_engine(&position.after(scored.mv), depth - 1, stop)?;
    }
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_generators_count_the_same() {
        let start = Chess::default();
        for (depth, nodes) in [(0, 1), (1, 20), (2, 400), (3, 8_902), (4, 197_281)] {
            for generator in [Generator::Shakmaty, Generator::Engine] {
                assert_eq!(
                    generator.count(&start, depth, &Stop::new()),
                    Some(nodes),
                    "{generator:?} {depth}"
                );
            }
        }
    }

    #[test]
    fn a_raised_flag_ends_the_count() {
        let stop = Stop::new();
        stop.stop();
        assert_eq!(Generator::Shakmaty.count(&Chess::default(), 9, &stop), None);
        assert_eq!(Generator::Engine.count(&Chess::default(), 9, &stop), None);
    }
}
