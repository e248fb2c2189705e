//! Search information of the moves.

use serde::Serialize;
use shakmaty::Color;
use tabia_core::Score;

use super::ReplayError;
use super::fields::Fields;
use crate::record::{GameRecord, Ply};

/// Search information of one move; scores are White's view.
#[derive(Default, Serialize)]
pub struct PlySearchInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    score_cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    instead: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    opening: bool,
}

pub fn of(record: &GameRecord) -> Vec<PlySearchInfo> {
    let first = first_mover(record);
    record.plies.iter().enumerate().map(|(index, ply)| of_ply(ply, mover(first, index))).collect()
}

fn of_ply(ply: &Ply, mover: Color) -> PlySearchInfo {
    let mate = ply.score.and_then(Score::moves_to_mate);
    PlySearchInfo {
        score_cp: ply.score.filter(|score| !score.is_mate()).map(|score| mover.fold_wb(score, -score).raw()),
        mate: mate.map(|moves| mover.fold_wb(moves, -moves)),
        depth: ply.depth,
        nodes: ply.nodes,
        time_ms: ply.time_ms,
        clock_ms: ply.clock_ms,
        comment: ply.comment.clone(),
        glyphs: ply.glyphs.clone(),
        instead: ply.instead.clone(),
        opening: ply.opening,
    }
}

/// Adds the search information of a document to a record with its moves.
pub fn read(fields: &Fields<'_>, record: &mut GameRecord) -> Result<(), ReplayError> {
    let first = first_mover(record);
    for (index, (info, ply)) in fields.objects("thoughts")?.iter().zip(&mut record.plies).enumerate() {
        ply.score = score(info, mover(first, index))?;
        ply.depth = info.number("depth")?;
        ply.nodes = info.number("nodes")?;
        ply.time_ms = info.number("time_ms")?;
        ply.clock_ms = info.number("clock_ms")?;
        ply.comment = info.text("comment")?;
        ply.glyphs = info.bytes("glyphs")?;
        ply.instead = info.optional_texts("instead")?.unwrap_or_default();
        ply.opening = info.flag("opening")?;
    }
    Ok(())
}

/// In the mover's view.
fn score(info: &Fields<'_>, mover: Color) -> Result<Option<Score>, ReplayError> {
    if let Some(white) = info.number::<i16>("mate")? {
        let mine = mover.fold_wb(i32::from(white), -i32::from(white)).clamp(-900, 900);
        return Ok(Some(if mine > 0 {
            Score::mate_in_plies(2 * mine as u16 - 1)
        } else {
            Score::mated_in_plies(2 * mine.unsigned_abs() as u16)
        }));
    }
    let white = info.centipawns("score_cp")?;
    Ok(white.map(|white| mover.fold_wb(white, -white)))
}

fn mover(first: Color, index: usize) -> Color {
    if index.is_multiple_of(2) { first } else { first.other() }
}

fn first_mover(record: &GameRecord) -> Color {
    record.opening_position().map_or(Color::White, |game| game.side_to_move())
}
