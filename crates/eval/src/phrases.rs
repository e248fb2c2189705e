//! An explanation as one paragraph of plain English, made from the largest terms.
//!
//! ```text
//! White is better (+0.80), mainly because of space in the centre and the safer king. Black's passed pawns are worth
//! 0.40 in return.
//! ```
//!
//! It works with the terms of any evaluation: a name is its own phrase unless the `vocabulary` has a better one. A term
//! counts for the side that gains by it, which need not be the side it belongs to: with a negative weight, White gains
//! by *Black's doubled pawns*. Terms that mean the same to a player (three kinds of shelter) are merged. Where every
//! piece has a term of its own, the most and the least useful one are named. The same explanation always gives the same
//! paragraph.

mod pieces;
mod reason;
mod vocabulary;

use tabia_core::Score;

use crate::explain::Explanation;
use reason::{Reason, Side, of, reasons, selected};
use vocabulary::is_plural;

/// Below this a position is equal, in centipawns.
const LEVEL_CP: i32 = 10;
/// Upper bounds of "slightly better", "better" and "much better"; beyond, "far ahead".
const SLIGHTLY_BETTER_CP: i32 = 30;
const BETTER_CP: i32 = 150;
const MUCH_BETTER_CP: i32 = 400;

/// From this share of the total on, "mainly" is left out, in percent.
const ALL_PERCENT: i32 = 90;
/// Most reasons mentioned for the side that is better, and for the other.
const FOR: usize = 3;
const AGAINST: usize = 2;
/// Smallest compensation that is mentioned, in centipawns.
const TRIFLE_CP: i32 = 5;

/// One paragraph in plain English.
///
/// ```
/// use tabia_core::Score;
/// use tabia_eval::{Explanation, phrases};
///
/// let mate = Explanation { score: Score::mate_in_plies(3), ..Explanation::default() };
/// assert_eq!(phrases::paragraph(&mate), "White mates in 2 moves.");
/// ```
pub fn paragraph(explanation: &Explanation) -> String {
    let score = explanation.score;
    if let Some(verdict) = verdict(explanation) {
        return verdict;
    }
    let reasons = reasons(&explanation.terms);
    let balance = if score.raw().abs() < LEVEL_CP { level(&reasons) } else { uneven(score, &reasons) };
    balance + &pieces::most_and_least_useful(&explanation.terms)
}

/// Scores that need no reasons: mates, tablebase results and known draws.
fn verdict(explanation: &Explanation) -> Option<String> {
    let score = explanation.score;
    let winner = Side::gaining(score.raw()).name();
    if let Some(plies) = score.plies_to_mate() {
        // The winner makes the last ply.
        let moves = (plies.abs() + 1) / 2;
        return Some(match moves {
            0 => format!("{winner} has mated."),
            1 => format!("{winner} mates in 1 move."),
            _ => format!("{winner} mates in {moves} moves."),
        });
    }
    if score.is_decisive() {
        return Some(format!("{winner} wins according to the tablebases."));
    }
    let [term] = explanation.terms.as_slice() else { return None };
    term.name.to_lowercase().ends_with("draw").then(|| match score {
        Score::DRAW => format!("The position is a {}.", term.name),
        _ => format!("The position is a {}, counted as {} for {winner}.", term.name, pawns(score.raw())),
    })
}

fn level(reasons: &[Reason]) -> String {
    let white = selected(reasons, Side::White, AGAINST, 0);
    let black = selected(reasons, Side::Black, AGAINST, 0);
    match (white.as_slice(), black.as_slice()) {
        ([], []) => "The position is equal. No side has an advantage in any term.".to_owned(),
        (one, []) | ([], one) => {
            let are = if is_many(one) { "are" } else { "is" };
            format!("The position is about equal. {} {are} worth {}.", owned(one), pawns(sum(one)))
        }
        (white, black) => {
            let balance = if is_many(white) { "balance" } else { "balances" };
            format!(
                "The position is about equal. {} ({}) {balance} {} ({}).",
                owned(white),
                pawns(sum(white)),
                owned(black),
                pawns(sum(black))
            )
        }
    }
}

fn uneven(score: Score, reasons: &[Reason]) -> String {
    let side = Side::gaining(score.raw());
    let size = score.raw().abs();
    let degree = match () {
        () if size <= SLIGHTLY_BETTER_CP => "slightly better",
        () if size <= BETTER_CP => "better",
        () if size <= MUCH_BETTER_CP => "much better",
        () => "far ahead",
    };
    let (because, but) = (because(reasons, side), but(reasons, side.other()));
    format!("{} is {degree} ({}){because}.{but}", side.name(), signed_pawns(score.raw()))
}

/// `, mainly because of space and the safer king`.
fn because(reasons: &[Reason], side: Side) -> String {
    let selected = selected(reasons, side, FOR, 0);
    if selected.is_empty() {
        return String::new();
    }
    let all: i32 = of(reasons, side).map(|reason| reason.centipawns).sum();
    let is_all = sum(&selected).abs() * 100 >= all.abs() * ALL_PERCENT;
    let mainly = if is_all { "" } else { "mainly " };
    format!(", {mainly}because of {}", gains(&selected, side))
}

/// ` Black's passed pawns are worth 0.40 in return.`
fn but(reasons: &[Reason], other: Side) -> String {
    let selected = selected(reasons, other, AGAINST, TRIFLE_CP);
    if selected.is_empty() {
        return String::new();
    }
    let are = if is_many(&selected) { "are" } else { "is" };
    format!(" {} {are} worth {} in return.", owned(&selected), pawns(sum(&selected)))
}

fn sum(reasons: &[&Reason]) -> i32 {
    reasons.iter().map(|reason| reason.centipawns).sum()
}

fn is_many(reasons: &[&Reason]) -> bool {
    reasons.len() > 1 || reasons.iter().any(|reason| is_plural(&reason.phrase.noun))
}

/// `more material, space and Black's doubled pawns`.
fn gains(reasons: &[&Reason], side: Side) -> String {
    let (own, others): (Vec<&Reason>, Vec<&Reason>) =
        reasons.iter().partition(|reason| reason.owner() == side);
    let own = own.iter().map(|reason| reason.phrase.lead.clone());
    list(&own.chain(owned_each(&others)).collect::<Vec<_>>())
}

/// `Black's passed pawns and mobility`.
fn owned(reasons: &[&Reason]) -> String {
    list(&owned_each(reasons))
}

/// Reasons with their owner, who is named once in a row.
fn owned_each(reasons: &[&Reason]) -> Vec<String> {
    let mut before = None;
    let mut named = Vec::with_capacity(reasons.len());
    for reason in reasons {
        let (owner, noun) = (reason.owner(), &reason.phrase.noun);
        named.push(if before == Some(owner) { noun.clone() } else { format!("{}'s {noun}", owner.name()) });
        before = Some(owner);
    }
    named
}

/// `a, b and c`.
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// In White's view, with a sign.
fn signed_pawns(centipawns: i32) -> String {
    format!("{}{}", if centipawns < 0 { '−' } else { '+' }, pawns(centipawns))
}

fn pawns(centipawns: i32) -> String {
    format!("{:.2}", f64::from(centipawns.abs()) / 100.0)
}

#[cfg(test)]
mod tests;
