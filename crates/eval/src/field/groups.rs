//! The features: groups of them, each feature with a middlegame and an endgame weight.
//!
//! A group is a table of weights, one for every square, count, rank or pair that it distinguishes. The order of the
//! groups is the order of the weights in memory and in the file. Ranks, squares and files are relative to the side
//! that the feature belongs to.

/// A table of weights.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in files and explanations.
    pub name: &'static str,
    pub size: usize,
    pub start: usize,
    /// What it measures, and how its entries are laid out.
    pub help: &'static str,
    /// The heatmap its contribution is drawn in.
    pub heatmap: Heatmap,
}

/// A field of the explanation that groups are drawn in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Heatmap {
    /// Material and piece-square values.
    Placement,
    /// Mobility and control of squares.
    Influence,
    /// Attacked pieces and pawns.
    Threats,
    Kings,
    Pawns,
    /// The hidden layer: how the pieces work together.
    HiddenLayer,
}

impl Heatmap {
    pub const ALL: [Heatmap; 6] = [
        Heatmap::Placement,
        Heatmap::Influence,
        Heatmap::Threats,
        Heatmap::Kings,
        Heatmap::Pawns,
        Heatmap::HiddenLayer,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Heatmap::Placement => "placement",
            Heatmap::Influence => "influence",
            Heatmap::Threats => "threats",
            Heatmap::Kings => "kings",
            Heatmap::Pawns => "pawns",
            Heatmap::HiddenLayer => "interplay",
        }
    }
}

macro_rules! groups {
    ($($constant:ident, $name:literal, $size:expr, $heatmap:ident, $help:literal;)+) => {
        groups!(@starts 0usize; $($constant, $size;)+);

        /// All groups, in the order of their weights.
        pub const ALL: &[Group] = &[$(
            Group { name: $name, size: $size, start: $constant, help: $help, heatmap: Heatmap::$heatmap },
        )+];
    };
    (@starts $start:expr; $constant:ident, $size:expr; $($rest:tt)*) => {
        #[allow(missing_docs, reason = "the table below says what each one is")]
        pub const $constant: usize = $start;
        groups!(@starts $constant + $size; $($rest)*);
    };
    (@starts $start:expr;) => {
        pub const COUNT: usize = $start;
    };
}

