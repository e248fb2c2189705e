//! A game of chess: shakmaty's position, the moves that led to it, and the draws that depend on them.

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, Position, Role, fen::Fen, uci::UciMove,
    zobrist::Zobrist64,
};

use crate::fen::{self, FenError};
use crate::game::{Game, Turn};
use crate::outcome::{Outcome, Reason};

/// Half-moves without progress after which the game is drawn (fifty full moves).
const FIFTY_MOVES: u32 = 100;

/// A game of chess or Chess960, from some start to the position on the board.
#[derive(Clone, Debug)]
pub struct ChessGame {
    start: Chess,
    position: Chess,
    mode: CastlingMode,
    moves: Vec<Move>,
    /// Keys of every position since the start, the current one last.
    keys: Vec<u64>,
}

/// A move that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    #[error("\"{0}\" is not a move; write it like e2e4, e7e8q or Nf3")]
    Unreadable(String),
    #[error("\"{text}\" is not legal in {fen}")]
    Illegal {
        /// The move as written.
        text: String,
        fen: String,
    },
}

impl Default for ChessGame {
    fn default() -> Self {
        ChessGame::from_position(Chess::default(), CastlingMode::Standard)
    }
}

impl ChessGame {
    /// A game that starts from a position.
    pub fn from_position(position: Chess, mode: CastlingMode) -> ChessGame {
        let key = key_of(&position);
        ChessGame { start: position.clone(), position, mode, moves: Vec::new(), keys: vec![key] }
    }

    /// A game that starts from a FEN; Chess960 is recognised by its castling rights.
    ///
    /// ```
    /// use tabia_core::ChessGame;
    ///
    /// let game = ChessGame::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
    /// assert_eq!(game.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    /// assert!(ChessGame::from_fen("9/8/8/8/8/8/8/8 w - - 0 1").is_err());
    /// # Ok::<(), tabia_core::FenError>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<ChessGame, FenError> {
        let (position, mode) = fen::read(text, None)?;
        Ok(ChessGame::from_position(position, mode))
    }

    /// A game that starts from a FEN, its castling read in the given mode.
    pub fn from_fen_in_mode(text: &str, mode: CastlingMode) -> Result<ChessGame, FenError> {
        let (position, mode) = fen::read(text, Some(mode))?;
        Ok(ChessGame::from_position(position, mode))
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position the game started from.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// How castling is written and read.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The same game with castling written in another mode.
    #[must_use]
    pub fn in_mode(mut self, mode: CastlingMode) -> ChessGame {
        self.mode = mode;
        self
    }

    /// The moves played since the start.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Keys of the positions since the start, the current one last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        fen_of(&self.position)
    }

    /// Reads a move in UCI or standard algebraic notation; castling may be written either way.
    ///
    /// ```
    /// use tabia_core::ChessGame;
    ///
    /// let game = ChessGame::default();
    /// assert_eq!(game.read_move("e2e4"), game.read_move("e4"));
    /// assert!(game.read_move("Ke2").is_err());
    /// ```
    pub fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let illegal = || MoveError::Illegal { text: text.to_owned(), fen: self.fen() };
        if let Ok(uci) = text.parse::<UciMove>() {
            return uci.to_move(&self.position).map_err(|_| illegal());
        }
        match text.parse::<shakmaty::san::SanPlus>() {
            Ok(san) => san.san.to_move(&self.position).map_err(|_| illegal()),
            Err(_) => Err(MoveError::Unreadable(text.to_owned())),
        }
    }

    /// A move as UCI writes it in this game's castling mode.
    pub fn write_move(&self, m: Move) -> String {
        m.to_uci(self.mode).to_string()
    }

    /// How often the current position has stood on the board, this time included.
    pub fn repetitions(&self) -> usize {
        let current = self.keys[self.keys.len() - 1];
        let reversible = self.position.halfmoves() as usize + 1;
        self.keys.iter().rev().take(reversible).step_by(2).filter(|key| **key == current).count()
    }

    /// The end of the game by the rules, if it has come. Draws that a player could claim (threefold repetition,
    /// fifty moves) end the game, as they do between programs.
    ///
    /// ```
    /// use tabia_core::{ChessGame, Game, Reason};
    ///
    /// let mut game = ChessGame::default();
    /// for text in ["f3", "e5", "g4", "Qh4#"] {
    ///     let m = game.read_move(text)?;
    ///     game.apply(m);
    /// }
    /// assert_eq!(game.outcome().map(|outcome| outcome.reason), Some(Reason::Checkmate));
    /// # Ok::<(), tabia_core::chess::MoveError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if self.position.legal_moves().is_empty() {
            return Some(if self.position.is_check() {
                Outcome::win(self.position.turn().other(), Reason::Checkmate)
            } else {
                Outcome::draw(Reason::Stalemate)
            });
        }
        if self.position.is_insufficient_material() {
            return Some(Outcome::draw(Reason::InsufficientMaterial));
        }
        if self.position.halfmoves() >= FIFTY_MOVES {
            return Some(Outcome::draw(Reason::FiftyMoves));
        }
        if self.repetitions() >= 3 {
            return Some(Outcome::draw(Reason::Repetition));
        }
        None
    }

    /// Takes the last move back; false when there is none.
    pub fn undo(&mut self) -> bool {
        if self.moves.is_empty() {
            return false;
        }
        let moves = self.moves[..self.moves.len() - 1].to_vec();
        *self = ChessGame::from_position(self.start.clone(), self.mode);
        for m in moves {
            self.apply(m);
        }
        true
    }
}

