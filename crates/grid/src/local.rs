//! Tasks on threads of this process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tabia_core::Stop;

use crate::TICK;
use crate::error::GridError;
use crate::task::{Executor, Grid, Ledger, Task, Verdict};

/// The executor of a thread, created on first use.
type Slot<'a, T> = Mutex<Option<Box<dyn Executor<T> + 'a>>>;

/// Threads of this process.
pub struct Local<'a, T: Task> {
    stack_bytes: usize,
    make: Box<dyn Fn(usize) -> Box<dyn Executor<T> + 'a> + Sync + 'a>,
    /// One per thread. They are kept from run to run, with the engines they have started.
    slots: Vec<Slot<'a, T>>,
}

/// What a thread sends: the index of a task, and its result.
type Sent<T> = (usize, Result<<T as Task>::Done, String>);

impl<'a, T: Task> Local<'a, T> {
    /// A number of threads, each with a stack of this size and an executor from `make`. Threads are numbered from 0.
    pub fn new(
        threads: usize,
        stack_bytes: usize,
        make: impl Fn(usize) -> Box<dyn Executor<T> + 'a> + Sync + 'a,
    ) -> Local<'a, T> {
        let slots = (0..threads.max(1)).map(|_| Mutex::new(None)).collect();
        Local { stack_bytes, make: Box::new(make), slots }
    }

    /// Body of a thread: takes the next task until there is none.
    fn work(&self, thread: usize, tasks: &[T], next: &AtomicUsize, halt: &Stop, sender: &Sender<Sent<T>>) {
        let mut slot = self.slots[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let executor = slot.get_or_insert_with(|| (self.make)(thread));
        while !halt.is_stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(index) else { break };
            let Some(result) = executor.perform(task, halt).transpose() else { break };
            // The receiver is gone after an error.
            if sender.send((index, result)).is_err() {
                break;
            }
        }
    }

    fn listen(
        tasks: &[T],
        results: &Receiver<Sent<T>>,
        stop: &Stop,
        halt: &Stop,
        ledger: &mut dyn Ledger<T>,
    ) -> Result<(), GridError> {
        loop {
            let failed = |index: usize, why| Err(GridError::Failed { id: tasks[index].id(), why });
            match results.recv_timeout(TICK) {
                Ok((index, Err(why))) => return failed(index, why),
                Ok((index, Ok(done))) => match ledger.done(index, done) {
                    Verdict::Counted => {}
                    Verdict::Rejected(why) => return failed(index, why),
                    Verdict::Enough => return Ok(()),
                },
                Err(RecvTimeoutError::Timeout) => {
                    if !ledger.tick() {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if stop.is_stopped() {
                halt.stop();
            }
        }
    }
}

impl<T: Task> Grid<T> for Local<'_, T> {
    fn run(&self, tasks: &[T], stop: &Stop, ledger: &mut dyn Ledger<T>) -> Result<(), GridError> {
        let next = AtomicUsize::new(0);
        let halt = Stop::new();
        if stop.is_stopped() {
            return Ok(());
        }
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for number in 0..self.slots.len().min(tasks.len()) {
                let (sender, next, halt) = (sender.clone(), &next, &halt);
                let started = thread::Builder::new()
                    .name(format!("worker {number}"))
                    .stack_size(self.stack_bytes)
                    .spawn_scoped(scope, move || self.work(number, tasks, next, halt, &sender));
                if let Err(error) = started {
                    halt.stop();
                    return Err(GridError::Thread(error));
                }
            }
            drop(sender);
            // Stop the threads on every return path.
            let ending = Self::listen(tasks, &results, stop, &halt, ledger);
            halt.stop();
            ending
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct Square(u64);

    impl Task for Square {
        type Done = u64;
        const KIND: &'static str = "square";
        fn id(&self) -> String {
            format!("square {}", self.0)
        }
    }

    struct Arithmetic;

    impl Executor<Square> for Arithmetic {
        fn perform(&mut self, task: &Square, _stop: &Stop) -> Result<Option<u64>, String> {
            if task.0 == 13 { Err("unlucky".to_owned()) } else { Ok(Some(task.0 * task.0)) }
        }
    }

    fn grid(threads: usize) -> Local<'static, Square> {
        Local::new(threads, 1 << 20, |_| Box::new(Arithmetic))
    }

    fn tasks(count: u64) -> Vec<Square> {
        (0..count).map(|number| Square(20 + number)).collect()
    }

    #[test]
    fn each_result_comes_once_and_with_its_place() {
        for threads in [1, 3, 50] {
            let mut seen = [0; 40];
            grid(threads)
                .run(&tasks(40), &Stop::new(), &mut |index: usize, done: u64| {
                    assert_eq!(done, (20 + index as u64).pow(2));
                    seen[index] += 1;
                    Verdict::Counted
                })
                .unwrap();
            assert_eq!(seen, [1; 40]);
        }
    }

    #[test]
    fn what_cannot_be_done_is_named() {
        let count = |_: usize, _: u64| Verdict::Counted;
        let error = grid(2).run(&[Square(1), Square(13)], &Stop::new(), &mut { count }).unwrap_err();
        assert_eq!(error.to_string(), "square 13: unlucky");
        let mut reject = |_: usize, _: u64| Verdict::Rejected("wrong".to_owned());
        let error = grid(2).run(&tasks(1), &Stop::new(), &mut reject).unwrap_err();
        assert_eq!(error.to_string(), "square 20: wrong");
    }

    #[test]
    fn a_ledger_that_has_enough_is_handed_no_more() {
        let mut heard = 0;
        let mut ledger = |_: usize, _: u64| {
            heard += 1;
            if heard == 3 { Verdict::Enough } else { Verdict::Counted }
        };
        grid(4).run(&tasks(500), &Stop::new(), &mut ledger).unwrap();
        assert_eq!(heard, 3);
        let stopped = Stop::new();
        stopped.stop();
        grid(2).run(&tasks(5), &stopped, &mut |_: usize, _: u64| panic!("it was stopped")).unwrap();
    }
}
