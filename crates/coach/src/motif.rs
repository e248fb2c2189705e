//! Tactical motifs of a line, without any search.
//!
//! The definitions are those of lichess's puzzle tagger (<https://github.com/ornicar/lichess-puzzler>,
//! `tagger/cook.py`), reimplemented, so that the results can be measured against the labels of millions of puzzles. A
//! motif found here is a pattern on the board; [`crate::proof`] checks whether it matters.

mod attacks;
mod defenders;
mod endings;
mod king;
mod mates;
mod special;
mod theme;

use shakmaty::Square;

use crate::line::Line;
pub(crate) use mates::pattern as mate_pattern;
pub use theme::Theme;

/// A motif and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motif {
    /// What it is.
    pub theme: Theme,
    /// The number of the move in the line ([`Line::ply`]) that shows it.
    pub ply: usize,
    /// The square of the piece that acts: the forking knight, the pinning bishop, the piece that mates.
    pub actor: Square,
    /// The squares it acts on: both forked pieces, the pinned one, the mated king.
    pub targets: Vec<Square>,
}

impl Motif {
    fn new(theme: Theme, ply: usize, actor: Square, targets: impl IntoIterator<Item = Square>) -> Motif {
        Motif { theme, ply, actor, targets: targets.into_iter().collect() }
    }
}

/// A detector: returns the first motif of its kind in the line.
type Detector = fn(&Line) -> Option<Motif>;

/// Detectors of independent motifs. Named mates, endings and attacks on a wing exclude each other and are handled
/// separately.
const DETECTORS: &[Detector] = &[
    special::advanced_pawn,
    special::double_check,
    special::en_passant,
    special::castling,
    special::promotion,
    special::under_promotion,
    special::sacrifice,
    special::quiet_move,
    special::defensive_move,
    attacks::fork,
    attacks::hanging_piece,
    attacks::discovered_attack,
    attacks::skewer,
    attacks::pin,
    attacks::trapped_piece,
    attacks::x_ray,
    defenders::attraction,
    defenders::deflection,
    defenders::interference,
    defenders::intermezzo,
    defenders::clearance,
    defenders::capturing_defender,
    king::exposed_king,
    king::attacking_f2_f7,
    endings::ending,
];

/// Patterns without a lichess label, all of a line; their proofs decide which of them matter.
pub fn find_unlabelled(line: &Line) -> Vec<Motif> {
    let mut found = attacks::relative_pins(line);
    found.extend(defenders::overloading(line));
    found
}

/// All motifs of a line that lichess labels, at most one of each theme.
pub fn find(line: &Line) -> Vec<Motif> {
    let mut found: Vec<Motif> = mates::mates(line);
    found.extend(DETECTORS.iter().filter_map(|detect| detect(line)));
    // A back-rank mate is not called an attack on a wing, nor is a fork that happens to give check.
    if !found.iter().any(|motif| matches!(motif.theme, Theme::BackRankMate | Theme::Fork)) {
        found.extend(king::wing_attack(line));
    }
    found
}
