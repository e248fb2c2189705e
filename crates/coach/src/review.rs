//! The review of a move: verdict, lines, and reasons that were proved.
//!
//! The input is a position and two analysed lines, the best move's and the played one's, from any source. Reasons are
//! [`Claim`]s with the line that shows them and the [`Evidence`] of their check. A claim that fails its check is
//! dropped.

mod claims;
mod draws;
mod reasons;
mod tables;
mod threat;

use shakmaty::{Chess, Color, Move, Position};
use tabia_core::Score;

pub use claims::{Allowed, Answer, Branch, Claim, Counted, Reason};

use crate::board;
use crate::exchange;
use crate::heading::{self, Comparison};
use crate::line::{Line, LineError};
use crate::outcome::{self, Outcome};
use crate::proof::Evidence;
use crate::prover::{Prover, Searched};
use crate::theory;
use crate::verdict::{self, Verdict};

/// Maximum number of half-moves considered of a line.
const LONGEST_LINE: usize = 24;
/// Half-moves by which a line is extended if it ends in the middle of an exchange.
const LENGTHENED: usize = 10;
/// Scores further out than this are not compared in centipawns.
const COMPARABLE_CP: i32 = 3_000;
/// What material may be worth beyond what the scores say before they contradict each other: so many centipawns, and this
/// share of the material in per cent.
const OVERSTATED_CP: i32 = 150;
const OVERSTATED_PERCENT: i32 = 20;

/// What is to be reviewed.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The position before the move.
    pub position: &'a Chess,
    /// The opponent's previous move with its position, if known: its capture is counted.
    pub before: Option<(&'a Chess, Move)>,
    /// The best move's line and its score for the mover.
    pub best: &'a Searched,
    /// The played move's line and its score for the mover. The same as `best` where the best move is asked about.
    pub played: &'a Searched,
    /// Whether to search for alternatives and threats as well.
    pub thorough: bool,
}

/// Why a move cannot be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// A line has no move.
    #[error("the line of the {0} move is empty")]
    Empty(&'static str),
    /// A line's first move is not legal.
    #[error(transparent)]
    Line(#[from] LineError),
}

/// A line with its outcome.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The moves from the reviewed position; the mover's line.
    pub line: Line,
    /// Its score for the mover.
    pub score: Score,
    /// Where it becomes quiet, if it does.
    pub outcome: Option<Outcome>,
    /// The first move of what was given that does not fit; the line ends before it.
    pub fault: Option<LineError>,
}

impl Explored {
    fn new(position: &Chess, searched: &Searched, prover: &mut dyn Prover) -> Result<Explored, ReviewError> {
        let moves = &searched.line[..searched.line.len().min(LONGEST_LINE)];
        let fault = Line::new(position, moves).err();
        let mut line = Line::legal_part(position, moves);
        if line.plies().is_empty() {
            return Err(fault.map_or(ReviewError::Empty("reviewed"), ReviewError::Line));
        }
        let mut outcome = outcome::follow(&line);
        let ends_at_once = outcome.as_ref().is_none_or(|outcome| outcome.plies < 2);
        let goes_on = line.last().is_some_and(|last| !last.after.legal_moves().is_empty());
        // A line that ends in the middle of an exchange, or after a single move, is extended by a search.
        if goes_on && (ends_at_once || line.plies().len() < 3) {
            line = lengthened(position, line, prover);
            outcome = outcome::follow(&line);
        }
        Ok(known_draw(position, &line).unwrap_or(Explored { line, score: searched.score, outcome, fault }))
    }

    /// The same, searched on from its end.
    fn lengthened(self, position: &Chess, prover: &mut dyn Prover) -> Explored {
        let line = lengthened(position, self.line, prover);
        Explored { outcome: outcome::follow(&line), line, ..self }
    }

    /// Half-moves that are shown: to the quiet end.
    pub fn shown(&self) -> usize {
        self.outcome.as_ref().map_or(self.line.plies().len(), |outcome| outcome.plies)
    }

    /// The moves to the quiet end.
    pub fn shown_moves(&self) -> Vec<Move> {
        self.line.plies()[..self.shown()].iter().map(|ply| ply.played).collect()
    }

    /// The position at the quiet end.
    pub fn end(&self) -> &Chess {
        let index = self.shown().max(1) - 1;
        &self.line.plies()[index].after
    }

    /// The first move.
    pub fn first(&self) -> Move {
        self.line.plies()[0].played
    }
}

/// A line with what a search finds after it.
fn lengthened(position: &Chess, line: Line, prover: &mut dyn Prover) -> Line {
    let end = line.last().map(|last| last.after.clone());
    let Some(more) = end.and_then(|end| prover.search(&end)) else { return line };
    let longer: Vec<Move> = line.moves().into_iter().chain(more.line.into_iter().take(LENGTHENED)).collect();
    Line::legal_part(position, &longer)
}

/// Whether the quiet ends of two lines differ by clearly more material than the scores do. Then a line stops where
/// something still hangs, or what is lost comes back: its material is no reason.
fn is_overstated(best: &Explored, played: &Explored, mover: Color) -> bool {
    let cp = |explored: &Explored| board::balance(explored.end().board(), mover) * 100;
    let (material, scores) = (cp(best) - cp(played), best.score.raw() - played.score.raw());
    material - scores > OVERSTATED_CP + material * OVERSTATED_PERCENT / 100
}

/// A line that reaches a theoretical draw which the search may not know, truncated there.
fn known_draw(position: &Chess, line: &Line) -> Option<Explored> {
    let index = line.plies().iter().position(|ply| theory::wrong_bishop(ply.after.board()).is_some())?;
    let moves: Vec<Move> = line.plies()[..=index].iter().map(|ply| ply.played).collect();
    let line = Line::legal_part(position, &moves);
    let outcome = outcome::follow(&line).filter(|outcome| outcome.plies == moves.len())?;
    Some(Explored { line, score: Score::DRAW, outcome: Some(outcome), fault: None })
}

