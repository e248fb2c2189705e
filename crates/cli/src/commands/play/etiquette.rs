//! What is done at a table, whichever way it is shown: taking back, agreeing to a draw, asking for advice.

use std::time::Duration;

use shakmaty::{ByColor, Move, Position};
use tabia_core::{Agent, ChessGame, Limits, Score};

use crate::{catalogue, text};

/// Moves of a line that are shown.
pub const MOVES_SHOWN: usize = 6;
/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_millis(500);
/// An agent this much worse agrees to a draw, in centipawns.
const WORSE_CP: i32 = 50;
/// So does one that is within this of level, in centipawns,
const LEVEL_CP: i32 = 10;
/// from this move on.
const DRAW_MOVE: u32 = 30;

/// Takes back to a person's last decision, or one half-move where no person plays; false when there is none.
pub fn take_back(game: &mut ChessGame, human: ByColor<bool>) -> bool {
    let mover = game.side_to_move().other();
    let answered = !human[mover] && human[mover.other()];
    let half_moves = if answered { 2 } else { 1 };
    if game.moves().len() < half_moves {
        return false;
    }
    (0..half_moves).for_each(|_| {
        game.undo();
    });
    true
}

/// Whether an agent with this opinion of its own position would rather have a draw: when it is worse, or when a
/// long game is level.
pub fn is_drawish(game: &ChessGame, opinion: Score) -> bool {
    let late = game.position().fullmoves().get() >= DRAW_MOVE;
    opinion <= Score::cp(-WORSE_CP) || (late && opinion.raw().abs() <= LEVEL_CP)
}

/// Whoever gives hints, and how long it may think about one.
pub fn adviser() -> anyhow::Result<(Box<dyn Agent<ChessGame>>, Limits)> {
    Ok((catalogue::chess().build(&catalogue::strongest())?, Limits::movetime(HINT_TIME)))
}

/// A hint as a line of play: the move itself where the line is about another.
pub fn hint(game: &ChessGame, best: Move, mut line: Vec<Move>) -> String {
    if line.first() != Some(&best) {
        line = vec![best];
    }
    line.truncate(MOVES_SHOWN);
    text::numbered(game.position(), &line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::Game;

    fn after(half_moves: usize, human: ByColor<bool>) -> Option<usize> {
        let mut game = ChessGame::default();
        for text in ["e4", "e5", "Nf3", "Nc6"].into_iter().take(half_moves) {
            let m = game.read_move(text).unwrap();
            game.apply(m);
        }
        take_back(&mut game, human).then(|| game.moves().len())
    }

    #[test]
    fn taking_back_leads_to_the_persons_last_decision() {
        let white = ByColor { white: true, black: false };
        assert_eq!([after(4, white), after(3, white), after(1, white)], [Some(2), Some(2), Some(0)]);
        let black = ByColor { white: false, black: true };
        assert_eq!([after(3, black), after(1, black), after(0, black)], [Some(1), None, None]);
        for same in [true, false] {
            assert_eq!(after(3, ByColor { white: same, black: same }), Some(2));
        }
    }

    #[test]
    fn a_draw_is_agreed_to_by_whoever_is_worse_or_level_for_long() {
        let early = ChessGame::default();
        let late = ChessGame::from_fen("4k3/p7/8/8/8/8/P7/4K3 w - - 0 40").unwrap();
        assert!(is_drawish(&early, Score::cp(-80)) && !is_drawish(&early, Score::cp(0)));
        assert!(is_drawish(&late, Score::cp(0)) && !is_drawish(&late, Score::cp(60)));
    }
}
