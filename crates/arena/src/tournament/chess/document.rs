//! The document of a match: everything that decides its games, for workers that play them on other machines.

use serde::{Deserialize, Serialize};

use super::settings::Settings;
use tabia_games::openings::{Opening, Openings};

/// The document's name among the files of a run.
pub(super) const NAME: &str = "match.json";

/// Everything that decides the games of a match, except the files that agents name.
#[derive(Serialize, Deserialize)]
pub(super) struct MatchDocument {
    pub(super) settings: Settings,
    pub(super) openings: Vec<Opening>,
    #[serde(default)]
    pub(super) date: Option<String>,
}

/// The document as JSON.
pub(super) fn to_bytes(settings: &Settings, openings: &Openings, date: Option<&str>) -> Vec<u8> {
    let (settings, openings) = (settings.clone(), openings.iter().cloned().collect());
    let document = MatchDocument { settings, openings, date: date.map(str::to_owned) };
    serde_json::to_vec(&document).expect("strings and numbers serialise to JSON")
}

/// PGN tags of every game of a match.
pub(super) fn tags(date: Option<&str>) -> Vec<(String, String)> {
    let mut tags = vec![("Event".to_owned(), "Tabia match".to_owned())];
    tags.extend(date.map(|date| ("Date".to_owned(), date.to_owned())));
    tags
}
