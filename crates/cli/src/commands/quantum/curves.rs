//! Plots of a training: losses and scores by generation.

use std::path::Path;

use anyhow::Context;
use tabia_draw::{LineChart, Series};
use tabia_net::metrics::GenerationMetrics;
use tabia_run::atomic_file;

/// Losses by generation.
pub const LOSSES: &str = "losses.svg";
/// Scores against the fixed opponents by generation.
pub const SCORES: &str = "scores.svg";

/// A point of a curve.
type Point = (f64, f64, Option<f64>);

/// Draws the available curves into the directory of a training.
pub fn draw(directory: &Path, lines: &[GenerationMetrics]) -> anyhow::Result<()> {
    let learned: Vec<&GenerationMetrics> = lines.iter().filter(|line| line.has_learned()).collect();
    if learned.is_empty() {
        return Ok(());
    }
    let points = |value: fn(&GenerationMetrics) -> f64| -> Vec<Point> {
        learned.iter().map(|line| (f64::from(line.generation), value(line), None)).collect()
    };
    let (policy, entropy, value) =
        (points(|line| line.policy_loss), points(|line| line.policy_entropy), points(|line| line.value_loss));
    let curves = [
        Series { name: "policy", points: &policy },
        Series { name: "entropy of the policies to learn: the least possible", points: &entropy },
        Series { name: "value", points: &value },
    ];
    write(directory, LOSSES, "Losses by generation", &curves)?;
    let mut opponents: Vec<&String> = lines.iter().flat_map(|line| line.scores.keys()).collect();
    opponents.sort();
    opponents.dedup();
    let score = |name: &String| -> Vec<Point> {
        let point = |line: &GenerationMetrics| {
            Some((f64::from(line.generation), 100.0 * line.scores.get(name)?, None))
        };
        lines.iter().filter_map(point).collect()
    };
    let scores: Vec<(&String, Vec<Point>)> = opponents.into_iter().map(|name| (name, score(name))).collect();
    if scores.is_empty() {
        return Ok(());
    }
    let curves: Vec<Series<'_>> = scores.iter().map(|(name, points)| Series { name, points }).collect();
    write(directory, SCORES, "Score against those who do not learn, in percent", &curves)
}

fn write(directory: &Path, name: &str, title: &str, curves: &[Series<'_>]) -> anyhow::Result<()> {
    let svg = LineChart { title, subtitle: "tabia quantum train", across: "generation", curves }.svg();
    let path = directory.join(name);
    atomic_file::write_bytes(&path, svg.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}
