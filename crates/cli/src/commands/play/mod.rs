//! `tabia play`: a game in the terminal.
//!
//! [`table`] is the game and whoever sits at it, [`board`] draws, [`input`] hears the person,
//! [`person`] does what the person says, [`advice`] says what is wrong with a move, [`replay`] keeps the game.

mod advice;
pub mod board;
pub mod input;
mod person;
pub mod replay;
mod table;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use shakmaty::ByColor;
use tabia_core::{AgentSpec, Catalogue, ChessGame, Outcome};

use crate::limits::LimitArgs;
use crate::terminal::Paint;
use crate::{catalogue, position, text};
use board::Style;
use input::Input;
use replay::Replay;
use table::{Ending, Seat, Table};

/// The spec of a person.
const HUMAN: &str = "human";

/// What `tabia play` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are typed as e2e4, e7e8q, Nf3 or O-O; `help` lists the other words (undo, hint, resign, draw, …). An agent is \
a spec as `tabia agents` lists them, or `human`. The game is kept as a JSON replay however it ends: by the rules, \
by `quit`, by Ctrl-C or by the end of input.

Examples:
  tabia play
  tabia play --white 'alphabeta(depth=3)' --black human
  tabia play --white random --black 'engine(nodes=1000)' --no-save
  tabia play --fen '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1' --movetime 200")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person types")]
pub struct PlayArgs {
    /// Who has White [default: human].
    #[arg(long, value_name = "SPEC")]
    white: Option<AgentSpec>,
    /// Who has Black [default: human if White is an agent, else axiomx].
    #[arg(long, value_name = "SPEC")]
    black: Option<AgentSpec>,
    /// Where the game starts [default: the start of a game].
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Read castling rights, and write castling, as Chess960 does.
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// The board in ASCII. So it is without this, too: the full-screen board is not there yet.
    #[arg(long)]
    plain: bool,
    /// Chess symbols for the pieces, instead of letters.
    #[arg(long, conflicts_with = "plain")]
    unicode: bool,
    /// Keep the replay in this file [default: a new file in ./replays].
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Keep no replay.
    #[arg(long, conflicts_with = "replay")]
    no_save: bool,
}

/// Plays a game.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let game = position::read(args.fen.as_deref().unwrap_or_default(), args.chess960)?;
    let specs = specs(args);
    let catalogue = catalogue::chess();
    let seats = ByColor {
        white: seat(&catalogue, &specs.white, &args.limits)?,
        black: seat(&catalogue, &specs.black, &args.limits)?,
    };
    let paint = Paint::for_stream(&io::stdout());
    let style = Style { paint, unicode: args.unicode };
    let input = Input::new(seats.iter().any(|seat| matches!(seat, Seat::Human)))?;
    let started = replay::Timestamp::now();

    let mut table = Table::new(game, seats, style, input);
    let ending = table.play();
    let game = table.into_game();
    let outcome = match &ending {
        Ok(Ending::Over(outcome)) => Some(*outcome),
        _ => None,
    };
    // Whatever happened, the moves are kept before anything else can fail.
    let kept = keep(args, &Replay::new(&game, outcome, &specs, started));
    let mut out = io::stdout().lock();
    match &ending {
        Ok(Ending::Over(outcome)) => writeln!(out, "{}", paint.bold(verdict(*outcome)))?,
        Ok(Ending::Left(why)) => {
            writeln!(out, "{why} after {}.", text::counted(game.moves().len() as u64, "half-move"))?;
        }
        Err(_) => {}
    }
    if let Some(path) = kept? {
        writeln!(out, "{}", paint.dim(format_args!("The game is in {}.", path.display())))?;
    }
    ending?;
    Ok(ExitCode::SUCCESS)
}

/// Who plays: a person has White unless White is given away.
fn specs(args: &PlayArgs) -> ByColor<AgentSpec> {
    let human = || AgentSpec::named(HUMAN);
    let white_is_agent = args.white.as_ref().is_some_and(|spec| *spec != human());
    ByColor {
        white: args.white.clone().unwrap_or_else(human),
        black: args
            .black
            .clone()
            .unwrap_or_else(|| if white_is_agent { human() } else { catalogue::opponent() }),
    }
}

fn seat(catalogue: &Catalogue<ChessGame>, spec: &AgentSpec, limits: &LimitArgs) -> anyhow::Result<Seat> {
    if *spec == AgentSpec::named(HUMAN) {
        return Ok(Seat::Human);
    }
    let (entry, options) = catalogue::check(catalogue, spec)?;
    let limits = limits.for_agent(&options);
    let agent = (entry.build)(&options).map_err(|error| catalogue::refused(&error))?;
    Ok(Seat::Agent { name: spec.to_string(), agent, limits })
}

fn keep(args: &PlayArgs, replay: &Replay) -> anyhow::Result<Option<PathBuf>> {
    match &args.replay {
        _ if args.no_save => Ok(None),
        Some(path) => replay.save_as(path).map(|()| Some(path.clone())),
        None if replay.is_empty() => Ok(None),
        None => replay.save_new().map(Some),
    }
}

/// `1-0: White wins by checkmate.`
pub fn verdict(outcome: Outcome) -> String {
    let result = outcome.as_pgn();
    match outcome.winner.map(text::side) {
        Some(winner) => format!("{result}: {winner} wins by {}.", outcome.reason),
        None => format!("{result}: a draw by {}.", outcome.reason),
    }
}
