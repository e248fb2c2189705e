//! Weights as a file: JSON with the shape, a checksum and the numbers in base64.
//!
//! ```json
//! {"format": "tabia-nnue/1", "inputs": 768, "hidden": 256, "buckets": 8, "activation": "screlu",
//!  "qa": 255, "qb": 64, "scale": 400, "note": "…", "checksum": "cbf29ce484222325", "weights": "AAEC…"}
//! ```
//!
//! The numbers are little-endian, one after another: input weights `i16[768][256]`, hidden biases `i16[256]`, output
//! weights `i16[8][512]` (the side to move's units first), output biases `i32[8]`. The checksum is the FNV-1a hash of
//! these bytes in 64 bits. A file of another version, shape or checksum is refused with the difference. Where the text
//! is kept is not known here.

use serde::{Deserialize, Serialize};

use super::features::INPUTS;
use super::kernels::{LARGEST_OUTPUT, Row};
use super::{BUCKETS, HIDDEN, Network, QA, QB, SCALE};
use crate::weights_file::FileError;

/// What the file says it is.
pub const FORMAT: &str = "tabia-nnue/1";
const ACTIVATION: &str = "screlu";
/// Bytes of the numbers.
const BYTES: usize = 2 * (INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN) + 4 * BUCKETS;
/// The largest input weight and hidden bias: 32 of the one and one of the other fit 16 bits.
const LARGEST_INPUT: i16 = 1_000;
const LARGEST_BIAS: i16 = 700;
/// The largest output bias: ±64 times an output of 1.
const LARGEST_OUTPUT_BIAS: i32 = 64 * QA * QA * QB;

#[derive(Serialize, Deserialize)]
struct Document {
    format: String,
    inputs: usize,
    hidden: usize,
    buckets: usize,
    activation: String,
    qa: i32,
    qb: i32,
    scale: i32,
    #[serde(default)]
    note: String,
    checksum: String,
    weights: String,
}

/// The format alone, which is asked first: other versions may have other fields.
#[derive(Deserialize)]
struct Head {
    format: String,
}

pub fn read(text: &str) -> Result<Network, FileError> {
    let head: Head = serde_json::from_str(text)?;
    if head.format != FORMAT {
        return Err(FileError::Format { found: format!("\"{}\"", head.format), expected: FORMAT });
    }
    let document: Document = serde_json::from_str(text)?;
    document.check_shape()?;
    let bytes = from_base64(&document.weights)?;
    if bytes.len() != BYTES {
        return Err(FileError::Shape {
            what: "bytes of weights",
            found: bytes.len().to_string(),
            expected: BYTES.to_string(),
        });
    }
    let checksum = checksum(&bytes);
    if checksum != document.checksum {
        return Err(FileError::Checksum { found: checksum, expected: document.checksum });
    }
    let mut numbers = Numbers(&bytes);
    let inputs = (0..INPUTS).map(|_| numbers.row("input weight", LARGEST_INPUT)).collect::<Result<_, _>>()?;
    let hidden_bias = numbers.row("hidden bias", LARGEST_BIAS)?;
    let outputs = (0..BUCKETS)
        .map(|_| {
            let own = numbers.row("output weight", LARGEST_OUTPUT)?;
            Ok([own, numbers.row("output weight", LARGEST_OUTPUT)?])
        })
        .collect::<Result<_, FileError>>()?;
    let mut output_bias = [0; BUCKETS];
    for bias in &mut output_bias {
        *bias = numbers.next_i32();
        check_range("output bias", *bias, LARGEST_OUTPUT_BIAS)?;
    }
    Ok(Network { inputs, hidden_bias, outputs, output_bias, note: document.note })
}

pub fn write(network: &Network) -> String {
    let (small, large) = network.numbers();
    let mut bytes: Vec<u8> = small.into_iter().flat_map(i16::to_le_bytes).collect();
    bytes.extend(large.into_iter().flat_map(i32::to_le_bytes));
    let document = Document {
        format: FORMAT.to_owned(),
        inputs: INPUTS,
        hidden: HIDDEN,
        buckets: BUCKETS,
        activation: ACTIVATION.to_owned(),
        qa: QA,
        qb: QB,
        scale: SCALE,
        note: network.note.clone(),
        checksum: checksum(&bytes),
        weights: to_base64(&bytes),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("texts and numbers can be written");
    text.push('\n');
    text
}

impl Document {
    fn check_shape(&self) -> Result<(), FileError> {
        let numbers = [
            ("inputs", self.inputs as i64, INPUTS as i64),
            ("hidden units a side", self.hidden as i64, HIDDEN as i64),
            ("output buckets", self.buckets as i64, BUCKETS as i64),
            ("qa", self.qa.into(), QA.into()),
            ("qb", self.qb.into(), QB.into()),
            ("scale", self.scale.into(), SCALE.into()),
        ];
        let other = numbers.into_iter().find(|(_, found, expected)| found != expected);
        if let Some((what, found, expected)) = other {
            return Err(FileError::Shape { what, found: found.to_string(), expected: expected.to_string() });
        }
        if self.activation != ACTIVATION {
            return Err(FileError::Shape {
                what: "activation",
                found: self.activation.clone(),
                expected: ACTIVATION.to_owned(),
            });
        }
        Ok(())
    }
}

/// Takes numbers from bytes whose length was checked.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_at(N);
        self.0 = rest;
        std::array::from_fn(|i| taken[i])
    }

    fn next_i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn row(&mut self, what: &'static str, largest: i16) -> Result<Row, FileError> {
        let mut row = Row::default();
        for number in &mut row.0 {
            *number = i16::from_le_bytes(self.take());
            check_range(what, (*number).into(), largest.into())?;
        }
        Ok(row)
    }
}

