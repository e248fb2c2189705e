//! The field shown under the pieces, and its evaluation.

use tabia_core::{ChessGame, Game};

use crate::commands::field::{FieldView, parse};
use crate::evaluations;
use crate::failure::Usage;

/// The selected field, shown or not.
#[derive(Debug)]
pub struct Overlay {
    /// Whether it is shown.
    pub on: bool,
    evaluation: String,
    /// The position and its fields.
    seen: Option<(u64, FieldView)>,
}

impl Overlay {
    /// The default evaluation's main field, not shown.
    pub fn new() -> Overlay {
        Overlay { on: false, evaluation: evaluations::DEFAULT.to_owned(), seen: None }
    }

    /// The fields, if they were computed for the current position.
    pub fn seen(&self) -> Option<&FieldView> {
        self.seen.as_ref().map(|(_, seen)| seen)
    }

    /// Computes the fields of a position, unless they are known. The selected field is kept if the evaluation still
    /// has it.
    pub fn look(&mut self, game: &ChessGame) {
        let same = |(key, seen): &(u64, FieldView)| *key == game.key() && seen.evaluation == self.evaluation;
        if self.seen.as_ref().is_some_and(same) {
            return;
        }
        let Ok(fresh) = FieldView::new(&self.evaluation, game) else { return };
        let named = self.seen().and_then(|old| fresh.clone().showing(&old.field().name).ok());
        self.seen = Some((game.key(), named.unwrap_or(fresh)));
    }

    /// Selects the next or previous field; the first call only shows the current one.
    pub fn step(&mut self, forward: bool) {
        if let (true, Some((_, seen))) = (self.on, &mut self.seen) {
            seen.step(forward);
        }
        self.on = true;
    }

    /// Selects the next evaluation with fields.
    pub fn next_evaluation(&mut self) {
        let names = evaluations::with_fields();
        let current = self.evaluation.split('(').next().unwrap_or_default();
        let at = names.iter().position(|name| *name == current).map_or(0, |at| at + 1);
        names[at % names.len()].clone_into(&mut self.evaluation);
        self.on = true;
    }

    /// Selects a field by the arguments of `field`.
    pub fn show(&mut self, arguments: &str, game: &ChessGame) -> Result<(), Usage> {
        let seen = parse(arguments, &self.evaluation, game)?;
        (self.evaluation, self.on) = (seen.evaluation.clone(), true);
        self.seen = Some((game.key(), seen));
        Ok(())
    }
}
