//! Exercises made of mistakes: find a better move.
//!
//! Not only the best move solves it: every move is accepted whose winning chances are within [`ACCEPTED_POINTS`] of the
//! best one's. They are found by searching the position again and again without the moves that were accepted already.

use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, Position};
use tabia_core::Score;
use tabia_core::chess::fen_of;

use crate::messages::{Hint, Locale};
use crate::prover::Prover;
use crate::review::{Answer, Branch, Claim, Review};
use crate::text;
use crate::verdict;

/// Points of winning chances that an accepted move may be worse than the best.
pub const ACCEPTED_POINTS: f64 = 3.0;
/// With more good moves than this the position is no exercise.
const MAX_ACCEPTED: usize = 16;

/// A position in which a better move is to be found.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The position.
    pub position: Chess,
    /// What was played.
    pub played: Move,
    /// Every move that is good enough, the best first, with its score for the mover.
    pub accepted: Vec<(Move, Score)>,
    /// What to look for.
    pub hint: Hint,
}

impl Exercise {
    /// The exercise of a reviewed mistake; none where too many moves would do, or the search was stopped.
    pub fn new(review: &Review, prover: &mut dyn Prover) -> Option<Exercise> {
        let played = review.played.first();
        let best = (review.best.first(), review.best.score);
        let mut accepted = vec![best];
        loop {
            let known = |m: &Move| *m == played || accepted.iter().any(|(other, _)| other == m);
            let others: Vec<Move> = review.position.legal_moves().into_iter().filter(|m| !known(m)).collect();
            if others.is_empty() {
                break;
            }
            let next = prover.search_among(&review.position, &others)?;
            let first = *next.line.first()?;
            if verdict::loss(best.1, next.score) > ACCEPTED_POINTS {
                break;
            }
            accepted.push((first, next.score));
            if accepted.len() > MAX_ACCEPTED {
                return None;
            }
        }
        let accepted = good_enough(accepted, best.0);
        Some(Exercise { position: review.position.clone(), played, accepted, hint: hint(review) })
    }
}

/// The best first. A search for the second-best move may find a better one than the analysis did; what the analysis
/// recommends solves the exercise all the same, because that is the move its reason speaks of.
fn good_enough(mut found: Vec<(Move, Score)>, recommended: Move) -> Vec<(Move, Score)> {
    found.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    if let Some(&(_, highest)) = found.first() {
        found.retain(|(m, score)| *m == recommended || verdict::loss(highest, *score) <= ACCEPTED_POINTS);
    }
    found
}

/// What to look for: what makes the best line work, else what is wrong with the played move.
fn hint(review: &Review) -> Hint {
    let opponent = review.mover.other();
    let of_best = |claim: &Claim| match claim {
        Claim::Mate { moves, .. } => Some(Hint::Mate(*moves)),
        Claim::Motif { motif, .. } => Some(Hint::Motif(motif.theme)),
        Claim::Draw { end } => Some(Hint::Draw(end.clone())),
        _ => None,
    };
    let reasons = || review.reasons.iter();
    let best = || reasons().filter(|reason| reason.branch == Branch::Best);
    let is_recapture = review.best_recaptures && !review.played_recaptures;
    best()
        .find_map(|reason| of_best(&reason.claim))
        .or_else(|| is_recapture.then_some(Hint::TakeBack))
        .or_else(|| best().find(|reason| reason.kind() == "outcome").map(|_| Hint::Win))
        .or_else(|| {
            let overlooked = |claim: &Claim| matches!(claim, Claim::Threat { answer: Answer::Ignores, .. });
            reasons().any(|reason| overlooked(&reason.claim)).then_some(Hint::Threat(opponent))
        })
        .or_else(|| {
            let refuted =
                reasons().any(|reason| reason.kind() == "outcome" && reason.branch == Branch::Played);
            let ply = review.played.line.ply(0).filter(|_| refuted)?;
            Some(Hint::Reply { side: opponent, played: text::written(ply) })
        })
        .or_else(|| {
            reasons().find_map(|reason| match &reason.claim {
                Claim::Positional(change) => Some(Hint::Heading(change.heading)),
                _ => None,
            })
        })
        .unwrap_or(Hint::Nothing)
}

