//! Nodes with and without pruning, and how often the table answers (§2.3, §5.2, §5.3).

use shakmaty::Position;
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axiomx_speed::AxiomxSpeed;
use tabia_search::classic::{MoveOrdering, Settings};

use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::searches::{bench_positions, search};
use crate::step::Findings;

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
    Ok(Some(Findings {
        how: format!(
            "Depth 3 on the {} chess positions of `tabia bench`: `axiomx-speed` as plain minimax and as it is, `axiomx` with and without its table. \
             The seed's 420 and 250 are computed (2·b^(d/2), less 40%), not counted.",
            games.len()
        ),
        figures: vec![
            Figure::new("legal moves of a position", "").seed(35.0, "about 35").ours(branching).compared(),
            Figure::new("nodes without pruning", "").seed(42_875.0, "42,875").ours(all.nodes()).compared(),
            Figure::new("nodes with pruning and ordering", "")
                .seed(420.0, "about 420")
                .ours(pruned.nodes())
                .less_is_better(),
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
        ],
        notes: vec![
            "2·b^(d/2) is the least that any ordering could reach; real positions take several times that. At depth 3 few positions come again, so that a \
             table has little to answer; between the moves of a game it keeps more."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}
