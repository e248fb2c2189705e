//! Finds and proves the reasons for a verdict.

use shakmaty::{Chess, Color, Move, Position, Role};
use tabia_core::Score;

use super::claims::{Branch, Claim, Counted, Reason};
use super::{Explored, Review, Subject, is_overstated, reason};
use super::{draws, tables, threat};
use crate::board;
use crate::line::Line;
use crate::motif::{self, Motif, Theme};
use crate::outcome::{Balance, End};
use crate::proof::{self, Check, Evidence};
use crate::prover::Prover;
use crate::verdict::{self, Verdict};

/// Worth of a forced mate, in centipawns.
const MATE_CP: i32 = 10_000;
/// Positional differences below this are noise, in centipawns.
const POSITIONAL_CP: i32 = 12;
/// Passing must be better by this much for zugzwang, in centipawns.
const ZUGZWANG_CP: i32 = 100;
/// Zugzwang is looked for with at most this many pieces and pawns.
const ZUGZWANG_PIECES: usize = 14;
/// Being this many pawns down in the middle of a good line is a sacrifice.
const SACRIFICE: i32 = 2;
/// Scores from here on are good enough for a sacrifice to be sound, in centipawns.
const SOUND_CP: i32 = -50;

/// Everything that can be proved about the move.
pub(super) fn find(subject: &Subject<'_>, review: &Review, prover: &mut dyn Prover) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if review.verdict.is_bad() {
        let lost = against(subject, review, &mut reasons, prover);
        let missed = missed(subject, review, &mut reasons, prover);
        if !missed {
            only_defence(review, &mut reasons, prover);
        }
        draws::find(review, lost || missed, &mut reasons, prover);
    } else {
        in_favour(subject, review, &mut reasons, prover);
        zugzwang(review, &mut reasons, prover);
        draws::find(review, false, &mut reasons, prover);
    }
    tables::find(review, &mut reasons, prover);
    if subject.thorough || review.verdict.is_bad() {
        let asked = subject.thorough || !review.is_best();
        reasons.extend(threat::find(review, asked, prover));
    }
    positional(review, &mut reasons);
    reasons
}

/// The material that a line changes for the mover, and what it is counted from; nothing where it never becomes quiet.
///
/// Counted from the reviewed position, so that the line shows it. What a good move takes back in the middle of an exchange
/// is no gain: there it is counted from before the opponent's capture.
fn change(subject: &Subject<'_>, review: &Review, explored: &Explored) -> Option<(Balance, Counted)> {
    if explored.outcome.as_ref()?.end != End::Quiet {
        return None;
    }
    let (start, counted) = match subject.before {
        Some((before, m)) if m.is_capture() && !review.verdict.is_bad() => (before, Counted::BeforeCapture),
        _ => (&review.position, Counted::Start),
    };
    Some((Balance::between(start, explored.end(), review.mover), counted))
}

/// What the opponent gains by the played move.
fn against(
    subject: &Subject<'_>,
    review: &Review,
    reasons: &mut Vec<Reason>,
    prover: &mut dyn Prover,
) -> bool {
    let opponent = review.mover.other();
    let Some(line) = replies(review) else { return false };
    if mate(&review.played, Branch::Played, opponent, reasons, prover) {
        motifs(&line, Branch::Played, MATE_CP, reasons, prover);
        return true;
    }
    let Some((played, counted)) = change(subject, review, &review.played) else { return false };
    let best = change(subject, review, &review.best).map_or(0, |(best, _)| best.net);
    if played.net >= 0 || best <= played.net || is_overstated(&review.best, &review.played, review.mover) {
        return false;
    }
    let worth = -played.net * 100;
    material(&review.played, Branch::Played, review.mover, (played, counted), reasons);
    motifs(&line, Branch::Played, worth, reasons, prover);
    reasons.extend(threat::allowed(review));
    reasons.extend(follow_up(review, prover));
    true
}

