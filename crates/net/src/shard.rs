//! Files of self-play games, one record per finished game.
//!
//! A record has its length and a checksum, so that one cut short by a killed process is detected and dropped. The file is
//! `games-0007.part` until the generation is complete, then `games-0007.bin`.
//!
//! All numbers are little-endian. A file is a sequence of records:
//!
//! ```text
//! record  = length u32, first 8 bytes of the body's SHA-256, body
//! body    = 0x80000002 u32 (version 2), summary, samples, game
//! summary = number u32, plies u32, points for White f32, splits in a thousand u32, resignation u32, samples u32
//! game    = seed u64, rules u8, start: u16 and UTF-8, plies u32, each: text: u16 and UTF-8, value f64, draw f64
//! ```
//!
//! Samples are described in [`crate::sample`]. Version 1 has neither version nor game, and is still read: its first number is the
//! game's, which is far below the marker.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use tabia_mcts::Estimate;
use tabia_quantum::Rules;

use crate::error::NetError;
use crate::sample::PackedSample;

/// Bytes of the truncated SHA-256 of a record.
const CHECKSUM: usize = 8;
/// First number of a record of version 2.
const VERSION_2: u32 = 0x8000_0002;

/// A finished game of self-play with its training samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayedGame {
    /// Number within its file, from 0.
    pub number: u32,
    /// Length in plies.
    pub plies: u32,
    /// The result for White: 1, 0.5 or 0.
    pub points: f32,
    /// Split moves per thousand.
    pub splits: u32,
    /// Resignation in a game played to the end: 0 no side would have resigned, 1 rightly, 2 wrongly.
    pub resignation: u32,
    /// Training samples, one per ply.
    pub samples: Vec<PackedSample>,
    /// Seed of its random numbers.
    pub seed: u64,
    /// The rules it was played by.
    pub rules: Rules,
    /// The position it starts from, as text.
    pub start: String,
    /// What was played; empty in files of version 1.
    pub transcript: Vec<PlyRecord>,
}

/// One ply of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlyRecord {
    /// The move with its measurements, as records write it.
    pub text: String,
    /// The search's estimate before it, for the side to move.
    pub estimate: Estimate,
}

