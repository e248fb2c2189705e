//! Weights as a file: JSON with the shape, a checksum and the numbers in base64.
//!
//! ```json
//! {"format": "tabia-nnue/1", "inputs": 768, "hidden": 256, "buckets": 8, "activation": "screlu",
//!  "qa": 255, "qb": 256, "scale": 400, "note": "…", "checksum": "cbf29ce484222325", "weights": "AAEC…"}
//! ```
//!
//! The numbers are little-endian, one after another: input weights `i16[768][256]`, hidden biases `i16[256]`, output
//! weights `i16[8][512]` (the side to move's units first), output biases `i32[8]`. The checksum is the FNV-1a hash of
//! these bytes in 64 bits. A file of another version, shape or checksum is refused with the difference. Where the text
//! is kept is not known here.
//!
//! Two things are there in networks of another shape than this one. `"king_buckets"` lists the buckets of the own
//! king's squares e1, f1, g1, h1, e2 and so on ([`KingBuckets`]); there are 768 inputs for each, one bucket after
//! another. `"encoding": "i8"` says that numbers are written shorter: all but the output biases as `i8`, where −128 is
//! an escape value for one that does not fit; then those, as `i16`; then the output biases. The checksum is that of the
//! long form.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::base64;
use super::features::{KING_SQUARES, KingBuckets};
use super::kernels::LARGEST_OUTPUT;
use super::short_form;
use super::{BUCKETS, HIDDEN_SIZES, Network, QA, QB, SCALE, Shape};
use crate::weights_file::FileError;

/// What the file says it is.
pub const FORMAT: &str = "tabia-nnue/1";
const ACTIVATION: &str = "screlu";
/// The largest input weight and hidden bias: 32 of the one and one of the other fit 16 bits.
const LARGEST_INPUT: i16 = 1_000;
const LARGEST_BIAS: i16 = 700;
/// The largest output bias: ±64 times an output of 1.
const LARGEST_OUTPUT_BIAS: i32 = 64 * QA * QA * QB;

#[derive(Serialize, Deserialize)]
struct Document<'a> {
    format: String,
    inputs: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    king_buckets: Option<Vec<u8>>,
    hidden: usize,
    buckets: usize,
    activation: String,
    qa: i32,
    qb: i32,
    scale: i32,
    #[serde(default)]
    note: String,
    checksum: String,
    #[serde(default, skip_serializing_if = "Encoding::is_long")]
    encoding: Encoding,
    #[serde(borrow)]
    weights: Cow<'a, str>,
}

/// How numbers are written.
#[derive(Copy, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Encoding {
    #[default]
    I16,
    I8,
}

impl Encoding {
    // serde asks with a reference.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    fn is_long(&self) -> bool {
        *self == Encoding::I16
    }
}

/// The format alone: other versions may have other fields.
#[derive(Deserialize)]
struct Head {
    format: String,
}

/// The document, or what is wrong with it; most of all that its format is another.
fn document(text: &str) -> Result<Document<'_>, FileError> {
    let document: Result<Document<'_>, _> = serde_json::from_str(text);
    let format = match &document {
        Ok(document) => document.format.clone(),
        Err(_) => serde_json::from_str::<Head>(text)?.format,
    };
    if format != FORMAT {
        return Err(FileError::Format { found: format!("\"{format}\""), expected: FORMAT });
    }
    Ok(document?)
}

pub fn read(text: &str) -> Result<Network, FileError> {
    let document = document(text)?;
    let encoded = &document.weights;
    let bytes = base64::decode(encoded).map_err(|index| FileError::Shape {
        what: "weights",
        found: format!("the byte {:#04x} at {index}", encoded.as_bytes()[index]),
        expected: "base64".to_owned(),
    })?;
    let shape = document.shape()?;
    let (small, output_bias) = match document.encoding {
        Encoding::I16 => from_long(&shape, &bytes)?,
        Encoding::I8 => from_short(&shape, &bytes)?,
    };
    let checksum = checksum(&to_long(&small, &output_bias));
    if checksum != document.checksum {
        return Err(FileError::Checksum { found: checksum, expected: document.checksum });
    }
    let (inputs, rest) = small.split_at(shape.inputs() * shape.hidden);
    let (hidden_bias, outputs) = rest.split_at(shape.hidden);
    let parts = [
        ("input weight", inputs, LARGEST_INPUT),
        ("hidden bias", hidden_bias, LARGEST_BIAS),
        ("output weight", outputs, LARGEST_OUTPUT),
    ];
    for (what, numbers, largest) in parts {
        for number in numbers {
            check_range(what, (*number).into(), largest.into())?;
        }
    }
    for bias in output_bias {
        check_range("output bias", bias, LARGEST_OUTPUT_BIAS)?;
    }
    Ok(network(&shape, &small, output_bias, document.note))
}

/// Bytes where rows of weights may lie.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

/// The numbers of the shipped network, decoded by the build script.
static SHIPPED: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/shipped.bin")));

