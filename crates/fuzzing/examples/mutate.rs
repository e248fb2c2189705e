//! Runs mutated inputs through every fuzz target, or through one:
//! `mutate [--inputs N] [--seconds S] [--rounds R] [--seed N] [--totals FILE] [--hang S] [TARGET]`.
//!
//! In each round every target gets N inputs (100,000) or S seconds (3,600), whichever ends first, from a new seed. With
//! `--totals` each finished slice is appended to a file, one line `TARGET SEED INPUTS MILLISECONDS`; the next run goes on with the next seed,
//! so that several runs add up and no inputs are repeated. A panic, or an input that takes longer than `--hang` seconds (120), ends the program
//! with status 1 and prints the input.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tabia_fuzzing::mutation::Mutator;
use tabia_fuzzing::targets::{TARGETS, Target};

struct Options {
    inputs: u64,
    time: Duration,
    rounds: u64,
    seed: Option<u64>,
    totals: Option<PathBuf>,
    hang: Duration,
    only: Option<String>,
}

impl Options {
    fn read() -> Options {
        let mut options = Options {
            inputs: 100_000,
            time: Duration::from_hours(1),
            rounds: 1,
            seed: None,
            totals: None,
            hang: Duration::from_mins(2),
            only: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_else(|| panic!("a value follows {word}"));
            let number = |text: String| text.parse().unwrap_or_else(|_| panic!("{text:?} is not a number"));
            match word.as_str() {
                "--inputs" => options.inputs = number(value()),
                "--seconds" => options.time = Duration::from_secs(number(value())),
                "--rounds" => options.rounds = number(value()),
                "--seed" => options.seed = Some(number(value())),
                "--totals" => options.totals = Some(PathBuf::from(value())),
                "--hang" => options.hang = Duration::from_secs(number(value())),
                _ if TARGETS.iter().any(|target| target.name == word) => options.only = Some(word),
                _ => panic!("{word:?} is neither an option nor a target"),
            }
        }
        options
    }
}

/// Inputs and milliseconds of each target, over all runs that used the same file, and the highest seed used.
#[derive(Default)]
struct Totals {
    targets: BTreeMap<String, (u64, u64)>,
    last_seed: u64,
}

impl Totals {
    fn read(path: &PathBuf) -> Totals {
        let mut totals = Totals::default();
        for line in fs::read_to_string(path).unwrap_or_default().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            if let [target, seed, inputs, milliseconds] = fields[..]
                && let (Ok(seed), Ok(inputs), Ok(milliseconds)) =
                    (seed.parse(), inputs.parse(), milliseconds.parse())
            {
                totals.add(target, seed, inputs, milliseconds);
            }
        }
        totals
    }

    fn add(&mut self, target: &str, seed: u64, inputs: u64, milliseconds: u64) {
        let total = self.targets.entry(target.to_owned()).or_default();
        total.0 += inputs;
        total.1 += milliseconds;
        self.last_seed = self.last_seed.max(seed);
    }
}

/// The input that is being read, and since when.
type Current = Arc<Mutex<Option<(Instant, &'static str, Vec<u8>)>>>;

/// Ends the program when one input takes too long.
fn watch(current: Current, longest: Duration) {
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_secs(1));
            let current = current.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((since, target, input)) = &*current
                && since.elapsed() > longest
            {
                println!("{target}: hangs: more than {} s on {}", longest.as_secs(), shown(input));
                std::process::exit(1);
            }
        }
    });
}

fn shown(input: &[u8]) -> String {
    format!("b\"{}\"", input.escape_ascii())
}

struct Slice {
    inputs: u64,
    took: Duration,
    slowest: Duration,
}

fn run(target: &'static Target, seed: u64, options: &Options, current: &Current) -> Option<Slice> {
    let begun = Instant::now();
    let mut now = begun;
    let mut mutator = Mutator::new(target.name, seed);
    let (mut inputs, mut slowest) = (0, Duration::ZERO);
    while inputs < options.inputs && now - begun < options.time {
        let input = mutator.next_input();
        *current.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, target.name, input.clone()));
        if catch_unwind(AssertUnwindSafe(|| (target.check)(&input))).is_err() {
            println!("{}: panics with seed {seed} after {inputs} inputs on {}", target.name, shown(&input));
            return None;
        }
        let after = Instant::now();
        slowest = slowest.max(after - now);
        now = after;
        inputs += 1;
    }
    *current.lock().unwrap_or_else(PoisonError::into_inner) = None;
    Some(Slice { inputs, took: now - begun, slowest })
}

fn main() -> ExitCode {
    let options = Options::read();
    let mut totals = options.totals.as_ref().map(Totals::read).unwrap_or_default();
    let first = options.seed.unwrap_or(totals.last_seed + 1);
    let current = Current::default();
    watch(Arc::clone(&current), options.hang);
    let mut given = 0;
    for seed in first..first + options.rounds {
        for target in
            TARGETS.iter().filter(|target| options.only.as_deref().is_none_or(|only| only == target.name))
        {
            let Some(slice) = run(target, seed, &options, &current) else { return ExitCode::FAILURE };
            let milliseconds = u64::try_from(slice.took.as_millis()).unwrap_or(u64::MAX);
            if let Some(path) = &options.totals {
                let mut file =
                    OpenOptions::new().create(true).append(true).open(path).expect("a file for the totals");
                writeln!(file, "{} {seed} {} {milliseconds}", target.name, slice.inputs)
                    .expect("room for the totals");
            }
            totals.add(target.name, seed, slice.inputs, milliseconds);
            given += slice.inputs;
            println!(
                "{}: seed {seed}: {} inputs in {:.1} s, the slowest {:.1} ms",
                target.name,
                slice.inputs,
                slice.took.as_secs_f64(),
                slice.slowest.as_secs_f64() * 1000.0
            );
        }
    }
    if options.totals.is_some() {
        for (target, (inputs, milliseconds)) in &totals.targets {
            println!("total of {target}: {inputs} inputs in {:.1} s", *milliseconds as f64 / 1000.0);
        }
        println!("total: {} inputs", totals.targets.values().map(|total| total.0).sum::<u64>());
    }
    println!("all: {given} inputs, no panic, no hang");
    ExitCode::SUCCESS
}
