//! Games of quantum chess in the database.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::Store;
use super::error::StoreError;
use crate::documents::outcome::OutcomeDocument;
use crate::documents::quantum::{QuantumEvent, QuantumSummary};
use crate::id::Id;
use crate::quantum::state::{QuantumGameState, QuantumPly, QuantumSetup};
use crate::sessions::kind::GameKind;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// Schema, as a migration of [`Store`].
pub const SCHEMA: &str = "
    CREATE TABLE quantum_games (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        setup TEXT NOT NULL,      -- what it was set up with, JSON
        state TEXT NOT NULL,      -- plies, state of the random generator and outcome, JSON
        summary TEXT NOT NULL,    -- a line in a list, JSON
        created INTEGER NOT NULL, -- milliseconds since 1970
        updated INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX quantum_games_by_owner ON quantum_games (owner, updated DESC);
    CREATE TABLE quantum_events (
        game TEXT NOT NULL REFERENCES quantum_games (id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        event TEXT NOT NULL,      -- JSON
        PRIMARY KEY (game, version)
    ) STRICT, WITHOUT ROWID;
";

/// What is saved of a game besides its set-up and events.
#[derive(Serialize, Deserialize)]
struct SavedState {
    version: u64,
    position_version: u64,
    outcome: Option<OutcomeDocument>,
    #[serde(default)]
    draw_offer: Option<Side>,
    plies: Vec<QuantumPly>,
    undone: u64,
    given: usize,
}

impl Store {
    /// Saves a changed game of quantum chess.
    pub async fn save_quantum(
        &self,
        before: Option<Arc<QuantumGameState>>,
        after: Arc<QuantumGameState>,
    ) -> Result<(), StoreError> {
        self.run(move |connection| {
            save(connection, before.map_or(0, |before| before.journal.version), &after)
        })
        .await
    }

    /// Loads a game of quantum chess, if it exists.
    pub async fn load_quantum(&self, id: Id) -> Result<Option<QuantumGameState>, StoreError> {
        self.run(move |connection| load(connection, id)).await
    }

    /// The games of quantum chess of an owner, latest first.
    pub async fn list_quantum(&self, owner: Id, limit: u32) -> Result<Vec<QuantumSummary>, StoreError> {
        self.run(move |connection| {
            let mut query = connection.prepare_cached(
                "SELECT summary FROM quantum_games WHERE owner = ?1 ORDER BY updated DESC LIMIT ?2",
            )?;
            let rows = query.query_map(params![owner.to_string(), limit], |row| row.get::<_, String>(0))?;
            rows.map(|row| Ok(serde_json::from_str(&row?)?)).collect()
        })
        .await
    }

    /// Deletes a game of quantum chess. Returns whether it existed.
    pub async fn delete_quantum(&self, id: Id) -> Result<bool, StoreError> {
        self.run(move |connection| {
            let mut delete = connection.prepare_cached("DELETE FROM quantum_games WHERE id = ?1")?;
            Ok(delete.execute([id.to_string()])? > 0)
        })
        .await
    }
}

fn save(connection: &Connection, version: u64, after: &QuantumGameState) -> Result<(), StoreError> {
    let id = after.id.to_string();
    let state = SavedState {
        version: after.journal.version,
        position_version: after.journal.position_version,
        outcome: after.outcome().map(Into::into),
        draw_offer: after.session().draw_offer().map(Into::into),
        plies: after.plies.clone(),
        undone: after.undone,
        given: after.given,
    };
    connection
        .prepare_cached(
            "INSERT INTO quantum_games (id, owner, setup, state, summary, created, updated)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (id) DO UPDATE SET
                state = excluded.state, summary = excluded.summary, updated = excluded.updated",
        )?
        .execute(params![
            id,
            after.owner.to_string(),
            serde_json::to_string(&after.setup)?,
            serde_json::to_string(&state)?,
            serde_json::to_string(&QuantumSummary::new(after))?,
            after.journal.created.milliseconds() as i64,
            after.journal.updated.milliseconds() as i64,
        ])?;
    let mut insert =
        connection.prepare_cached("INSERT INTO quantum_events (game, version, event) VALUES (?1, ?2, ?3)")?;
    for event in after.journal.log.iter().filter(|event| event.version > version) {
        insert.execute(params![
            id,
            event.version as i64,
            serde_json::to_string(&QuantumEvent::from(&**event))?
        ])?;
    }
    if let Some(oldest) = after.journal.log.front() {
        connection
            .prepare_cached("DELETE FROM quantum_events WHERE game = ?1 AND version < ?2")?
            .execute(params![id, oldest.version as i64])?;
    }
    Ok(())
}

fn load(connection: &Connection, id: Id) -> Result<Option<QuantumGameState>, StoreError> {
    let name = id.to_string();
    let row: Option<(String, String, String, i64, i64)> = connection
        .prepare_cached("SELECT owner, setup, state, created, updated FROM quantum_games WHERE id = ?1")?
        .query_row([&name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
        .optional()?;
    let Some((owner, setup, state, created, updated)) = row else { return Ok(None) };
    let setup: QuantumSetup = serde_json::from_str(&setup)?;
    let saved: SavedState = serde_json::from_str(&state)?;
    let owner: Id = serde_json::from_value(owner.into())?;
    let mut state = QuantumGameState::empty(id, owner, setup, Timestamp::from_milliseconds(created as u64))?;
    let outcome = saved.outcome.and_then(|outcome| outcome.read());
    state.restore(saved.plies, (saved.undone, saved.given), outcome, saved.draw_offer.map(Into::into))?;
    let mut events =
        connection.prepare_cached("SELECT event FROM quantum_events WHERE game = ?1 ORDER BY version")?;
    for text in events.query_map([&name], |row| row.get::<_, String>(0))? {
        state.journal.log.push_back(Arc::new(serde_json::from_str::<QuantumEvent>(&text?)?.into()));
    }
    state.journal.version = saved.version;
    state.journal.position_version = saved.position_version;
    state.journal.updated = Timestamp::from_milliseconds(updated as u64);
    Ok(Some(state))
}
