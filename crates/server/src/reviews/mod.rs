//! Review jobs: they continue whether a client listens or not.
//!
//! A job is bounded by nodes, so that the same game gets the same marks. Jobs are queued in the order of their
//! requests, separately from interactive analyses. A bounded number of them is kept in memory.

pub mod document;
pub mod job;
pub mod request;
pub mod work;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::config::Bounds;
use crate::engine_pool::EnginePool;
use crate::id::Id;
use crate::problem::{Kind, Problem, RETRY};
use job::Job;
use request::Request;

/// All jobs of a server.
pub struct Reviews {
    pub(crate) engines: EnginePool,
    jobs: Mutex<VecDeque<Arc<Job>>>,
    max: usize,
}

impl Reviews {
    /// No jobs yet.
    pub fn new(bounds: &Bounds) -> Reviews {
        Reviews {
            engines: EnginePool::new("review", bounds.reviews, bounds.kept_reviews),
            jobs: Mutex::new(VecDeque::new()),
            max: bounds.kept_reviews,
        }
    }

    /// Adds a job. The oldest finished job is dropped if the limit is reached; if none is finished, the server is
    /// busy.
    pub fn add(&self, request: Request) -> Result<Arc<Job>, Problem> {
        let job = Arc::new(Job::new(request));
        let mut jobs = self.lock();
        if jobs.len() >= self.max {
            let ended = jobs.iter().position(|job| job.has_ended()).ok_or_else(|| {
                Problem::busy("as many games are being reviewed as this server keeps", RETRY)
            })?;
            jobs.remove(ended);
        }
        jobs.push_back(job.clone());
        Ok(job)
    }

    /// The job with an id.
    pub fn find(&self, id: Id) -> Result<Arc<Job>, Problem> {
        let found = self.lock().iter().find(|job| job.id == id).cloned();
        found.ok_or_else(|| {
            let detail = format!("there is no review {id}; reviews are forgotten when the server restarts");
            Problem::new(Kind::NotFound, detail)
        })
    }

    /// Cancels and removes a job.
    pub fn remove(&self, id: Id) -> Result<(), Problem> {
        self.find(id)?.cancel();
        self.lock().retain(|job| job.id != id);
        Ok(())
    }

    /// Shutdown: cancels all jobs.
    pub fn stop_all(&self) {
        self.lock().iter().for_each(|job| job.cancel());
    }

    /// A poisoned lock is fine: the list is consistent at every point where it could panic.
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
