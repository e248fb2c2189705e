//! The principles once more, square by square as the seed writes them, to hold the bitboards against.

use crate::chromosome::facts::Facts;
use crate::chromosome::genome;
use crate::testing;
use crate::view::View;
use proptest::prelude::*;
use shakmaty::{Board, Chess, Color, File, Move, Piece, Position, Rank, Role, Square};

type Coordinates = (i32, i32);

fn coordinates(square: Square) -> Coordinates {
    (square.file() as i32, square.rank() as i32)
}

fn square((file, rank): Coordinates) -> Option<Square> {
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then(|| Square::from_coords(File::new(file as u32), Rank::new(rank as u32)))
}

fn pieces(board: &Board, color: Color, role: Role) -> Vec<Coordinates> {
    let wanted = |piece: Piece| piece == Piece { color, role };
    board.iter().filter(|(_, piece)| wanted(*piece)).map(|(square, _)| coordinates(square)).collect()
}

fn attackers(board: &Board, square: Square, color: Color) -> usize {
    board
        .iter()
        .filter(|(from, piece)| piece.color == color && board.attacks_from(*from).contains(square))
        .count()
}

fn count_if<T>(items: impl IntoIterator<Item = T>, condition: impl Fn(&T) -> bool) -> i32 {
    items.into_iter().filter(|item| condition(item)).count() as i32
}

fn mobility(position: &Chess) -> i32 {
    let (board, color) = (position.board(), position.turn());
    let safe = |m: &Move| {
        // A castling move names the rook as its destination; the king's square is never attacked.
        let to = m.castling_side().map_or(m.to(), |side| side.king_to(color));
        attackers(board, to, !color) <= attackers(board, to, color) || m.role() == Role::King
    };
    count_if(position.legal_moves(), safe)
}

fn castling(position: &Chess, color: Color) -> i32 {
    if (position.castles().castling_rights() & position.board().by_color(color)).any() {
        return 1;
    }
    let (file, rank) = pieces(position.board(), color, Role::King)[0];
    let rooks = pieces(position.board(), color, Role::Rook);
    let wing = file != 3 && file != 4;
    let beyond = |rook: &Coordinates| rook.1 == rank && if file < 4 { rook.0 < file } else { rook.0 > file };
    let home = color.fold_wb(0, 7);
    if rank == home && wing && !rooks.iter().any(beyond) { 2 } else { 0 }
}

fn development(board: &Board, color: Color) -> i32 {
    let (pawn_home, home) = color.fold_wb((1, 0), (6, 7));
    let pawns = count_if(pieces(board, color, Role::Pawn), |pawn| pawn.1 != pawn_home);
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let out = roles.map(|role| count_if(pieces(board, color, role), |piece| piece.1 != home));
    pawns + 2 * out.iter().sum::<i32>()
}

fn doubled(board: &Board, color: Color) -> i32 {
    let pawns = pieces(board, color, Role::Pawn);
    (0..8).map(|file| (count_if(&pawns, |pawn| pawn.0 == file) - 1).max(0)).sum()
}

fn isolated(board: &Board, color: Color) -> i32 {
    let pawns = pieces(board, color, Role::Pawn);
    count_if(&pawns, |pawn| !pawns.iter().any(|other| (other.0 - pawn.0).abs() == 1))
}

fn connected(board: &Board, color: Color) -> i32 {
    let pawns = pieces(board, color, Role::Pawn);
    let behind = color.fold_wb(-1, 1);
    pawns
        .iter()
        .map(|&(file, rank)| count_if([-1, 1], |side| pawns.contains(&(file + side, rank + behind))))
        .sum()
}

fn passed(board: &Board, color: Color) -> i32 {
    let enemies = pieces(board, !color, Role::Pawn);
    let ahead = |pawn: Coordinates, enemy: Coordinates| color.fold_wb(enemy.1 > pawn.1, enemy.1 < pawn.1);
    count_if(pieces(board, color, Role::Pawn), |&pawn| {
        !enemies.iter().any(|&enemy| (enemy.0 - pawn.0).abs() <= 1 && ahead(pawn, enemy))
    })
}

fn pressure(board: &Board, color: Color) -> i32 {
    let king = pieces(board, color, Role::King)[0];
    let around = (-1..=1).flat_map(|df| (-1..=1).map(move |dr| (df, dr))).filter(|&step| step != (0, 0));
    let attacked = count_if(around, |(df, dr)| {
        square((king.0 + df, king.1 + dr)).is_some_and(|near| attackers(board, near, !color) > 0)
    });
    let mut alone = board.clone();
    for (at, piece) in board {
        if piece.color == color && piece.role != Role::King {
            alone.discard_piece_at(at);
        }
    }
    attacked + attackers(&alone, square(king).unwrap(), !color) as i32
}

