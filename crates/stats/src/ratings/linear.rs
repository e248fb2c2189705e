//! Linear systems with a symmetric positive definite matrix, by Cholesky decomposition.

/// Pivots below this are treated as rounding errors.
const SMALLEST_PIVOT: f64 = 1e-14;

/// The lower triangular Cholesky factor.
pub(super) struct CholeskyFactor(Vec<Vec<f64>>);

impl CholeskyFactor {
    pub(super) fn of(matrix: &[Vec<f64>]) -> CholeskyFactor {
        let size = matrix.len();
        let mut root = vec![vec![0.0; size]; size];
        for row in 0..size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| root[row][k] * root[column][k]).sum();
                let left = matrix[row][column] - known;
                root[row][column] =
                    if row == column { left.max(SMALLEST_PIVOT).sqrt() } else { left / root[column][column] };
            }
        }
        CholeskyFactor(root)
    }

    /// Solves `matrix · x = right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for row in 0..x.len() {
            let known: f64 = (0..row).map(|k| self.0[row][k] * x[k]).sum();
            x[row] = (x[row] - known) / self.0[row][row];
        }
        for row in (0..x.len()).rev() {
            let known: f64 = (row + 1..x.len()).map(|k| self.0[k][row] * x[k]).sum();
            x[row] = (x[row] - known) / self.0[row][row];
        }
        x
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.0.len();
        (0..size)
            .map(|column| {
                let mut unit = vec![0.0; size];
                unit[column] = 1.0;
                self.solve(&unit)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_matrix_times_its_inverse_is_one(entries in prop::collection::vec(-3.0..3.0f64, 36)) {
            // B Bᵀ + 1 is symmetric and positive definite for any B.
            let at = |row: usize, column: usize| entries[row * 6 + column];
            let matrix: Vec<Vec<f64>> = (0..6)
                .map(|i| (0..6).map(|j| (0..6).map(|k| at(i, k) * at(j, k)).sum::<f64>() + f64::from(i == j)).collect())
                .collect();
            let inverse = CholeskyFactor::of(&matrix).inverse();
            // The inverse is symmetric too: rows are columns.
            for (i, row) in matrix.iter().enumerate() {
                for (j, column) in inverse.iter().enumerate() {
                    let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                    prop_assert!((product - f64::from(i == j)).abs() < 1e-7);
                }
            }
        }
    }
}
