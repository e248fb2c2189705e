//! Nodes and time at depth 4 with and without captures first (§8.3).

use tabia_eval::simple::MatMob;
use tabia_search::classic::{MoveOrdering, Settings};

use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::searches::{bench_positions, search};
use crate::step::Findings;

/// The seed's depth.
const DEPTH: u32 = 4;

/// Searches fixed positions both ways.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let depth = work.extent.of(2, DEPTH, DEPTH);
    let games = bench_positions()?;
    let on = Settings { depth, ..Settings::ALPHABETA };
    let off = Settings { ordering: MoveOrdering::Off, ..on };
    let Some(without) = search(&MatMob, off, &games, work)? else { return Ok(None) };
    let Some(with) = search(&MatMob, on, &games, work)? else { return Ok(None) };
    let Some(all) = search(&MatMob, Settings { depth: depth.min(3), pruning: false, ..off }, &games, work)?
    else {
        return Ok(None);
    };
    let Some(pruned) = search(&MatMob, Settings { depth: depth.min(3), ..on }, &games, work)? else {
        return Ok(None);
    };
    let nodes = |name: &str, seed: f64, text: &str, ours: f64| {
        Figure::new(format!("{name}: nodes of a move"), "").seed(seed, text).ours(ours).less_is_better()
    };
    let time = |name: &str, seed: f64, ours: f64| {
        Figure::new(format!("{name}: time of a move"), "s")
            .seed(seed, &format!("{seed} s"))
            .ours(ours / 1000.0)
            .timed()
            .less_is_better()
    };
    let figures = vec![
        nodes("ordering off", 847_000.0, "847,000", without.nodes()),
        nodes("ordering on", 268_000.0, "268,000", with.nodes()),
        time("ordering off", 2.1, without.milliseconds()),
        time("ordering on", 0.8, with.milliseconds()),
        Figure::new("times fewer nodes by ordering", "")
            .seed(3.2, "3.2")
            .ours(without.nodes() / with.nodes())
            .more_is_better(),
        Figure::new("times fewer nodes by pruning", "")
            .seed_range([3.0, 5.0], "3–5")
            .ours(all.nodes() / pruned.nodes())
            .more_is_better(),
    ];
    Ok(Some(Findings {
        how: format!(
            "`alphabeta` with `mat_mob` at depth {depth} on the {} chess positions of `tabia bench`, captures first by their victim, or as \
             generated. The last figure is plain negamax against alpha-beta with ordering, both at depth {}, where negamax ends in reasonable time.",
            games.len(),
            depth.min(3)
        ),
        figures: figures.into_iter().map(|figure| figure.with_seeds_settings(depth == DEPTH)).collect(),
        ..Findings::default()
    }))
}
