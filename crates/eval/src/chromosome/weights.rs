//! The weights of one chromosome, all of them finite and within reason.

use std::array;

use tabia_core::seed::derive;

use super::genome::{self, GENES, LARGEST, SCALARS, SQUARES, TABLES};
use super::tables::Table;

/// Why numbers are no weights.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightError {
    /// Too few or too many.
    #[error("a chromosome has {GENES} weights, or three times as many for three phases, not {found}")]
    Count {
        /// How many there were.
        found: usize,
    },
    /// Not a number, infinite, or beyond [`LARGEST`].
    #[error("weight \"{name}\" is {value}; weights are pawns from -{LARGEST} to {LARGEST}")]
    Range {
        name: String,
        /// What it was to be.
        value: f64,
    },
}

/// What every principle and every square is worth, in pawns.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    scalars: [f64; SCALARS],
    tables: [Table; TABLES],
}

/// The centre of every gene's range.
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

    /// Weights in the order of the genome.
    pub fn from_flat(flat: &[f64]) -> Result<Weights, WeightError> {
        let flat: &[f64; GENES] = flat.try_into().map_err(|_| WeightError::Count { found: flat.len() })?;
        for (index, &value) in flat.iter().enumerate() {
            // A NaN is within nothing.
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
