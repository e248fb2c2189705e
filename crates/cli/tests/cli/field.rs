//! `tabia field`.

use std::fs;
use std::path::Path;

use super::{Run, folder, tabia, tabia_in};

const SICILIAN: &str = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";

fn field_in(folder: &Path, arguments: &[&str]) -> Run {
    let run = tabia_in(folder, &[&["field", SICILIAN], arguments].concat(), "");
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    run
}

/// What lies in a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The width and height that a PNG's header tells.
fn size_of_png(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_field_becomes_a_picture_of_lines() {
    let folder = folder("field-svg");
    let run = field_in(&folder, &["--field", "control", "-o", "control.svg"]);
    assert_eq!(run.stdout, "control.svg  axiomx: control\n");
    let svg = fs::read_to_string(folder.join("control.svg")).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.contains("<title>axiomx: control</title>") && svg.contains(SICILIAN)
    );
    assert_eq!(files(&folder), ["control.svg"], "no temporary file is left");
}

#[test]
fn several_fields_stand_side_by_side_in_a_picture_of_pixels() {
    let folder = folder("field-png");
    field_in(&folder, &["--field", "control", "-o", "one.png"]);
    field_in(&folder, &["--numbers", "-o", "main.png"]);
    let (one, main) = (fs::read(folder.join("one.png")).unwrap(), fs::read(folder.join("main.png")).unwrap());
    let (one, main) = (size_of_png(&one), size_of_png(&main));
    assert!(main.0 > one.0 * 5 / 2 && main.1 < one.1 * 5 / 4, "{one:?} {main:?}");
}

#[test]
fn numbers_are_those_that_eval_prints() {
    let folder = folder("field-npy");
    field_in(&folder, &["--field", "control", "-o", "control.npy"]);
    let bytes = fs::read(folder.join("control.npy")).unwrap();
    assert_eq!((&bytes[..8], bytes.len()), (&b"\x93NUMPY\x01\x00"[..], 128 + 64 * 4));
    let document = tabia(&["eval", SICILIAN, "--json"]).json();
    let fields = document["fields"].as_array().unwrap();
    let control = fields.iter().find(|field| field["name"] == "control").unwrap();
    let numbers = control["values"].as_array().unwrap().iter().flat_map(|rank| rank.as_array().unwrap());
    for (number, bytes) in numbers.zip(bytes[128..].chunks(4)) {
        let expected = number.as_f64().unwrap() as f32;
        assert_eq!(f32::from_le_bytes(bytes.try_into().unwrap()).to_bits(), expected.to_bits());
    }
    field_in(&folder, &["--field", "white attack", "--field", "black attack", "-o", "two.npy"]);
    let two = fs::read(folder.join("two.npy")).unwrap();
    assert!(two.windows(9).any(|window| window == b"(2, 8, 8)"));
}

#[test]
fn the_tensor_has_a_one_for_every_piece_and_one_for_its_square() {
    let folder = folder("field-tensor");
    field_in(&folder, &["--tensor", "-o", "board.npy"]);
    let bytes = fs::read(folder.join("board.npy")).unwrap();
    assert!(bytes.windows(10).any(|window| window == b"(8, 8, 13)"));
    let ones = bytes[128..].chunks(4).filter(|number| *number == 1f32.to_le_bytes()).count();
    assert_eq!(ones, 2 * 30, "thirty pieces are left");
}

#[test]
fn without_a_file_the_numbers_are_printed() {
    let run = field_in(Path::new("."), &["--field", "white-attack"]);
    assert!(run.stdout.starts_with("axiomx: white attack  influence\n 8 "), "{}", run.stdout);
    assert_eq!(run.stdout.lines().filter(|line| !line.is_empty()).count(), 10, "{}", run.stdout);
    assert!(!run.stdout.contains('\x1b'));
}

#[test]
fn the_options_of_an_evaluation_change_what_is_drawn() {
    let drawn = |eval: &str| field_in(Path::new("."), &["--eval", eval, "--field", "control"]).stdout;
    let plain = drawn("axiomx");
    for eval in ["axiomx(kernels=code)", "axiomx(multiscale=3,5)"] {
        let other = drawn(eval);
        assert!(other.starts_with(&format!("{eval}: control")), "{other}");
        assert!(plain.lines().skip(1).ne(other.lines().skip(1)), "{eval}");
    }
}

#[test]
fn what_cannot_be_meant_is_answered_with_what_can() {
    let folder = folder("field-errors");
    for (arguments, expected) in [
        (&["--eval", "axiom"][..], "did you mean \"axiomx\"?"),
        (&["--eval", "axon(kernels=code)"], "contempt, style"),
        (&["--field", "contrl"], "did you mean \"control\"?"),
        (
            &["--eval", "material", "-o", "a.svg"],
            "these have: pst, axiomx-speed, axiomx, axiomx-learned, axon",
        ),
        (&["-o", "picture.jpg"], "expected .svg, .png or .npy"),
        (&["-o", "picture.svgz"], "did you mean \"svg\"?"),
        (&["--tensor", "-o", "board.svg"], "the tensor is written as .npy"),
        (&["--tensor"], "--output"),
        (&["--tensor", "--field", "control", "-o", "a.npy"], "cannot be used with"),
    ] {
        let run = tabia_in(&folder, &[&["field", "startpos"], arguments].concat(), "");
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
    assert!(files(&folder).is_empty());
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let run = tabia(&["field", "startpos", "-o", "no/such/folder/a.svg"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("cannot write no/such/folder/a.svg"), "{}", run.stderr);
}
