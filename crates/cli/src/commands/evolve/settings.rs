//! What was typed, as the settings of an evolution.

use std::path::Path;

use tabia_core::{AgentSpec, Catalogue, ChessGame};
use tabia_evolve::positions::{self, BUILT_IN};
use tabia_evolve::{
    Fitness, FounderSettings, GameSettings, OpeningSettings, PositionSettings, Settings, file_sha256,
};

use super::args::{FitnessKind, RunArgs};
use crate::catalogue;
use crate::failure::Usage;

/// How far chromosomes look ahead where positions are what counts, as those did who chose masters' moves.
const POSITION_DEPTH: u32 = 1;

/// The settings that are asked for: what is typed, over what a run has, or over the defaults.
pub fn over(
    args: &RunArgs,
    there: Option<&Settings>,
    agents: &Catalogue<ChessGame>,
) -> anyhow::Result<Settings> {
    let mut settings = there.cloned().unwrap_or_default();
    macro_rules! take {
        ($($from:ident => $to:expr),+ $(,)?) => { $(if let Some(value) = args.$from { $to = value.into(); })+ };
    }
    take! {
        seed => settings.seed,
        population => settings.population,
        generations => settings.generations,
        elites => settings.elites,
        tournament => settings.tournament,
        mutation => settings.mutation_strength,
        mutation_rate => settings.mutation_rate,
        tables => settings.tables,
    }
    settings.phases |= args.phases;
    if let Some(path) = &args.from {
        settings.founder = Some(founder(path)?);
    }
    let kind = args.fitness.unwrap_or(match (&settings.fitness, &args.positions) {
        (Fitness::Game(_), None) => FitnessKind::Game,
        (Fitness::Game(_) | Fitness::Positions(_), _) => FitnessKind::Positions,
        (Fitness::Mentor(_), _) => FitnessKind::Mentor,
    });
    refuse_strangers(args, kind)?;
    if there.is_none() && kind != FitnessKind::Game {
        settings.search.depth = POSITION_DEPTH;
    }
    take! { search => settings.search.kind, depth => settings.search.depth, quiescence => settings.search.quiescence, checks => settings.search.checks }
    settings.fitness = match (kind, settings.fitness.clone()) {
        (FitnessKind::Game, Fitness::Game(games)) => Fitness::Game(over_games(args, games, agents)?),
        (FitnessKind::Game, _) => Fitness::Game(over_games(args, GameSettings::default(), agents)?),
        (FitnessKind::Positions, before) => Fitness::Positions(over_positions(args, &before, settings.seed)?),
        (FitnessKind::Mentor, before) => Fitness::Mentor(over_positions(args, &before, settings.seed)?),
    };
    Ok(settings)
}

/// Options of one kind of fitness mean nothing to another.
fn refuse_strangers(args: &RunArgs, kind: FitnessKind) -> Result<(), Usage> {
    let games = [
        ("--opponent", args.opponent.is_some()),
        ("--opponent-depth", args.opponent_depth.is_some()),
        ("--games", args.games.is_some()),
        ("--rivals", args.rivals.is_some()),
        ("--hall", args.hall.is_some()),
        ("--opening-plies", args.opening_plies.is_some()),
        ("--opening-depth", args.opening_depth.is_some()),
        ("--random-plies", args.random_plies.is_some()),
        ("--max-plies", args.max_plies.is_some()),
    ];
    let positions = [("--positions", args.positions.is_some()), ("--sample", args.sample.is_some())];
    let (strangers, right) = match kind {
        FitnessKind::Game => (&positions[..], "--fitness positions or mentor"),
        FitnessKind::Positions | FitnessKind::Mentor => (&games[..], "--fitness game"),
    };
    match strangers.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Usage(format!("{option} can only be used with {right}"))),
        None => Ok(()),
    }
}

fn over_games(
    args: &RunArgs,
    mut games: GameSettings,
    agents: &Catalogue<ChessGame>,
) -> Result<GameSettings, Usage> {
    if let Some(opponent) = &args.opponent {
        check_agent(opponent, agents)?;
        games.opponent.clone_from(opponent);
        games.opening.agent.clone_from(opponent);
    }
    macro_rules! take {
        ($($from:ident => $to:expr),+ $(,)?) => { $(if let Some(value) = args.$from { $to = value; })+ };
    }
    take! {
        opponent_depth => games.opponent_depth,
        games => games.games,
        rivals => games.rivals,
        hall => games.hall,
        opening_plies => games.opening.plies,
        opening_depth => games.opening.depth,
        random_plies => games.opening.random_plies,
        max_plies => games.max_plies,
    }
    Ok(games)
}

/// Refuses an agent that cannot be meant before anything is made of it.
pub fn check_agent(text: &str, agents: &Catalogue<ChessGame>) -> Result<(), Usage> {
    let spec: AgentSpec = text.parse().map_err(|error| Usage(format!("{error}")))?;
    catalogue::check(agents, &spec).map(|_| ())
}

fn over_positions(args: &RunArgs, before: &Fitness, seed: u64) -> anyhow::Result<PositionSettings> {
    let before = match before {
        Fitness::Positions(before) | Fitness::Mentor(before) => Some(before),
        Fitness::Game(_) => None,
    };
    let source = args.positions.clone().or(before.map(|before| before.source.clone()));
    let source = source.unwrap_or_else(|| BUILT_IN.to_owned());
    let list = positions::read(&source, seed)?;
    let sample = args.sample.or(before.map(|before| before.sample)).unwrap_or(list.len());
    Ok(PositionSettings { source, count: list.len(), sha256: positions::fingerprint(&list), sample })
}

fn founder(path: &Path) -> anyhow::Result<FounderSettings> {
    Ok(FounderSettings { path: path.display().to_string(), sha256: file_sha256(path)? })
}

/// How games are played against an opponent, for tests of champions.
pub fn against(opponent: &str, depth: u32, max_plies: u32) -> GameSettings {
    GameSettings {
        opponent: opponent.to_owned(),
        opponent_depth: depth,
        opening: OpeningSettings::by(opponent),
        max_plies,
        ..GameSettings::default()
    }
}