/// An exercise as JSON; the same for the command line and for HTTP.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExerciseDocument {
    /// The number of the half-move that was a mistake, from 1.
    ply: usize,
    /// The position.
    fen: String,
    /// Who is to move: `white` or `black`.
    turn: &'static str,
    /// What was played.
    played: ExerciseMove,
    /// Every move that solves it, the best first.
    accepted: Vec<AcceptedMove>,
    /// `inaccuracy`, `mistake` or `blunder`.
    mark: Option<&'static str>,
    /// As a review has it: `missed win`.
    verdict: &'static str,
    /// Points of winning chances that the played move lost.
    win_percent_loss: f64,
    /// The motif that makes the best move work, if one was proved.
    motif: Option<&'static str>,
    /// What to look for.
    hint: String,
    /// Why the played move was worse.
    reason: String,
}

/// A move in both notations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExerciseMove {
    uci: String,
    san: String,
}

/// A move that solves an exercise, with its score in White's view.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AcceptedMove {
    uci: String,
    san: String,
    /// Centipawns; absent when it is a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_cp: Option<i32>,
    /// Moves to mate, positive when White mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
}

impl ExerciseDocument {
    /// The document of an exercise from the half-move with this number, from 1, with its texts in a language.
    pub fn new(exercise: &Exercise, review: &Review, ply: usize, locale: Locale) -> ExerciseDocument {
        let language = locale.language();
        let position = &exercise.position;
        let uci = |m: Move| m.to_uci(CastlingMode::Standard).to_string();
        let san = |m: Move| shakmaty::san::SanPlus::from_move(position.clone(), m).to_string();
        let sign = position.turn().fold_wb(1, -1);
        let accepted = |(m, score): &(Move, Score)| {
            let mate = score.moves_to_mate().map(|moves| sign * moves);
            let score_cp = if mate.is_none() { Some(sign * score.raw()) } else { None };
            AcceptedMove { uci: uci(*m), san: san(*m), score_cp, mate }
        };
        let loss = verdict::loss(review.best.score, review.played.score);
        ExerciseDocument {
            ply,
            fen: fen_of(position),
            turn: match position.turn() {
                Color::White => "white",
                Color::Black => "black",
            },
            played: ExerciseMove { uci: uci(exercise.played), san: san(exercise.played) },
            accepted: exercise.accepted.iter().map(accepted).collect(),
            mark: text::mark(review).map(tabia_core::chances::Mark::name),
            verdict: review.verdict.name(),
            win_percent_loss: (loss * 10.0).round() / 10.0,
            motif: review
                .reasons
                .iter()
                .filter(|reason| reason.branch == Branch::Best)
                .find_map(crate::review::Reason::motif),
            hint: language.hint(&exercise.hint),
            reason: text::text_in(language, review, true),
        }
    }

    /// Whose exercise it is.
    pub fn is_of(&self, side: Color) -> bool {
        self.turn == side.fold_wb("white", "black")
    }

    /// The half-move, from 1.
    pub const fn ply(&self) -> usize {
        self.ply
    }

    /// The position.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// What was played, in standard notation.
    pub fn played(&self) -> &str {
        &self.played.san
    }

    /// What solves it, in standard notation.
    pub fn accepted(&self) -> Vec<&str> {
        self.accepted.iter().map(|accepted| accepted.san.as_str()).collect()
    }

    /// What to look for.
    pub fn hint(&self) -> &str {
        &self.hint
    }

    /// Why the played move was worse.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};
    use tabia_core::Score;

    use super::good_enough;

    #[test]
    fn what_the_analysis_recommends_solves_its_exercise() {
        let moves = Chess::default().legal_moves();
        let found = vec![(moves[0], Score::cp(20)), (moves[1], Score::cp(300)), (moves[2], Score::cp(10))];
        let accepted: Vec<_> = good_enough(found, moves[0]).into_iter().map(|(m, _)| m).collect();
        assert_eq!(accepted, [moves[1], moves[0]]);
    }
}
