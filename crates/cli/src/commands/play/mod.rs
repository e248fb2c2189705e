//! `tabia play`: a game in the terminal.
//!
//! There are two front ends. [`screen`] is a full-screen interface. [`plain`] is line-based, for pipes and `--plain`:
//! [`board`] draws, [`input`] reads lines, [`human`] executes them. The rules of a session are in [`tabia_session`]
//! for both; [`hint`] asks the engine, and [`replay_files`] saves the game as a [`replay`].

pub mod board;
pub mod decisions;
mod hint;
mod human;
pub mod input;
mod plain;
pub mod player;
pub mod replay;
mod replay_files;
mod screen;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use tabia_core::{AgentSpec, Outcome};

use crate::failure::Usage;
use crate::limits::LimitArgs;
use crate::terminal::{self, Paint};
use crate::{catalogue, position, text};
use board::Style;
use input::Input;
use plain::PlainGame;
use player::{Ending, Player};
use replay_files::ReplayFiles;

/// Arguments of `tabia play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
On a terminal the board fills the screen: moves are typed as e2e4, e7e8q, Nf3 or O-O, or made with the arrow keys and \
Enter; v shows what an evaluation sees on the squares, and ? lists all keys. With --plain, and where input or output is \
no terminal, it is a game of lines: `help` lists the commands (undo, hint, field, resign, draw, …). An agent is a spec as \
`tabia agents` lists them, or `human`. The game is kept as a JSON replay however it ends: by the rules, by leaving, by \
Ctrl-C or by the end of input.

Examples:
  tabia play
  tabia play --white 'alphabeta(depth=3)' --black human
  tabia play --white random --black 'engine(nodes=1000)' --no-save
  tabia play --fen '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1' --movetime 200")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person types")]
pub struct PlayArgs {
    /// White: `human` or an agent spec [default: human].
    #[arg(long, value_name = "SPEC")]
    white: Option<AgentSpec>,
    /// Black: `human` or an agent spec [default: human if White is an agent, else axiomx].
    #[arg(long, value_name = "SPEC")]
    black: Option<AgentSpec>,
    /// Start position [default: the standard one].
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Use Chess960 castling rules and notation.
    #[arg(long)]
    chess960: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Lines of text with the board in ASCII, instead of a screen.
    #[arg(long)]
    plain: bool,
    /// Lines of text with chess symbols for the pieces.
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
    if args.fen.as_deref().is_some_and(|fen| fen.trim().is_empty()) {
        return Err(Usage(format!("--fen is empty, expected a FEN or {}", position::START)).into());
    }
    let game = position::read(args.fen.as_deref().unwrap_or_default(), args.chess960)?;
    let specs = player::specs(args.white.as_ref(), args.black.as_ref(), catalogue::opponent());
    let players = Player::both(&catalogue::chess(), &specs, &args.limits)?;
    let mut replay_files = ReplayFiles::new(args.replay.clone(), !args.no_save, specs);
    let paint = Paint::for_stream(&io::stdout());
    let lines = args.plain || args.unicode || terminal::is_dumb();
    let (session, ending) = if !lines && io::stdin().is_terminal() && io::stdout().is_terminal() {
        screen::run(game, players, &mut replay_files)?
    } else {
        let input = Input::new(players.iter().any(Player::is_human))?;
        let mut plain = PlainGame::new(game, players, Style { paint, unicode: args.unicode }, input);
        let ending = plain.play();
        (plain.into_session(), ending)
    };
    // Save the moves before anything else can fail.
    let kept = replay_files.leave(session.game(), session.outcome());
    let mut out = io::stdout().lock();
    match &ending {
        Ok(Ending::Over(outcome)) => writeln!(out, "{}", paint.bold(verdict(*outcome)))?,
        Ok(Ending::Left(why)) => {
            writeln!(out, "{why} after {}.", text::counted(session.ply() as u64, "half-move"))?;
        }
        Err(_) => {}
    }
    if let Some(path) = kept? {
        writeln!(out, "{}", paint.dim(format_args!("The game is in {}.", path.display())))?;
    }
    ending?;
    Ok(ExitCode::SUCCESS)
}

/// `1-0: White wins by checkmate.`
pub fn verdict(outcome: Outcome) -> String {
    let result = outcome.as_pgn();
    match outcome.winner.map(text::side) {
        Some(winner) => format!("{result}: {winner} wins by {}.", outcome.reason),
        None => format!("{result}: a draw by {}.", outcome.reason),
    }
}
