//! A table: one game, those who watch it, and the agent that thinks about it.
//!
//! Whoever reads takes the game as it last was and waits for nobody. Whoever changes it does so one after the other,
//! on a copy: it is kept on disk first, then shown. What is played is not known here: [`Seated`] says what a table asks
//! of it.
//!
//! A table that everybody has left does not keep others waiting: where all places to think are taken, its agent's
//! thinking is put aside, and begins anew when somebody looks again.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tabia_core::Stop;
use tokio::sync::watch;

use super::document::Awaits;
use super::error::PlayError;
use super::play::Play;
use super::seated::Seated;
use crate::id::Id;
use crate::lab::Lab;
use crate::moment::Moment;
use crate::problem::{Kind, Problem};
use crate::store::StoreError;

/// Milliseconds without a request and without a stream after which everybody has left.
const LEFT_MS: u64 = 5_000;

/// A game and those around it.
pub struct Table<P: Seated = Play> {
    play: watch::Sender<Arc<P>>,
    thought: watch::Sender<Option<Arc<LiveThought<P>>>>,
    changing: tokio::sync::Mutex<()>,
    thinking: Mutex<Option<Thinking>>,
    deleted: AtomicBool,
    touched: AtomicU64,
    watchers: AtomicUsize,
}

/// What an agent thinks at this moment.
#[derive(Clone, Debug)]
pub struct LiveThought<P: Seated = Play> {
    /// The version of the position that it thinks about.
    pub position_version: u64,
    /// The line.
    pub line: P::Line,
}

struct Thinking {
    position_version: u64,
    stop: Stop,
    put_aside: Arc<AtomicBool>,
}

/// Somebody who watches a table, until this is dropped.
pub struct Watching<P: Seated = Play>(Arc<Table<P>>);