/// The move gives up a piece for an attack on the king, and no check after it saves it.
fn follow_up(review: &Review, prover: &mut dyn Prover) -> Option<Reason> {
    let (moved, reply) = (review.played.line.ply(0)?, review.played.line.ply(1)?);
    let is_given = reply.is_capture() && reply.to() == moved.to() && moved.role() != Role::Pawn;
    if !is_given || !(moved.is_check() || reply.role() == Role::King) {
        return None;
    }
    // An even trade gives nothing up.
    if Balance::between(&review.position, &reply.after, review.mover).net >= 0 {
        return None;
    }
    let is_check = |m: &Move| {
        let mut after = reply.after.clone();
        after.play_unchecked(*m);
        after.is_check()
    };
    let checks: Vec<Move> = reply.after.legal_moves().into_iter().filter(is_check).collect();
    if checks.is_empty() {
        return None;
    }
    let searched = prover.search_among(&reply.after, &checks)?;
    let still_bad = verdict::mark(review.best.score, searched.score).is_some();
    // A player looks at the knight's check first, as in the Greek gift. No check is better than the best one.
    let by_knight: Vec<Move> = checks.into_iter().filter(|m| m.role() == Role::Knight).collect();
    let shown = if by_knight.is_empty() { None } else { prover.search_among(&reply.after, &by_knight) };
    let shown = shown.filter(|shown| shown.line.len() > 1).unwrap_or_else(|| searched.clone());
    let [check, answer, ..] = shown.line.as_slice() else { return None };
    // What is shown after the line must not be in it already.
    let next = review.played.line.ply(2).filter(|_| review.played.shown() > 2);
    if next.is_some_and(|next| next.played == *check) {
        return None;
    }
    let evidence = Evidence {
        check: Check::Searched,
        actual_cp: review.best.score.raw(),
        counterfactual_cp: searched.score.raw(),
    };
    let line = vec![moved.played, reply.played, *check, *answer];
    let worth = board::value(moved.role()) * 100;
    still_bad.then(|| reason(Claim::FollowUpFails, Branch::Played, worth, line, evidence))
}

/// After a blunder: every other move would have been one too.
fn only_defence(review: &Review, reasons: &mut Vec<Reason>, prover: &mut dyn Prover) {
    let (best, played) = (&review.best, &review.played);
    let is_blunder = |score| verdict::loss(best.score, score) >= verdict::ONLY_MOVE;
    if review.best_recaptures || best.score.is_decisive() || !is_blunder(played.score) {
        return;
    }
    let known = [best.first(), played.first()];
    let others: Vec<Move> =
        review.position.legal_moves().into_iter().filter(|m| !known.contains(m)).collect();
    if others.is_empty() {
        return;
    }
    let Some(other) = prover.search_among(&review.position, &others).map(|searched| searched.score) else {
        return;
    };
    if is_blunder(other) {
        let Some(ply) = best.line.ply(0) else { return };
        let motif = Motif { theme: Theme::DefensiveMove, ply: 0, actor: ply.to(), targets: Vec::new() };
        let evidence = Evidence {
            check: Check::Searched,
            actual_cp: best.score.raw(),
            counterfactual_cp: other.max(played.score).raw(),
        };
        let worth = (evidence.actual_cp - evidence.counterfactual_cp).clamp(0, MATE_CP);
        let claim = Claim::Motif { by: review.mover, motif };
        reasons.push(reason(claim, Branch::Best, worth, vec![best.first()], evidence));
    }
}

/// What the mover could have gained by the best move.
fn missed(
    subject: &Subject<'_>,
    review: &Review,
    reasons: &mut Vec<Reason>,
    prover: &mut dyn Prover,
) -> bool {
    if review.best.score.is_mate() && review.played.score.is_mate() && review.played.score > Score::DRAW {
        return false;
    }
    let Ok(line) = Line::new(&review.position, &review.best.shown_moves()) else { return false };
    if mate(&review.best, Branch::Best, review.mover, reasons, prover) {
        motifs(&line, Branch::Best, MATE_CP, reasons, prover);
        return true;
    }
    // Both take back what was just taken: the difference is not what is won by it.
    if review.best_recaptures && review.played_recaptures {
        return false;
    }
    let Some((best, counted)) = change(subject, review, &review.best) else { return false };
    let played = change(subject, review, &review.played).map_or(i32::MAX, |(played, _)| played.net);
    if best.net <= 0 || played >= best.net || is_overstated(&review.best, &review.played, review.mover) {
        return false;
    }
    let worth = best.net * 100;
    material(&review.best, Branch::Best, review.mover, (best, counted), reasons);
    motifs(&line, Branch::Best, worth, reasons, prover);
    true
}

