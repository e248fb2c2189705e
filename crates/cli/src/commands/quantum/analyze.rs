//! `tabia quantum analyze`: analyses a position by search.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::anyhow;
use tabia_mcts::{Estimate, PolicyValue};
use tabia_net::agents::DEFAULT_TIMEOUT_S;
use tabia_net::{Network, Weights, shipped};
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::HandcraftedEvaluator;
use tabia_quantum::analysis::analyze;
use tabia_quantum::endings::WithEndings;
use tabia_server::documents::quantum_analysis::QuantumAnalysis;

use super::read_position;
use crate::failure::Usage;
use crate::numbers::integer;
use crate::{catalogue, interrupt, output};

/// Batch size of evaluated leaves.
const BATCH: usize = 8;
/// Plies shown of a line.
const LINE: usize = 8;

/// Arguments of `tabia quantum analyze`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
For each of the best moves: visits of the search, the value from -1 to 1, chances to win, draw and lose, the network's prior, and the expected line. A move \
that measures is followed by what each result shows, how likely it is, and what the position is worth after it.

JSON: {\"position\", \"side\", \"simulations\", \"proven\", \"value\", \"wdl\", \"moves\": [{\"move\", \"visits\", \"prior\", \"value\", \"wdl\", \"succeeds\", \"captures\", \
\"wins\", \"line\", \"outcomes\": [{\"ply\", \"told\", \"probability\", \"branches\", \"value\", \"wdl\"}]}]}.

Examples:
  tabia quantum analyze
  tabia quantum analyze --simulations 3200 'w 0 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -'
  tabia quantum analyze --moves b1~c3,g8~f6 --evaluator mcts --json
  tabia quantum analyze --evaluator http://127.0.0.1:50051")]
pub struct AnalyzeArgs {
    /// The position, quoted or not: a FEN, or weighted boards [default: the start of a game].
    #[arg(num_args = 1..)]
    position: Vec<String>,
    /// Plies to play first, with what they measured: b1~c3,d7d5.
    #[arg(long, value_name = "PLIES", value_delimiter = ',')]
    moves: Vec<String>,
    /// Simulations.
    #[arg(long, value_name = "N", default_value = "800", value_parser = integer::<u64>(1..=100_000_000))]
    simulations: u64,
    /// What values positions: net (a network), mcts (material, activity and king safety, made by hand), or the address of an external evaluator (http://127.0.0.1:50051).
    #[arg(long, value_name = "NAME", default_value = "net", value_parser = read_evaluator)]
    evaluator: Named,
    /// The network's file; without one, the network that comes with the program.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Moves to show.
    #[arg(long, value_name = "N", default_value = "5")]
    best: usize,
    /// One JSON document instead of text, with all moves.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    Net,
    Mcts,
    /// Over gRPC, at this address.
    External(String),
}

fn read_evaluator(text: &str) -> Result<Named, String> {
    match text {
        "net" => Ok(Named::Net),
        "mcts" => Ok(Named::Mcts),
        address if address.contains("://") => Ok(Named::External(address.to_owned())),
        _ => Err("expected net, mcts, or an address like http://127.0.0.1:50051".to_owned()),
    }
}

/// Analyses.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let mut game = read_position(&args.position.join(" "))?;
    for (at, ply) in args.moves.iter().enumerate() {
        game.play_text(ply).map_err(|error| Usage(format!("ply {}: {error}", at + 1)))?;
    }
    let evaluator: Box<dyn PolicyValue<QuantumGame>> = match &args.evaluator {
        Named::Mcts | Named::External(_) if args.weights.is_some() => {
            return Err(Usage("--weights is for --evaluator net".to_owned()).into());
        }
        Named::Mcts => Box::new(HandcraftedEvaluator),
        Named::External(address) => {
            let timeout = Duration::from_secs_f64(DEFAULT_TIMEOUT_S);
            Box::new(WithEndings(catalogue::connect(address, timeout)?))
        }
        Named::Net => {
            let weights = match &args.weights {
                Some(path) => Weights::read(path)?,
                None => shipped::weights()?,
            };
            Box::new(WithEndings(Network::new(&weights)))
        }
    };
    let stop = interrupt::stop_flag()?;
    let analysis = analyze(&game, &*evaluator, args.simulations, BATCH, &stop);
    if let Some(why) = evaluator.failure() {
        return Err(anyhow!(why));
    }
    let Some(analysis) = analysis else {
        let why = game
            .outcome()
            .map_or_else(|| "nobody is to move".to_owned(), |outcome| outcome.reason.to_string());
        return Err(Usage(format!("the game is over: {why}")).into());
    };
    let side = game.side_to_move().fold_wb("White", "Black");
    if args.json {
        output::json(&QuantumAnalysis::new(&game, analysis))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = io::stdout().lock();
    let proven = if analysis.is_proven { ", proven" } else { "" };
    writeln!(
        out,
        "{side} to move: {}{proven}, {} simulations",
        estimate(Some(analysis.estimate)),
        analysis.simulations
    )?;
    for m in analysis.moves.iter().take(args.best) {
        writeln!(
            out,
            "{:<7} {:>7} visits  {}  prior {:>3.0}%  {}",
            m.text,
            m.visits,
            estimate(m.estimate),
            100.0 * m.prior,
            m.line.iter().take(LINE).map(String::as_str).collect::<Vec<_>>().join(" ")
        )?;
        for outcome in &m.outcomes {
            let results = outcome.told.join("; ");
            let branches =
                crate::text::counted(outcome.branches as u64, "branch").replace("branchs", "branches");
            writeln!(
                out,
                "        {:<8} {results}; {branches}, {}",
                outcome.text,
                estimate(outcome.estimate)
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `+0.25 (38% / 50% / 12%)`: the value, and the chances to win, draw and lose.
fn estimate(estimate: Option<Estimate>) -> String {
    let Some(estimate) = estimate else { return "not searched".to_owned() };
    let [win, draw, loss] = estimate.wdl().map(|chance| 100.0 * chance);
    format!("{:+.2} ({win:.0}% / {draw:.0}% / {loss:.0}%)", estimate.value)
}
