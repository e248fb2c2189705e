//! Chances and accuracy in per cent.

use shakmaty::{ByColor, Color};

/// Accuracy of a move: `SCALE · exp(-DECAY · loss) - SHIFT + BONUS`.
const SCALE: f64 = 103.166_810_071_164_9;
const DECAY: f64 = 0.043_544_153_867_539_51;
const SHIFT: f64 = 3.166_924_740_191_411;
/// Allowance for the error of the search.
const BONUS: f64 = 1.0;
/// A window over the game has a tenth of its moves, within these.
const WINDOW: (usize, usize) = (2, 8);
/// Bounds of the weight of a window.
const WEIGHT: (f64, f64) = (0.5, 12.0);
/// Least accuracy in the harmonic mean, so that one move cannot make it zero.
const MIN_IN_HARMONIC_MEAN: f64 = 1.0;

/// Accuracy of a move from the mover's chances before and after.
fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    (SCALE * (-DECAY * (before - after)).exp() - SHIFT + BONUS).clamp(0.0, 100.0)
}

/// Accuracy of both players from White's chances before the first move and after each; `first` moved first.
pub fn accuracy(white_chances: &[f64], first: Color) -> ByColor<Option<f64>> {
    let weights = weights(white_chances);
    ByColor::new_with(|color| {
        let of_color: Vec<(f64, f64)> = white_chances
            .windows(2)
            .zip(&weights)
            .enumerate()
            .filter(|(index, _)| (if index.is_multiple_of(2) { first } else { first.other() }) == color)
            .map(|(_, (pair, weight))| {
                let mine = |white: f64| color.fold_wb(white, 100.0 - white);
                (move_accuracy(mine(pair[0]), mine(pair[1])), *weight)
            })
            .collect();
        mean_of_means(&of_color)
    })
}

fn mean_of_means(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let total: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / total;
    let inverse: f64 = moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(MIN_IN_HARMONIC_MEAN)).sum();
    let harmonic = moves.len() as f64 / inverse;
    Some(f64::midpoint(weighted, harmonic))
}

/// Volatility around each move: the standard deviation of chances in a window that ends with it; the first moves share
/// the first window.
fn weights(chances: &[f64]) -> Vec<f64> {
    let moves = chances.len().saturating_sub(1);
    let size = (moves / 10).clamp(WINDOW.0, WINDOW.1).min(chances.len());
    (1..chances.len())
        .map(|end| {
            let end = end.max(size - 1);
            deviation(&chances[end + 1 - size..=end]).clamp(WEIGHT.0, WEIGHT.1)
        })
        .collect()
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_with_what_is_lost() {
        let accuracies = [0.0, 5.0, 10.0, 30.0, 90.0].map(|loss| move_accuracy(95.0, 95.0 - loss));
        assert!(accuracies.is_sorted_by(|a, b| a > b), "{accuracies:?}");
        assert!((accuracies[0] - 100.0).abs() < 1e-9 && accuracies[4] < 1.0);
        // 103.1668 · e^-0.4354 - 3.1669 + 1.
        assert!((accuracies[2] - 64.58).abs() < 0.01, "{accuracies:?}");
    }

    #[test]
    fn a_player_who_loses_nothing_is_perfect() {
        // White keeps everything, Black gives ten points with every move.
        let chances = [50.0, 50.0, 60.0, 60.0, 70.0, 70.0, 80.0];
        let found = accuracy(&chances, Color::White);
        assert!((found.white.unwrap() - 100.0).abs() < 1e-9);
        assert!((found.black.unwrap() - 64.58).abs() < 0.01, "{found:?}");
        assert_eq!(accuracy(&[50.0], Color::White).white, None);
        assert_eq!(accuracy(&[50.0, 50.0], Color::Black).white, None);
    }
}