/// What a good move gains.
fn in_favour(subject: &Subject<'_>, review: &Review, reasons: &mut Vec<Reason>, prover: &mut dyn Prover) {
    let played = &review.played;
    let gained = change(subject, review, played).filter(|(balance, _)| balance.net > 0);
    let worth = if mate(played, Branch::Played, review.mover, reasons, prover) {
        MATE_CP
    } else if let Some(gained) = gained {
        let worth = gained.0.net * 100;
        material(played, Branch::Played, review.mover, gained, reasons);
        worth
    } else {
        0
    };
    let line = Line::new(&review.position, &played.shown_moves());
    if let (Ok(line), true) = (line, worth > 0) {
        motifs(&line, Branch::Played, worth, reasons, prover);
    }
    sacrifice(review, reasons);
}

/// The played move and what follows, as the opponent's line.
fn replies(review: &Review) -> Option<Line> {
    Line::after_opponents_move(&review.position, &review.played.shown_moves()).ok()
}

fn material(
    explored: &Explored,
    branch: Branch,
    side: Color,
    (balance, counted): (Balance, Counted),
    reasons: &mut Vec<Reason>,
) {
    let worth = balance.net.abs() * 100;
    let evidence = Evidence::pawns(Check::LinePlayed, balance.net, 0);
    let claim = Claim::Material { side, balance, counted };
    reasons.push(reason(claim, branch, worth, explored.shown_moves(), evidence));
}

/// A mate that the score announces, proved by a full-width search or by the line itself.
fn mate(
    explored: &Explored,
    branch: Branch,
    winner: Color,
    reasons: &mut Vec<Reason>,
    prover: &mut dyn Prover,
) -> bool {
    let mover = explored.line.player();
    let Some(plies) = explored.score.plies_to_mate() else { return false };
    if (plies > 0) != (winner == mover) || plies == 0 {
        return false;
    }
    // The winner's moves: the mover's own first move counts only for the mover.
    let moves = if winner == mover { (plies as u32).div_ceil(2) } else { plies.unsigned_abs() / 2 };
    let Some(first) = explored.line.ply(0) else { return false };
    let line_mates =
        explored.line.last().is_some_and(|last| last.after.is_checkmate() && last.mover() == winner);
    let proved = if winner == mover {
        first.after.is_checkmate() || moves == 1 && line_mates || is_mated(&first.after, moves - 1, prover)
    } else {
        prover.mates(&first.after, moves) == Some(true)
    };
    if !proved && !line_mates {
        return false;
    }
    let end = explored.line.last().filter(|_| line_mates);
    let pattern = end.and_then(|last| {
        let king = last.after.board().king_of(winner.other())?;
        motif::mate_pattern(last, king)
    });
    let check = if proved { Check::FullWidthMate } else { Check::LinePlayed };
    let evidence = Evidence { check, actual_cp: explored.score.raw(), counterfactual_cp: 0 };
    let claim = Claim::Mate { winner, moves, pattern };
    reasons.push(reason(claim, branch, MATE_CP, explored.shown_moves(), evidence));
    true
}

/// Whether every reply is mated within so many moves.
fn is_mated(position: &Chess, moves: u32, prover: &mut dyn Prover) -> bool {
    moves > 0
        && position.legal_moves().into_iter().all(|reply| {
            let mut after = position.clone();
            after.play_unchecked(reply);
            prover.mates(&after, moves) == Some(true)
        })
}

