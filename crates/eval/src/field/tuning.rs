//! The same features as a differentiable function of the weights, for training.

use shakmaty::{Color, Role, Square};
use tabia_core::chess::role_name;

use super::file::{self, FileError};
use super::groups::{self, danger};
use super::hidden_layer;
use super::weights::{HIDDEN_LAYER, PARAMETERS, Weights};
use super::{DANGER_LINE, FieldEval, Taper, scale, trace};
use crate::explain::{Field, board_of};
use crate::pst;
use crate::tuning::{EvalTrace, HiddenLayer, Parameter, SquaredRelu, Tunable, merge_counts};
use crate::view::{View, half_board};
use crate::weights_file;
use crate::weights_file::BOUND;

/// Middlegame cost of squared danger, in centipawns per squared point.
const SQUARE: f32 = 1.0 / 256.0;

impl Tunable for FieldEval {
    fn parameters(&self) -> Vec<Parameter> {
        let mut names = Vec::with_capacity(PARAMETERS);
        for group in groups::ALL {
            for index in 0..group.size {
                for end in ["middlegame", "endgame"] {
                    names.push(format!("{end} {} {index}", group.name));
                }
            }
        }
        for input in danger::ALL {
            names.extend((0..input.size).map(|index| format!("danger {} {index}", input.name)));
        }
        let numbers = |index: usize| match index.checked_sub(HIDDEN_LAYER) {
            Some(index) => (hidden_layer::range(index), hidden_layer::step(index)),
            None => ([-BOUND, BOUND], 1.0),
        };
        let hidden_layer: Vec<_> = hidden_layer::lists().collect();
        names.extend(weights_file::names(&hidden_layer));
        let values = self.weights().parameters();
        let parameter = |(index, (name, value))| {
            let ([min, max], step) = numbers(index);
            Parameter { name, value, min, max, step }
        };
        names.into_iter().zip(values).enumerate().map(parameter).collect()
    }

    fn with_parameters(&self, parameters: &[f64]) -> Option<FieldEval> {
        Weights::from_parameters(parameters).map(FieldEval::with_weights)
    }

    /// Endgame scaling depends on which side is ahead; training takes it as constant, computed with the present weights.
    fn trace(&self, view: View<'_>) -> Option<EvalTrace> {
        let trace = trace(view);
        let Taper { phase, scale } = Taper::of(view.board, self.sum(view).endgame());
        let middlegame = phase as f32 / pst::FULL_PHASE as f32;
        let endgame = (1.0 - middlegame) * scale as f32 / scale::FULL as f32;

        let counts = trace.found.iter().map(|found| {
            let count = found.color.fold_wb(found.count, -found.count);
            (found.feature as u16, count as i16)
        });
        let pairs = merge_counts(counts.collect());
        let of = |color: Color| {
            let found =
                trace.found.iter().filter(|found| found.color == color && found.feature < groups::INPUTS);
            merge_counts(found.map(|found| (found.feature as u16, found.count as i16)).collect())
        };
        let layer = HiddenLayer {
            first: HIDDEN_LAYER,
            inputs: groups::INPUTS,
            counts: [of(Color::White), of(Color::Black)],
        };
        let unit = |inputs: &[(usize, i32)], sign: f32| SquaredRelu {
            inputs: inputs
                .iter()
                .map(|(input, count)| ((2 * groups::COUNT + input) as u16, *count as i16))
                .collect(),
            square: sign * middlegame * SQUARE,
            line: sign * endgame / DANGER_LINE as f32,
        };
        Some(EvalTrace {
            taper: [middlegame, endgame],
            pairs,
            squared: vec![unit(&trace.danger[0], -1.0), unit(&trace.danger[1], 1.0)],
            layer: Some(Box::new(layer)),
            ..EvalTrace::default()
        })
    }

    fn pictures(&self) -> Vec<Field> {
        let linear = &self.weights().linear;
        let mut pictures = Vec::new();
        for (end, stage) in ["middlegame", "endgame"].into_iter().enumerate() {
            let mut picture = |name: String, feature: &dyn Fn(Square) -> usize| {
                let values = board_of(|square| linear[feature(square)][end]);
                pictures.push(Field {
                    name: format!("{stage} {name}"),
                    unit: "centipawns".to_owned(),
                    values,
                });
            };
            for (kind, role) in Role::ALL.into_iter().enumerate() {
                let name = role_name(role);
                picture(format!("{name} placement"), &|at| {
                    groups::OWN_KING_PST + 64 * kind + usize::from(at)
                });
                if role != Role::King {
                    picture(format!("{name} approach"), &|at| {
                        groups::ENEMY_KING_PST + 64 * kind + usize::from(at)
                    });
                }
            }
            for (kernel, name) in ["held by pawns", "held by pieces", "contested"].into_iter().enumerate() {
                picture(name.to_owned(), &|at| groups::CONTROL + 32 * kernel + half_board(at));
            }
        }
        pictures
    }

    fn with_file(&self, text: &str) -> Result<FieldEval, FileError> {
        file::read(text).map(FieldEval::with_weights)
    }

    fn file(&self, note: &str) -> String {
        file::write(self.weights(), Some(note))
    }
}
