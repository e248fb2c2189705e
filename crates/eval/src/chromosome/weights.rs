//! The weights of a chromosome, all finite and bounded.

use std::array;

use tabia_core::seed::derive;

use super::genome::{self, GENES, LARGEST, SCALARS, SQUARES, TABLES};
use super::tables::Table;

/// Why numbers are not valid weights.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightError {
    #[error("a chromosome has {GENES} weights, or three times as many for three phases, not {found}")]
    Count { found: usize },
    /// NaN, infinite, or beyond [`LARGEST`].
    #[error("weight \"{name}\" is {value}; weights are pawns from -{LARGEST} to {LARGEST}")]
    Range { name: String, value: f64 },
}

/// The weights of all principles and squares, in pawns.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    scalars: [f64; SCALARS],
    tables: [Table; TABLES],
}

/// The centre of every gene's initial range.
impl Default for Weights {
    fn default() -> Weights {
        Weights::of_genes(|_, gene| gene.centre)
    }
}

impl Weights {
    /// Weights drawn uniformly from every gene's range; the same seed gives the same weights everywhere.
    pub fn random(seed: u64) -> Weights {
        Weights::of_genes(|index, gene| {
            gene.centre + gene.spread * symmetric_unit(derive(seed, index as u64))
        })
    }

    fn of_genes(weight: impl Fn(usize, genome::Gene) -> f64) -> Weights {
        let mut flat = [0.0; GENES];
        for (index, gene) in genome::genes().enumerate() {
            flat[index] = weight(index, gene);
        }
        Weights::unflatten(&flat)
    }

    /// From a list in the order of the genome.
    pub fn from_flat(flat: &[f64]) -> Result<Weights, WeightError> {
        let flat: &[f64; GENES] = flat.try_into().map_err(|_| WeightError::Count { found: flat.len() })?;
        for (index, &value) in flat.iter().enumerate() {
            // A NaN is in no range.
            if !(-LARGEST..=LARGEST).contains(&value) {
                let name = genome::gene(index).map(|gene| gene.name).unwrap_or_default();
                return Err(WeightError::Range { name, value });
            }
        }
        Ok(Weights::unflatten(flat))
    }

    fn unflatten(flat: &[f64; GENES]) -> Weights {
        let (scalars, squares) = flat.split_at(SCALARS);
        Weights {
            scalars: array::from_fn(|principle| scalars[principle]),
            tables: array::from_fn(|table| array::from_fn(|place| squares[table * SQUARES + place])),
        }
    }

    /// The weights in the order of the genome.
    pub fn to_flat(&self) -> [f64; GENES] {
        let mut flat = [0.0; GENES];
        let (scalars, squares) = flat.split_at_mut(SCALARS);
        scalars.copy_from_slice(&self.scalars);
        squares.copy_from_slice(self.tables.as_flattened());
        flat
    }

    /// Weights of the principles.
    pub fn scalars(&self) -> &[f64; SCALARS] {
        &self.scalars
    }

    /// The tables, in the order of [`shakmaty::Role::ALL`].
    pub fn tables(&self) -> &[Table; TABLES] {
        &self.tables
    }
}

/// A number from -1 to 1 out of 53 random bits, as many as a float holds.
fn symmetric_unit(bits: u64) -> f64 {
    const STEPS: f64 = (1u64 << 53) as f64;
    2.0 * ((bits >> 11) as f64 / STEPS) - 1.0
}
