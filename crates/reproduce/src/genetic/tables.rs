//! What becomes of the tables: the seed says that they lose their structure (§IV.A, Figs. 5–11).

use tabia_eval::chromosome::Phases;
use tabia_eval::chromosome::genome::TABLE_NAMES;
use tabia_evolve::plots;

use super::evolution::evolved;
use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::step::{Findings, Plot};

/// Compares the champion's tables with those at the start.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let Some(evolutions) = evolved(work)? else { return Ok(None) };
    let Some(shown) = evolutions.first().map(|first| &first.champion) else { return Ok(None) };
    let before = Phases::default();
    let mut figures = Vec::new();
    for (place, (name, then)) in TABLE_NAMES.iter().zip(before.sets()[0].tables()).enumerate() {
        let over_champions = |what: &str, compare: fn(&[f64; 64], &[f64; 64]) -> f64| {
            let values: Vec<f64> = evolutions
                .iter()
                .map(|each| compare(then, &each.champion.sets()[0].tables()[place]))
                .collect();
            Figure::new(format!("{name}: {what}"), "").mean_of(&values)
        };
        figures.push(over_champions("correlation of the table with its start", correlation).compared());
        figures.push(
            over_champions("roughness after, start = 1", |then, now| roughness(now) / roughness(then))
                .less_is_better(),
        );
    }
    Ok(Some(Findings {
        how: "The tables of the last champions beside the middle of the first generation. Correlation is over the 64 squares. Roughness is the mean \
              difference between neighbouring squares over the spread of the table: noise has more of it. Means over evolutions; the pictures show the first."
            .to_owned(),
        figures,
        notes: vec![
            "The seed says that \"the matrices quickly lose their structure\" and \"basically become noise\", and shows it in pictures without numbers."
                .to_owned(),
        ],
        pictures: plots::of_weights(&before, shown, "before: the middle of the first generation")
            .into_iter()
            .map(Plot::from)
            .map(|picture| Plot { name: format!("genetic-{}", picture.name), ..picture })
            .collect(),
    }))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn spread(values: &[f64]) -> f64 {
    let middle = mean(values);
    mean(&values.iter().map(|value| (value - middle).powi(2)).collect::<Vec<_>>()).sqrt()
}

fn correlation(a: &[f64; 64], b: &[f64; 64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let shared: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).collect();
    mean(&shared) / (spread(a) * spread(b))
}

/// The mean difference between neighbours, over the spread.
fn roughness(table: &[f64; 64]) -> f64 {
    let mut steps = Vec::new();
    for (square, value) in table.iter().enumerate() {
        if square % 8 < 7 {
            steps.push((value - table[square + 1]).abs());
        }
        if square < 56 {
            steps.push((value - table[square + 8]).abs());
        }
    }
    mean(&steps) / spread(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_is_smoother_than_a_board_of_two_colours() {
        let ramp: [f64; 64] = std::array::from_fn(|square| (square / 8) as f64);
        let checked: [f64; 64] = std::array::from_fn(|square| ((square / 8 + square % 8) % 2) as f64);
        assert!(roughness(&ramp) < 1.0 && roughness(&checked) > 1.9);
        assert!((correlation(&ramp, &ramp) - 1.0).abs() < 1e-9);
        let opposite = ramp.map(|value| -value);
        assert!((correlation(&ramp, &opposite) + 1.0).abs() < 1e-9);
    }
}
