//! Games by which champions are judged: the seed's three tests, and ratings of generations.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use tabia_core::{Catalogue, ChessGame};
use tabia_eval::chromosome::Weights;
use tabia_evolve::exam::{
    self, Candidate, EXAM, ExamResult, ExamResults, ExamSettings, RATINGS, Rating, Ratings, SEED_FIGURES,
};
use tabia_evolve::operators::original_tables;
use tabia_evolve::{
    Evolution, Fitness, SearchSettings, Settings, champion_name, local_grid, read_weights, report,
};

use super::args::{ExamArgs, RateArgs, TestArgs};
use super::settings;
use crate::failure::Usage;
use crate::terminal::ERASE_LINE;
use crate::{catalogue, interrupt, output, text};

/// How often a terminal is written to.
const PAUSE: Duration = Duration::from_millis(200);

/// The seed's three tests on the last champion of a run, and others if they are named.
pub fn exam(args: &ExamArgs) -> anyhow::Result<ExitCode> {
    let agents = catalogue::chess();
    let (settings, _) = Evolution::settings_of(&args.run)?;
    let test = test_settings(&args.test, &settings, &agents)?;
    let last = measured(&args.run, &settings)?;
    let champion = read_weights(&args.run.join(champion_name(last)))?.to_flat();
    let mut with_original = champion.clone();
    original_tables(&mut with_original);
    let weights = [Weights::random(settings.seed).to_flat().to_vec(), champion, with_original];
    let mut candidates: Vec<Candidate> = SEED_FIGURES
        .iter()
        .zip(weights)
        .map(|((name, _, _), genes)| Candidate { name: (*name).to_owned(), genes })
        .collect();
    for path in &args.others {
        candidates.push(Candidate { name: path.display().to_string(), genes: read_weights(path)?.to_flat() });
    }
    let Some(results) = play(&agents, &candidates, &test, &args.test)? else { return Ok(ExitCode::FAILURE) };
    let results = ExamResults { settings: test, results };
    exam::save(&args.run, EXAM, &results)?;
    report(&args.run)?;
    if args.test.json {
        output::json(&results)?;
    } else {
        print(&results.results, true)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Ratings of champions, at intervals.
pub fn rate(args: &RateArgs) -> anyhow::Result<ExitCode> {
    let agents = catalogue::chess();
    let (settings, _) = Evolution::settings_of(&args.run)?;
    let test = test_settings(&args.test, &settings, &agents)?;
    let last = measured(&args.run, &settings)?;
    let generations: Vec<u32> =
        (0..=last).filter(|number| number.is_multiple_of(args.every.get()) || *number == last).collect();
    let mut candidates = Vec::new();
    for number in &generations {
        let genes = read_weights(&args.run.join(champion_name(*number)))?.to_flat();
        candidates.push(Candidate { name: format!("generation {number}"), genes });
    }
    let Some(results) = play(&agents, &candidates, &test, &args.test)? else { return Ok(ExitCode::FAILURE) };
    if !args.test.json {
        print(&results, false)?;
    }
    let ratings = generations
        .into_iter()
        .zip(results)
        .map(|(generation, result)| Rating { generation, result })
        .collect();
    let ratings = Ratings { settings: test, ratings };
    exam::save(&args.run, RATINGS, &ratings)?;
    report(&args.run)?;
    if args.test.json {
        output::json(&ratings)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The last generation that was measured.
fn measured(run: &Path, settings: &Settings) -> anyhow::Result<u32> {
    let is_there = |number: &u32| run.join(champion_name(*number)).exists();
    (0..settings.generations)
        .take_while(is_there)
        .last()
        .ok_or_else(|| Usage(format!("no generation of {} has been measured yet", run.display())).into())
}

fn test_settings(
    args: &TestArgs,
    settings: &Settings,
    agents: &Catalogue<ChessGame>,
) -> anyhow::Result<ExamSettings> {
    let own = match &settings.fitness {
        Fitness::Game(games) => games.opponent.clone(),
        Fitness::Positions(_) | Fitness::Mentor(_) => tabia_evolve::BUILT_IN_OPPONENT.to_owned(),
    };
    let opponent = args.opponent.clone().unwrap_or(own);
    settings::check_agent(&opponent, agents)?;
    Ok(ExamSettings {
        games: args.games,
        search: SearchSettings {
            kind: args.search.into(),
            depth: args.depth,
            quiescence: args.quiescence,
            checks: args.checks,
        },
        seed: args.seed.into(),
        against: settings::against(&opponent, args.opponent_depth, args.max_plies),
    })
}

fn play(
    agents: &Catalogue<ChessGame>,
    candidates: &[Candidate],
    settings: &ExamSettings,
    args: &TestArgs,
) -> anyhow::Result<Option<Vec<ExamResult>>> {
    let stop = interrupt::stop_flag()?;
    let grid = local_grid(super::threads(args.threads), agents);
    let (terminal, started) = (io::stderr().is_terminal(), Instant::now());
    let mut shown: Option<Instant> = None;
    let results = exam::examine(&grid, candidates, settings, &stop, &mut |done, of| {
        if terminal && shown.is_none_or(|shown| shown.elapsed() >= PAUSE) {
            shown = Some(Instant::now());
            let left = started.elapsed().mul_f64((of - done) as f64 / done as f64);
            eprint!("{ERASE_LINE}{done} of {of} games, {} left", text::duration(left));
            // Progress that cannot be shown is no error.
            let _ = io::stderr().flush();
        }
    });
    if terminal {
        eprint!("{ERASE_LINE}");
    }
    let results = results?;
    if results.is_none() {
        eprintln!("Interrupted: these games are not kept.");
    }
    Ok(results)
}

fn print(results: &[ExamResult], with_seed: bool) -> anyhow::Result<()> {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let mut header = vec!["chromosome", "won", "drawn", "lost", "points", "Elo"];
    header.extend(with_seed.then_some("the seed's"));
    table.set_header(header);
    for result in results {
        let elo = match (result.elo, result.elo_error_95) {
            (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0}"),
            _ => "–".to_owned(),
        };
        let mut row = vec![
            result.name.clone(),
            result.wins.to_string(),
            result.draws.to_string(),
            result.losses.to_string(),
            format!("{:.1}%", result.percent),
            elo,
        ];
        if with_seed {
            let seeds = SEED_FIGURES.iter().find(|(name, _, _)| *name == result.name);
            row.push(seeds.map_or(String::new(), |(_, won, lost)| format!("{won}–{lost}")));
        }
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(io::stdout(), "{table}")?;
    Ok(())
}
