//! The tables of an index.
//!
//! `occurrences` is the index itself, in the order in which it is looked up. `totals` and `best_games` are made of it when
//! all files are read, for positions that so many games reached that counting them would take too long.

use std::path::Path;

use rusqlite::Connection;
use shakmaty::{Color, KnownOutcome};

/// Raised whenever the tables change: an index of another version is built anew.
const VERSION: u32 = 1;

/// Games of a position that are named.
pub(crate) const LISTED: usize = 20;
/// The strongest players first, then the latest game.
pub(crate) const BEST_FIRST: &str = "COALESCE(white_elo, 0) + COALESCE(black_elo, 0) DESC, date DESC, id";

const TABLES: &str = "
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    -- How far the file is read, in bytes and lines.
    read INTEGER NOT NULL DEFAULT 0,
    lines INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    white_elo INTEGER,
    black_elo INTEGER,
    -- 0 White won, 1 drawn, 2 Black won, 3 not known.
    result INTEGER NOT NULL,
    date TEXT NOT NULL,
    event TEXT NOT NULL
);
CREATE TABLE occurrences (
    position INTEGER NOT NULL,
    move INTEGER NOT NULL,
    game INTEGER NOT NULL,
    PRIMARY KEY (position, move, game)
) WITHOUT ROWID;
CREATE TABLE totals (
    position INTEGER NOT NULL,
    move INTEGER NOT NULL,
    white INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    black INTEGER NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (position, move)
) WITHOUT ROWID;
CREATE TABLE best_games (
    position INTEGER NOT NULL,
    place INTEGER NOT NULL,
    game INTEGER NOT NULL,
    PRIMARY KEY (position, place)
) WITHOUT ROWID;
CREATE TABLE faults (source INTEGER NOT NULL, line INTEGER NOT NULL, why TEXT NOT NULL);
CREATE TABLE state (totals_made INTEGER NOT NULL);
INSERT INTO state VALUES (0);
";

/// How a result is written in the table `games`.
pub(crate) fn result(outcome: Option<KnownOutcome>) -> u8 {
    match outcome {
        Some(KnownOutcome::Decisive { winner: Color::White }) => 0,
        Some(KnownOutcome::Draw) => 1,
        Some(KnownOutcome::Decisive { winner: Color::Black }) => 2,
        None => 3,
    }
}

/// Opens an index, or makes an empty one.
pub fn open(path: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // What a power cut loses is read from the files again.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found != VERSION {
        clear(&connection)?;
    }
    Ok(connection)
}

/// Forgets everything.
pub fn clear(connection: &Connection) -> Result<(), rusqlite::Error> {
    let mut names = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let drops = names.iter().fold(String::new(), |all, name| all + "DROP TABLE " + name + ";");
    connection.execute_batch(&format!("BEGIN; {drops} {TABLES} PRAGMA user_version = {VERSION}; COMMIT;"))
}
