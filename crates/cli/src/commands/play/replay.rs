//! Saves a game as a replay.
//!
//! Times are UTC. A file is written under a temporary name and renamed, so that it is never incomplete.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use shakmaty::ByColor;
use tabia_core::{AgentSpec, ChessGame, Outcome};
use tabia_games::record::Variant;
use tabia_games::{GameRecord, Ply, replay};
use tabia_quantum::QuantumGame;
use tabia_run::atomic_file;

/// Default folder of replays.
const FOLDER: &str = "replays";
/// The longest name of a player within a file name.
const LONGEST_NAME: usize = 24;
/// The PGN tag `Event`.
const EVENT: &str = "tabia play";
const QUANTUM_EVENT: &str = "tabia quantum play";

/// A replay to be saved.
#[derive(Debug)]
pub struct Replay {
    record: GameRecord,
    started: Timestamp,
}

impl Replay {
    /// The replay of a game, finished or not.
    pub fn new(
        game: &ChessGame,
        outcome: Option<Outcome>,
        players: &ByColor<AgentSpec>,
        started: Timestamp,
    ) -> Replay {
        let record = GameRecord {
            white: players.white.to_string(),
            black: players.black.to_string(),
            outcome,
            tags: tags(EVENT, started),
            ..GameRecord::of_game(game)
        };
        Replay { record, started }
    }

    /// The replay of a game of quantum chess: plies with their measurements, and the seed.
    pub fn quantum(
        plies: Vec<String>,
        start: &QuantumGame,
        seed: u64,
        outcome: Option<Outcome>,
        players: &ByColor<AgentSpec>,
        started: Timestamp,
    ) -> Replay {
        let mut tags = tags(QUANTUM_EVENT, started);
        tags.push(("Seed".to_owned(), seed.to_string()));
        tags.push((replay::RULES.to_owned(), start.rules().number().to_string()));
        let record = GameRecord {
            variant: Variant::Quantum,
            white: players.white.to_string(),
            black: players.black.to_string(),
            start: (*start != QuantumGame::default()).then(|| start.to_string()),
            plies: plies.into_iter().map(Ply::of).collect(),
            outcome,
            tags,
            ..GameRecord::default()
        };
        Replay { record, started }
    }

    /// Whether it has no moves.
    pub fn is_empty(&self) -> bool {
        self.record.plies.is_empty()
    }

    /// Writes to a file, replacing an existing one.
    pub fn save_as(&self, path: &Path) -> anyhow::Result<()> {
        let writing = || format!("cannot keep the game in {}", path.display());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_context(writing)?;
        }
        atomic_file::write_bytes(path, replay::write(&self.record).as_bytes()).with_context(writing)
    }

    /// Writes it to a new file in the folder of replays.
    pub fn save_new(&self) -> anyhow::Result<PathBuf> {
        let stem = format!(
            "{}-{}-{}",
            self.started.to_string().replace(':', ""),
            for_file_name(&self.record.white),
            for_file_name(&self.record.black)
        );
        let mut path = Path::new(FOLDER).join(format!("{stem}.json"));
        let mut number = 2;
        while path.exists() {
            path = Path::new(FOLDER).join(format!("{stem}-{number}.json"));
            number += 1;
        }
        self.save_as(&path)?;
        Ok(path)
    }
}

fn tags(event: &str, started: Timestamp) -> Vec<(String, String)> {
    let timestamp = started.to_string();
    let (date, time) = timestamp.split_once('T').unwrap_or((&timestamp, ""));
    let tags = [("Event", event.to_owned()), ("Date", date.replace('-', ".")), ("Time", time.to_owned())];
    tags.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

/// Letters, digits and single dashes.
fn for_file_name(player: &str) -> String {
    let parts: Vec<&str> =
        player.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    parts.join("_").chars().take(LONGEST_NAME).collect()
}

/// A time, to the second.
#[derive(Copy, Clone, Debug)]
pub struct Timestamp(SystemTime);

impl Timestamp {
    /// The current time.
    pub fn now() -> Timestamp {
        Timestamp(SystemTime::now())
    }

    /// Its date in PGN format.
    pub fn date(self) -> String {
        self.to_string().chars().take_while(|c| *c != 'T').map(|c| if c == '-' { '.' } else { c }).collect()
    }
}

/// `2024-01-15T14:30:00`: as RFC 3339 has it, without the zone.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A system clock before 1970 is treated as 1970.
        let text = humantime::format_rfc3339_seconds(self.0.max(UNIX_EPOCH)).to_string();
        f.write_str(text.trim_end_matches('Z'))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn moments_are_written_as_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00"),
            (951_782_400, "2000-02-29T00:00:00"),
            (1_705_329_000, "2024-01-15T14:30:00"),
            (4_102_444_799, "2099-12-31T23:59:59"),
        ] {
            let timestamp = Timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(timestamp.to_string(), text);
        }
        let early = Timestamp(UNIX_EPOCH - Duration::from_secs(1));
        assert_eq!(
            (early.to_string(), early.date()),
            ("1970-01-01T00:00:00".to_owned(), "1970.01.01".to_owned())
        );
    }

    #[test]
    fn players_make_tame_file_names() {
        assert_eq!(for_file_name("engine(nodes=20000)"), "engine_nodes_20000");
        assert_eq!(for_file_name("uci(cmd=../x/stockfish,option.Hash=1)"), "uci_cmd_x_stockfish_opti");
    }
}
