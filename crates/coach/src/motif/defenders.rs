//! Defenders that are lured, cut off or removed, and moves that come in between.

use shakmaty::{Position, Role, attacks::between};

use super::{Motif, Theme};
use crate::board::{attackers, is_hanging, is_in_bad_spot, is_slider, value};
use crate::line::{FollowUp, Line};

/// A king, queen or rook is lured to a square and attacked there: the king at once, the others are then taken.
pub(super) fn attraction(line: &Line) -> Option<Motif> {
    line.follow_ups().find_map(|follow| {
        let FollowUp { index, earlier, reply, ply } = follow;
        if reply.to() != earlier.to() || !matches!(reply.role(), Role::King | Role::Queen | Role::Rook) {
            return None;
        }
        let square = reply.to();
        let attacks = attackers(ply.after.board(), line.player(), square).contains(ply.to());
        let wins = reply.role() == Role::King || line.ply(index + 2).is_some_and(|next| next.to() == square);
        (attacks && wins).then(|| Motif::new(Theme::Attraction, index - 2, earlier.to(), [square]))
    })
}

/// A piece that guards a square must leave it, to take or to answer a check; the player then takes or promotes there.
pub(super) fn deflection(line: &Line) -> Option<Motif> {
    line.follow_ups().find_map(|follow| {
        let FollowUp { index, earlier, reply, ply } = follow;
        let taken = ply.taken_on_destination();
        if taken.is_none() && !ply.played.is_promotion() {
            return None;
        }
        // Taking something bigger would have been good anyway.
        if taken.is_some_and(|taken| value(taken) > value(ply.role())) {
            return None;
        }
        let square = ply.to();
        let offered = earlier.taken_on_destination().is_none_or(|taken| value(taken) < value(earlier.role()));
        let forced = reply.to() == earlier.to() || earlier.is_check();
        let guarded = earlier.after.board().attacks_from(reply.from());
        let guarded_square = guarded.contains(square)
            || ply.played.is_promotion()
                && square.file() == reply.from().file()
                && guarded.contains(ply.from());
        let fits = offered
            && forced
            && square != reply.to()
            && square != earlier.to()
            && guarded_square
            && !reply.after.board().attacks_from(reply.to()).contains(square);
        fits.then(|| Motif::new(Theme::Deflection, index - 2, earlier.to(), [reply.from(), square]))
    })
}

/// A piece steps between a slider and the piece it defends, which is then taken. The player's piece or, by its own
/// move, the opponent's.
pub(super) fn interference(line: &Line) -> Option<Motif> {
    line.follow_ups().find_map(|follow| {
        let FollowUp { index, earlier, reply, ply } = follow;
        let square = ply.to();
        if ply.taken_on_destination().is_none() || !is_hanging(reply.after.board(), square) {
            return None;
        }
        let cut_off = |board: &shakmaty::Board, by| {
            attackers(board, line.player().other(), square)
                .first()
                .filter(|defender| board.role_at(*defender).is_some_and(is_slider))
                .filter(|defender| between(square, *defender).contains(by))
        };
        if let Some(defender) = cut_off(earlier.after.board(), reply.to()) {
            return Some(Motif::new(Theme::Interference, index - 1, reply.to(), [defender, square]));
        }
        if square == reply.to() {
            return None;
        }
        let defender = cut_off(earlier.before.board(), earlier.to())?;
        Some(Motif::new(Theme::Interference, index - 2, earlier.to(), [defender, square]))
    })
}

/// The opponent took; instead of recapturing at once, the player first plays something else that must be answered.
pub(super) fn intermezzo(line: &Line) -> Option<Motif> {
    line.follow_ups().filter(|follow| follow.ply.is_capture()).find_map(|follow| {
        let FollowUp { index, earlier, reply, ply } = follow;
        let square = ply.to();
        let answers_there =
            attackers(earlier.after.board(), line.player().other(), square).contains(reply.from());
        if answers_there || earlier.to() == square {
            return None;
        }
        let before = line.ply(index.checked_sub(3)?)?;
        let fits = before.to() == square && before.is_capture() && before.after.is_legal(ply.played);
        Some(fits.then(|| Motif::new(Theme::Intermezzo, index - 2, earlier.to(), [square])))
    })?
}

/// A piece leaves a square or a line with effect, and a slider of the player uses it.
pub(super) fn clearance(line: &Line) -> Option<Motif> {
    line.follow_ups().find_map(|follow| {
        let FollowUp { index, earlier, reply, ply } = follow;
        let uses = earlier.from() == ply.to() || between(ply.from(), ply.to()).contains(earlier.from());
        let fits = ply.taken_on_destination().is_none()
            && is_slider(ply.role())
            && uses
            && !earlier.played.is_promotion()
            && earlier.to() != ply.from()
            && earlier.to() != ply.to()
            && !reply.is_check()
            && (!ply.is_check() || reply.role() != Role::King)
            && (earlier.taken_on_destination().is_none()
                || is_in_bad_spot(earlier.after.board(), earlier.to()));
        fits.then(|| Motif::new(Theme::Clearance, index - 2, earlier.to(), [earlier.from(), ply.to()]))
    })
}

/// A defender is taken, and what it defended is taken next, or the king is mated.
pub(super) fn capturing_defender(line: &Line) -> Option<Motif> {
    line.follow_ups().find_map(|follow| {
        let FollowUp { index, earlier, reply, ply } = follow;
        let wins_undefended = ply.taken_on_destination().is_some_and(|taken| {
            ply.role() != Role::King
                && value(taken) <= value(ply.role())
                && is_hanging(reply.after.board(), ply.to())
                && reply.to() != ply.to()
        });
        if !wins_undefended && !ply.after.is_checkmate() {
            return None;
        }
        let board = earlier.before.board();
        let defended = board
            .piece_at(earlier.to())
            .is_some_and(|defender| attackers(board, defender.color, ply.to()).contains(earlier.to()));
        let fits =
            !earlier.is_check() && earlier.to() != ply.from() && defended && !earlier.before.is_check();
        fits.then(|| Motif::new(Theme::CapturingDefender, index - 2, earlier.to(), [earlier.to(), ply.to()]))
    })
}

/// A defender takes back on one square, and what it guarded on another is then taken.
pub(super) fn overloading(line: &Line) -> Vec<Motif> {
    let overloaded = line.follow_ups().filter_map(|follow| {
        let FollowUp { index, earlier, reply, ply } = follow;
        let (first, second) = (earlier.to(), ply.to());
        let fits = earlier.taken_on_destination().is_some()
            && ply.taken_on_destination().is_some()
            && reply.to() == first
            && second != first
            && earlier.after.board().attacks_from(reply.from()).contains(second)
            && !reply.after.board().attacks_from(first).contains(second);
        fits.then(|| Motif::new(Theme::Overloading, index - 2, first, [reply.from(), first, second]))
    });
    overloaded.collect()
}
