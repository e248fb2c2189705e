//! Claims about a move.

use shakmaty::{Color, Move, Square};

use tabia_search::engine::tablebases::TablebaseResult;

use crate::heading::Change;
use crate::motif::{Motif, Theme};
use crate::outcome::{Balance, End};
use crate::proof::Evidence;

/// Which line a reason is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Branch {
    /// The played move's.
    Played,
    /// The best move's.
    Best,
    /// What follows when the mover passes.
    Passed,
}

/// A statement about the board. Its line, which begins in the reviewed position, shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// A side mates by force.
    Mate {
        /// Who mates.
        winner: Color,
        /// In how many of its moves.
        moves: u32,
        /// The pattern at the end, if it has a name.
        pattern: Option<Theme>,
    },
    /// The line changes the material.
    Material {
        /// Who gains or loses.
        side: Color,
        /// What.
        balance: Balance,
        /// Against which position.
        counted: Counted,
    },
    /// The line ends the game without a winner.
    Draw {
        /// How.
        end: End,
    },
    /// An ending that is drawn although a side is a bishop and a pawn ahead: the bishop does not control the corner.
    WrongBishop {
        /// The side that cannot win.
        side: Color,
        /// Where its pawn would promote.
        corner: Square,
    },
    /// Endgame tables know the result, for the mover.
    Tablebase {
        /// After the line.
        result: TablebaseResult,
        /// With the best move, or with the worst one where the move is good.
        instead: Option<TablebaseResult>,
    },
    /// A motif makes the line work.
    Motif {
        /// Whose it is.
        by: Color,
        /// What and where; its move is counted from the reviewed position.
        motif: Motif,
    },
    /// Material is given up, and the line is good all the same.
    Sacrifice {
        /// The piece that is given.
        role: shakmaty::Role,
        /// Where it is taken.
        square: Square,
    },
    /// The opponent would have done something, had the mover passed.
    Threat {
        /// The first move of it.
        first: Move,
        /// What it gains, seen by the side that threatens; nothing where it mates.
        balance: Balance,
        /// In how many moves it mates, if it does.
        mate: Option<u32>,
        /// How the played move answers it.
        answer: Answer,
    },
    /// The move makes a capture possible, or makes it pay, that did not before.
    Allows {
        /// How.
        how: Allowed,
        /// Where the opponent takes.
        square: Square,
    },
    /// A piece is given for an attack on the king, and no check that follows makes up for it; the third move of the line is
    /// one.
    FollowUpFails,
    /// The opponent would be better off if it did not have to move.
    Zugzwang,
    /// Terms of the evaluation differ.
    Positional(Change),
}

/// The position that material is compared with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The reviewed position.
    Start,
    /// The position before the opponent's last capture.
    BeforeCapture,
}

/// How a move makes a capture possible.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// The moved piece guarded what is taken, and does not any more.
    Unguarded,
    /// The moved piece stood between the attacker and what is taken.
    Opened,
}

/// How a move answers a threat.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is still there and is carried out.
    Ignores,
    /// It is gone or does not pay any more.
    Parries,
    /// No move was asked about.
    Open,
}

/// A claim with its proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// What is claimed.
    pub claim: Claim,
    /// Of which line.
    pub branch: Branch,
    /// How much it is worth, in centipawns.
    pub worth_cp: i32,
    /// The line that shows it, from the reviewed position. For a threat, from the position with the move passed.
    pub line: Vec<Move>,
    /// How it was checked.
    pub evidence: Evidence,
}

impl Reason {
    /// Its kind in documents.
    pub const fn kind(&self) -> &'static str {
        match self.claim {
            Claim::Mate { .. }
            | Claim::Material { .. }
            | Claim::Draw { .. }
            | Claim::WrongBishop { .. }
            | Claim::Tablebase { .. } => "outcome",
            Claim::Motif { .. } | Claim::Sacrifice { .. } | Claim::Zugzwang => "motif",
            Claim::Threat { .. } | Claim::Allows { .. } | Claim::FollowUpFails => "threat",
            Claim::Positional(_) => "positional",
        }
    }

    /// Outcomes come first, then what makes them work.
    pub(super) const fn rank(&self) -> u8 {
        match self.claim {
            Claim::Mate { .. } | Claim::Tablebase { .. } => 0,
            Claim::Material { .. } | Claim::Draw { .. } | Claim::WrongBishop { .. } => 1,
            Claim::Motif { .. } | Claim::Sacrifice { .. } | Claim::Zugzwang => 2,
            Claim::Threat { .. } | Claim::Allows { .. } | Claim::FollowUpFails => 3,
            Claim::Positional(_) => 4,
        }
    }

    /// In how many moves it mates, where that is what it is about.
    pub const fn mate(&self) -> Option<u32> {
        match self.claim {
            Claim::Mate { moves, .. } => Some(moves),
            Claim::Threat { mate, .. } => mate,
            _ => None,
        }
    }

    /// What the move does about a threat, in documents.
    pub const fn answer(&self) -> Option<&'static str> {
        match self.claim {
            Claim::Threat { answer: Answer::Parries, .. } => Some("parries"),
            Claim::Threat { answer: Answer::Ignores, .. } => Some("ignores"),
            Claim::Allows { .. } => Some("allows"),
            _ => None,
        }
    }

    /// The name of its motif in documents.
    pub const fn motif(&self) -> Option<&'static str> {
        match &self.claim {
            Claim::Motif { motif, .. } => Some(motif.theme.name()),
            Claim::Mate { pattern: Some(pattern), .. } => Some(pattern.name()),
            Claim::Sacrifice { .. } => Some("sacrifice"),
            Claim::Zugzwang => Some("zugzwang"),
            Claim::Draw { end: End::PerpetualCheck(_) } => Some("perpetualCheck"),
            Claim::Draw { end: End::Stalemate } => Some("stalemate"),
            _ => None,
        }
    }
}
