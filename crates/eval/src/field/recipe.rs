//! What learning needs to know: the same features, as a function of the weights.

use super::groups::{self, danger};
use super::weights::{PARAMETERS, Weights};
use super::{Blend, DANGER_LINE, Learned, scale, trace};
use crate::pst;
use crate::recipe::{Parameter, Recipe, Tunable, Unit};
use crate::view::View;

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
        let values = self.weights().parameters();
        names.into_iter().zip(values).map(|(name, value)| Parameter { name, value }).collect()
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

        let mut counts: Vec<(u16, i16)> = trace
            .found
            .iter()
            .map(|found| {
                let count = found.color.fold_wb(found.count, -found.count);
                (found.feature as u16, count as i16)
            })
            .collect();
        counts.sort_unstable_by_key(|(feature, _)| *feature);
        let mut pairs: Vec<(u16, i16)> = Vec::with_capacity(counts.len());
        for (feature, count) in counts {
            match pairs.last_mut() {
                Some(last) if last.0 == feature => last.1 += count,
                _ => pairs.push((feature, count)),
            }
        }
        pairs.retain(|(_, count)| *count != 0);
        let unit = |inputs: &[(usize, i32)], sign: f32| Unit {
            inputs: inputs
                .iter()
                .map(|(input, count)| ((2 * groups::COUNT + input) as u16, *count as i16))
                .collect(),
            square: sign * middlegame * SQUARE,
            line: sign * endgame / DANGER_LINE as f32,
        };
        Some(Recipe {
            constant: 0.0,
            taper: [middlegame, endgame],
            pairs,
            singles: Vec::new(),
            units: vec![unit(&trace.danger[0], -1.0), unit(&trace.danger[1], 1.0)],
        })
    }
}
