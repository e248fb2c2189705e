//! Proofs that a motif matters: the counterfactual for each kind.
//!
//! A pattern on the board is not yet a reason. A removed defender is one only if the capture fails with the defender
//! back; a pin only if the pinned piece, freed, would capture something or escape; a fork only if a forked piece is
//! won. Each check below changes one thing on the board and evaluates the exchange again, statically or by a search.

use shakmaty::{
    Board, CastlingMode, Chess, Color, FromSetup, Position, Role, Setup, Square, attacks::between,
};
use tabia_core::Score;

use crate::board::{self, attackers, is_in_bad_spot, pin_line, pseudo_legal_destinations, value};
use crate::exchange::{gain, swap};
use crate::line::{FollowUp, Line, Ply};
use crate::motif::{Motif, Theme};
use crate::prover::Prover;

/// Centipawns a pawn of counted material stands for.
const PAWN_CP: i32 = 100;
/// Smallest difference between searched moves that counts as clearly better, in centipawns.
pub(crate) const CLEARLY_BETTER_CP: i32 = 80;
/// What a pawn or a pawn shelter must be worth beyond its own value to be decisive, in centipawns.
const DECISIVE_CP: i32 = 150;

/// How a claim was checked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// The line was played out on the board.
    LinePlayed,
    /// Every defence was tried by a full-width mate search.
    FullWidthMate,
    /// A forked or skewered piece is taken in the line; the other is spared.
    WonInLine,
    /// After every legal reply something can be taken with profit.
    EveryReply,
    /// The exchange, counted again with the defender back on its square.
    DefenderBack,
    /// The exchange, counted again with the lured piece back where it came from.
    PieceBack,
    /// The same, with the piece that stepped between removed.
    BlockerRemoved,
    /// What the pinned piece could do if it were not pinned.
    PinReleased,
    /// The capture, counted before the line was opened.
    LineClosed,
    /// The capture, counted on the board before the move that allows it.
    MoveTakenBack,
    /// The position searched without the pawn.
    PawnRemoved,
    /// The position searched with pawns before the king.
    ShelterBack,
    /// Every square the piece could go to loses it.
    NoSafeSquare,
    /// Nothing recaptures.
    Undefended,
    /// Another move searched instead.
    Searched,
    /// The position searched with the right to move passed to the other side.
    MovePassed,
    /// The terms of the evaluation, taken apart at both ends.
    StaticTerms,
    /// A known theoretical result.
    Theory,
    /// After every reply there is another check, until a position comes back; the moves that give no check, searched.
    PerpetualCheck,
    /// Looked up in endgame tables.
    Tablebase,
}

impl Check {
    /// All of them.
    pub const ALL: [Check; 20] = [
        Check::LinePlayed,
        Check::FullWidthMate,
        Check::WonInLine,
        Check::EveryReply,
        Check::DefenderBack,
        Check::PieceBack,
        Check::BlockerRemoved,
        Check::PinReleased,
        Check::LineClosed,
        Check::MoveTakenBack,
        Check::PawnRemoved,
        Check::ShelterBack,
        Check::NoSafeSquare,
        Check::Undefended,
        Check::Searched,
        Check::MovePassed,
        Check::StaticTerms,
        Check::Theory,
        Check::PerpetualCheck,
        Check::Tablebase,
    ];

    /// In words, for documents.
    pub const fn name(self) -> &'static str {
        match self {
            Check::LinePlayed => "line played out",
            Check::FullWidthMate => "full-width mate search",
            Check::WonInLine => "won in the line",
            Check::EveryReply => "every legal reply tried",
            Check::DefenderBack => "exchange with the defender back",
            Check::PieceBack => "exchange with the piece back",
            Check::BlockerRemoved => "exchange with the blocker removed",
            Check::PinReleased => "exchange with the pin released",
            Check::LineClosed => "attack before the line was opened",
            Check::MoveTakenBack => "exchange with the move taken back",
            Check::PawnRemoved => "position searched without the pawn",
            Check::ShelterBack => "position searched with pawns before the king",
            Check::NoSafeSquare => "every square of the piece tried",
            Check::Undefended => "no recapture",
            Check::Searched => "alternative searched",
            Check::MovePassed => "position searched with the move passed",
            Check::StaticTerms => "terms of the evaluation at both ends",
            Check::Theory => "theoretical ending",
            Check::PerpetualCheck => "every reply answered by another check",
            Check::Tablebase => "endgame tables",
        }
    }
}

