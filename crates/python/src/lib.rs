//! Tabia as an extension module of Python: `tabia._native`, which the Python package `tabia` wraps.
//!
//! Functions here take and return plain values: FENs, numbers, JSON documents, and buffers of NumPy arrays that they fill.
//! Classes, documentation and everything else that a reader of a notebook sees are written in Python
//! (`crates/python/tabia`), where they are easier to read and to change.
//!
//! Nothing here holds Python's interpreter lock while it searches, and Ctrl-C ends a search (`work`). What goes wrong
//! is an exception with a sentence: a `ValueError` for bad input, a `RuntimeError` for work that failed.

#![allow(clippy::needless_pass_by_value, reason = "values come from Python: nobody else keeps them")]

mod analysis;
mod arrays;
mod evaluation;
mod matches;
mod position;
mod quantum;
mod statistics;
mod work;

use pyo3::prelude::*;

/// The compiled part of the package `tabia`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::analysis::{analyse, review};
    #[pymodule_export]
    use super::evaluation::{
        board_svg, evaluate, evaluate_many, evaluations, explain, field_svg, strongest_evaluation,
    };
    #[pymodule_export]
    use super::matches::{agents, play_match};
    #[pymodule_export]
    use super::quantum::{QuantumBatch, QuantumGame};
    #[pymodule_export]
    use super::statistics::{elo, fitted_ratings, sprt};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("ACTIONS", tabia_quantum::ACTIONS)?;
        module.add("PLANES", tabia_quantum::planes::PLANES)
    }
}
