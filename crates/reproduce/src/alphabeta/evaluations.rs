//! Three evaluations at depth 4 against the random player (§8.2).

use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::games::against_random;
use crate::step::Findings;

/// The seed's table: evaluation, win rate, material ahead, moves of a game.
const TABLE: [(&str, f64, f64, f64); 3] =
    [("material", 88.0, 2.3, 42.0), ("mat_mob", 92.0, 2.7, 38.0), ("aggressive", 89.0, 2.1, 36.0)];

/// The depth of the table, and its games for each evaluation.
const DEPTH: u32 = 4;
const GAMES: usize = 50;

/// Plays the games of the table.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let games = work.extent.of(2, 10, GAMES);
    let depth = work.extent.of(2, DEPTH, DEPTH);
    let mut figures = Vec::new();
    for (name, rate, ahead, length) in TABLE {
        let spec = format!("alphabeta(eval={name},depth={depth})");
        let Some(score) = against_random(&spec, games, work)? else { return Ok(None) };
        figures.push(
            Figure::new(format!("{name}: win rate"), "%")
                .seed(rate, &format!("{rate}%"))
                .ours(100.0 * score.wins as f64 / score.games as f64)
                .more_is_better(),
        );
        figures.push(
            Figure::new(format!("{name}: material ahead"), "pawns")
                .seed(ahead, &format!("+{ahead}"))
                .ours(score.ahead)
                .more_is_better(),
        );
        figures.push(
            Figure::new(format!("{name}: moves of a game"), "moves")
                .seed(length, &format!("{length} moves"))
                .ours(score.length)
                .compared(),
        );
    }
    let same = depth == DEPTH && games == GAMES;
    let figures = figures.into_iter().map(|figure: Figure| figure.with_seeds_settings(same)).collect();
    Ok(Some(Findings {
        how: format!(
            "`alphabeta` at depth {depth} against `random`, {games} games for each evaluation, as above. Material ahead is own material less \
             the other's in pawns (1, 3, 3, 5, 9), averaged over the positions after own moves and then over games; the seed does not say \
             what it averages."
        ),
        figures,
        ..Findings::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Extent;
    use crate::figure::Verdict;
    use crate::testing;

    #[test]
    fn depth_two_is_not_compared_with_the_seeds_depth_four() {
        let found = testing::work(Extent::Taste, run).unwrap().unwrap();
        assert!(found.how.contains("at depth 2"));
        assert!(
            found
                .figures
                .iter()
                .all(|figure| figure.verdict == Verdict::OtherSettings && figure.ratio.is_none())
        );
    }
}
