//! Settings of a match from the arguments, for a new match or a resumed one.

use std::collections::BTreeMap;

use anyhow::Context;
use tabia_arena::tournament::Format;
use tabia_arena::tournament::chess::openings::fingerprint;
use tabia_arena::tournament::chess::{
    ClockSettings, Entrant, OpeningSettings, Order, Settings, SprtSettings, TimeControl,
};
use tabia_core::{AgentSpec, printable};
use tabia_games::openings::{Openings, ReadOptions};
use tabia_stats::EloModel;

use super::args::MatchArgs;
use crate::catalogue;
use crate::failure::Usage;

/// Default number of games per pairing, and the most for a sequential test.
const GAMES: usize = 100;
const GAMES_OF_A_TEST: usize = 100_000;
/// The default time control.
const CLOCK: &str = "8+0.08";
/// Longer games are drawn.
const LONGEST: u32 = 500;
/// Silence after which a player counts as hung.
const STALL_S: f64 = 30.0;
/// Error rates of a test.
const ERROR_RATE: f64 = 0.05;
/// Names of openings that are not files.
const BUILT_IN: &str = "built-in";
const START: &str = "startpos";

/// The settings: arguments override the resumed settings, or the defaults; and the openings.
pub fn over(args: &MatchArgs, there: Option<&Settings>) -> anyhow::Result<(Settings, Openings)> {
    let seed = args.seed.or(there.map(|there| there.seed)).unwrap_or(1);
    let (openings, opening_settings) = openings(args, there, seed)?;
    let sprt = sprt(args, there)?;
    let usual_games = if sprt.is_some() { GAMES_OF_A_TEST } else { GAMES };
    let settings = Settings {
        seed,
        format: match (args.neighbours, there) {
            (Some(reach), _) => Format::Neighbours(reach as usize),
            (None, _) if args.gauntlet => Format::Gauntlet,
            (None, Some(there)) => there.format,
            (None, None) => Format::RoundRobin,
        },
        games: args
            .games
            .map(|games| games as usize)
            .or(there.map(|there| there.games))
            .unwrap_or(usual_games),
        ponder: args.ponder || there.is_some_and(|there| there.ponder),
        margin_ms: args.margin.or(there.map(|there| there.margin_ms)).unwrap_or(0),
        stall_ms: args
            .stall
            .map(milliseconds)
            .or(there.map(|there| there.stall_ms))
            .unwrap_or(milliseconds(STALL_S)),
        max_moves: args.max_moves.or(there.map_or(Some(LONGEST), |there| there.max_moves)),
        syzygy: args.syzygy.clone().or_else(|| there?.syzygy.clone()),
        draw: args.draw.or_else(|| there?.draw),
        resign: args
            .resign
            .map(|mut rule| {
                rule.one_sided = args.resign_one_sided;
                rule
            })
            .or_else(|| there?.resign),
        openings: opening_settings,
        sprt,
        agents: entrants(args, there)?,
    };
    Ok((settings, openings))
}

fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

fn sprt(args: &MatchArgs, there: Option<&Settings>) -> anyhow::Result<Option<SprtSettings>> {
    let there = there.and_then(|there| there.sprt);
    let Some([elo0, elo1]) = args.sprt.or(there.map(|there| [there.elo0, there.elo1])) else {
        if args.alpha.is_some() || args.beta.is_some() || args.model.is_some() {
            return Err(Usage("--alpha, --beta and --model need --sprt ELO0,ELO1".to_owned()).into());
        }
        return Ok(None);
    };
    Ok(Some(SprtSettings {
        elo0,
        elo1,
        alpha: args.alpha.or(there.map(|there| there.alpha)).unwrap_or(ERROR_RATE),
        beta: args.beta.or(there.map(|there| there.beta)).unwrap_or(ERROR_RATE),
        model: args.model.map(EloModel::from).or(there.map(|there| there.model)).unwrap_or_default(),
    }))
}

fn openings(
    args: &MatchArgs,
    there: Option<&Settings>,
    seed: u64,
) -> anyhow::Result<(Openings, OpeningSettings)> {
    let there = there.map(|there| &there.openings);
    let source = args.openings.clone().or_else(|| Some(there?.source.clone()));
    let source = source.unwrap_or_else(|| BUILT_IN.to_owned());
    let is_cut = [".pgn", ".bin"].iter().any(|ending| source.to_lowercase().ends_with(ending));
    if args.opening_plies.is_some() && !is_cut {
        return Err(Usage(
            "--opening-plies is for games and books: --openings FILE.pgn or FILE.bin".to_owned(),
        )
        .into());
    }
    let plies = args.opening_plies.or_else(|| there?.plies);
    let openings = match source.as_str() {
        BUILT_IN => Openings::built_in(),
        START => Openings::standard_start(),
        file => {
            let options = ReadOptions { plies, seed, ..ReadOptions::default() };
            let (openings, faults) =
                Openings::read(file, &options).with_context(|| format!("no openings from {file}"))?;
            if let Some(first) = faults.first() {
                let first = first.to_string();
                eprintln!("tabia: {} openings were left out; the first: {}", faults.len(), printable(&first));
            }
            openings
        }
    };
    let order = args.order.map(Order::from).or(there.map(|there| there.order)).unwrap_or_default();
    let (count, sha256) = (openings.len(), fingerprint(&openings));
    Ok((openings, OpeningSettings { source, order, plies, count, sha256 }))
}

