//! `tabia replay`: steps through a game, or converts it.
//!
//! [`walk`] is the game and the place in it, [`quantum`] one of quantum chess, [`screen`] shows it on a whole terminal, [`plain`] line by line.

mod plain;
mod quantum;
mod screen;
mod walk;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use tabia_games::record::Variant;
use tabia_games::replay;
use tabia_run::atomic_file;

use crate::games;
use quantum::QuantumWalk;
use walk::{Walk, Walked};

/// Arguments of `tabia replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
On the screen: → or n forward, ← or p back, Home or f first, End or l last, space plays by itself (+ and - change \
the speed), t turns the board, a number and Enter jumps to that move, q leaves. With --step the same letters are \
read from standard input, a line each. Where standard output is no terminal, the game is printed position by \
position.

A game of quantum chess is shown with the chance of every piece, what each move measured and how likely that was, and the branches. One that cannot have been \
played, for instance with a measurement where there is none, is refused with the ply. --to json writes it with all of that checked.

A PGN may have many games, and so may a .jsonl file with a replay a line, as `quantum match` and `quantum games` write them: --game chooses one; --to converts all of them to PGN, and one of them to JSON. Variations of \
variations, comments and glyphs are shown beside the move that they replace, and kept by --to pgn; a JSON replay has one \
variation a move.

Examples:
  tabia replay game.pgn
  tabia replay replays/2024-01-15T143000-human-axiomx.json --to pgn -o game.pgn
  tabia replay match.pgn --game 3 --to json
  tabia replay runs/match/replays.jsonl --game 7
  printf 'l\\np\\nq\\n' | tabia replay game.pgn --step")]
pub struct ReplayArgs {
    /// The game: a .pgn file, a .json replay, or a .jsonl file of replays.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which game of the file, from 1 [default: the first].
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Convert instead of showing.
    #[arg(long, value_name = "FORM")]
    to: Option<Form>,
    /// Write what was converted into this file, instead of standard output.
    #[arg(short, long, value_name = "FILE", requires = "to")]
    output: Option<PathBuf>,
    /// Lines of text instead of a screen.
    #[arg(long, conflicts_with = "to")]
    plain: bool,
    /// Lines of text, one position for each command on standard input.
    #[arg(long, conflicts_with = "to")]
    step: bool,
    /// Black below.
    #[arg(long, conflicts_with = "to")]
    flip: bool,
}

/// A file format of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Portable Game Notation.
    Pgn,
    /// A JSON replay.
    Json,
}

/// Shows or converts a game.
pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    if let Some(form) = args.to {
        return convert(args, form);
    }
    let game = games::number(&args.file, args.game.unwrap_or(1))?;
    let cannot = || format!("cannot show {}", args.file.display());
    match game.record.variant {
        Variant::Quantum => show(args, QuantumWalk::new(game.record, args.flip).with_context(cannot)?)?,
        Variant::Chess | Variant::Chess960 => show(args, Walk::new(game, args.flip).with_context(cannot)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn show(args: &ReplayArgs, walk: impl Walked) -> io::Result<()> {
    let terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    if args.step || (args.plain && terminal) {
        plain::step(walk, terminal)
    } else if args.plain || !terminal {
        plain::print(walk)
    } else {
        screen::run(walk)
    }
}

fn convert(args: &ReplayArgs, form: Form) -> anyhow::Result<ExitCode> {
    let text = match (form, args.game) {
        (Form::Pgn, None) => {
            let games = games::stream(&args.file)?;
            games.map(|game| game.as_pgn()).collect::<Result<String, _>>().context("cannot convert")?
        }
        (Form::Pgn, Some(number)) => games::number(&args.file, number)?.as_pgn().context("cannot convert")?,
        (Form::Json, number) => {
            let record = games::number(&args.file, number.unwrap_or(1))?.record;
            if record.variant == Variant::Quantum {
                quantum::played(&record)
                    .with_context(|| format!("cannot convert {}", args.file.display()))?;
            }
            replay::write(&record)
        }
    };
    match &args.output {
        Some(path) => {
            atomic_file::write_bytes(path, text.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => io::stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}
