//! An evolution by whole games, and how fitness went (§III.B).

use tabia_eval::chromosome::genome::{GENES, SCALARS};
use tabia_evolve::plots;

use super::evolution::{evolved, opponent_name, opponent_of};
use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::step::Findings;

/// Starts or resumes an evolution.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let Some(evolution) = evolved(work)? else { return Ok(None) };
    let settings = evolution.settings();
    let generations = &evolution.history().generations;
    let opponent = opponent_of(&evolution);
    let mut figures = vec![
        Figure::new("weights of a chromosome", "").seed(403.0, "403").ours(GENES as f64).compared(),
        Figure::new("principles among them", "").seed(18.0, "18").ours(SCALARS as f64).compared(),
        Figure::new("chromosomes", "").ours(settings.population as f64).compared(),
        Figure::new("generations", "").seed(150.0, "150").ours(f64::from(settings.generations)).compared(),
    ];
    if let (Some(first), Some(last)) = (generations.first(), generations.last()) {
        let games = |generation: &tabia_evolve::Generation| {
            let [wins, draws, losses] = [generation.wins, generation.draws, generation.losses]
                .map(|count| f64::from(count.unwrap_or(0)));
            100.0 * (wins + draws / 2.0) / (wins + draws + losses).max(1.0)
        };
        for (name, line) in [("first", first), ("last", last)] {
            let generation = |what: &str| format!("{what}, {name} generation");
            figures.push(Figure::new(generation("mean fitness"), "").ours(line.mean).more_is_better());
            figures.push(Figure::new(generation("best fitness"), "").ours(line.best).more_is_better());
            figures.push(Figure::new(generation("points"), "%").ours(games(line)).more_is_better());
            figures.push(Figure::new(generation("diversity"), "pawns").ours(line.diversity).compared());
        }
    }
    let subtitle = format!(
        "population {}, {} generations, depth {}, seed {}",
        settings.population, settings.generations, settings.search.depth, settings.seed
    );
    Ok(Some(Findings {
        how: format!(
            "The algorithm as printed: {subtitle}; one game a chromosome and generation from a middlegame, against {}. Fitness is 1000 for a win, \
             material for a draw, −1000 and the half-moves for a loss.",
            opponent_name(&opponent)
        ),
        figures,
        notes: vec![
            "The seed names 17 principles and counts 18, and 403 weights; 18 and six tables of 64 are 402. Its population and depth while evolving \
             are those of its public code: 300 and 2."
                .to_owned(),
        ],
        pictures: plots::of_fitness(evolution.history(), &subtitle)
            .into_iter()
            .map(|picture| {
                let picture = crate::step::Plot::from(picture);
                crate::step::Plot { name: format!("genetic-{}", picture.name), ..picture }
            })
            .collect(),
    }))
}
