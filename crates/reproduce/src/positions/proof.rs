//! Proofs by full-width search that a position is a mate in n, or wins a piece within n plies.

use shakmaty::{Move, Position};
use tabia_core::{ChessGame, Game, Limits, Score, Stop};
use tabia_eval::simple::Material;
use tabia_search::classic::{Classic, MoveOrdering, Settings};

/// Captures are played out this far beyond the depth, so that no exchange is judged in its middle.
const CAPTURES: u32 = 6;

fn settings(depth: u32, quiescence: u32) -> Settings {
    Settings {
        depth,
        quiescence,
        ordering: MoveOrdering::MvvLva,
        killers: true,
        table: 500_000,
        ..Settings::ALPHABETA
    }
}

/// The value of a position by material alone, every move looked at to a depth.
fn value(game: &ChessGame, depth: u32, quiescence: u32) -> Option<(Score, Move)> {
    let mut search = Classic::new(Material, settings(depth, quiescence));
    let found = search.search(game, &Limits::default(), &Stop::new(), &mut |_| {}).ok()?;
    Some((found.score?, found.best))
}

/// Moves after which the other side is mated within `moves` moves of ours, this one among them.
pub fn mates_in(game: &ChessGame, moves: u32) -> Vec<Move> {
    let mate = |m: &Move| {
        let mut after = game.clone();
        after.apply(*m);
        if after.position().is_checkmate() {
            return true;
        }
        if moves < 2 || after.outcome().is_some() {
            return false;
        }
        value(&after, 2 * (moves - 1), 0)
            .is_some_and(|(score, _)| score.plies_to_mate().is_some_and(|plies| plies < 0))
    };
    game.position().legal_moves().into_iter().filter(mate).collect()
}

/// What the side to move wins by force within `plies`, over what it has when only captures are played out, in centipawns; and how. Mates
/// do not count.
pub fn gain(game: &ChessGame, plies: u32) -> Option<(i32, Move)> {
    let still = value(game, 1, CAPTURES)?.0;
    let (ahead, best) = value(game, plies, CAPTURES)?;
    (!still.is_mate() && !ahead.is_mate()).then_some((ahead.raw() - still.raw(), best))
}

/// Whether one move alone gains as much: every other falls short by `margin` centipawns at least.
pub fn forced(game: &ChessGame, plies: u32, best: Move, margin: i32) -> bool {
    let others: Vec<Move> = game.position().legal_moves().into_iter().filter(|m| *m != best).collect();
    if others.is_empty() {
        return false;
    }
    let limits = Limits { search_moves: others, ..Limits::default() };
    let mut search = Classic::new(Material, settings(plies, CAPTURES));
    let second = search.search(game, &limits, &Stop::new(), &mut |_| {}).ok().and_then(|found| found.score);
    match (value(game, plies, CAPTURES), second) {
        (Some((first, _)), Some(second)) => first.raw() - second.raw() >= margin,
        _ => false,
    }
}
