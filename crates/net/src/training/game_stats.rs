//! Statistics of a generation's games.

use crate::metrics::GenerationMetrics;
use crate::shard::PlayedGame;

/// Metrics of a generation's games.
pub fn summary(games: &[PlayedGame]) -> GenerationMetrics {
    let count = games.len().max(1) as f64;
    let mean = |value: &dyn Fn(&PlayedGame) -> f64| games.iter().map(value).sum::<f64>() / count;
    let resigned = |kind: u32| games.iter().filter(|game| game.resignation == kind).count() as u32;
    GenerationMetrics {
        games: games.len() as u32,
        new_samples: games.iter().map(|game| game.samples.len()).sum(),
        plies: mean(&|game| f64::from(game.plies)),
        white_score: mean(&|game| f64::from(game.points)),
        draws: mean(&|game| f64::from(u8::from((game.points - 0.5).abs() < 0.1))),
        splits: mean(&|game| f64::from(game.splits) / 1000.0),
        resignations: resigned(1) + resigned(2),
        wrong_resignations: resigned(2),
        ..GenerationMetrics::default()
    }
}
