//! `tabia bench`: the bench signature of a build.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use tabia_eval::registry;
use tabia_search::bench;
use tabia_search::engine::Settings;

use crate::numbers::integer;
use crate::text;

/// The evaluation of the recorded signature.
const DEFAULT_EVALUATION: &str = registry::STRONGEST;

/// Arguments of `tabia bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One line a position goes to standard error. The last line of standard output is `<nodes> nodes <nps> nps`. With \
one thread the nodes are the same on every machine: two builds that differ in them search differently.

Examples:
  tabia bench
  tabia bench --depth 8 --eval material")]
pub struct BenchArgs {
    /// Depth in plies.
    #[arg(long, value_name = "N", default_value_t = bench::DEPTH, value_parser = integer::<u32>(1..=60))]
    depth: u32,
    /// Threads; with more than one the nodes differ from run to run.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer::<u32>(1..=512))]
    threads: u32,
    /// Transposition table in mebibytes.
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = integer::<u32>(1..=65_536))]
    hash: u32,
    /// The evaluation.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_EVALUATION,
          value_parser = PossibleValuesParser::new(registry::NAMES))]
    eval: String,
}

/// Runs the benchmark.
pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let settings =
        Settings { hash_mb: args.hash as usize, threads: args.threads as usize, ..Settings::default() };
    let total = bench::POSITIONS.len();
    let outcome = bench::run(&args.eval, &settings, args.depth, &mut |index, fen, nodes| {
        eprintln!("{:>3}/{total} {nodes:>12} nodes  {fen}", index + 1);
    })?;
    let nps = text::per_second(outcome.nodes, outcome.elapsed);
    writeln!(io::stdout(), "{} nodes {nps} nps", outcome.nodes)?;
    Ok(ExitCode::SUCCESS)
}
