//! Structural features of a position: weak pawns, passed pawns, outposts, open files, as chess books define them, so
//! that a difference in a term of the evaluation can be shown on a square.

use shakmaty::attacks::pawn_attacks;
use shakmaty::{Bitboard, Board, Color, Rank, Role, Square};

/// A structural feature of a square.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A pawn without own pawns on the files beside it.
    Isolated,
    /// A pawn with an own pawn behind it on its file.
    Doubled,
    /// A pawn that own pawns can no longer guard, and whose next square an enemy pawn controls.
    Backward,
    /// A pawn that no enemy pawn can stop.
    Passed,
    /// A knight or bishop in the enemy's half, guarded by a pawn, that no enemy pawn can chase away.
    Outpost(Role),
    /// A rook on a file without pawns.
    OpenFile,
}

/// A feature that one position has and another has not.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What.
    pub feature: Feature,
    /// Whose.
    pub side: Color,
    /// Where.
    pub square: Square,
    /// Whether the first position has it; else only the second.
    pub is_gained: bool,
}

/// The squares of a side with a feature.
pub fn squares(board: &Board, side: Color, feature: Feature) -> Bitboard {
    let own = board.by_color(side);
    let (pawns, enemy) = (own & board.pawns(), board.by_color(side.other()) & board.pawns());
    let all = match feature {
        Feature::Outpost(role) => own & board.by_role(role),
        Feature::OpenFile => own & board.rooks(),
        _ => pawns,
    };
    let fits = |square: &Square| match feature {
        Feature::Isolated => (pawns & beside(*square)).is_empty(),
        Feature::Doubled => (pawns & ahead(side.other(), *square) & file(*square)).any(),
        Feature::Backward => {
            let level = ahead(side.other(), *square) | Bitboard::from_rank(square.rank());
            let stop = square.rank().offset(side.fold_wb(1, -1));
            let stop = stop.map(|rank| Square::from_coords(square.file(), rank));
            (pawns & beside(*square)).any()
                && (pawns & beside(*square) & level).is_empty()
                && stop.is_some_and(|stop| (enemy & pawn_attacks(side, stop)).any())
        }
        Feature::Passed => {
            let way = ahead(side, *square);
            (enemy & way & (file(*square) | beside(*square))).is_empty()
                && (pawns & way & file(*square)).is_empty()
        }
        Feature::Outpost(_) => {
            let rank = side.fold_wb(square.rank().to_u32(), 7 - square.rank().to_u32());
            (3..=5).contains(&rank)
                && (pawns & pawn_attacks(side.other(), *square)).any()
                && (enemy & beside(*square) & ahead(side, *square)).is_empty()
        }
        Feature::OpenFile => (board.pawns() & file(*square)).is_empty(),
    };
    all.into_iter().filter(fits).collect()
}

/// The square that shows why a side is worse off in the first position than in the second, by the term of the evaluation
/// that says so. A feature that only moved along its file is none.
pub fn fact(first: &Board, second: &Board, worse: Color, term: &str) -> Option<Fact> {
    let fresh = |here: &Board, there: &Board, side: Color, feature: Feature, is_gained: bool| {
        let known = squares(there, side, feature);
        let new =
            squares(here, side, feature).into_iter().filter(|square| (known & file(*square)).is_empty());
        // The most advanced one.
        new.max_by_key(|square| side.fold_wb(square.rank().to_u32(), 7 - square.rank().to_u32()))
            .map(|square| Fact { feature, side, square, is_gained })
    };
    let weakness = match term {
        "isolated pawns" => Some(Feature::Isolated),
        "doubled pawns" => Some(Feature::Doubled),
        "backward pawns" => Some(Feature::Backward),
        _ => None,
    };
    if let Some(feature) = weakness {
        return fresh(first, second, worse, feature, true);
    }
    let strengths: &[Feature] = match term {
        "outposts" => &[Feature::Outpost(Role::Knight), Feature::Outpost(Role::Bishop)],
        "rook files" => &[Feature::OpenFile],
        _ if term.contains("passed") && !term.contains("candidate") => &[Feature::Passed],
        _ => &[],
    };
    let better = worse.other();
    let gained = strengths.iter().find_map(|feature| fresh(first, second, better, *feature, true));
    gained.or_else(|| strengths.iter().find_map(|feature| fresh(second, first, worse, *feature, false)))
}

