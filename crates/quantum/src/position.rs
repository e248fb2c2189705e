//! States as text, an extension of FEN.
//!
//! A single board is a FEN. Several are the FEN's other fields first, then every board with its weight:
//!
//! ```text
//! state  = FEN | turn clock number ":" branch { "+" branch }
//! branch = weight "*" board castling en-passant
//!
//! b 1 1: 1*rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR KQkq - + 1*rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq -
//! ```
//!
//! Clock (plies without progress) and move number are as in FEN. Branches may be in any order, repeated, and with any
//! common divisor; they are written heaviest first. As in FEN, the history is not included, and what cannot matter to
//! play is ignored: castling rights without king or rook in place, en passant without its pawn.
//!
//! ```
//! use tabia_quantum::QuantumGame;
//!
//! let text = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
//! let game: QuantumGame = text.parse()?;
//! assert_eq!(game.to_string(), text);
//! # Ok::<(), tabia_quantum::PositionError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use shakmaty::{Bitboard, Board, Color, Rank, Square};
use tabia_core::fen;

use crate::branch::Branch;
use crate::castling::{self, Castling};
use crate::game::QuantumGame;
use crate::superposition::{MAX_BRANCHES, MAX_TOTAL};

/// Largest move number.
const MAX_MOVE_NUMBER: u32 = 1_000_000;

/// Why a text is not a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    #[error("{0}")]
    Head(String),
    #[error("branch {number}: {why} (in \"{text}\")")]
    Branch {
        /// Counted from 1.
        number: usize,
        why: String,
        /// The text of the branch, shortened if very long.
        text: String,
    },
    #[error("there are {0} different branches, at most {MAX_BRANCHES} are allowed")]
    TooMany(usize),
    /// Weights whose sum is too large even after dividing by what they have in common.
    #[error(
        "the weights sum to {0} after dividing by what they have in common, at most {MAX_TOTAL} is allowed"
    )]
    TooHeavy(u128),
}

impl FromStr for QuantumGame {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<QuantumGame, PositionError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PositionError::Head(
                "the position is empty; write a FEN, or `w 0 1: 1*board KQkq - + 1*board KQkq -`".to_owned(),
            ));
        }
        let (head, branches) = match text.split_once(':') {
            Some((head, branches)) => (Head::read(head)?, read_branches(branches)?),
            None => read_fen(text)?,
        };
        let branches = head.forgive(branches);
        let branches = weighed(branches)?;
        Ok(QuantumGame::from_branches(branches, head.turn, head.no_progress, head.ply()))
    }
}

/// The fields common to all branches.
struct Head {
    turn: Color,
    no_progress: u32,
    number: u32,
}

impl Head {
    fn read(text: &str) -> Result<Head, PositionError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [turn, no_progress, number] = fields[..] else {
            return Err(PositionError::Head(format!(
                "\"{}\" stands before the colon, expected side to move, half-move clock and move number, as in `w 0 1:`",
                shorten(text.trim())
            )));
        };
        Head::from_fields(turn, no_progress, number)
    }

    fn from_fields(turn: &str, no_progress: &str, number: &str) -> Result<Head, PositionError> {
        let integer = |what: &str, text: &str, min: u32| match text.parse::<u32>() {
            Ok(number) if (min..=MAX_MOVE_NUMBER).contains(&number) => Ok(number),
            _ => Err(PositionError::Head(format!(
                "the {what} is \"{}\", expected a whole number from {min} to {MAX_MOVE_NUMBER}",
                shorten(text)
            ))),
        };
        let turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => {
                let turn = shorten(turn);
                return Err(PositionError::Head(format!("the side to move is \"{turn}\", expected w or b")));
            }
        };
        Ok(Head {
            turn,
            no_progress: integer("half-move clock", no_progress, 0)?,
            number: integer("move number", number, 1)?,
        })
    }

    fn ply(&self) -> u32 {
        2 * (self.number - 1) + self.turn.fold_wb(0, 1)
    }

    /// Removes en passant squares that no pawn has just passed.
    fn forgive(&self, branches: Vec<Fields>) -> Vec<Fields> {
        let passed = |branch: &Fields, square: &Square| {
            let (rank, forward) = self.turn.fold_wb((Rank::Sixth, -8), (Rank::Third, 8));
            let behind = |offset| square.offset(offset);
            let board = &branch.board;
            let empty =
                |square: Option<Square>| square.is_some_and(|square| board.piece_at(square).is_none());
            square.rank() == rank
                && empty(Some(*square))
                && empty(behind(-forward))
                && behind(forward).and_then(|square| board.piece_at(square)) == Some(self.turn.other().pawn())
        };
        branches
            .into_iter()
            .map(|branch| {
                let en_passant = branch.en_passant.filter(|square| passed(&branch, square));
                Fields { en_passant, ..branch }
            })
            .collect()
    }
}

/// A branch as read.
struct Fields {
    weight: u64,
    board: Board,
    castling: Castling,
    en_passant: Option<Square>,
}

fn read_fen(text: &str) -> Result<(Head, Vec<Fields>), PositionError> {
    let mut fields = text.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let turn = fields.next().unwrap_or("w");
    let castling = fields.next().unwrap_or("-");
    let en_passant = fields.next().unwrap_or("-");
    let head = Head::from_fields(turn, fields.next().unwrap_or("0"), fields.next().unwrap_or("1"));
    let branch = read_board(board, castling, en_passant).map_err(|why| PositionError::Branch {
        number: 1,
        why,
        text: shorten(text),
    })?;
    if let Some(extra) = fields.next() {
        return Err(PositionError::Head(format!(
            "\"{}\" follows the move number, where a FEN ends",
            shorten(extra)
        )));
    }
    Ok((head?, vec![branch]))
}

