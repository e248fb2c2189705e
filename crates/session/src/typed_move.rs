//! Moves as people type them, and what is wrong with those that cannot be played.

use shakmaty::san::{San, SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{Color, Move, Position, Role, Square};
use tabia_core::chess::role_name;
use tabia_core::{ChessGame, spelling};

use crate::refusal::name;

/// A line that is no move which can be played, and what could be played instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TypedMoveError(String);

/// Reads a move. Small slips are forgiven: `E2E4`, `nf3`, `0-0`, `e8=q`. `commands` are what else may be typed: the nearest of
/// them is suggested for a line that is no move at all.
///
/// ```
/// use tabia_core::ChessGame;
/// use tabia_session::typed_move;
///
/// let game = ChessGame::default();
/// assert_eq!(typed_move::read(&game, "nf3", &[]).ok(), game.read_move("g1f3").ok());
/// let error = typed_move::read(&game, "e2e5", &[]).unwrap_err();
/// assert_eq!(error.to_string(), "the pawn on e2 cannot go to e5; it can play e3 e4");
/// ```
pub fn read(game: &ChessGame, line: &str, commands: &[&str]) -> Result<Move, TypedMoveError> {
    let read = spellings(line).iter().find_map(|spelling| game.read_move(spelling).ok());
    read.ok_or_else(|| TypedMoveError(fault(game, line, commands)))
}

/// A line as it is, and as it may have been meant.
fn spellings(line: &str) -> Vec<String> {
    let mut spellings = vec![line.to_owned(), line.to_lowercase()];
    let mut letters = line.chars();
    if let Some(first) = letters.next() {
        spellings.push(first.to_ascii_uppercase().to_string() + letters.as_str());
    }
    if let Some((pawn, role)) = line.split_once('=') {
        spellings.push(format!("{pawn}={}", role.to_uppercase()));
    }
    spellings.push(line.replace(['0', 'o'], "O"));
    spellings
}

/// Why a line is no move that can be played here, and what could be played instead.
fn fault(game: &ChessGame, line: &str, commands: &[&str]) -> String {
    let spellings = spellings(line);
    if let Some(m) = spellings.iter().find_map(|text| text.parse::<UciMove>().ok()) {
        return match m {
            UciMove::Normal { from, to, promotion } => wrong_squares(game, from, to, promotion),
            UciMove::Put { .. } | UciMove::Null => format!("\"{line}\" is not a move of chess"),
        };
    }
    match spellings.iter().find_map(|text| text.parse::<SanPlus>().ok()) {
        Some(san) => wrong_san(game, line, san.san),
        None => format!(
            "\"{line}\" is neither a move nor a command; moves look like e2e4, e7e8q, Nf3 or O-O, and `help` lists \
             the commands{}",
            spelling::hint(line, commands.iter().copied())
        ),
    }
}

fn wrong_squares(game: &ChessGame, from: Square, to: Square, promotion: Option<Role>) -> String {
    let turn = game.side_to_move();
    let Some(piece) = game.position().board().piece_at(from) else {
        return format!("there is nothing on {from}");
    };
    let role = role_name(piece.role);
    if piece.color != turn {
        return format!("the {role} on {from} is {}'s, and it is {}'s move", name(piece.color), name(turn));
    }
    let moves: Vec<Move> = legal(game).into_iter().filter(|m| m.from() == Some(from)).collect();
    if moves.iter().any(|m| m.to() == to) {
        return match promotion {
            None => format!(
                "say what the pawn becomes: {}",
                listed(game, moves.into_iter().filter(|m| m.to() == to))
            ),
            Some(_) => format!("the {role} does not become anything on {to}: write {from}{to}"),
        };
    }
    if moves.is_empty() {
        return format!("the {role} on {from} cannot move{}", because_of_check(game));
    }
    let moves = listed(game, moves.into_iter());
    format!("the {role} on {from} cannot go to {to}{}; it can play {moves}", because_of_check(game))
}

fn wrong_san(game: &ChessGame, line: &str, san: San) -> String {
    let (role, to) = match san {
        San::Normal { role, to, .. } => (role, to),
        San::Castle(_) => {
            let moves = listed(game, legal(game).into_iter().filter(|m| m.role() == Role::King));
            let instead =
                if moves.is_empty() { String::new() } else { format!("; the king can play {moves}") };
            return format!("castling is not possible here{}{instead}", because_of_check(game));
        }
        San::Put { .. } | San::Null => return format!("\"{line}\" is not a move of chess"),
    };
    let board = game.position().board();
    let own = (board.by_color(game.side_to_move()) & board.by_role(role)).count();
    let (name, check) = (role_name(role), because_of_check(game));
    if own == 0 {
        return format!("you have no {name}");
    }
    let moves: Vec<Move> = legal(game).into_iter().filter(|m| m.role() == role).collect();
    let there: Vec<Move> = moves.iter().copied().filter(|m| m.to() == to).collect();
    if matches!(san.to_move(game.position()), Err(SanError::AmbiguousSan)) {
        return format!("more than one {name} can go to {to}: {}", listed(game, there.into_iter()));
    }
    if !there.is_empty() {
        return format!("\"{line}\" is not quite it: {}", listed(game, there.into_iter()));
    }
    let instead = listed(game, moves.into_iter());
    match (own, instead.as_str()) {
        (1, "") => format!("your {name} cannot move{check}"),
        (1, _) => format!("your {name} cannot go to {to}{check}; it can play {instead}"),
        (_, "") => format!("your {name}s cannot move{check}"),
        (_, _) => format!("no {name} can go to {to}{check}; your {name}s can play {instead}"),
    }
}

fn legal(game: &ChessGame) -> Vec<Move> {
    game.position().legal_moves().to_vec()
}

fn because_of_check(game: &ChessGame) -> &'static str {
    match (game.position().is_check(), game.side_to_move()) {
        (false, _) => "",
        (true, Color::White) => " (White is in check)",
        (true, Color::Black) => " (Black is in check)",
    }
}