fn entrants(args: &MatchArgs, there: Option<&Settings>) -> anyhow::Result<Vec<Entrant>> {
    let time_control = args.time_control();
    let mut entrants = match there {
        Some(there) if args.agents.is_empty() => {
            let mut entrants = there.agents.clone();
            for entrant in &mut entrants {
                entrant.time_control = time_control.unwrap_or(entrant.time_control);
            }
            entrants
        }
        _ => new_entrants(args, time_control)?,
    };
    let named = |entrants: &[Entrant], name: &str, option: &str| {
        entrants.iter().position(|entrant| entrant.name == name).ok_or_else(|| {
            let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
            Usage(format!("{option}: no agent is called \"{name}\" (there are: {})", names.join(", ")))
        })
    };
    for text in &args.odds {
        let (name, limit) = split_at_limit(text)
            .ok_or_else(|| Usage(format!("--odds \"{text}\": write NAME=LIMIT, such as weak=nodes=500")))?;
        // `engine=foo=3`: the name is right, the limit is not.
        if entrants.iter().all(|entrant| entrant.name != name)
            && let Some((name, limit)) = text.split_once('=')
            && entrants.iter().any(|entrant| entrant.name == name)
        {
            return Err(Usage(format!(
                "--odds \"{text}\": \"{limit}\" is no limit; write one such as {name}=nodes=500"
            ))
            .into());
        }
        let at = named(&entrants, name, "--odds")?;
        entrants[at].time_control = limit;
    }
    for text in &args.anchor {
        let (name, rating) = text
            .rsplit_once('=')
            .and_then(|(name, rating)| Some((name, rating.trim().parse::<f64>().ok()?)))
            .filter(|(_, rating)| rating.is_finite())
            .ok_or_else(|| Usage(format!("--anchor \"{text}\": write NAME=RATING, such as sf=2800")))?;
        let at = named(&entrants, name, "--anchor")?;
        entrants[at].anchor = Some(rating);
    }
    Ok(entrants)
}

/// Both names and limits may contain `=`: the longest suffix that is a limit is the limit.
fn split_at_limit(text: &str) -> Option<(&str, TimeControl)> {
    text.match_indices('=').find_map(|(at, _)| Some((&text[..at], text[at + 1..].parse().ok()?)))
}

fn new_entrants(args: &MatchArgs, time_control: Option<TimeControl>) -> anyhow::Result<Vec<Entrant>> {
    if args.agents.len() < 2 {
        let text = "a match needs two agents: --agent engine --agent 'uci(cmd=stockfish)'";
        return Err(Usage(text.to_owned()).into());
    }
    let catalogue = catalogue::chess();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut entrants = Vec::new();
    let mut bounded = true;
    for text in &args.agents {
        let (name, spec) = named_spec(text)?;
        let (_, options) = catalogue::check(&catalogue, &spec)?;
        bounded &=
            spec.name == "random" || ["depth", "nodes"].iter().any(|key| options.integer(key).is_some());
        let name = name.map_or_else(|| spec.to_string(), str::to_owned);
        let times = seen.entry(name.clone()).or_insert(0);
        *times += 1;
        let name = if *times == 1 { name } else { format!("{name}#{times}") };
        entrants.push(Entrant { name, spec: spec.to_string(), time_control: TimeControl::Own, anchor: None });
    }
    // Agents with a limit of their own, such as a depth, need no clock.
    let usual = if bounded { TimeControl::Own } else { TimeControl::Clock(CLOCK.parse::<ClockSettings>()?) };
    for entrant in &mut entrants {
        entrant.time_control = time_control.unwrap_or(usual);
    }
    Ok(entrants)
}

/// Reads an argument of `--agent`.
pub(crate) fn named_spec(text: &str) -> Result<(Option<&str>, AgentSpec), Usage> {
    let (name, spec) = name_and_spec(text);
    if name == Some("") {
        return Err(Usage(format!("an agent's name is empty in \"{text}\"; write NAME=SPEC")));
    }
    let spec = spec.parse().map_err(|error| Usage(format!("--agent \"{text}\": {error}")))?;
    Ok((name, spec))
}

/// `name=spec`, where the name has no parenthesis; or a spec alone.
fn name_and_spec(text: &str) -> (Option<&str>, &str) {
    let head = text.find('(').map_or(text, |at| &text[..at]);
    match head.find('=') {
        Some(at) => (Some(text[..at].trim()), &text[at + 1..]),
        None => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_stands_before_the_first_equals_sign_outside_of_options() {
        assert_eq!(name_and_spec("new=engine(eval=pst)"), (Some("new"), "engine(eval=pst)"));
        assert_eq!(name_and_spec("engine(eval=pst)"), (None, "engine(eval=pst)"));
        assert_eq!(name_and_spec("a b=random"), (Some("a b"), "random"));
        assert_eq!(name_and_spec("random"), (None, "random"));
    }

    #[test]
    fn a_limit_is_found_after_a_name_with_equals_signs() {
        let split = |text| split_at_limit(text).map(|(name, time_control)| (name, time_control.to_string()));
        assert_eq!(split("weak=nodes=500"), Some(("weak", "nodes=500".to_owned())));
        assert_eq!(split("engine(hash=1)=4+0.04"), Some(("engine(hash=1)", "4+0.04".to_owned())));
        assert_eq!(split("weak=fast"), None);
    }
}
