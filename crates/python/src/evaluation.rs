//! Scores, explanations, fields and pictures.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use shakmaty::{Chess, Position};
use tabia_core::Stop;
use tabia_draw::{Drawing, drawing};
use tabia_eval::registry::{self, Visitor};
use tabia_eval::{AnyEvaluation, Evaluate, Field, View, phrases};

use crate::arrays::fill;
use crate::position;
use crate::work::{interruptible, refused, threads};

/// The names of all evaluations.
#[pyfunction]
pub fn evaluations() -> Vec<&'static str> {
    registry::NAMES.to_vec()
}

/// The default evaluation.
#[pyfunction]
pub fn strongest_evaluation() -> &'static str {
    registry::STRONGEST
}

/// The evaluation that a text names, with its options: `axon(style=50)`.
fn named(text: &str) -> PyResult<AnyEvaluation> {
    AnyEvaluation::from_text(text).map_err(refused)
}

/// A position's score in centipawns, White's view.
#[pyfunction]
pub fn evaluate(fen: &str, evaluation: &str) -> PyResult<i32> {
    let position = position::read(fen)?;
    Ok(named(evaluation)?.evaluate(View::from(&position)).raw())
}

/// A term: its name, what White and Black have, centipawns a unit, its share of the score.
type Term = (String, f64, f64, f64, i32);

/// The score, a sentence, the terms, and each field's name, unit and 64 numbers.
type Explained = (i32, String, Vec<Term>, Vec<(String, String, Vec<f64>)>);

/// A score taken apart.
#[pyfunction]
pub fn explain(fen: &str, evaluation: &str) -> PyResult<Explained> {
    let position = position::read(fen)?;
    let explanation = named(evaluation)?.explain(View::from(&position));
    let text = phrases::paragraph(&explanation);
    let terms = explanation.terms.into_iter();
    let fields = explanation.fields.into_iter();
    Ok((
        explanation.score.raw(),
        text,
        terms.map(|term| (term.name, term.white, term.black, term.weight, term.centipawns)).collect(),
        fields.map(|field| (field.name, field.unit, field.values.as_flattened().to_vec())).collect(),
    ))
}

/// Evaluates many positions on several threads, each compiled for the evaluation's own type.
struct EvaluateAll<'a> {
    fens: &'a [String],
    threads: usize,
    stop: &'a Stop,
}

/// Scores, or the number of the position that cannot be read and why.
type Scores = Result<Vec<i32>, (usize, PyErr)>;

impl Visitor for EvaluateAll<'_> {
    type Output = Scores;

    fn visit<E: Evaluate + 'static>(self, evaluation: E) -> Scores {
        let part = self.fens.len().div_ceil(self.threads).max(1);
        let evaluate = |start: usize, fens: &[String], mut evaluation: E| -> Scores {
            let mut scores = Vec::with_capacity(fens.len());
            for (index, fen) in fens.iter().enumerate() {
                if self.stop.is_stopped() {
                    break;
                }
                let position: Chess = position::read(fen).map_err(|error| (start + index, error))?;
                scores.push(evaluation.evaluate(View::from(&position)).raw());
            }
            Ok(scores)
        };
        std::thread::scope(|scope| {
            let parts: Vec<_> = self
                .fens
                .chunks(part)
                .enumerate()
                .map(|(number, fens)| {
                    let evaluation = evaluation.clone();
                    scope.spawn(move || evaluate(number * part, fens, evaluation))
                })
                .collect();
            let mut scores = Vec::with_capacity(self.fens.len());
            for part in parts {
                match part.join() {
                    Ok(part) => scores.extend(part?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(scores)
        })
    }
}

/// Writes the scores of many positions into an array, working on several threads.
#[pyfunction]
pub fn evaluate_many(
    py: Python<'_>,
    fens: Vec<String>,
    evaluation: &str,
    asked_threads: Option<usize>,
    out: PyBuffer<i32>,
) -> PyResult<()> {
    let (stop, threads) = (Stop::new(), threads(asked_threads)?);
    let evaluation = named(evaluation)?;
    let scores = interruptible(py, &stop, || {
        Ok(evaluation.accept(EvaluateAll { fens: &fens, threads, stop: &stop }))
    })?;
    let scores = scores.map_err(|(index, error)| {
        let why = error.value(py).to_string();
        refused(format_args!("position {index}: {why}"))
    })?;
    fill(py, &out, &scores)
}

/// A board as SVG.
#[pyfunction]
pub fn board_svg(fen: &str, title: &str) -> PyResult<String> {
    let position = position::read(fen)?;
    Ok(drawing::board(position.board(), position.turn(), title))
}

/// A board with numbers under its pieces, as SVG.
#[pyfunction]
pub fn field_svg(
    fen: &str,
    name: &str,
    unit: &str,
    values: Vec<f64>,
    title: &str,
    figures: bool,
) -> PyResult<String> {
    let position = position::read(fen)?;
    if values.len() != 64 {
        return Err(refused(format_args!(
            "a field has {} numbers, expected 64: eight ranks of eight files, rank 8 first",
            values.len()
        )));
    }
    let values = std::array::from_fn(|row| std::array::from_fn(|column| values[row * 8 + column]));
    let field = Field { name: name.to_owned(), unit: unit.to_owned(), values };
    let drawing = Drawing {
        title,
        note: "",
        subtitle: fen,
        board: position.board(),
        turn: position.turn(),
        fields: &[&field],
        figures,
    };
    Ok(drawing.svg())
}