fn file(square: Square) -> Bitboard {
    Bitboard::from_file(square.file())
}

/// The files beside a square's.
fn beside(square: Square) -> Bitboard {
    let files = [-1, 1].into_iter().filter_map(|step| square.file().offset(step));
    files.fold(Bitboard::EMPTY, |all, file| all | Bitboard::from_file(file))
}

/// The ranks before a square, as a side sees them.
fn ahead(side: Color, square: Square) -> Bitboard {
    let is_ahead = |rank: &Rank| side.fold_wb(*rank > square.rank(), *rank < square.rank());
    Rank::ALL.into_iter().filter(is_ahead).fold(Bitboard::EMPTY, |all, rank| all | Bitboard::from_rank(rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;
    use tabia_core::ChessGame;

    fn board(fen: &str) -> Board {
        ChessGame::from_fen(fen).unwrap().position().board().clone()
    }

    fn of(fen: &str, side: Color, feature: Feature) -> Vec<String> {
        squares(&board(fen), side, feature).into_iter().map(|square| square.to_string()).collect()
    }

    #[test]
    fn weak_and_strong_pawns_are_found() {
        let fen = "4k3/pp3p2/8/2PpP3/3P4/8/P5P1/4K3 w - - 0 1";
        assert_eq!(of(fen, Color::White, Feature::Isolated), ["a2", "g2"]);
        assert_eq!(of(fen, Color::Black, Feature::Isolated), ["d5", "f7"]);
        assert_eq!(of(fen, Color::White, Feature::Passed), Vec::<String>::new());
        let fen = "4k3/7p/8/8/p5P1/8/8/4K3 w - - 0 1";
        assert_eq!(of(fen, Color::Black, Feature::Passed), ["a4"]);
        assert_eq!(of(fen, Color::White, Feature::Passed), Vec::<String>::new());
        assert_eq!(of("4k3/8/8/2P5/2P5/8/8/4K3 w - - 0 1", Color::White, Feature::Doubled), ["c5"]);
        let fen = "4k3/1p6/p1p5/P1P5/8/1P6/8/4K3 w - - 0 1";
        assert_eq!(of(fen, Color::Black, Feature::Backward), ["b7"]);
        assert_eq!(of(fen, Color::White, Feature::Backward), Vec::<String>::new());
    }

    #[test]
    fn outposts_and_open_files_are_found() {
        let fen = "3rk3/p4p2/8/3NpN2/4P3/8/8/R2RK3 w - - 0 1";
        assert_eq!(of(fen, Color::White, Feature::Outpost(Role::Knight)), ["d5", "f5"]);
        let chased = "4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(of(chased, Color::White, Feature::Outpost(Role::Knight)), Vec::<String>::new());
        assert_eq!(of(fen, Color::White, Feature::OpenFile), ["d1"]);
    }

    #[test]
    fn what_only_moved_is_not_new() {
        let (before, after) =
            (board("4k3/8/8/2P5/8/8/8/4K3 w - - 0 1"), board("4k3/8/2P5/8/8/8/8/4K3 w - - 0 1"));
        assert_eq!(fact(&after, &before, Color::Black, "passed pawns"), None);
        let none = board("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        let found = fact(&after, &none, Color::Black, "passed pawns").unwrap();
        assert_eq!((found.square, found.side, found.is_gained), (Square::C6, Color::White, true));
        let lost = fact(&none, &after, Color::White, "passed pawns").unwrap();
        assert_eq!((lost.square, lost.side, lost.is_gained), (Square::C6, Color::White, false));
    }
}
