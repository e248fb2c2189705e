//! Numbers into the memory of NumPy arrays.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;

use crate::work::refused;

/// Copies numbers into an array of as many places.
pub fn fill<T: Element + Copy>(py: Python<'_>, array: &PyBuffer<T>, values: &[T]) -> PyResult<()> {
    if array.item_count() != values.len() {
        return Err(refused(format_args!(
            "the array has {} places, expected {}",
            array.item_count(),
            values.len()
        )));
    }
    if array.readonly() {
        return Err(refused("the array cannot be written to"));
    }
    array.copy_from_slice(py, values)
}
