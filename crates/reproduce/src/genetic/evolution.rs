//! The evolution that all steps of seed 003 measure.

use std::path::PathBuf;

use tabia_evolve::{
    BUILT_IN_OPPONENT, Evolution, Fitness, GameSettings, OpeningSettings, SearchSettings, Settings,
    local_grid,
};

use crate::context::{Interruptible, StepContext};

/// The seed's opponent, if it is installed.
const STOCKFISH: &str = "uci(cmd=stockfish)";
/// The version that manifests of evolutions are compared by: this crate's.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The opponent: Stockfish if it is installed.
fn opponent(work: &StepContext<'_>) -> &'static str {
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

fn settings(work: &StepContext<'_>, opponent: &str) -> Settings {
    let (population, generations) = work.extent.of((4, 2), (40, 20), (300, 150));
    let depth = work.extent.of(1, 2, 2);
    Settings {
        population,
        generations,
        search: SearchSettings::plain(depth, 0),
        fitness: Fitness::Game(games(opponent)),
        ..Settings::default()
    }
}

/// Directory of the evolution.
pub fn directory(work: &StepContext<'_>) -> PathBuf {
    work.directory.join("evolution")
}

/// The finished evolution; `None` if stopped.
pub fn evolved(work: &mut StepContext<'_>) -> Interruptible<Evolution> {
    let path = directory(work);
    let mut evolution = if path.join("manifest.toml").exists() {
        let (there, _) = Evolution::settings_of(&path)?;
        Evolution::resume(&path, there, VERSION)?
    } else {
        let settings = settings(work, opponent(work));
        Evolution::start(&path, settings, VERSION)?
    };
    let agents = (work.players.catalogue)();
    let grid = local_grid(work.threads, &agents);
    let (stop, tell) = (work.stop, &mut *work.tell);
    let outcome = evolution.run(&grid, stop, &mut |progress| {
        let done = progress.generation as usize * progress.tasks + progress.done;
        tell(done, progress.generations as usize * progress.tasks);
    })?;
    Ok(outcome.map(|_| evolution))
}

/// The opponent in an evolution's settings.
pub fn opponent_of(evolution: &Evolution) -> String {
    match &evolution.settings().fitness {
        Fitness::Game(games) => games.opponent.clone(),
        Fitness::Positions(_) | Fitness::Mentor(_) => BUILT_IN_OPPONENT.to_owned(),
    }
}
