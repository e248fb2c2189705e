//! Walks through a Polyglot book.

use std::collections::HashSet;

use rand::RngCore;
use tabia_book::Book;
use tabia_core::{ChessGame, Game, seed};

use super::{Opening, ReadOptions, can_begin};

/// Most draws per walk: a book with few lines gives the same walk again and again.
const DRAWS_PER_WALK: usize = 20;

/// Walks that end in different positions. The number of a walk determines its moves, independently of others.
pub fn openings(book: &Book, options: &ReadOptions) -> Vec<Opening> {
    let plies = options.plies.unwrap_or(ReadOptions::WALK_PLIES);
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    for number in 0..options.walks.saturating_mul(DRAWS_PER_WALK) {
        if list.len() == options.walks {
            break;
        }
        let game = walk(book, plies, seed::derive(options.seed, number as u64));
        if !game.moves().is_empty() && can_begin(&game).is_ok() && seen.insert(game.key()) {
            list.push(Opening::of_game(&game, None));
        }
    }
    list
}

/// One walk; it ends where the book does.
fn walk(book: &Book, plies: usize, seed: u64) -> ChessGame {
    let mut random = seed::random(seed);
    let mut game = ChessGame::default();
    for _ in 0..plies {
        let Some(chosen) = book.choose(game.position(), random.next_u64()) else { break };
        game.apply(chosen.m);
    }
    game
}
