//! One game under review: what was asked, how far it is, and every event that was told.

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

/// An event as it is told to whoever listens; its number is its place, from 1.
#[derive(Debug)]
pub struct JobEvent {
    /// Its name.
    pub name: &'static str,
    /// What it says, as JSON.
    pub data: String,
}

/// A game under review.
pub struct Job {
    /// Its name, which cannot be guessed.
    pub id: Id,
    /// What was asked for.
    pub request: Request,
    /// Raised when it is to end.
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
    /// A job that waits for its turn.
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

    /// Whether nothing more will happen.
    pub fn has_ended(&self) -> bool {
        self.lock().state.has_ended()
    }

    /// It is its turn; false if it was ended meanwhile.
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

    /// The opening has this name, reached after so many half-moves.
    pub fn opening(&self, opening: Option<(usize, OpeningName)>) {
        self.lock().reviewed.analysis.opening = opening;
    }

    /// Everything is done.
    pub fn finish(&self) {
        self.end(JobState::Done);
    }

    /// Somebody ended it.
    pub fn cancel(&self) {
        self.stop.stop();
        self.end(JobState::Cancelled);
    }

    fn end(&self, state: JobState) {
        let summary = Summary::new(&self.lock().reviewed.analysis);
        let name = if state == JobState::Done { "done" } else { "cancelled" };
        self.tell(name, &summary, |progress| progress.state = state);
    }

    /// It cannot go on.
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

    /// Changes what is known, and tells it. After the end nothing changes any more.
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

    /// The events after a number, and whether there will be more.
    pub fn events_after(&self, heard: u64) -> (Vec<Arc<JobEvent>>, bool) {
        let progress = self.lock();
        let known = usize::try_from(heard).unwrap_or(usize::MAX).min(progress.events.len());
        (progress.events[known..].to_vec(), !progress.state.has_ended())
    }

    /// Changes with every event.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// All of it.
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

    /// What was found so far.
    pub fn so_far(&self) -> Reviewed {
        self.lock().reviewed.clone()
    }

    /// The exercises so far, of one side where one is named.
    pub fn exercises(&self, side: Option<Color>) -> Vec<ExerciseDocument> {
        let progress = self.lock();
        let asked = |exercise: &&ExerciseDocument| side.is_none_or(|side| exercise.is_of(side));
        progress.exercises.iter().filter(asked).cloned().collect()
    }

    /// Nobody panics while holding it, and if so what it holds is as good as before.
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
