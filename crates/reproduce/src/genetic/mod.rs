//! Seed 003: the evolution by games, its fitness, the three tests, and what becomes of the tables.
//!
//! All steps are about one evolution, kept in the directory `evolution` of the run and gone on with like any other.

mod exam;
mod fitness;
mod tables;

use std::path::PathBuf;

use tabia_evolve::{
    BUILT_IN_OPPONENT, Evolution, Fitness, GameSettings, OpeningSettings, SearchSettings, Settings,
    on_threads,
};

use crate::step::{Seed, Step};
use crate::work::{Done, Work};

/// The opponent of the seed, where it is installed.
const STOCKFISH: &str = "uci(cmd=stockfish)";
/// The version that manifests of evolutions are compared by: this crate's.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The steps of this seed.
pub const STEPS: &[Step] = &[
    Step {
        seed: Seed::Genetic,
        name: "fitness",
        title: "Fitness by generation",
        section: "§III.B",
        seconds: [20.0, 600.0],
        run: fitness::run,
    },
    Step {
        seed: Seed::Genetic,
        name: "exam",
        title: "The three tests",
        section: "§IV.B, Fig. 4",
        seconds: [30.0, 200.0],
        run: exam::run,
    },
    Step {
        seed: Seed::Genetic,
        name: "tables",
        title: "Tables before and after",
        section: "§IV.A, Figs. 5–11",
        seconds: [0.5, 0.5],
        run: tables::run,
    },
];

/// Who is played against: Stockfish where there is one.
fn opponent(work: &Work<'_>) -> &'static str {
    if work.players.has(STOCKFISH) { STOCKFISH } else { BUILT_IN_OPPONENT }
}

fn opponent_words(spec: &str) -> &'static str {
    if spec == STOCKFISH {
        "Stockfish at depth 1"
    } else {
        "our own engine at depth 1, as no Stockfish is installed"
    }
}

fn games(opponent: &str) -> GameSettings {
    GameSettings {
        opponent: opponent.to_owned(),
        opening: OpeningSettings::by(opponent),
        ..GameSettings::default()
    }
}

/// The evolution that is looked at.
fn settings(work: &Work<'_>, opponent: &str) -> Settings {
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

fn directory(work: &Work<'_>) -> PathBuf {
    work.directory.join("evolution")
}

/// The evolution, finished; none when it was stopped.
fn evolved(work: &mut Work<'_>) -> Done<Evolution> {
    let path = directory(work);
    let mut evolution = if path.join("manifest.toml").exists() {
        let (there, _) = Evolution::settings_of(&path)?;
        Evolution::resume(&path, there, VERSION)?
    } else {
        let settings = settings(work, opponent(work));
        Evolution::start(&path, settings, VERSION)?
    };
    let agents = (work.players.catalogue)();
    let grid = on_threads(work.threads, &agents);
    let (stop, tell) = (work.stop, &mut *work.tell);
    let outcome = evolution.run(&grid, stop, &mut |progress| {
        let done = progress.generation as usize * progress.tasks + progress.done;
        tell(done, progress.generations as usize * progress.tasks);
    })?;
    Ok(outcome.map(|_| evolution))
}

/// Who its settings say is played against.
fn opponent_of(evolution: &Evolution) -> String {
    match &evolution.settings().fitness {
        Fitness::Game(games) => games.opponent.clone(),
        Fitness::Positions(_) | Fitness::Mentor(_) => BUILT_IN_OPPONENT.to_owned(),
    }
}