fn read_branches(text: &str) -> Result<Vec<Fields>, PositionError> {
    text.split('+')
        .enumerate()
        .map(|(at, branch)| {
            read_branch(branch).map_err(|why| PositionError::Branch {
                number: at + 1,
                why,
                text: shorten(branch.trim()),
            })
        })
        .collect()
}

fn read_branch(text: &str) -> Result<Fields, String> {
    let text = text.trim();
    let Some((weight, rest)) = text.split_once('*') else {
        return Err(if text.is_empty() {
            "nothing is there; write weight*board castling en-passant".to_owned()
        } else {
            "it has no weight; write weight*board castling en-passant".to_owned()
        });
    };
    let weight = match weight.trim().parse::<u64>() {
        Ok(0) => return Err("its weight is 0; leave such a branch out".to_owned()),
        Ok(weight) => weight,
        Err(_) => {
            let weight = shorten(weight.trim());
            return Err(format!(
                "its weight is \"{weight}\", expected a whole number from 1 to {}",
                u64::MAX
            ));
        }
    };
    let fields: Vec<&str> = rest.split_whitespace().collect();
    match fields[..] {
        [board, castling, en_passant] => Ok(Fields { weight, ..read_board(board, castling, en_passant)? }),
        _ => Err(format!(
            "it has {} fields after the weight, expected board, castling and en passant",
            fields.len()
        )),
    }
}

fn read_board(board: &str, castling: &str, en_passant: &str) -> Result<Fields, String> {
    let placement = match Board::from_ascii_board_fen(board.as_bytes()) {
        Ok(placement) => placement,
        Err(cause) => return Err(fen::board_fault(board).unwrap_or_else(|| cause.to_string())),
    };
    for color in Color::ALL {
        let name = color.fold_wb("White", "Black");
        match placement.by_piece(color.king()).count() {
            1 => {}
            0 => return Err(format!("{name} has no king")),
            many => return Err(format!("{name} has {many} kings, expected one")),
        }
    }
    let ends = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
    if (placement.pawns() & ends).any() {
        return Err("there is a pawn on the first or eighth rank".to_owned());
    }
    let rights = Castling::read(castling).map_err(|letter| {
        format!("the castling field \"{}\" has {letter:?}; expected letters of KQkq, or -", shorten(castling))
    })?;
    let in_place = |color: Color, side| {
        placement.piece_at(castling::king_home(color)) == Some(color.king())
            && placement.piece_at(castling::rook_home(color, side)) == Some(color.rook())
    };
    let castling = rights
        .iter()
        .filter(|(color, side)| in_place(*color, *side))
        .fold(Castling::NONE, |castling, (color, side)| castling.with(color, side));
    let en_passant = match en_passant {
        "-" => None,
        square => Some(square.parse().map_err(|_| {
            format!("the en passant square is \"{}\", expected a square such as e3, or -", shorten(square))
        })?),
    };
    Ok(Fields { weight: 1, board: placement, castling, en_passant })
}

/// Checks that the branches have a normal form.
fn weighed(fields: Vec<Fields>) -> Result<Vec<Branch>, PositionError> {
    // Equal boards are merged, so the sum of two weights may overflow the type of one.
    let mut branches: Vec<(Branch, u128)> = fields
        .into_iter()
        .map(|f| (Branch::new(f.board, f.castling, f.en_passant, 1), u128::from(f.weight)))
        .collect();
    branches.sort_by(|a, b| a.0.order(&b.0));
    branches.dedup_by(|later, kept| {
        let same = later.0.is_same_board(&kept.0);
        if same {
            kept.1 += later.1;
        }
        same
    });
    if branches.len() > MAX_BRANCHES {
        return Err(PositionError::TooMany(branches.len()));
    }
    let divisor = branches.iter().fold(0, |divisor, (_, weight)| common_divisor(*weight, divisor)).max(1);
    let total: u128 = branches.iter().map(|(_, weight)| weight / divisor).sum();
    if total > u128::from(MAX_TOTAL) {
        return Err(PositionError::TooHeavy(total));
    }
    Ok(branches
        .into_iter()
        .map(|(mut branch, weight)| {
            branch.weight = (weight / divisor) as u64;
            branch
        })
        .collect())
}

fn common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 100;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// The text form; during a measurement, with the branches at that moment.
impl fmt::Display for QuantumGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let en_passant =
            |branch: &Branch| branch.en_passant().map_or_else(|| "-".to_owned(), |s| s.to_string());
        let (turn, clock, number) = (self.turn.char(), self.no_progress, self.ply / 2 + 1);
        if let [only] = &self.branches[..] {
            let (board, castling, passing) = (only.board(), only.castling(), en_passant(only));
            return write!(f, "{board} {turn} {castling} {passing} {clock} {number}");
        }
        let mut branches: Vec<(u64, String)> = self
            .branches
            .iter()
            .map(|branch| {
                (branch.weight, format!("{} {} {}", branch.board(), branch.castling(), en_passant(branch)))
            })
            .collect();
        branches.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        write!(f, "{turn} {clock} {number}:")?;
        for (at, (weight, board)) in branches.iter().enumerate() {
            write!(f, "{} {weight}*{board}", if at == 0 { "" } else { " +" })?;
        }
        Ok(())
    }
}
