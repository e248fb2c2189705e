//! Replaying a record on a board.

use shakmaty::{CastlingMode, Move};
use tabia_core::chess::MoveError;
use tabia_core::{ChessGame, FenError, Game};

use super::{GameRecord, Variant};

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("a game of quantum chess has no single position; replay it as a quantum game")]
    Quantum,
    #[error("the start position is invalid: {0}")]
    Start(#[from] FenError),
    #[error("half-move {number}: {fault}")]
    Move {
        /// Counted from 1.
        number: usize,
        fault: MoveError,
    },
}

impl GameRecord {
    /// The game before its first move.
    pub fn opening_position(&self) -> Result<ChessGame, RecordError> {
        let mode = match self.variant {
            Variant::Quantum => return Err(RecordError::Quantum),
            Variant::Chess => CastlingMode::Standard,
            Variant::Chess960 => CastlingMode::Chess960,
        };
        match &self.start {
            Some(fen) => Ok(ChessGame::from_fen_in_mode(fen, mode)?),
            None => Ok(ChessGame::default().in_mode(mode)),
        }
    }

    /// Replays the whole game.
    ///
    /// ```
    /// use tabia_games::{GameRecord, Ply};
    ///
    /// let record = GameRecord { plies: vec![Ply::of("e2e4")], ..GameRecord::default() };
    /// assert!(record.play()?.fen().starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/"));
    /// # Ok::<(), tabia_games::record::RecordError>(())
    /// ```
    pub fn play(&self) -> Result<ChessGame, RecordError> {
        let mut game = self.opening_position()?;
        self.moves_into(&mut game)?;
        Ok(game)
    }

    pub fn moves(&self) -> Result<Vec<Move>, RecordError> {
        self.play().map(|game| game.moves().to_vec())
    }

    fn moves_into(&self, game: &mut ChessGame) -> Result<(), RecordError> {
        for (index, ply) in self.plies.iter().enumerate() {
            let m = game
                .read_move(&ply.action)
                .map_err(|fault| RecordError::Move { number: index + 1, fault })?;
            game.apply(m);
        }
        Ok(())
    }

    /// The record of a game without further information.
    ///
    /// ```
    /// use tabia_core::{ChessGame, Game};
    /// use tabia_games::GameRecord;
    ///
    /// let mut game = ChessGame::default();
    /// let m = game.read_move("d4")?;
    /// game.apply(m);
    /// assert_eq!(GameRecord::of_game(&game).plies[0].action, "d2d4");
    /// # Ok::<(), tabia_core::chess::MoveError>(())
    /// ```
    pub fn of_game(game: &ChessGame) -> GameRecord {
        let usual = *game.start() == shakmaty::Chess::default();
        GameRecord {
            variant: game.mode().into(),
            start: (!usual).then(|| tabia_core::chess::fen_of(game.start())),
            plies: game.moves().iter().map(|m| super::Ply::of(game.write_move(*m))).collect(),
            ..GameRecord::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ply;

    fn record(variant: Variant, start: Option<&str>, moves: &str) -> GameRecord {
        GameRecord {
            variant,
            start: start.map(str::to_owned),
            plies: moves.split_whitespace().map(Ply::of).collect(),
            ..GameRecord::default()
        }
    }

    #[test]
    fn a_record_of_a_game_plays_the_game() {
        let start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9";
        let record = record(Variant::Chess960, Some(start), "e1f3 e8d6 g1h1");
        assert_eq!(record.play().unwrap_err().to_string().split(':').next(), Some("half-move 2"));
        let shorter = GameRecord { plies: record.plies[..1].to_vec(), ..record };
        assert_eq!(GameRecord::of_game(&shorter.play().unwrap()), shorter);
    }

    #[test]
    fn what_cannot_be_played_says_why() {
        let fault = |record: GameRecord| record.play().unwrap_err().to_string();
        assert!(fault(record(Variant::Quantum, None, "")).contains("quantum"));
        assert!(fault(record(Variant::Chess, Some("8/8/8/8/8/8/8/8 w - -"), "")).contains("no king"));
        assert!(fault(record(Variant::Chess, None, "e2e4 e2e4")).starts_with("half-move 2: \"e2e4\""));
    }
}
