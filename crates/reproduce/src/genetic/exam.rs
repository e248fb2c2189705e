//! The seed's three tests: 100 games of a random chromosome, of the evolved one, and of the evolved one with the original tables (§IV.B).

use tabia_eval::chromosome::Weights;
use tabia_evolve::exam::{Candidate, ExamSettings, SEED_FIGURES, examine};
use tabia_evolve::operators::original_tables;
use tabia_evolve::{CHAMPION, SearchSettings, local_grid, read_weights};

use super::evolution::{directory, evolved, games, opponent_name, opponent_of};
use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::step::Findings;

/// Where games begin follows from this.
const OPENINGS: u64 = 1000;

/// Plays the games of the three tests.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let Some(evolution) = evolved(work)? else { return Ok(None) };
    let opponent = opponent_of(&evolution);
    let champion = read_weights(&directory(work).join(CHAMPION))?.to_flat();
    let mut with_original = champion.clone();
    original_tables(&mut with_original);
    let weights = [Weights::random(evolution.settings().seed).to_flat().to_vec(), champion, with_original];
    let candidates: Vec<Candidate> = SEED_FIGURES
        .iter()
        .zip(weights)
        .map(|((name, _, _), genes)| Candidate { name: (*name).to_owned(), genes })
        .collect();
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
    for (result, (name, won, lost)) in results.iter().zip(SEED_FIGURES) {
        figures.push(
            Figure::new(format!("{name}: points"), "%")
                .seed(f64::from(won), &format!("{won}–{lost}"))
                .ours(result.percent)
                .more_is_better()
                .with_seeds_settings(work.extent == Extent::Full),
        );
        let of_all = |count: u64| 100.0 * count as f64 / f64::from(settings.games);
        figures.push(Figure::new(format!("{name}: won"), "%").ours(of_all(result.wins)).more_is_better());
        figures.push(Figure::new(format!("{name}: drawn"), "%").ours(of_all(result.draws)).compared());
    }
    Ok(Some(Findings {
        how: format!(
            "{} games each at depth {} against {}, from middlegames, every one with both colours; a draw after 200 half-moves.",
            settings.games,
            settings.search.depth,
            opponent_name(&opponent)
        ),
        figures,
        notes: vec![
            "The seed's figures are those of its Fig. 4, which counts no draws. With a smaller population or fewer generations than the seed's there is no verdict. docs/evolution.md has the same tests against Stockfish, and what other \
             kinds of fitness come to."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}
