//! A game gone over as JSON; the same for the command line and for HTTP. Its names are a contract.
//!
//! Scores and chances are White's view.

use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::{ByColor, Chess, Color, Move, Position};
use tabia_coach::{Locale, ReviewDocument};
use tabia_core::{ChessGame, Game};
use tabia_games::record::{GameRecord, RecordError};

use super::{GameAnalysis, Mark, MoveAnalysis, Reviewed};

/// One game.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedGame {
    white: String,
    black: String,
    result: &'static str,
    #[serde(flatten)]
    summary: Summary,
    moves: Vec<AnalysedMove>,
}

/// How both played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// What the opening is called, if it has a name.
    opening: Option<AnalysedOpening>,
    /// Accuracy in per cent; none for one who has not moved.
    accuracy: Figures,
    /// Average centipawn loss.
    average_cp_loss: Figures,
    /// Marked moves.
    marks: MarksOfBoth,
}

/// The name of an opening.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysedOpening {
    eco: &'static str,
    name: &'static str,
    /// Half-moves after which it was reached.
    ply: usize,
}

/// A figure for each player.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Figures {
    white: Option<f64>,
    black: Option<f64>,
}

/// The marks of each player.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarksOfBoth {
    white: Marks,
    black: Marks,
}

/// How many moves are marked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Marks {
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

/// A move judged. The score is that of the position after it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysedMove {
    /// Its number, from 1.
    ply: usize,
    uci: String,
    san: String,
    /// Centipawns; absent when it is a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_cp: Option<i32>,
    /// Moves to mate, positive when White mates; 0 is mate on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// White's chances of winning in per cent.
    win_percent: f64,
    /// The best move instead; none where the game was over by the rules.
    best: Option<AnalysedBest>,
    /// The best line instead, in standard notation.
    line: Vec<String>,
    /// The same as UCI writes it.
    line_uci: Vec<String>,
    cp_loss: i32,
    /// Points of winning chances that the move lost.
    win_percent_loss: f64,
    /// `inaccuracy`, `mistake` or `blunder`.
    mark: Option<&'static str>,
    depth: u32,
    nodes: u64,
    /// Why a marked move is one, as `tabia explain` says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewDocument>,
}

/// The best move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysedBest {
    uci: String,
    san: String,
}

impl AnalysedGame {
    /// The document of a game, with texts in a language.
    pub fn new(
        record: &GameRecord,
        reviewed: &Reviewed,
        locale: Locale,
    ) -> Result<AnalysedGame, RecordError> {
        let Reviewed { analysis, reviews } = reviewed;
        let mut game = record.opening_position()?;
        let mut moves = Vec::new();
        for (index, judged) in analysis.moves.iter().enumerate() {
            let review = reviews.get(index).and_then(Option::as_ref);
            let review = review.map(|review| ReviewDocument::new(review, true, locale));
            moves.push(AnalysedMove::new(&game, judged, index + 1, review));
            game.apply(judged.played);
        }
        Ok(AnalysedGame {
            white: record.white.clone(),
            black: record.black.clone(),
            result: record.outcome.map_or("*", tabia_core::Outcome::as_pgn),
            summary: Summary::new(analysis),
            moves,
        })
    }
}

impl Summary {
    /// Of the moves that were gone over.
    pub fn new(analysis: &GameAnalysis) -> Summary {
        let marks = |color| Marks {
            inaccuracies: analysis.count(color, Mark::Inaccuracy),
            mistakes: analysis.count(color, Mark::Mistake),
            blunders: analysis.count(color, Mark::Blunder),
        };
        Summary {
            opening: analysis.opening.map(|(ply, opening)| AnalysedOpening {
                eco: opening.eco,
                name: opening.name,
                ply,
            }),
            accuracy: rounded(analysis.accuracy()),
            average_cp_loss: rounded(analysis.average_cp_loss()),
            marks: MarksOfBoth { white: marks(Color::White), black: marks(Color::Black) },
        }
    }
}

impl AnalysedMove {
    /// The move with this number, from 1, in the game before it.
    pub fn new(
        game: &ChessGame,
        judged: &MoveAnalysis,
        ply: usize,
        review: Option<ReviewDocument>,
    ) -> AnalysedMove {
        let position = game.position();
        let mate = judged.moves_to_mate();
        let line = legal_part(position, &judged.line);
        let both = |m| (game.write_move(m), sans(position, &[m]).concat());
        let (uci, san) = both(judged.played);
        AnalysedMove {
            ply,
            uci,
            san,
            score_cp: if mate.is_none() { Some(judged.white().raw()) } else { None },
            mate,
            win_percent: tenths(judged.white_chances()),
            best: judged.line.first().map(|best| {
                let (uci, san) = both(*best);
                AnalysedBest { uci, san }
            }),
            line_uci: line.iter().map(|m| game.write_move(*m)).collect(),
            line: sans(position, &line),
            cp_loss: judged.cp_lost(),
            win_percent_loss: tenths(judged.chances_lost()),
            mark: judged.mark().map(Mark::name),
            depth: judged.depth,
            nodes: judged.nodes,
            review,
        }
    }
}

fn sans(start: &Chess, moves: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    moves.iter().map(|m| SanPlus::from_move_and_play_unchecked(&mut position, *m).to_string()).collect()
}

/// A line as far as it can be played: one from another program may not be legal to its end.
fn legal_part(position: &Chess, line: &[Move]) -> Vec<Move> {
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

fn rounded(values: ByColor<Option<f64>>) -> Figures {
    Figures { white: values.white.map(tenths), black: values.black.map(tenths) }
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