/// The result of a check: the value in the actual position, and in the counterfactual one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// How it was checked.
    pub check: Check,
    /// Centipawns in the actual position.
    pub actual_cp: i32,
    /// Centipawns in the counterfactual position.
    pub counterfactual_cp: i32,
}

impl Evidence {
    /// Counted in pawns.
    pub(crate) fn pawns(check: Check, actual: i32, counterfactual: i32) -> Evidence {
        Evidence { check, actual_cp: actual * PAWN_CP, counterfactual_cp: counterfactual * PAWN_CP }
    }
}

/// Proves that a motif of a line matters, or returns `None`. The caller guarantees that the line wins material or
/// mates.
pub fn prove(motif: &Motif, line: &Line, prover: &mut dyn Prover) -> Option<Evidence> {
    let ply = line.ply(motif.ply)?;
    let follow = |index: usize| line.follow_ups().find(|follow| follow.index == index);
    match motif.theme {
        Theme::Fork => fork(motif, line, ply),
        Theme::HangingPiece => {
            let taken = ply.taken_on_destination()?;
            let actual = swap(ply.before.board(), ply.from(), ply.to());
            let defended = value(taken) - value(ply.played.role());
            (actual >= value(taken)).then(|| Evidence::pawns(Check::Undefended, actual, defended))
        }
        Theme::Pin => pin(motif, line, ply),
        Theme::RelativePin => relative_pin(motif, line, ply),
        Theme::Overloading => overloading(&follow(motif.ply + 2)?),
        Theme::Skewer => skewer(&follow(motif.ply + 2)?),
        Theme::DiscoveredAttack => discovered(motif, line, ply),
        Theme::DoubleCheck => {
            let wins = line.is_mate() || next_capture(line, motif.ply)? > 0;
            wins.then(|| Evidence::pawns(Check::LinePlayed, next_capture(line, motif.ply).unwrap_or(0), 0))
        }
        Theme::TrappedPiece => trapped(motif, &follow(motif.ply + 2)?),
        Theme::XRayAttack => {
            let follow = follow(motif.ply)?;
            let actual = swap(follow.reply.after.board(), follow.ply.from(), follow.ply.to());
            let blocked = between(follow.ply.from(), follow.ply.to()).contains(follow.reply.from());
            (blocked && actual > 0).then(|| Evidence::pawns(Check::LineClosed, actual, 0))
        }
        Theme::CapturingDefender => defender_back(&follow(motif.ply + 2)?),
        Theme::Deflection => piece_back(&follow(motif.ply + 2)?),
        Theme::Attraction => lured(&follow(motif.ply + 2)?, line.player()),
        Theme::Interference => blocker_removed(motif, line),
        Theme::Clearance => {
            let follow = follow(motif.ply + 2)?;
            let blocked = !can_go(follow.earlier.before.board(), follow.ply.from(), follow.ply.to());
            let useful =
                line.is_mate() || follow.ply.is_check() || next_capture(line, follow.index) > Some(0);
            (blocked && useful).then(|| Evidence::pawns(Check::LineClosed, 1, 0))
        }
        Theme::Intermezzo => intermezzo(&follow(motif.ply + 2)?, prover),
        Theme::UnderPromotion => under_promotion(ply, prover),
        Theme::Promotion => {
            let end = line.last()?.after.board();
            let won = board::balance(end, line.player()) - board::balance(ply.before.board(), line.player());
            (won > 0).then(|| Evidence::pawns(Check::LinePlayed, won, 0))
        }
        Theme::AdvancedPawn => advanced_pawn(ply, prover),
        Theme::ExposedKing => exposed_king(motif, line, prover),
        Theme::QuietMove if line.player_indices().next() == Some(motif.ply) => quiet_move(ply, prover),
        _ => None,
    }
}