fn check_range(what: &'static str, number: i32, largest: i32) -> Result<(), FileError> {
    if (-largest..=largest).contains(&number) {
        return Ok(());
    }
    let expected = format!("-{largest} to {largest}");
    Err(FileError::Shape { what, found: number.to_string(), expected })
}

/// FNV-1a in 64 bits.
fn checksum(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let letter = ALPHABET[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { letter.into() } else { '=' });
        }
    }
    text
}

fn from_base64(text: &str) -> Result<Vec<u8>, FileError> {
    let mut values = [u8::MAX; 256];
    for (value, letter) in ALPHABET.iter().enumerate() {
        values[usize::from(*letter)] = value as u8;
    }
    let letters = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 2);
    for (number, chunk) in letters.chunks(4).enumerate() {
        let mut word = 0_u32;
        for (i, letter) in chunk.iter().enumerate() {
            let value = values[usize::from(*letter)];
            if value == u8::MAX {
                return Err(FileError::Shape {
                    what: "weights",
                    found: format!("the byte {letter:#04x} at {}", number * 4 + i),
                    expected: "base64".to_owned(),
                });
            }
            word |= u32::from(value) << (18 - 6 * i);
        }
        let whole = [(word >> 16) as u8, (word >> 8) as u8, word as u8];
        bytes.extend(&whole[..(chunk.len() * 3 / 4).min(3)]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::tests::any_network;
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let network = any_network(1);
        assert_eq!(read(&write(&network)).unwrap(), network);
    }

    #[test]
    fn base64_is_the_usual_one() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(to_base64(bytes.as_bytes()), text);
            assert_eq!(from_base64(text).unwrap(), bytes.as_bytes());
        }
    }

    #[test]
    fn another_file_is_refused_with_the_difference() {
        let good = write(&any_network(2));
        let wrong = |from: &str, to: &str| {
            assert!(good.contains(from), "{from}");
            read(&good.replacen(from, to, 1)).unwrap_err().to_string()
        };
        let error = wrong("tabia-nnue/1", "tabia-nnue/2");
        assert!(error.contains("tabia-nnue/2") && error.contains("tabia-nnue/1"), "{error}");
        let error = wrong("\"hidden\": 256", "\"hidden\": 512");
        assert!(error.contains("hidden units") && error.contains("512") && error.contains("256"), "{error}");
        let error = wrong("\"screlu\"", "\"crelu\"");
        assert!(error.contains("crelu") && error.contains("screlu"), "{error}");
        let error = wrong("\"weights\": \"", "\"weights\": \"AAAA");
        assert!(error.contains("bytes") && error.contains(&BYTES.to_string()), "{error}");
        let error = wrong("\"weights\": \"", "\"weights\": \"?");
        assert!(error.contains("base64"), "{error}");
        let mut other = any_network(2);
        other.inputs[3].0[3] ^= 1;
        let sum = |text: &str| text.split("\"checksum\": \"").nth(1).unwrap()[..16].to_owned();
        let (here, there) = (sum(&good), sum(&write(&other)));
        let error = read(&write(&other).replace(&there, &here)).unwrap_err().to_string();
        assert!(error.contains(&here) && error.contains(&there), "{error}");
        let mut large = any_network(2);
        large.outputs[1][1].0[9] = 128;
        let error = read(&write(&large)).unwrap_err().to_string();
        assert!(error.contains("output weight") && error.contains("128"), "{error}");
        assert!(read("{").is_err());
    }

    #[test]
    fn the_shipped_network_fits_four_megabytes() {
        let text = include_str!("weights.nnue");
        assert!(text.len() <= 4 << 20, "{}", text.len());
        read(text).unwrap();
    }
}
