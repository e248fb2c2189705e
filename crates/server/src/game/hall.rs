//! All tables: those in memory, and how one is fetched from disk when somebody asks for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::document::Awaits;
use super::play::Play;
use super::seated::Seated;
use super::table::Table;
use crate::id::Id;
use crate::lab::{Lab, RETRY};
use crate::moment::Moment;
use crate::problem::{Kind, Problem};

/// The tables in memory.
pub struct Hall<P: Seated = Play> {
    tables: Mutex<HashMap<Id, Arc<Table<P>>>>,
    /// One game is fetched at a time, so that none is ever there twice.
    fetching: tokio::sync::Mutex<()>,
    most: usize,
}

impl<P: Seated> Hall<P> {
    /// Room for so many.
    pub fn new(most: usize) -> Hall<P> {
        Hall { tables: Mutex::new(HashMap::new()), fetching: tokio::sync::Mutex::new(()), most }
    }

    /// Keeps a new game and opens a table for it.
    pub async fn open(&self, lab: &Arc<Lab>, play: P) -> Result<Arc<Table<P>>, Problem> {
        if play.awaits() == Awaits::Agent && lab.engines.is_full() {
            return Err(Problem::busy("all engines are thinking, and many wait for their turn", RETRY));
        }
        self.make_room()?;
        let play = Arc::new(play);
        P::save(lab, None, play.clone()).await.map_err(Problem::internal)?;
        metrics::counter!("tabia_games_created").increment(1);
        Ok(self.seat(lab, &play))
    }

    /// The table of a game, fetched from disk if need be. An agent whose turn it is goes on thinking.
    pub async fn find(&self, lab: &Arc<Lab>, id: Id) -> Result<Arc<Table<P>>, Problem> {
        let missing = || Problem::new(Kind::NotFound, format!("there is no game {id}"));
        if let Some(table) = self.in_memory(id) {
            table.attend(lab);
            return Ok(table);
        }
        let _fetching = self.fetching.lock().await;
        if let Some(table) = self.in_memory(id) {
            return Ok(table);
        }
        let play = P::load(lab, id).await.map_err(Problem::internal)?.ok_or_else(missing)?;
        self.make_room()?;
        Ok(self.seat(lab, &Arc::new(play)))
    }

    fn in_memory(&self, id: Id) -> Option<Arc<Table<P>>> {
        let table = self.tables().get(&id).cloned()?;
        table.touch();
        Some(table)
    }

    fn seat(&self, lab: &Arc<Lab>, play: &Arc<P>) -> Arc<Table<P>> {
        let table = Arc::new(Table::new(play.clone()));
        self.tables().insert(play.id(), table.clone());
        self.count();
        table.attend(lab);
        table.watch_clock(lab, play);
        table
    }

    /// Forgets a game.
    pub async fn delete(&self, lab: &Arc<Lab>, id: Id) -> Result<(), Problem> {
        let table = self.find(lab, id).await?;
        table.delete(lab).await.map_err(Problem::internal)?;
        self.tables().remove(&id);
        self.count();
        P::forget(lab, id);
        Ok(())
    }

    /// Puts away the table that was left alone longest, if all places are taken.
    fn make_room(&self) -> Result<(), Problem> {
        let mut tables = self.tables();
        if tables.len() < self.most {
            return Ok(());
        }
        let idle =
            tables.iter().filter(|(_, table)| is_alone(table)).min_by_key(|(_, table)| table.last_touched());
        let Some(id) = idle.map(|(id, _)| *id) else {
            return Err(Problem::busy(format!("all {} tables are in use", self.most), RETRY));
        };
        tables.remove(&id);
        Ok(())
    }

    /// Puts away the tables that nobody came to for a while; they are found again on disk.
    pub fn tidy(&self, idle: Duration) {
        let since = Moment::now().milliseconds().saturating_sub(idle.as_millis() as u64);
        self.tables().retain(|_, table| !is_alone(table) || table.last_touched() > since);
        self.count();
    }

    /// Agents at tables that everybody has left make room for others.
    pub fn put_aside_those_left(&self) {
        for table in self.tables().values() {
            table.put_aside_if_left();
        }
    }

    /// Ends all thinking.
    pub fn stop_all(&self) {
        for table in self.tables().values() {
            table.move_now();
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tables().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn count(&self) {
        metrics::gauge!("tabia_tables", "game" => P::GAME).set(self.len() as f64);
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<Id, Arc<Table<P>>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nobody holds the table but the hall: no request, no stream, no agent, no running clock. Asked under the lock of the
/// hall, so that nobody can come meanwhile.
fn is_alone<P: Seated>(table: &Arc<Table<P>>) -> bool {
    Arc::strong_count(table) == 1
}
