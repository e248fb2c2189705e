//! Chromosomes as text.

use crate::chromosome::genome::{GENES, LARGEST};
use crate::chromosome::{Phases, file};
use proptest::prelude::*;

/// What is said of the default file after a change to its text.
fn complaint(wrong: &str, instead: &str) -> String {
    let text = file::write(&Phases::default());
    assert!(text.contains(wrong), "{wrong} is not in the file");
    file::read(&text.replacen(wrong, instead, 1)).unwrap_err().to_string()
}

#[track_caller]
fn check(complaint: &str, parts: &[&str]) {
    for part in parts {
        assert!(complaint.contains(part), "\"{complaint}\" does not say {part}");
    }
}

#[test]
fn a_file_is_laid_out_for_people() {
    let text = file::write(&Phases::default());
    assert!(text.starts_with(
        "{\n  \"format\": \"tabia-chromosome/1\",\n  \"scalars\": {\n    \"material\": 1.0,\n    \"mobility\": 0.1,\n"
    ));
    let tables = "  \"tables\": {\n    \"pawn\": [\n      0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,\n      0.8, 0.8, 0.85, 0.9, 0.9, 0.85, 0.8, 0.8,\n";
    assert!(text.contains(tables));
    assert!(text.ends_with("0.85, 0.95, 0.65, 0.45, 0.45, 0.65, 0.95, 0.85\n    ]\n  }\n}\n"));
}

#[test]
fn the_order_of_entries_and_whole_numbers_do_not_matter() {
    let text = file::write(&Phases::default()).replacen("\"material\": 1.0,", "", 1).replacen(
        "\"king_pressure\": -0.5",
        "\"king_pressure\": -0.5, \"material\": 1",
        1,
    );
    assert_eq!(file::read(&text).unwrap(), Phases::default());
}

#[test]
fn what_is_missing_is_named() {
    check(&complaint("    \"mobility\": 0.1,\n", ""), &["\"scalars\" lacks \"mobility\""]);
    let text = r#"{"format": "tabia-chromosome/1", "tables": {}}"#;
    check(&file::read(text).unwrap_err().to_string(), &["lacks \"scalars\""]);
    let text = r#"{"format": "tabia-chromosome/1", "scalars": {"material": 1}, "tables": {}}"#;
    check(
        &file::read(text).unwrap_err().to_string(),
        &["\"scalars\" lacks \"mobility\", \"castling\"", "\"king_pressure\""],
    );
}

#[test]
fn what_is_too_much_is_named_with_the_nearest_spelling() {
    check(
        &complaint("\"mobility\": 0.1", "\"mobility\": 0.1, \"pased_pawns\": 1"),
        &["\"scalars\" has an unknown entry \"pased_pawns\"; did you mean \"passed_pawns\"?"],
    );
    check(
        &complaint("\"knight\"", "\"nkight\""),
        &["\"tables\" has an unknown entry \"nkight\"", "\"knight\""],
    );
    check(
        &complaint("\"tables\"", "\"table\""),
        &["has an unknown entry \"table\"; did you mean \"tables\"?"],
    );
    check(&complaint("\"mobility\"", "\"xyzzy\""), &["\"scalars\" has an unknown entry \"xyzzy\""]);
}

#[test]
fn what_is_said_twice_is_named() {
    check(&complaint("\"mobility\"", "\"material\""), &["\"scalars\" has \"material\" twice"]);
}

