//! Attacks: what one piece does to two others, along lines, or to one that cannot get away.

use shakmaty::{Move, Position, Role, Square, attacks::between};

use super::{Motif, Theme};
use crate::board::{
    attacked_enemies, attackers, balance, is_hanging, is_in_bad_spot, is_slider, is_trapped, pin_line,
    pseudo_legal_destinations, value,
};
use crate::line::{Line, Ply};

/// The pieces, pawns aside, that a move attacks and that stand to be lost: worth more than the attacker, or hanging and
/// unable to take it.
pub(crate) fn fork_targets(ply: &Ply) -> Vec<Square> {
    let (board, to) = (ply.after.board(), ply.to());
    attacked_enemies(board, to)
        .filter(|(_, piece)| piece.role != Role::Pawn)
        .filter(|(square, piece)| {
            value(piece.role) > value(ply.role())
                || is_hanging(board, *square) && !attackers(board, piece.color, to).contains(*square)
        })
        .map(|(square, _)| square)
        .collect()
}

/// A piece that cannot be taken with profit attacks two pieces at once. The last move of a line does not count: nothing
/// follows from it.
pub(super) fn fork(line: &Line) -> Option<Motif> {
    let last = line.player_indices().next_back()?;
    line.player_plies().filter(|(index, ply)| *index != last && ply.role() != Role::King).find_map(
        |(index, ply)| {
            if is_in_bad_spot(ply.after.board(), ply.to()) {
                return None;
            }
            let targets = fork_targets(ply);
            (targets.len() > 1).then(|| Motif::new(Theme::Fork, index, ply.to(), targets))
        },
    )
}

/// The first move takes an undefended piece, and the next exchange of moves does not give the material back. A piece
/// that has just taken one of its own worth was not left hanging.
pub(super) fn hanging_piece(line: &Line) -> Option<Motif> {
    let (index, first) = line.player_plies().next()?;
    let taken = first.taken_on_destination().filter(|role| *role != Role::Pawn)?;
    if !is_hanging(first.before.board(), first.to()) {
        return None;
    }
    if let Some(before) = line.opponents_first() {
        let traded = before.taken_on_destination().is_some_and(|role| value(role) >= value(taken));
        if traded && before.to() == first.to() {
            return None;
        }
    }
    let kept = line.ply(index + 2).is_none_or(|next| {
        balance(next.after.board(), line.player()) >= balance(first.after.board(), line.player())
    });
    kept.then(|| Motif::new(Theme::HangingPiece, index, first.to(), [first.to()]))
}

/// A check by another piece than the one that moved, or a capture along a line that the player's move before opened.
pub(super) fn discovered_attack(line: &Line) -> Option<Motif> {
    let check = line.player_plies().find_map(|(index, ply)| {
        let discovered =
            ply.after.checkers().into_iter().find(|_| !ply.after.checkers().contains(ply.to()))?;
        let king = ply.after.board().king_of(line.player().other())?;
        Some(Motif::new(Theme::DiscoveredAttack, index, discovered, [king]))
    });
    if check.is_some() {
        return check;
    }
    for follow in line.follow_ups().filter(|follow| follow.ply.is_capture()) {
        // A recapture ends the search: what was opened earlier was answered by an exchange.
        if follow.reply.to() == follow.ply.to() {
            return None;
        }
        let (earlier, ply) = (follow.earlier, follow.ply);
        if between(ply.from(), ply.to()).contains(earlier.from())
            && ply.to() != earlier.to()
            && ply.from() != earlier.to()
            && !matches!(earlier.played, Move::Castle { .. })
        {
            return Some(Motif::new(Theme::DiscoveredAttack, follow.index - 2, ply.from(), [ply.to()]));
        }
    }
    None
}

/// A slider attacks a piece, which moves away, and takes a lesser piece behind it that cannot be held.
pub(super) fn skewer(line: &Line) -> Option<Motif> {
    line.follow_ups().find_map(|follow| {
        let (reply, ply) = (follow.reply, follow.ply);
        let taken = ply.taken_on_destination()?;
        let fits = is_slider(ply.role())
            && !ply.after.is_checkmate()
            && reply.to() != ply.to()
            && between(ply.from(), ply.to()).contains(reply.from())
            && value(reply.role()) > value(taken)
            && is_in_bad_spot(reply.after.board(), ply.to());
        fits.then(|| Motif::new(Theme::Skewer, follow.index - 2, ply.from(), [reply.from(), ply.to()]))
    })
}

