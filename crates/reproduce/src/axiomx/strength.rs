//! Ratings of both engines (§6).

use super::engines::ENGINES;
use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::rating::{entrant, play_match, rate};
use crate::step::Findings;

use tabia_arena::tournament::Format;

/// Ratings of parts of the game in the seed's table: the part, of the quick engine, of the other.
const PARTS: [(&str, f64, f64); 3] = [
    ("opening play", 1200.0, 1700.0),
    ("midgame tactics", 1400.0, 1900.0),
    ("positional understanding", 1300.0, 1800.0),
];

/// Rates both, and lets them play each other.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    // A taste has two games against one opponent: no match.
    let is_match = work.extent != Extent::Taste;
    let mut figures = Vec::new();
    let mut said = None;
    for (engine, seed) in ENGINES.into_iter().zip([1300.0, 2000.0]) {
        let Some(rated) = rate(engine, work)? else { return Ok(None) };
        let figure = Figure::new(format!("{engine}: rating"), "Elo")
            .seed(seed, &format!("about {seed}"))
            .ours(rated.elo.unwrap_or(f64::NAN))
            .error(rated.error);
        let figure = if rated.varies { figure.timed() } else { figure };
        figures.push(figure.more_is_better().with_seeds_settings(is_match));
        said = Some(rated);
    }
    let games = work.extent.of(2, 20, 200);
    let agents = vec![entrant("axiomx"), entrant("axiomx-speed")];
    let Some(played) = play_match(agents, Format::RoundRobin, games, work)? else { return Ok(None) };
    let summary = &played.result.summary;
    figures.push(
        Figure::new("axiomx over axiomx-speed, games between them", "Elo")
            .seed(700.0, "+700")
            .ours(summary.estimate.elo.unwrap_or(f64::NAN))
            .error(summary.estimate.elo_error_95)
            .more_is_better()
            .with_seeds_settings(is_match),
    );
    // Nothing here measures the rating of a part of a game: the rows say what the seed says, and that it was not measured.
    for (part, speed, fields) in PARTS {
        for (engine, seed) in ENGINES.into_iter().zip([speed, fields]) {
            figures.push(
                Figure::new(format!("{engine}: rating of its {part}"), "Elo")
                    .seed(seed, &format!("about {seed}")),
            );
        }
    }
    let (how, note) = said.map(|rated| (rated.how, rated.note)).unwrap_or_default();
    Ok(Some(Findings {
        how: format!("Each played {how}. Between the two: {games} games."),
        figures,
        notes: vec![note, "The seed's ratings are estimates without a match. Those of parts of the game are not measured: games are played whole, and a rating is one of \
             whole games. What can be measured of the parts is in the steps on openings, mates, pieces won and positional themes.".to_owned()],
        ..Findings::default()
    }))
}
