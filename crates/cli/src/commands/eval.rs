//! `tabia eval`: the static evaluation of a position, explained.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use shakmaty::Color;
use tabia_core::ChessGame;
use tabia_eval::{Explanation, Field, Term, View, phrases};

use super::play::board::{self, Style};
use crate::terminal::Paint;
use crate::{evaluations, output, position, text};

/// Arguments of `tabia eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A term contributes (White − Black) × weight centipawns; the terms sum to the score. This is the static evaluation, \
without a search: it does not see that a piece can be captured.

In JSON: {\"fen\",\"eval\",\"weights\" (where a file is named),\"score_cp\" (White's view),\"terms\":[{\"name\",\"white\",\"black\",\"weight\",\"score_cp\"}], \
\"fields\":[{\"name\",\"unit\",\"values\":[[8 numbers] × 8, rank 8 first]}]}.

Examples:
  tabia eval startpos
  tabia eval 'r1bq1rk1/pppnn1bp/3p4/3Pp1p1/2P1Pp2/2N2P2/PP2BBPP/R2QNRK1 w - - 0 13' --eval 'axon(style=50)'
  tabia eval 8/5pk1/p3p1p1/1pPpP2p/1P1P1P1P/P3K1P1/8/8 w - - 0 40 --json | jq .score_cp")]
pub struct EvalArgs {
    /// The position, quoted or not; `startpos` is the start of a game.
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    /// The evaluation, with options if it takes some: axiomx(kernels=code), axon(style=50).
    #[arg(long, value_name = "NAME", default_value = evaluations::DEFAULT)]
    eval: String,
    /// A weight file of `tabia tune` [default: the evaluation's own weights].
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Evaluates and explains a position.
pub fn run(args: &EvalArgs) -> anyhow::Result<ExitCode> {
    let game = position::read(&args.position.join(" "), false)?;
    let weights = args.weights.as_deref();
    let explanation = evaluations::explain(&args.eval, weights, View::from(game.position()))?;
    if args.json {
        output::json(&Document::new(&game, args, &explanation))?;
    } else {
        let out = io::stdout().lock();
        let paint = Paint::for_stream(&out);
        write_text(out, paint, &game, args, &explanation)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_text(
    mut out: impl Write,
    paint: Paint,
    game: &ChessGame,
    args: &EvalArgs,
    explanation: &Explanation,
) -> io::Result<()> {
    for line in board::draw(game.position(), None, Color::White, Style { paint, unicode: false }) {
        writeln!(out, "{line}")?;
    }
    let turn = text::side(game.side_to_move());
    let weights = args.weights.as_deref().map(|path| format!(" by {}", path.display())).unwrap_or_default();
    let (name, score) = (paint.bold(&args.eval), paint.bold(explanation.score));
    writeln!(out, "\n{name}{weights}  {score} for White, {turn} to move\n")?;
    for line in table(explanation, paint) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "\n{}", phrases::paragraph(explanation))?;
    if let Some(outcome) = game.outcome() {
        writeln!(out, "But the game is over: {outcome}.")?;
    }
    if !explanation.fields.is_empty() {
        let names: Vec<&str> = explanation.fields.iter().map(|field| field.name.as_str()).collect();
        writeln!(out, "\n{}", paint.dim(format_args!("To look at (tabia field): {}", names.join(", "))))?;
    }
    Ok(())
}

/// From this number of terms on, those that neither side has are only counted.
const MANY_TERMS: usize = 30;

/// The terms in columns, and what they add up to. Terms that say nothing are pale; of many, those that neither side
/// has are left out.
fn table(explanation: &Explanation, paint: Paint) -> Vec<String> {
    let many = explanation.terms.len() >= MANY_TERMS;
    let is_shown = |term: &&Term| !many || term.white != 0.0 || term.black != 0.0;
    let shown: Vec<&Term> = explanation.terms.iter().filter(is_shown).collect();
    let absent = explanation.terms.len() - shown.len();
    let longest = shown.iter().map(|term| term.name.chars().count()).max().unwrap_or_default();
    let width = longest.max("score".len());
    let row = |name: &str, cells: [&str; 4]| {
        let [white, black, weight, centipawns] = cells;
        format!("{name:<width$} {white:>10} {black:>10} {weight:>10} {centipawns:>8}")
    };
    let head = paint.style("4", row("term", ["White", "Black", "weight", "cp"]));
    let rows = shown.into_iter().map(|term| {
        let [white, black, weight] = [term.white, term.black, term.weight].map(number);
        let row = row(&term.name, [&white, &black, &weight, &signed(term.centipawns)]);
        if term.centipawns == 0 { paint.dim(row) } else { row }
    });
    let score = paint.bold(row("score", ["", "", "", &signed(explanation.score.raw())]));
    let rest = (absent > 0).then(|| paint.dim(format_args!("({absent} more that neither side has)")));
    std::iter::once(head).chain(rows).chain(rest).chain([score]).collect()
}

/// With a sign, unless it is nothing.
fn signed(centipawns: i32) -> String {
    if centipawns == 0 { "0".to_owned() } else { format!("{centipawns:+}") }
}

/// At most three digits after the point, without trailing zeros.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The JSON, which is a contract.
#[derive(Serialize)]
struct Document<'a> {
    fen: String,
    eval: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a Path>,
    score_cp: i32,
    terms: Vec<TermDocument<'a>>,
    fields: Vec<FieldDocument<'a>>,
}

#[derive(Serialize)]
struct TermDocument<'a> {
    name: &'a str,
    white: f64,
    black: f64,
    weight: f64,
    score_cp: i32,
}

#[derive(Serialize)]
struct FieldDocument<'a> {
    name: &'a str,
    unit: &'a str,
    values: &'a [[f64; 8]; 8],
}

impl<'a> Document<'a> {
    fn new(game: &ChessGame, args: &'a EvalArgs, explanation: &'a Explanation) -> Document<'a> {
        Document {
            fen: game.fen(),
            eval: &args.eval,
            weights: args.weights.as_deref(),
            score_cp: explanation.score.raw(),
            terms: explanation.terms.iter().map(TermDocument::new).collect(),
            fields: explanation.fields.iter().map(FieldDocument::new).collect(),
        }
    }
}

impl<'a> TermDocument<'a> {
    fn new(term: &'a Term) -> TermDocument<'a> {
        let Term { name, white, black, weight, centipawns } = term;
        TermDocument { name, white: *white, black: *black, weight: *weight, score_cp: *centipawns }
    }
}

impl<'a> FieldDocument<'a> {
    fn new(field: &'a Field) -> FieldDocument<'a> {
        FieldDocument { name: &field.name, unit: &field.unit, values: &field.values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_table_are_short() {
        let texts = [39.0, 0.5, 40.98765, -0.0001, -12.0].map(number);
        assert_eq!(texts, ["39", "0.5", "40.988", "0", "-12"]);
    }
}
