//! A training's curves for TensorBoard: an event file with the seed's scalars (seed 004 §8.2), a generation at a time.
//!
//! Times in it are seconds since the training began: when that was is nobody's business here.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use prost::Message;
use tabia_run::atomic_file;

use crate::error::NetError;
use crate::messages::{Event, Scalar, Summary};
use crate::metrics::Line;

/// TensorBoard looks for this in names.
pub const FILE: &str = "events.out.tfevents.0.tabia";

/// Writes the file anew: its head, and what there is so far.
pub fn begin(directory: &Path, lines: &[Line]) -> Result<(), NetError> {
    let version = Some("brain.Event:2".to_owned());
    let head = Event { seconds: Some(0.0), version, ..Event::default() };
    let mut bytes = record(&head.encode_to_vec());
    bytes.extend(lines.iter().flat_map(of_line));
    let path = directory.join(FILE);
    atomic_file::write_bytes(&path, &bytes).map_err(NetError::file("write", &path))
}

/// Adds a generation.
pub fn add(directory: &Path, line: &Line) -> Result<(), NetError> {
    let path = directory.join(FILE);
    let file = OpenOptions::new().append(true).open(&path);
    file.and_then(|mut file| file.write_all(&of_line(line))).map_err(NetError::file("write", &path))
}

fn of_line(line: &Line) -> Vec<u8> {
    let mut scalars = vec![("buffer_size".to_owned(), line.samples as f64)];
    if line.loss > 0.0 {
        let learned = [
            ("loss/total", line.loss),
            ("loss/policy", line.policy_loss),
            ("loss/value", line.value_loss),
            ("lr", line.rate),
            ("policy/entropy", line.policy_entropy),
            ("policy/hits", line.policy_hits),
        ];
        scalars.extend(learned.map(|(tag, value)| (tag.to_owned(), value)));
    }
    scalars.extend([("games/plies".to_owned(), line.plies), ("games/draws".to_owned(), line.draws)]);
    scalars.extend(line.scores.iter().map(|(name, score)| (format!("score/{name}"), *score)));
    let scalar = |(tag, value): (String, f64)| Scalar { tag: Some(tag), value: Some(value as f32) };
    let summary = Summary { scalars: scalars.into_iter().map(scalar).collect() };
    let event = Event {
        seconds: Some(line.seconds),
        step: Some(line.steps as i64),
        version: None,
        summary: Some(summary),
    };
    record(&event.encode_to_vec())
}

/// A record: its length, the length's checksum, the bytes, their checksum.
fn record(bytes: &[u8]) -> Vec<u8> {
    let length = (bytes.len() as u64).to_le_bytes();
    let mut record = length.to_vec();
    record.extend_from_slice(&masked(&length).to_le_bytes());
    record.extend_from_slice(bytes);
    record.extend_from_slice(&masked(bytes).to_le_bytes());
    record
}

/// The format's checksum: CRC-32C, turned and moved, so that a checksum of checksums is no trouble.
fn masked(bytes: &[u8]) -> u32 {
    crc(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32 with Castagnoli's polynomial.
fn crc(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_castagnolis() {
        assert_eq!(crc(b"123456789"), 0xe306_9283);
        assert_eq!(crc(&[0; 32]), 0x8a91_36aa);
    }
}