/// What the player's next move after one takes with profit, if it takes.
fn next_capture(line: &Line, index: usize) -> Option<i32> {
    let next = line.ply(index + 2)?;
    next.taken_on_destination().map(|_| swap(next.before.board(), next.from(), next.to()))
}

fn can_go(board: &Board, from: Square, to: Square) -> bool {
    pseudo_legal_destinations(board, from).contains(to)
}

/// A forked piece is taken by the forking one in the line, or something falls whatever the reply.
fn fork(motif: &Motif, line: &Line, ply: &Ply) -> Option<Evidence> {
    let mut targets = motif.targets.clone();
    for later in &line.plies()[motif.ply + 1..] {
        if later.mover() == line.player() {
            if later.from() == motif.actor {
                let taken = later.taken_on_destination().filter(|_| targets.contains(&later.to()));
                if let Some(taken) = taken {
                    let won = swap(later.before.board(), later.from(), later.to());
                    if won > 0 {
                        return Some(Evidence::pawns(Check::WonInLine, won.min(value(taken)), 0));
                    }
                }
                break;
            }
        } else {
            targets.retain(|target| *target != later.from());
            if later.to() == motif.actor {
                break;
            }
        }
    }
    // Whatever the reply, the forking piece can take a target with profit, and is not answered by something bigger.
    let always = ply.after.legal_moves().into_iter().all(|reply| {
        let mut next = ply.after.clone();
        next.play_unchecked(reply);
        next.legal_moves().into_iter().any(|m| {
            m.from() == Some(motif.actor)
                && m.is_capture()
                && motif.targets.contains(&m.to())
                && swap(next.board(), motif.actor, m.to()) > 0
        })
    });
    let worst = min_gain(&ply.after).filter(|_| always)?;
    (worst > 0).then(|| Evidence::pawns(Check::EveryReply, worst, 0))
}

/// What the side that has just moved wins at least, whatever the reply.
pub(crate) fn min_gain(after: &Chess) -> Option<i32> {
    let player = after.turn().other();
    let before = board::balance(after.board(), player);
    after
        .legal_moves()
        .into_iter()
        .map(|reply| {
            let mut next = after.clone();
            next.play_unchecked(reply);
            board::balance(next.board(), player) + gain(&next) - before
        })
        .min()
}

/// The pinned piece would otherwise take something that matters, or get away from the capture that follows.
fn pin(motif: &Motif, line: &Line, ply: &Ply) -> Option<Evidence> {
    let square = *motif.targets.first()?;
    let board = ply.after.board();
    let (along, piece) = (pin_line(board, square)?, board.piece_at(square)?);
    // It is taken in the line, and would have had a safe square.
    let taken =
        line.plies()[motif.ply + 1..].iter().find(|later| later.to() == square || later.from() == square);
    if let Some(later) = taken.filter(|later| later.mover() == line.player() && later.is_capture()) {
        let escapes = (pseudo_legal_destinations(board, square) & !along).into_iter().any(|to| {
            let mut freed = board.clone();
            freed.discard_piece_at(square);
            freed.set_piece_at(to, piece);
            !is_in_bad_spot(&freed, to)
        });
        let won = swap(later.before.board(), later.from(), later.to());
        return (escapes && won > 0).then(|| Evidence::pawns(Check::PinReleased, won, 0));
    }
    // It may not take a piece that acts in the line.
    let acting = |target: Square| {
        target == ply.to() || line.plies()[motif.ply + 1..].iter().any(|later| later.from() == target)
    };
    (board.attacks_from(square) & !along & board.by_color(piece.color.other()))
        .into_iter()
        .filter(|target| acting(*target))
        .map(|target| swap(board, square, target))
        .filter(|loss| *loss > 0)
        .max()
        .map(|loss| Evidence::pawns(Check::PinReleased, 0, -loss))
}

