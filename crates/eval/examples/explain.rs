//! Every evaluation's score of a position, and the strongest one's terms.
//!
//! ```sh
//! cargo run -p tabia-eval --example explain -- "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
//! ```

use std::error::Error;

use shakmaty::Chess;
use tabia_core::fen;
use tabia_eval::{AnyEvaluation, Evaluate, View, phrases, registry};

fn main() -> Result<(), Box<dyn Error>> {
    let position = match std::env::args().nth(1) {
        Some(text) => fen::read(&text, None)?.0,
        None => Chess::default(),
    };
    let view = View::from(&position);
    for name in registry::NAMES {
        let mut evaluation = AnyEvaluation::named(name).ok_or("a listed evaluation has a constructor")?;
        println!("{name:<20} {:>6}", evaluation.evaluate(view).raw());
    }
    let strongest = AnyEvaluation::named(registry::STRONGEST).ok_or("the strongest evaluation is listed")?;
    let explanation = strongest.explain(view);
    println!("\n{}", phrases::paragraph(&explanation));
    for term in explanation.terms.iter().filter(|term| term.centipawns != 0) {
        println!("{:<32} {:>6}", term.name, term.centipawns);
    }
    Ok(())
}
