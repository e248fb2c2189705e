//! `tabia quantum perft`: counts action sequences, to compare implementations of the rules.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use serde::Serialize;
use tabia_quantum::perft;

use super::read_position;
use crate::numbers::integer;
use crate::{interrupt, output, parallel, text};

/// Arguments of `tabia quantum perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A leaf is a sequence of actions, with each outcome of every measurement before the last action counted once.

Examples:
  tabia quantum perft 3
  tabia quantum perft 4 --classical
  tabia quantum perft 2 '7k/8/5n2/8/8/8/8/3Q3K b - - 0 1' --divide")]
pub struct PerftArgs {
    /// Depth in plies.
    #[arg(value_parser = integer::<u32>(0..=20))]
    depth: u32,
    /// The position, quoted or not: a FEN, or weighted boards [default: the start of a game].
    #[arg(num_args = 1..)]
    position: Vec<String>,
    /// Count classical moves alone.
    #[arg(long)]
    classical: bool,
    /// Show the count behind each first move.
    #[arg(long)]
    divide: bool,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Count {
    position: String,
    depth: u32,
    classical: bool,
    leaves: u64,
    time_ms: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divide: Vec<Share>,
}

/// A root move, and the number of sequences that start with it.
#[derive(Serialize)]
struct Share {
    action: String,
    leaves: u64,
}

/// Counts.
pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let game = read_position(&args.position.join(" "))?;
    let stop = interrupt::stop_flag()?;
    let start = Instant::now();
    let moves = if args.depth == 0 { Vec::new() } else { perft::moves(&game, args.classical) };
    // Games are not `Sync`: each thread gets a copy.
    let work: Vec<_> = moves.iter().map(|m| (*m, std::sync::Mutex::new(game.clone()))).collect();
    let counted = parallel::map(&work, parallel::all_cores(), |(m, game)| {
        let game = game.lock().map_or_else(|poisoned| poisoned.into_inner().clone(), |game| game.clone());
        perft::after(&game, *m, args.depth, args.classical, &stop)
    });
    let Some(counts) = counted.into_iter().collect::<Option<Vec<u64>>>() else { bail!("interrupted") };
    let elapsed = start.elapsed();
    let leaves = if args.depth == 0 { 1 } else { counts.iter().sum() };
    let mut divide: Vec<Share> = moves
        .iter()
        .zip(counts)
        .filter(|_| args.divide)
        .map(|(m, leaves)| Share { action: game.write_move(*m), leaves })
        .collect();
    divide.sort_by(|a, b| a.action.cmp(&b.action));
    if args.json {
        output::json(&Count {
            position: game.to_string(),
            depth: args.depth,
            classical: args.classical,
            leaves,
            time_ms: elapsed.as_millis() as u64,
            divide,
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = io::stdout().lock();
    for Share { action, leaves } in &divide {
        writeln!(out, "{action:<7} {leaves:>14}")?;
    }
    let speed = text::per_second(leaves, elapsed);
    writeln!(out, "{leaves} leaves, {:.3} s, {speed} a second", elapsed.as_secs_f64())?;
    Ok(ExitCode::SUCCESS)
}
