//! The themes, under lichess's names.

use std::fmt;

/// Declares the themes once: variant, lichess's name, the F1 score against lichess's labels that is to be reached in
/// per cent (0: none).
macro_rules! themes {
    ($($variant:ident $name:literal $goal:literal,)*) => {
        /// A motif, under the name that lichess labels puzzles with where it has one ([`Theme::is_label`]).
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum Theme {
            $($variant,)*
        }

        impl Theme {
            /// All of them.
            pub const ALL: &[Theme] = &[$(Theme::$variant),*];

            /// As lichess writes it: `fork`, `backRankMate`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Theme::$variant => $name,)*
                }
            }

            /// The F1 score to reach, in per cent; none where no goal is set.
            pub const fn goal_percent(self) -> Option<u32> {
                match self {
                    $(Theme::$variant => if $goal == 0 { None } else { Some($goal) },)*
                }
            }
        }
    };
}

themes! {
    Mate "mate" 0,
    MateIn1 "mateIn1" 95,
    MateIn2 "mateIn2" 95,
    MateIn3 "mateIn3" 95,
    MateIn4 "mateIn4" 95,
    MateIn5 "mateIn5" 95,
    SmotheredMate "smotheredMate" 95,
    BackRankMate "backRankMate" 95,
    AnastasiaMate "anastasiaMate" 95,
    HookMate "hookMate" 95,
    ArabianMate "arabianMate" 95,
    BodenMate "bodenMate" 95,
    DoubleBishopMate "doubleBishopMate" 95,
    DovetailMate "dovetailMate" 95,
    DoubleCheck "doubleCheck" 95,
    EnPassant "enPassant" 95,
    Castling "castling" 95,
    Promotion "promotion" 95,
    UnderPromotion "underPromotion" 95,
    AdvancedPawn "advancedPawn" 95,
    Fork "fork" 95,
    HangingPiece "hangingPiece" 95,
    DiscoveredAttack "discoveredAttack" 95,
    Skewer "skewer" 95,
    PawnEndgame "pawnEndgame" 95,
    KnightEndgame "knightEndgame" 95,
    BishopEndgame "bishopEndgame" 95,
    RookEndgame "rookEndgame" 95,
    QueenEndgame "queenEndgame" 95,
    QueenRookEndgame "queenRookEndgame" 95,
    Pin "pin" 85,
    TrappedPiece "trappedPiece" 85,
    Attraction "attraction" 85,
    Deflection "deflection" 85,
    Interference "interference" 85,
    Intermezzo "intermezzo" 85,
    Clearance "clearance" 85,
    XRayAttack "xRayAttack" 85,
    CapturingDefender "capturingDefender" 85,
    ExposedKing "exposedKing" 85,
    Sacrifice "sacrifice" 85,
    QuietMove "quietMove" 85,
    DefensiveMove "defensiveMove" 85,
    KingsideAttack "kingsideAttack" 85,
    QueensideAttack "queensideAttack" 85,
    AttackingF2F7 "attackingF2F7" 0,
    RelativePin "relativePin" 0,
    Overloading "overloading" 0,
}

impl Theme {
    /// Whether lichess labels puzzles with it. Its tagger knows neither overloaded pieces nor pins to other pieces than
    /// the king.
    pub const fn is_label(self) -> bool {
        !matches!(self, Theme::RelativePin | Theme::Overloading)
    }

    /// The theme of a name, if there is one.
    pub fn named(name: &str) -> Option<Theme> {
        Theme::ALL.iter().copied().find(|theme| theme.name() == name)
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
