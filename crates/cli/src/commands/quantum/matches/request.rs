//! Settings of a match from the arguments.

use anyhow::Context;
use tabia_arena::quantum::Settings;
use tabia_arena::tournament::Format;
use tabia_arena::tournament::chess::{Entrant, SprtSettings, TimeControl};
use tabia_stats::EloModel;

use super::args::MatchArgs;
use crate::catalogue;
use crate::commands::matches::request::named_spec;
use crate::failure::Usage;

/// Default number of games per pairing, and the most for a sequential test.
const GAMES: usize = 20;
const GAMES_OF_A_TEST: usize = 100_000;
/// Default number of random plies of an opening.
const OPENING_PLIES: u32 = 4;
/// Error rates of a test.
const ERROR_RATE: f64 = 0.05;

/// The settings: arguments override the resumed settings, or the defaults.
pub fn settings(args: &MatchArgs, there: Option<&Settings>) -> anyhow::Result<Settings> {
    let sprt = match args.sprt {
        Some([elo0, elo1]) => Some(SprtSettings {
            elo0,
            elo1,
            alpha: args.alpha.unwrap_or(ERROR_RATE),
            beta: args.beta.unwrap_or(ERROR_RATE),
            model: EloModel::default(),
        }),
        None => there.and_then(|there| there.sprt),
    };
    let usual_games = if sprt.is_some() { GAMES_OF_A_TEST } else { GAMES };
    let games = args.games.map(|games| games as usize);
    let positions = match (positions(args)?, there) {
        (given, Some(there)) if given.is_empty() => there.positions.clone(),
        (given, _) => given,
    };
    let opening_plies = if positions.is_empty() { OPENING_PLIES } else { 0 };
    Ok(Settings {
        seed: args.seed.or(there.map(|there| there.seed)).unwrap_or(1),
        format: match there {
            _ if args.gauntlet => Format::Gauntlet,
            Some(there) => there.format,
            None => Format::RoundRobin,
        },
        games: games.or(there.map(|there| there.games)).unwrap_or(usual_games),
        opening_plies: args.opening_plies.or(there.map(|there| there.opening_plies)).unwrap_or(opening_plies),
        positions,
        sprt,
        agents: entrants(args, there)?,
    })
}

/// The positions that games start from, those typed before those of the file. Empty lines and comments (`#`) are passed over.
fn positions(args: &MatchArgs) -> anyhow::Result<Vec<String>> {
    let mut texts = args.position.clone();
    if let Some(path) = &args.positions {
        let reading = || format!("cannot read the positions in {}", path.display());
        let text = std::fs::read_to_string(path).with_context(reading)?;
        let before = texts.len();
        texts.extend(
            text.lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(str::to_owned),
        );
        if texts.len() == before {
            return Err(Usage(format!("{} has no position", path.display())).into());
        }
    }
    let normal = |(index, text): (usize, &String)| -> anyhow::Result<String> {
        let game = super::super::read_position(text)
            .map_err(|Usage(error)| Usage(format!("position {}: {error}", index + 1)))?;
        Ok(game.to_string())
    };
    texts.iter().enumerate().map(normal).collect()
}

fn entrants(args: &MatchArgs, there: Option<&Settings>) -> anyhow::Result<Vec<Entrant>> {
    let mut entrants = match there {
        Some(there) if args.agents.is_empty() => there.agents.clone(),
        _ => new_entrants(&args.agents)?,
    };
    for entrant in &mut entrants {
        entrant.time_control = args.time_control().unwrap_or(entrant.time_control);
    }
    for text in &args.anchor {
        let (name, rating) = text
            .rsplit_once('=')
            .and_then(|(name, rating)| Some((name, rating.trim().parse::<f64>().ok()?)))
            .filter(|(_, rating)| rating.is_finite())
            .ok_or_else(|| Usage(format!("--anchor \"{text}\": write NAME=RATING, such as greedy=1000")))?;
        let names: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let entrant = entrants.iter_mut().find(|entrant| entrant.name == name).ok_or_else(|| {
            Usage(format!("--anchor: no agent is called \"{name}\" (there are: {})", names.join(", ")))
        })?;
        entrant.anchor = Some(rating);
    }
    Ok(entrants)
}

fn new_entrants(agents: &[String]) -> anyhow::Result<Vec<Entrant>> {
    let catalogue = catalogue::quantum();
    let mut entrants: Vec<Entrant> = Vec::new();
    for text in agents {
        let (name, spec) = named_spec(text)?;
        catalogue::check(&catalogue, &spec)?;
        let name = name.map_or_else(|| spec.to_string(), str::to_owned);
        // Agents with equal names are distinguished by a number.
        let times = entrants.iter().filter(|entrant| entrant.spec == spec.to_string()).count() + 1;
        let taken = entrants.iter().any(|entrant| entrant.name == name);
        let name = if taken && times > 1 { format!("{name}#{times}") } else { name };
        entrants.push(Entrant { name, spec: spec.to_string(), time_control: TimeControl::Own, anchor: None });
    }
    Ok(entrants)
}
