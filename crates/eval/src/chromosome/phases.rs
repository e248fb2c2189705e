//! One set of weights for the whole game, or one for each phase.
//!
//! The phase depends on the pieces left: 24 points at the start (4 per queen, 2 per rook, 1 per minor piece). 24 points
//! are the opening, 12 the middlegame, 0 the endgame; between those, weights are interpolated.

use shakmaty::{Board, Role};

use super::genome::GENES;
use super::weights::{WeightError, Weights};

/// The phases' names in files, in the order of the flat genome.
pub const PHASE_NAMES: [&str; 3] = ["opening", "middlegame", "endgame"];

/// Points of all pieces at the start.
const ALL_POINTS: u32 = 24;

/// Points between two phases.
pub(super) const BETWEEN: u32 = ALL_POINTS / 2;

/// Points of a kind of piece.
const fn points(role: Role) -> u32 {
    match role {
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
        Role::Pawn | Role::King => 0,
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Phases {
    /// The same for the whole game.
    Single(Box<Weights>),
    /// Opening, middlegame and endgame.
    Three(Box<[Weights; 3]>),
}

/// The centre of every gene's range, for the whole game.
impl Default for Phases {
    fn default() -> Phases {
        Weights::default().into()
    }
}

impl From<Weights> for Phases {
    fn from(weights: Weights) -> Phases {
        Phases::Single(Box::new(weights))
    }
}

impl Phases {
    /// The sets of weights: one, or three.
    pub fn sets(&self) -> &[Weights] {
        match self {
            Phases::Single(weights) => std::slice::from_ref(&**weights),
            Phases::Three(three) => three.as_slice(),
        }
    }

    /// From a list in the order of the genome, once or three times.
    pub fn from_flat(flat: &[f64]) -> Result<Phases, WeightError> {
        if flat.len() != PHASE_NAMES.len() * GENES {
            return Weights::from_flat(flat).map(Phases::from);
        }
        let mut sets = flat.chunks(GENES).map(Weights::from_flat);
        let mut next = || sets.next().unwrap_or(Err(WeightError::Count { found: flat.len() }));
        Ok(Phases::Three(Box::new([next()?, next()?, next()?])))
    }

    /// All weights, phase by phase, each in the order of the genome.
    pub fn to_flat(&self) -> Vec<f64> {
        self.sets().iter().flat_map(Weights::to_flat).collect()
    }
}

/// The two of three sets that a board lies between, and the share of the first, out of [`BETWEEN`].
pub(super) fn between(board: &Board) -> (usize, usize, i64) {
    let found: u32 =
        Role::ALL.into_iter().map(|role| points(role) * board.by_role(role).count() as u32).sum();
    // Promotions can exceed the points of the start.
    let left = found.min(ALL_POINTS);
    match left.checked_sub(BETWEEN) {
        Some(beyond) => (0, 1, beyond.into()),
        None => (1, 2, left.into()),
    }
}
