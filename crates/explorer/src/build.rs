//! Reading PGN files into an index.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rusqlite::{Connection, OptionalExtension, params};
use shakmaty::Position;
use tabia_book::position_key;
use tabia_core::Stop;
use tabia_games::GameTree;
use tabia_games::pgn::Trees;
use tabia_games::tree::Played;

use crate::error::ExplorerError;
use crate::move_code;
use crate::schema::{self, BEST_FIRST, LISTED};

/// Games that are kept together: what an interruption costs at most. Large, because each batch is sorted before it goes
/// into the tree of the index.
const BATCH: usize = 4000;
/// How often progress is reported, in games.
const TELL: usize = 200;
/// Positions that more games reached than this are counted once, at the end.
const MANY: u32 = 1000;
/// Faults that are kept with their line; all are counted.
const KEPT_FAULTS: usize = 100;
/// Memory for the tree of the index while it is built, in KiB.
const CACHE_KIB: i64 = 64 << 10;

/// How far an index is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games in the index, and those read since it was last kept.
    pub games: u64,
    /// Games that could not be read.
    pub faults: u64,
    /// Bytes read, of all files.
    pub bytes: u64,
    /// Bytes of all files.
    pub of_bytes: u64,
    /// Everything is read and counted.
    pub complete: bool,
}

/// A file of games as the index knows it; SQLite's integers are signed.
struct Source {
    id: i64,
    path: PathBuf,
    bytes: i64,
    read: i64,
    lines: i64,
}

/// What is read and not kept yet.
#[derive(Default)]
struct Batch {
    /// With first byte and length.
    games: Vec<(GameTree, i64, i64)>,
    faults: Vec<(i64, String)>,
    /// Position, move, place in `games`.
    occurrences: Vec<(i64, u16, usize)>,
}

