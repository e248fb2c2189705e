//! The result of a line: mate, a draw by rule, or material, counted where the line becomes quiet.

use shakmaty::{Chess, Color, Position, Role};

use crate::board;
use crate::exchange::is_quiet;
use crate::line::Line;

/// Material that changed between two positions, from one side's point of view. Equal losses of both sides are left
/// out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Own pieces that are gone, the most valuable first.
    pub lost: Vec<Role>,
    /// Enemy pieces that are gone.
    pub won: Vec<Role>,
    /// What own pawns became.
    pub promoted: Vec<Role>,
    /// What enemy pawns became.
    pub conceded: Vec<Role>,
    /// The change of the material balance in pawns: positive where the side gained.
    pub net: i32,
}

impl Balance {
    /// The difference between two positions for a side.
    pub fn between(before: &Chess, after: &Chess, side: Color) -> Balance {
        let (lost, promoted) = gone(before, after, side);
        let (won, conceded) = gone(before, after, side.other());
        let net = board::balance(after.board(), side) - board::balance(before.board(), side);
        Balance { lost, won, promoted, conceded, net }.without_even_trades()
    }

    /// Even trades left out, a bishop for a knight among them, and a new queen for a new queen.
    fn without_even_trades(mut self) -> Balance {
        let (lost, won) = (&mut self.lost, &mut self.won);
        for kind in [is_queen, is_rook, is_minor, is_pawn] {
            while let (Some(one), Some(other)) =
                (lost.iter().position(|role| kind(*role)), won.iter().position(|role| kind(*role)))
            {
                lost.remove(one);
                won.remove(other);
            }
        }
        let (promoted, conceded) = (&mut self.promoted, &mut self.conceded);
        promoted.retain(|role| {
            let same = conceded.iter().position(|other| other == role);
            same.map(|index| conceded.remove(index)).is_none()
        });
        self
    }
}

/// The pieces of a colour that are gone, the most valuable first, and what its pawns became.
fn gone(before: &Chess, after: &Chess, color: Color) -> (Vec<Role>, Vec<Role>) {
    let (old, new) = (before.board().material_side(color), after.board().material_side(color));
    let (mut gone, mut promoted) = (Vec::new(), Vec::new());
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        let difference = i32::from(old[role]) - i32::from(new[role]);
        let list = if difference > 0 { &mut gone } else { &mut promoted };
        list.extend(std::iter::repeat_n(role, difference.unsigned_abs() as usize));
    }
    let pawns = usize::from(old[Role::Pawn]).saturating_sub(usize::from(new[Role::Pawn]));
    gone.extend(std::iter::repeat_n(Role::Pawn, pawns.saturating_sub(promoted.len())));
    (gone, promoted)
}

const fn is_queen(role: Role) -> bool {
    matches!(role, Role::Queen)
}

const fn is_rook(role: Role) -> bool {
    matches!(role, Role::Rook)
}

const fn is_minor(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Knight)
}

const fn is_pawn(role: Role) -> bool {
    matches!(role, Role::Pawn)
}

/// How a line ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// This side has mated.
    Mate(Color),
    /// The side to move has no move.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// A position came back.
    Repetition,
    /// This side gives perpetual check.
    PerpetualCheck(Color),
    /// The game continues.
    Quiet,
}

/// A line followed to a quiet end.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Half-moves to that end.
    pub plies: usize,
    /// How it ends.
    pub end: End,
    /// The material that changed hands, seen by the side whose line it is.
    pub balance: Balance,
}

/// Pawns that may come and go later without a line being followed further.
const SWING: i32 = 1;

/// Follows a line from its player's first move. It ends where a rule ends the game, or at the first quiet position
/// with the material of the last quiet one after which it changes by no more than a pawn for a while; nothing where the
/// line never becomes quiet.
pub fn follow(line: &Line) -> Option<Outcome> {
    let first = line.player_indices().next()?;
    let start = &line.ply(first)?.before;
    let plies = &line.plies()[first..];
    let last = plies.last()?;
    let side = line.player();
    let (count, end) = if let Some(end) = rule_end(start, line) {
        (plies.len(), end)
    } else {
        let quiet: Vec<(usize, i32)> = plies
            .iter()
            .enumerate()
            .filter(|(_, ply)| is_quiet(&ply.after))
            .map(|(index, ply)| (index + 1, board::balance(ply.after.board(), side)))
            .collect();
        let (_, settled) = *quiet.last()?;
        let tail = quiet.iter().rev().take_while(|(_, balance)| (balance - settled).abs() <= SWING);
        let first = tail.filter(|(_, balance)| *balance == settled).last()?;
        (first.0, End::Quiet)
    };
    let shown = &plies[..count];
    let after = shown.last().map_or(&last.after, |ply| &ply.after);
    Some(Outcome { plies: count, end, balance: Balance::between(start, after, side) })
}

/// The end by a rule of the game on the last position, if it is one.
fn rule_end(start: &Chess, line: &Line) -> Option<End> {
    let last = line.last()?;
    if last.after.is_checkmate() {
        return Some(End::Mate(last.mover()));
    }
    if last.after.is_stalemate() {
        return Some(End::Stalemate);
    }
    if last.after.is_insufficient_material() {
        return Some(End::InsufficientMaterial);
    }
    let same = |position: &Chess| {
        position.board() == last.after.board()
            && position.turn() == last.after.turn()
            && position.castles().castling_rights() == last.after.castles().castling_rights()
    };
    let earlier = line.plies().iter().rev().skip(1).map(|ply| &ply.after).chain([start]);
    earlier.into_iter().any(same).then_some(End::Repetition)
}
