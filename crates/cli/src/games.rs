//! Game files as people name them: PGN with one or many games, or a JSON replay.

use std::path::Path;

use anyhow::{Context, bail};
use tabia_games::{Fault, GameRecord, pgn, replay};

use crate::failure::Usage;

/// What a file of games is called.
const ENDINGS: [&str; 2] = ["pgn", "json"];

/// The ending of a file's name, if it is that of a file of games.
pub fn kind(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    ENDINGS.into_iter().find(|known| *known == ending)
}

/// All games of a file, and what is wrong with the others.
pub fn read(path: &Path) -> anyhow::Result<(Vec<GameRecord>, Vec<Fault>)> {
    match kind(path) {
        Some("pgn") => {
            let (games, faults) = pgn::read_all(path, false)?;
            if games.is_empty() {
                let first =
                    faults.first().map(|fault| format!("; the first fault: {fault}")).unwrap_or_default();
                bail!("{} has no game{first}", path.display());
            }
            Ok((games, faults))
        }
        Some(_) => {
            let reading = || format!("cannot read {}", path.display());
            let text = std::fs::read_to_string(path).with_context(reading)?;
            Ok((vec![replay::read(&text).with_context(reading)?], Vec::new()))
        }
        None => Err(Usage(format!("{} ends in neither .pgn nor .json", path.display())).into()),
    }
}

/// Tells a person about games that were left out.
pub fn warn(faults: &[Fault]) {
    for fault in faults {
        eprintln!("tabia: left out: {fault}");
    }
}

/// The game of a number, from 1.
pub fn number(mut games: Vec<GameRecord>, number: usize) -> Result<GameRecord, Usage> {
    if number == 0 || number > games.len() {
        let there = crate::text::counted(games.len() as u64, "game");
        return Err(Usage(format!("there is no game {number}; the file has {there}")));
    }
    Ok(games.swap_remove(number - 1))
}
