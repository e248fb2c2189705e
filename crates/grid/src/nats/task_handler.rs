//! Handlers of the kinds of tasks that a worker executes, with JSON in and out.

use std::marker::PhantomData;

use serde_json::value::RawValue;
use tabia_core::Stop;

use crate::task::{Executor, SharedFiles, Task};

/// A type-erased executor.
pub trait AnyExecutor: Send {
    /// Executes a task, JSON in and out. None when it was stopped.
    fn perform(&mut self, task: &str, stop: &Stop) -> Result<Option<Box<RawValue>>, String>;
}

/// Executes one kind of task.
pub trait TaskHandler: Send + Sync {
    /// The kind of task.
    fn kind(&self) -> &'static str;
    /// An executor for a run with these files.
    fn executor(&self, shared: &SharedFiles) -> Result<Box<dyn AnyExecutor>, String>;
}

struct Typed<T: Task>(Box<dyn Executor<T>>, PhantomData<fn(T)>);

impl<T: Task> AnyExecutor for Typed<T> {
    fn perform(&mut self, task: &str, stop: &Stop) -> Result<Option<Box<RawValue>>, String> {
        let task: T =
            serde_json::from_str(task).map_err(|error| format!("the task cannot be read: {error}"))?;
        let done = self.0.perform(&task, stop)?;
        let written = done.map(|done| serde_json::value::to_raw_value(&done)).transpose();
        written.map_err(|error| format!("the result cannot be written: {error}"))
    }
}

struct Made<T, F>(F, PhantomData<fn(T)>);

impl<T: Task, F> TaskHandler for Made<T, F>
where
    F: Fn(&SharedFiles) -> Result<Box<dyn Executor<T>>, String> + Send + Sync,
{
    fn kind(&self) -> &'static str {
        T::KIND
    }

    fn executor(&self, shared: &SharedFiles) -> Result<Box<dyn AnyExecutor>, String> {
        Ok(Box::new(Typed((self.0)(shared)?, PhantomData)))
    }
}

/// A handler of one kind of task; `make` creates an executor from the files of a run.
pub fn task_handler<T: Task>(
    make: impl Fn(&SharedFiles) -> Result<Box<dyn Executor<T>>, String> + Send + Sync + 'static,
) -> Box<dyn TaskHandler> {
    Box::new(Made::<T, _>(make, PhantomData))
}
