//! Decodes the numbers of the shipped network, so that a program that starts has nothing to decode.
//!
//! `weights.nnue` becomes two files: its text without the numbers, and the numbers as bytes.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[allow(dead_code, reason = "nothing is encoded here")]
#[path = "src/nnue/base64.rs"]
mod base64;

const WEIGHTS: &str = "src/nnue/weights.nnue";

fn main() {
    for path in ["build.rs", WEIGHTS, "src/nnue/base64.rs"] {
        println!("cargo:rerun-if-changed={path}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let text = fs::read_to_string(Path::new(WEIGHTS)).expect("the shipped network is readable");
    let (before, rest) = text.split_once("\"weights\": \"").expect("a network has weights");
    let (numbers, after) = rest.split_once('"').expect("weights end");
    let bytes = base64::decode(numbers).expect("weights are base64");
    fs::write(out.join("shipped.json"), format!("{before}\"weights\": \"\"{after}"))
        .expect("cargo's folder can be written to");
    fs::write(out.join("shipped.bin"), bytes).expect("cargo's folder can be written to");
}
