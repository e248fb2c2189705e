//! Every weight of `axon`, declared once: value, unit and sensible range.
//!
//! The seed withholds its weights ("fine-tuned only afterwards", seed 002 §III); these are ours. The evaluation
//! reads them from [`Weights`]; a tuner reads [`DECLARATIONS`], writes with [`Weights::set`], and gets what each
//! weight multiplies from [`crate::axon::count`]: but for the limit on the positional part the evaluation is
//! linear in them.
//!
//! The defaults began as common lore and were then drawn part of the way towards a logistic regression on the
//! results of 359,000 quiet positions of public games (a third TCEC, two thirds masters; one in ten held out), and
//! rounded. Where a fit left free goes against the seed, the seed is followed: it would rather trade pawns when
//! ahead, hardly minds undeveloped pieces, and gives a pair on the sixth half as much; that pair is set so that
//! Fig. 2 comes out at the seed's four pawns. Held-out cross-entropy in nats a position, each source with its own
//! scale and bias:
//!
//! | source  | material alone | lore   | these defaults | left free       |
//! | ------- | -------------- | ------ | -------------- | --------------- |
//! | TCEC    | 0.6715         | 0.6670 | 0.6660         | 0.6651          |
//! | masters | 0.6543         | 0.6370 | 0.6333         | 0.6308          |
//!
//! What the seed does give is not tuned and stands as a constant beside its theme: the values of Table I, the
//! matrix of Table III, the limit of two pawns, the king's limits of 1200 and 1500.

use std::fmt;
use std::ops::{Index, Range};

use tabia_core::spelling;

use super::share::FULL;

/// Quantisation units per centipawn. With them tenths, percents and shares (64ths) are integers, and only the total of
/// each part is rounded.
pub const QUANTISATION: i32 = 100 * FULL;

/// Which part of the evaluation a weight belongs to. The parts are declared in this order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Corrects the material balance: what to trade and what to keep.
    Trade,
    /// Positional, and the attacking half of it: style makes these count more.
    Attack,
    /// Positional, and the lasting half of it: style makes these count less.
    Position,
    /// A pawn is about to become a queen: material to come, so outside the positional limit.
    Promotion,
}

/// The unit of a weight, and of the amount it multiplies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    Centipawns,
    /// Tenths of a centipawn each.
    Tenths,
    /// Percents: hundredths of a centipawn for each point of a matrix, or centipawn of advantage.
    Percent,
    /// Percents: hundredths of a centipawn per matrix point, or per centipawn of advantage.
    CentipawnsShared,
    /// Tenths of a centipawn each, times a share.
    TenthsShared,
    /// Percents, times a share.
    PercentShared,
}

impl Unit {
    /// Divisor that makes an amount readable: shares are counted in 64ths.
    pub const fn share(self) -> i32 {
        match self {
            Unit::Centipawns | Unit::Tenths | Unit::Percent => 1,
            Unit::CentipawnsShared | Unit::TenthsShared | Unit::PercentShared => FULL,
        }
    }

    /// Steps of the weight per centipawn.
    pub const fn steps(self) -> i32 {
        match self {
            Unit::Centipawns | Unit::CentipawnsShared => 1,
            Unit::Tenths | Unit::TenthsShared => 10,
            Unit::Percent | Unit::PercentShared => 100,
        }
    }

    /// Quantisation units per step of the weight and unit of the amount.
    pub const fn quantisation(self) -> i32 {
        QUANTISATION / (self.share() * self.steps())
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Centipawns => "cp",
            Unit::Tenths => "0.1 cp",
            Unit::Percent => "%",
            Unit::CentipawnsShared => "cp × share",
            Unit::TenthsShared => "0.1 cp × share",
            Unit::PercentShared => "% × share",
        })
    }
}

/// Declaration of a weight.
#[derive(Copy, Clone, Debug)]
pub struct Declaration {
    pub name: &'static str,
    /// What it rewards (positive) or punishes (negative).
    pub meaning: &'static str,
    pub unit: Unit,
    pub part: Part,
    pub default: i32,
    pub min: i32,
    pub max: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightError {
    Unknown { name: String, hint: String },
    OutOfRange { name: &'static str, value: i32, min: i32, max: i32 },
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightError::Unknown { name, hint } => write!(f, "axon has no weight \"{name}\"{hint}"),
            WeightError::OutOfRange { name, value, min, max } => {
                write!(f, "weight \"{name}\" is {value}, outside {min} to {max}")
            }
        }
    }
}

