//! Names of openings.
//!
//! A name belongs to a position, so transpositions have the same name. The list is `names/names.txt`, written as a tree:
//! each line keeps some plies of the previous line and continues from there.

use std::collections::HashMap;
use std::sync::LazyLock;

use shakmaty::san::San;
use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

const LIST: &str = include_str!("names/names.txt");

static BUILT_IN: LazyLock<Names> = LazyLock::new(|| Names::read(LIST).expect("a test reads the list"));

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OpeningName {
    /// Its code in the Encyclopaedia of Chess Openings: `C50`.
    pub eco: &'static str,
    /// Its name: `Italian Game: Giuoco Pianissimo`.
    pub name: &'static str,
}

#[derive(Debug)]
pub struct Names {
    by_key: HashMap<u64, OpeningName>,
}

impl Names {
    /// The built-in names, parsed on first use.
    pub fn known() -> &'static Names {
        &BUILT_IN
    }

    /// The name of a position.
    pub fn lookup(&self, position: &Chess) -> Option<OpeningName> {
        self.by_key.get(&position_key(position)).copied()
    }

    /// The last named position of a game: its name, and the ply after which it occurred.
    pub fn last<'a>(&self, positions: impl IntoIterator<Item = &'a Chess>) -> Option<(usize, OpeningName)> {
        let named = positions.into_iter().enumerate();
        named.filter_map(|(ply, position)| Some((ply, self.lookup(position)?))).last()
    }

    pub fn count(&self) -> usize {
        self.by_key.len()
    }

    /// Parses a list; the error names the line.
    fn read(list: &'static str) -> Result<Names, String> {
        let mut by_key = HashMap::new();
        let mut line_before = vec![Chess::default()];
        for (index, line) in
            list.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        {
            let fault = || format!("line {}: {line}", index + 1);
            let parts: Vec<&str> = line.split('|').collect();
            let &[moves, eco, name] = parts.as_slice() else { return Err(fault()) };
            let mut tokens = moves.split(' ');
            let shared: usize = tokens.next().and_then(|word| word.parse().ok()).ok_or_else(fault)?;
            line_before.truncate(shared + 1);
            for word in tokens {
                let san: San = word.trim_end_matches(['+', '#']).parse().map_err(|_| fault())?;
                let mut position = line_before.last().cloned().ok_or_else(fault)?;
                let m = san.to_move(&position).map_err(|_| fault())?;
                position.play_unchecked(m);
                line_before.push(position);
            }
            let position = line_before.last().ok_or_else(fault)?;
            if by_key.insert(position_key(position), OpeningName { eco, name }).is_some() {
                return Err(fault());
            }
        }
        Ok(Names { by_key })
    }
}

/// The key of a position: the same however it came about. Rights that no legal move uses are no part of it.
pub fn position_key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{ChessGame, Game};

    fn positions(moves: &str) -> Vec<Chess> {
        let mut game = ChessGame::default();
        let mut positions = vec![game.position().clone()];
        for text in moves.split_whitespace() {
            let m = game.read_move(text).unwrap();
            game.apply(m);
            positions.push(game.position().clone());
        }
        positions
    }

    fn name(moves: &str) -> Option<(usize, &'static str, &'static str)> {
        Names::known().last(&positions(moves)).map(|(ply, opening)| (ply, opening.eco, opening.name))
    }

    #[test]
    fn the_whole_list_is_read_and_no_position_has_two_names() {
        assert_eq!(Names::read(LIST).unwrap().count(), 3807);
    }

    #[test]
    fn well_known_openings_have_their_names() {
        assert_eq!(name("e4 e5 Nf3 Nc6 Bb5"), Some((5, "C60", "Ruy Lopez")));
        assert_eq!(name("d4 d5 c4"), Some((3, "D06", "Queen's Gambit")));
        assert_eq!(
            name("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h3 h6 Rb1 Rg8").map(|found| found.1),
            Some("B90")
        );
        assert_eq!(name(""), None);
        assert_eq!(name("a3 a5 Ra2 Ra6 Nh3 Nh6").map(|found| found.2), Some("Anderssen's Opening"));
    }

    #[test]
    fn the_order_of_moves_does_not_matter() {
        let lopez = name("e4 e5 Nf3 Nc6 Bb5").map(|found| found.2);
        assert_eq!(name("Nf3 Nc6 e4 e5 Bb5").map(|found| found.2), lopez);
        assert!(
            name("e4 e5 Nf3 Nc6 Bb5 h6 h3 h5").is_some_and(|(ply, ..)| ply == 5),
            "the last one that has a name"
        );
    }

    #[test]
    fn a_broken_list_is_refused_with_its_line() {
        assert!(Names::read("0 e4|B00|King's Pawn\n1 Ke3|X|Y").unwrap_err().starts_with("line 2"));
        assert!(Names::read("0 e4|B00").unwrap_err().starts_with("line 1"));
        assert!(Names::read("0 e4|A|B\n0 e4|A|C").unwrap_err().starts_with("line 2"));
    }
}
