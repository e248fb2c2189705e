//! Mates in two and in three (§9.2).

use super::engines::ENGINES;
use super::solving::solved;
use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::positions::mates;
use crate::step::Findings;

/// Moves to mate, and what the seed's engines find.
const TABLE: [(i32, [f64; 2]); 2] = [(2, [70.0, 85.0]), (3, [30.0, 60.0])];

/// Gives the built-in mates to both engines.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let mut figures = Vec::new();
    let mut counts = Vec::new();
    for (moves, seeds) in TABLE {
        let mut problems = mates(moves)?;
        problems.truncate(work.extent.of(4, problems.len(), problems.len()));
        counts.push(problems.len());
        for (engine, seed) in ENGINES.into_iter().zip(seeds) {
            let Some(percent) = solved(engine, &problems, work)? else { return Ok(None) };
            figures.push(
                Figure::new(format!("{engine}: mates in {moves} found"), "%")
                    .seed(seed, &format!("{seed}%"))
                    .ours(percent)
                    .more_is_better()
                    .with_seeds_settings(work.extent != Extent::Taste),
            );
        }
    }
    Ok(Some(Findings {
        how: format!(
            "{} mates in two and {} in three from own games (`mates.epd`), each proven by a full-width search. Found is a move that mates in \
             as many moves, or the announcement of such a mate.",
            counts[0], counts[1]
        ),
        figures,
        notes: vec![
            "Both engines look three plies ahead: every mate in two lies within, and a correct search misses none. A mate in three is five plies deep, \
             and is found only where its first move looks best for other reasons."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}
