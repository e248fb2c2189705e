//! Named tensors in a file, in the safetensors format: a length, a header in JSON, and the numbers one after another.
//!
//! The header also holds what else there is to know, as text, and the SHA-256 of the numbers: a file that was cut off or changed is noticed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tabia_run::atomic_file;

use crate::error::NetError;

const SUM: &str = "sha256";
const METADATA: &str = "__metadata__";
/// Headers are short; a longer one is no header.
const LONGEST_HEADER: usize = 16 << 20;
const NUMBER: usize = size_of::<f32>();

/// One tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its numbers, row by row.
    pub numbers: Vec<f32>,
}

/// Everything in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensors {
    /// The tensors by name.
    pub tensors: BTreeMap<String, Tensor>,
    /// What else there is to know.
    pub notes: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

impl Tensors {
    /// Writes the file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), NetError> {
        let bytes = self.to_bytes();
        atomic_file::write(path, |file| file.write_all(&bytes)).map_err(NetError::file("write", path))
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut data = Vec::new();
        let mut header = serde_json::Map::new();
        for (name, tensor) in &self.tensors {
            let start = data.len();
            for number in &tensor.numbers {
                data.extend_from_slice(&number.to_le_bytes());
            }
            let entry = Entry {
                dtype: "F32".to_owned(),
                shape: tensor.shape.clone(),
                data_offsets: [start, data.len()],
            };
            header.insert(name.clone(), serde_json::to_value(entry).expect("plain fields can be written"));
        }
        let mut notes = self.notes.clone();
        notes.insert(SUM.to_owned(), self.checksum());
        header.insert(METADATA.to_owned(), serde_json::to_value(notes).expect("texts can be written"));
        let mut header = serde_json::to_vec(&header).expect("JSON can be written");
        // Numbers begin at a multiple of eight bytes.
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&data);
        bytes
    }

    /// The SHA-256 of the numbers.
    pub fn checksum(&self) -> String {
        let mut sum = Sha256::new();
        for number in self.tensors.values().flat_map(|tensor| &tensor.numbers) {
            sum.update(number.to_le_bytes());
        }
        hexadecimal(&sum.finalize())
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Tensors, NetError> {
        let bytes = fs::read(path).map_err(NetError::file("read", path))?;
        Tensors::from_bytes(&bytes).map_err(|why| NetError::broken(path, why))
    }

    /// Reads what was written; or says what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tensors, String> {
        let cut = |what: &str| format!("it ends within its {what}, after {} bytes", bytes.len());
        let length = bytes.first_chunk::<8>().ok_or_else(|| cut("first eight bytes"))?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        if length > LONGEST_HEADER {
            return Err("it is no safetensors file: its header would be too long".to_owned());
        }
        let header = bytes.get(8..8 + length).ok_or_else(|| cut("header"))?;
        let data = &bytes[8 + length..];
        let mut header: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(|error| format!("its header is no JSON: {error}"))?;
        let notes: BTreeMap<String, String> = match header.remove(METADATA) {
            Some(notes) => serde_json::from_value(notes).map_err(|error| format!("its metadata: {error}"))?,
            None => BTreeMap::new(),
        };
        let mut tensors = BTreeMap::new();
        for (name, entry) in header {
            let entry: Entry =
                serde_json::from_value(entry).map_err(|error| format!("tensor \"{name}\": {error}"))?;
            if entry.dtype != "F32" {
                return Err(format!("tensor \"{name}\" holds {}, expected F32", entry.dtype));
            }
            let [start, end] = entry.data_offsets;
            let count = entry.shape.iter().try_fold(1usize, |count, side| count.checked_mul(*side));
            if start > end || count.and_then(|count| count.checked_mul(NUMBER)) != Some(end - start) {
                return Err(format!(
                    "tensor \"{name}\" has {} bytes, not those of {:?}",
                    end.saturating_sub(start),
                    entry.shape
                ));
            }
            let numbers = data.get(start..end).ok_or_else(|| cut("numbers"))?;
            let numbers = numbers.chunks_exact(NUMBER);
            let numbers = numbers
                .map(|bytes| f32::from_le_bytes(*bytes.first_chunk().expect("chunks have four bytes")));
            tensors.insert(name, Tensor { shape: entry.shape, numbers: numbers.collect() });
        }
        if let Some(sum) = notes.get(SUM)
            && *sum != hexadecimal(&Sha256::digest(data))
        {
            return Err("its numbers are not those that were written (SHA-256)".to_owned());
        }
        Ok(Tensors { tensors, notes })
    }
}

/// Bytes as text.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes all text");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Tensors {
        let tensor =
            Tensor { shape: vec![2, 3], numbers: vec![1.0, -2.5, 0.0, f32::MIN_POSITIVE, 1e30, 7.0] };
        let mut tensors = Tensors::default();
        tensors.tensors.insert("a.weight".to_owned(), tensor);
        tensors.notes.insert("generation".to_owned(), "7".to_owned());
        tensors
    }

    #[test]
    fn what_is_written_is_read() {
        let mut read = Tensors::from_bytes(&some().to_bytes()).unwrap();
        assert_eq!(read.notes.remove(SUM).map(|sum| sum.len()), Some(64));
        assert_eq!(read, some());
    }

    #[test]
    fn whatever_is_cut_off_or_changed_is_refused() {
        let bytes = some().to_bytes();
        for length in 0..bytes.len() {
            assert!(Tensors::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        let mut changed = bytes.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(Tensors::from_bytes(&changed).unwrap_err().contains("SHA-256"));
        assert!(Tensors::from_bytes(b"PK\x03\x04 this is something else").is_err());
    }
}
