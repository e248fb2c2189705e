//! Evaluations as people name them.

use tabia_core::{ChessGame, spelling};
use tabia_eval::{AnyEvaluation, Evaluate, View, family};

use crate::failure::Usage;

/// What explains a position when nothing else is named: the one that can be looked at.
pub const DEFAULT: &str = "axiomx";

/// The evaluation of a name.
pub fn named(name: &str) -> Result<AnyEvaluation, Usage> {
    AnyEvaluation::named(name).ok_or_else(|| {
        let names = family::NAMES;
        let hint = spelling::hint(name, names.iter().copied());
        Usage(format!("there is no evaluation \"{name}\"; there are {}{hint}", names.join(", ")))
    })
}

/// The names of those that have something to look at.
pub fn with_fields() -> Vec<&'static str> {
    let start = ChessGame::default();
    let view = View::from(start.position());
    let has_fields = |name: &&str| {
        AnyEvaluation::named(name).is_some_and(|evaluation| !evaluation.explain(view).fields.is_empty())
    };
    family::NAMES.iter().copied().filter(has_fields).collect()
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