/// The slider of the player that pins the piece on a square.
pub(crate) fn pinner(board: &shakmaty::Board, pinned: Square) -> Option<Square> {
    let line = pin_line(board, pinned)?;
    let piece = board.piece_at(pinned)?;
    let king = board.king_of(piece.color)?;
    (line & board.by_color(piece.color.other()) & board.sliders())
        .into_iter()
        .filter(|square| between(king, *square).contains(pinned))
        .min_by_key(|square| square.distance(king))
}

/// A piece pinned to its king cannot do what it would: take a piece of the player, or run from an attack.
pub(super) fn pin(line: &Line) -> Option<Motif> {
    let player = line.player();
    let pinned = |ply: &Ply| {
        let board = ply.after.board();
        board.by_color(player.other()).into_iter().find(|square| pin_prevents_attack(ply, *square)).or_else(
            || board.by_color(player.other()).into_iter().find(|square| pin_prevents_escape(ply, *square)),
        )
    };
    line.player_plies().find_map(|(index, ply)| {
        let square = pinned(ply)?;
        let actor = pinner(ply.after.board(), square).unwrap_or(ply.to());
        Some(Motif::new(Theme::Pin, index, actor, [square]))
    })
}

/// The pinned piece could otherwise take something that hangs, or that is worth more than itself.
fn pin_prevents_attack(ply: &Ply, square: Square) -> bool {
    let board = ply.after.board();
    let (Some(line), Some(role)) = (pin_line(board, square), board.role_at(square)) else { return false };
    attacked_enemies(board, square).any(|(attacked, piece)| {
        !line.contains(attacked) && (value(piece.role) > value(role) || is_hanging(board, attacked))
    })
}

/// The pinned piece is attacked along the line of the pin and cannot leave it: by a lesser piece, or it hangs.
fn pin_prevents_escape(ply: &Ply, square: Square) -> bool {
    let board = ply.after.board();
    let (Some(line), Some(piece)) = (pin_line(board, square), board.piece_at(square)) else { return false };
    (attackers(board, piece.color.other(), square) & line).into_iter().any(|attacker| {
        let Some(role) = board.role_at(attacker) else { return false };
        value(piece.role) > value(role)
            || is_hanging(board, square)
                && !attackers(board, piece.color, attacker).contains(square)
                && (pseudo_legal_destinations(board, square) & !line).any()
    })
}

/// A piece is taken that had no safe square to go to, the move before.
pub(super) fn trapped_piece(line: &Line) -> Option<Motif> {
    line.follow_ups().find_map(|follow| {
        let taken = follow.ply.taken_on_destination()?;
        if taken == Role::Pawn {
            return None;
        }
        // It may have moved from the square where it was trapped.
        let reply = follow.reply;
        let square = if reply.to() == follow.ply.to() { reply.from() } else { follow.ply.to() };
        is_trapped(&reply.before, square)
            .then(|| Motif::new(Theme::TrappedPiece, follow.index - 2, follow.earlier.to(), [square]))
    })
}

/// The player takes, the opponent retakes from between, and the player takes again through the square it left.
pub(super) fn x_ray(line: &Line) -> Option<Motif> {
    line.follow_ups().find_map(|follow| {
        let (earlier, reply, ply) = (follow.earlier, follow.reply, follow.ply);
        let fits = ply.is_capture()
            && reply.to() == ply.to()
            && reply.role() != Role::King
            && earlier.to() == reply.to()
            && between(ply.from(), ply.to()).contains(reply.from());
        fits.then(|| Motif::new(Theme::XRayAttack, follow.index, ply.from(), [ply.to()]))
    })
}

/// Pieces that stand before a more valuable one, on a line that a slider looks along.
pub(super) fn relative_pins(line: &Line) -> Vec<Motif> {
    let enemy = line.player().other();
    let mut found = Vec::new();
    for (index, ply) in line.player_plies() {
        let board = ply.after.board();
        let sliders = board.by_color(line.player()) & board.sliders();
        for slider in sliders {
            let Some(role) = board.role_at(slider) else { continue };
            for (front, piece) in
                attacked_enemies(board, slider).filter(|(_, piece)| piece.role != Role::King)
            {
                let mut without = board.clone();
                without.discard_piece_at(front);
                let behind =
                    without.attacks_from(slider) & !board.attacks_from(slider) & board.by_color(enemy);
                let valuable = behind.into_iter().find(|square| {
                    board.role_at(*square).is_some_and(|back| {
                        back != Role::King
                            && value(back) > value(piece.role)
                            && (value(back) > value(role) || is_hanging(&without, *square))
                    })
                });
                found.extend(
                    valuable.map(|back| Motif::new(Theme::RelativePin, index, slider, [front, back])),
                );
            }
        }
    }
    found
}
