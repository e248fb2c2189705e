//! A bounded pool of operating-system threads for searches.
//!
//! A search needs a deep stack and a whole core, and would block other requests on a thread of the async runtime.
//! Waiting searches start in the order of their requests. A panic in an agent ends only its own search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tabia_core::AgentError;
use tabia_search::engine::STACK_BYTES;
use tokio::sync::{Semaphore, oneshot};

/// How often a waiting search calls `make_room`.
const ASK: Duration = Duration::from_secs(1);

/// A bounded number of search threads.
pub struct EnginePool {
    name: &'static str,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    max_waiting: usize,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The thread could not be started.
    #[error("no thread to think on: {0}")]
    Thread(#[from] std::io::Error),
    /// The thread ended without a result.
    #[error("the thinking broke off")]
    Died,
    /// The agent panicked.
    #[error(transparent)]
    Panicked(AgentError),
}

impl EnginePool {
    /// A pool with this many threads and this many waiting searches.
    pub fn new(name: &'static str, places: usize, max_waiting: usize) -> EnginePool {
        EnginePool {
            name,
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            max_waiting,
        }
    }

    /// Whether the queue is full.
    pub fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= self.max_waiting && self.places.available_permits() == 0
    }

    /// Runs a search on a thread of its own when one is free. While none is free, `make_room` is called now and then.
    ///
    /// The slot is held until the work ends, even if the caller no longer waits for the result.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        make_room: impl Fn(),
    ) -> Result<T, EngineError> {
        let place = {
            let _waits = Waits::new(self);
            let mut place = std::pin::pin!(self.places.clone().acquire_owned());
            loop {
                tokio::select! {
                    biased;
                    place = &mut place => break place.map_err(|_| EngineError::Died)?,
                    () = tokio::time::sleep(ASK) => make_room(),
                }
            }
        };
        let (sender, receiver) = oneshot::channel();
        metrics::gauge!("tabia_engines_thinking", "kind" => self.name).increment(1);
        let name = self.name;
        thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(move || {
            let _thinks = Thinks(name);
            // Unwind safety: everything the work owns is dropped with it, so no inconsistent state is observed.
            let result = catch_unwind(AssertUnwindSafe(work));
            drop(place);
            // The caller may be gone.
            let _ = sender.send(result.map_err(|panic| EngineError::Panicked(AgentError::of_panic(&*panic))));
        })?;
        receiver.await.map_err(|_| EngineError::Died)?
    }
}

/// Counts a waiting search; decrements on drop.
struct Waits<'a>(&'a EnginePool);

impl<'a> Waits<'a> {
    fn new(engines: &'a EnginePool) -> Waits<'a> {
        engines.waiting.fetch_add(1, Ordering::Relaxed);
        metrics::gauge!("tabia_engines_waiting", "kind" => engines.name).increment(1);
        Waits(engines)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
        metrics::gauge!("tabia_engines_waiting", "kind" => self.0.name).decrement(1);
    }
}

struct Thinks(&'static str);

impl Drop for Thinks {
    fn drop(&mut self) {
        metrics::gauge!("tabia_engines_thinking", "kind" => self.0).decrement(1);
    }
}