fn defended(board: &Board, color: Color) -> i32 {
    count_if(board, |(at, piece)| {
        piece.color == color && piece.role != Role::King && attackers(board, *at, color) > 0
    })
}

fn connected_rooks(board: &Board, color: Color) -> i32 {
    let rooks = pieces(board, color, Role::Rook);
    let free = |a: Coordinates, b: Coordinates| {
        let step = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
        let mut at = (a.0 + step.0, a.1 + step.1);
        while at != b {
            if board.piece_at(square(at).unwrap()).is_some() {
                return false;
            }
            at = (at.0 + step.0, at.1 + step.1);
        }
        true
    };
    let connected = |a: Coordinates, b: Coordinates| (a.0 == b.0 || a.1 == b.1) && free(a, b);
    (0..rooks.len()).map(|i| count_if(&rooks[i + 1..], |other| connected(rooks[i], **other))).sum()
}

fn centralisation(board: &Board, color: Color) -> i32 {
    let (file, rank) = pieces(board, color, Role::King)[0];
    let centre = [(3, 3), (4, 3), (3, 4), (4, 4)];
    let steps = centre.map(|(f, r): Coordinates| (file - f).abs().max((rank - r).abs()));
    -4 * steps.iter().min().unwrap() - color.fold_wb(7 - rank, rank)
}

fn outposts(board: &Board, color: Color) -> i32 {
    let ahead = color.fold_wb(1, -1);
    let friends = pieces(board, color, Role::Pawn);
    let enemies = pieces(board, !color, Role::Pawn);
    count_if(pieces(board, color, Role::Knight), |&(file, rank)| {
        let far = color.fold_wb(rank >= 4, rank <= 3) && (0..8).contains(&(rank + ahead));
        let beside = |pawns: &[Coordinates], rank: i32| {
            pawns.contains(&(file - 1, rank)) || pawns.contains(&(file + 1, rank))
        };
        far && beside(&friends, rank - ahead) && !beside(&enemies, rank + ahead)
    })
}

fn blocked(board: &Board, color: Color) -> i32 {
    count_if(board, |(at, piece)| {
        let steps = board.attacks_from(*at) & !board.by_color(color);
        piece.color == color && !matches!(piece.role, Role::Pawn | Role::King) && steps.is_empty()
    })
}

fn space(board: &Board, color: Color) -> i32 {
    let far = |at: Square| color.fold_wb(at.rank() >= Rank::Fifth, at.rank() <= Rank::Fourth);
    count_if(Square::ALL, |&at| far(at) && attackers(board, at, color) > 0)
}

fn shield(board: &Board, color: Color) -> i32 {
    let (file, rank) = pieces(board, color, Role::King)[0];
    let front = [-1, 0, 1].map(|side| (file + side, rank + color.fold_wb(1, -1)));
    let worth = |piece: Piece| if piece.role == Role::Pawn { 1 } else { 2 };
    let own = |at: Coordinates| board.piece_at(square(at)?).filter(|piece| piece.color == color);
    front.into_iter().filter_map(own).map(worth).sum()
}

fn material(board: &Board, color: Color) -> i32 {
    let values = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    values.map(|(role, value)| value * pieces(board, color, role).len() as i32).iter().sum()
}

/// All principles of one side but its mobility.
fn count(position: &Chess, color: Color) -> Vec<i32> {
    let board = position.board();
    vec![
        material(board, color),
        castling(position, color),
        development(board, color),
        doubled(board, color),
        isolated(board, color),
        connected(board, color),
        passed(board, color),
        pressure(board, !color),
        defended(board, color),
        i32::from(pieces(board, color, Role::Bishop).len() >= 2),
        connected_rooks(board, color),
        centralisation(board, color),
        outposts(board, color),
        blocked(board, color),
        space(board, color),
        shield(board, color),
        pressure(board, color),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn principles_counted_on_sets_are_those_counted_square_by_square(seed: u64) {
        let position = testing::random_position(seed);
        let facts = Facts::of(View::from(&position));
        for color in Color::ALL {
            let mut counted = genome::count(&facts, color).to_vec();
            let moves = counted.remove(1);
            prop_assert_eq!(counted, count(&position, color));
            let to_move = Some(position.clone()).filter(|position| position.turn() == color);
            let to_move = to_move.or_else(|| position.clone().swap_turn().ok());
            if let Some(to_move) = to_move {
                prop_assert_eq!(moves, mobility(&to_move));
            }
        }
    }
}
