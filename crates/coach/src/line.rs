//! A line of play: moves from a position, each with the position before and after it.
//!
//! The *player* is the side whose moves are explained: the solver of a puzzle, or the side that refutes a mistake. A
//! line may begin with the opponent's move that led to the position (a puzzle's first move); motifs that depend on
//! it, such as an in-between move, can then be recognised.

use shakmaty::san::SanPlus;
use shakmaty::{CastlingSide, Chess, Color, Move, Position, Role, Square};

/// A move that does not fit the position it should be played in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("half-move {ply} of the line, {text}, is not legal in {fen}")]
pub struct LineError {
    /// Its number, from 1.
    pub ply: usize,
    /// The move.
    pub text: String,
    /// The position.
    pub fen: String,
}

/// One move of a line.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The position it is played in.
    pub before: Chess,
    /// The move.
    pub played: Move,
    /// The position it leads to.
    pub after: Chess,
}

impl Ply {
    /// Where the moved piece came from.
    pub fn from(&self) -> Square {
        self.played.from().unwrap_or_else(|| self.played.to())
    }

    /// Where the moved piece stands now; for castling, the king's square.
    pub fn to(&self) -> Square {
        destination(self.played)
    }

    /// The piece as it stands after the move: a promoted pawn is what it became.
    pub fn role(&self) -> Role {
        self.played.promotion().unwrap_or_else(|| self.played.role())
    }

    /// What stood on the destination before. A pawn taken en passant did not.
    pub fn taken_on_destination(&self) -> Option<Role> {
        match self.played {
            Move::Normal { capture, .. } => capture,
            _ => None,
        }
    }

    /// Whether something is captured, en passant included.
    pub fn is_capture(&self) -> bool {
        self.played.is_capture()
    }

    /// Whether the move gives check.
    pub fn is_check(&self) -> bool {
        self.after.is_check()
    }

    /// The side that moves.
    pub fn mover(&self) -> Color {
        self.before.turn()
    }

    /// The move in standard algebraic notation.
    pub fn san(&self) -> String {
        SanPlus::from_move(self.before.clone(), self.played).to_string()
    }
}

/// Where a moved piece ends; shakmaty gives the rook's square for castling.
pub fn destination(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            Square::from_coords(side.king_to_file(), king.rank())
        }
        _ => m.to(),
    }
}

/// A line of play.
#[derive(Clone, Debug)]
pub struct Line {
    plies: Vec<Ply>,
    /// 1 where the line begins with the opponent's move, else 0.
    first: usize,
    player: Color,
}

impl Line {
    /// The line of the side to move.
    pub fn new(start: &Chess, moves: &[Move]) -> Result<Line, LineError> {
        Line::with_first(start, moves, 0)
    }

    /// A line whose first move is the opponent's, as lichess writes puzzles.
    pub fn after_opponents_move(start: &Chess, moves: &[Move]) -> Result<Line, LineError> {
        Line::with_first(start, moves, 1)
    }

    /// The line as far as its moves are legal: an engine's line may not be legal to its end.
    pub fn legal_part(start: &Chess, moves: &[Move]) -> Line {
        match Line::new(start, moves) {
            Ok(line) => line,
            Err(LineError { ply, .. }) => Line::new(start, &moves[..ply - 1]).unwrap_or(Line {
                plies: Vec::new(),
                first: 0,
                player: start.turn(),
            }),
        }
    }

    fn with_first(start: &Chess, moves: &[Move], first: usize) -> Result<Line, LineError> {
        let mut plies = Vec::with_capacity(moves.len());
        let mut position = start.clone();
        for (index, m) in moves.iter().enumerate() {
            if !position.is_legal(*m) {
                return Err(LineError {
                    ply: index + 1,
                    text: m.to_uci(shakmaty::CastlingMode::Standard).to_string(),
                    fen: tabia_core::chess::fen_of(&position),
                });
            }
            let before = position.clone();
            position.play_unchecked(*m);
            plies.push(Ply { before, played: *m, after: position.clone() });
        }
        let player = if first == 0 { start.turn() } else { start.turn().other() };
        Ok(Line { plies, first, player })
    }

    /// Whose line it is.
    pub fn player(&self) -> Color {
        self.player
    }

    /// All moves, the opponent's first one included.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves from the player's first one.
    pub fn moves(&self) -> Vec<Move> {
        self.plies[self.first.min(self.plies.len())..].iter().map(|ply| ply.played).collect()
    }

    /// The move with this number, if the line is so long.
    pub fn ply(&self, index: usize) -> Option<&Ply> {
        self.plies.get(index)
    }

    /// The opponent's move before the player's first one, if it is known.
    pub fn opponents_first(&self) -> Option<&Ply> {
        self.plies[..self.first.min(self.plies.len())].first()
    }

    /// The numbers of the player's moves.
    pub fn player_indices(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        (self.first..self.plies.len()).step_by(2)
    }

    /// The player's moves with their numbers.
    pub fn player_plies(&self) -> impl DoubleEndedIterator<Item = (usize, &Ply)> {
        self.player_indices().map(|index| (index, &self.plies[index]))
    }

    /// The player's moves from the second on, each with the opponent's reply and the player's move before it.
    pub fn follow_ups(&self) -> impl Iterator<Item = FollowUp<'_>> {
        self.player_indices().skip(1).map(|index| FollowUp {
            index,
            earlier: &self.plies[index - 2],
            reply: &self.plies[index - 1],
            ply: &self.plies[index],
        })
    }

    /// The last move.
    pub fn last(&self) -> Option<&Ply> {
        self.plies.last()
    }

    /// Whether the player mates with the last move.
    pub fn is_mate(&self) -> bool {
        self.last().is_some_and(|last| last.mover() == self.player && last.after.is_checkmate())
    }
}

/// A move of the player with what came just before.
#[derive(Copy, Clone, Debug)]
pub struct FollowUp<'a> {
    /// The move's number in the line.
    pub index: usize,
    /// The player's move before.
    pub earlier: &'a Ply,
    /// The opponent's reply to that.
    pub reply: &'a Ply,
    /// The move.
    pub ply: &'a Ply,
}
