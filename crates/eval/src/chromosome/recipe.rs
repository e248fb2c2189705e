//! What learning needs to know: a chromosome is a plain sum, so its recipe is the counts.

use std::sync::LazyLock;

use shakmaty::{Color, Role};

use super::facts::Facts;
use super::genome::{self, LARGEST, PRINCIPLES, SCALARS, SQUARES, place_of};
use super::{Chromosome, PAWN, Weights, board_of, file, index, table_term};
use crate::explain::Field;
use crate::lists::FileError;
use crate::recipe::{Parameter, Recipe, Tunable};
use crate::view::View;

/// Weights are pawns; a step is a centipawn.
const STEP: f64 = 1.0 / PAWN;

/// Learned weights are written to this part of a pawn.
const GRAINS: f64 = 10_000.0;

/// The weights that gradient descent found, as they are shipped.
static LEARNED: LazyLock<Chromosome> = LazyLock::new(|| {
    Chromosome::default().with_file(include_str!("learned.json")).expect("the shipped weights are tested")
});

impl Chromosome {
    /// As it is after learning from games that the laboratory played itself (`docs/learning.md`).
    pub fn learned() -> Chromosome {
        LEARNED.clone()
    }
}

impl Tunable for Chromosome {
    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |(gene, value): (genome::Gene, f64)| Parameter {
            name: gene.name,
            value,
            least: -LARGEST,
            most: LARGEST,
            step: STEP,
        };
        genome::genes().zip(self.weights().to_flat()).map(parameter).collect()
    }

    fn with_parameters(&self, parameters: &[f64]) -> Option<Chromosome> {
        Weights::from_flat(parameters).ok().map(Chromosome::new)
    }

    fn recipe(&self, view: View<'_>) -> Option<Recipe> {
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
            let place = place_of(piece.color.fold_wb(square, square.flip_vertical()));
            let gene = SCALARS + index(piece.role) * SQUARES + place;
            singles.push((gene as u16, piece.color.fold_wb(PAWN, -PAWN) as f32));
        }
        Some(Recipe { singles, ..Recipe::default() })
    }

    fn pictures(&self) -> Vec<Field> {
        let tables = Role::ALL.into_iter().zip(self.weights().tables());
        let picture = |(role, table): (Role, &super::Table)| Field {
            name: table_term(role).to_owned(),
            unit: "pawns".to_owned(),
            values: board_of(|place| table[place]),
        };
        tables.map(picture).collect()
    }

    fn with_file(&self, text: &str) -> Result<Chromosome, FileError> {
        Ok(Chromosome::new(file::read(text)?))
    }

    /// The format of chromosomes has no place for a note.
    fn file(&self, _note: &str) -> String {
        let rounded = self.weights().to_flat().map(|weight| (weight * GRAINS).round() / GRAINS);
        // Rounding leaves no weight beyond its bound.
        Weights::from_flat(&rounded)
            .map_or_else(|_| file::write(self.weights()), |weights| file::write(&weights))
    }
}
