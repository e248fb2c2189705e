//! Analysed games as JSON.

use std::path::Path;

use serde::Serialize;
use tabia_arena::analysis::document::AnalysedGame;
use tabia_coach::Locale;
use tabia_core::AgentSpec;

use super::Done;

/// All games of a file.
#[derive(Serialize)]
pub struct Document {
    file: String,
    agent: String,
    interrupted: bool,
    games: Vec<AnalysedGame>,
}

/// The document of the games analysed so far.
pub fn of(
    path: &Path,
    agent: &AgentSpec,
    done: &[Done],
    requested: usize,
    locale: Locale,
) -> anyhow::Result<Document> {
    let games = done.iter().map(|done| AnalysedGame::new(&done.game.record, &done.reviewed, locale));
    Ok(Document {
        file: path.display().to_string(),
        agent: agent.to_string(),
        interrupted: done.len() < requested || done.iter().any(|done| done.reviewed.analysis.interrupted),
        games: games.collect::<Result<_, _>>()?,
    })
}
