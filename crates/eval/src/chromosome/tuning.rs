//! A chromosome is a linear sum, so its trace is its feature counts.

use std::sync::LazyLock;

use shakmaty::Color;

use super::facts::Facts;
use super::genome::{self, GENES, LARGEST, PRINCIPLES, SCALARS, SQUARES, square_index};
use super::phases::{self, PHASE_NAMES, Phases};
use super::{Chromosome, PAWN, file, index};
use crate::explain::Field;
use crate::tuning::{EvalTrace, Parameter, Tunable};
use crate::view::View;
use crate::weights_file::FileError;

/// Weights are pawns; a step is a centipawn.
const STEP: f64 = 1.0 / PAWN;

/// Learned weights are written to this part of a pawn.
const QUANTISATION: f64 = 10_000.0;

static LEARNED: LazyLock<Chromosome> = LazyLock::new(|| {
    Chromosome::default().with_file(include_str!("learned.json")).expect("the shipped weights are tested")
});

impl Chromosome {
    /// The evaluation with the weights learned from self-play games (`docs/learning.md`).
    pub fn learned() -> Chromosome {
        LEARNED.clone()
    }
}

impl Tunable for Chromosome {
    fn parameters(&self) -> Vec<Parameter> {
        let sets = self.weights().sets();
        let parameter = |phase: usize, gene: genome::Gene, value: f64| Parameter {
            name: if sets.len() == 1 {
                gene.name
            } else {
                format!("{} in the {}", gene.name, PHASE_NAMES[phase])
            },
            value,
            min: -LARGEST,
            max: LARGEST,
            step: STEP,
        };
        let of_set = |(phase, weights): (usize, &super::Weights)| {
            let values = genome::genes().zip(weights.to_flat());
            values.map(|(gene, value)| parameter(phase, gene, value)).collect::<Vec<_>>()
        };
        sets.iter().enumerate().flat_map(of_set).collect()
    }

    fn with_parameters(&self, parameters: &[f64]) -> Option<Chromosome> {
        Phases::from_flat(parameters).ok().map(Chromosome::new)
    }

    fn trace(&self, view: View<'_>) -> Option<EvalTrace> {
        let facts = Facts::of(view);
        let [white, black] = Color::ALL.map(|color| genome::count(&facts, color));
        let mut singles: Vec<(u16, f32)> = PRINCIPLES
            .iter()
            .enumerate()
            .filter(|(index, _)| white[*index] != black[*index])
            .map(|(index, principle)| {
                let points = f64::from(white[index] - black[index]) / f64::from(principle.steps_a_point);
                (index as u16, (points * PAWN) as f32)
            })
            .collect();
        for (square, piece) in view.board {
            let place = square_index(piece.color.fold_wb(square, square.flip_vertical()));
            let gene = SCALARS + index(piece.role) * SQUARES + place;
            singles.push((gene as u16, piece.color.fold_wb(PAWN, -PAWN) as f32));
        }
        if self.weights().sets().len() > 1 {
            let (earlier, later, parts) = phases::between(view.board);
            let share = parts as f32 / phases::BETWEEN as f32;
            let of_phase = |phase: usize, share: f32| {
                singles.iter().map(move |(gene, count)| ((phase * GENES) as u16 + gene, count * share))
            };
            singles = of_phase(earlier, share).chain(of_phase(later, 1.0 - share)).collect();
        }
        Some(EvalTrace { singles, ..EvalTrace::default() })
    }

    fn pictures(&self) -> Vec<Field> {
        self.table_fields()
    }

    fn with_file(&self, text: &str) -> Result<Chromosome, FileError> {
        Ok(Chromosome::new(file::read(text)?))
    }

    /// The chromosome format has no note.
    fn file(&self, _note: &str) -> String {
        let rounded = |weight: f64| (weight * QUANTISATION).round() / QUANTISATION;
        let rounded: Vec<f64> = self.weights().to_flat().into_iter().map(rounded).collect();
        // Rounding does not exceed the bounds.
        Phases::from_flat(&rounded)
            .map_or_else(|_| file::write(self.weights()), |weights| file::write(&weights))
    }
}
