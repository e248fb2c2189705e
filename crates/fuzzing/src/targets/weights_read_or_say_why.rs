//! Any bytes are weights or an error with words in it: files of evaluations, of the network evaluation and of networks for
//! quantum chess. The first byte says which.

use std::path::Path;

use shakmaty::Chess;
use tabia_eval::registry::{self, Visitor};
use tabia_eval::{Evaluate, View};
use tabia_net::{Weights, onnx};

/// Evaluates the start.
struct AtTheStart;

impl Visitor for AtTheStart {
    type Output = ();

    fn visit<E: Evaluate + 'static>(self, mut evaluation: E) {
        let start = Chess::default();
        evaluation.evaluate(View::from(&start));
    }
}

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let names = registry::NAMES;
    match usize::from(*which) % (names.len() + 2) {
        index if index < names.len() => {
            let Ok(text) = std::str::from_utf8(bytes) else { return };
            if let Err(error) = registry::with_weights(names[index], text, AtTheStart) {
                assert!(!error.to_string().is_empty());
            }
        }
        index if index == names.len() => {
            if let Err(error) = Weights::from_bytes(bytes, Path::new("fuzz")) {
                assert!(!error.to_string().is_empty());
            }
        }
        _ => {
            if let Err(error) = onnx::read(bytes, Path::new("fuzz")) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}