impl std::error::Error for WeightError {}

macro_rules! weights {
    ($($part:ident { $($weight:ident $name:literal = $default:literal in $min:literal..=$max:literal, $unit:ident,
        $meaning:literal;)* })*) => {
        /// A weight, and the feature it multiplies.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub enum Weight {
            $($(#[doc = $meaning] $weight,)*)*
        }

        impl Weight {
            pub const ALL: [Weight; COUNT] = [$($(Weight::$weight,)*)*];
        }

        pub const COUNT: usize = [$($($default,)*)*].len();

        pub const DECLARATIONS: [Declaration; COUNT] = [
            $($(Declaration {
                name: $name,
                meaning: $meaning,
                unit: Unit::$unit,
                part: Part::$part,
                default: $default,
                min: $min,
                max: $max,
            },)*)*
        ];
    };
}

weights! {
    Trade {
        TradePieces "trade_pieces" = 30 in 0..=60, PercentShared,
            "of the advantage, for the side ahead, when all pieces are traded off";
        TradePawns "trade_pawns" = 2 in 0..=6, Percent,
            "of the advantage, for the side ahead, a pawn it has beyond four (or lacks)";
        TradePawnless "trade_pawnless" = -65 in -70..=0, Percent,
            "of an advantage of a minor piece at most, for a side ahead that has no pawn";
    }
    Attack {
        KnightMobility "knight_mobility" = 50 in 0..=120, Tenths,
            "a square a knight can go to, beyond four";
        BishopMobility "bishop_mobility" = 40 in 0..=120, Tenths,
            "a square a bishop can go to, beyond six";
        RookMobility "rook_mobility" = 38 in 0..=100, Tenths,
            "a square a rook can go to, beyond seven";
        QueenMobility "queen_mobility" = 22 in 0..=60, Tenths,
            "a square a queen can go to, beyond twelve";
        KingAttack "king_attack" = 16 in 0..=60, TenthsShared,
            "attack on the enemy king's zone: pieces that reach it, times their strength";
        NakedKing "naked_king" = 25 in 0..=100, Centipawns,
            "a queen against a king with neither pawns nor pieces around it";
    }
    Position {
        Masked "masked" = -8 in -60..=0, Centipawns,
            "a piece whose every square is blocked or held by an enemy pawn";
        DoublyMasked "doubly_masked" = -20 in -60..=0, Centipawns,
            "a masked piece that is held in by both its own pieces and enemy pawns";
        BishopPair "bishop_pair" = 35 in 0..=80, Centipawns,
            "bishops on squares of both colours";
        BishopPairOpen "bishop_pair_open" = 40 in 0..=80, Tenths,
            "the bishop pair, a pawn (of either side) that is gone";

        ShelterNear "shelter_near" = 7 in 0..=40, CentipawnsShared,
            "a pawn right in front of the king";
        ShelterFar "shelter_far" = 4 in 0..=40, CentipawnsShared,
            "a pawn two ranks in front of the king";
        ShelterOpen "shelter_open" = -12 in -50..=0, CentipawnsShared,
            "a file at the king without a pawn of its own";
        KingDefenders "king_defenders" = 4 in 0..=30, CentipawnsShared,
            "a piece that guards its own king's zone";
        Castled "castled" = 16 in 0..=80, CentipawnsShared,
            "a king on the wing of its home ranks, no rook locked in the corner";
        CastlingBroken "castling_broken" = -12 in -80..=0, CentipawnsShared,
            "a king that is not castled and never will be";
        KingCentralization "king_centralization" = 35 in 0..=100, PercentShared,
            "the king's matrix, when the opponent's pieces are few";
        KingPawnEnding "king_pawn_ending" = 20 in 0..=100, PercentShared,
            "the king's matrix once more, full when the opponent has only pawns";

        PawnMatrix "pawn_matrix" = 25 in 0..=100, Percent,
            "where pawns stand";
        KnightMatrix "knight_matrix" = 35 in 0..=100, Percent,
            "where knights stand: Table III";
        BishopMatrix "bishop_matrix" = 25 in 0..=100, Percent,
            "where bishops stand";
        RookMatrix "rook_matrix" = 45 in 0..=100, Percent,
            "where rooks stand";
        QueenMatrix "queen_matrix" = 10 in 0..=100, Percent,
            "where queens stand";

        CenterPawns "center_pawns" = 8 in 0..=50, CentipawnsShared,
            "a pawn on d4, e4, d5 or e5, in the opening";
        MinorsAtHome "minors_at_home" = -5 in -50..=0, CentipawnsShared,
            "a knight or bishop on the back rank, in the opening";
        EarlyQueen "early_queen" = -8 in -30..=0, CentipawnsShared,
            "a minor piece still at home while the queen is out, in the opening";
        RookOpenFile "rook_open_file" = 19 in 0..=80, Centipawns,
            "a rook on a file without pawns";
        RookHalfOpenFile "rook_half_open_file" = 12 in 0..=60, Centipawns,
            "a rook on a file with enemy pawns only";

        PassedPawn "passed_pawn" = 26 in 0..=60, Tenths,
            "passed pawns, doubling with each rank: 1 on the second to 32 on the seventh";
        PassedEndgame "passed_endgame" = 38 in 0..=100, TenthsShared,
            "the same once more, full when all pieces are gone";
        PassedConnected "passed_connected" = 16 in 0..=80, Tenths,
            "passed pawns beside a passed pawn, doubling with each rank";
        PassedBlocked "passed_blocked" = -9 in -40..=0, Tenths,
            "passed pawns with an enemy piece before them, doubling with each rank";
        PassedKings "passed_kings" = 8 in 0..=30, TenthsShared,
            "passed pawns, doubling with each rank, times how much nearer their own king is";
        Doubled "doubled" = -9 in -50..=0, Centipawns,
            "a file with two pawns or more";
        Tripled "tripled" = -17 in -60..=0, Centipawns,
            "a pawn beyond the second on its file";
        Isolated "isolated" = -8 in -50..=0, Centipawns,
            "a pawn without pawns on the files beside it";
        Islands "islands" = -8 in -30..=0, Centipawns,
            "a group of pawns apart from the others";
        WeakEndgame "weak_endgame" = -6 in -40..=0, CentipawnsShared,
            "a doubled, tripled or isolated pawn once more, full when all pieces are gone";
    }
    Promotion {
        PairOnSixth "pair_on_sixth" = 400 in 0..=900, CentipawnsShared,
            "connected passed pawns on the sixth rank or beyond, the king far, a rook at most against them";
        Unstoppable "unstoppable" = 400 in 0..=900, Centipawns,
            "a passed pawn that a lone king cannot catch";
    }
}

impl Weight {
    pub const fn declaration(self) -> &'static Declaration {
        &DECLARATIONS[self as usize]
    }
}

