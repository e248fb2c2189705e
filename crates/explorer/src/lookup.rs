//! Asking an index.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use shakmaty::{Chess, Move, Position};
use tabia_book::position_key;
use tabia_games::pgn;

use crate::error::ExplorerError;
use crate::filter::{Filter, like};
use crate::move_code;
use crate::schema::{self, BEST_FIRST, LISTED};

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

/// From and to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub min: u16,
    pub max: u16,
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

    /// What the games that count made of a position.
    pub fn position(&self, position: &Chess, filter: &Filter) -> Result<PositionCount, ExplorerError> {
        let key = position_key(position) as i64;
        if filter.is_empty() {
            // Positions that many games reached were counted when the index was built.
            let totals = "SELECT move, white, draws, black, games FROM totals WHERE position = ?";
            let mut found = self.count(totals, vec![key.into()], position)?;
            if found.results.games > 0 {
                let best =
                    format!("{HEAD} JOIN best_games ON games.id = game WHERE position = ? ORDER BY place");
                found.games = self.heads(&best, vec![key.into()])?;
                return Ok(found);
            }
        }
        let (conditions, given) = filter.conditions();
        let values: Vec<Value> = std::iter::once(Value::from(key)).chain(given).collect();
        let counted = format!(
            "SELECT move, SUM(result = 0), SUM(result = 1), SUM(result = 2), COUNT(*)
             FROM occurrences JOIN games ON games.id = game WHERE position = ?{conditions} GROUP BY move"
        );
        let mut found = self.count(&counted, values.clone(), position)?;
        let best = format!(
            "{HEAD} WHERE id IN (SELECT game FROM occurrences WHERE position = ?){conditions}
             ORDER BY {BEST_FIRST} LIMIT {LISTED}"
        );
        found.games = self.heads(&best, values)?;
        Ok(found)
    }

    fn heads(&self, sql: &str, values: Vec<Value>) -> Result<Vec<GameHead>, ExplorerError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map(params_from_iter(values), head)?.collect::<Result<_, _>>()?)
    }

    fn count(&self, sql: &str, values: Vec<Value>, position: &Chess) -> Result<PositionCount, ExplorerError> {
        let legal = position.legal_moves();
        let mut found = PositionCount::default();
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
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

    /// The lowest and the highest average rating of a game's players; none where no game has both ratings.
    pub fn ratings(&self) -> Result<Option<Span>, ExplorerError> {
        self.span("SELECT MIN(white_elo + black_elo) / 2, MAX(white_elo + black_elo) / 2 FROM games")
    }

    /// The years of the first and of the last game; none where no game says its year.
    pub fn years(&self) -> Result<Option<Span>, ExplorerError> {
        self.span(
            "SELECT MIN(CAST(SUBSTR(date, 1, 4) AS INTEGER)), MAX(CAST(SUBSTR(date, 1, 4) AS INTEGER))
             FROM games WHERE date GLOB '[0-9][0-9][0-9][0-9]*'",
        )
    }

    fn span(&self, sql: &str) -> Result<Option<Span>, ExplorerError> {
        let ends: (Option<u16>, Option<u16>) =
            self.connection.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(ends.0.zip(ends.1).map(|(min, max)| Span { min, max }))
    }

    /// Names of players that contain a text, those with the most games first.
    pub fn players(&self, part: &str, max: usize) -> Result<Vec<(String, u32)>, ExplorerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT name, COUNT(*) AS games FROM (SELECT white AS name FROM games UNION ALL SELECT black FROM games)
             WHERE name <> '' AND name LIKE ? ESCAPE '\\' GROUP BY name ORDER BY games DESC, name LIMIT ?",
        )?;
        let rows = statement.query_map((like(part), max as i64), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
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
    pub fn faults(&self, max: usize) -> Result<Vec<(PathBuf, usize, String)>, ExplorerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT path, line, why FROM faults JOIN sources ON sources.id = source WHERE why <> '' LIMIT ?",
        )?;
        let rows = statement.query_map([max as i64], |row| {
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
