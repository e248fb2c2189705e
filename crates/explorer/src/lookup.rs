//! Asking an index.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Row};
use shakmaty::{Chess, Move, Position};
use tabia_book::position_key;
use tabia_games::pgn;

use crate::error::ExplorerError;
use crate::move_code;
use crate::schema;

/// Games of a position that are named.
pub(crate) const LISTED: usize = 20;
/// The strongest players first, then the latest game.
pub(crate) const BEST_FIRST: &str = "COALESCE(white_elo, 0) + COALESCE(black_elo, 0) DESC, date DESC, id";

/// What is shown of a game.
const HEAD: &str = "SELECT games.id, white, black, white_elo, black_elo, result, date, event FROM games";

/// How games ended.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// White won.
    pub white: u32,
    /// Drawn.
    pub draws: u32,
    /// Black won.
    pub black: u32,
    /// All games, those without a known result included.
    pub games: u32,
}

/// A move that was played in a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MoveCount {
    /// The move.
    pub played: Move,
    /// How the games went that it was played in.
    pub results: Results,
}

/// The games that reached a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCount {
    /// All of them.
    pub results: Results,
    /// What was played, the most frequent first.
    pub moves: Vec<MoveCount>,
    /// Some of the games: the highest rated first.
    pub games: Vec<GameHead>,
}

/// A game without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHead {
    /// Its number within the index.
    pub id: i64,
    /// Name of White; empty if unknown.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// White's rating, if it is known.
    pub white_elo: Option<u16>,
    /// Black's rating, if it is known.
    pub black_elo: Option<u16>,
    /// `1-0`, `1/2-1/2`, `0-1` or `*`.
    pub result: &'static str,
    /// As the file writes it: `2019.03.14`.
    pub date: String,
    /// Where it was played.
    pub event: String,
}

/// A reader of an index.
pub struct Lookup {
    connection: Connection,
}

impl Lookup {
    /// Opens an index, complete or not; an empty one where there is none.
    pub fn open(database: &Path) -> Result<Lookup, ExplorerError> {
        Ok(Lookup { connection: schema::open(database)? })
    }

    /// What the games made of a position.
    pub fn position(&self, position: &Chess) -> Result<PositionCount, ExplorerError> {
        let key = position_key(position) as i64;
        let mut found = self.count(
            key,
            "SELECT move, white, draws, black, games FROM totals WHERE position = ?",
            position,
        )?;
        let many = found.results.games > 0;
        if !many {
            found = self.count(
                key,
                "SELECT move, SUM(result = 0), SUM(result = 1), SUM(result = 2), COUNT(*)
                 FROM occurrences JOIN games ON games.id = game WHERE position = ? GROUP BY move",
                position,
            )?;
        }
        let sql = if many {
            format!("{HEAD} JOIN best_games ON games.id = game WHERE position = ? ORDER BY place")
        } else {
            format!(
                "{HEAD} WHERE id IN (SELECT game FROM occurrences WHERE position = ?) ORDER BY {BEST_FIRST} LIMIT {LISTED}"
            )
        };
        let mut statement = self.connection.prepare_cached(&sql)?;
        found.games = statement.query_map([key], head)?.collect::<Result<_, _>>()?;
        Ok(found)
    }

    fn count(&self, key: i64, sql: &str, position: &Chess) -> Result<PositionCount, ExplorerError> {
        let legal = position.legal_moves();
        let mut found = PositionCount::default();
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([key])?;
        while let Some(row) = rows.next()? {
            let code: u16 = row.get(0)?;
            let results =
                Results { white: row.get(1)?, draws: row.get(2)?, black: row.get(3)?, games: row.get(4)? };
            let sum = &mut found.results;
            sum.white += results.white;
            sum.draws += results.draws;
            sum.black += results.black;
            sum.games += results.games;
            // A code that no legal move has is the end of a game, or another position with the same key.
            if let Some(played) = legal.iter().find(|m| move_code::encode(**m) == code) {
                found.moves.push(MoveCount { played: *played, results });
            }
        }
        found.moves.sort_by_key(|count| std::cmp::Reverse(count.results.games));
        Ok(found)
    }

    /// The text of a game as it stands in its file; none where there is no such game.
    pub fn pgn(&self, id: i64) -> Result<Option<String>, ExplorerError> {
        let found: Option<(String, i64, i64)> = self
            .connection
            .prepare_cached(
                "SELECT path, start, length FROM games JOIN sources ON sources.id = source WHERE games.id = ?",
            )?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        let Some((path, start, length)) = found else { return Ok(None) };
        let path = PathBuf::from(path);
        let mut text = vec![0; length as usize];
        File::open(&path)
            .and_then(|mut file| {
                file.seek(SeekFrom::Start(start as u64))?;
                file.read_exact(&mut text)
            })
            .map_err(ExplorerError::reading(&path))?;
        Ok(Some(pgn::decode(&text)))
    }

    /// The first games that could not be read: file, line, why.
    pub fn faults(&self, most: usize) -> Result<Vec<(PathBuf, usize, String)>, ExplorerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT path, line, why FROM faults JOIN sources ON sources.id = source WHERE why <> '' LIMIT ?",
        )?;
        let rows = statement.query_map([most as i64], |row| {
            Ok((PathBuf::from(row.get::<_, String>(0)?), row.get::<_, i64>(1)? as usize, row.get(2)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn head(row: &Row<'_>) -> Result<GameHead, rusqlite::Error> {
    Ok(GameHead {
        id: row.get(0)?,
        white: row.get(1)?,
        black: row.get(2)?,
        white_elo: row.get(3)?,
        black_elo: row.get(4)?,
        result: match row.get(5)? {
            0u8 => "1-0",
            1 => "1/2-1/2",
            2 => "0-1",
            _ => "*",
        },
        date: row.get(6)?,
        event: row.get(7)?,
    })
}
