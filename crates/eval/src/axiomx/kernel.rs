//! Kernels: how much influence a piece has on a square, by its role and by how far away the square is.
//!
//! Influence is kept in fixed point, [`ONE`] units to one influence. Sums of integers do not depend on the order
//! they are taken in: so swapping colours negates the score to the last bit, on every machine. The seed's whole
//! numbers are exact; a power of a decay is off by half a unit at most, and the whole evaluation by a few
//! thousandths of a centipawn.
//!
//! Nothing overflows 32 bits. Whatever stands on a board, a square receives at most ten from each of eight rays
//! (what ends a ray is on it), six from each of eight knights, and some sixty from kings and pawns: below 220.
//! Control quadruples it at most and weighs all squares with 120: 220 · 4 · 120 · [`ONE`] < 2³¹.

use shakmaty::Role;

use super::options::{Kernels, Options};
use crate::pst::FULL_PHASE;

/// Units of one influence. With twenty thousand, no number of the seed's kernels lies halfway between two units.
pub(super) const ONE: i32 = 20_000;

/// Distances on a board: from zero to seven king's steps.
pub(super) const DISTANCES: usize = 8;

/// The influence of each role, in units of [`ONE`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Kernel {
    /// By role, then by distance in king's steps: zero is the piece's own square. Of a pawn's neighbours, the
    /// two it attacks.
    reach: [[i32; DISTANCES]; 6],
    /// The square before a pawn.
    pub pawn_push: i32,
    /// Whether the square before a pawn must be empty.
    pub push_needs_room: bool,
    /// Whether kings reach beyond their neighbours.
    pub king_reaches_far: bool,
}

impl Kernel {
    /// What one role gives, by distance.
    #[inline]
    pub fn reach(&self, role: Role) -> &[i32; DISTANCES] {
        &self.reach[role as usize - Role::Pawn as usize]
    }
}

/// The weights of a kernel in a row: a pawn's own square, diagonals and push; a knight's own square and jumps; bishop,
/// rook and queen from one step to seven; a king's own square, its neighbours, and the squares around those.
pub(super) mod entry {
    pub const PAWN_OWN: usize = 0;
    pub const PAWN_DIAGONAL: usize = 1;
    pub const PAWN_PUSH: usize = 2;
    pub const KNIGHT_OWN: usize = 3;
    pub const KNIGHT_JUMP: usize = 4;
    /// The first step; bishop, rook, queen, seven each.
    pub const RAYS: usize = 5;
    pub const STEPS: usize = 7;
    pub const KING: usize = RAYS + 3 * STEPS;
    pub const COUNT: usize = KING + 3;
}

impl Kernel {
    /// A kernel of entry indices: scattering it tells which entry falls on which square.
    pub fn of_entries(push_needs_room: bool) -> Kernel {
        let mut reach = [[0; DISTANCES]; 6];
        (reach[0][0], reach[0][1]) = (entry::PAWN_OWN as i32, entry::PAWN_DIAGONAL as i32);
        (reach[1][0], reach[1][2]) = (entry::KNIGHT_OWN as i32, entry::KNIGHT_JUMP as i32);
        let row = |first: usize, steps: usize, role: &mut [i32]| {
            for (here, entry) in role.iter_mut().zip(first..first + steps) {
                *here = entry as i32;
            }
        };
        for (ray, role) in reach[2..5].iter_mut().enumerate() {
            row(entry::RAYS + ray * entry::STEPS, entry::STEPS, &mut role[1..]);
        }
        row(entry::KING, 3, &mut reach[5]);
        Kernel { reach, pawn_push: entry::PAWN_PUSH as i32, push_needs_room, king_reaches_far: true }
    }
}

/// The kernels at both ends of a game.
#[derive(Copy, Clone, Debug)]
pub(super) struct Phases {
    /// With all pieces on the board.
    pub opening: Kernel,
    /// With all pieces gone; as in the opening unless kernels follow the phase.
    pub endgame: Kernel,
}

impl Phases {
    /// The kernels that the options describe.
    pub fn of(options: &Options) -> Phases {
        let [opening, endgame] = Profile::of(options);
        Phases { opening: opening.kernel(options), endgame: endgame.kernel(options) }
    }

    /// The kernel of a phase: that many parts of [`FULL_PHASE`] from the opening, the rest from the endgame.
    #[inline]
    pub fn at(&self, phase: i32) -> Kernel {
        let mix = |early: i32, late: i32| (early * phase + late * (FULL_PHASE - phase)) / FULL_PHASE;
        let Phases { opening, endgame } = self;
        let mut kernel = *opening;
        for (early, late) in kernel.reach.as_flattened_mut().iter_mut().zip(endgame.reach.as_flattened()) {
            *early = mix(*early, *late);
        }
        kernel.pawn_push = mix(opening.pawn_push, endgame.pawn_push);
        kernel.king_reaches_far |= endgame.king_reaches_far;
        kernel
    }
}

/// The weights a kernel is made from, in influences.
#[derive(Copy, Clone, Debug)]
pub(super) struct Profile {
    pub pawn_own: f64,
    pub pawn_push: f64,
    pub pawn_diagonal: f64,
    pub push_needs_room: bool,
    pub knight_own: f64,
    pub knight_jump: f64,
    pub bishop: Ray,
    pub rook: Ray,
    pub queen: Ray,
    pub king: King,
}