/// A move reviewed.
#[derive(Clone, Debug)]
pub struct Review {
    /// The position before the move.
    pub position: Chess,
    /// Who moves.
    pub mover: Color,
    /// The played move's line.
    pub played: Explored,
    /// The best move's line.
    pub best: Explored,
    /// The verdict.
    pub verdict: Verdict,
    /// What was proved, the weightiest first.
    pub reasons: Vec<Reason>,
    /// The static difference between the quiet ends, played less best, as the mover sees it. For the best move itself:
    /// its quiet end less the position before it.
    pub comparison: Comparison,
    /// What the search adds beyond the static difference, in centipawns; none where a mate or a table decides.
    pub further_cp: Option<i32>,
    /// Whether the best move takes back what the opponent has just taken.
    pub best_recaptures: bool,
    /// Whether the played move does.
    pub played_recaptures: bool,
}

impl Review {
    /// What does not fit in the lines that were given; they were followed as far as they are legal.
    pub fn faults(&self) -> Vec<String> {
        let of = |name: &str, explored: &Explored| {
            explored.fault.as_ref().map(|fault| format!("the line of the {name} move: {fault}"))
        };
        let played = if self.is_best() { None } else { of("played", &self.played) };
        of("best", &self.best).into_iter().chain(played).collect()
    }

    /// Whether the best move was played.
    pub fn is_best(&self) -> bool {
        self.played.first() == self.best.first()
    }
}

/// Reviews a move.
pub fn review(subject: &Subject<'_>, prover: &mut dyn Prover) -> Result<Review, ReviewError> {
    let position = subject.position;
    let (best, played) = tables::corrected(subject, prover);
    let is_best = played.line.first() == best.line.first();
    let mut best = Explored::new(position, &best, prover)?;
    let mut played = if is_best { best.clone() } else { Explored::new(position, &played, prover)? };
    let verdict = Verdict::of(best.score, played.score, is_best);
    if verdict.is_bad() && is_overstated(&best, &played, position.turn()) {
        best = best.lengthened(position, prover);
        played = played.lengthened(position, prover);
    }
    // A good move is measured by what it changes, a bad one by what it loses against the best.
    let (comparison, search_cp) = if verdict.is_bad() {
        (heading::compare(played.end(), best.end(), position.turn()), difference(played.score, best.score))
    } else {
        (heading::compare(played.end(), position, position.turn()), None)
    };
    let mut review = Review {
        position: position.clone(),
        mover: position.turn(),
        further_cp: search_cp.map(|search| search - comparison.difference()),
        played,
        best,
        verdict,
        reasons: Vec::new(),
        comparison,
        best_recaptures: false,
        played_recaptures: false,
    };
    let takes_back = |first: Move| {
        subject.before.is_some_and(|(_, m)| m.is_capture() && first.is_capture() && m.to() == first.to())
    };
    review.best_recaptures = takes_back(review.best.first());
    review.played_recaptures = takes_back(review.played.first());
    review.reasons = reasons::find(subject, &review, prover);
    review.verdict = refined(&review, subject, prover);
    review.reasons.sort_by_key(|reason| (reason.rank(), -reason.worth_cp));
    Ok(review)
}

/// The difference of two scores in centipawns, where both are evaluations.
fn difference(a: Score, b: Score) -> Option<i32> {
    let comparable = |score: Score| score.raw().abs() <= COMPARABLE_CP;
    (comparable(a) && comparable(b)).then(|| a.raw() - b.raw())
}

/// Best moves that deserve more: moves without an alternative, and among them sound sacrifices and moves that are hard
/// to see.
fn refined(review: &Review, subject: &Subject<'_>, prover: &mut dyn Prover) -> Verdict {
    if review.verdict != Verdict::Best || !subject.thorough {
        return review.verdict;
    }
    let first = review.best.first();
    let others: Vec<Move> = review.position.legal_moves().into_iter().filter(|m| *m != first).collect();
    if others.is_empty() {
        return Verdict::OnlyMove;
    }
    let recaptures =
        subject.before.is_some_and(|(_, before)| before.to() == first.to()) && first.is_capture();
    let alternative = prover.search_among(&review.position, &others).map(|searched| searched.score);
    let loses = |score| verdict::loss(review.best.score, score) >= verdict::ONLY_MOVE;
    let sacrifices = review.reasons.iter().any(|reason| matches!(reason.claim, Claim::Sacrifice { .. }));
    match alternative {
        Some(score) if loses(score) && !recaptures && (sacrifices || is_hard_to_see(review)) => {
            Verdict::Brilliant
        }
        Some(score) if loses(score) && !recaptures => Verdict::OnlyMove,
        _ => Verdict::Best,
    }
}

/// A quiet move that leaves a tempting capture alone, not out of check and not with a piece that was attacked.
fn is_hard_to_see(review: &Review) -> bool {
    let Some(first) = review.best.line.ply(0) else { return false };
    let attackers = board::attackers(review.position.board(), review.mover.other(), first.from());
    let is_quiet = !first.is_capture() && !first.is_check() && !first.played.is_promotion();
    is_quiet && !review.position.is_check() && attackers.is_empty() && exchange::gain(&review.position) > 0
}

/// A reason with its evidence.
fn reason(claim: Claim, branch: Branch, worth_cp: i32, line: Vec<Move>, evidence: Evidence) -> Reason {
    Reason { claim, branch, worth_cp, line, evidence }
}
