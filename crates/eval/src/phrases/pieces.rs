//! The most and the least useful piece, for evaluations with a term for every piece.

use std::cmp::Ordering;
use std::str::FromStr;

use shakmaty::Square;

use super::pawns;
use super::reason::Side;
use crate::explain::Term;

/// From this many centipawns above or below the average of its kind on, a piece is mentioned.
const NOTABLE_CP: f64 = 25.0;

/// Pieces that are compared with each other: knights with bishops, too.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Minor,
    Rook,
    Queen,
}

struct Worth<'a> {
    kind: Kind,
    owner: Side,
    role: &'a str,
    square: Square,
    centipawns: f64,
}

impl Worth<'_> {
    fn of(term: &Term) -> Option<Worth<'_>> {
        let (role, square) = term.name.split_once(' ')?;
        let kind = match role {
            "knight" | "bishop" => Kind::Minor,
            "rook" => Kind::Rook,
            "queen" => Kind::Queen,
            _ => return None,
        };
        let square = Square::from_str(square).ok()?;
        let (owner, centipawns) =
            if term.black == 0.0 { (Side::White, term.white) } else { (Side::Black, term.black) };
        Some(Worth { kind, owner, role, square, centipawns })
    }

    /// `White's queen on e5 (5.86)`.
    fn name(&self) -> String {
        let Worth { owner, role, square, centipawns, .. } = self;
        let sign = if *centipawns <= -0.5 { "−" } else { "" };
        format!("{}'s {role} on {square} ({sign}{})", owner.name(), pawns(centipawns.round() as i32))
    }
}

/// ` For its kind, White's queen on e5 (5.86) is the most useful piece, Black's knight on b3 (0.85) the least.`
pub(super) fn most_and_least_useful(terms: &[Term]) -> String {
    let pieces: Vec<Worth<'_>> = terms.iter().filter_map(Worth::of).collect();
    let above_average = |piece: &Worth<'_>| {
        let alike = || pieces.iter().filter(|other| other.kind == piece.kind).map(|other| other.centipawns);
        piece.centipawns - alike().sum::<f64>() / alike().count() as f64
    };
    let notable = |direction: f64| {
        let by = |piece: &Worth<'_>| direction * above_average(piece);
        let first = |a: &&Worth<'_>, b: &&Worth<'_>| by(b).partial_cmp(&by(a)).unwrap_or(Ordering::Equal);
        // `min_by` takes the first of equals.
        pieces.iter().filter(|piece| by(piece) >= NOTABLE_CP).min_by(first).map(Worth::name)
    };
    match (notable(1.0), notable(-1.0)) {
        (Some(most), Some(least)) => {
            format!(" For its kind, {most} is the most useful piece, {least} the least.")
        }
        (Some(most), None) => format!(" For its kind, {most} is the most useful piece."),
        (None, Some(least)) => format!(" For its kind, {least} is the least useful piece."),
        (None, None) => String::new(),
    }
}
