//! Throws made-up input at every target, or at one: `mutate [--inputs N] [--seconds S] [--seed N] [TARGET]`.
//!
//! Each target gets N inputs, or S seconds, whichever ends first; one line tells how many it was given. A panic ends it, with
//! the input in the message.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tabia_fuzzing::mutation::Mutator;
use tabia_fuzzing::targets::TARGETS;

fn main() -> ExitCode {
    let (mut inputs, mut seconds, mut seed, mut only) = (100_000_u64, 3_600_u64, 1, None);
    let mut args = std::env::args().skip(1);
    while let Some(word) = args.next() {
        let mut number = || args.next().and_then(|text| text.parse().ok()).expect("a number follows");
        match word.as_str() {
            "--inputs" => inputs = number(),
            "--seconds" => seconds = number(),
            "--seed" => seed = number(),
            _ => only = Some(word),
        }
    }
    let mut total = 0;
    for target in TARGETS.iter().filter(|target| only.as_deref().is_none_or(|only| only == target.name)) {
        let begun = Instant::now();
        let mut mutator = Mutator::new(target.name, seed);
        let mut given = 0;
        while given < inputs && (given % 64 != 0 || begun.elapsed() < Duration::from_secs(seconds)) {
            let input = mutator.next_input();
            if catch_unwind(AssertUnwindSafe(|| (target.check)(&input))).is_err() {
                println!(
                    "{}: broke after {given} inputs on {:?}",
                    target.name,
                    String::from_utf8_lossy(&input)
                );
                return ExitCode::FAILURE;
            }
            given += 1;
        }
        println!("{}: {given} inputs in {:.1} s", target.name, begun.elapsed().as_secs_f64());
        total += given;
    }
    println!("all: {total} inputs");
    ExitCode::SUCCESS
}
