//! `tabia quantum ablate`: the effect of one setting, by training with and without it over several seeds.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use tabia_net::NetError;
use tabia_net::ablation::{Ablation, SeedResult, mean_elo};
use tabia_net::training::Progress;
use tabia_stats::Tally;

use super::train::Named;
use crate::failure::Usage;
use crate::numbers::integer;
use crate::{interrupt, output, parallel};

/// Arguments of `tabia quantum ablate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
For each seed two networks are trained, with the preset's settings and with --change, and play a match. Two trainings that differ in their seed alone end with \
networks of different strength: so the error is that of the mean over seeds (Student's t, 95%), and three seeds are few. Trainings are run directories, \
DIR/base-1, DIR/changed-1 and so on; the same command goes on where it was interrupted.

JSON: {\"change\", \"seeds\": [{\"seed\", \"won\", \"drawn\", \"lost\", \"elo\"}], \"elo\", \"error\"}.

Examples:
  tabia quantum ablate --change thought_share=0 --run ablation
  tabia quantum ablate --preset small --set generations=20 --change candidates=0 --seeds 5 --games 200 --run ablation")]
pub struct AblateArgs {
    /// The setting that is changed; may be given more than once.
    #[arg(long, value_name = "NAME=VALUE", required = true)]
    change: Vec<String>,
    /// What both begin with.
    #[arg(long, value_name = "NAME", default_value = "tiny")]
    preset: Named,
    /// Change a setting of both; may be given more than once.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Seeds.
    #[arg(long, value_name = "N", default_value = "3", value_parser = integer::<u32>(1..=1000))]
    seeds: u32,
    /// Games of each match.
    #[arg(long, value_name = "N", default_value = "100", value_parser = integer::<u32>(2..=1_000_000))]
    games: u32,
    /// Simulations a move in matches.
    #[arg(long, value_name = "N", default_value = "64", value_parser = integer::<u32>(2..=1_000_000))]
    simulations: u32,
    /// The directory of all trainings.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Threads; the result is the same for any number. All cores if not given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    change: Vec<String>,
    seeds: Vec<SeedDocument>,
    elo: f64,
    error: Option<f64>,
}

#[derive(Serialize)]
struct SeedDocument {
    seed: u32,
    won: u64,
    drawn: u64,
    lost: u64,
    elo: f64,
}

/// Trains and plays the matches.
pub fn run(args: &AblateArgs) -> anyhow::Result<ExitCode> {
    let usage = |error: NetError| match error {
        NetError::Settings(why) => Usage(why).into(),
        error => anyhow::Error::from(error),
    };
    let mut base = args.preset.settings();
    // Rating matches are not needed here and take time.
    base.learning.rate_every = 0;
    for assignment in &args.set {
        base.set(assignment).map_err(usage)?;
    }
    let mut changed = base;
    for assignment in &args.change {
        changed.set(assignment).map_err(usage)?;
    }
    if changed == base {
        return Err(Usage("--change changes nothing: both trainings would be the same".to_owned()).into());
    }
    let ablation = Ablation {
        path: args.run.clone(),
        base,
        changed,
        seeds: args.seeds,
        games: args.games,
        simulations: args.simulations,
        threads: args.threads.unwrap_or_else(parallel::all_cores).get(),
    };
    let stop = interrupt::stop_flag()?;
    let results = ablation.run(env!("CARGO_PKG_VERSION"), &stop, &mut |path, progress| {
        if let Progress::Done(line) = progress {
            eprintln!("{}: generation {}, loss {:.3}", path.display(), line.generation, line.loss);
        }
    });
    let Some(results) = results.map_err(usage)? else {
        eprintln!("Interrupted; the same command goes on.");
        return Ok(ExitCode::FAILURE);
    };
    report(args, &results)?;
    Ok(ExitCode::SUCCESS)
}

fn report(args: &AblateArgs, results: &[SeedResult]) -> anyhow::Result<()> {
    let (elo, error) = mean_elo(results);
    if args.json {
        let seed = |result: &SeedResult| {
            let Tally { wins, draws, losses, .. } = result.tally;
            SeedDocument { seed: result.seed, won: wins, drawn: draws, lost: losses, elo: result.elo() }
        };
        let seeds = results.iter().map(seed).collect();
        return output::json(&Document { change: args.change.clone(), seeds, elo, error });
    }
    let mut out = io::stdout().lock();
    for result in results {
        let Tally { wins, draws, losses, .. } = result.tally;
        writeln!(out, "seed {}: +{wins} ={draws} -{losses}, {:+.0} Elo", result.seed, result.elo())?;
    }
    let change = args.change.join(", ");
    match error {
        Some(error) => writeln!(out, "{change}: {elo:+.0} ± {error:.0} Elo over {} seeds", results.len())?,
        None => writeln!(out, "{change}: {elo:+.0} Elo with one seed; two or more would give an error")?,
    }
    Ok(())
}
