//! Pieces won within three and five plies (§9.2), and test positions of a file.

use tabia_arena::suite;

use super::engines::ENGINES;
use super::solving::solved;
use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::positions::wins;
use crate::step::Findings;

/// Plies to the win, and what the seed's engines find.
const TABLE: [(u32, [f64; 2]); 2] = [(3, [65.0, 80.0]), (5, [10.0, 45.0])];

/// Gives the built-in positions, and those of a file, to both engines.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let mut figures = Vec::new();
    let mut counts = Vec::new();
    for (plies, seeds) in TABLE {
        let mut problems = wins(plies)?;
        problems.truncate(work.extent.of(4, problems.len(), problems.len()));
        counts.push(problems.len());
        for (engine, seed) in ENGINES.into_iter().zip(seeds) {
            let Some(percent) = solved(engine, &problems, work)? else { return Ok(None) };
            figures.push(
                Figure::new(format!("{engine}: pieces won in {plies} plies"), "%")
                    .seed(seed, &format!("{seed}%"))
                    .ours(percent)
                    .more_is_better()
                    .with_seeds_settings(work.extent != Extent::Taste),
            );
        }
    }
    if let Some(path) = work.inputs.epd.clone() {
        let (problems, _) = suite::read(&path, false)?;
        for engine in ENGINES {
            let Some(percent) = solved(engine, &problems, work)? else { return Ok(None) };
            let what = format!("{engine}: solved of {} in `{}`", problems.len(), path.display());
            figures.push(Figure::new(what, "%").ours(percent).more_is_better());
        }
    }
    Ok(Some(Findings {
        how: format!(
            "{} positions from own games in which one move alone wins at least two pawns' worth within three plies, and {} within five, and \
             two plies fewer win less than a pawn (`wins.epd`). Won is that move played.",
            counts[0], counts[1]
        ),
        figures,
        notes: vec![
            "The positions were found by our own full-width search with material alone and captures played out. That flatters searches of its kind: \
             within three plies nothing is hidden from them."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}
