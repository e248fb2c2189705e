//! A review as a JSON document; the same for the command line and for HTTP. Its names are a contract.
//!
//! Scores are White's view in centipawns; a mate is beyond ±30000 and its moves are given beside it. Moves are UCI.
//! A piece is its letter as in FEN with its square: `Nf3`, `nf6`.

use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Square};
use tabia_core::Score;
use tabia_core::chess::fen_of;

use crate::line::Line;
use crate::messages::Locale;
use crate::review::{Branch, Claim, Explored, Reason, Review};
use crate::text;

/// Why a move is good or bad. Scores are White's view in centipawns; moves are UCI.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewDocument {
    fen: String,
    #[serde(rename = "move")]
    played: String,
    san: String,
    verdict: &'static str,
    score: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    best: ReviewBest,
    refutation: ReviewLine,
    reasons: Vec<ReviewReason>,
    terms: Vec<ReviewTerm>,
    further_cp: Option<i32>,
    text: String,
    arrows: Vec<ReviewArrow>,
    squares: Vec<String>,
    /// Moves of the given lines that are not legal; the lines were followed up to there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
}

/// The best move and its line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewBest {
    #[serde(rename = "move")]
    first: String,
    san: String,
    score: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    line: Vec<String>,
}

/// What follows a bad move; empty after a good one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewLine {
    line: Vec<String>,
}

/// A proved reason. `kind` is outcome, motif, threat or positional; `of` is the line it is about: played, best or passed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewReason {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    motif: Option<&'static str>,
    #[serde(rename = "of")]
    branch: &'static str,
    worth_cp: i32,
    /// Of a threat: whether the move `parries`, `ignores` or `allows` it.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'static str>,
    /// Where the worth is a mate: in how many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<u32>,
    pieces: Vec<String>,
    squares: Vec<String>,
    line: Vec<String>,
    evidence: ReviewEvidence,
}

/// How a reason was checked: its value in the actual position, and in the counterfactual one. Mates are beyond
/// ±30000.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewEvidence {
    check: &'static str,
    actual_cp: i32,
    counterfactual_cp: i32,
}

/// A heading of a chess book and what changes under it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewTerm {
    heading: &'static str,
    cp: i32,
}

/// An arrow on the board: `green` for the best move, `red` for what refutes the played one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewArrow {
    from: String,
    to: String,
    color: &'static str,
}

impl ReviewDocument {
    /// The document of a review, with its text in a language. `asked` is whether a move was asked about.
    pub fn new(review: &Review, asked: bool, locale: Locale) -> ReviewDocument {
        let white = |score: Score| review.mover.fold_wb(score, -score).raw();
        let mate = |score: Score| score.moves_to_mate().map(|moves| review.mover.fold_wb(moves, -moves));
        let sign = review.mover.fold_wb(1, -1);
        let refutation =
            if review.verdict.is_bad() { ucis(&review.played.shown_moves()[1..]) } else { Vec::new() };
        let marked = squares(review);
        ReviewDocument {
            fen: fen_of(&review.position),
            played: uci(review.played.first()),
            san: san(&review.played),
            verdict: review.verdict.name(),
            score: white(review.played.score),
            mate: mate(review.played.score),
            best: ReviewBest {
                first: uci(review.best.first()),
                san: san(&review.best),
                score: white(review.best.score),
                mate: mate(review.best.score),
                line: ucis(&review.best.shown_moves()),
            },
            refutation: ReviewLine { line: refutation },
            reasons: review.reasons.iter().map(|reason| of_reason(review, reason)).collect(),
            terms: review
                .comparison
                .changes
                .iter()
                .map(|change| ReviewTerm { heading: change.heading.name(), cp: sign * change.cp })
                .collect(),
            further_cp: review.further_cp.map(|cp| sign * cp),
            text: text::text_in(locale.language(), review, asked),
            arrows: arrows(review)
                .into_iter()
                .map(|(from, to, color)| ReviewArrow {
                    from: from.to_string(),
                    to: to.to_string(),
                    color: color.name(),
                })
                .collect(),
            squares: marked.into_iter().map(|square| square.to_string()).collect(),
            faults: review.faults(),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The colour of an arrow.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ink {
    /// What is good.
    Green,
    /// What refutes.
    Red,
}

impl Ink {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Ink::Green => "green",
            Ink::Red => "red",
        }
    }
}

/// Arrows for a review: the best move, and the reply that refutes a bad one.
pub fn arrows(review: &Review) -> Vec<(Square, Square, Ink)> {
    let arrow = |explored: &Explored, index: usize, ink| {
        explored.line.ply(index).map(|ply| (ply.from(), ply.to(), ink))
    };
    let best = arrow(&review.best, 0, Ink::Green);
    let refutation = if review.verdict.is_bad() { arrow(&review.played, 1, Ink::Red) } else { None };
    best.into_iter().chain(refutation).collect()
}

/// Squares to highlight: those that the weightiest motif of the played line is about.
pub fn squares(review: &Review) -> Vec<Square> {
    review
        .reasons
        .iter()
        .find_map(|reason| match &reason.claim {
            Claim::Motif { motif, .. } => Some(motif.targets.clone()),
            _ => None,
        })
        .unwrap_or_default()
}

fn uci(m: Move) -> String {
    m.to_uci(CastlingMode::Standard).to_string()
}

fn ucis(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|m| uci(*m)).collect()
}