/// A position as FEN, en passant only where it can be played.
pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The English name of a kind of piece.
///
/// ```
/// use shakmaty::Role;
/// use tabia_core::chess::role_name;
///
/// assert_eq!(role_name(Role::Knight), "knight");
/// ```
pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn key_of(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

impl Game for ChessGame {
    type Action = Move;

    fn turn(&self) -> Turn {
        match self.outcome() {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::Player(self.side_to_move()),
        }
    }

    fn actions(&self, out: &mut Vec<Move>) {
        out.clear();
        if self.outcome().is_none() {
            out.extend(self.position.legal_moves());
        }
    }

    fn apply(&mut self, action: Move) {
        debug_assert!(self.position.is_legal(action), "{action:?} in {}", self.fen());
        self.position.play_unchecked(action);
        self.moves.push(action);
        self.keys.push(key_of(&self.position));
    }

    fn key(&self) -> u64 {
        self.keys[self.keys.len() - 1]
    }
}

impl ChessGame {
    /// Whose turn it is, whether or not the game is over.
    pub fn side_to_move(&self) -> Color {
        self.position.turn()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit;

    fn play(game: &mut ChessGame, moves: &str) {
        for text in moves.split_whitespace() {
            let m = game.read_move(text).unwrap();
            game.apply(m);
        }
    }

    #[test]
    fn chess_is_a_proper_game() {
        testkit::check_game(&ChessGame::default(), 20, 1);
        testkit::check_game(&ChessGame::from_fen("8/8/8/4k3/8/8/4PK2/8 w - - 0 1").unwrap(), 20, 2);
    }

    #[test]
    fn the_third_repetition_is_a_draw() {
        let mut game = ChessGame::default();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        assert_eq!(game.outcome(), None);
        play(&mut game, "Ng8");
        assert_eq!(game.repetitions(), 3);
        assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Repetition)));
        assert!(game.undo());
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn mate_on_the_hundredth_half_move_is_mate() {
        let mut game = ChessGame::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").unwrap();
        play(&mut game, "Ra8");
        assert_eq!(game.outcome(), Some(Outcome::win(Color::White, Reason::Checkmate)));
        let mut game = ChessGame::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").unwrap();
        play(&mut game, "Ra7");
        assert_eq!(game.outcome(), Some(Outcome::draw(Reason::FiftyMoves)));
    }

    #[test]
    fn castling_is_read_as_king_move_and_as_king_takes_rook() {
        let game = ChessGame::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let castle = game.read_move("e1g1").unwrap();
        assert_eq!(game.read_move("e1h1").unwrap(), castle);
        assert_eq!(game.read_move("O-O").unwrap(), castle);
        assert_eq!(game.write_move(castle), "e1g1");
        assert_eq!(game.clone().in_mode(CastlingMode::Chess960).write_move(castle), "e1h1");
    }

    #[test]
    fn bad_moves_are_named() {
        let game = ChessGame::default();
        assert!(
            game.read_move("e2e5").unwrap_err().to_string().contains("\"e2e5\" is not legal in rnbqkbnr")
        );
        assert!(game.read_move("hello").unwrap_err().to_string().contains("is not a move"));
        assert!(game.read_move("0000").is_err());
    }
}
