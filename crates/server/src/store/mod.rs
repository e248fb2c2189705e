//! The database: SQLite on a thread of its own.
//!
//! Jobs arrive through a channel. All jobs that arrived while a transaction was being written go into the next one
//! together, and each is acknowledged only when its transaction is on disk: many concurrent games cost one write
//! (group commit).

pub mod error;
mod games;
mod quantum;

use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use rusqlite::Connection;
use tokio::sync::oneshot;

pub use error::StoreError;

/// Jobs in the queue before callers must wait.
const QUEUE: usize = 1024;
/// Jobs in one transaction.
const BATCH: usize = 64;

/// The schema migrations: each is applied once, in order. Changes are added at the end.
const SCHEMA: &[&str] = &[
    "
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        setup TEXT NOT NULL,      -- what it was set up with, JSON
        state TEXT NOT NULL,      -- what else there is to know, JSON
        summary TEXT NOT NULL,    -- a line in a list, JSON
        over INTEGER NOT NULL,
        created INTEGER NOT NULL, -- milliseconds since 1970
        updated INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX games_by_owner ON games (owner, updated DESC);
    CREATE TABLE moves (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        ply INTEGER NOT NULL,
        move TEXT NOT NULL,       -- JSON
        PRIMARY KEY (game, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        event TEXT NOT NULL,      -- JSON
        PRIMARY KEY (game, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
",
    quantum::SCHEMA,
    "
    CREATE TABLE watch_links (
        watch TEXT PRIMARY KEY,
        game TEXT NOT NULL UNIQUE REFERENCES games (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE logins (
        session TEXT PRIMARY KEY, -- SHA-256 of what the cookie has
        token TEXT NOT NULL,      -- SHA-256 of the token that was shown
        expires INTEGER NOT NULL  -- milliseconds since 1970
    ) STRICT, WITHOUT ROWID;
",
];

/// Reports the result to the caller after the commit.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// One job within a transaction.
type Job = Box<dyn FnOnce(&Connection) -> Answer + Send>;

/// A handle to the database.
#[derive(Clone)]
pub struct Store {
    jobs: SyncSender<Job>,
}

impl Store {
    /// Opens or creates a database; without a path it is in memory.
    pub fn open(path: Option<&Path>) -> Result<Store, StoreError> {
        let connection = match path {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        prepare(&connection)?;
        let (jobs, queue) = mpsc::sync_channel(QUEUE);
        thread::Builder::new()
            .name("storage".to_owned())
            .spawn(move || serve(&connection, &queue))
            .map_err(StoreError::Thread)?;
        Ok(Store { jobs })
    }

    /// Runs a job on the database; returns after the commit.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let done = alone(connection, work);
            Box::new(move |kept| {
                // The caller may be gone.
                let _ = sender.send(kept.and(done));
            })
        });
        let mut job = job;
        // The queue is long and drained quickly. If it is full, wait without blocking a thread of the runtime.
        loop {
            match self.jobs.try_send(job) {
                Ok(()) => break,
                Err(mpsc::TrySendError::Full(refused)) => job = refused,
                Err(mpsc::TrySendError::Disconnected(_)) => return Err(StoreError::Ended),
            }
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        receiver.await.unwrap_or(Err(StoreError::Ended))
    }
}

impl Store {
    /// Blocking version of [`Store::run`], for threads outside the runtime.
    pub fn wait<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let job: Job = Box::new(move |connection| {
            let done = alone(connection, work);
            Box::new(move |kept| {
                let _ = sender.send(kept.and(done));
            })
        });
        self.jobs.send(job).map_err(|_| StoreError::Ended)?;
        receiver.recv().unwrap_or(Err(StoreError::Ended))
    }
}

fn prepare(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // An acknowledged move must survive a power failure.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let found = found as usize;
    if found > SCHEMA.len() {
        return Err(StoreError::TooNew { found, known: SCHEMA.len() });
    }
    for (index, step) in SCHEMA.iter().enumerate().skip(found) {
        connection.execute_batch(&format!("BEGIN; {step}; PRAGMA user_version = {}; COMMIT;", index + 1))?;
    }
    Ok(())
}

/// The database thread: runs until every handle is dropped.
fn serve(connection: &Connection, queue: &Receiver<Job>) {
    while let Ok(first) = queue.recv() {
        let mut answers = Vec::new();
        let begun = connection.execute_batch("BEGIN IMMEDIATE");
        if let Err(error) = begun {
            tracing::error!(%error, "no transaction could be begun");
            // Without a transaction, each statement commits by itself.
        }
        for job in std::iter::once(first).chain(queue.try_iter().take(BATCH - 1)) {
            answers.push(job(connection));
        }
        let kept = if connection.is_autocommit() { Ok(()) } else { connection.execute_batch("COMMIT") };
        if let Err(error) = &kept {
            tracing::error!(%error, "a transaction could not be written");
            let _ = connection.execute_batch("ROLLBACK");
        }
        for answer in answers {
            answer(match &kept {
                Ok(()) => Ok(()),
                Err(error) => Err(StoreError::Sql(rusqlite::Error::SqliteFailure(
                    rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR),
                    Some(error.to_string()),
                ))),
            });
        }
    }
}

/// Runs one job in a savepoint: a failed job is rolled back without affecting the others.
fn alone<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.execute_batch("SAVEPOINT job")?;
    let done = work(connection);
    connection.execute_batch(match done {
        Ok(_) => "RELEASE job",
        Err(_) => "ROLLBACK TO job; RELEASE job",
    })?;
    done
}
