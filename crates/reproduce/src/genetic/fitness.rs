//! Evolutions by whole games, and how fitness went (§III.B).

use tabia_eval::chromosome::genome::{GENES, SCALARS};
use tabia_evolve::{Generation, plots};

use super::evolution::{evolved, opponent_name, opponent_of, seeds};
use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::step::Findings;

/// The first or the last generation of an evolution.
type End = fn(&[Generation]) -> Option<&Generation>;

/// Starts or resumes the evolutions.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let Some(evolutions) = evolved(work)? else { return Ok(None) };
    let Some(shown) = evolutions.first().map(|first| &first.evolution) else { return Ok(None) };
    let settings = shown.settings();
    let opponent = opponent_of(&evolutions);
    let mut figures = vec![
        Figure::new("weights of a chromosome", "").seed(403.0, "403").ours(GENES as f64).compared(),
        Figure::new("principles among them", "").seed(18.0, "18").ours(SCALARS as f64).compared(),
        Figure::new("chromosomes", "").ours(settings.population as f64).compared(),
        Figure::new("generations", "")
            .seed(150.0, "150")
            .ours(f64::from(settings.generations))
            .compared()
            .with_seeds_settings(work.extent == Extent::Full),
        Figure::new("evolutions", "").ours(evolutions.len() as f64).compared(),
    ];
    let ends: [(&str, End); 2] = [("first", <[Generation]>::first), ("last", <[Generation]>::last)];
    for (name, end) in ends {
        let lines: Vec<&Generation> =
            evolutions.iter().filter_map(|each| end(&each.evolution.history().generations)).collect();
        let mean = |what: &str, unit: &str, value: fn(&Generation) -> f64| {
            let values: Vec<f64> = lines.iter().map(|line| value(line)).collect();
            Figure::new(format!("{what}, {name} generation"), unit).mean_of(&values)
        };
        figures.push(mean("mean fitness", "", |line| line.mean).more_is_better());
        figures.push(mean("best fitness", "", |line| line.best).more_is_better());
        figures.push(mean("points", "%", points).more_is_better());
        figures.push(mean("diversity", "pawns", |line| line.diversity).compared());
    }
    let gained = |what: &str, unit: &str, value: fn(&Generation) -> f64| {
        let values: Vec<f64> =
            evolutions.iter().map(|each| gain(&each.evolution.history().generations, value)).collect();
        Figure::new(format!("{what}, last tenth of generations less the first"), unit).mean_of(&values)
    };
    figures.push(gained("mean fitness", "", |line| line.mean).more_is_better());
    figures.push(gained("points", "%", points).more_is_better());
    let subtitle = format!(
        "population {}, {} generations, depth {}, seed {}",
        settings.population, settings.generations, settings.search.depth, settings.seed
    );
    let several = format!(
        "population {}, {} generations, depth {}, {}",
        settings.population,
        settings.generations,
        settings.search.depth,
        seeds(&evolutions)
    );
    Ok(Some(Findings {
        how: format!(
            "The algorithm as printed: {several}; one game a chromosome and generation from a middlegame, against {}. Fitness is 1000 for a win, \
             material for a draw, −1000 and the half-moves for a loss. Means over evolutions; the pictures show the first.",
            opponent_name(&opponent)
        ),
        figures,
        notes: vec![
            "The seed names 17 principles and counts 18, and 403 weights; 18 and six tables of 64 are 402. Its population and depth while evolving \
             are those of its public code: 300 and 2."
                .to_owned(),
            "All games of a generation begin from one position, so that its results are as much that position's as the chromosomes'. Whether an \
             evolution climbs is therefore judged by the first and the last tenth of its generations."
                .to_owned(),
        ],
        pictures: plots::of_fitness(shown.history(), &subtitle)
            .into_iter()
            .map(|picture| {
                let picture = crate::step::Plot::from(picture);
                crate::step::Plot { name: format!("genetic-{}", picture.name), ..picture }
            })
            .collect(),
    }))
}

/// The mean over the last tenth of the generations, less that over the first.
fn gain<T>(generations: &[T], value: fn(&T) -> f64) -> f64 {
    let tenth = (generations.len() / 10).max(1);
    let mean = |part: &[T]| part.iter().map(value).sum::<f64>() / part.len().max(1) as f64;
    mean(&generations[generations.len().saturating_sub(tenth)..])
        - mean(&generations[..tenth.min(generations.len())])
}

/// Points of a generation's games in percent.
fn points(generation: &Generation) -> f64 {
    let counts = [generation.wins, generation.draws, generation.losses];
    let [wins, draws, losses] = counts.map(|count| f64::from(count.unwrap_or(0)));
    100.0 * (wins + draws / 2.0) / (wins + draws + losses).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gain_is_between_the_first_and_the_last_tenth() {
        let climbing: Vec<f64> = (0..20).map(f64::from).collect();
        assert!((gain(&climbing, |value| *value) - 18.0).abs() < 1e-9);
        assert!((gain(&[5.0, 3.0], |value| *value) + 2.0).abs() < 1e-9);
        assert!(gain::<f64>(&[5.0], |value| *value).abs() < 1e-9);
    }
}
