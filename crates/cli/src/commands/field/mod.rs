//! `tabia field`: what an evaluation sees on the 64 squares, as a picture, as numbers, or in the terminal.
//!
//! [`choice`] finds the fields that are meant, [`view`] those that are asked for during a game, [`mod@file`] the format and the
//! place of what is written.

mod choice;
mod file;
mod view;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use shakmaty::Position;
use tabia_core::ChessGame;
use tabia_draw::{Drawing, npy, png, terminal};
use tabia_eval::{Explanation, Field, View, axiomx};
use tabia_run::atomic_file;

use crate::failure::Usage;
use crate::terminal::Paint;
use crate::{evaluations, position, text};
use file::Format;

pub use view::{FieldView, parse};

/// Pixels for each unit of a picture: sharp on the screens of today.
const ZOOM: f32 = 2.0;

/// Arguments of `tabia field`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Orange is White's, blue is Black's. Boards whose numbers can be compared share a scale. As .npy, a field is 8×8 \
numbers, rank 8 first (several fields: n×8×8), and the tensor is 8×8×13: White's pawn, knight, bishop, rook, queen, \
king; Black's; occupied. Without -o the fields are shown in the terminal.

Examples:
  tabia field startpos
  tabia field 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6' --field control -o sicilian.svg
  tabia field startpos --eval axon --field mobility --field 'king zones' -o axon.png
  tabia field startpos --tensor -o start.npy")]
pub struct FieldArgs {
    /// The position, quoted or not; `startpos` is the start of a game.
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    /// The evaluation whose fields are drawn, with options if it takes some: axiomx(multiscale=on).
    #[arg(long, value_name = "NAME", default_value = evaluations::DEFAULT)]
    eval: String,
    /// A weight file of `tabia tune` [default: the evaluation's own weights].
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Which field; may be given several times [default: the main ones].
    #[arg(long, value_name = "NAME")]
    field: Vec<String>,
    /// Write to this file: .svg or .png for a picture, .npy for the numbers.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write each square's number on it.
    #[arg(long, requires = "output")]
    numbers: bool,
    /// Write the board itself as axiomx reads it, 8×8×13.
    #[arg(long, requires = "output", conflicts_with_all = ["eval", "weights", "field", "numbers"])]
    tensor: bool,
}

/// Draws, writes or shows fields.
pub fn run(args: &FieldArgs) -> anyhow::Result<ExitCode> {
    let game = position::read(&args.position.join(" "), false)?;
    let output = args.output.as_deref().map(|path| Ok::<_, Usage>((path, Format::of(path)?))).transpose()?;
    let view = View::from(game.position());
    if args.tensor {
        let (path, format) = output.ok_or_else(|| Usage("--tensor needs -o FILE.npy".to_owned()))?;
        if format != Format::Npy {
            return Err(Usage(format!("the tensor is written as .npy, not to {}", path.display())).into());
        }
        let bytes = npy::tensor(&axiomx::tensor(view));
        return written(path, &bytes, "the board as a tensor, 8×8×13");
    }
    let explanation = evaluations::explain(&args.eval, args.weights.as_deref(), view)?;
    let fields = choice::fields(&args.eval, &explanation.fields, &args.field)?;
    match output {
        None => {
            let mut out = io::stdout();
            let paint = Paint::for_stream(&out);
            show(&mut out, paint, &args.eval, &game, &fields)?;
            Ok(ExitCode::SUCCESS)
        }
        Some((path, format)) => {
            let bytes = match format {
                Format::Svg => picture(args, &game, &explanation, &fields).into_bytes(),
                Format::Png => png::png(&picture(args, &game, &explanation, &fields), ZOOM)?,
                Format::Npy => numbers(&fields),
            };
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            written(path, &bytes, &format!("{}: {}", args.eval, names.join(", ")))
        }
    }
}

fn written(path: &Path, bytes: &[u8], what: &str) -> anyhow::Result<ExitCode> {
    atomic_file::write_bytes(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(io::stdout(), "{}  {what}", path.display())?;
    Ok(ExitCode::SUCCESS)
}

fn picture(args: &FieldArgs, game: &ChessGame, explanation: &Explanation, fields: &[&Field]) -> String {
    let title = match fields {
        [field] => format!("{}: {}", args.eval, field.name),
        _ => args.eval.clone(),
    };
    // The minus of print beside the plus of print.
    let score = explanation.score.to_string().replace('-', "−");
    Drawing {
        title: &title,
        note: &format!("{score}, {} to move", text::side(game.side_to_move())),
        subtitle: &game.fen(),
        board: game.position().board(),
        turn: game.side_to_move(),
        fields,
        figures: args.numbers,
    }
    .svg()
}

/// One field as it is, several one after the other.
fn numbers(fields: &[&Field]) -> Vec<u8> {
    match fields {
        [field] => npy::field(&field.values),
        _ => npy::fields(fields.iter().map(|field| &field.values)),
    }
}

/// Writes fields one below the other, in colour or in numbers alone.
pub fn show(
    out: &mut impl Write,
    paint: Paint,
    name: &str,
    game: &ChessGame,
    fields: &[&Field],
) -> io::Result<()> {
    let board = game.position().board();
    for (field, scale) in fields.iter().zip(tabia_draw::scales(fields)) {
        let text = if paint.is_on() {
            terminal::colored(board, field, &scale)
        } else {
            terminal::plain(board, field, &scale)
        };
        let title = paint.bold(format_args!("{name}: {}", field.name));
        writeln!(out, "{title}  {}\n{text}", paint.dim(&field.unit))?;
    }
    Ok(())
}
