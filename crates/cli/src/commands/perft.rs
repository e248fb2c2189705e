//! `tabia perft`: counts the leaf nodes of the move tree, the standard test of a move generator
//! ([`tabia_arena::perft`]).

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use serde::Serialize;
use shakmaty::CastlingMode;
use tabia_arena::parallel;
use tabia_arena::perft::check::{Failure, FileReport};
use tabia_arena::perft::{Check, Generator, Report};
use tabia_core::ChessGame;
use tabia_search::engine::moves::Move as PackedMove;

use crate::numbers::integer;
use crate::terminal::ERASE_LINE;
use crate::{interrupt, output, position, text};

/// Positions between two progress messages.
const PROGRESS_STEP: usize = 64;

/// Arguments of `tabia perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The last move of every path is counted without being made. A suite is an EPD file (`FEN ;D1 20 ;D2 400`), a \
`.perft` file as python-chess has them (read as Chess960), or a folder of both; each position is counted at the \
deepest depth whose expected count is within --max-nodes. A wrong count is named, and the exit status is 1.

Examples:
  tabia perft 6
  tabia perft 4 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 --divide
  tabia perft --suite standard.epd fischer.epd --engine")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person types")]
pub struct PerftArgs {
    /// Depth in plies.
    #[arg(required_unless_present = "suite", value_parser = integer::<u32>(0..=60))]
    depth: Option<u32>,
    /// The position, quoted or not [default: the start of a game].
    #[arg(num_args = 1..)]
    fen: Vec<String>,
    /// Show the count behind each first move.
    #[arg(long)]
    divide: bool,
    /// Use the engine's own move generator instead of shakmaty's.
    #[arg(long)]
    engine: bool,
    /// Use Chess960 castling rules.
    #[arg(long)]
    chess960: bool,
    /// Check these files or folders of known counts.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["depth", "fen", "divide"])]
    suite: Vec<PathBuf>,
    /// The largest expected count of a suite to try.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, requires = "suite")]
    max_nodes: u64,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Counts, or verifies a suite.
pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let generator = if args.engine { Generator::Engine } else { Generator::Shakmaty };
    let threads = args.threads.unwrap_or_else(parallel::all_cores);
    match args.depth {
        Some(depth) => one_position(args, depth, generator, threads),
        None => whole_suite(args, generator, threads),
    }
}

fn whole_suite(args: &PerftArgs, generator: Generator, threads: NonZero<usize>) -> anyhow::Result<ExitCode> {
    let mode = args.chess960.then_some(CastlingMode::Chess960);
    let check = Check { paths: &args.suite, mode, max_nodes: args.max_nodes, generator, threads };
    let stop = interrupt::stop_flag()?;
    let shown = io::stderr().is_terminal();
    let report = check.run(&stop, |done, total| {
        if shown && done.is_multiple_of(PROGRESS_STEP) {
            eprint!("{ERASE_LINE}{done}/{total} positions");
        }
    });
    if shown {
        eprint!("{ERASE_LINE}");
    }
    let report = report?;
    if report.interrupted {
        eprintln!("tabia: interrupted after {} positions", report.positions + report.skipped);
    }
    if args.json {
        output::json(&report)?;
    } else {
        write_report(&report, &mut io::stdout().lock())?;
    }
    Ok(if report.wrong == 0 && !report.interrupted { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Text output: each wrong count, each file, and the total on the last line.
fn write_report(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for failure in &report.failures {
        let Failure { file, line, fen, depth, expected, got } = failure;
        writeln!(out, "{file}:{line}: depth {depth}: expected {expected}, got {got} ({fen})")?;
    }
    let width = report.files.iter().map(|file| file.file.chars().count()).max().unwrap_or(0);
    for FileReport { file, positions, nodes, wrong, skipped } in &report.files {
        write!(out, "{file:width$} {positions:>7} positions {nodes:>14} nodes {wrong:>4} wrong")?;
        writeln!(out, "{}", if *skipped > 0 { format!(" {skipped:>4} skipped") } else { String::new() })?;
    }
    let seconds = report.time_ms as f64 / 1000.0;
    writeln!(out, "{} generator: {seconds:.1} s, {} nps", report.generator.name(), report.nps)?;
    if report.skipped > 0 {
        writeln!(
            out,
            "{} skipped: all their counts are above {} nodes (--max-nodes)",
            report.skipped, report.max_nodes
        )?;
    }
    writeln!(out, "{} positions, {} nodes, {} wrong", report.positions, report.nodes, report.wrong)
}

#[derive(Serialize)]
struct Count {
    fen: String,
    depth: u32,
    nodes: u64,
    generator: Generator,
    threads: usize,
    time_ms: u64,
    nps: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divide: Vec<Share>,
}

/// A root move, and the number of leaf nodes below it.
#[derive(Serialize)]
struct Share {
    uci: String,
    san: String,
    nodes: u64,
}

fn one_position(
    args: &PerftArgs,
    depth: u32,
    generator: Generator,
    threads: NonZero<usize>,
) -> anyhow::Result<ExitCode> {
    let game = position::read(&args.fen.join(" "), args.chess960)?;
    let stop = interrupt::stop_flag()?;
    let start = Instant::now();
    let shares = match depth {
        0 => Some(Vec::new()),
        _ => generator.divide(game.position(), depth, threads, &stop),
    };
    let Some(shares) = shares else { bail!("interrupted") };
    let elapsed = start.elapsed();
    let nodes = if depth == 0 { 1 } else { shares.iter().map(|(_, nodes)| nodes).sum() };
    let mut divide: Vec<Share> =
        shares.into_iter().filter(|_| args.divide).map(|(mv, nodes)| Share::new(&game, mv, nodes)).collect();
    divide.sort_by(|a, b| a.uci.cmp(&b.uci));
    let count = Count {
        fen: game.fen(),
        depth,
        nodes,
        generator,
        threads: threads.get(),
        time_ms: elapsed.as_millis() as u64,
        nps: text::per_second(nodes, elapsed),
        divide,
    };
    if args.json {
        output::json(&count)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = io::stdout().lock();
    for Share { uci, san, nodes } in &count.divide {
        writeln!(out, "{uci:<6} {san:<8} {nodes:>14}")?;
    }
    let threads = text::counted(count.threads as u64, "thread");
    let generator = generator.name();
    writeln!(
        out,
        "{nodes} nodes, {:.3} s, {} nps ({generator}, {threads})",
        elapsed.as_secs_f64(),
        count.nps
    )?;
    Ok(ExitCode::SUCCESS)
}

impl Share {
    fn new(game: &ChessGame, mv: PackedMove, nodes: u64) -> Share {
        match mv.to_shakmaty(game.position()) {
            Some(m) => {
                let san = text::san_moves(game.position(), &[m]).concat();
                Share { uci: game.write_move(m), san, nodes }
            }
            // Not an internal error: finding generator bugs is the purpose of this command.
            None => Share { uci: mv.to_string(), san: "illegal!".to_owned(), nodes },
        }
    }
}
