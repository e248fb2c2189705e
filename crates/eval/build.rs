//! Decodes the numbers of the shipped network, so that a program that starts has nothing to decode.
//!
//! `weights.nnue` becomes two files: its text without the numbers, and the numbers as they lie in memory.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[allow(dead_code, reason = "nothing is encoded here")]
#[path = "src/nnue/base64.rs"]
mod base64;
#[allow(dead_code, reason = "nothing is encoded here")]
#[path = "src/nnue/short_form.rs"]
mod short_form;

const WEIGHTS: &str = "src/nnue/weights.nnue";

/// A whole number of the document.
fn number(text: &str, name: &str) -> usize {
    let (_, value) = text.split_once(&format!("\"{name}\": ")).expect("a network says its shape");
    let digits = value.split_once(|c: char| !c.is_ascii_digit()).expect("numbers end").0;
    digits.parse().expect("shapes are whole numbers")
}

fn main() {
    for path in ["build.rs", WEIGHTS, "src/nnue/base64.rs", "src/nnue/short_form.rs"] {
        println!("cargo:rerun-if-changed={path}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let text = fs::read_to_string(Path::new(WEIGHTS)).expect("the shipped network is readable");
    let (before, rest) = text.split_once("\"weights\": \"").expect("a network has weights");
    let (numbers, after) = rest.split_once('"').expect("weights end");
    let mut bytes = base64::decode(numbers).expect("weights are base64");
    if before.contains("\"encoding\": \"i8\"") {
        let (inputs, hidden, buckets) =
            (number(before, "inputs"), number(before, "hidden"), number(before, "buckets"));
        let count = (inputs + 1 + 2 * buckets) * hidden;
        let size = short_form::size(&bytes, count).expect("there is a byte for every number");
        let (small, large) = bytes.split_at(size);
        let mut long: Vec<u8> =
            short_form::read(small, count).iter().flat_map(|number| number.to_le_bytes()).collect();
        long.extend(large);
        bytes = long;
    }
    fs::write(out.join("shipped.json"), format!("{before}\"weights\": \"\"{after}"))
        .expect("cargo's folder can be written to");
    fs::write(out.join("shipped.bin"), bytes).expect("cargo's folder can be written to");
}
