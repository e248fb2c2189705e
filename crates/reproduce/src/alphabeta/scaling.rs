//! Nodes and time at depths 3 to 6 (§6.2, §8.4).

use tabia_eval::simple::MatMob;
use tabia_search::classic::Settings;

use crate::context::{Interruptible, StepContext};
use crate::figure::{Figure, number};
use crate::searches::{SearchCost, bench_positions, search};
use crate::step::{Findings, Plot};

/// The seed's list: depth, nodes, seconds.
const TABLE: [(u32, f64, f64); 4] =
    [(3, 35_000.0, 0.2), (4, 268_000.0, 0.8), (5, 1_200_000.0, 4.2), (6, 8_500_000.0, 28.0)];
/// What the seed gives for its default depth in §6.2: nodes and seconds of a move.
const DEFAULT_DEPTH: (u32, [f64; 2], [f64; 2]) = (4, [1e5, 1e6], [0.5, 2.0]);
/// The effective branching factor that the seed gives.
const BRANCHING: f64 = 8.0;

const MEGABYTE: f64 = 1e6;

/// The most memory that this process has held, in bytes, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? * 1024.0)
}

/// Searches fixed positions at each depth.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let rows = work.extent.of(1, TABLE.len(), TABLE.len());
    let games = bench_positions()?;
    let mut figures = Vec::new();
    let (mut ours, mut seeds) = (Vec::new(), Vec::new());
    let mut ends: Vec<(u32, f64)> = Vec::new();
    for (depth, nodes, seconds) in &TABLE[..rows] {
        let settings = Settings { depth: *depth, ..Settings::ALPHABETA };
        let Some(took) = search(&MatMob, settings, &games, work)? else { return Ok(None) };
        figures.extend(figures_of(*depth, *nodes, *seconds, &took));
        ours.push((f64::from(*depth), took.nodes().log10()));
        seeds.push((f64::from(*depth), nodes.log10()));
        ends.push((*depth, took.nodes()));
    }
    if let [(first, fewest), .., (last, most)] = ends[..] {
        figures.push(
            Figure::new(format!("growth with a ply, depth {first} to {last}"), "times")
                .seed(BRANCHING, "about 8")
                .ours((most / fewest).powf(1.0 / f64::from(last - first)))
                .less_is_better(),
        );
    }
    let peak = Figure::new("peak memory, of the whole process", "MB").seed(50.0, "about 50 MB");
    // The seed's is that of depth 4.
    let deepest = ends.last().map_or(0, |(depth, _)| *depth);
    figures.push(match peak_memory() {
        Some(bytes) => peak
            .ours(bytes / MEGABYTE)
            .timed()
            .less_is_better()
            .with_seeds_settings(deepest >= DEFAULT_DEPTH.0),
        None => peak,
    });
    Ok(Some(Findings {
        how: format!(
            "`alphabeta` with `mat_mob` on the {} chess positions of `tabia bench`, each searched afresh to the depth.",
            games.len()
        ),
        figures,
        notes: vec![
            "Memory is the most that this process has held since its start, as Linux counts it (VmHWM): an upper bound, with everything that steps \
             before this one took. The search itself keeps no table."
                .to_owned(),
        ],
        pictures: vec![Plot::curves(
            "alphabeta-scaling",
            "Nodes of a move, as a power of ten",
            "depth",
            &[("ours", ours), ("the seed's", seeds)],
        )],
    }))
}

/// What a search to a depth took, beside the list of §8.4 and, at the default depth, beside the ranges of §6.2.
fn figures_of(depth: u32, nodes: f64, seconds: f64, took: &SearchCost) -> Vec<Figure> {
    let counted = |section: &str| {
        Figure::new(format!("depth {depth}: nodes of a move{section}"), "").ours(took.nodes())
    };
    let timed = |section: &str| {
        Figure::new(format!("depth {depth}: time of a move{section}"), "s")
            .ours(took.milliseconds() / 1000.0)
            .timed()
    };
    let mut figures = vec![
        counted("").seed(nodes, &format!("about {}", number(nodes))),
        timed("").seed(seconds, &format!("{seconds} s")),
    ];
    let (default_depth, nodes, seconds) = DEFAULT_DEPTH;
    if depth == default_depth {
        figures.push(counted(" (§6.2)").seed_range(nodes, "about 10⁵–10⁶"));
        figures.push(timed(" (§6.2)").seed_range(seconds, "0.5–2.0 s"));
    }
    figures.into_iter().map(Figure::less_is_better).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Verdict;
    use std::time::Duration;
    use tabia_search::classic::Counts;

    #[test]
    fn the_default_depth_is_compared_with_both_sections() {
        let counts = Counts { nodes: 200_000, ..Counts::default() };
        let took = SearchCost { positions: 1, counts, time: Duration::from_millis(600) };
        let figures = figures_of(4, 268_000.0, 0.8, &took);
        let seen: Vec<_> = figures.iter().map(|figure| (figure.what.as_str(), figure.verdict)).collect();
        assert_eq!(
            seen,
            [
                ("depth 4: nodes of a move", Verdict::Better),
                ("depth 4: time of a move", Verdict::Better),
                ("depth 4: nodes of a move (§6.2)", Verdict::AsTheSeedSays),
                ("depth 4: time of a move (§6.2)", Verdict::AsTheSeedSays),
            ]
        );
        assert!(figures[1].timed && figures[3].timed);
        assert_eq!(figures_of(5, 1_200_000.0, 4.2, &took).len(), 2);
    }
}
