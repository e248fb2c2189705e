//! Prints the bench signature without building the command line: `cargo run -p tabia-search --example bench`.
//!
//! The number is that of `tabia bench`: nodes over all bench positions at the recorded depth.

use tabia_eval::registry;
use tabia_search::bench;
use tabia_search::engine::Settings;

fn main() -> Result<(), bench::BenchError> {
    let outcome = bench::run(registry::STRONGEST, &Settings::default(), bench::DEPTH, &mut |_, _, _| {})?;
    println!("{}", outcome.nodes);
    Ok(())
}