/// The motifs of a line that pass their proofs.
fn motifs(line: &Line, branch: Branch, worth: i32, reasons: &mut Vec<Reason>, prover: &mut dyn Prover) {
    let moves: Vec<Move> = line.plies().iter().map(|ply| ply.played).collect();
    let mut proved: Vec<Theme> = Vec::new();
    for motif in motif::find(line).into_iter().chain(motif::find_unlabelled(line)) {
        if proved.contains(&motif.theme) {
            continue;
        }
        if let Some(evidence) = proof::prove(&motif, line, prover) {
            proved.push(motif.theme);
            let claim = Claim::Motif { by: line.player(), motif };
            reasons.push(reason(claim, branch, worth, moves.clone(), evidence));
        }
    }
}

/// Material is given in the middle of a line that is good all the same. A capture that pays for itself is none.
fn sacrifice(review: &Review, reasons: &mut Vec<Reason>) {
    let (played, mover) = (&review.played, review.mover);
    if played.score.raw() < SOUND_CP {
        return;
    }
    let initial = board::balance(review.position.board(), mover);
    // Down after the opponent took and the mover did not win it back with the next move.
    let given = played.line.follow_ups().find(|follow| {
        follow.reply.is_capture() && board::balance(follow.ply.after.board(), mover) - initial <= -SACRIFICE
    });
    let Some(given) = given else { return };
    let (Some(role), true) = (given.reply.taken_on_destination(), given.reply.to() == given.earlier.to())
    else {
        return;
    };
    if role == Role::Pawn {
        return;
    }
    let moves: Vec<Move> = played.line.plies()[..=given.index].iter().map(|ply| ply.played).collect();
    let evidence = Evidence {
        check: Check::LinePlayed,
        actual_cp: played.score.raw(),
        counterfactual_cp: (board::balance(given.ply.after.board(), mover) - initial) * 100,
    };
    let claim = Claim::Sacrifice { role, square: given.reply.to() };
    reasons.push(reason(claim, Branch::Played, board::value(role) * 100, moves, evidence));
}

/// The opponent, to move, would rather pass.
fn zugzwang(review: &Review, reasons: &mut Vec<Reason>, prover: &mut dyn Prover) {
    let Some(first) = review.played.line.ply(0) else { return };
    if first.after.board().occupied().count() > ZUGZWANG_PIECES || first.after.legal_moves().is_empty() {
        return;
    }
    let Some(passed) = threat::pass(&first.after) else { return };
    let (Some(moving), Some(passing)) = (prover.search(&first.after), prover.search(&passed)) else { return };
    // Both for the mover: after the opponent has to move, and with the move itself.
    let (moving, passing) = (-moving.score.raw(), passing.score.raw());
    if moving - passing >= ZUGZWANG_CP && moving >= ZUGZWANG_CP {
        let evidence = Evidence { check: Check::MovePassed, actual_cp: moving, counterfactual_cp: passing };
        reasons.push(reason(
            Claim::Zugzwang,
            Branch::Played,
            (moving - passing).min(MATE_CP),
            review.played.shown_moves(),
            evidence,
        ));
    }
}

/// Differences in the terms of the evaluation, where they go the way of the verdict.
fn positional(review: &Review, reasons: &mut Vec<Reason>) {
    let (branch, line) = (Branch::Played, review.played.shown_moves());
    // With mates and won material in the line, placement is no reason.
    let decisive = |score: Score| score.is_decisive();
    if decisive(review.played.score) || decisive(review.best.score) {
        return;
    }
    let sign = if review.verdict.is_bad() { -1 } else { 1 };
    if review.verdict == Verdict::Good && review.comparison.difference() < 0 {
        return;
    }
    for change in &review.comparison.changes {
        let is_positional =
            !matches!(change.heading, crate::heading::Heading::Material | crate::heading::Heading::Other);
        // The side to move at the end of a line is not a merit of the line.
        let is_tempo = change.leading.as_ref().is_some_and(|(name, _)| name == "tempo");
        if is_positional && !is_tempo && change.cp * sign >= POSITIONAL_CP {
            let evidence = Evidence {
                check: Check::StaticTerms,
                actual_cp: review.comparison.first_cp,
                counterfactual_cp: review.comparison.second_cp,
            };
            let worth = change.cp.abs();
            reasons.push(reason(Claim::Positional(change.clone()), branch, worth, line.clone(), evidence));
        }
    }
}
