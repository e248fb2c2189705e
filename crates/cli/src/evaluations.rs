//! Evaluations by name.

use std::fs;
use std::path::Path;

use anyhow::Context;
use tabia_core::ChessGame;
use tabia_eval::registry::{self, WeightsError};
use tabia_eval::{AnyEvaluation, Evaluate, Explanation, View};

use crate::failure::Usage;

/// The default evaluation for explanations: the one with fields.
pub const DEFAULT: &str = "axiomx";

/// The evaluation that a text names, with its options.
pub fn named(text: &str) -> Result<AnyEvaluation, Usage> {
    AnyEvaluation::from_text(text).map_err(|error| Usage(error.to_string()))
}

/// Explains a position by the evaluation that a text names: by its own weights, or those of a file.
pub fn explain(text: &str, weights: Option<&Path>, view: View<'_>) -> anyhow::Result<Explanation> {
    let evaluation = named(text)?;
    let Some(path) = weights else { return Ok(evaluation.explain(view)) };
    let file = read_file(path)?;
    let weighted = match evaluation.with_file(&file) {
        Ok(Some(weighted)) => Ok(weighted),
        Ok(None) => Err(WeightsError::NotTunable(text.to_owned())),
        Err(error) => Err(error.into()),
    };
    Ok(weighted.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?.explain(view))
}

/// The text of a file of weights. A pipe or a device is refused: to open or read one may take for ever.
pub fn read_file(path: &Path) -> anyhow::Result<String> {
    let reading = || format!("cannot read {}", path.display());
    if !fs::metadata(path).with_context(reading)?.is_file() {
        anyhow::bail!("{} is not a regular file", path.display());
    }
    fs::read_to_string(path).with_context(reading)
}

/// The names of the evaluations with fields.
pub fn with_fields() -> Vec<&'static str> {
    let start = ChessGame::default();
    let view = View::from(start.position());
    let has_fields = |name: &&str| {
        AnyEvaluation::named(name).is_some_and(|evaluation| !evaluation.explain(view).fields.is_empty())
    };
    registry::NAMES.iter().copied().filter(has_fields).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_exists_and_can_be_looked_at() {
        assert!(named(DEFAULT).is_ok() && with_fields().contains(&DEFAULT));
        assert!(!with_fields().contains(&"material"));
    }
}