impl<P: Seated> Drop for Watching<P> {
    fn drop(&mut self) {
        self.0.touch();
        self.0.watchers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why a change did not happen.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError<E = PlayError> {
    /// The game does not allow it.
    #[error("{0}")]
    Play(E),
    /// It could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game is no longer there.
    #[error("the game was deleted")]
    Deleted,
    /// The change broke off.
    #[error("the change broke off")]
    BrokeOff,
}

impl<E: Into<Problem>> From<ChangeError<E>> for Problem {
    fn from(error: ChangeError<E>) -> Problem {
        match error {
            ChangeError::Play(error) => error.into(),
            ChangeError::Deleted => Problem::new(Kind::NotFound, "the game was deleted"),
            ChangeError::Store(error) => Problem::internal(error),
            ChangeError::BrokeOff => Problem::internal("the change broke off"),
        }
    }
}

impl From<PlayError> for Problem {
    fn from(error: PlayError) -> Problem {
        let kind = match &error {
            PlayError::Fen(_)
            | PlayError::Move(_)
            | PlayError::Listed { .. }
            | PlayError::ListedAfterEnd(..)
            | PlayError::WhichSide
            | PlayError::Quantum
            | PlayError::TooLong(_) => Kind::Unprocessable,
            _ => Kind::Conflict,
        };
        Problem::new(kind, error.to_string())
    }
}

impl<P: Seated> Table<P> {
    /// A table for a game that is kept already.
    pub fn new(play: Arc<P>) -> Table<P> {
        Table {
            play: watch::Sender::new(play),
            thought: watch::Sender::new(None),
            changing: tokio::sync::Mutex::new(()),
            thinking: Mutex::new(None),
            deleted: AtomicBool::new(false),
            touched: AtomicU64::new(Moment::now().milliseconds()),
            watchers: AtomicUsize::new(0),
        }
    }

    /// The game as it is.
    pub fn play(&self) -> Arc<P> {
        self.play.borrow().clone()
    }

    /// Its name.
    pub fn id(&self) -> Id {
        self.play.borrow().id()
    }

    /// For whoever wants to know when it changes.
    pub fn watch(&self) -> watch::Receiver<Arc<P>> {
        self.play.subscribe()
    }

    /// For whoever wants to know what the agent thinks.
    pub fn watch_thoughts(&self) -> watch::Receiver<Option<Arc<LiveThought<P>>>> {
        self.thought.subscribe()
    }

    /// Somebody watches.
    pub fn watching(self: &Arc<Self>) -> Watching<P> {
        self.watchers.fetch_add(1, Ordering::Relaxed);
        Watching(self.clone())
    }

    /// Nobody watches, and nobody has asked for a while.
    fn is_left(&self) -> bool {
        self.watchers.load(Ordering::Relaxed) == 0
            && Moment::now().milliseconds().saturating_sub(self.last_touched()) > LEFT_MS
    }

    /// Puts an agent's thinking aside if everybody has left; it begins anew when somebody looks.
    pub fn put_aside_if_left(&self) {
        if !self.is_left() {
            return;
        }
        if let Some(current) = self.thinking().take() {
            current.put_aside.store(true, Ordering::Relaxed);
            current.stop.stop();
        }
    }

    /// Tells what the agent thinks.
    pub fn tell(&self, thought: LiveThought<P>) {
        self.thought.send_replace(Some(Arc::new(thought)));
    }

    /// Somebody was here.
    pub fn touch(&self) {
        self.touched.store(Moment::now().milliseconds(), Ordering::Relaxed);
    }

    /// When somebody was last here, in milliseconds since 1970.
    pub fn last_touched(&self) -> u64 {
        self.touched.load(Ordering::Relaxed)
    }

    /// Changes the game: on a copy, which is kept before it is shown. It happens whole or not at all, whether or not
    /// the client that asked for it is still there at the end.
    pub async fn change<T: Send + 'static>(
        self: &Arc<Self>,
        lab: &Arc<Lab>,
        change: impl FnOnce(&mut P) -> Result<T, P::Error> + Send + 'static,
    ) -> Result<(T, Arc<P>), ChangeError<P::Error>> {
        let (table, lab) = (self.clone(), lab.clone());
        tokio::spawn(async move { table.change_now(&lab, change).await })
            .await
            .unwrap_or(Err(ChangeError::BrokeOff))
    }

    async fn change_now<T>(
        self: &Arc<Self>,
        lab: &Arc<Lab>,
        change: impl FnOnce(&mut P) -> Result<T, P::Error>,
    ) -> Result<(T, Arc<P>), ChangeError<P::Error>> {
        let _changing = self.changing.lock().await;
        if self.deleted.load(Ordering::Relaxed) {
            return Err(ChangeError::Deleted);
        }
        let mut after = P::clone(&self.play());
        if after.flag() {
            // Too late: that the time ran out comes first.
            self.show(lab, after).await?;
            after = P::clone(&self.play());
        }
        let result = change(&mut after).map_err(ChangeError::Play)?;
        let after = self.show(lab, after).await?;
        Ok((result, after))
    }

    /// Keeps a changed game, then shows it.
    async fn show(self: &Arc<Self>, lab: &Arc<Lab>, after: P) -> Result<Arc<P>, StoreError> {
        let after = Arc::new(after);
        P::save(lab, Some(self.play()), after.clone()).await?;
        self.play.send_replace(after.clone());
        if after.is_over() {
            P::forget(lab, after.id());
        }
        self.attend(lab);
        self.watch_clock(lab, &after);
        Ok(after)
    }

    /// Sees to it that an agent whose turn it is thinks, and that nobody thinks about a position that is gone.
    pub fn attend(self: &Arc<Self>, lab: &Arc<Lab>) {
        let mut thinking = self.thinking();
        // Read while nobody else attends: a game that has moved on since must not be taken for what it was.
        let play = self.play();
        let wanted = play.awaits() == Awaits::Agent && !lab.is_closing();
        if let Some(current) = &*thinking {
            if wanted && current.position_version == play.position_version() {
                return;
            }
            current.stop.stop();
            *thinking = None;
        }
        if wanted {
            let (stop, put_aside) = (Stop::new(), Arc::new(AtomicBool::new(false)));
            *thinking = Some(Thinking {
                position_version: play.position_version(),
                stop: stop.clone(),
                put_aside: put_aside.clone(),
            });
            tokio::spawn(P::think(lab.clone(), self.clone(), play, stop, put_aside));
        }
    }

    /// The agent that thought about a version has ended, for whatever reason.
    pub fn thought_about(&self, position_version: u64) {
        let mut thinking = self.thinking();
        if thinking.as_ref().is_some_and(|current| current.position_version == position_version) {
            *thinking = None;
        }
    }

    /// Whoever thinks shall come to an end: with a move, if the game still waits for it.
    pub fn move_now(&self) -> bool {
        let thinking = self.thinking();
        thinking.as_ref().inspect(|current| current.stop.stop()).is_some()
    }

    /// Forgets the game.
    pub async fn delete(&self, lab: &Lab) -> Result<bool, StoreError> {
        let _changing = self.changing.lock().await;
        self.deleted.store(true, Ordering::Relaxed);
        self.move_now();
        let was_there = P::delete(lab, self.id()).await?;
        // Whoever watches shall see that it is gone.
        self.play.send_modify(|_| {});
        Ok(was_there)
    }

    /// Whether it was deleted.
    pub fn is_deleted(&self) -> bool {
        self.deleted.load(Ordering::Relaxed)
    }

    /// Whether nobody will think about it any more: it is over, or was deleted.
    pub fn is_over(&self) -> bool {
        self.is_deleted() || self.play.borrow().is_over()
    }

    fn thinking(&self) -> MutexGuard<'_, Option<Thinking>> {
        self.thinking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the game when the time of the side to move has run out.
    pub fn watch_clock(self: &Arc<Self>, lab: &Arc<Lab>, play: &P) {
        let Some(left) = play.time_left() else { return };
        let (table, lab, version) = (self.clone(), lab.clone(), play.position_version());
        tokio::spawn(async move {
            let mut plays = table.watch();
            tokio::select! {
                () = tokio::time::sleep(left) => {}
                // Another position: another timer.
                _ = plays.wait_for(|play| play.position_version() != version) => return,
                () = lab.closed() => return,
            }
            if let Err(error) = table.fall(&lab).await {
                tracing::error!(%error, "a loss on time could not be kept");
            }
        });
    }

    /// Ends the game if the time of the side to move has run out.
    async fn fall(self: &Arc<Self>, lab: &Arc<Lab>) -> Result<(), StoreError> {
        let _changing = self.changing.lock().await;
        let mut after = P::clone(&self.play());
        if !self.is_deleted() && after.flag() {
            self.show(lab, after).await?;
        }
        Ok(())
    }
}