/// The shipped network. Its input weights stay where they are in the program: of 3 MB a single evaluation reads a few
/// pages. Their checksum and range are tested rather than looked at whenever a program starts.
pub(super) fn shipped() -> Result<Network, FileError> {
    let document = document(include_str!(concat!(env!("OUT_DIR"), "/shipped.json")))?;
    let (shape, bytes) = (document.shape()?, &SHIPPED.0);
    let small = 2 * shape.small_numbers();
    check_bytes(bytes.len(), small + 4 * BUCKETS)?;
    let (small, large) = bytes.split_at(small);
    if let Some(network) = Network::in_place(&shape, small, biases(large), document.note.clone()) {
        return Ok(network);
    }
    // Where numbers have another byte order.
    let (small, output_bias) = from_long(&shape, bytes)?;
    Ok(network(&shape, &small, output_bias, document.note))
}

fn network(shape: &Shape, small: &[i16], output_bias: [i32; BUCKETS], note: String) -> Network {
    Network::from_numbers(shape, small, output_bias, note).expect("numbers are as many as the shape has")
}

pub fn write(network: &Network) -> String {
    let (small, output_bias) = network.numbers();
    let shape = network.shape();
    let long = to_long(&small, &output_bias);
    // The first shape is written as it always was, so that earlier versions read it.
    let encoding = if shape == Shape::default() { Encoding::I16 } else { Encoding::I8 };
    let document = Document {
        format: FORMAT.to_owned(),
        inputs: shape.inputs(),
        king_buckets: (shape.kings.count() > 1).then(|| shape.kings.table().to_vec()),
        hidden: shape.hidden,
        buckets: BUCKETS,
        activation: ACTIVATION.to_owned(),
        qa: QA,
        qb: QB,
        scale: SCALE,
        note: network.note().to_owned(),
        checksum: checksum(&long),
        encoding,
        weights: base64::encode(&if encoding.is_long() { long } else { to_short(&small, &output_bias) })
            .into(),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("texts and numbers can be written");
    text.push('\n');
    text
}

fn wrong(what: &'static str, found: &impl ToString, expected: &impl ToString) -> FileError {
    FileError::Shape { what, found: found.to_string(), expected: expected.to_string() }
}

impl Document<'_> {
    /// The shape, if it is one that can be played with.
    fn shape(&self) -> Result<Shape, FileError> {
        let kings = match &self.king_buckets {
            None => KingBuckets::default(),
            Some(table) => KingBuckets::from_table(table).ok_or_else(|| {
                let expected = format!("{KING_SQUARES} numbers from 0, with none left out");
                wrong("king buckets", &format!("{table:?}"), &expected)
            })?,
        };
        if !HIDDEN_SIZES.contains(&self.hidden) {
            return Err(wrong("hidden units per side", &self.hidden, &"256, 384 or 512"));
        }
        let shape = Shape { hidden: self.hidden, kings };
        let numbers = [
            ("inputs", self.inputs as i64, shape.inputs() as i64),
            ("output buckets", self.buckets as i64, BUCKETS as i64),
            ("qa", self.qa.into(), QA.into()),
            ("qb", self.qb.into(), QB.into()),
            ("scale", self.scale.into(), SCALE.into()),
        ];
        let other = numbers.into_iter().find(|(_, found, expected)| found != expected);
        if let Some((what, found, expected)) = other {
            return Err(wrong(what, &found, &expected));
        }
        if self.activation != ACTIVATION {
            return Err(wrong("activation", &self.activation, &ACTIVATION));
        }
        Ok(shape)
    }
}

/// Small numbers and output biases.
type Numbers = (Vec<i16>, [i32; BUCKETS]);

fn check_bytes(found: usize, expected: usize) -> Result<(), FileError> {
    if found == expected { Ok(()) } else { Err(wrong("bytes of weights", &found, &expected)) }
}

fn shorts(bytes: &[u8]) -> impl Iterator<Item = i16> {
    bytes.as_chunks().0.iter().map(|two| i16::from_le_bytes(*two))
}

/// Output biases, from bytes whose length was checked.
fn biases(bytes: &[u8]) -> [i32; BUCKETS] {
    let words = bytes.as_chunks().0;
    std::array::from_fn(|bucket| i32::from_le_bytes(words[bucket]))
}

fn from_long(shape: &Shape, bytes: &[u8]) -> Result<Numbers, FileError> {
    let small = 2 * shape.small_numbers();
    check_bytes(bytes.len(), small + 4 * BUCKETS)?;
    let (small, large) = bytes.split_at(small);
    Ok((shorts(small).collect(), biases(large)))
}

fn to_long(small: &[i16], output_bias: &[i32; BUCKETS]) -> Vec<u8> {
    let large = output_bias.iter().flat_map(|number| number.to_le_bytes());
    small.iter().flat_map(|number| number.to_le_bytes()).chain(large).collect()
}

