//! The coordinator: publishes tasks through the server, and counts each result once.
//!
//! | module | what |
//! | --- | --- |
//! | `session` | the connection, and what outlives a list of tasks |
//! | `task_list` | which tasks of a list are queued, published, counted or set aside |
//! | `publishing`, `results` | tasks on their way to the server, results on their way from it |
//! | `review`, `secret` | which results need a second opinion, and what follows from it |
//! | `records` | which account gave which result, on disk |
//! | `run` | executes one list; it uses all the others |

mod publishing;
mod records;
mod results;
mod review;
mod run;
mod secret;
mod session;
mod task_list;

use std::sync::PoisonError;

use tabia_core::Stop;

use crate::error::GridError;
use crate::task::{Grid, Ledger, Task};
use run::Run;

pub use secret::Secret;
pub use session::{CoordinatorSettings, Nats, Referee};

impl<T: Task> Grid<T> for Nats {
    fn run(&self, tasks: &[T], stop: &Stop, ledger: &mut dyn Ledger<T>) -> Result<(), GridError> {
        if tasks.is_empty() || stop.is_stopped() {
            return Ok(());
        }
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        watch.begin(tasks.len());
        records.begin()?;
        let mut run = Run::new(self, tasks, ledger, &mut watch, &mut records)?;
        let ending = self.runtime.block_on(run.conduct(stop));
        let outcome = run.outcome();
        watch.update_status(&self.connection, outcome.done, 0);
        self.runtime.block_on(self.forget_tasks());
        if matches!(ending, Err(GridError::Untrusted { .. })) {
            // Waiting results may come from the distrusted account.
            self.runtime.block_on(self.forget_results());
        }
        ending?;
        if outcome.set_aside.is_empty() || outcome.enough {
            return Ok(());
        }
        Err(GridError::FailedTask { tasks: outcome.set_aside, tries: self.coordination.tries })
    }
}
