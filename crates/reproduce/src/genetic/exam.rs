//! The seed's three tests: 100 games each of random chromosomes, of evolved ones, and of these with the original tables (§IV.B).

use tabia_eval::chromosome::Weights;
use tabia_evolve::exam::{Candidate, ExamSettings, SEED_FIGURES, examine};
use tabia_evolve::operators::original_tables;
use tabia_evolve::{SearchSettings, local_grid};

use super::evolution::{evolved, games, opponent_name, opponent_of, seeds};
use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::step::Findings;

/// Where games begin follows from this.
const OPENINGS: u64 = 1000;

/// Plays the games of the three tests.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let Some(evolutions) = evolved(work)? else { return Ok(None) };
    let opponent = opponent_of(&evolutions);
    let random: Vec<Vec<f64>> =
        (1..=work.extent.of(1, 2, 10)).map(|seed| Weights::random(seed).to_flat().to_vec()).collect();
    let champions: Vec<Vec<f64>> = evolutions.iter().map(|each| each.champion.to_flat()).collect();
    let mut with_original = champions.clone();
    for genes in &mut with_original {
        original_tables(genes);
    }
    let groups = [random, champions, with_original];
    let mut candidates = Vec::new();
    for ((name, _, _), group) in SEED_FIGURES.iter().zip(&groups) {
        let named = |(place, genes): (usize, &Vec<f64>)| Candidate {
            name: format!("{name} {}", place + 1),
            genes: genes.clone(),
        };
        candidates.extend(group.iter().enumerate().map(named));
    }
    let settings = ExamSettings {
        games: work.extent.of(2, 20, 100),
        search: SearchSettings::plain(work.extent.of(1, 4, 4), 0),
        seed: OPENINGS,
        against: games(&opponent),
    };
    let agents = (work.players.catalogue)();
    let grid = local_grid(work.threads, &agents);
    let (stop, tell) = (work.stop, &mut *work.tell);
    let Some(results) = examine(&grid, &candidates, &settings, stop, &mut |done, of| tell(done, of))? else {
        return Ok(None);
    };
    let mut figures = Vec::new();
    let mut rest = results.as_slice();
    for (group, (name, won, lost)) in groups.iter().zip(SEED_FIGURES) {
        let (results, others) = rest.split_at(group.len());
        rest = others;
        let of_all = |count: u64| 100.0 * count as f64 / f64::from(settings.games);
        let points: Vec<f64> = results.iter().map(|result| result.percent).collect();
        let wins: Vec<f64> = results.iter().map(|result| of_all(result.wins)).collect();
        let draws: Vec<f64> = results.iter().map(|result| of_all(result.draws)).collect();
        figures.push(
            Figure::new(format!("{name}: points"), "%")
                .seed(f64::from(won), &format!("{won}–{lost}"))
                .mean_of(&points)
                .more_is_better()
                .with_seeds_settings(work.extent == Extent::Full),
        );
        let least = points.iter().copied().fold(f64::INFINITY, f64::min);
        let most = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        figures.push(Figure::new(format!("{name}: points, the weakest"), "%").ours(least).compared());
        figures.push(Figure::new(format!("{name}: points, the strongest"), "%").ours(most).compared());
        figures.push(Figure::new(format!("{name}: won"), "%").mean_of(&wins).more_is_better());
        figures.push(Figure::new(format!("{name}: drawn"), "%").mean_of(&draws).compared());
    }
    Ok(Some(Findings {
        how: format!(
            "{} games each of {} random chromosomes and of the last champions of {} evolutions ({}), at depth {} against {}, from middlegames, every \
             one with both colours; a draw after 200 half-moves. Means over chromosomes; errors are Student's t over them.",
            settings.games,
            groups[0].len(),
            evolutions.len(),
            seeds(&evolutions),
            settings.search.depth,
            opponent_name(&opponent)
        ),
        figures,
        notes: vec![
            "The seed's figures are those of its Fig. 4, which counts no draws and shows one chromosome of each kind. With a smaller population or fewer \
             generations than the seed's there is no verdict. docs/evolution.md has the same tests against Stockfish, and what other kinds of fitness \
             come to."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}
