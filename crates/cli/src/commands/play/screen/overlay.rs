//! The field that lies under the pieces, and the evaluation that sees it.

use tabia_core::{ChessGame, Game};

use crate::commands::field::{FieldView, parse};
use crate::evaluations;
use crate::failure::Usage;

/// What is looked at, whether or not it is shown.
#[derive(Debug)]
pub struct Overlay {
    /// Whether it is shown.
    pub on: bool,
    evaluation: &'static str,
    /// The position it belongs to, and what is seen there.
    seen: Option<(u64, FieldView)>,
}

impl Overlay {
    /// The default evaluation's main field, not shown.
    pub fn new() -> Overlay {
        Overlay { on: false, evaluation: evaluations::DEFAULT, seen: None }
    }

    /// What is seen, if it was looked for in the position that is on the board.
    pub fn seen(&self) -> Option<&FieldView> {
        self.seen.as_ref().map(|(_, seen)| seen)
    }

    /// Looks at a position, if it was not looked at yet. The field stays the same where the evaluation still has it.
    pub fn look(&mut self, game: &ChessGame) {
        let same = |(key, seen): &(u64, FieldView)| *key == game.key() && seen.evaluation == self.evaluation;
        if self.seen.as_ref().is_some_and(same) {
            return;
        }
        let Ok(fresh) = FieldView::new(self.evaluation, game) else { return };
        let named = self.seen().and_then(|old| fresh.clone().showing(&old.field().name).ok());
        self.seen = Some((game.key(), named.unwrap_or(fresh)));
    }

    /// The next field, or the one before; the first time only shows what there is.
    pub fn step(&mut self, forward: bool) {
        if let (true, Some((_, seen))) = (self.on, &mut self.seen) {
            seen.step(forward);
        }
        self.on = true;
    }

    /// The next evaluation that has fields.
    pub fn next_evaluation(&mut self) {
        let names = evaluations::with_fields();
        let at = names.iter().position(|name| *name == self.evaluation).map_or(0, |at| at + 1);
        self.evaluation = names[at % names.len()];
        self.on = true;
    }

    /// Shows what the words after `field` ask for.
    pub fn show(&mut self, words: &str, game: &ChessGame) -> Result<(), Usage> {
        let seen = parse(words, self.evaluation, game)?;
        (self.evaluation, self.on) = (seen.evaluation, true);
        self.seen = Some((game.key(), seen));
        Ok(())
    }
}
