//! Files of named `f32` tensors in the safetensors format. Half precision is read too: networks are sent in it.
//!
//! The header's metadata holds the SHA-256 of the data, so that truncation and corruption are detected.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tabia_run::atomic_file;

use crate::error::NetError;

const CHECKSUM: &str = "sha256";
const METADATA: &str = "__metadata__";
/// Largest accepted header, in bytes; a larger length means that the file is something else.
const MAX_HEADER: usize = 16 << 20;
const F32_BYTES: usize = size_of::<f32>();

#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub shape: Vec<usize>,
    /// Values in row-major order.
    pub data: Vec<f32>,
}

/// The contents of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TensorFile {
    /// The tensors by name.
    pub tensors: BTreeMap<String, Tensor>,
    /// Text by key (`__metadata__`).
    pub metadata: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

impl TensorFile {
    /// Writes the file atomically.
    pub fn write(&self, path: &Path) -> Result<(), NetError> {
        let bytes = self.to_bytes();
        atomic_file::write(path, |file| file.write_all(&bytes)).map_err(NetError::file("write", path))
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values: usize = self.tensors.values().map(|tensor| tensor.data.len()).sum();
        let mut data = Vec::with_capacity(values * F32_BYTES);
        let mut header = serde_json::Map::new();
        for (name, tensor) in &self.tensors {
            let start = data.len();
            for value in &tensor.data {
                data.extend_from_slice(&value.to_le_bytes());
            }
            let entry = Entry {
                dtype: "F32".to_owned(),
                shape: tensor.shape.clone(),
                data_offsets: [start, data.len()],
            };
            header.insert(name.clone(), serde_json::to_value(entry).expect("plain fields can be written"));
        }
        let mut metadata = self.metadata.clone();
        metadata.insert(CHECKSUM.to_owned(), format!("{:x}", Sha256::digest(&data)));
        header.insert(METADATA.to_owned(), serde_json::to_value(metadata).expect("texts can be written"));
        let mut header = serde_json::to_vec(&header).expect("JSON can be written");
        // The format aligns the data to eight bytes.
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&data);
        bytes
    }

    /// SHA-256 of the data, in hexadecimal.
    pub fn checksum(&self) -> String {
        let mut hash = Sha256::new();
        for value in self.tensors.values().flat_map(|tensor| &tensor.data) {
            hash.update(value.to_le_bytes());
        }
        format!("{:x}", hash.finalize())
    }

    pub fn read(path: &Path) -> Result<TensorFile, NetError> {
        // A pipe or a device could be read for ever.
        let is_file = fs::metadata(path).map_err(NetError::file("read", path))?.is_file();
        if !is_file {
            return Err(NetError::NotAFile { path: path.to_owned() });
        }
        let bytes = fs::read(path).map_err(NetError::file("read", path))?;
        TensorFile::from_bytes(&bytes).map_err(|why| NetError::malformed(path, why))
    }

    /// Parses a file; the error says what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<TensorFile, String> {
        let truncated =
            |what: &str| format!("it is truncated: it ends in its {what}, after {} bytes", bytes.len());
        let length = bytes.first_chunk::<8>().ok_or_else(|| truncated("first eight bytes"))?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        if length > MAX_HEADER {
            return Err("it is not a safetensors file: its header would be longer than 16 MiB".to_owned());
        }
        let header = bytes.get(8..8 + length).ok_or_else(|| truncated("header"))?;
        let data = &bytes[8 + length..];
        let mut header: BTreeMap<String, serde_json::Value> = serde_json::from_slice(header)
            .map_err(|error| format!("its header is not valid JSON: {error}"))?;
        let metadata: BTreeMap<String, String> = match header.remove(METADATA) {
            Some(metadata) => {
                serde_json::from_value(metadata).map_err(|error| format!("its metadata: {error}"))?
            }
            None => BTreeMap::new(),
        };
        let mut tensors = BTreeMap::new();
        for (name, entry) in header {
            let entry: Entry =
                serde_json::from_value(entry).map_err(|error| format!("tensor \"{name}\": {error}"))?;
            let (width, value): (usize, fn(&[u8]) -> f32) = match entry.dtype.as_str() {
                "F32" => (4, |bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
                "F16" => (2, |bytes| half_to_single(u16::from_le_bytes([bytes[0], bytes[1]]))),
                other => return Err(format!("tensor \"{name}\" holds {other}, expected F32 or F16")),
            };
            let [start, end] = entry.data_offsets;
            let count = entry.shape.iter().try_fold(1usize, |count, dim| count.checked_mul(*dim));
            if start > end || count.and_then(|count| count.checked_mul(width)) != Some(end - start) {
                return Err(format!(
                    "tensor \"{name}\" has {} bytes, not those of shape {:?}",
                    end.saturating_sub(start),
                    entry.shape
                ));
            }
            let data = data.get(start..end).ok_or_else(|| truncated("data"))?;
            let values = data.chunks_exact(width).map(value);
            tensors.insert(name, Tensor { shape: entry.shape, data: values.collect() });
        }
        if let Some(checksum) = metadata.get(CHECKSUM)
            && *checksum != format!("{:x}", Sha256::digest(data))
        {
            return Err("its data was changed: the SHA-256 in its metadata does not match".to_owned());
        }
        Ok(TensorFile { tensors, metadata })
    }
}

