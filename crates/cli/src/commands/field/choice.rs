//! Which fields are meant.

use tabia_core::spelling;
use tabia_eval::Field;

use crate::evaluations;
use crate::failure::Usage;

/// What is shown when nothing is asked for, as far as an evaluation has it, the first before the others.
const MAIN: [&str; 8] = [
    "control",
    "white attack",
    "black attack",
    "mobility",
    "white control",
    "black control",
    "attackers White",
    "attackers Black",
];

/// No more than this many are shown when nothing is asked for.
const MAX: usize = 3;

/// The fields of these names, or the main ones. Case does not matter, nor whether words are joined by `-` or `_`.
pub fn fields<'a>(evaluation: &str, all: &'a [Field], names: &[String]) -> Result<Vec<&'a Field>, Usage> {
    if all.is_empty() {
        let others = evaluations::with_fields().join(", ");
        return Err(Usage(format!("{evaluation} has no fields to look at; these have: {others}")));
    }
    if names.is_empty() {
        let main = MAIN.iter().filter_map(|name| find(all, name)).take(MAX).collect::<Vec<_>>();
        return Ok(if main.is_empty() { all.iter().take(MAX).collect() } else { main });
    }
    names.iter().map(|name| find(all, name).ok_or_else(|| unknown(evaluation, all, name))).collect()
}

/// Where a field comes in a list: the main ones first.
pub fn order(field: &Field) -> usize {
    MAIN.iter().position(|name| *name == field.name).unwrap_or(MAIN.len())
}

/// The field of a name, as people write it.
pub fn find<'a>(all: &'a [Field], name: &str) -> Option<&'a Field> {
    all.iter().find(|field| plain(&field.name) == plain(name))
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace(['-', '_'], " ")
}

fn unknown(evaluation: &str, all: &[Field], name: &str) -> Usage {
    let known: Vec<&str> = all.iter().map(|field| field.name.as_str()).collect();
    let hint = spelling::hint(&plain(name), known.iter().copied());
    Usage(format!("{evaluation} has no field \"{name}\"; it has {}{hint}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::ChessGame;
    use tabia_eval::{AnyEvaluation, Evaluate, View};

    fn chosen(evaluation: &str, names: &[&str]) -> Result<Vec<String>, String> {
        let start = ChessGame::default();
        let explanation = AnyEvaluation::named(evaluation).unwrap().explain(View::from(start.position()));
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        fields(evaluation, &explanation.fields, &names)
            .map(|fields| fields.iter().map(|field| field.name.clone()).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_main_fields_come_first() {
        assert_eq!(chosen("axiomx", &[]).unwrap(), ["control", "white attack", "black attack"]);
        assert_eq!(chosen("axon", &[]).unwrap(), ["mobility", "white control", "black control"]);
        assert_eq!(chosen("pst", &[]).unwrap(), ["worth"]);
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        let names = ["Black-Attack", "white_knight_influence", "control"];
        assert_eq!(chosen("axiomx", &names).unwrap(), ["black attack", "white knight influence", "control"]);
    }

    #[test]
    fn an_unknown_field_is_answered_with_the_right_ones() {
        let error = chosen("axon", &["mobilty"]).unwrap_err();
        assert!(error.contains("axon has no field \"mobilty\"; it has white control, "), "{error}");
        assert!(error.ends_with("did you mean \"mobility\"?"), "{error}");
        let error = chosen("material", &["control"]).unwrap_err();
        assert!(error.contains("material has no fields") && error.contains("axiomx"), "{error}");
    }
}