/// Reads what is not yet read of some files into the index at `database`. Returns when everything is done, or `stop` was
/// raised: then the next call goes on. An index of other files, or of files that have changed, is built anew.
pub fn build(
    database: &Path,
    files: &[PathBuf],
    stop: &Stop,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Progress, ExplorerError> {
    let mut connection = schema::open(database)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    let sources = sources(&connection, files)?;
    let count = |table| {
        connection.query_row(&format!("SELECT COUNT(*) FROM {table}"), [], |row| row.get::<_, i64>(0))
    };
    let mut progress = Progress {
        games: count("games")? as u64,
        faults: count("faults")? as u64,
        bytes: sources.iter().map(|source| source.read as u64).sum(),
        of_bytes: sources.iter().map(|source| source.bytes as u64).sum(),
        complete: false,
    };
    tell(&progress);
    for source in sources {
        read(&mut connection, source, &mut progress, stop, tell)?;
    }
    if !stop.is_stopped() {
        count_many(&mut connection)?;
        progress.complete = true;
    }
    tell(&progress);
    Ok(progress)
}

/// The files as the index knows them, after forgetting what was of others.
fn sources(connection: &Connection, files: &[PathBuf]) -> Result<Vec<Source>, ExplorerError> {
    let mut found = Vec::new();
    for path in files {
        let about = path.metadata().map_err(ExplorerError::reading(path))?;
        let modified = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        found.push((path, about.len() as i64, modified.map_or(0, |time| time.as_millis() as i64)));
    }
    let known: Vec<(String, i64, i64)> = connection
        .prepare("SELECT path, bytes, modified FROM sources ORDER BY id")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let same = known.len() == found.len()
        && known.iter().zip(&found).all(|(known, (path, bytes, modified))| {
            (known.0.as_str(), known.1, known.2) == (path.to_string_lossy().as_ref(), *bytes, *modified)
        });
    if !same {
        schema::clear(connection)?;
        for (path, bytes, modified) in found {
            connection.execute(
                "INSERT INTO sources (path, bytes, modified) VALUES (?, ?, ?)",
                params![path.to_string_lossy(), bytes, modified],
            )?;
        }
    }
    let mut statement = connection.prepare("SELECT id, bytes, read, lines FROM sources ORDER BY id")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    rows.zip(files)
        .map(|(row, path)| {
            let (id, bytes, read, lines) = row?;
            Ok(Source { id, path: path.clone(), bytes, read, lines })
        })
        .collect()
}

/// Reads a file from where it was left.
fn read(
    connection: &mut Connection,
    mut source: Source,
    progress: &mut Progress,
    stop: &Stop,
    tell: &mut dyn FnMut(&Progress),
) -> Result<(), ExplorerError> {
    let before = progress.bytes - source.read as u64;
    let mut batch = Batch::default();
    let mut file = File::open(&source.path).map_err(ExplorerError::reading(&source.path))?;
    let (first_byte, first_line) = (source.read, source.lines);
    file.seek(SeekFrom::Start(first_byte as u64)).map_err(ExplorerError::reading(&source.path))?;
    let mut trees = Trees::new(file, source.path.display().to_string());
    let mut unread = source.read < source.bytes;
    while unread && !stop.is_stopped() {
        match trees.next() {
            Some(Ok(game)) => {
                let span = trees.span();
                batch.take(game.tree, first_byte + span.start as i64, (span.end - span.start) as i64);
                progress.games += 1;
            }
            Some(Err(fault)) => {
                progress.faults += 1;
                batch.faults.push((first_line + fault.line as i64, fault.why));
            }
            None => unread = false,
        }
        source.read = if unread { first_byte + trees.span().end as i64 } else { source.bytes };
        source.lines = first_line + trees.end_line() as i64 - 1;
        progress.bytes = before + source.read as u64;
        if (progress.games + progress.faults).is_multiple_of(TELL as u64) {
            tell(progress);
        }
        if batch.games.len() + batch.faults.len() >= BATCH {
            keep(connection, &source, std::mem::take(&mut batch))?;
        }
    }
    keep(connection, &source, batch)?;
    tell(progress);
    Ok(())
}

impl Batch {
    /// Takes a game with all positions of its main line.
    fn take(&mut self, tree: GameTree, start: i64, length: i64) {
        let place = self.games.len();
        let mut position = tree.start().clone();
        for id in tree.main_line() {
            // A null move in the main line: the rest is not a game.
            let Some(Played::Move(m)) = tree.node(id).played() else { break };
            self.occurrences.push((position_key(&position) as i64, move_code::encode(m), place));
            position.play_unchecked(m);
        }
        self.occurrences.push((position_key(&position) as i64, move_code::NONE, place));
        self.games.push((tree, start, length));
    }
}

/// Writes a batch and the place that the file is read to, or nothing of it.
fn keep(connection: &mut Connection, source: &Source, mut batch: Batch) -> Result<(), ExplorerError> {
    let transaction = connection.transaction()?;
    let first: i64 = transaction
        .query_row("SELECT MAX(id) FROM games", [], |row| row.get::<_, Option<i64>>(0))?
        .unwrap_or(0)
        + 1;
    {
        let mut game = transaction.prepare_cached(
            "INSERT INTO games (id, source, start, length, white, black, white_elo, black_elo, result, date, event)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for (place, (tree, start, length)) in batch.games.iter().enumerate() {
            let text = |name| tree.tag(name).filter(|value| *value != "?").unwrap_or_default();
            let elo = |name| tree.tag(name).and_then(|value| value.trim().parse::<u16>().ok());
            game.execute(params![
                first + place as i64,
                source.id,
                start,
                length,
                text("White"),
                text("Black"),
                elo("WhiteElo"),
                elo("BlackElo"),
                schema::result(tree.result),
                text("Date"),
                text("Event"),
            ])?;
        }
        // Sorted, neighbours go into the same page of the tree.
        batch.occurrences.sort_unstable();
        batch.occurrences.dedup();
        let mut occurrence =
            transaction.prepare_cached("INSERT INTO occurrences (position, move, game) VALUES (?, ?, ?)")?;
        for (position, code, place) in batch.occurrences {
            occurrence.execute(params![position, code, first + place as i64])?;
        }
        let kept: i64 = transaction.query_row("SELECT COUNT(*) FROM faults", [], |row| row.get(0))?;
        let mut fault =
            transaction.prepare_cached("INSERT INTO faults (source, line, why) VALUES (?, ?, ?)")?;
        for (place, (line, why)) in batch.faults.iter().enumerate() {
            // All are counted, the first ones with their words.
            let why = if kept as usize + place < KEPT_FAULTS { why.as_str() } else { "" };
            fault.execute(params![source.id, line, why])?;
        }
    }
    transaction.execute(
        "UPDATE sources SET read = ?, lines = ? WHERE id = ?",
        params![source.read, source.lines, source.id],
    )?;
    transaction.commit()?;
    Ok(())
}

/// Counts the positions that many games reached.
fn count_many(connection: &mut Connection) -> Result<(), ExplorerError> {
    let transaction = connection.transaction()?;
    let made: Option<bool> =
        transaction.query_row("SELECT totals_made FROM state", [], |row| row.get(0)).optional()?;
    if made == Some(true) {
        return Ok(());
    }
    let many: Vec<i64> = transaction
        .prepare("SELECT position FROM occurrences GROUP BY position HAVING COUNT(*) > ?")?
        .query_map([MANY], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    {
        let mut totals = transaction.prepare(
            "INSERT INTO totals SELECT position, move, SUM(result = 0), SUM(result = 1), SUM(result = 2), COUNT(*)
             FROM occurrences JOIN games ON games.id = game WHERE position = ? GROUP BY move",
        )?;
        let mut best = transaction.prepare(&format!(
            "INSERT INTO best_games SELECT ?1, ROW_NUMBER() OVER (ORDER BY {BEST_FIRST}), id
             FROM games WHERE id IN (SELECT game FROM occurrences WHERE position = ?1)
             ORDER BY {BEST_FIRST} LIMIT {LISTED}"
        ))?;
        for position in many {
            totals.execute([position])?;
            best.execute([position])?;
        }
        transaction.execute("UPDATE state SET totals_made = 1", [])?;
    }
    transaction.commit()?;
    Ok(())
}
