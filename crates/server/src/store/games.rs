//! Games in the database.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::Store;
use super::error::StoreError;
use crate::chess::error::ChessError;
use crate::chess::setup::Setup;
use crate::chess::state::{ChessGameState, PlayedMove};
use crate::documents::chess::{EventDocument, GameSummary};
use crate::documents::outcome::OutcomeDocument;
use crate::id::Id;
use crate::line::EngineLine;
use crate::sessions::kind::GameKind;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// What is saved of a game besides its set-up, moves and events.
#[derive(Serialize, Deserialize)]
struct SavedState {
    version: u64,
    position_version: u64,
    outcome: Option<OutcomeDocument>,
    draw_offer: Option<Side>,
    evaluation: Option<EngineLine>,
}

/// A row of a list of games.
#[derive(Serialize, Deserialize)]
struct Summary {
    white: String,
    black: String,
    ply: usize,
    fen: String,
    outcome: Option<OutcomeDocument>,
}

impl Store {
    /// Saves a changed game.
    pub async fn save(
        &self,
        before: Option<Arc<ChessGameState>>,
        after: Arc<ChessGameState>,
    ) -> Result<(), StoreError> {
        self.run(move |connection| save(connection, before.as_deref(), &after)).await
    }

    /// Loads a game, if it exists.
    pub async fn load(&self, id: Id) -> Result<Option<ChessGameState>, StoreError> {
        self.run(move |connection| load(connection, id)).await
    }

    /// The games of an owner, or of all, latest first.
    pub async fn list(&self, owner: Option<Id>, limit: u32) -> Result<Vec<GameSummary>, StoreError> {
        self.run(move |connection| list(connection, owner, limit)).await
    }

    /// Deletes a game. Returns whether it existed.
    pub async fn delete(&self, id: Id) -> Result<bool, StoreError> {
        self.run(move |connection| {
            Ok(connection.prepare_cached("DELETE FROM games WHERE id = ?1")?.execute([id.to_string()])? > 0)
        })
        .await
    }

    /// The watcher's id of a game: the same each time.
    pub async fn watch_link(&self, game: Id) -> Result<Id, StoreError> {
        let new = Id::random();
        self.run(move |connection| {
            connection.execute(
                "INSERT INTO watch_links VALUES (?1, ?2) ON CONFLICT (game) DO NOTHING",
                params![new.to_string(), game.to_string()],
            )?;
            let watch = "SELECT watch FROM watch_links WHERE game = ?1";
            let known: String = connection.query_row(watch, [game.to_string()], |row| row.get(0))?;
            Ok(known.parse().unwrap_or(new))
        })
        .await
    }

    /// The game of a watcher's id, if it exists.
    pub async fn watched(&self, watch: Id) -> Result<Option<Id>, StoreError> {
        self.run(move |connection| {
            let game = "SELECT game FROM watch_links WHERE watch = ?1";
            let found: Option<String> =
                connection.query_row(game, [watch.to_string()], |row| row.get(0)).optional()?;
            Ok(found.and_then(|id| id.parse().ok()))
        })
        .await
    }

    /// Number of unfinished games of an owner.
    pub async fn open_games(&self, owner: Id) -> Result<usize, StoreError> {
        self.run(move |connection| {
            let count: i64 = connection
                .prepare_cached(
                    "SELECT (SELECT count(*) FROM games WHERE owner = ?1 AND over = 0) + (SELECT count(*) FROM
                     quantum_games WHERE owner = ?1 AND state ->> '$.outcome' IS NULL)",
                )?
                .query_row([owner.to_string()], |row| row.get(0))?;
            Ok(count as usize)
        })
        .await
    }

    /// Deletes finished games that were last changed before this time. Returns how many.
    pub async fn delete_finished(&self, before: Timestamp) -> Result<usize, StoreError> {
        let before = before.milliseconds() as i64;
        self.run(move |connection| {
            let chess = connection.execute("DELETE FROM games WHERE over = 1 AND updated < ?1", [before])?;
            let quantum = connection.execute(
                "DELETE FROM quantum_games WHERE state ->> '$.outcome' IS NOT NULL AND updated < ?1",
                [before],
            )?;
            Ok(chess + quantum)
        })
        .await
    }

    /// Reads a value of the key-value table.
    pub async fn setting(&self, name: &'static str) -> Result<Option<String>, StoreError> {
        self.run(move |connection| {
            let value = connection
                .query_row("SELECT value FROM settings WHERE name = ?1", [name], |row| row.get(0))
                .optional()?;
            Ok(value)
        })
        .await
    }

    /// Writes a value of the key-value table.
    pub async fn set(&self, name: &'static str, value: String) -> Result<(), StoreError> {
        self.run(move |connection| {
            connection.execute(
                "INSERT INTO settings VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                params![name, value],
            )?;
            Ok(())
        })
        .await
    }
}

