//! Tablebase results of a move.

use shakmaty::{Move, Position};
use tabia_core::Score;
use tabia_search::engine::tablebases::TablebaseResult;

use super::claims::{Branch, Claim, Reason};
use super::{Review, Subject, reason};
use crate::proof::{Check, Evidence};
use crate::prover::{Prover, Searched};

/// What a won ending counts as, in centipawns.
const WON_CP: i32 = 10_000;
/// From this score on a drawn ending is worth a reason, in centipawns.
const ADVANTAGE_CP: i32 = 150;

/// Both lines with what the tables know: their scores, and a better best move where the search chose one that gives the
/// result away.
pub(super) fn corrected(subject: &Subject<'_>, prover: &mut dyn Prover) -> (Searched, Searched) {
    let (mut best, mut played) = (subject.best.clone(), subject.played.clone());
    let Some(known) = prover.table_moves(subject.position) else { return (best, played) };
    let of = |m: Option<&Move>| known.iter().find(|(other, _)| Some(other) == m).map(|(_, result)| *result);
    let highest = known.iter().map(|(_, result)| *result).max();
    if of(best.line.first()) < highest {
        let keeping: Vec<Move> =
            known.iter().filter(|(_, result)| Some(*result) == highest).map(|(m, _)| *m).collect();
        if let Some(searched) = prover.search_among(subject.position, &keeping) {
            best = searched;
        }
    }
    for searched in [&mut best, &mut played] {
        if let Some(result) = of(searched.line.first()) {
            searched.score = score(searched.score, result);
        }
    }
    (best, played)
}

/// A score that agrees with the tables; a mate that the search sees stays one.
fn score(searched: Score, result: TablebaseResult) -> Score {
    match result {
        TablebaseResult::Draw => Score::DRAW,
        TablebaseResult::Win => searched.max(Score::TABLEBASE_WIN),
        TablebaseResult::Loss => searched.min(-Score::TABLEBASE_WIN),
    }
}

/// The result that the move keeps or throws away.
pub(super) fn find(review: &Review, reasons: &mut Vec<Reason>, prover: &mut dyn Prover) {
    let Some((claim, line)) = at_once(review, prover).or_else(|| in_line(review, prover)) else { return };
    let Claim::Tablebase { result, instead } = claim else { return };
    let evidence = Evidence {
        check: Check::Tablebase,
        actual_cp: worth(result),
        counterfactual_cp: worth(instead.unwrap_or(TablebaseResult::Draw)),
    };
    let worth = (evidence.actual_cp - evidence.counterfactual_cp).abs();
    reasons.push(reason(claim, Branch::Played, worth, line, evidence));
}

const fn worth(result: TablebaseResult) -> i32 {
    match result {
        TablebaseResult::Loss => -WON_CP,
        TablebaseResult::Draw => 0,
        TablebaseResult::Win => WON_CP,
    }
}

/// The tables know every move: a bad one is compared with the best, a good one with the worst.
fn at_once(review: &Review, prover: &mut dyn Prover) -> Option<(Claim, Vec<Move>)> {
    let known = prover.table_moves(&review.position)?;
    let of = |m: Move| known.iter().find(|(other, _)| *other == m).map(|(_, result)| *result);
    let (result, best) = (of(review.played.first())?, of(review.best.first())?);
    let worst = known.iter().map(|(_, result)| *result).min()?;
    let instead = if review.verdict.is_bad() { best } else { worst };
    let tells = if review.verdict.is_bad() { result < instead } else { result > instead };
    tells.then(|| (Claim::Tablebase { result, instead: Some(instead) }, vec![review.played.first()]))
}

/// A bad move's line comes to an ending that the tables know.
fn in_line(review: &Review, prover: &mut dyn Prover) -> Option<(Claim, Vec<Move>)> {
    if !review.verdict.is_bad() {
        return None;
    }
    let plies = review.played.line.plies();
    let (index, result) = plies.iter().enumerate().find_map(|(index, ply)| {
        let result = prover.table(&ply.after)?;
        let for_mover = if ply.after.turn() == review.mover { result } else { reversed(result) };
        Some((index, for_mover))
    })?;
    let best = review.best.score;
    let tells = match result {
        TablebaseResult::Loss => best > -Score::TABLEBASE_BOUND,
        TablebaseResult::Draw => best.raw() >= ADVANTAGE_CP,
        TablebaseResult::Win => false,
    };
    let line = plies[..=index].iter().map(|ply| ply.played).collect();
    tells.then_some((Claim::Tablebase { result, instead: None }, line))
}

const fn reversed(result: TablebaseResult) -> TablebaseResult {
    match result {
        TablebaseResult::Loss => TablebaseResult::Win,
        TablebaseResult::Draw => TablebaseResult::Draw,
        TablebaseResult::Win => TablebaseResult::Loss,
    }
}