/// The pinned piece is taken in the line. It had safe squares, but leaving for any of them would have lost the piece behind
/// it.
fn relative_pin(motif: &Motif, line: &Line, ply: &Ply) -> Option<Evidence> {
    let &[square, behind] = motif.targets.as_slice() else { return None };
    let board = ply.after.board();
    let piece = board.piece_at(square)?;
    let later = line.plies()[motif.ply + 1..].iter().find(|later| {
        [later.to(), later.from()].iter().any(|touched| *touched == square || *touched == behind)
            || later.from() == motif.actor
    })?;
    let is_taken = later.mover() == line.player() && later.to() == square && later.is_capture();
    let won = swap(later.before.board(), later.from(), later.to());
    if !is_taken || won <= 0 {
        return None;
    }
    let along = shakmaty::attacks::ray(motif.actor, square);
    let mut lost_behind = Vec::new();
    for to in pseudo_legal_destinations(board, square) & !along {
        let taken = board.role_at(to).map_or(0, value);
        let mut moved = board.clone();
        moved.discard_piece_at(square);
        moved.set_piece_at(to, piece);
        if !is_in_bad_spot(&moved, to) {
            lost_behind.push(swap(&moved, motif.actor, behind) - taken);
        }
    }
    let least = lost_behind.into_iter().min()?;
    (least > 0).then(|| Evidence::pawns(Check::PinReleased, won, 0))
}

/// The defender guards two things: neither can be taken alone, both could without it, and once it has taken back on the
/// one, the other falls.
fn overloading(follow: &FollowUp<'_>) -> Option<Evidence> {
    let FollowUp { earlier, reply, ply, .. } = follow;
    let start = earlier.before.board();
    let mut without = start.clone();
    without.discard_piece_at(reply.from());
    let alone = swap(start, earlier.from(), earlier.to());
    let other = swap(start, ply.from(), ply.to());
    let reachable = start.attacks_from(ply.from()).contains(ply.to()) && ply.from() != earlier.from();
    let guards_both = swap(&without, earlier.from(), earlier.to()) > 0
        && (!reachable || (other <= 0 && swap(&without, ply.from(), ply.to()) > 0));
    if alone > 0 || !guards_both {
        return None;
    }
    piece_back(follow)
}

/// The piece behind is taken with profit, and could not be before the one in front left.
fn skewer(follow: &FollowUp<'_>) -> Option<Evidence> {
    let FollowUp { reply, ply, .. } = follow;
    let actual = swap(reply.after.board(), ply.from(), ply.to());
    let blocked = !can_go(reply.before.board(), ply.from(), ply.to());
    (actual > 0 && blocked).then(|| Evidence::pawns(Check::WonInLine, actual, 0))
}

fn discovered(motif: &Motif, line: &Line, ply: &Ply) -> Option<Evidence> {
    let target = *motif.targets.first()?;
    let attacked = |position: &Chess| position.board().attacks_from(motif.actor).contains(target);
    if attacked(&ply.before) || !attacked(&ply.after) {
        return None;
    }
    // A discovered check matters for what the piece that moved does with it, or for what follows.
    let is_king = ply.after.board().role_at(target) == Some(Role::King);
    let actual = if is_king {
        let at_once = ply.taken_on_destination().map_or(0, value);
        let later = next_capture(line, motif.ply).unwrap_or(0);
        at_once.max(later).max(i32::from(line.is_mate()) * value(Role::Queen))
    } else {
        let taking = line.ply(motif.ply + 2).filter(|later| later.to() == target)?;
        swap(taking.before.board(), taking.from(), taking.to())
    };
    (actual > 0).then(|| Evidence::pawns(Check::LineClosed, actual, 0))
}

fn trapped(motif: &Motif, follow: &FollowUp<'_>) -> Option<Evidence> {
    let square = *motif.targets.first()?;
    let trapped = board::is_trapped(&follow.reply.before, square);
    let won = swap(follow.reply.after.board(), follow.ply.from(), follow.ply.to());
    (trapped && won > 0).then(|| Evidence::pawns(Check::NoSafeSquare, won, 0))
}

