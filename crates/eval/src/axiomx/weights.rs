//! All weights of the evaluation, for the middlegame and the endgame.
//!
//! The seed's own are the same in both phases, unless the kernels follow the phase. Units are those of the seed's text;
//! weights of terms are centipawns per occurrence, which includes the seed's factors 0.5, 0.3 and 0.2.

use shakmaty::Role;

use super::attention::TEMPERATURE;
use super::control::SQUARE_WEIGHTS;
use super::kernel::{King, Profile, Ray};
use super::options::Options;
use super::terms;
use crate::axiomx_speed::value;
use crate::weights_file::List;

/// A list of weights of one phase.
struct Group {
    name: &'static str,
    size: usize,
    min: f64,
    max: f64,
    /// Scale of a training step: the change that matters about as much as a centipawn.
    step: f64,
}

macro_rules! groups {
    ($($constant:ident, $name:literal, $size:literal, $min:literal..=$max:literal, $step:literal;)+) => {
        const GROUPS: &[Group] = &[$(
            Group { name: $name, size: $size, min: $min, max: $max, step: $step },
        )+];
        groups!(@starts 0usize; $($constant, $size;)+);
    };
    (@starts $start:expr; $constant:ident, $size:expr; $($rest:tt)*) => {
        pub(super) const $constant: usize = $start;
        groups!(@starts $constant + $size; $($rest)*);
    };
    (@starts $start:expr;) => {
        /// Number of weights per phase.
        pub(super) const COUNT: usize = $start;
    };
}

groups! {
    MATERIAL, "material", 5, 0.0..=5000.0, 1.0;
    PAWN, "pawn: own square, diagonals, push", 3, -100.0..=100.0, 0.05;
    KNIGHT, "knight: own square, jumps", 2, -100.0..=100.0, 0.05;
    BISHOP, "bishop: strength, decay", 2, 0.0..=100.0, 0.05;
    ROOK, "rook: strength, decay", 2, 0.0..=100.0, 0.05;
    QUEEN, "queen: strength, decay", 2, 0.0..=100.0, 0.05;
    KING, "king: own square, neighbours, beyond", 3, -100.0..=100.0, 0.05;
    DEFENCE, "defence of own men", 1, -2.0..=20.0, 0.02;
    CONTROL, "control", 1, -10.0..=10.0, 0.002;
    SQUARES, "weights of squares, files e to h mirrored", 32, -50.0..=50.0, 0.02;
    OPENING, "opening: centre pawns, knights, bishops, castling", 4, -1000.0..=1000.0, 0.5;
    PAWNS, "pawns: doubled, isolated, passed", 3, -1000.0..=1000.0, 0.5;
    COORDINATION, "coordination", 1, -100.0..=100.0, 0.005;
    ATTENTION, "attention: weight, temperature", 2, -1000.0..=1000.0, 0.01;
}

/// Decays are below one, and temperatures above zero.
const DECAY: [f64; 2] = [0.0, 1.0];
const DECAY_STEP: f64 = 0.005;
const TEMPERATURES: [f64; 2] = [4.0, 1000.0];
const TEMPERATURE_STEP: f64 = 1.0;

/// Names of the phases in files.
const ENDS: [&str; 2] = ["middlegame", "endgame"];

/// All weights: first those of the middlegame, then those of the endgame.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(Vec<f64>);

impl Weights {
    /// The seed's weights with these options.
    pub(super) fn of(options: &Options) -> Weights {
        let tenths = |weight: i64| weight as f64 / terms::TENTHS as f64;
        let mut weights = Vec::with_capacity(2 * COUNT);
        for profile in Profile::of(options) {
            weights.extend(Role::ALL.iter().take(5).map(|role| f64::from(value(*role))));
            weights.extend([profile.pawn_own, profile.pawn_diagonal, profile.pawn_push]);
            weights.extend([profile.knight_own, profile.knight_jump]);
            for ray in [profile.bishop, profile.rook, profile.queen] {
                weights.extend([ray.strength, ray.decay]);
            }
            weights.extend([profile.king.own, profile.king.near, profile.king.far]);
            // A + D is A · (2 + 2P).
            weights.push(2.0);
            weights.push(tenths(terms::CONTROL));
            weights.extend((0..32).map(|half| f64::from(SQUARE_WEIGHTS[half / 4 * 8 + half % 4])));
            let opening = [terms::CENTER_PAWN, terms::KNIGHT, terms::BISHOP, terms::CASTLED];
            weights.extend(opening.map(|points| tenths(terms::OPENING * points)));
            let pawns = [terms::DOUBLED, terms::ISOLATED, terms::PASSED];
            weights.extend(pawns.map(|points| tenths(terms::POSITIONAL * points)));
            weights.push(tenths(terms::POSITIONAL * terms::COORDINATION));
            weights.extend([tenths(terms::ATTENTION), TEMPERATURE]);
        }
        Weights(weights)
    }

    /// From a list; `None` if the length is wrong.
    pub(super) fn from_list(list: &[f64]) -> Option<Weights> {
        (list.len() == 2 * COUNT).then(|| Weights(list.to_vec()))
    }

    pub(super) fn list(&self) -> &[f64] {
        &self.0
    }

    /// The weights of one phase.
    pub(super) fn end(&self, end: usize) -> &[f64] {
        &self.0[end * COUNT..][..COUNT]
    }

    /// The kernel weights of one phase.
    pub(super) fn profile(&self, end: usize, options: &Options) -> Profile {
        let (weights, [like, _]) = (self.end(end), Profile::of(options));
        let ray = |at: usize, like: Ray| Ray { strength: weights[at], decay: weights[at + 1], ..like };
        Profile {
            pawn_own: weights[PAWN],
            pawn_diagonal: weights[PAWN + 1],
            pawn_push: weights[PAWN + 2],
            push_needs_room: like.push_needs_room,
            knight_own: weights[KNIGHT],
            knight_jump: weights[KNIGHT + 1],
            bishop: ray(BISHOP, like.bishop),
            rook: ray(ROOK, like.rook),
            queen: ray(QUEEN, like.queen),
            king: King { own: weights[KING], near: weights[KING + 1], far: weights[KING + 2] },
        }
    }
}

pub(super) fn lists() -> Vec<List> {
    let end = |part| GROUPS.iter().map(move |group| List { part, name: group.name, size: group.size });
    ENDS.into_iter().flat_map(end).collect()
}

/// Bounds of a weight.
pub(super) fn range(index: usize) -> [f64; 2] {
    let (group, within) = group_of(index);
    match (index % COUNT, within) {
        (at, 1) if (BISHOP..KING).contains(&at) => DECAY,
        (ATTENTION_TEMPERATURE, _) => TEMPERATURES,
        _ => [group.min, group.max],
    }
}

const ATTENTION_TEMPERATURE: usize = ATTENTION + 1;

/// Scale of a training step of a weight.
pub(super) fn step(index: usize) -> f64 {
    let (group, within) = group_of(index);
    match (index % COUNT, within) {
        (at, 1) if (BISHOP..KING).contains(&at) => DECAY_STEP,
        (ATTENTION_TEMPERATURE, _) => TEMPERATURE_STEP,
        _ => group.step,
    }
}

/// The list that contains a weight, and its index there.
fn group_of(index: usize) -> (&'static Group, usize) {
    let mut left = index % COUNT;
    for group in GROUPS {
        if left < group.size {
            return (group, left);
        }
        left -= group.size;
    }
    unreachable!("the groups have COUNT weights")
}
