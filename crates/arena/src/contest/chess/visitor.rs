//! Games of a match that is coordinated elsewhere: everything that decides them comes as one document.

use serde::{Deserialize, Serialize};
use tabia_core::Stop;
use tabia_grid::{Executor, Shared};

use super::event::tags;
use super::seating::{Seating, Seats};
use super::settings::Settings;
use crate::contest::live::Board;
use crate::contest::schedule::Schedule;
use crate::contest::table::Table;
use crate::contest::task::{GameTask, PlayedGame};
use crate::driver::Roster;
use tabia_games::openings::{Opening, Openings};

/// What the document is called.
pub const DOCUMENT: &str = "match.json";

/// All that decides the games of a match, but for the files that agents name.
#[derive(Serialize, Deserialize)]
struct Document {
    settings: Settings,
    openings: Vec<Opening>,
    #[serde(default)]
    date: Option<String>,
}

/// The document of a match.
pub(super) fn document(settings: &Settings, openings: &Openings, date: Option<&str>) -> Vec<u8> {
    let (settings, openings) = (settings.clone(), openings.iter().cloned().collect());
    let document = Document { settings, openings, date: date.map(str::to_owned) };
    serde_json::to_vec(&document).expect("texts and numbers can be written")
}

/// A player of games for somebody else's match.
pub struct Visitor {
    seating: Seating,
    schedule: Schedule,
    seats: Seats,
    board: Board,
}

impl Visitor {
    /// Makes ready to play the games of a match; `roster` says who can be seated. Every player is started once: one that
    /// cannot be is no game lost, but a match that is not for this machine.
    pub fn new(shared: &Shared, roster: impl FnOnce(&Settings) -> Roster) -> Result<Visitor, String> {
        let Document { settings, openings, date } = shared.document(DOCUMENT)?;
        let openings = Openings::of(openings)?;
        let in_words = |error: super::super::ContestError| error.to_string();
        let seating = Seating::new(&settings, roster(&settings), &openings).map_err(in_words)?;
        let seating = seating.with_tags(tags(date.as_deref()));
        seating.try_players().map_err(in_words)?;
        let seats = seating.seats(0);
        Ok(Visitor { schedule: settings.schedule(), seating, seats, board: Board::new(1) })
    }
}

impl Executor<GameTask> for Visitor {
    fn perform(&mut self, task: &GameTask, stop: &Stop) -> Result<Option<PlayedGame>, String> {
        if task.game >= self.schedule.len() {
            return Err(format!("the match has {} games", self.schedule.len()));
        }
        let fixture = self.schedule.fixture(task.game);
        let played = self.seating.play(&mut self.seats, &fixture, stop, &self.board.reporter(0));
        let record = played.map_err(|error| error.to_string())?;
        Ok(record.map(|record| PlayedGame { game: task.game, record }))
    }
}