/// A position with other pieces, if the rules allow it.
fn with_board(position: &Chess, board: Board) -> Option<Chess> {
    let mut setup: Setup = position.to_setup(shakmaty::EnPassantMode::Legal);
    setup.board = board;
    setup.castling_rights = shakmaty::Bitboard::EMPTY;
    setup.ep_square = None;
    Chess::from_setup(setup, CastlingMode::Chess960).ok()
}

/// What a capture brings on a board, a mate counting as everything.
fn worth(position: &Chess, board: &Board, ply: &Ply) -> Option<i32> {
    if ply.after.is_checkmate() {
        let changed = with_board(position, board.clone())?;
        if !changed.is_legal(ply.played) {
            return Some(0);
        }
        let mut after = changed;
        after.play_unchecked(ply.played);
        return Some(if after.is_checkmate() { value(Role::King) } else { 0 });
    }
    Some(swap(board, ply.from(), ply.to()))
}

/// Compares what a capture brings with what it brings on a changed board; it must pay as it is and fail there.
fn compare(check: Check, ply: &Ply, changed: &Board) -> Option<Evidence> {
    let actual = worth(&ply.before, ply.before.board(), ply)?;
    let counterfactual = worth(&ply.before, changed, ply)?;
    (actual > 0 && counterfactual <= 0 && counterfactual < actual)
        .then(|| Evidence::pawns(check, actual.min(value(Role::Queen)), counterfactual))
}

fn defender_back(follow: &FollowUp<'_>) -> Option<Evidence> {
    let FollowUp { earlier, reply, ply, .. } = follow;
    let defender = earlier.before.board().piece_at(earlier.to())?;
    let mut changed = reply.after.board().clone();
    // What has moved there since is not the defender any more.
    if reply.from() == earlier.to() || ply.from() == earlier.to() {
        return None;
    }
    changed.set_piece_at(earlier.to(), defender);
    compare(Check::DefenderBack, ply, &changed)
}

fn piece_back(follow: &FollowUp<'_>) -> Option<Evidence> {
    let FollowUp { reply, ply, .. } = follow;
    let piece = reply.before.board().piece_at(reply.from())?;
    let mut changed = reply.after.board().clone();
    changed.discard_piece_at(reply.to());
    changed.set_piece_at(reply.from(), piece);
    if ply.played.is_promotion() && ply.taken_on_destination().is_none() {
        // The promoted piece would be taken.
        let guarded = changed.attacks_from(reply.from()).contains(ply.to())
            || between(ply.from(), ply.to()).contains(reply.from());
        let actual = value(ply.role()) - 1;
        return guarded.then(|| Evidence::pawns(Check::PieceBack, actual, -1));
    }
    compare(Check::PieceBack, ply, &changed)
}

/// The lured piece would not be attacked where it came from.
fn lured(follow: &FollowUp<'_>, player: Color) -> Option<Evidence> {
    let FollowUp { reply, ply, .. } = follow;
    let piece = reply.before.board().piece_at(reply.from())?;
    let mut changed = ply.after.board().clone();
    if changed.piece_at(reply.from()).is_some() {
        return None;
    }
    changed.discard_piece_at(reply.to());
    changed.set_piece_at(reply.from(), piece);
    let safe = !attackers(&changed, player, reply.from()).contains(ply.to());
    safe.then(|| Evidence::pawns(Check::PieceBack, value(piece.role).min(value(Role::Queen)), 0))
}

fn blocker_removed(motif: &Motif, line: &Line) -> Option<Evidence> {
    let [_, square] = motif.targets.as_slice() else { return None };
    let capture = line.plies()[motif.ply + 1..]
        .iter()
        .find(|later| later.mover() == line.player() && later.to() == *square)?;
    let mut changed = capture.before.board().clone();
    if capture.from() == motif.actor {
        return None;
    }
    changed.discard_piece_at(motif.actor);
    compare(Check::BlockerRemoved, capture, &changed)
}