fn save(
    connection: &Connection,
    before: Option<&ChessGameState>,
    after: &ChessGameState,
) -> Result<(), StoreError> {
    let id = after.id.to_string();
    let state = SavedState {
        version: after.journal.version,
        position_version: after.journal.position_version,
        outcome: after.outcome().map(Into::into),
        draw_offer: after.session().draw_offer().map(Into::into),
        evaluation: after.evaluation.clone(),
    };
    let summary = Summary {
        white: after.setup.white.name().to_owned(),
        black: after.setup.black.name().to_owned(),
        ply: after.moves.len(),
        fen: after.game().fen(),
        outcome: after.outcome().map(Into::into),
    };
    connection
        .prepare_cached(
            "INSERT INTO games (id, owner, setup, state, summary, over, created, updated)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (id) DO UPDATE SET
                state = excluded.state, summary = excluded.summary, over = excluded.over, updated = excluded.updated",
        )?
        .execute(params![
            id,
            after.owner.to_string(),
            serde_json::to_string(&after.setup)?,
            serde_json::to_string(&state)?,
            serde_json::to_string(&summary)?,
            after.is_over(),
            after.journal.created.milliseconds() as i64,
            after.journal.updated.milliseconds() as i64,
        ])?;

    // Moves are only appended or removed at the end: the common prefix is saved already.
    let (known, version) = before.map_or((0, 0), |before| (before.moves.len(), before.journal.version));
    let common = known.min(after.moves.len());
    if known > common {
        connection
            .prepare_cached("DELETE FROM moves WHERE game = ?1 AND ply > ?2")?
            .execute(params![id, common as i64])?;
    }
    let mut insert = connection.prepare_cached("INSERT INTO moves (game, ply, move) VALUES (?1, ?2, ?3)")?;
    for played in &after.moves[common..] {
        insert.execute(params![id, played.ply as i64, serde_json::to_string(played)?])?;
    }

    let mut insert =
        connection.prepare_cached("INSERT INTO events (game, version, event) VALUES (?1, ?2, ?3)")?;
    for event in after.journal.log.iter().filter(|event| event.version > version) {
        insert.execute(params![
            id,
            event.version as i64,
            serde_json::to_string(&EventDocument::from(&**event))?
        ])?;
    }
    if let Some(oldest) = after.journal.log.front()
        && before.is_some_and(|before| {
            before.journal.log.front().is_some_and(|event| event.version < oldest.version)
        })
    {
        connection
            .prepare_cached("DELETE FROM events WHERE game = ?1 AND version < ?2")?
            .execute(params![id, oldest.version as i64])?;
    }
    Ok(())
}

fn load(connection: &Connection, id: Id) -> Result<Option<ChessGameState>, StoreError> {
    let name = id.to_string();
    let row: Option<(String, String, String, i64, i64)> = connection
        .prepare_cached("SELECT owner, setup, state, created, updated FROM games WHERE id = ?1")?
        .query_row([&name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
        .optional()?;
    let Some((owner, setup, state, created, updated)) = row else { return Ok(None) };
    let setup: Setup = serde_json::from_str(&setup)?;
    let saved: SavedState = serde_json::from_str(&state)?;
    let owner: Id = serde_json::from_value(owner.into())?;
    let mut state = ChessGameState::empty(id, owner, setup, Timestamp::from_milliseconds(created as u64))?;

    let mut moves = connection.prepare_cached("SELECT move FROM moves WHERE game = ?1 ORDER BY ply")?;
    for text in moves.query_map([&name], |row| row.get::<_, String>(0))? {
        state.restore_move(serde_json::from_str::<PlayedMove>(&text?)?)?;
    }
    let mode = state.game().mode();
    let mut events =
        connection.prepare_cached("SELECT event FROM events WHERE game = ?1 ORDER BY version")?;
    for text in events.query_map([&name], |row| row.get::<_, String>(0))? {
        let event: EventDocument = serde_json::from_str(&text?)?;
        state.journal.log.push_back(Arc::new(event.read(mode).map_err(ChessError::Fen)?));
    }
    state.journal.version = saved.version;
    state.journal.position_version = saved.position_version;
    state.journal.updated = Timestamp::from_milliseconds(updated as u64);
    let outcome = saved.outcome.and_then(|outcome| outcome.read());
    state.restore(outcome, saved.draw_offer.map(Into::into), saved.evaluation);
    Ok(Some(state))
}

fn list(connection: &Connection, owner: Option<Id>, limit: u32) -> Result<Vec<GameSummary>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT id, setup, summary, created, updated FROM games
         WHERE ?1 IS NULL OR owner = ?1 ORDER BY updated DESC LIMIT ?2",
    )?;
    let rows = query.query_map(params![owner.map(|owner| owner.to_string()), limit], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
            row.get::<_, i64>(3)?,
            row.get::<_, i64>(4)?,
        ))
    })?;
    rows.map(|row| {
        let (id, setup, summary, created, updated) = row?;
        let setup: Setup = serde_json::from_str(&setup)?;
        let summary: Summary = serde_json::from_str(&summary)?;
        Ok(GameSummary {
            id: serde_json::from_value(id.into())?,
            variant: setup.variant,
            white: summary.white,
            black: summary.black,
            ply: summary.ply,
            fen: summary.fen,
            outcome: summary.outcome,
            created_at: Timestamp::from_milliseconds(created as u64),
            updated_at: Timestamp::from_milliseconds(updated as u64),
        })
    })
    .collect()
}
