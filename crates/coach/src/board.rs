//! Tactical queries of a board: attacks, defences, hanging, pinned and trapped pieces.
//!
//! All queries are static. A piece "defends" a square when it attacks it, even if it is pinned; a search decides
//! whether that matters.

use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Role, Square, attacks};

use crate::line::destination;

/// Value of the king in comparisons: more than anything that can be won.
const KING: i32 = 99;

/// Pieces in pawns, as beginners learn them.
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => KING,
    }
}

/// Bishops, rooks and queens attack along lines.
pub const fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

/// Material of one side in pawns, without the king.
pub fn material(board: &Board, color: Color) -> i32 {
    let count = board.material_side(color);
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| value(role) * i32::from(count[role]))
        .sum()
}

/// How much more material one side has than the other, in pawns.
pub fn balance(board: &Board, color: Color) -> i32 {
    material(board, color) - material(board, color.other())
}

/// The pieces of a colour that attack a square.
pub fn attackers(board: &Board, color: Color, square: Square) -> Bitboard {
    board.attacks_to(square, color, board.occupied())
}

/// The enemy pieces that the piece on a square attacks, with their squares.
pub fn attacked_enemies(board: &Board, from: Square) -> impl Iterator<Item = (Square, Piece)> {
    let own = board.color_at(from);
    board
        .attacks_from(from)
        .into_iter()
        .filter_map(|square| Some((square, board.piece_at(square)?)))
        .filter(move |(_, piece)| Some(piece.color) != own)
}

/// Whether the piece on a square would be recaptured, a defender behind an attacking slider included.
pub fn is_defended(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else { return false };
    if attackers(board, piece.color, square).any() {
        return true;
    }
    attackers(board, piece.color.other(), square).into_iter().any(|attacker| {
        board.role_at(attacker).is_some_and(is_slider) && {
            let mut without = board.clone();
            without.discard_piece_at(attacker);
            attackers(&without, piece.color, square).any()
        }
    })
}

/// Whether nothing would recapture on a square.
pub fn is_hanging(board: &Board, square: Square) -> bool {
    !is_defended(board, square)
}

/// Whether the piece on a square can be taken with profit: it hangs, or a lesser piece attacks it.
pub fn is_in_bad_spot(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else { return false };
    let attackers = attackers(board, piece.color.other(), square);
    attackers.any()
        && (is_hanging(board, square)
            || attackers
                .into_iter()
                .filter_map(|attacker| board.role_at(attacker))
                .any(|role| value(role) < value(piece.role)))
}

/// The line along which the piece on a square is pinned to its king, if it is.
pub fn pin_line(board: &Board, square: Square) -> Option<Bitboard> {
    let piece = board.piece_at(square)?;
    let king = board.king_of(piece.color)?;
    let enemy = board.by_color(piece.color.other());
    let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
        | attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens())
        & enemy;
    snipers
        .into_iter()
        .find(|sniper| attacks::between(king, *sniper) & board.occupied() == Bitboard::from_square(square))
        .map(|sniper| attacks::ray(king, sniper))
}

/// Whether a piece of the side to move is attacked and has no square to go to where it could not be taken with profit,
/// nor a capture that pays for it. Not in check, and not where a pin is what holds it.
pub fn is_trapped(position: &Chess, square: Square) -> bool {
    let board = position.board();
    if position.is_check() || pin_line(board, square).is_some() {
        return false;
    }
    let Some(piece) = board.piece_at(square).filter(|piece| piece.color == position.turn()) else {
        return false;
    };
    if matches!(piece.role, Role::Pawn | Role::King) || !is_in_bad_spot(board, square) {
        return false;
    }
    position.legal_moves().into_iter().filter(|m| m.from() == Some(square)).all(|m| {
        if m.capture().is_some_and(|taken| value(taken) >= value(piece.role)) {
            return false;
        }
        let mut after = position.clone();
        after.play_unchecked(m);
        is_in_bad_spot(after.board(), destination(m))
    })
}

/// Pseudo-legal destinations of a piece.
pub fn pseudo_legal_destinations(board: &Board, square: Square) -> Bitboard {
    let Some(piece) = board.piece_at(square) else { return Bitboard::EMPTY };
    let own = board.by_color(piece.color);
    let attacked = board.attacks_from(square);
    if piece.role != Role::Pawn {
        return attacked & !own;
    }
    let forward = piece.color.fold_wb(8, -8);
    let mut to = attacked & board.by_color(piece.color.other());
    if let Some(one) = square.offset(forward).filter(|one| board.piece_at(*one).is_none()) {
        to.add(one);
        let on_start = square.rank() == piece.color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh);
        if let Some(two) = one.offset(forward).filter(|two| on_start && board.piece_at(*two).is_none()) {
            to.add(two);
        }
    }
    to
}
