//! Work without Python's interpreter lock, which Ctrl-C ends.

use std::fmt::Display;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tabia_core::{AgentError, Stop};
use tabia_search::engine::STACK_BYTES;

/// How often Python's signal handlers are run, so that Ctrl-C works.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Bad input.
pub fn refused(why: impl Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// Work that failed.
pub fn failed(why: impl Display) -> PyErr {
    PyRuntimeError::new_err(why.to_string())
}

/// Sets the flag when a thread ends, also by a panic.
#[derive(Default)]
struct Done {
    flag: Mutex<bool>,
    changed: Condvar,
}

impl Done {
    /// Waits a while; whether the thread is done.
    fn wait(&self) -> bool {
        let flag = self.flag.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(flag, SIGNAL_INTERVAL, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

struct SetWhenDropped<'a>(&'a Done);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        *self.0.flag.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

/// Does `work` on a thread with a stack that a search needs. A signal raises `stop`, and its exception is returned when
/// the work has ended; work that panics is an exception, too.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let done = Done::default();
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || {
                let _done = SetWhenDropped(&done);
                work()
            })
            .map_err(|error| failed(format_args!("no thread can be started: {error}")))?;
        let mut interrupted = None;
        while !py.detach(|| done.wait()) {
            if interrupted.is_none()
                && let Err(signal) = py.check_signals()
            {
                stop.stop();
                interrupted = Some(signal);
            }
        }
        let result = py.detach(|| worker.join());
        match (interrupted, result) {
            (Some(signal), _) => Err(signal),
            (None, Ok(result)) => result,
            (None, Err(panic)) => Err(failed(AgentError::of_panic(panic.as_ref()))),
        }
    })
}

/// As many threads as were asked for, or as the machine runs at once.
pub fn threads(requested: Option<usize>) -> PyResult<usize> {
    match requested {
        Some(0) => Err(refused("threads is 0; give at least one")),
        Some(threads) => Ok(threads),
        None => Ok(thread::available_parallelism().map_or(1, std::num::NonZero::get)),
    }
}
