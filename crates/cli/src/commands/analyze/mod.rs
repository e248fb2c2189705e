//! `tabia analyze`: the best lines of a position, as they are found, or the analysis of a whole game.

mod game;
mod report;
mod table;

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use shakmaty::Position;
use tabia_coach::Locale;
use tabia_core::{AgentSpec, ChessGame};

use crate::failure::Usage;
use crate::games;
use crate::limits::LimitArgs;
use crate::tables::TableArgs;
use crate::terminal::Paint;
use crate::{catalogue, interrupt, output, position};
use report::Report;
use table::Table;

/// Arguments of `tabia analyze`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Scores are pawns: `+` is good for the side the column names, `#3` is mate in three moves. Ctrl-C ends the search \
and keeps the best so far.

Games (.pgn, or a .json replay) are analysed move by move: the score of each move, and better ones. Win probability is \
50+50·(2/(1+exp(-0.00368208·centipawns))-1) percent; a move that loses 5 percentage points is marked ?!, 10 ?, 15 ??. \
Every position is searched for 200000 nodes, unless a limit is given.

In JSON, scores and chances are White's view: {\"fen\",\"turn\",\"agent\",\"best\":{\"uci\",\"san\"}, \
\"lines\":[{\"rank\",\"depth\",\"seldepth\",\"score_cp\" or \"mate\",\"bound\",\"wdl\",\"nodes\",\"nps\",\"time_ms\",\"pv_uci\",\"pv_san\"}]}. \
For games: {\"file\",\"agent\",\"interrupted\",\"games\":[{\"white\",\"black\",\"result\",\"opening\",\"accuracy\",\"average_cp_loss\",\"marks\", \
\"moves\":[{\"ply\",\"uci\",\"san\",\"score_cp\" or \"mate\",\"best\",\"line\",\"cp_loss\",\"win_percent_loss\",\"mark\", \
\"review\" (of marked moves, as `tabia explain --json`)}]}]}. Annotated games carry the coach's text of each mistake as a comment.

Examples:
  tabia analyze startpos --time 3000
  tabia analyze r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1 --multipv 3
  tabia analyze '8/8/8/8/8/6k1/4q3/6K1 b - - 0 1' --agent 'alphabeta(depth=5)' --json
  tabia analyze game.pgn --nodes 500000 --annotate annotated.pgn --graph game.svg")]
pub struct AnalyzeArgs {
    /// The position, quoted or not; `startpos` is the start of a game. Or a file of games: .pgn or .json.
    #[arg(required = true, num_args = 1.., value_name = "FEN|FILE")]
    position: Vec<String>,
    /// The agent that analyses, as a spec.
    #[arg(long, value_name = "SPEC", default_value = "engine")]
    agent: AgentSpec,
    #[command(flatten)]
    limits: LimitArgs,
    /// Show this many lines (agents with the option `lines`).
    #[arg(long, value_name = "N")]
    multipv: Option<NonZero<u32>>,
    /// Search on this many threads (agents with the option `threads`).
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<u32>>,
    /// Size of the hash table in MiB (agents with the option `hash`).
    #[arg(long, value_name = "MB")]
    hash: Option<NonZero<u32>>,
    /// Use Chess960 castling rules and notation.
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    tables: TableArgs,
    /// Of a file of games, only this one, from 1 [default: all].
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Write the games of the file with scores, marks and better lines.
    #[arg(long, value_name = "OUT.pgn")]
    annotate: Option<PathBuf>,
    /// The language of the reasons in the annotated file and in JSON: en or de.
    #[arg(long, value_name = "CODE", default_value_t)]
    language: Locale,
    /// Draw the evaluation graph of one game: .svg or .png.
    #[arg(long, value_name = "OUT.svg")]
    graph: Option<PathBuf>,
    /// One JSON document on standard output, at the end.
    #[arg(long)]
    json: bool,
}

/// Analyses a position, or the games of a file.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let text = args.position.join(" ");
    let path = Path::new(&text);
    if games::kind(path).is_some() || path.is_file() {
        return game::run(args, path);
    }
    if !text.is_empty() && !text.contains('/') && text != position::START {
        let why = format!(
            "\"{text}\" is neither a position (a FEN or {}) nor a file of games (.pgn, .json or .jsonl) that is there",
            position::START
        );
        return Err(Usage(why).into());
    }
    let game = position::read(&text, args.chess960)?;
    let of_games = [
        ("--game", args.game.is_some()),
        ("--annotate", args.annotate.is_some()),
        ("--graph", args.graph.is_some()),
    ];
    if let Some((option, _)) = of_games.iter().find(|(_, is_given)| *is_given) {
        return Err(Usage(format!("{option} needs a file of games")).into());
    }
    if args.tables.is_given() {
        let why = "--syzygy needs a file of games; for a position, use --agent 'engine(syzygy=DIR)'";
        return Err(Usage(why.to_owned()).into());
    }
    let catalogue = catalogue::chess();
    let spec = spec(args);
    let (entry, options) = catalogue::check(&catalogue, &spec)?;
    let limits = args.limits.for_agent(&options);
    let mut agent = (entry.build)(&options).map_err(|error| catalogue::refused::<ChessGame>(&error))?;
    let mut report = Report::new(&game, &spec);

    if game.position().legal_moves().is_empty() {
        return over(&report, &game, args.json);
    }
    let stop = interrupt::stop_flag()?;
    let stdout = io::stdout();
    let paint = Paint::for_stream(&stdout);
    let mut progress: Box<dyn Write> = match args.json {
        false => Box::new(stdout.lock()),
        true if io::stderr().is_terminal() => Box::new(io::stderr().lock()),
        true => Box::new(io::sink()),
    };
    let mut table = Table::new(&game, &spec, args.multipv.is_some_and(|lines| lines.get() > 1));
    table.head(&mut progress, paint)?;
    let started = Instant::now();
    // Output errors do not abort the search; they are reported at its end.
    let best = agent.choose(&game, &limits, &stop, &mut |info| {
        let _ = table.line(&mut progress, paint, info);
        report.update(&game, info);
    })?;
    report.decide(&game, best);
    drop(progress);
    if args.json {
        output::json(&report)?;
    } else {
        report.write_summary(&mut io::stdout().lock(), paint, started.elapsed(), stop.is_stopped())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The spec with the options from the other arguments.
fn spec(args: &AnalyzeArgs) -> AgentSpec {
    let settings = [("lines", args.multipv), ("threads", args.threads), ("hash", args.hash)];
    settings.into_iter().fold(args.agent.clone(), |spec, (key, value)| match value {
        Some(value) => spec.with(key, value),
        None => spec,
    })
}

/// The game is over.
fn over(report: &Report, game: &ChessGame, json: bool) -> anyhow::Result<ExitCode> {
    if json {
        output::json(report)?;
    } else {
        let outcome = game.outcome().map(|outcome| outcome.to_string()).unwrap_or_default();
        writeln!(io::stdout(), "The game is over: {outcome}.")?;
    }
    Ok(ExitCode::FAILURE)
}
