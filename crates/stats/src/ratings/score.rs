//! The results of one pairing.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::super::result::{GameResult, PairResult};
use super::super::tally::Tally;

/// All results between two players, from the view of the first.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncounterScore {
    /// Number of the player whose view it is.
    pub first: usize,
    /// Number of the opponent.
    pub second: usize,
    /// All games in which the first had White: `[losses, draws, wins]` of the first.
    pub as_white: [u64; 3],
    /// All games in which the first had Black: `[losses, draws, wins]` of the first.
    pub as_black: [u64; 3],
    /// Of those, the colour-swapped pairs: `[LL, LD, DD+WL, WD, WW]` of the first.
    pub pentanomial: [u64; 5],
}

impl EncounterScore {
    /// Two players without games.
    pub fn new(first: usize, second: usize) -> EncounterScore {
        EncounterScore { first, second, ..EncounterScore::default() }
    }

    /// Two games with colours swapped, from the view of the first.
    pub fn add_pair(&mut self, pair: PairResult) {
        self.add_game(Color::White, pair.as_white);
        self.add_game(Color::Black, pair.as_black);
        self.pentanomial[pair.bucket()] += 1;
    }

    /// An unpaired game, with the colour and from the view of the first.
    pub fn add_game(&mut self, color: Color, result: GameResult) {
        let games = match color {
            Color::White => &mut self.as_white,
            Color::Black => &mut self.as_black,
        };
        games[result.index()] += 1;
    }

    pub fn games(&self) -> u64 {
        self.as_white.iter().chain(&self.as_black).sum()
    }

    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// From the view of the first.
    pub fn tally(&self) -> Tally {
        let [losses, draws, wins] = std::array::from_fn(|index| self.as_white[index] + self.as_black[index]);
        Tally { wins, draws, losses, pentanomial: self.pentanomial }
    }

    /// From the view of one of the two; empty for any other player.
    pub fn tally_of(&self, player: usize) -> Tally {
        match player {
            _ if player == self.first => self.tally(),
            _ if player == self.second => self.tally().flipped(),
            _ => Tally::default(),
        }
    }
}
