//! TensorBoard event file of a training: the scalars of seed 004 §8.2, one event per generation.
//!
//! `wall_time` is when a generation was finished, by the clock that whoever runs the training hands in. A training without one, as in
//! tests, counts the seconds since it started.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use prost::Message;
use tabia_run::atomic_file;

use crate::error::NetError;
use crate::metrics::GenerationMetrics;
use crate::proto::{Event, ScalarValue, Summary};

/// File name; TensorBoard looks for `tfevents` in it.
pub const FILE: &str = "events.out.tfevents.0.tabia";

/// Rewrites the file: the version event, then one event per generation so far.
pub fn create(directory: &Path, generations: &[GenerationMetrics], now: f64) -> Result<(), NetError> {
    let file_version = Some("brain.Event:2".to_owned());
    let head = Event {
        wall_time: Some(generations.first().map_or(now, wall_time)),
        file_version,
        ..Event::default()
    };
    let mut bytes = record(&head.encode_to_vec());
    bytes.extend(generations.iter().flat_map(event));
    let path = directory.join(FILE);
    atomic_file::write_bytes(&path, &bytes).map_err(NetError::file("write", &path))
}

/// Appends one generation.
pub fn append(directory: &Path, metrics: &GenerationMetrics) -> Result<(), NetError> {
    let path = directory.join(FILE);
    let file = OpenOptions::new().append(true).open(&path);
    file.and_then(|mut file| file.write_all(&event(metrics))).map_err(NetError::file("write", &path))
}

fn wall_time(metrics: &GenerationMetrics) -> f64 {
    if metrics.time > 0.0 { metrics.time } else { metrics.seconds }
}

fn event(metrics: &GenerationMetrics) -> Vec<u8> {
    let mut scalars = vec![("buffer_size".to_owned(), metrics.samples as f64)];
    if metrics.has_learned() {
        let learned = [
            ("loss/total", metrics.loss),
            ("loss/policy", metrics.policy_loss),
            ("loss/value", metrics.value_loss),
            ("lr", metrics.rate),
            ("policy/entropy", metrics.policy_entropy),
            ("policy/hits", metrics.policy_hits),
        ];
        scalars.extend(learned.map(|(tag, value)| (tag.to_owned(), value)));
    }
    scalars.extend([("games/plies".to_owned(), metrics.plies), ("games/draws".to_owned(), metrics.draws)]);
    scalars.extend(metrics.scores.iter().map(|(name, score)| (format!("score/{name}"), *score)));
    let scalar =
        |(tag, value): (String, f64)| ScalarValue { tag: Some(tag), simple_value: Some(value as f32) };
    let summary = Summary { value: scalars.into_iter().map(scalar).collect() };
    let event = Event {
        wall_time: Some(wall_time(metrics)),
        step: Some(metrics.steps as i64),
        file_version: None,
        summary: Some(summary),
    };
    record(&event.encode_to_vec())
}

/// TFRecord framing: length, masked CRC of the length, data, masked CRC of the data.
fn record(bytes: &[u8]) -> Vec<u8> {
    let length = (bytes.len() as u64).to_le_bytes();
    let mut record = length.to_vec();
    record.extend_from_slice(&masked_crc(&length).to_le_bytes());
    record.extend_from_slice(bytes);
    record.extend_from_slice(&masked_crc(bytes).to_le_bytes());
    record
}

fn masked_crc(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

fn crc32c(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_the_date_at_which_they_happened() {
        let times = |line: &GenerationMetrics| {
            let bytes = event(line);
            Event::decode(&bytes[12..bytes.len() - 4]).unwrap().wall_time
        };
        let line = GenerationMetrics { seconds: 3.0, time: 1_700_000_000.5, ..GenerationMetrics::default() };
        assert_eq!(times(&line), Some(1_700_000_000.5));
        assert_eq!(times(&GenerationMetrics { time: 0.0, ..line }), Some(3.0), "a run without a clock");
    }

    #[test]
    fn the_checksum_is_castagnolis() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
    }
}
