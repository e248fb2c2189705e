//! Games in a file, a record each, as they are finished.
//!
//! A record has its length and a checksum, so that what a killed process was writing is noticed and dropped. While a generation is played its file is
//! `games-0007.part`; when it is whole, `games-0007.bin`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::NetError;
use crate::sample::Sample;

const CHECKSUM: usize = 8;

/// A finished game as it is learned from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// Its number in its generation.
    pub number: u32,
    /// Plies.
    pub plies: u32,
    /// The result for White: 1, 0.5 or 0.
    pub points: f32,
    /// Moves that split, in thousandths of all.
    pub splits: u32,
    /// Whether somebody would have resigned who did not lose: 0 nobody would have, 1 rightly, 2 wrongly.
    pub resignation: u32,
    /// What there is to learn.
    pub samples: Vec<Sample>,
    /// Its plies as they are written, and what the search thought before each; files do without.
    pub told: Vec<(String, f64)>,
}

impl Played {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [
            self.number,
            self.plies,
            self.points.to_bits(),
            self.splits,
            self.resignation,
            self.samples.len() as u32,
        ] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for sample in &self.samples {
            sample.write(&mut bytes);
        }
        bytes
    }

    fn from_bytes(mut bytes: &[u8]) -> Option<Played> {
        let mut number = || {
            let (first, rest) = bytes.split_first_chunk()?;
            bytes = rest;
            Some(u32::from_le_bytes(*first))
        };
        let (game, plies, points, splits, resignation, count) =
            (number()?, number()?, f32::from_bits(number()?), number()?, number()?, number()?);
        let samples = (0..count).map(|_| Sample::read(&mut bytes)).collect::<Option<Vec<_>>>()?;
        let told = Vec::new();
        bytes.is_empty().then_some(Played { number: game, plies, points, splits, resignation, samples, told })
    }
}

/// The file of a generation that is being played.
pub struct Shard {
    file: File,
    part: PathBuf,
    whole: PathBuf,
}

/// The file of a whole generation.
pub fn path(directory: &Path, generation: u32) -> PathBuf {
    directory.join(format!("games-{generation:04}.bin"))
}

impl Shard {
    /// Opens the file of a generation; what was finished before is given back.
    pub fn open(directory: &Path, generation: u32) -> Result<(Shard, Vec<Played>), NetError> {
        let whole = path(directory, generation);
        let part = whole.with_extension("part");
        let failed = |what| NetError::file(what, &part);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&part)
            .map_err(failed("open"))?;
        let bytes = fs::read(&part).map_err(failed("read"))?;
        let (games, good) = records(&bytes);
        file.set_len(good as u64).map_err(failed("shorten"))?;
        file.seek(SeekFrom::End(0)).map_err(failed("read"))?;
        Ok((Shard { file, part, whole }, games))
    }

    /// Writes a finished game down.
    pub fn add(&mut self, game: &Played) -> Result<(), NetError> {
        let record = game.to_bytes();
        let mut bytes = (record.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&Sha256::digest(&record)[..CHECKSUM]);
        bytes.extend_from_slice(&record);
        self.file.write_all(&bytes).map_err(NetError::file("write", &self.part))
    }

    /// Takes games out again, because whoever played them cheated.
    pub fn remove(&mut self, numbers: &[u32]) -> Result<(), NetError> {
        let bytes = fs::read(&self.part).map_err(NetError::file("read", &self.part))?;
        let (games, _) = records(&bytes);
        // What is left is whole at any time: it is written beside, and renamed.
        let beside = self.part.with_extension("left");
        let file = File::create(&beside).map_err(NetError::file("write", &beside))?;
        let mut left = Shard { file, part: beside.clone(), whole: self.whole.clone() };
        for game in games.iter().filter(|game| !numbers.contains(&game.number)) {
            left.add(game)?;
        }
        left.file.sync_all().map_err(NetError::file("write", &beside))?;
        fs::rename(&beside, &self.part).map_err(NetError::file("write", &self.part))?;
        self.file = left.file;
        Ok(())
    }

    /// The generation is whole.
    pub fn finish(self) -> Result<(), NetError> {
        self.file.sync_all().map_err(NetError::file("write", &self.part))?;
        fs::rename(&self.part, &self.whole).map_err(NetError::file("write", &self.whole))
    }
}

/// The games of a whole generation, in the order of their numbers; nothing if it is not there.
pub fn read(directory: &Path, generation: u32) -> Result<Option<Vec<Played>>, NetError> {
    let path = path(directory, generation);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(NetError::file("read", &path)(error)),
    };
    let (mut games, good) = records(&bytes);
    if good < bytes.len() {
        return Err(NetError::broken(&path, format!("its record at byte {good} is cut off or changed")));
    }
    games.sort_by_key(|game| game.number);
    Ok(Some(games))
}

/// The whole records at the front of bytes, and how many bytes they are.
fn records(bytes: &[u8]) -> (Vec<Played>, usize) {
    let (mut games, mut good) = (Vec::new(), 0);
    let record = |bytes: &[u8]| {
        let length = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
        let (sum, rest) = bytes[4..].split_at_checked(CHECKSUM)?;
        let record = rest.get(..length)?;
        (Sha256::digest(record)[..CHECKSUM] == *sum).then_some(())?;
        Some((Played::from_bytes(record)?, 4 + CHECKSUM + length))
    };
    while let Some((game, length)) = record(&bytes[good..]) {
        games.push(game);
        good += length;
    }
    (games, good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_quantum::QuantumGame;

    fn game(number: u32) -> Played {
        let seen = crate::view::Seen::new(&QuantumGame::default());
        let moves = Box::from([(7u16, 40_000u16), (9, 25_535)]);
        let sample = Sample { seen, moves, chances: [0.5, 0.25, 0.25] };
        Played {
            number,
            plies: 9,
            points: 0.5,
            splits: 12,
            resignation: 0,
            samples: vec![sample.clone(), sample],
            told: Vec::new(),
        }
    }

    #[test]
    fn a_file_cut_off_anywhere_keeps_its_whole_games() {
        let directory = std::env::temp_dir().join(format!("tabia-shard-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let (mut shard, before) = Shard::open(&directory, 3).unwrap();
        assert!(before.is_empty());
        shard.add(&game(1)).unwrap();
        shard.add(&game(0)).unwrap();
        let part = directory.join("games-0003.part");
        let bytes = fs::read(&part).unwrap();
        for length in 0..=bytes.len() {
            let expected = 2 * length / bytes.len();
            assert_eq!(records(&bytes[..length]).0.len(), expected, "{length}");
        }
        drop(shard);
        fs::write(&part, &bytes[..bytes.len() - 5]).unwrap();
        let (mut shard, before) = Shard::open(&directory, 3).unwrap();
        assert_eq!(before, [game(1)]);
        shard.add(&game(0)).unwrap();
        // Games that are taken back are not there, and can be played again.
        shard.add(&game(2)).unwrap();
        shard.remove(&[0, 2, 9]).unwrap();
        assert_eq!(records(&fs::read(&part).unwrap()).0, [game(1)]);
        shard.add(&game(0)).unwrap();
        shard.finish().unwrap();
        assert_eq!(read(&directory, 3).unwrap(), Some(vec![game(0), game(1)]));
        assert_eq!(read(&directory, 4).unwrap(), None);
        fs::remove_dir_all(directory).unwrap();
    }
}