#[test]
fn numbers_that_are_none_are_named() {
    for (number, said) in [
        ("null", "is null, expected a number of pawns"),
        ("\"0.1\"", "is the text \"0.1\""),
        ("true", "is true"),
        ("[0.1]", "is a list of 1"),
        ("{}", "is an object"),
        ("1e999", "number out of range at line 5"),
        ("-1e999", "number out of range at line 5"),
        ("NaN", "at line 5"),
        ("Infinity", "at line 5"),
        ("1e9", "is 1000000000; weights are pawns from -1000 to 1000"),
    ] {
        let complaint = complaint("\"mobility\": 0.1", &format!("\"mobility\": {number}"));
        check(&complaint, &["\"mobility\"", said]);
    }
    // The first row of the knight's table: a8 is zero, b8 is 0.15.
    let row = "0.0, 0.15, 0.25, 0.3,";
    check(&complaint(row, "0.0, null, 0.25, 0.3,"), &["\"knight.b8\" is null"]);
    check(&complaint(row, "0.0, -1e4, 0.25, 0.3,"), &["\"knight.b8\" is -10000"]);
    check(&complaint(row, "0.0, NaN, 0.25, 0.3,"), &["\"tables\": \"knight\": number 2:", "line 35"]);
}

#[test]
fn tables_of_another_shape_are_named() {
    let row = "0.0, 0.15, 0.25, 0.3,";
    check(&complaint(row, "0.0, 0.15, 0.25,"), &["table \"knight\" has 63 numbers, expected 64, a8 first"]);
    check(&complaint(row, "0.0, 0.0, 0.15, 0.25, 0.3,"), &["table \"knight\" has 65 numbers"]);
    let text = r#"{"format": "tabia-chromosome/1", "scalars": [], "tables": {}}"#;
    check(
        &file::read(text).unwrap_err().to_string(),
        &["\"scalars\" is a list of 0, expected an object of names and values"],
    );
    let tables = ["pawn", "knight", "bishop", "rook", "queen"].map(|name| format!("\"{name}\": 7, "));
    let text = file::write(&Phases::default());
    let start = text.split("\"tables\"").next().unwrap();
    let text = format!("{start}\"tables\": {{{}\"king\": 7}}}}", tables.concat());
    check(
        &file::read(&text).unwrap_err().to_string(),
        &["table \"pawn\" is the number 7, expected a list of 64 numbers, a8 first"],
    );
}

#[test]
fn another_format_is_refused_before_anything_else() {
    check(
        &complaint("tabia-chromosome/1", "tabia-chromosome/9"),
        &["the format is the text \"tabia-chromosome/9\", expected \"tabia-chromosome/1\""],
    );
    check(&file::read("{}").unwrap_err().to_string(), &["the format is not given"]);
    check(&file::read(r#"{"format": 1, "x": 2}"#).unwrap_err().to_string(), &["the format is the number 1"]);
    check(&file::read("[]").unwrap_err().to_string(), &["a chromosome file is a list of 0"]);
    check(&file::read("").unwrap_err().to_string(), &["not valid JSON", "line 1"]);
    check(&file::read("{\"format\": ").unwrap_err().to_string(), &["not valid JSON", "\"format\"", "line 1"]);
    check(&complaint("\n}\n", "\n}\n}"), &["not valid JSON", "trailing characters"]);
}

#[test]
fn what_a_phase_lacks_is_named() {
    let three = Phases::from_flat(&Phases::default().to_flat().repeat(3)).unwrap();
    let text = file::write(&three);
    let lacking = text.replacen("      \"mobility\": 0.1,\n", "", 1);
    check(&file::read(&lacking).unwrap_err().to_string(), &["lacks \"mobility\""]);
    let renamed = text.replacen("\"endgame\"", "\"endgames\"", 1);
    check(&file::read(&renamed).unwrap_err().to_string(), &["\"endgames\"", "did you mean \"endgame\"?"]);
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_to_the_last_bit(
        flat in prop::collection::vec(prop_oneof![-LARGEST..=LARGEST, -1e-6..1e-6, Just(-0.0)], 3 * GENES)
    ) {
        for flat in [&flat[..GENES], &flat] {
            let weights = Phases::from_flat(flat).unwrap();
            let read = file::read(&file::write(&weights)).unwrap();
            let bits = |weights: &Phases| weights.to_flat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
            prop_assert_eq!(bits(&read), bits(&weights));
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        prop_assert!(file::read(&text).is_err());
    }
}