groups! {
    MATERIAL, "material", 5, Placement, "a pawn, knight, bishop, rook, queen";
    OWN_KING_PST, "placement", 6 * 64, Placement,
        "kind × square, the board mirrored so that the own king stands on files e to h";
    ENEMY_KING_PST, "approach", 5 * 64, Placement,
        "kind × square, the board mirrored so that the enemy king stands on files e to h";
    NEAR_OWN_KING, "near own king", 4 * 8, Kings, "knight, bishop, rook, queen × distance to the own king";
    NEAR_ENEMY_KING, "near enemy king", 4 * 8, Kings, "knight, bishop, rook, queen × distance to the enemy king";
    KNIGHT_MOBILITY, "knight mobility", 9, Influence, "squares it can go to";
    BISHOP_MOBILITY, "bishop mobility", 14, Influence, "squares it can go to";
    ROOK_MOBILITY, "rook mobility", 15, Influence, "squares it can go to";
    QUEEN_MOBILITY, "queen mobility", 28, Influence, "squares it can go to";
    THREAT, "threats", 6 * 5 * 2, Threats, "attacker × victim (pawn to queen) × undefended or defended";
    PUSH_THREAT, "pawn threats to come", 1, Threats, "pieces that a safe pawn move would attack";
    QUEEN_LINES, "lines to the queen", 2, Threats, "bishops, rooks with one piece or pawn between them and the enemy queen";
    PINNED, "pinned", 5, Threats, "pinned pawn, knight, bishop, rook, queen";
    GUARDED, "guarded by pawns", 4, Placement, "knight, bishop, rook, queen guarded by a pawn";
    BEHIND_PAWN, "behind a pawn", 2, Placement, "knight, bishop with a pawn right before it";
    OUTPOST, "outposts", 2 * 2, Placement, "knight, bishop × without or with a pawn's guard, where no pawn can chase it";
    BISHOP_PAIR, "bishop pair", 1, Placement, "bishops on both colours";
    BISHOP_PAWNS, "bishop's own pawns", 9, Placement, "own pawns on the bishop's colour";
    ROOK_FILE, "rook files", 3, Placement, "rooks on open, half-open files, behind own blocked pawns";
    ROOK_SEVENTH, "rook on the seventh", 1, Placement, "rooks on the seventh rank with a king or pawns to trouble";
    WITH_PAWNS, "pieces and pawns", 4 * 9, Placement, "knight, bishop, rook, queen × number of own pawns";
    SHELTER, "king shelter", 2 * 8, Kings, "king's file, files beside it × rank of the nearest own pawn, 0 for none";
    STORM, "pawn storm", 2 * 2 * 8, Kings,
        "king's file, files beside × free or blocked × rank of the nearest enemy pawn, 0 for none";
    CASTLING, "castling rights", 2, Kings, "one right, both rights";
    KING_FILES, "files at the king", 2, Kings, "half-open, open files at the king";
    ISOLATED, "isolated pawns", 2 * 4, Pawns, "closed or open file × file from the edge";
    DOUBLED, "doubled pawns", 4, Pawns, "file from the edge";
    BACKWARD, "backward pawns", 2, Pawns, "closed or open file";
    PHALANX, "pawns side by side", 8, Pawns, "rank";
    SUPPORTED, "supported pawns", 8, Pawns, "rank";
    CANDIDATE, "candidate passed pawns", 8, Pawns, "rank";
    PASSED, "passed pawns", 8, Pawns, "rank";
    PASSED_LINKED, "linked passed pawns", 8, Pawns, "rank, with a passed pawn beside or behind it";
    PASSED_BLOCKED, "blocked passed pawns", 8, Pawns, "rank, an enemy piece or pawn right in front of it";
    PASSED_SAFE, "passed pawns that may advance", 8, Pawns, "rank, the square before it neither taken nor attacked";
    PASSED_CLEAR, "passed pawns with a clear way", 8, Pawns, "rank, no piece and no enemy control on the way";
    PASSED_GUARDED, "passed pawns with a guarded way", 8, Pawns, "rank, own influence on the square before it";
    PASSED_OWN_KING, "own king and passed pawns", 2 * 8, Pawns, "ranks 4–5, 6–7 × distance to the square before it";
    PASSED_ENEMY_KING, "enemy king and passed pawns", 2 * 8, Pawns,
        "ranks 4–5, 6–7 × distance to the square before it";
    PASSED_ROOK, "rooks behind passed pawns", 2, Pawns, "own, enemy rook behind it";
    TWICE, "attacked twice", 5, Threats, "pawn, knight, bishop, rook, queen attacked twice and not defended twice";
    GUARDED_BY_QUEEN, "guarded by the queen alone", 1, Threats, "attacked pieces and pawns whose only defender is their queen";
    QUEEN_CHASE, "squares to chase the queen from", 3, Threats,
        "safe squares from which a knight, bishop, rook would attack the queen";
    DISCOVERY, "attacks to discover", 1, Threats, "own pieces and pawns alone between a slider and the enemy king";
    KING_MOBILITY, "king mobility", 9, Kings, "squares the king can go to";
    RESTRICTION, "restriction", 2, Influence,
        "enemy squares held too, squares held twice; not where the enemy holds them well";
    SPACE, "space", 13, Influence, "safe squares on files c to f, ranks 2 to 4";
    POST_IN_REACH, "outposts in reach", 2, Placement, "knight, bishop with a guarded outpost in reach";
    RING_LINES, "lines to the king", 2, Kings, "bishops, rooks whose lines lead to the king past pieces";
    SAFE_REACH, "safe reach", 2 * 28, Influence,
        "rooks', queen's squares that no less valuable enemy piece attacks";
    DOUBLED_ROOKS, "doubled rooks", 1, Placement, "rooks on one file";
    PASSED_WAY, "way of passed pawns", 2 * 8, Pawns,
        "ranks 2–5, 6–7 × squares before it that are taken or attacked";
    PAWNS_BLOCKED, "blocked pawns", 8, Pawns, "rank, an enemy pawn right before it";
    PAWN_ISLANDS, "pawn islands", 5, Pawns, "groups of neighbouring files with pawns";
    PAWN_WIDTH, "width of the pawns", 9, Pawns, "files from the first to the last with a pawn, 0 for none";
    PAWN_MAJORITY, "pawn majorities", 5, Pawns, "pawns more than the enemy on a wing, from two fewer to two more";
    KING_PAWN, "king and nearest own pawn", 8, Kings, "distance, 0 for none";
    TRAPPED_ROOK, "trapped rooks", 1, Placement, "rooks shut in beside their king";
    SAFE_PAWN_THREAT, "threats by safe pawns", 1, Threats, "pieces attacked by pawns that are guarded or not attacked";
    PAWNLESS_FLANK, "no pawns at the king", 1, Kings, "the king's side of the board without any pawn";
    UNSTOPPABLE, "unstoppable pawns", 8, Pawns, "rank, a clear way, and an enemy king without pieces too far away";
    TEMPO, "tempo", 1, Placement, "the right to move";
    CONTROL, "control", 3 * 32, Influence,
        "held by pawns, held by pieces alone, contested × square, files e to h mirrored";
    OWN_KING_PST_BY_ZONE, "placement by king", 4 * 5 * 64, Placement,
        "own king on files g and h, on f, on e (all on ranks 1 and 2), elsewhere × as placement, kings aside";
    ENEMY_KING_PST_BY_ZONE, "approach by king", 4 * 5 * 64, Placement,
        "enemy king there, as it sees the board × as approach";
}

