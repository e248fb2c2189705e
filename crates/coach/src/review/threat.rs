//! Threats of the opponent, found by a null-move search.

use shakmaty::attacks::between;
use shakmaty::{Chess, Position};
use tabia_core::Score;

use super::claims::{Allowed, Answer, Branch, Claim, Reason};
use super::{Review, reason};
use crate::exchange::legal_swap;
use crate::line::Line;
use crate::outcome;
use crate::proof::{Check, Evidence};
use crate::prover::Prover;

/// From this gain on, in centipawns, it is a threat.
const THREAT_CP: i32 = 100;
/// What a mate counts as.
const MATE_CP: i32 = 10_000;

/// The opponent's threat and how the played move answers it.
pub(super) fn find(review: &Review, asked: bool, prover: &mut dyn Prover) -> Option<Reason> {
    let passed = pass(&review.position)?;
    let searched = prover.search(&passed)?;
    let now = -review.best.score.raw();
    if searched.score.raw() - now < THREAT_CP {
        return None;
    }
    let line = Line::legal_part(&passed, &searched.line);
    let outcome = outcome::follow(&line)?;
    let mate = match outcome.end {
        outcome::End::Mate(winner) if winner == passed.turn() => {
            let moves = searched.score.moves_to_mate().filter(|moves| *moves > 0)? as u32;
            (prover.mates(&passed, moves) == Some(true)).then_some(moves)
        }
        _ => None,
    };
    if mate.is_none() && outcome.balance.net < 1 {
        return None;
    }
    let first = line.plies().first()?.played;
    let answer = if asked { answer(review, first, searched.score, prover)? } else { Answer::Open };
    let worth = if mate.is_some() { MATE_CP } else { outcome.balance.net * 100 };
    let evidence =
        Evidence { check: Check::MovePassed, actual_cp: searched.score.raw(), counterfactual_cp: now };
    let moves = line.plies()[..outcome.plies].iter().map(|ply| ply.played).collect();
    let claim = Claim::Threat { first, balance: outcome.balance, mate, answer };
    Some(reason(claim, Branch::Passed, worth, moves, evidence))
}

/// The position with the other side to move; none in check, where passing would be illegal.
pub(crate) fn pass(position: &Chess) -> Option<Chess> {
    if position.is_check() {
        return None;
    }
    position.clone().swap_turn().ok()
}

/// The opponent's reply takes something that it could not have taken, or not with profit, before the move.
pub(super) fn allowed(review: &Review) -> Option<Reason> {
    let (moved, reply) = (review.played.line.ply(0)?, review.played.line.ply(1)?);
    let (from, square) = (reply.from(), reply.to());
    let (start, after) = (review.position.board(), reply.before.board());
    reply.taken_on_destination()?;
    let gain = legal_swap(&reply.before, reply.played);
    let stood_there = start.piece_at(square) == after.piece_at(square) && square != moved.to();
    if gain <= 0 || !stood_there || start.piece_at(from) != after.piece_at(from) {
        return None;
    }
    let (how, earlier) = if start.attacks_from(from).contains(square) {
        let guards = |board: &shakmaty::Board, by| board.attacks_from(by).contains(square);
        let gives_up = guards(start, moved.from()) && !guards(after, moved.to());
        let passed = pass(&review.position).filter(|passed| passed.is_legal(reply.played))?;
        (gives_up.then_some(Allowed::Unguarded)?, legal_swap(&passed, reply.played))
    } else {
        let opens = between(from, square).contains(moved.from());
        (opens.then_some(Allowed::Opened)?, 0)
    };
    let evidence = Evidence::pawns(Check::MoveTakenBack, gain, earlier);
    let moves = vec![moved.played, reply.played];
    (earlier <= 0)
        .then(|| reason(Claim::Allows { how, square }, Branch::Played, evidence.actual_cp, moves, evidence))
}

/// Whether the threat is carried out in the played line, or no longer works. If neither, it is not reported.
fn answer(
    review: &Review,
    first: shakmaty::Move,
    threatened: Score,
    prover: &mut dyn Prover,
) -> Option<Answer> {
    let played = review.played.line.ply(0)?;
    let reply = review.played.line.ply(1).map(|ply| ply.played);
    if review.verdict.is_bad() {
        return (reply == Some(first)).then_some(Answer::Ignores);
    }
    if !played.after.is_legal(first) {
        return Some(Answer::Parries);
    }
    let now = prover.search_among(&played.after, &[first])?.score;
    (threatened.raw() - now.raw() >= THREAT_CP).then_some(Answer::Parries)
}
