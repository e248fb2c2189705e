//! The seed's three tests: 100 games each of random chromosomes, of evolved ones, and of these with the original tables (§IV.B).

use tabia_eval::chromosome::Weights;
use tabia_evolve::exam::{Candidate, ExamResult, ExamSettings, SEED_FIGURES, examine};
use tabia_evolve::operators::original_tables;
use tabia_evolve::{SearchSettings, local_grid};

use super::evolution::{STOCKFISH, evolved, games, opponent_name, opponent_of, seeds};
use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;
use crate::step::Findings;

/// Where games begin follows from this.
const OPENINGS: u64 = 1000;

/// Random chromosomes in the first test.
fn random_chromosomes(extent: Extent) -> u64 {
    extent.of(1, 2, 10)
}

/// Settings of the matches. At full extent the number of games and the depth are the seed's.
fn settings(extent: Extent, opponent: &str) -> ExamSettings {
    ExamSettings {
        games: extent.of(2, 20, 100),
        search: SearchSettings::plain(extent.of(1, 4, 4), 0),
        seed: OPENINGS,
        against: games(opponent),
    }
}

/// Whether chromosomes are evolved and tested as the seed's: as many games, as large an evolution, and the same opponent.
/// Points against another opponent say nothing about the seed's.
fn has_seeds_settings(extent: Extent, opponent: &str) -> bool {
    extent == Extent::Full && opponent == STOCKFISH
}

/// Plays the games of the three tests.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let Some(evolutions) = evolved(work)? else { return Ok(None) };
    let opponent = opponent_of(&evolutions);
    let random: Vec<Vec<f64>> =
        (1..=random_chromosomes(work.extent)).map(|seed| Weights::random(seed).to_flat().to_vec()).collect();
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
    let settings = settings(work.extent, &opponent);
    let agents = (work.players.catalogue)();
    let grid = local_grid(work.threads, &agents);
    let (stop, tell) = (work.stop, &mut *work.tell);
    let Some(results) = examine(&grid, &candidates, &settings, stop, &mut |done, of| tell(done, of))? else {
        return Ok(None);
    };
    let same = has_seeds_settings(work.extent, &opponent);
    let mut figures = Vec::new();
    let mut rest = results.as_slice();
    for (group, (name, won, lost)) in groups.iter().zip(SEED_FIGURES) {
        let (results, others) = rest.split_at(group.len());
        rest = others;
        figures.extend(figures_of(name, [won, lost], results, settings.games, same));
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
             generations than the seed's, or another opponent than Stockfish, there is no verdict. docs/evolution.md has the same tests against Stockfish, \
             and what other kinds of fitness come to."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}

/// What chromosomes of one kind have scored, each in so many games.
fn figures_of(
    name: &str,
    [won, lost]: [u32; 2],
    results: &[ExamResult],
    games: u32,
    has_seeds_settings: bool,
) -> [Figure; 5] {
    let of_all = |count: u64| 100.0 * count as f64 / f64::from(games);
    let points: Vec<f64> = results.iter().map(|result| result.percent).collect();
    let wins: Vec<f64> = results.iter().map(|result| of_all(result.wins)).collect();
    let draws: Vec<f64> = results.iter().map(|result| of_all(result.draws)).collect();
    let least = points.iter().copied().fold(f64::INFINITY, f64::min);
    let most = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    [
        Figure::new(format!("{name}: points"), "%")
            .seed(f64::from(won), &format!("{won}–{lost}"))
            .mean_of(&points)
            .more_is_better()
            .with_seeds_settings(has_seeds_settings),
        Figure::new(format!("{name}: points, the weakest"), "%").ours(least).compared(),
        Figure::new(format!("{name}: points, the strongest"), "%").ours(most).compared(),
        Figure::new(format!("{name}: won"), "%").mean_of(&wins).more_is_better(),
        Figure::new(format!("{name}: drawn"), "%").mean_of(&draws).compared(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::evolution::opponent;
    use super::*;
    use crate::figure::Verdict;
    use crate::testing;

    #[test]
    fn a_full_extent_has_ten_random_chromosomes_and_the_seeds_hundred_games() {
        assert_eq!([Extent::Taste, Extent::Quick, Extent::Full].map(random_chromosomes), [1, 2, 10]);
        let full = settings(Extent::Full, STOCKFISH);
        assert_eq!((full.games, full.search), (100, SearchSettings::plain(4, 0)));
        assert_eq!((full.against.opponent.as_str(), full.against.opponent_depth), (STOCKFISH, 1));
        assert_eq!(settings(Extent::Quick, STOCKFISH).games, 20);
    }

    #[test]
    fn another_opponent_or_a_smaller_extent_gives_no_verdict() {
        let result = |wins, draws, percent| ExamResult {
            name: "evolved".to_owned(),
            wins,
            draws,
            losses: 100 - wins - draws,
            percent,
            elo: None,
            elo_error_95: None,
        };
        let results = [result(60, 20, 70.0), result(64, 20, 74.0)];
        let points = |extent, opponent: &str| {
            let same = has_seeds_settings(extent, opponent);
            let [points, .., won, drawn] = figures_of("evolved", [40, 60], &results, 100, same);
            assert_eq!((points.ours, won.ours, drawn.ours), (Some(72.0), Some(62.0), Some(20.0)));
            points.verdict
        };
        assert_eq!(points(Extent::Full, STOCKFISH), Verdict::Better);
        assert_eq!(points(Extent::Quick, STOCKFISH), Verdict::OtherSettings);
        let own = testing::work(Extent::Full, |work| opponent(work));
        assert_eq!(points(Extent::Full, own), Verdict::OtherSettings, "{own}");
    }
}
