//! Win/draw/loss model: expected results from a score in centipawns.
//!
//! One logistic curve for wins and one for losses; the curves are steeper with fewer pieces on the board.

use shakmaty::Board;
use tabia_core::{Score, Wdl};

/// Centipawns at which half the games are won, with all pieces and with none.
const HALF_WON: (f64, f64) = (210.0, 130.0);
/// How fast chances change around that point, in centipawns.
const SPREAD: (f64, f64) = (75.0, 55.0);
/// Chances are given in permille and sum to this.
const PERMILLE: u16 = 1_000;
/// Pieces besides kings and pawns in the starting position.
const ALL_PIECES: f64 = 14.0;

/// The chances of the side from whose point of view the score is.
pub fn chances(score: Score, board: &Board) -> Wdl {
    if score.is_decisive() {
        let won = score > Score::DRAW;
        return Wdl { win: if won { PERMILLE } else { 0 }, draw: 0, loss: if won { 0 } else { PERMILLE } };
    }
    let pieces = board.occupied() & !board.pawns() & !board.kings();
    let full = (pieces.count() as f64 / ALL_PIECES).min(1.0);
    let mix = |(many, few): (f64, f64)| few + (many - few) * full;
    let (half, spread) = (mix(HALF_WON), mix(SPREAD));
    let chance = |cp: f64| 1.0 / (1.0 + ((half - cp) / spread).exp());
    let cp = f64::from(score.raw());
    let permille = |cp: f64| (f64::from(PERMILLE) * chance(cp)).round() as u16;
    let win = permille(cp);
    let loss = permille(-cp).min(PERMILLE - win);
    Wdl { win, draw: PERMILLE - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_a_thousand_and_mirror() {
        for cp in [-28_000, -900, -200, -1, 0, 1, 35, 150, 700, 28_000] {
            let here = chances(Score::cp(cp), &Board::new());
            let there = chances(Score::cp(-cp), &Board::new());
            assert_eq!(here.win + here.draw + here.loss, 1000, "{cp}");
            assert_eq!((here.win, here.loss), (there.loss, there.win), "{cp}");
        }
        assert_eq!(chances(Score::mate_in_plies(5), &Board::new()).win, 1000);
    }

    #[test]
    fn a_better_score_is_a_better_chance() {
        let wins: Vec<u16> = (-10..=10).map(|n| chances(Score::cp(n * 60), &Board::new()).win).collect();
        assert!(wins.is_sorted());
    }
}
