//! An analysis written into the record of its game.

use shakmaty::san::SanPlus;
use tabia_core::{ChessGame, Game, Score};

use super::{GameAnalysis, Mark, MoveAnalysis};
use tabia_games::record::GameRecord;

/// Half-moves of a better line that are written down.
const LINE_PLIES: usize = 10;

/// The record with scores after its moves, marks, better lines and the opening's name. `annotator` says who judged. What
/// the record said of scores before is replaced; its words, clocks and times stay.
pub fn annotate(record: &GameRecord, analysis: &GameAnalysis, annotator: &str) -> GameRecord {
    annotate_with(record, analysis, annotator, |_| None)
}

/// As [`annotate`], with other texts for marked moves: `text` is asked for each by its index, and where it has none,
/// the move is told to be a mistake and no more.
pub fn annotate_with(
    record: &GameRecord,
    analysis: &GameAnalysis,
    annotator: &str,
    text: impl Fn(usize) -> Option<String>,
) -> GameRecord {
    let mut record = record.clone();
    let Ok(mut game) = record.opening_position() else { return record };
    for (index, (ply, judged)) in record.plies.iter_mut().zip(&analysis.moves).enumerate() {
        (ply.score, ply.depth, ply.nodes) = (Some(judged.after), None, None);
        ply.glyphs.retain(|glyph| Mark::ALL.iter().all(|mark| mark.nag() != *glyph));
        if let Some(mark) = judged.mark() {
            ply.glyphs.insert(0, mark.nag());
            ply.instead = judged.line.iter().take(LINE_PLIES).map(|m| game.write_move(*m)).collect();
            let said = text(index).unwrap_or_else(|| sentence(&game, judged, mark));
            ply.comment = Some(match ply.comment.take() {
                Some(words) if words.contains(&said) => words,
                Some(words) => format!("{said} {words}"),
                None => said,
            });
        }
        game.apply(judged.played);
    }
    let mut tag = |name: &str, value: String| {
        record.tags.retain(|(known, _)| known != name);
        record.tags.push((name.to_owned(), value));
    };
    if let Some((_, opening)) = analysis.opening {
        tag("ECO", opening.eco.to_owned());
        tag("Opening", opening.name.to_owned());
    }
    tag("Annotator", annotator.to_owned());
    let accuracy = analysis.accuracy();
    for (name, accuracy) in [("WhiteAccuracy", accuracy.white), ("BlackAccuracy", accuracy.black)] {
        if let Some(accuracy) = accuracy {
            tag(name, format!("{accuracy:.1}"));
        }
    }
    record
}

/// `Blunder. Nf3 was best.`
fn sentence(game: &ChessGame, judged: &MoveAnalysis, mark: Mark) -> String {
    let san = |m| SanPlus::from_move(game.position().clone(), m);
    let mut name = mark.name().to_owned();
    name[..1].make_ascii_uppercase();
    let lost_mate = judged.before.is_mate() && judged.before > Score::DRAW && !judged.after.is_mate();
    match judged.line.first() {
        Some(best) if lost_mate => format!("{name}. {} mates.", san(*best)),
        Some(best) => format!("{name}. {} was best.", san(*best)),
        None => format!("{name}."),
    }
}
