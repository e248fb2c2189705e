//! One review job: the request, its progress, and its events.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use shakmaty::Color;
use tabia_arena::analysis::document::{AnalysedMove, Summary};
use tabia_arena::analysis::{MoveAnalysis, Reviewed};
use tabia_book::OpeningName;
use tabia_coach::{ExerciseDocument, Review, ReviewDocument};
use tabia_core::{ChessGame, Stop};
use tokio::sync::watch;

use super::document::{JobDocument, Positions, ReviewedMove};
use super::request::{JobState, Request};
use crate::id::Id;

/// An event of a job; its number is its index, from 1.
#[derive(Debug)]
pub struct JobEvent {
    pub name: &'static str,
    /// Its data as JSON.
    pub data: String,
}

/// A game under review.
pub struct Job {
    /// Unguessable id.
    pub id: Id,
    pub request: Request,
    /// Raised to cancel the job.
    pub stop: Stop,
    progress: Mutex<Progress>,
    version: watch::Sender<u64>,
}

struct Progress {
    state: JobState,
    detail: Option<String>,
    positions: Positions,
    reviewed: Reviewed,
    moves: Vec<AnalysedMove>,
    exercises: Vec<ExerciseDocument>,
    events: Vec<Arc<JobEvent>>,
}

impl Job {
    /// A queued job.
    pub fn new(request: Request) -> Job {
        let of = request.record.plies.len() + 1;
        Job {
            id: Id::random(),
            request,
            stop: Stop::new(),
            progress: Mutex::new(Progress {
                state: JobState::Waiting,
                detail: None,
                positions: Positions { done: 0, of },
                reviewed: Reviewed::default(),
                moves: Vec::new(),
                exercises: Vec::new(),
                events: Vec::new(),
            }),
            version: watch::Sender::new(0),
        }
    }

    /// Whether the job has ended.
    pub fn has_ended(&self) -> bool {
        self.lock().state.has_ended()
    }

    /// Marks the job as running; false if it was cancelled meanwhile.
    pub fn begin(&self) -> bool {
        let mut progress = self.lock();
        if progress.state == JobState::Waiting {
            progress.state = JobState::Running;
        }
        progress.state == JobState::Running
    }

    /// A position was searched.
    pub fn searched(&self, done: usize, of: usize) {
        self.tell("position", &Positions { done, of }, |progress| {
            progress.positions = Positions { done, of };
        });
    }

    /// A move was judged.
    pub fn judged(&self, game: &ChessGame, judged: &MoveAnalysis, index: usize) {
        let document = AnalysedMove::new(game, judged, index + 1, None);
        self.tell("move", &document, |progress| {
            progress.reviewed.analysis.moves.push(judged.clone());
            progress.reviewed.reviews.push(None);
            progress.moves.push(document.clone());
        });
    }

    /// A marked move was reviewed.
    pub fn reviewed(&self, review: &Review, index: usize) {
        let review_document = ReviewDocument::new(review, true, self.request.language);
        let document = ReviewedMove { ply: index + 1, review: review_document };
        self.tell("review", &document, |progress| {
            if let Some(place) = progress.reviewed.reviews.get_mut(index) {
                *place = Some(review.clone());
            }
            if let Some(place) = progress.moves.get_mut(index) {
                place.review = Some(document.review.clone());
            }
        });
    }

    /// An exercise was made of a mistake.
    pub fn exercise(&self, exercise: &ExerciseDocument) {
        self.tell("exercise", exercise, |progress| progress.exercises.push(exercise.clone()));
    }

    /// Sets the opening name, reached after this many half-moves.
    pub fn opening(&self, opening: Option<(usize, OpeningName)>) {
        self.lock().reviewed.analysis.opening = opening;
    }

    /// Marks the job as done.
    pub fn finish(&self) {
        self.end(JobState::Done);
    }

    /// Cancels the job.
    pub fn cancel(&self) {
        self.stop.stop();
        self.end(JobState::Cancelled);
    }

    fn end(&self, state: JobState) {
        let summary = Summary::new(&self.lock().reviewed.analysis);
        let name = if state == JobState::Done { "done" } else { "cancelled" };
        self.tell(name, &summary, |progress| progress.state = state);
    }

    /// Marks the job as failed.
    pub fn fail(&self, detail: &str) {
        #[derive(Serialize)]
        struct Failed<'a> {
            detail: &'a str,
        }
        let failed = Failed { detail };
        self.tell("failed", &failed, |progress| {
            progress.state = JobState::Failed;
            progress.detail = Some(detail.to_owned());
        });
    }

    /// Updates the progress and publishes an event. Has no effect after the end.
    fn tell(&self, name: &'static str, data: &impl Serialize, change: impl FnOnce(&mut Progress)) {
        let data = serde_json::to_string(data).expect("documents have text as keys");
        let mut progress = self.lock();
        if progress.state.has_ended() {
            return;
        }
        change(&mut progress);
        progress.events.push(Arc::new(JobEvent { name, data }));
        self.version.send_replace(progress.events.len() as u64);
    }

    /// The events after a number, and whether more will follow.
    pub fn events_after(&self, heard: u64) -> (Vec<Arc<JobEvent>>, bool) {
        let progress = self.lock();
        let known = usize::try_from(heard).unwrap_or(usize::MAX).min(progress.events.len());
        (progress.events[known..].to_vec(), !progress.state.has_ended())
    }

    /// A receiver that is notified of every event.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The document of the job.
    pub fn document(&self) -> JobDocument {
        let progress = self.lock();
        JobDocument::new(
            (self.id, &self.request),
            progress.state,
            progress.detail.clone(),
            progress.positions,
            progress.events.len() as u64,
            Summary::new(&progress.reviewed.analysis),
            progress.moves.clone(),
        )
    }

    /// The review so far.
    pub fn so_far(&self) -> Reviewed {
        self.lock().reviewed.clone()
    }

    /// The exercises so far, of one side if one is given.
    pub fn exercises(&self, side: Option<Color>) -> Vec<ExerciseDocument> {
        let progress = self.lock();
        let asked = |exercise: &&ExerciseDocument| side.is_none_or(|side| exercise.is_of(side));
        progress.exercises.iter().filter(asked).cloned().collect()
    }

    /// A poisoned lock is fine: the data is consistent at every point where it could panic.
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
