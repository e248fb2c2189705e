//! Elo, likelihood of superiority and SPRT of a match, from its pentanomial counts.
//!
//! ```sh
//! cargo run -p tabia-stats --example match_report -- 1 10 78 48 13
//! ```

use std::process::ExitCode;

use tabia_stats::{EloModel, Estimate, Method, llr_of_pairs};

fn main() -> ExitCode {
    let counts: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let Ok(pairs) = <[u64; 5]>::try_from(counts) else {
        eprintln!("expected five counts of pairs: LL LD DD+WL WD WW");
        return ExitCode::FAILURE;
    };
    let estimate = Estimate::of_pairs(pairs);
    match (estimate.elo, estimate.elo_error_95) {
        (Some(elo), Some(error)) => println!("Elo: {elo:.2} ± {error:.2}"),
        (Some(elo), None) => println!("Elo: {elo:.2}, error unknown"),
        (None, _) => println!("no games"),
    }
    if let Some(los) = estimate.los {
        println!("likelihood of superiority: {:.1}%", 100.0 * los);
    }
    let llr = llr_of_pairs(pairs, [0.0, 5.0], EloModel::Normalized, Method::Exact);
    println!("LLR of 5 against 0 normalised Elo: {llr:.2}");
    ExitCode::SUCCESS
}