fn san(explored: &Explored) -> String {
    explored.line.ply(0).map(crate::line::Ply::san).unwrap_or_default()
}

fn of_reason(review: &Review, reason: &Reason) -> ReviewReason {
    let (pieces, squares) = subject(review, reason);
    ReviewReason {
        kind: reason.kind(),
        motif: reason.motif(),
        branch: match reason.branch {
            Branch::Played => "played",
            Branch::Best => "best",
            Branch::Passed => "passed",
        },
        worth_cp: reason.worth_cp,
        answer: reason.answer(),
        mate: reason.mate(),
        pieces,
        squares: squares.into_iter().map(|square| square.to_string()).collect(),
        line: ucis(&reason.line),
        evidence: ReviewEvidence {
            check: reason.evidence.check.name(),
            actual_cp: reason.evidence.actual_cp,
            counterfactual_cp: reason.evidence.counterfactual_cp,
        },
    }
}

/// The pieces and squares that a reason is about.
fn subject(review: &Review, reason: &Reason) -> (Vec<String>, Vec<Square>) {
    let piece = |position: &Chess, square: Square| {
        position.board().piece_at(square).map(|piece| format!("{}{square}", piece.char()))
    };
    match &reason.claim {
        Claim::Motif { motif, .. } => {
            let line = Line::legal_part(&review.position, &reason.line);
            let Some(ply) = line.ply(motif.ply) else { return (Vec::new(), motif.targets.clone()) };
            let at = |square: &Square| piece(&ply.after, *square);
            let pieces = std::iter::once(&motif.actor).chain(&motif.targets).filter_map(at).collect();
            (pieces, motif.targets.clone())
        }
        Claim::Mate { winner, .. } => {
            let king = Line::legal_part(&review.position, &reason.line)
                .last()
                .and_then(|last| last.after.board().king_of(winner.other()));
            let letter = if *winner == Color::White { 'k' } else { 'K' };
            (king.map(|square| format!("{letter}{square}")).into_iter().collect(), king.into_iter().collect())
        }
        Claim::Sacrifice { square, .. } => (Vec::new(), vec![*square]),
        Claim::Allows { square, .. } => {
            let piece = piece(&review.position, *square);
            (piece.into_iter().collect(), vec![*square])
        }
        Claim::WrongBishop { corner, .. } => (Vec::new(), vec![*corner]),
        Claim::Threat { first, .. } => {
            let from = first.from();
            let pieces = from.and_then(|from| piece(&review.position, from)).into_iter().collect();
            (pieces, vec![crate::line::destination(*first)])
        }
        Claim::Material { .. }
        | Claim::Draw { .. }
        | Claim::Tablebase { .. }
        | Claim::FollowUpFails
        | Claim::Zugzwang => (Vec::new(), Vec::new()),
        Claim::Positional(change) => (Vec::new(), change.fact.iter().map(|fact| fact.square).collect()),
    }
}
