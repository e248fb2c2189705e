//! What learning needs to know: the same features, as a function of the weights.

use shakmaty::{Color, Role, Square};

use super::file::{self, FileError};
use super::groups::{self, danger};
use super::interplay;
use super::weights::{INTERPLAY, PARAMETERS, Weights};
use super::{Blend, DANGER_LINE, Learned, scale, trace};
use crate::explain::{Field, board_of, role_name};
use crate::lists;
use crate::lists::BOUND;
use crate::pst;
use crate::recipe::{Layer, Parameter, Recipe, Tunable, Unit, gathered};
use crate::view::{View, half_board};

/// What the square of danger costs in the middlegame, in centipawns and points.
const SQUARE: f32 = 1.0 / 256.0;

impl Tunable for Learned {
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
        let numbers = |index: usize| match index.checked_sub(INTERPLAY) {
            Some(index) => (interplay::range(index), interplay::step(index)),
            None => ([-BOUND, BOUND], 1.0),
        };
        let interplay: Vec<_> = interplay::lists().collect();
        names.extend(lists::names(&interplay));
        let values = self.weights().parameters();
        let parameter = |(index, (name, value))| {
            let ([least, most], step) = numbers(index);
            Parameter { name, value, least, most, step }
        };
        names.into_iter().zip(values).enumerate().map(parameter).collect()
    }

    fn with_parameters(&self, parameters: &[f64]) -> Option<Learned> {
        Weights::from_parameters(parameters).map(Learned::with_weights)
    }

    /// How much of an endgame advantage counts depends on who has it: it is taken as it is with the present
    /// weights.
    fn recipe(&self, view: View<'_>) -> Option<Recipe> {
        let trace = trace(view);
        let Blend { phase, scale } = Blend::of(view.board, self.sum(view).endgame());
        let middlegame = phase as f32 / pst::FULL_PHASE as f32;
        let endgame = (1.0 - middlegame) * scale as f32 / scale::FULL as f32;

        let counts = trace.found.iter().map(|found| {
            let count = found.color.fold_wb(found.count, -found.count);
            (found.feature as u16, count as i16)
        });
        let pairs = gathered(counts.collect());
        let of = |color: Color| {
            let found =
                trace.found.iter().filter(|found| found.color == color && found.feature < groups::INPUTS);
            gathered(found.map(|found| (found.feature as u16, found.count as i16)).collect())
        };
        let layer =
            Layer { first: INTERPLAY, inputs: groups::INPUTS, counts: [of(Color::White), of(Color::Black)] };
        let unit = |inputs: &[(usize, i32)], sign: f32| Unit {
            inputs: inputs
                .iter()
                .map(|(input, count)| ((2 * groups::COUNT + input) as u16, *count as i16))
                .collect(),
            square: sign * middlegame * SQUARE,
            line: sign * endgame / DANGER_LINE as f32,
        };
        Some(Recipe {
            taper: [middlegame, endgame],
            pairs,
            units: vec![unit(&trace.danger[0], -1.0), unit(&trace.danger[1], 1.0)],
            layer: Some(Box::new(layer)),
            ..Recipe::default()
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
                picture(format!("{name} placement"), &|at| groups::PLACEMENT + 64 * kind + usize::from(at));
                if role != Role::King {
                    picture(format!("{name} approach"), &|at| groups::APPROACH + 64 * kind + usize::from(at));
                }
            }
            for (kernel, name) in ["held by pawns", "held by pieces", "contested"].into_iter().enumerate() {
                picture(name.to_owned(), &|at| groups::CONTROL + 32 * kernel + half_board(at));
            }
        }
        pictures
    }

    fn with_file(&self, text: &str) -> Result<Learned, FileError> {
        file::read(text).map(Learned::with_weights)
    }

    fn file(&self, note: &str) -> String {
        file::write(self.weights(), Some(note))
    }
}
