//! The switches of the textbook search: one for each idea, so that its worth can be measured.

/// In which order moves are tried. Whatever the order, moves that tie keep the order they were generated in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum MoveOrdering {
    /// As generated.
    Off,
    /// Captures first, the most valuable victim first (seed 001 §3.3.3: 100 + victim).
    #[default]
    Victim,
    /// Captures first by 10 · victim − attacker (seed 000 §2.4).
    MvvLva,
    /// Captures, killers, the centre, development, pawn pushes (seed 000 §4.3).
    Seed000,
}

/// What the search does. The default is seed 001's engine.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Plies to look ahead, unless the limits say otherwise.
    pub depth: u32,
    /// Skip what cannot matter (alpha-beta); off, every line is followed (plain negamax).
    pub pruning: bool,
    /// Which moves to try first.
    pub ordering: MoveOrdering,
    /// Try quiet moves that refuted a sibling before other quiet moves.
    pub killers: bool,
    /// Entries of the transposition table; 0 is none.
    pub table: usize,
    /// Plies of captures followed beyond the nominal depth; 0 is none.
    pub quiescence: u32,
    /// The first so many of these plies also try quiet moves that give check. A side in check then answers with every
    /// legal move, at all of these plies, instead of standing pat. 0 is neither.
    pub quiescence_checks: u32,
    /// Whether pawns also promote without capturing in quiescence.
    pub quiescence_promotions: bool,
    /// Plies by which a line with checks is lengthened at most, one for each check; 0 is none.
    pub checks: u32,
    /// Search depth 1, 2, … up to the depth, rather than the depth at once.
    pub iterative_deepening: bool,
    /// How much the side to move at the root dislikes a draw, in centipawns: repetition, fifty moves, stalemate
    /// and insufficient material count −contempt for it (seed 002 §II.C).
    pub contempt: i32,
}

impl Settings {
    /// Seed 001's engine: depth 4, captures first, nothing else.
    pub const ALPHABETA: Settings = Settings {
        depth: 4,
        pruning: true,
        ordering: MoveOrdering::Victim,
        killers: false,
        table: 0,
        quiescence: 0,
        quiescence_checks: 0,
        quiescence_promotions: false,
        checks: 0,
        iterative_deepening: false,
        contempt: 0,
    };

    /// Seed 000's first engine (§2.3): depth 3, MVV-LVA.
    pub const AXIOMX_SPEED: Settings =
        Settings { depth: 3, ordering: MoveOrdering::MvvLva, ..Settings::ALPHABETA };

    /// Seed 000's second engine (§4): depth 3, four plies of captures, a table of 200,000 entries, killers.
    pub const AXIOMX: Settings = Settings {
        depth: 3,
        ordering: MoveOrdering::Seed000,
        killers: true,
        table: 200_000,
        quiescence: 4,
        ..Settings::ALPHABETA
    };

    /// Seed 002's evaluation on a search as it describes one: its quiescence search plays out "exchange of pieces,
    /// some checks, promotions" before evaluating (§I).
    pub const AXON: Settings = Settings {
        depth: 3,
        ordering: MoveOrdering::MvvLva,
        killers: true,
        quiescence: 8,
        quiescence_checks: 1,
        quiescence_promotions: true,
        ..Settings::ALPHABETA
    };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::ALPHABETA
    }
}
