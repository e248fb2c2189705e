//! Inputs made from seeds: bits flipped, bytes and words put in, pieces taken out, repeated or taken from another seed.

use std::fs;
use std::path::{Path, PathBuf};

use rand::Rng;
use tabia_core::seed::{self, Random};

/// The longest input.
const LONGEST: usize = 4_096;
/// Changes to one input, at most.
const MAX_CHANGES: u32 = 6;

/// Makes inputs for one target.
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    random: Random,
}

impl Mutator {
    /// Inputs from the seeds and the dictionary that `fuzz/` has for a target. The same `seed` gives the same inputs.
    pub fn new(target: &str, seed: u64) -> Mutator {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
        let mut paths: Vec<PathBuf> = fs::read_dir(fuzz.join("seeds").join(target))
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        paths.sort();
        let mut seeds: Vec<Vec<u8>> = paths.iter().filter_map(|path| fs::read(path).ok()).collect();
        seeds.push(Vec::new());
        let dictionary = fs::read_to_string(fuzz.join("dictionaries").join(format!("{target}.dict")));
        let tokens = dictionary.unwrap_or_default().lines().filter_map(word).collect();
        Mutator { seeds, tokens, random: seed::random(seed) }
    }

    /// The seeds as they are.
    pub fn seeds(&self) -> &[Vec<u8>] {
        &self.seeds
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.seeds[self.random.random_range(0..self.seeds.len())].clone();
        for _ in 0..self.random.random_range(1..=MAX_CHANGES) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.random.random_range(0..=input.len());
        let length = self.random.random_range(0..=(input.len() - at).min(16));
        match self.random.random_range(0..8) {
            0 if at < input.len() => input[at] ^= 1 << self.random.random_range(0..8),
            1 if at < input.len() => input[at] = self.random.random(),
            2 => drop(input.drain(at..at + length)),
            3 => {
                let piece = input[at..at + length].to_vec();
                let times = self.random.random_range(1..4);
                for _ in 0..times {
                    input.splice(at..at, piece.iter().copied());
                }
            }
            4 => {
                let other = &self.seeds[self.random.random_range(0..self.seeds.len())];
                let from = self.random.random_range(0..=other.len());
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            5 if !self.tokens.is_empty() => {
                let word = self.tokens[self.random.random_range(0..self.tokens.len())].clone();
                input.splice(at..at + length, word);
            }
            6 => {
                let number: i64 = match self.random.random_range(0..4) {
                    0 => i64::MAX,
                    1 => -1,
                    2 => self.random.random_range(0..300),
                    _ => self.random.random(),
                };
                input.splice(at..at + length, number.to_string().into_bytes());
            }
            _ => input.insert(at, self.random.random()),
        }
    }
}

/// A line of a dictionary, `"word"` or `name="word"`, with `\xHH`, `\\` and `\"`.
fn word(line: &str) -> Option<Vec<u8>> {
    let line = line.trim();
    if line.starts_with('#') {
        return None;
    }
    let quoted = line.get(line.find('"')? + 1..line.rfind('"')?)?;
    let (mut word, mut rest) = (Vec::new(), quoted.as_bytes());
    while let [first, after @ ..] = rest {
        rest = match (first, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digits = [*high, *low];
                word.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
                after
            }
            (b'\\', [quoted, after @ ..]) => {
                word.push(*quoted);
                after
            }
            _ => {
                word.push(*first);
                after
            }
        };
    }
    Some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_libfuzzer_reads_them() {
        assert_eq!(word(r#"a="x\x41\\\"y""#), Some(b"xA\\\"y".to_vec()));
        assert_eq!(word(r#""go""#), Some(b"go".to_vec()));
        assert_eq!(word("# a comment"), None);
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let inputs = |seed| {
            let mut mutator = Mutator::new("fen_reads_or_says_why", seed);
            (0..50).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
    }
}
