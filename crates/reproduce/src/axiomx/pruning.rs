//! Nodes with and without pruning, and how often the table answers (§2.3, §5.2, §5.3).

use shakmaty::Position;
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axiomx_speed::AxiomxSpeed;
use tabia_search::classic::{MoveOrdering, Settings};

use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::{Figure, number};
use crate::searches::{bench_positions, search};
use crate::step::Findings;

/// The depth of the seed's figures.
const DEPTH: u32 = 3;
/// The branching factor that the seed assumes.
const SEED_BRANCHING: f64 = 35.0;

/// The fewest leaves that alpha-beta can reach in a uniform tree, whatever the ordering: b^⌈d/2⌉ + b^⌊d/2⌋ − 1 (Knuth and
/// Moore, 1975).
fn least_leaves(branching: f64, depth: u32) -> f64 {
    branching.powf(f64::from(depth.div_ceil(2))) + branching.powf(f64::from(depth / 2)) - 1.0
}

/// Searches fixed positions in several ways.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let mut games = bench_positions()?;
    games.truncate(work.extent.of(4, games.len(), games.len()));
    let speed = Settings::AXIOMX_SPEED;
    let plain = Settings { pruning: false, ordering: MoveOrdering::Off, ..speed };
    let Some(all) = search(&AxiomxSpeed, plain, &games, work)? else { return Ok(None) };
    let Some(pruned) = search(&AxiomxSpeed, speed, &games, work)? else { return Ok(None) };
    let fields = Axiomx::default();
    let Some(whole) = search(&fields, Settings::AXIOMX, &games, work)? else { return Ok(None) };
    let Some(tableless) = search(&fields, Settings { table: 0, ..Settings::AXIOMX }, &games, work)? else {
        return Ok(None);
    };
    let branching = games.iter().map(|game| game.position().legal_moves().len()).sum::<usize>() as f64
        / games.len() as f64;
    let figures = vec![
        Figure::new("legal moves of a position", "")
            .seed(SEED_BRANCHING, "about 35")
            .ours(branching)
            .compared(),
        Figure::new("nodes without pruning", "").seed(42_875.0, "42,875").ours(all.nodes()).compared(),
        Figure::new("nodes with pruning and ordering", "")
            .seed(420.0, "about 420")
            .ours(pruned.nodes())
            .less_is_better(),
        Figure::new("least leaves that any ordering can reach (Knuth and Moore)", "")
            .ours(least_leaves(branching, DEPTH))
            .compared(),
        Figure::new("times fewer", "")
            .seed(102.0, "about 102")
            .ours(all.nodes() / pruned.nodes())
            .more_is_better(),
        Figure::new("axiomx: nodes within depth 3", "")
            .seed(250.0, "about 250")
            .ours(whole.main_nodes())
            .less_is_better(),
        Figure::new("axiomx: with captures beyond", "").ours(whole.nodes()).less_is_better(),
        Figure::new("table: questions that settle a node", "%")
            .seed_range([30.0, 50.0], "30–50%")
            .ours(100.0 * whole.counts.table_hits as f64 / whole.counts.table_probes.max(1) as f64)
            .more_is_better(),
        Figure::new("table: nodes saved", "%")
            .seed(40.0, "about 40%")
            .ours(100.0 * (1.0 - whole.nodes() / tableless.nodes()))
            .more_is_better(),
        Figure::new("cutoffs by the first move tried", "%")
            .ours(100.0 * whole.counts.first_move_cutoffs as f64 / whole.counts.cutoffs.max(1) as f64)
            .more_is_better(),
    ];
    // A taste has four positions, too few for a mean.
    let is_mean = work.extent != Extent::Taste;
    Ok(Some(Findings {
        how: format!(
            "Depth {DEPTH} on the {} chess positions of `tabia bench`: `axiomx-speed` as plain minimax and as it is, `axiomx` with and without its table. \
             The seed's 420 and 250 are computed (2·b^(d/2), less 40%), not counted.",
            games.len()
        ),
        figures: figures.into_iter().map(|figure| figure.with_seeds_settings(is_mean)).collect(),
        notes: vec![
            format!(
                "No ordering reaches the seed's 420 nodes. In a uniform tree alpha-beta visits at least b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves (Knuth and Moore, 1975): \
                 at depth 3, {} for b = 35. Only at even depths is that close to 2·b^(d/2). The row with the least takes our legal moves of a position for b. \
                 Nodes counted here include those between root and leaves.",
                number(least_leaves(SEED_BRANCHING, DEPTH))
            ),
            "At depth 3 few positions come again, so that a table has little to answer; between the moves of a game it keeps more.".to_owned(),
        ],
        ..Findings::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_odd_depths_the_least_is_far_above_the_seeds_formula() {
        let least = |branching, depth| least_leaves(branching, depth).round() as u32;
        assert_eq!([1, 2, 3, 4].map(|depth| least(35.0, depth)), [35, 69, 1259, 2449]);
        assert_eq!(least(30.3, 3), 947);
        let of_the_seed = |depth: u32| 2.0 * SEED_BRANCHING.powf(f64::from(depth) / 2.0);
        assert!((of_the_seed(4) - 1.0 - least_leaves(SEED_BRANCHING, 4)).abs() < 1e-6);
        assert!(of_the_seed(3) < 0.34 * least_leaves(SEED_BRANCHING, 3));
    }
}
