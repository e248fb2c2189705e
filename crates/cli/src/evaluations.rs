//! Evaluations by name.

use std::fs;
use std::path::Path;

use anyhow::Context;
use tabia_core::{ChessGame, spelling};
use tabia_eval::{AnyEvaluation, Evaluate, Explanation, View, registry};

use crate::failure::Usage;

/// The default evaluation for explanations: the one with fields.
pub const DEFAULT: &str = "axiomx";

/// The evaluation of a name.
pub fn named(name: &str) -> Result<AnyEvaluation, Usage> {
    AnyEvaluation::named(name).ok_or_else(|| {
        let names = registry::NAMES;
        let hint = spelling::hint(name, names.iter().copied());
        Usage(format!("there is no evaluation \"{name}\"; there are {}{hint}", names.join(", ")))
    })
}

/// Explains a position with an evaluation: with its own weights, or those of a file.
pub fn explain(name: &str, weights: Option<&Path>, view: View<'_>) -> anyhow::Result<Explanation> {
    struct Explain<'a>(View<'a>);

    impl registry::Visitor for Explain<'_> {
        type Output = Explanation;

        fn visit<E: Evaluate + 'static>(self, evaluation: E) -> Explanation {
            evaluation.explain(self.0)
        }
    }

    let evaluation = named(name)?;
    let Some(path) = weights else { return Ok(evaluation.explain(view)) };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let explained = registry::with_weights(name, &text, Explain(view));
    explained.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
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
