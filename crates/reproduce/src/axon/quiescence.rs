//! How many nodes quiescence takes beside the main search, where there are tactics and where there are none (§I).

use tabia_core::ChessGame;
use tabia_eval::axon::Axon;
use tabia_evolve::positions::{self as labelled, BUILT_IN};
use tabia_search::classic::Settings;

use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::positions;
use crate::searches::{SearchCost, search};
use crate::step::{Findings, Plot};

/// Searches both kinds of positions at some depths.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let depths = work.extent.of(2..=2, 2..=4, 2..=5);
    let most = work.extent.of(6, 40, 80);
    let tactical: Vec<ChessGame> = positions::wins(3)?
        .into_iter()
        .chain(positions::wins(5)?)
        .map(|problem| problem.game)
        .take(most)
        .collect();
    let quiet: Vec<ChessGame> = labelled::read(BUILT_IN, 0)?
        .iter()
        .take(most)
        .map(|position| ChessGame::from_fen(&position.fen))
        .collect::<Result<_, _>>()?;
    let share = |took: &SearchCost| {
        100.0 * took.counts.quiescence_nodes as f64 / took.counts.all_nodes().max(1) as f64
    };
    let mut figures = Vec::new();
    let mut curves = [Vec::new(), Vec::new()];
    for depth in depths {
        for (index, (name, games, seed, text)) in
            [("tactical", &tactical, 90.0, "90%"), ("quiet", &quiet, 50.0, "50%")].into_iter().enumerate()
        {
            let settings = Settings { depth, ..Settings::AXON };
            let Some(took) = search(&Axon::default(), settings, games, work)? else { return Ok(None) };
            curves[index].push((f64::from(depth), share(&took)));
            figures.push(
                Figure::new(format!("{name} positions, depth {depth}: nodes in quiescence"), "%")
                    .seed(seed, text)
                    .ours(share(&took))
                    .compared()
                    // A taste has six positions of each kind.
                    .with_seeds_settings(work.extent != Extent::Taste),
            );
        }
    }
    let [tactical_curve, quiet_curve] = curves;
    Ok(Some(Findings {
        how: format!(
            "`axon` with captures and promotions played out for up to 8 plies, checks at the first of them, and every legal answer to a check at all of them \
             (evasions), on {} positions in which a piece is won (see `axiomx/wins`) and on {} of the built-in quiet positions of `tabia evolve`. The share is \
             quiescence nodes of all nodes.",
            tactical.len(),
            quiet.len()
        ),
        figures,
        notes: vec![
            "The seed gives two ratios, 90:10 and 50:50, and neither depth nor positions. Ours follows captures and promotions, \
             checks one ply beyond the horizon (\"some chess\", in the seed's words), and every evasion, since a side in check cannot stand pat."
                .to_owned(),
        ],
        pictures: vec![Plot::curves(
            "axon-quiescence",
            "Nodes in quiescence, per cent of all",
            "depth",
            &[("tactical positions", tactical_curve), ("quiet positions", quiet_curve)],
        )],
    }))
}