/// A number in half precision (IEEE 754 binary16), exactly.
fn half_to_single(bits: u16) -> f32 {
    /// The smallest positive number: 2^-24.
    const SMALLEST: f32 = 1.0 / 16_777_216.0;
    let (exponent, fraction) = ((bits >> 10) & 31, bits & 0x3ff);
    let magnitude = match exponent {
        0 => f32::from(fraction) * SMALLEST,
        31 if fraction == 0 => f32::INFINITY,
        31 => f32::NAN,
        // The biases of the exponents are 15 and 127.
        _ => f32::from_bits(((u32::from(exponent) + 112) << 23) | (u32::from(fraction) << 13)),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> TensorFile {
        let tensor = Tensor { shape: vec![2, 3], data: vec![1.0, -2.5, 0.0, f32::MIN_POSITIVE, 1e30, 7.0] };
        let mut tensors = TensorFile::default();
        tensors.tensors.insert("a.weight".to_owned(), tensor);
        tensors.metadata.insert("generation".to_owned(), "7".to_owned());
        tensors
    }

    #[test]
    fn what_is_written_is_read() {
        let mut read = TensorFile::from_bytes(&example().to_bytes()).unwrap();
        assert_eq!(read.metadata.remove(CHECKSUM).map(|checksum| checksum.len()), Some(64));
        assert_eq!(read, example());
    }

    #[test]
    fn numbers_in_half_precision_are_read() {
        let header = r#"{"a":{"dtype":"F16","shape":[2,4],"data_offsets":[0,16]}}"#;
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        for bits in [0x3c00_u16, 0xc100, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x8000, 0x3555] {
            bytes.extend_from_slice(&bits.to_le_bytes());
        }
        let read = TensorFile::from_bytes(&bytes).unwrap().tensors.remove("a").unwrap();
        let smallest = 2.0_f32.powi(-24);
        let expected =
            [1.0, -2.5, smallest, 1023.0 * smallest, 1024.0 * smallest, 65504.0, 0.0, 0.333_251_95];
        assert_eq!((read.shape, read.data), (vec![2, 4], expected.to_vec()));
        assert!(half_to_single(0x7c00).is_infinite() && half_to_single(0x7e00).is_nan());
        let doubled = String::from_utf8(bytes[8..8 + header.len()].to_vec()).unwrap().replace("F16", "F64");
        let bytes = [&(doubled.len() as u64).to_le_bytes(), doubled.as_bytes(), &[0; 16]].concat();
        assert!(TensorFile::from_bytes(&bytes).unwrap_err().contains("holds F64, expected F32 or F16"));
    }

    #[test]
    fn whatever_is_cut_off_or_changed_is_refused() {
        let bytes = example().to_bytes();
        for length in 0..bytes.len() {
            assert!(TensorFile::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        let mut changed = bytes.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(TensorFile::from_bytes(&changed).unwrap_err().contains("SHA-256"));
        assert!(TensorFile::from_bytes(b"PK\x03\x04 this is something else").is_err());
    }
}