impl Part {
    /// The range of its weights.
    pub const fn range(self) -> Range<usize> {
        let (mut start, mut end, mut index) = (COUNT, COUNT, 0);
        while index < COUNT {
            let declared = DECLARATIONS[index].part as usize;
            if declared == self as usize && start == COUNT {
                start = index;
            }
            if declared > self as usize && end == COUNT {
                end = index;
            }
            index += 1;
        }
        start..end
    }
}

/// A value for every weight: an integer as declared, any number once learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights([f64; COUNT]);

impl Default for Weights {
    fn default() -> Weights {
        Weights(DECLARATIONS.map(|declaration| f64::from(declaration.default)))
    }
}

impl Index<Weight> for Weights {
    type Output = f64;

    fn index(&self, weight: Weight) -> &f64 {
        &self.0[weight as usize]
    }
}

impl Weights {
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), WeightError> {
        let Some(index) = DECLARATIONS.iter().position(|known| known.name == name) else {
            let hint = spelling::hint(name, DECLARATIONS.iter().map(|known| known.name));
            return Err(WeightError::Unknown { name: name.to_owned(), hint });
        };
        let Declaration { name, min, max, .. } = DECLARATIONS[index];
        if !(min..=max).contains(&value) {
            return Err(WeightError::OutOfRange { name, value, min, max });
        }
        self.0[index] = f64::from(value);
        Ok(())
    }

    /// Weights in their order, rounded to the precision of play.
    pub(super) fn from_numbers(numbers: &[f64; COUNT]) -> Weights {
        let mut weights = Weights(*numbers);
        for (number, declaration) in weights.0.iter_mut().zip(&DECLARATIONS) {
            let quantised = f64::from(declaration.unit.quantisation());
            *number = (*number * quantised).round() / quantised;
        }
        weights
    }
}
