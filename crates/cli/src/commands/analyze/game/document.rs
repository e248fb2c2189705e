//! Games gone over, for programs.

use std::path::Path;

use serde::Serialize;
use shakmaty::{ByColor, Color, Position};
use tabia_arena::analysis::{GameAnalysis, Mark, MoveAnalysis};
use tabia_coach::{Review, ReviewDocument};
use tabia_core::{AgentSpec, ChessGame, Game};

use super::Done;
use super::report::{moves_left, white};
use crate::text;

/// All games of a file.
#[derive(Serialize)]
pub struct Document {
    file: String,
    agent: String,
    interrupted: bool,
    games: Vec<GameDocument>,
}

#[derive(Serialize)]
struct GameDocument {
    white: String,
    black: String,
    result: &'static str,
    opening: Option<OpeningDocument>,
    accuracy: Sides<Option<f64>>,
    average_cp_loss: Sides<Option<f64>>,
    marks: Sides<Marks>,
    moves: Vec<MoveDocument>,
}

#[derive(Serialize)]
struct OpeningDocument {
    eco: &'static str,
    name: &'static str,
    /// Half-moves after which it was reached.
    ply: usize,
}

/// A value for each player.
#[derive(Serialize)]
struct Sides<T> {
    white: T,
    black: T,
}

#[derive(Serialize)]
struct Marks {
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

/// Scores are White's view after the move.
#[derive(Serialize)]
struct MoveDocument {
    ply: usize,
    uci: String,
    san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    best: Option<Best>,
    line: Vec<String>,
    cp_loss: i32,
    win_percent_loss: f64,
    mark: Option<&'static str>,
    depth: u32,
    nodes: u64,
    /// Why a marked move is one, as `tabia explain` says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<ReviewDocument>,
}

#[derive(Serialize)]
struct Best {
    uci: String,
    san: String,
}

/// The document of what was done of the games that were asked for.
pub fn of(path: &Path, agent: &AgentSpec, done: &[Done], asked: usize) -> anyhow::Result<Document> {
    Ok(Document {
        file: path.display().to_string(),
        agent: agent.to_string(),
        interrupted: done.len() < asked || done.iter().any(|done| done.analysis.interrupted),
        games: done.iter().map(game).collect::<anyhow::Result<_>>()?,
    })
}

fn game(Done { record, analysis, reviews }: &Done) -> anyhow::Result<GameDocument> {
    let mut game = record.opening_position()?;
    let mut moves = Vec::new();
    for (index, judged) in analysis.moves.iter().enumerate() {
        let review = reviews.get(index).and_then(Option::as_ref);
        moves.push(move_document(&game, judged, index + 1, review));
        game.apply(judged.played);
    }
    Ok(GameDocument {
        white: record.white.clone(),
        black: record.black.clone(),
        result: record.outcome.map_or("*", tabia_core::Outcome::as_pgn),
        opening: analysis.opening.map(|(ply, opening)| OpeningDocument {
            eco: opening.eco,
            name: opening.name,
            ply,
        }),
        accuracy: rounded(analysis.accuracy()),
        average_cp_loss: rounded(analysis.average_cp_loss()),
        marks: Sides { white: marks(analysis, Color::White), black: marks(analysis, Color::Black) },
        moves,
    })
}

fn move_document(
    game: &ChessGame,
    judged: &MoveAnalysis,
    ply: usize,
    review: Option<&Review>,
) -> MoveDocument {
    let position = game.position();
    let san = |m| text::san_moves(position, &[m]).concat();
    let mate = moves_left(judged);
    MoveDocument {
        ply,
        uci: game.write_move(judged.played),
        san: san(judged.played),
        score_cp: if mate.is_none() { Some(white(judged).raw()) } else { None },
        mate,
        best: judged.line.first().map(|best| Best { uci: game.write_move(*best), san: san(*best) }),
        line: text::san_moves(position, &legal_part(position, &judged.line)),
        cp_loss: judged.cp_lost(),
        win_percent_loss: (judged.chances_lost() * 10.0).round() / 10.0,
        mark: judged.mark().map(Mark::name),
        depth: judged.depth,
        nodes: judged.nodes,
        review: review.map(|review| ReviewDocument::new(review, true)),
    }
}

/// A line as far as it can be played: one from another program may not be legal to its end.
fn legal_part(position: &shakmaty::Chess, line: &[shakmaty::Move]) -> Vec<shakmaty::Move> {
    let mut position = position.clone();
    let legal = line.iter().take_while(|m| {
        let legal = position.is_legal(**m);
        if legal {
            position.play_unchecked(**m);
        }
        legal
    });
    legal.copied().collect()
}

fn marks(analysis: &GameAnalysis, color: Color) -> Marks {
    Marks {
        inaccuracies: analysis.count(color, Mark::Inaccuracy),
        mistakes: analysis.count(color, Mark::Mistake),
        blunders: analysis.count(color, Mark::Blunder),
    }
}

fn rounded(values: ByColor<Option<f64>>) -> Sides<Option<f64>> {
    let tenth = |value: Option<f64>| value.map(|value| (value * 10.0).round() / 10.0);
    Sides { white: tenth(values.white), black: tenth(values.black) }
}
