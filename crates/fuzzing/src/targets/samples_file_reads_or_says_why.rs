//! Any bytes are a file of training positions (`.samples`) or an error with words in it. A position that was read survives
//! being written as bytes, and as the texts of other trainers where these can have it.
//!
//! Every record has a check byte, which a changed byte breaks. So the bytes are tried as they are, and then as records with
//! the right check bytes.

use shakmaty::Chess;
use tabia_tune::Sample;
use tabia_tune::sample::BYTES;
use tabia_tune::samples::{Reader, write_header};
use tabia_tune::text_formats::{PlainReader, TextError, from_bullet, to_bullet, to_plain};

/// Where the check byte is, and what it is the exclusive or of the other bytes with.
const CHECK_AT: usize = 29;
const CHECK: u8 = 0x5a;

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    check_file(bytes);
    check_file(&as_records(bytes));
}

/// A file of these records, with the right check bytes.
fn as_records(bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    write_header(&mut file).expect("a vector takes everything");
    let (records, rest) = bytes.as_chunks::<BYTES>();
    for record in records {
        let mut record = *record;
        record[CHECK_AT] = CHECK;
        record[CHECK_AT] = record.iter().fold(0, |sum, byte| sum ^ byte);
        file.extend(record);
    }
    file.extend(rest);
    file
}

fn check_file(bytes: &[u8]) {
    let mut reader = match Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for sample in reader.by_ref() {
        match sample {
            Ok(sample) => survives(&sample),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(reader.leftover_bytes() < BYTES);
}

fn survives(sample: &Sample) {
    assert_eq!(Sample::from_bytes(&sample.to_bytes()).as_ref(), Ok(sample));
    let Some(position) = sample.position() else {
        assert_eq!((to_bullet(sample), to_plain(sample)), (None, None));
        return;
    };
    // Positions with more pieces than promotions explain are samples, and written; as text they are refused.
    let line = to_bullet(sample).expect("a position can be written");
    match from_bullet(&line) {
        Ok(read) => same(sample, &position, &read),
        Err(error) => {
            assert!(matches!(error, TextError::Fen(_)), "{line}: {error}");
            return;
        }
    }
    let (plain, mut reader) = (to_plain(sample).expect("a position can be written"), PlainReader::default());
    let read: Vec<Sample> = plain
        .lines()
        .filter_map(|line| reader.line(line).unwrap_or_else(|error| panic!("{plain}: {error}")))
        .collect();
    assert_eq!(read.len(), 1, "{plain}");
    // The mover's view of the lowest score has no 16 bits.
    let score = sample.score.max(-i16::MAX);
    same(
        &Sample { score, ..sample.clone() },
        &position,
        &Sample { score: read[0].score.max(-i16::MAX), ..read[0].clone() },
    );
}

/// Written as text, a position keeps what matters to a player: an en passant square that nobody can use is dropped.
fn same(sample: &Sample, position: &Chess, read: &Sample) {
    assert_eq!(read.position().as_ref(), Some(position));
    assert_eq!((read.score, read.result), (sample.score, sample.result));
}