/// First feature of the mobility of knights, bishops, rooks and queens.
pub const MOBILITY: [usize; 4] = [KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY];

/// Number of features that feed the hidden layer: all but `control`, which is summed a rank at a time, and the
/// piece-square tables by king zone.
pub const INPUTS: usize = CONTROL;

/// King danger: inputs of a sum that is squared, so they have one weight each and no endgame weight.
pub mod danger {
    /// An input of king danger.
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct Input {
        pub name: &'static str,
        pub size: usize,
        pub start: usize,
    }

    macro_rules! inputs {
        ($($constant:ident, $name:literal, $size:expr;)+) => {
            inputs!(@starts 0usize; $($constant, $size;)+);

            /// All inputs, in the order of their weights.
            pub const ALL: &[Input] = &[$(Input { name: $name, size: $size, start: $constant },)+];
        };
        (@starts $start:expr; $constant:ident, $size:expr; $($rest:tt)*) => {
            #[allow(missing_docs, reason = "the table below says what each one is")]
            pub const $constant: usize = $start;
            inputs!(@starts $constant + $size; $($rest)*);
        };
        (@starts $start:expr;) => {
            pub const COUNT: usize = $start;
        };
    }

    inputs! {
        ALWAYS, "always", 1;
        ATTACKERS, "attackers: knight, bishop, rook, queen", 4;
        RING_ATTACKS, "attacks on the king's neighbours", 1;
        RING_WEAK, "weak squares at the king", 1;
        SAFE_CHECK, "safe checks: knight, bishop, rook, queen", 4;
        CHECK, "checks that can be answered by taking", 1;
        NO_QUEEN, "no enemy queen", 1;
        FLANK_ATTACKS, "attacks on the king's side", 1;
        FLANK_DOUBLE, "double attacks on the king's side", 1;
        FLANK_DEFENCE, "own influence on the king's side", 1;
        KNIGHT_DEFENDER, "a knight beside the king", 1;
        PINNED, "pinned men", 1;
        RING_TWICE, "squares at the king attacked twice", 1;
        RING_PAWNS, "squares at the king attacked by pawns", 1;
        CONTACT, "safe contact of the queen", 1;
        DISCOVERY, "attacks to discover", 1;
        MOBILITY, "squares the king can go to", 9;
        SHELTER, "shelter: king's file, beside × rank, 0 for none", 16;
        STORM, "storm: king's file, beside × rank, 0 for none", 16;
    }
}

/// The group a feature belongs to.
pub fn group_of(feature: usize) -> &'static Group {
    let index = ALL.partition_point(|group| group.start <= feature);
    &ALL[index - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_one_another_without_gaps() {
        let mut next = 0;
        for group in ALL {
            assert_eq!(group.start, next, "{}", group.name);
            next += group.size;
        }
        assert_eq!(next, COUNT);
        assert!(COUNT < usize::from(u16::MAX));
        assert_eq!(group_of(0).name, "material");
        assert_eq!(group_of(OWN_KING_PST).name, "placement");
        assert_eq!(group_of(COUNT - 1).name, "approach by king");
        assert_eq!(group_of(INPUTS).name, "control");
    }
}