impl PlayedGame {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [
            VERSION_2,
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
        bytes.extend_from_slice(&self.seed.to_le_bytes());
        bytes.push(self.rules.number());
        write_text(&self.start, &mut bytes);
        bytes.extend_from_slice(&(self.transcript.len() as u32).to_le_bytes());
        for ply in &self.transcript {
            write_text(&ply.text, &mut bytes);
            bytes.extend_from_slice(&ply.estimate.value.to_le_bytes());
            bytes.extend_from_slice(&ply.estimate.draw.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(mut bytes: &[u8]) -> Option<PlayedGame> {
        let bytes = &mut bytes;
        let number = |bytes: &mut &[u8]| take(bytes).map(u32::from_le_bytes);
        let first = number(bytes)?;
        let has_game = first == VERSION_2;
        let mut game = PlayedGame {
            number: if has_game { number(bytes)? } else { first },
            plies: number(bytes)?,
            points: f32::from_bits(number(bytes)?),
            splits: number(bytes)?,
            resignation: number(bytes)?,
            rules: Rules::UNNAMED,
            ..PlayedGame::default()
        };
        let samples = number(bytes)?;
        game.samples = (0..samples).map(|_| PackedSample::read(bytes)).collect::<Option<_>>()?;
        if has_game {
            game.seed = u64::from_le_bytes(take(bytes)?);
            let [rules] = take(bytes)?;
            game.rules = Rules::from_number(rules)?;
            game.start = read_text(bytes)?;
            let plies = number(bytes)?;
            let ply = |bytes: &mut &[u8]| {
                let text = read_text(bytes)?;
                let (value, draw) = (f64::from_le_bytes(take(bytes)?), f64::from_le_bytes(take(bytes)?));
                Some(PlyRecord { text, estimate: Estimate { value, draw } })
            };
            game.transcript = (0..plies).map(|_| ply(bytes)).collect::<Option<_>>()?;
        }
        bytes.is_empty().then_some(game)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&text.as_bytes()[..usize::from(length)]);
}

fn read_text(bytes: &mut &[u8]) -> Option<String> {
    let length = usize::from(u16::from_le_bytes(take(bytes)?));
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    String::from_utf8(text.to_vec()).ok()
}

/// The file of a generation in progress.
pub struct Shard {
    file: File,
    part: PathBuf,
    complete: PathBuf,
    /// A number above those of all its games.
    next: u32,
}

/// Path of a complete generation.
pub fn path(directory: &Path, generation: u32) -> PathBuf {
    directory.join(format!("games-{generation:04}.bin"))
}

impl Shard {
    /// Opens the file of a generation, and returns the games already in it.
    pub fn open(directory: &Path, generation: u32) -> Result<(Shard, Vec<PlayedGame>), NetError> {
        let complete = path(directory, generation);
        let part = complete.with_extension("part");
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
        let next = games.iter().map(|game| game.number.saturating_add(1)).max().unwrap_or(0);
        Ok((Shard { file, part, complete, next }, games))
    }

    /// Appends a finished game.
    pub fn add(&mut self, game: &PlayedGame) -> Result<(), NetError> {
        let record = game.to_bytes();
        let mut bytes = (record.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&Sha256::digest(&record)[..CHECKSUM]);
        bytes.extend_from_slice(&record);
        self.file.write_all(&bytes).map_err(NetError::file("write", &self.part))?;
        self.next = self.next.max(game.number.saturating_add(1));
        Ok(())
    }

    /// Appends a finished game under the next number. Continuous self-play counts its games over the process, not the generation.
    pub fn append(&mut self, game: PlayedGame) -> Result<(), NetError> {
        self.add(&PlayedGame { number: self.next, ..game })
    }

    /// Removes retracted games.
    pub fn remove(&mut self, numbers: &[u32]) -> Result<(), NetError> {
        let bytes = fs::read(&self.part).map_err(NetError::file("read", &self.part))?;
        let (games, _) = records(&bytes);
        // Atomic: the remaining games are written to another file, which is renamed.
        let beside = self.part.with_extension("left");
        let file = File::create(&beside).map_err(NetError::file("write", &beside))?;
        let mut left = Shard { file, part: beside.clone(), complete: self.complete.clone(), next: self.next };
        for game in games.iter().filter(|game| !numbers.contains(&game.number)) {
            left.add(game)?;
        }
        left.file.sync_all().map_err(NetError::file("write", &beside))?;
        fs::rename(&beside, &self.part).map_err(NetError::file("write", &self.part))?;
        self.file = left.file;
        Ok(())
    }

    /// Marks the generation as complete.
    pub fn finish(self) -> Result<(), NetError> {
        self.file.sync_all().map_err(NetError::file("write", &self.part))?;
        fs::rename(&self.part, &self.complete).map_err(NetError::file("write", &self.complete))
    }
}

/// Games of a complete generation, by number; `None` if there is no such file.
pub fn read(directory: &Path, generation: u32) -> Result<Option<Vec<PlayedGame>>, NetError> {
    match read_file(&path(directory, generation)) {
        Ok(games) => Ok(Some(games)),
        Err(NetError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Games of a complete file, by number.
pub fn read_file(path: &Path) -> Result<Vec<PlayedGame>, NetError> {
    let bytes = fs::read(path).map_err(NetError::file("read", path))?;
    let (mut games, good) = records(&bytes);
    if good < bytes.len() {
        return Err(NetError::malformed(path, format!("its record at byte {good} is truncated or corrupt")));
    }
    games.sort_by_key(|game| game.number);
    Ok(games)
}

/// The valid records at the front of `bytes`, and their total length.
fn records(bytes: &[u8]) -> (Vec<PlayedGame>, usize) {
    let (mut games, mut good) = (Vec::new(), 0);
    let record = |bytes: &[u8]| {
        let length = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
        let (sum, rest) = bytes[4..].split_at_checked(CHECKSUM)?;
        let record = rest.get(..length)?;
        (Sha256::digest(record)[..CHECKSUM] == *sum).then_some(())?;
        Some((PlayedGame::from_bytes(record)?, 4 + CHECKSUM + length))
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

    fn game(number: u32) -> PlayedGame {
        let position = crate::encoding::EncodedPosition::new(&QuantumGame::default());
        let moves = Box::from([(7u16, 40_000u16), (9, 25_535)]);
        let sample = PackedSample { position, moves, wdl: [0.5, 0.25, 0.25] };
        PlayedGame {
            number,
            plies: 9,
            points: 0.5,
            splits: 12,
            resignation: 0,
            samples: vec![sample.clone(), sample],
            seed: 77,
            rules: Rules::V2,
            start: QuantumGame::default().to_string(),
            transcript: vec![PlyRecord {
                text: "b1~c3".to_owned(),
                estimate: Estimate { value: 0.1, draw: 0.25 },
            }],
        }
    }

    #[test]
    fn records_of_the_first_version_are_still_read() {
        let new = game(5);
        let bytes = new.to_bytes();
        // Version 1 had neither the marker nor what follows the samples.
        let tail = 8 + 1 + 2 + new.start.len() + 4 + 2 + "b1~c3".len() + 16;
        let old = &bytes[4..bytes.len() - tail];
        let expected = PlayedGame {
            seed: 0,
            rules: Rules::V1,
            start: String::new(),
            transcript: Vec::new(),
            ..new.clone()
        };
        assert_eq!(PlayedGame::from_bytes(old), Some(expected));
        assert_eq!(PlayedGame::from_bytes(&bytes), Some(new));
        assert_eq!(PlayedGame::from_bytes(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn a_file_truncated_anywhere_keeps_its_complete_games() {
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
        // Retracted games are removed and can be played again.
        shard.add(&game(2)).unwrap();
        shard.remove(&[0, 2, 9]).unwrap();
        assert_eq!(records(&fs::read(&part).unwrap()).0, [game(1)]);
        shard.add(&game(0)).unwrap();
        shard.finish().unwrap();
        assert_eq!(read(&directory, 3).unwrap(), Some(vec![game(0), game(1)]));
        assert_eq!(read(&directory, 4).unwrap(), None);
        // Games that were counted elsewhere are numbered by their place.
        let (mut shard, _) = Shard::open(&directory, 4).unwrap();
        shard.append(game(70)).unwrap();
        drop(shard);
        let (mut shard, _) = Shard::open(&directory, 4).unwrap();
        shard.append(game(50)).unwrap();
        shard.finish().unwrap();
        assert_eq!(read(&directory, 4).unwrap(), Some(vec![game(0), game(1)]));
        fs::remove_dir_all(directory).unwrap();
    }
}