/// Influence along a ray.
#[derive(Copy, Clone, Debug)]
pub(super) struct Ray {
    /// At no distance (the seed's I₀).
    pub strength: f64,
    /// What is left of it after each step (the seed's λ).
    pub decay: f64,
    /// Whether the first step decays too: λ^d, else λ^(d−1).
    pub first_step_decays: bool,
}

/// Influence of a king.
#[derive(Copy, Clone, Debug)]
pub(super) struct King {
    pub own: f64,
    /// Its neighbours.
    pub near: f64,
    /// The sixteen squares around its neighbours.
    pub far: f64,
}

impl Profile {
    /// Seed 000 §3.1.3; strengths of rays and the king from the public code, the text giving none.
    const DOC: Profile = Profile {
        pawn_own: 5.0,
        pawn_push: 4.0,
        pawn_diagonal: 2.0,
        push_needs_room: false,
        knight_own: 10.0,
        knight_jump: 3.0,
        bishop: Ray { strength: 5.0, decay: 0.7, first_step_decays: true },
        rook: Ray { strength: 7.0, decay: 0.8, first_step_decays: true },
        queen: Ray { strength: 10.0, decay: 0.9, first_step_decays: true },
        king: King { own: 0.0, near: 8.0, far: 0.0 },
    };

    /// The public code behind the seed.
    const CODE: Profile = Profile {
        pawn_own: 0.0,
        pawn_push: 2.0,
        pawn_diagonal: 4.0,
        push_needs_room: true,
        knight_own: 0.0,
        knight_jump: 6.0,
        bishop: Ray { first_step_decays: false, ..Profile::DOC.bishop },
        rook: Ray { first_step_decays: false, ..Profile::DOC.rook },
        queen: Ray { first_step_decays: false, ..Profile::DOC.queen },
        king: Profile::DOC.king,
    };

    /// Safety first: the king guards its neighbours with half its strength, and its own square is a target. Since
    /// control weighs the centre most, the target weighs least at home.
    const OPENING_KING: King = King { own: -10.0, near: 4.0, far: 0.0 };

    /// Active: more squares, most of them where no edge cuts them off.
    const ENDGAME_KING: King = King { own: 5.0, near: 8.0, far: 4.0 };

    /// Factor of a pawn's push in the endgame.
    const ENDGAME_PUSH: f64 = 2.0;

    /// On an open board bishops and rooks lose less along a ray.
    const ENDGAME_BISHOP_DECAY: f64 = 0.8;
    const ENDGAME_ROOK_DECAY: f64 = 0.9;

    /// The weights at both ends of a game.
    pub fn of(options: &Options) -> [Profile; 2] {
        let profile = match options.kernels {
            Kernels::Doc => Profile::DOC,
            Kernels::Code => Profile::CODE,
        };
        if options.phase { [profile.opening(), profile.endgame()] } else { [profile, profile] }
    }

    fn opening(self) -> Profile {
        Profile { king: Profile::OPENING_KING, ..self }
    }

    fn endgame(self) -> Profile {
        Profile {
            pawn_push: self.pawn_push * Profile::ENDGAME_PUSH,
            bishop: Ray { decay: Profile::ENDGAME_BISHOP_DECAY, ..self.bishop },
            rook: Ray { decay: Profile::ENDGAME_ROOK_DECAY, ..self.rook },
            king: Profile::ENDGAME_KING,
            ..self
        }
    }

    pub fn kernel(&self, options: &Options) -> Kernel {
        let share = |distance| options.multiscale.map_or(1.0, |scales| scales.share(distance));
        let scaled = |reach: [f64; DISTANCES]| {
            std::array::from_fn(|distance| fixed(reach[distance] * share(distance)))
        };
        Kernel {
            reach: [
                [self.pawn_own, self.pawn_diagonal, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                // A jump ends two king's steps away.
                [self.knight_own, 0.0, self.knight_jump, 0.0, 0.0, 0.0, 0.0, 0.0],
                self.bishop.reach(),
                self.rook.reach(),
                self.queen.reach(),
                [self.king.own, self.king.near, self.king.far, 0.0, 0.0, 0.0, 0.0, 0.0],
            ]
            .map(scaled),
            pawn_push: fixed(self.pawn_push * share(1)),
            push_needs_room: self.push_needs_room,
            king_reaches_far: self.king.far * share(2) != 0.0,
        }
    }
}

impl Ray {
    /// Repeated multiplication: the last bit of a power function may differ between machines.
    fn reach(self) -> [f64; DISTANCES] {
        let mut reach = [0.0; DISTANCES];
        let mut left = if self.first_step_decays { self.strength * self.decay } else { self.strength };
        for here in &mut reach[1..] {
            *here = left;
            left *= self.decay;
        }
        reach
    }
}

/// The nearest fixed-point number.
pub(super) fn fixed(influence: f64) -> i32 {
    (influence * f64::from(ONE)).round() as i32
}

/// Back to influences, for people.
pub(super) fn influences(units: i32) -> f64 {
    f64::from(units) / f64::from(ONE)
}
