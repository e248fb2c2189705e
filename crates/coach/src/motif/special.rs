//! Moves that are special in themselves: special rules, sacrifices, quiet and defensive moves.

use shakmaty::{Color, Move, Position, Role, Square};

use super::{Motif, Theme};
use crate::board::{attacked_enemies, balance};
use crate::line::{Line, Ply};

/// Fewer legal moves than this leave nothing to find in a defence.
const CHOICE: usize = 3;
/// Pawns of material that make a sacrifice.
const SACRIFICE: i32 = 2;

/// The first of the player's moves that fits.
fn first(line: &Line, theme: Theme, fits: impl Fn(&Ply) -> bool) -> Option<Motif> {
    line.player_plies().find(|(_, ply)| fits(ply)).map(|(index, ply)| Motif::new(theme, index, ply.to(), []))
}

/// The rank of a square as its owner counts, from 1.
fn rank_for(color: Color, square: Square) -> u32 {
    let rank = square.rank().to_u32() + 1;
    color.fold_wb(rank, 9 - rank)
}

/// A pawn reaches its sixth rank or beyond.
fn is_advanced_pawn_move(ply: &Ply) -> bool {
    ply.played.role() == Role::Pawn && rank_for(ply.mover(), ply.to()) >= 6
}

/// A pawn reaches its seventh rank or promotes.
pub(super) fn advanced_pawn(line: &Line) -> Option<Motif> {
    first(line, Theme::AdvancedPawn, |ply| {
        ply.played.role() == Role::Pawn && rank_for(ply.mover(), ply.to()) >= 7
    })
}

/// Two pieces give check at once.
pub(super) fn double_check(line: &Line) -> Option<Motif> {
    line.player_plies().find_map(|(index, ply)| {
        let checkers = ply.after.checkers();
        (checkers.count() > 1).then(|| Motif::new(Theme::DoubleCheck, index, ply.to(), checkers))
    })
}

/// A pawn takes en passant.
pub(super) fn en_passant(line: &Line) -> Option<Motif> {
    first(line, Theme::EnPassant, |ply| matches!(ply.played, Move::EnPassant { .. }))
}

/// The player castles.
pub(super) fn castling(line: &Line) -> Option<Motif> {
    first(line, Theme::Castling, |ply| matches!(ply.played, Move::Castle { .. }))
}

/// A pawn promotes.
pub(super) fn promotion(line: &Line) -> Option<Motif> {
    first(line, Theme::Promotion, |ply| ply.played.is_promotion())
}

/// A pawn promotes to less than a queen. A mate counts only with a knight: there a rook or bishop does what a queen does.
pub(super) fn under_promotion(line: &Line) -> Option<Motif> {
    first(line, Theme::UnderPromotion, |ply| match ply.played.promotion() {
        Some(Role::Knight) => true,
        Some(Role::Queen) | None => false,
        Some(_) => !ply.after.is_checkmate(),
    })
}

/// After a move of the player, and the opponent's reply, the player is down by two pawns or more from where the line
/// began. Where the opponent promotes, the material was not given.
pub(super) fn sacrifice(line: &Line) -> Option<Motif> {
    let player = line.player();
    let (_, opening) = line.player_plies().next()?;
    let initial = balance(opening.before.board(), player);
    let found = line
        .player_plies()
        .skip(1)
        .find(|(_, ply)| balance(ply.after.board(), player) - initial <= -SACRIFICE)
        .map(|(index, _)| index)?;
    let replies = line.plies().iter().filter(|ply| ply.mover() != player);
    let opponent_promotes =
        replies.skip(usize::from(line.opponents_first().is_some())).any(|ply| ply.played.is_promotion());
    // What is given is what the opponent took last.
    let given = line.plies()[..found].iter().rev().find(|ply| ply.mover() != player && ply.is_capture())?;
    (!opponent_promotes).then(|| Motif::new(Theme::Sacrifice, found, given.to(), [given.to()]))
}

/// A move that gives no check and takes nothing, attacks no enemy piece and is no push of an advanced pawn.
fn is_unforcing(ply: &Ply) -> bool {
    !ply.is_check()
        && !ply.is_capture()
        && attacked_enemies(ply.after.board(), ply.to()).next().is_none()
        && !is_advanced_pawn_move(ply)
}

/// A move before the last that forces nothing on the board, and does not answer a check; not by the king.
pub(super) fn quiet_move(line: &Line) -> Option<Motif> {
    let last = line.plies().len().checked_sub(1)?;
    line.player_plies()
        .find(|(index, ply)| {
            *index != last && !ply.before.is_check() && ply.role() != Role::King && is_unforcing(ply)
        })
        .map(|(index, ply)| Motif::new(Theme::QuietMove, index, ply.to(), []))
}

/// The last move forces nothing and had alternatives; or a check is answered by a quiet move among several.
pub(super) fn defensive_move(line: &Line) -> Option<Motif> {
    let has_choice = |ply: &Ply| ply.before.legal_moves().len() >= CHOICE;
    let (index, last) = line.player_plies().next_back()?;
    if has_choice(last) && is_unforcing(last) {
        return Some(Motif::new(Theme::DefensiveMove, index, last.to(), []));
    }
    let quiet_so_far = |(_, ply): &(usize, &Ply)| !ply.is_check() && !ply.is_capture() && has_choice(ply);
    line.player_plies()
        .take_while(quiet_so_far)
        .find(|(_, ply)| ply.before.is_check())
        .map(|(index, ply)| Motif::new(Theme::DefensiveMove, index, ply.to(), []))
}
