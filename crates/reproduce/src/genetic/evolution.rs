//! The evolutions that all steps of seed 003 measure: the same algorithm with several random seeds.

use std::path::PathBuf;

use tabia_eval::chromosome::Phases;
use tabia_evolve::{
    BUILT_IN_OPPONENT, CHAMPION, Evolution, Fitness, GameSettings, OpeningSettings, SearchSettings, Settings,
    local_grid, read_weights,
};

use crate::context::{Extent, Interruptible, StepContext};

/// The seed's opponent, if it is installed.
pub const STOCKFISH: &str = "uci(cmd=stockfish)";
/// The version that manifests of evolutions are compared by: this crate's.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The opponent: Stockfish if it is installed.
pub fn opponent(work: &StepContext<'_>) -> &'static str {
    if work.players.has(STOCKFISH) { STOCKFISH } else { BUILT_IN_OPPONENT }
}

/// The opponent in reports.
pub fn opponent_name(spec: &str) -> &'static str {
    if spec == STOCKFISH {
        "Stockfish at depth 1"
    } else {
        "our own engine at depth 1, as no Stockfish is installed"
    }
}

/// Settings of games against an opponent.
pub fn games(opponent: &str) -> GameSettings {
    GameSettings {
        opponent: opponent.to_owned(),
        opening: OpeningSettings::by(opponent),
        ..GameSettings::default()
    }
}

/// How many evolutions there are; their seeds are 1, 2 and so on.
fn runs(extent: Extent) -> u64 {
    extent.of(1, 1, 5)
}

/// Settings of the evolution with a random seed. At full extent population, generations and depth are the seed's.
fn settings(extent: Extent, opponent: &str, seed: u64) -> Settings {
    let (population, generations) = extent.of((4, 2), (40, 20), (300, 150));
    let depth = extent.of(1, 2, 2);
    Settings {
        seed,
        population,
        generations,
        search: SearchSettings::plain(depth, 0),
        fitness: Fitness::Game(games(opponent)),
        ..Settings::default()
    }
}

/// Directory of the evolution with a random seed, from 1.
fn directory(work: &StepContext<'_>, seed: u64) -> PathBuf {
    work.directory.join(if seed == 1 { "evolution".to_owned() } else { format!("evolution-{seed}") })
}

/// A finished evolution and its last champion.
pub struct Evolved {
    pub evolution: Evolution,
    pub champion: Phases,
}

/// The finished evolutions, at least one; `None` if stopped.
pub fn evolved(work: &mut StepContext<'_>) -> Interruptible<Vec<Evolved>> {
    let runs = runs(work.extent);
    let mut all = Vec::new();
    for seed in 1..=runs {
        let Some(evolution) = run(work, seed, runs)? else { return Ok(None) };
        let champion = read_weights(&directory(work, seed).join(CHAMPION))?;
        all.push(Evolved { evolution, champion });
    }
    Ok(Some(all))
}

/// Starts or resumes one of so many evolutions.
fn run(work: &mut StepContext<'_>, seed: u64, runs: u64) -> Interruptible<Evolution> {
    let path = directory(work, seed);
    let mut evolution = if path.join("manifest.toml").exists() {
        let (there, _) = Evolution::settings_of(&path)?;
        Evolution::resume(&path, there, VERSION)?
    } else {
        let settings = settings(work.extent, opponent(work), seed);
        Evolution::start(&path, settings, VERSION)?
    };
    let agents = (work.players.catalogue)();
    let grid = local_grid(work.threads, &agents);
    let (stop, tell) = (work.stop, &mut *work.tell);
    let outcome = evolution.run(&grid, stop, &mut |progress| {
        let each = progress.generations as usize * progress.tasks;
        let done = progress.generation as usize * progress.tasks + progress.done;
        tell((seed - 1) as usize * each + done, runs as usize * each);
    })?;
    Ok(outcome.map(|_| evolution))
}

/// "seed 1" or "seeds 1 to 5".
pub fn seeds(evolutions: &[Evolved]) -> String {
    match evolutions.len() {
        0 | 1 => "seed 1".to_owned(),
        several => format!("seeds 1 to {several}"),
    }
}

/// The opponent in the evolutions' settings.
pub fn opponent_of(evolutions: &[Evolved]) -> String {
    match evolutions.first().map(|first| &first.evolution.settings().fitness) {
        Some(Fitness::Game(games)) => games.opponent.clone(),
        Some(Fitness::Positions(_) | Fitness::Mentor(_)) | None => BUILT_IN_OPPONENT.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_full_extent_has_five_evolutions_of_the_seeds_size() {
        assert_eq!([Extent::Taste, Extent::Quick, Extent::Full].map(runs), [1, 1, 5]);
        for seed in 1..=runs(Extent::Full) {
            let full = settings(Extent::Full, STOCKFISH, seed);
            assert_eq!((full.population, full.generations, full.search.depth), (300, 150, 2));
            assert_eq!(full.seed, seed);
            let Fitness::Game(games) = full.fitness else { panic!("fitness is by games") };
            assert_eq!((games.opponent.as_str(), games.opponent_depth, games.games), (STOCKFISH, 1, 1));
        }
        let quick = settings(Extent::Quick, STOCKFISH, 1);
        assert_eq!((quick.population, quick.generations), (40, 20));
    }

    #[test]
    fn without_stockfish_the_opponent_is_our_own_engine() {
        testing::work(Extent::Full, |work| assert_eq!(opponent(work), BUILT_IN_OPPONENT));
    }
}
