//! The file format of samples: a header of 32 bytes, then the records of [`crate::sample`].
//!
//! The header is `TABIA-SAMPLES/1` and zeros. There is no count: a truncated file is valid up to its last complete record,
//! and the reader reports how many bytes were left over.

use std::io::{self, Read, Write};

use crate::sample::{BYTES, Sample, SampleError};

/// The first bytes of a file.
const MAGIC: &[u8; 15] = b"TABIA-SAMPLES/1";

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SamplesError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("this is not a samples file: it starts with {found:?}, expected \"TABIA-SAMPLES/1\"")]
    Header { found: String },
    #[error("record {index} (byte {byte}): {cause}")]
    Record {
        /// Counted from 0.
        index: u64,
        /// Its offset in the file.
        byte: u64,
        cause: SampleError,
    },
}

pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    let mut header = [0; BYTES];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    out.write_all(&header)
}

/// Reads samples one by one.
pub struct Reader<R> {
    from: R,
    index: u64,
    cut: usize,
}

impl<R: Read> Reader<R> {
    pub fn new(mut from: R) -> Result<Reader<R>, SamplesError> {
        let mut header = [0; BYTES];
        let length = read_up_to(&mut from, &mut header)?;
        if length < BYTES || &header[..MAGIC.len()] != MAGIC {
            let found = String::from_utf8_lossy(&header[..length.min(MAGIC.len())]).into_owned();
            return Err(SamplesError::Header { found });
        }
        Ok(Reader { from, index: 0, cut: 0 })
    }

    /// Bytes after the last complete record, at the end of the file: not zero if it was truncated.
    pub fn leftover_bytes(&self) -> usize {
        self.cut
    }

    fn read(&mut self) -> Result<Option<Sample>, SamplesError> {
        let mut bytes = [0; BYTES];
        let length = read_up_to(&mut self.from, &mut bytes)?;
        if length < BYTES {
            self.cut = length;
            return Ok(None);
        }
        let index = self.index;
        self.index += 1;
        let at = (index + 1) * BYTES as u64;
        Sample::from_bytes(&bytes).map(Some).map_err(|cause| SamplesError::Record { index, byte: at, cause })
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Sample, SamplesError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Fills as much of `buffer` as possible.
fn read_up_to(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match from.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::GameResult;
    use tabia_eval::testing;

    fn file(count: u64) -> (Vec<Sample>, Vec<u8>) {
        let samples: Vec<Sample> = (0..count)
            .map(|seed| Sample::new(&testing::random_position(seed), 1, GameResult::Draw, 9))
            .collect();
        let mut bytes = Vec::new();
        write_header(&mut bytes).unwrap();
        for sample in &samples {
            bytes.extend(sample.to_bytes());
        }
        (samples, bytes)
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let (samples, bytes) = file(20);
        let read: Vec<Sample> = Reader::new(&bytes[..]).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, samples);
    }

    #[test]
    fn a_file_cut_short_loses_its_last_record_and_says_so() {
        let (samples, bytes) = file(3);
        let mut reader = Reader::new(&bytes[..bytes.len() - 5]).unwrap();
        let read: Vec<Sample> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(read, samples[..2]);
        assert_eq!(reader.leftover_bytes(), BYTES - 5);
    }

    #[test]
    fn other_files_and_damaged_records_are_named() {
        let error = |bytes: &[u8]| match Reader::new(bytes) {
            Err(error) => error.to_string(),
            Ok(mut reader) => reader.find_map(Result::err).unwrap().to_string(),
        };
        assert!(error(b"PK\x03\x04").contains("expected \"TABIA-SAMPLES/1\""));
        let (_, mut bytes) = file(3);
        bytes[2 * BYTES + 3] ^= 1;
        assert_eq!(error(&bytes), "record 1 (byte 64): its check byte is wrong: the record is damaged");
    }
}