fn from_short(shape: &Shape, bytes: &[u8]) -> Result<Numbers, FileError> {
    let count = shape.small_numbers();
    let Some(size) = short_form::size(bytes, count) else {
        return Err(wrong("bytes of weights", &bytes.len(), &format!("at least {count}")));
    };
    check_bytes(bytes.len(), size + 4 * BUCKETS)?;
    let (small, large) = bytes.split_at(size);
    Ok((short_form::read(small, count), biases(large)))
}

fn to_short(small: &[i16], output_bias: &[i32; BUCKETS]) -> Vec<u8> {
    let mut bytes = short_form::write(small);
    bytes.extend(output_bias.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

fn check_range(what: &'static str, number: i32, largest: i32) -> Result<(), FileError> {
    if (-largest..=largest).contains(&number) {
        return Ok(());
    }
    Err(wrong(what, &number, &format!("-{largest} to {largest}")))
}

/// FNV-1a in 64 bits.
fn checksum(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::super::features::INPUTS;
    use super::super::tests::{any_network, first, shapes};
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        for (seed, shape) in shapes().into_iter().enumerate() {
            let network = any_network(seed as u64, &shape);
            let text = write(&network);
            assert_eq!(read(&text).unwrap(), network);
            let is_first = shape == Shape::default();
            assert_eq!(text.contains("\"encoding\": \"i8\""), !is_first);
            assert_eq!(text.contains("\"king_buckets\""), shape.kings.count() > 1);
        }
    }

    #[test]
    fn both_encodings_are_the_same_numbers() {
        let shape = Shape::default();
        let network = any_network(3, &shape);
        let (mut small, large) = network.numbers();
        for (place, number) in [127, 128, -127, -128, -129, 1_000, -1_000].into_iter().enumerate() {
            small[place] = number;
        }
        let short = to_short(&small, &large);
        assert_eq!(from_short(&shape, &short).unwrap(), (small.clone(), large));
        assert_eq!(from_long(&shape, &to_long(&small, &large)).unwrap(), (small, large));
        let error = from_short(&shape, &short[..short.len() - 1]).unwrap_err().to_string();
        assert!(error.contains(&short.len().to_string()), "{error}");
        assert!(from_short(&shape, &short[..9]).unwrap_err().to_string().contains("at least"));
    }

    #[test]
    fn another_file_is_refused_with_the_difference() {
        let good = write(&first(2));
        let wrong = |from: &str, to: &str| {
            assert!(good.contains(from), "{from}");
            read(&good.replacen(from, to, 1)).unwrap_err().to_string()
        };
        let error = wrong("tabia-nnue/1", "tabia-nnue/2");
        assert!(error.contains("tabia-nnue/2") && error.contains("tabia-nnue/1"), "{error}");
        let error = wrong("\"hidden\": 256", "\"hidden\": 300");
        assert!(error.contains("hidden units") && error.contains("300") && error.contains("256"), "{error}");
        let bytes = to_long(&first(2).numbers().0, &[0; BUCKETS]).len().to_string();
        let error = wrong("\"hidden\": 256", "\"hidden\": 512");
        assert!(error.contains("bytes of weights") && error.contains(&bytes), "{error}");
        let error = wrong("\"inputs\": 768", "\"inputs\": 3072");
        assert!(error.contains("inputs: 3072, expected 768"), "{error}");
        let error = wrong("\"hidden\"", "\"king_buckets\": [0, 2], \"hidden\"");
        assert!(error.contains("king buckets: [0, 2], expected 32 numbers"), "{error}");
        assert!(wrong("\"weights\"", "\"encoding\": \"i4\", \"weights\"").contains("i4"));
        let error = wrong("\"screlu\"", "\"crelu\"");
        assert!(error.contains("crelu") && error.contains("screlu"), "{error}");
        let error = wrong("\"weights\": \"", "\"weights\": \"AAAA");
        assert!(error.contains("bytes") && error.contains(&bytes), "{error}");
        let error = wrong("\"weights\": \"", "\"weights\": \"?");
        assert!(error.contains("base64"), "{error}");
        let with = |place: usize, number: i16| {
            let (mut small, large) = first(2).numbers();
            small[place] = number;
            Network::from_numbers(&Shape::default(), &small, large, String::new()).unwrap()
        };
        let other = with(900, 121);
        let sum = |text: &str| text.split("\"checksum\": \"").nth(1).unwrap()[..16].to_owned();
        let (here, there) = (sum(&good), sum(&write(&other)));
        let error = read(&write(&other).replace(&there, &here)).unwrap_err().to_string();
        assert!(error.contains(&here) && error.contains(&there), "{error}");
        let large = with((INPUTS + 4) * 256 + 9, 128);
        let error = read(&write(&large)).unwrap_err().to_string();
        assert!(error.contains("output weight") && error.contains("128"), "{error}");
        assert!(read("{").is_err());
    }

    #[test]
    fn the_shipped_network_fits_four_megabytes() {
        let text = include_str!("weights.nnue");
        assert!(text.len() <= 4 << 20, "{}", text.len());
        assert_eq!(read(text).unwrap(), shipped().unwrap());
    }
}
