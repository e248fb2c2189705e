//! Captures alone, for a search that follows nothing else: to list every move and drop most of them is what a
//! capture search would spend most of its time on.
//!
//! They come in the order in which shakmaty lists them among all moves, since ties in the order of moves keep it;
//! a property test holds the two lists equal.

use shakmaty::{Bitboard, Chess, File, Move, MoveList, Position, Role, Square, attacks};

/// Adds every legal capture to the list.
pub(super) fn list(position: &Chess, moves: &mut MoveList) {
    let king = position.our(Role::King).first();
    let Some(king) = king.filter(|_| !position.is_check()) else {
        moves.extend(position.legal_moves().into_iter().filter(|m| m.is_capture()));
        return;
    };
    if position.maybe_ep_square().is_some() {
        moves.extend(position.en_passant_moves());
    }
    let pinned = pinned(position, king);
    let is_free = |from: Square, to: Square| !pinned.contains(from) || attacks::aligned(from, to, king);
    let (board, occupied, enemies) = (position.board(), position.board().occupied(), position.them());

    let white_to_move = position.turn().is_white();
    let (west, east) = if white_to_move { (7, 9) } else { (-9, -7) };
    for (step, edge) in [(west, File::A), (east, File::H)] {
        let targets = (position.our(Role::Pawn) & !Bitboard::from(edge)).shift(step) & enemies;
        let mut take = |to: Square, promotions: &[Option<Role>]| {
            let from = to.offset(-step).expect("a pawn captures from a square of the board");
            if is_free(from, to) {
                let capture = board.role_at(to);
                let into = |promotion: &Option<Role>| Move::Normal {
                    role: Role::Pawn,
                    from,
                    capture,
                    to,
                    promotion: *promotion,
                };
                moves.extend(promotions.iter().map(into));
            }
        };
        (targets & !Bitboard::BACKRANKS).into_iter().for_each(|to| take(to, &[None]));
        (targets & Bitboard::BACKRANKS).into_iter().for_each(|to| take(to, &PROMOTIONS));
    }

    let normal = |role: Role, from: Square, to: Square| Move::Normal {
        role,
        from,
        capture: board.role_at(to),
        to,
        promotion: None,
    };
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in position.our(role) {
            let targets = attacks::attacks(from, role.of(position.turn()), occupied) & enemies;
            moves
                .extend(targets.into_iter().filter(|to| is_free(from, *to)).map(|to| normal(role, from, to)));
        }
    }
    let safe = |to: &Square| board.attacks_to(*to, !position.turn(), occupied).is_empty();
    let targets = attacks::king_attacks(king) & enemies;
    moves.extend(targets.into_iter().filter(safe).map(|to| normal(Role::King, king, to)));
}

/// What a pawn becomes, in the order they are listed.
const PROMOTIONS: [Option<Role>; 4] =
    [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];

/// Pieces that alone block an enemy slider's attack on the king. Enemy pieces among them never move here.
fn pinned(position: &Chess, king: Square) -> Bitboard {
    let board = position.board();
    let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & position.them() {
        let between = attacks::between(king, sniper) & board.occupied();
        if !between.more_than_one() {
            pinned.add(between);
        }
    }
    pinned
}