/// Moves in standard notation, in the order of the alphabet.
pub fn listed(game: &ChessGame, moves: impl Iterator<Item = Move>) -> String {
    let san = |m| SanPlus::from_move(game.position().clone(), m).to_string();
    let mut moves: Vec<String> = moves.map(san).collect();
    moves.sort();
    moves.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn fault_of(fen: &str, line: &str) -> String {
        read(&ChessGame::from_fen(fen).unwrap(), line, &["undo"]).expect_err(line).to_string()
    }

    #[test]
    fn slips_of_the_finger_are_forgiven() {
        for (fen, line, uci) in [
            (START, "E2E4", "e2e4"),
            (START, "nf3", "g1f3"),
            (START, "Nf3", "g1f3"),
            (START, "e4", "e2e4"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0-0", "e1g1"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "o-o", "e1g1"),
            ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8=q", "e7e8q"),
            ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8=N", "e7e8n"),
        ] {
            let game = ChessGame::from_fen(fen).unwrap();
            assert_eq!(read(&game, line, &[]).map(|m| game.write_move(m)), Ok(uci.to_owned()), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_and_what_is_right_is_said() {
        for (fen, line, expected) in [
            (START, "e2e5", "the pawn on e2 cannot go to e5; it can play e3 e4"),
            (START, "e4e5", "there is nothing on e4"),
            (START, "e7e5", "the pawn on e7 is Black's, and it is White's move"),
            (START, "a1a3", "the rook on a1 cannot move"),
            (START, "Nd4", "no knight can go to d4; your knights can play Na3 Nc3 Nf3 Nh3"),
            (START, "Qh5", "your queen cannot move"),
            (START, "Bc4", "your bishops cannot move"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                "Ke3",
                "your king cannot go to e3; it can play Kd1 Kd2 Ke2 Kf1 Kf2",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Qe3", "you have no queen"),
            (START, "O-O", "castling is not possible here"),
            (START, "udno", "did you mean \"undo\"?"),
            (START, "e2e4q", "write e2e4"),
            ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "say what the pawn becomes: e8=B e8=N e8=Q e8=R"),
            ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "more than one knight can go to d2: Nbd2 Nfd2"),
            ("4k3/8/8/8/7b/8/3P4/4K3 w - - 0 1", "d2d4", "the pawn on d2 cannot move (White is in check)"),
        ] {
            let fault = fault_of(fen, line);
            assert!(fault.contains(expected), "{line}: {fault}");
        }
    }
}
