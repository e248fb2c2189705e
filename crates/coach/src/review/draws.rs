//! Draws: by the rules, by perpetual check, by theory.

use shakmaty::{Color, Move, Position};
use tabia_core::Score;

use super::claims::{Branch, Claim, Reason};
use super::{Explored, Review, reason};
use crate::board;
use crate::outcome::End;
use crate::perpetual;
use crate::proof::{CLEARLY_BETTER_CP, Check, Evidence};
use crate::prover::Prover;
use crate::theory;

/// The most that a draw counts as, in centipawns.
const MAX_CP: i32 = 10_000;
/// A score within this may be that of a perpetual check, in centipawns.
const DRAWISH_CP: i32 = 10;
/// Half-moves within which the first check is looked for.
const FIRST_CHECK: usize = 4;
/// Half-moves of the checks that are shown.
const SHOWN: usize = 4;
/// A pawn in centipawns.
const PAWN_CP: i32 = 100;

/// How the played line is drawn; and of a bad move, how the best one would have been.
pub(super) fn find(review: &Review, is_explained: bool, reasons: &mut Vec<Reason>, prover: &mut dyn Prover) {
    if review.verdict.is_bad() {
        let is_missed = review.played.score.raw() <= -CLEARLY_BETTER_CP;
        if is_missed && review.best.score.raw().abs() <= DRAWISH_CP {
            reasons.extend(
                perpetual(review, &review.best, Branch::Best, prover)
                    .or_else(|| stalemate(review, &review.best, Branch::Best)),
            );
        }
        if is_explained {
            // A win that becomes a draw by stalemate or by theory is told before what was missed.
            let is_won = review.best.score.raw() >= CLEARLY_BETTER_CP;
            let own = |reason: &Reason| matches!(reason.claim, Claim::WrongBishop { side, .. } if side == review.mover);
            let drawn = stalemate(review, &review.played, Branch::Played)
                .or_else(|| wrong_bishop(review).filter(own));
            reasons.extend(drawn.filter(|_| is_won));
            return;
        }
    }
    let played = &review.played;
    reasons.extend(
        perpetual(review, played, Branch::Played, prover)
            .or_else(|| stalemate(review, played, Branch::Played))
            .or_else(|| by_rule_or_theory(review)),
    );
}

/// What the draw is worth to whoever wants it.
fn worth(review: &Review) -> i32 {
    (review.best.score.raw() - review.played.score.raw()).clamp(0, MAX_CP)
}

/// A side gives perpetual check, and would be clearly worse otherwise.
fn perpetual(
    review: &Review,
    explored: &Explored,
    branch: Branch,
    prover: &mut dyn Prover,
) -> Option<Reason> {
    if explored.score.raw().abs() > DRAWISH_CP {
        return None;
    }
    let plies = explored.line.plies();
    let first = plies[..plies.len().min(FIRST_CHECK)].iter().position(super::super::line::Ply::is_check)?;
    let ply = &plies[first];
    if !perpetual::is_perpetual(&ply.after) {
        return None;
    }
    let quiet: Vec<Move> = ply
        .before
        .legal_moves()
        .into_iter()
        .filter(|m| {
            let mut after = ply.before.clone();
            after.play_unchecked(*m);
            !after.is_check()
        })
        .collect();
    // Without a quiet move, checking is the only option.
    let without = if quiet.is_empty() {
        -CLEARLY_BETTER_CP
    } else {
        prover.search_among(&ply.before, &quiet)?.score.raw()
    };
    if without > -CLEARLY_BETTER_CP {
        return None;
    }
    let moves = plies[..plies.len().min(first + SHOWN)].iter().map(|ply| ply.played).collect();
    let evidence = Evidence { check: Check::PerpetualCheck, actual_cp: 0, counterfactual_cp: without };
    let claim = Claim::Draw { end: End::PerpetualCheck(ply.mover()) };
    Some(reason(claim, branch, worth(review), moves, evidence))
}

/// The side that is behind has no move left. With a move it would be lost, which is why it matters.
fn stalemate(review: &Review, explored: &Explored, branch: Branch) -> Option<Reason> {
    let outcome = explored.outcome.as_ref().filter(|outcome| outcome.end == End::Stalemate)?;
    let end = explored.end();
    let stalemated = end.turn();
    let behind = board::balance(end.board(), stalemated);
    let evidence = Evidence { check: Check::LinePlayed, actual_cp: 0, counterfactual_cp: behind * PAWN_CP };
    debug_assert!(outcome.plies > 0 && end.legal_moves().is_empty());
    let claim = Claim::Draw { end: End::Stalemate };
    Some(reason(claim, branch, worth(review), explored.shown_moves(), evidence))
}

/// A repetition, insufficient material, or a known theoretical draw.
fn by_rule_or_theory(review: &Review) -> Option<Reason> {
    let end = &review.played.outcome.as_ref()?.end;
    if matches!(end, End::InsufficientMaterial | End::Repetition) {
        Some(drawn(review, Claim::Draw { end: end.clone() }, Check::LinePlayed))
    } else {
        wrong_bishop(review)
    }
}

fn wrong_bishop(review: &Review) -> Option<Reason> {
    review.played.outcome.as_ref()?;
    let (side, corner): (Color, _) = theory::wrong_bishop(review.played.end().board())?;
    Some(drawn(review, Claim::WrongBishop { side, corner }, Check::Theory))
}

fn drawn(review: &Review, claim: Claim, check: Check) -> Reason {
    let evidence = Evidence { check, actual_cp: Score::DRAW.raw(), counterfactual_cp: 0 };
    reason(claim, Branch::Played, worth(review), review.played.shown_moves(), evidence)
}
