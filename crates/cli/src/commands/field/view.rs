//! The field of an evaluation that is shown under the pieces.

use tabia_core::{ChessGame, Score};
use tabia_eval::{Evaluate, Field, View, registry};

use super::choice;
use crate::evaluations;
use crate::failure::Usage;

/// What an evaluation sees in a position, and which of its fields is looked at.
#[derive(Clone, Debug)]
pub struct FieldView {
    /// The evaluation, with its options: `axiomx(kernels=code)`.
    pub evaluation: String,
    /// What the position is worth to it, in White's view, with nothing searched.
    pub score: Score,
    fields: Vec<Field>,
    at: usize,
}

/// What the words after `field` ask for: the name of a field, of an evaluation, of both, or nothing.
pub fn parse(query: &str, evaluation: &str, game: &ChessGame) -> Result<FieldView, Usage> {
    let current = FieldView::new(evaluation, game)?;
    if query.is_empty() || choice::find(&current.fields, query).is_some() {
        return current.showing(query);
    }
    let (first, rest) = query.split_once(' ').unwrap_or((query, ""));
    let name = first.split('(').next().unwrap_or(first);
    if registry::NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        FieldView::new(&first.to_lowercase(), game)?.showing(rest.trim())
    } else {
        current.showing(query)
    }
}

impl FieldView {
    /// A position as an evaluation sees it, its main fields first.
    pub fn new(evaluation: &str, game: &ChessGame) -> Result<FieldView, Usage> {
        let explanation = evaluations::named(evaluation)?.explain(View::from(game.position()));
        let mut fields = explanation.fields;
        fields.sort_by_key(choice::order);
        let seen = FieldView { evaluation: evaluation.to_owned(), score: explanation.score, fields, at: 0 };
        seen.showing("")
    }

    /// With the field of a name, or the main one where there is no name.
    pub fn showing(mut self, name: &str) -> Result<FieldView, Usage> {
        let names: Vec<String> =
            Some(name).filter(|name| !name.is_empty()).map(str::to_owned).into_iter().collect();
        let chosen = choice::fields(&self.evaluation, &self.fields, &names)?;
        let chosen = chosen.first().map(|field| field.name.clone());
        self.at =
            self.fields.iter().position(|field| Some(&field.name) == chosen.as_ref()).unwrap_or_default();
        Ok(self)
    }

    /// The field that is looked at.
    pub fn field(&self) -> &Field {
        &self.fields[self.at]
    }

    /// Which it is, from 1, and of how many.
    pub fn place(&self) -> (usize, usize) {
        (self.at + 1, self.fields.len())
    }

    /// The field after this one, or before it; after the last comes the first.
    pub fn step(&mut self, forward: bool) {
        let count = self.fields.len();
        self.at = (self.at + if forward { 1 } else { count - 1 }) % count;
    }

    /// What else there is to look at, and how to ask for it.
    pub fn others(&self) -> String {
        let names = |names: Vec<&str>| names.join(", ");
        let fields =
            self.fields.iter().map(|field| field.name.as_str()).filter(|name| *name != self.field().name);
        let evaluations = evaluations::with_fields().into_iter().filter(|name| *name != self.evaluation);
        format!(
            "`field NAME` shows another of {}: {}\n`field EVALUATION` another's: {}",
            self.evaluation,
            names(fields.collect()),
            names(evaluations.collect())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(query: &str) -> Result<(String, String), String> {
        let seen = parse(query, "axiomx", &ChessGame::default()).map_err(|fault| fault.to_string())?;
        Ok((seen.evaluation.clone(), seen.field().name.clone()))
    }

    #[test]
    fn a_field_an_evaluation_both_or_neither_can_be_asked_for() {
        for (query, evaluation, field) in [
            ("", "axiomx", "control"),
            ("white-attack", "axiomx", "white attack"),
            ("axon", "axon", "mobility"),
            ("axon  king zones", "axon", "king zones"),
            ("Axiomx(kernels=code) control", "axiomx(kernels=code)", "control"),
        ] {
            assert_eq!(shown(query), Ok((evaluation.to_owned(), field.to_owned())), "{query}");
        }
        assert!(shown("axiomx(kernel=code)").unwrap_err().contains("did you mean \"kernels\"?"));
        assert!(shown("contrl").unwrap_err().contains("did you mean \"control\"?"));
        assert!(shown("material").unwrap_err().contains("material has no fields"));
    }

    #[test]
    fn steps_lead_round_through_all_fields() {
        let mut seen = FieldView::new("axon", &ChessGame::default()).unwrap();
        let (first, count) = (seen.field().name.clone(), seen.place().1);
        let names: Vec<String> = (0..count)
            .map(|_| {
                seen.step(true);
                seen.field().name.clone()
            })
            .collect();
        assert_eq!(names.last(), Some(&first));
        assert!(names[..count - 1].iter().all(|name| *name != first));
        seen.step(false);
        assert_eq!(seen.field().name, names[count - 2]);
        assert!(seen.others().contains("axiomx") && !seen.others().contains(&seen.field().name));
    }
}
