//! The principles of pieces: material and the bishop pair (Algorithms 7 and 17 of seed 003), development (10),
//! coordination (16 and 18), outposts and blocked pieces (20 and 21), and space (22).

use shakmaty::{Bitboard, Board, Color, Rank, Role, attacks};

use super::facts::{Facts, pawn_attacks};

/// Algorithm 7: pieces in pawns. The seed subtracts the other side's inside the function already; here each
/// side has its own amount and the subtraction is done once, as for every principle.
pub(super) fn material(facts: &Facts<'_>, color: Color) -> i32 {
    const VALUES: [(Role, i32); 5] =
        [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    VALUES.into_iter().map(|(role, value)| count(facts.board(), color, role) * value).sum()
}

/// Algorithm 10, in halves: a half for each pawn that has left its home rank, a whole for each knight,
/// bishop, rook or queen off the first rank. The start rank is the kind's, not the single piece's: a promoted
/// queen on the last rank is developed.
pub(super) fn development(facts: &Facts<'_>, color: Color) -> i32 {
    let side = facts.side(color);
    let pawns_home = color.fold_wb(Rank::Second, Rank::Seventh);
    let advanced = side.pawns & !Bitboard::from(pawns_home);
    let out = side.pieces & !side.pawns & !facts.board().kings() & !Bitboard::from(color.backrank());
    advanced.count() as i32 + 2 * out.count() as i32
}

/// Algorithm 16: pieces other than the king that their own side defends. The seed's text asks for enemy
/// attackers, its name and its public program for defenders.
pub(super) fn defended(facts: &Facts<'_>, color: Color) -> i32 {
    let side = facts.side(color);
    (side.pieces & !facts.board().kings() & side.attacked).count() as i32
}

/// Algorithm 17: one for two bishops or more, on whatever colour they run.
pub(super) fn bishop_pair(facts: &Facts<'_>, color: Color) -> i32 {
    i32::from(count(facts.board(), color, Role::Bishop) >= 2)
}

/// Algorithm 18: pairs of rooks on one rank or file with nothing between. The loops run over all pairs.
pub(super) fn connected_rooks(facts: &Facts<'_>, color: Color) -> i32 {
    let board = facts.board();
    let rooks = board.by_color(color) & board.rooks();
    let seen = |from| (attacks::rook_attacks(from, board.occupied()) & rooks).count() as i32;
    // Each rook of a pair sees the other.
    rooks.into_iter().map(seen).sum::<i32>() / 2
}

/// Algorithm 20: knights on the fifth to seventh rank, guarded by a pawn, that no enemy pawn attacks. On the
/// last rank the seed's loop goes on to the next knight, so that is no outpost. Files a to h are all treated
/// alike (the seed's bounds leave out file a), and what is found for one knight is forgotten for the next.
pub(super) fn outposts(facts: &Facts<'_>, color: Color) -> i32 {
    let knights = facts.board().knights() & facts.side(color).pieces;
    let guarded = pawn_cover(facts, color) & !pawn_cover(facts, !color);
    let far = enemy_half(color) & !Bitboard::from((!color).backrank());
    (knights & guarded & far).count() as i32
}

/// Algorithm 21: knights, bishops, rooks and queens without a move. A piece is stuck when friends stand on
/// every square it could go to; a pin, or a check to answer, does not make it so.
pub(super) fn blocked(facts: &Facts<'_>, color: Color) -> i32 {
    facts.side(color).stuck.count() as i32
}

/// Algorithm 22: squares of the enemy's half that are attacked, on all eight files.
pub(super) fn space(facts: &Facts<'_>, color: Color) -> i32 {
    (facts.side(color).attacked & enemy_half(color)).count() as i32
}

fn count(board: &Board, color: Color, role: Role) -> i32 {
    (board.by_color(color) & board.by_role(role)).count() as i32
}

fn enemy_half(color: Color) -> Bitboard {
    color.fold_wb(Bitboard::NORTH, Bitboard::SOUTH)
}

fn pawn_cover(facts: &Facts<'_>, color: Color) -> Bitboard {
    let [left, right] = pawn_attacks(color, facts.side(color).pawns);
    left | right
}