/// The in-between move is clearly better than taking back at once.
fn intermezzo(follow: &FollowUp<'_>, prover: &mut dyn Prover) -> Option<Evidence> {
    let start = &follow.earlier.before;
    let at_once = prover.search_among(start, &[follow.ply.played])?.score;
    let between = prover.search_among(start, &[follow.earlier.played])?.score;
    compare_scores(between, at_once)
}

/// A queen would be clearly worse.
fn under_promotion(ply: &Ply, prover: &mut dyn Prover) -> Option<Evidence> {
    let queen = ply.before.legal_moves().into_iter().find(|m| {
        m.promotion() == Some(Role::Queen) && m.from() == ply.played.from() && m.to() == ply.played.to()
    })?;
    let with_queen = prover.search_among(&ply.before, &[queen])?.score;
    let actual = prover.search_among(&ply.before, &[ply.played])?.score;
    compare_scores(actual, with_queen)
}

/// Without the pawn, much more than a pawn is missing.
fn advanced_pawn(ply: &Ply, prover: &mut dyn Prover) -> Option<Evidence> {
    let mut board = ply.before.board().clone();
    board.discard_piece_at(ply.from());
    let without = with_board(&ply.before, board)?;
    let actual = prover.search(&ply.before)?.score;
    let counterfactual = prover.search(&without)?.score;
    is_more(actual, counterfactual, PAWN_CP, Check::PawnRemoved)
}

/// With pawns before the king, much less is won than the pawns are worth.
fn exposed_king(motif: &Motif, line: &Line, prover: &mut dyn Prover) -> Option<Evidence> {
    let start = &line.player_plies().next()?.1.before;
    let (king, enemy) = (*motif.targets.first()?, line.player().other());
    let ahead = king.rank().offset(enemy.fold_wb(1, -1))?;
    let mut board = start.board().clone();
    let mut added = 0;
    let shelter = shakmaty::attacks::king_attacks(king) & shakmaty::Bitboard::from_rank(ahead);
    for square in shelter & !start.board().occupied() {
        board.set_piece_at(square, Role::Pawn.of(enemy));
        added += PAWN_CP;
    }
    let sheltered = with_board(start, board)?;
    let actual = prover.search(start)?.score;
    let counterfactual = prover.search(&sheltered)?.score;
    is_more(actual, counterfactual, added, Check::ShelterBack)
}

/// Whether a search finds clearly more than another one and what the change on the board is worth by itself.
fn is_more(actual: Score, counterfactual: Score, worth: i32, check: Check) -> Option<Evidence> {
    let evidence = Evidence { check, actual_cp: actual.raw(), counterfactual_cp: counterfactual.raw() };
    (actual.raw() - counterfactual.raw() >= worth + DECISIVE_CP).then_some(evidence)
}

/// Every check and capture would be clearly worse.
fn quiet_move(ply: &Ply, prover: &mut dyn Prover) -> Option<Evidence> {
    let takes_or_checks = |m: &shakmaty::Move| {
        let mut after = ply.before.clone();
        after.play_unchecked(*m);
        m.is_capture() || after.is_check()
    };
    let is_forcing = |m: &shakmaty::Move| m.is_promotion() || takes_or_checks(m);
    let forcing: Vec<_> = ply.before.legal_moves().into_iter().filter(is_forcing).collect();
    // A promotion is tried as well, but alone it is neither.
    if !forcing.iter().any(takes_or_checks) {
        return None;
    }
    let forced = prover.search_among(&ply.before, &forcing)?.score;
    let actual = prover.search_among(&ply.before, &[ply.played])?.score;
    compare_scores(actual, forced)
}

fn compare_scores(actual: Score, other: Score) -> Option<Evidence> {
    (actual.raw() - other.raw() >= CLEARLY_BETTER_CP).then_some(Evidence {
        check: Check::Searched,
        actual_cp: actual.raw(),
        counterfactual_cp: other.raw(),
    })
}
