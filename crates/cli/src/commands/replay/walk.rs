//! Navigation in a game.

use shakmaty::{Chess, Color, Move, Position};
use tabia_book::{Names, OpeningName};
use tabia_core::{Bound, Game};
use tabia_games::pgn;
use tabia_games::record::{GameRecord, Ply, RecordError};
use tabia_games::tree::{GameTree, NodeId};

use crate::games;
use crate::text::{self, WhiteScore};

/// A navigation command.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// One half-move forward.
    Forward,
    /// One half-move back.
    Back,
    /// Before the first move.
    First,
    /// After the last move.
    Last,
    /// After White's move of a number, or Black's where White has none.
    To(u32),
    /// Flip the board.
    Turn,
}

/// A game with the current position.
pub struct Walk {
    pub record: GameRecord,
    tree: Option<GameTree>,
    /// The main line of the tree, from its root.
    nodes: Vec<NodeId>,
    /// Every position; the first is the start.
    pub positions: Vec<Chess>,
    /// The opening name at each position.
    openings: Vec<Option<OpeningName>>,
    pub moves: Vec<Move>,
    /// The moves in standard notation.
    pub sans: Vec<String>,
    /// Number of half-moves before the current position.
    pub at: usize,
    /// The side at the bottom of the board.
    pub bottom: Color,
}

impl Walk {
    /// Starts at the beginning of a game.
    pub fn new(game: games::Game, flip: bool) -> Result<Walk, RecordError> {
        let games::Game { record, tree } = game;
        let moves = record.moves()?;
        let mut game = record.opening_position()?;
        let sans = text::san_moves(game.position(), &moves);
        let mut positions = vec![game.position().clone()];
        for m in &moves {
            game.apply(*m);
            positions.push(game.position().clone());
        }
        let mut last = None;
        let openings = positions.iter().map(|position| {
            last = Names::known().lookup(position).or(last);
            last
        });
        let openings = openings.collect();
        let bottom = if flip { Color::Black } else { Color::White };
        let nodes = tree
            .as_ref()
            .map_or_else(Vec::new, |tree| std::iter::once(GameTree::ROOT).chain(tree.main_line()).collect());
        Ok(Walk { record, tree, nodes, positions, openings, moves, sans, at: 0, bottom })
    }

    /// Takes a step; returns false if it is not possible.
    pub fn step(&mut self, step: Step) -> bool {
        let last = self.moves.len();
        let to = match step {
            Step::Forward if self.at < last => self.at + 1,
            Step::Back if self.at > 0 => self.at - 1,
            Step::Forward | Step::Back => return false,
            Step::First => 0,
            Step::Last => last,
            Step::To(number) => match self.ply_of(number) {
                Some(ply) => ply,
                None => return false,
            },
            Step::Turn => {
                self.bottom = self.bottom.other();
                self.at
            }
        };
        self.at = to;
        true
    }

    /// Number of half-moves up to and including White's move with a number.
    fn ply_of(&self, number: u32) -> Option<usize> {
        (1..=self.moves.len()).find(|ply| self.positions[ply - 1].fullmoves().get() == number)
    }

    /// The current position.
    pub fn position(&self) -> &Chess {
        &self.positions[self.at]
    }

    /// The move that led to it.
    pub fn last(&self) -> Option<Move> {
        self.at.checked_sub(1).map(|index| self.moves[index])
    }

    /// The information about that move, and its side.
    pub fn ply(&self) -> Option<(&Ply, Color)> {
        let index = self.at.checked_sub(1)?;
        Some((&self.record.plies[index], self.positions[index].turn()))
    }

    /// Its score in White's view.
    pub fn score(&self) -> Option<WhiteScore> {
        let (ply, mover) = self.ply()?;
        ply.score.map(|score| WhiteScore::new(score, Bound::Exact, mover))
    }

    /// `12... Nf6?!`, or a text for the start.
    pub fn heading(&self) -> String {
        let Some((ply, mover)) = self.ply() else { return "Before the first move".to_owned() };
        let number = self.positions[self.at - 1].fullmoves();
        let dots = if mover == Color::White { "." } else { "..." };
        format!("{number}{dots} {}{}", self.sans[self.at - 1], glyphs(ply))
    }

    /// The comments on the move, or those before the first one.
    pub fn comment(&self) -> Option<String> {
        if let Some((ply, _)) = self.ply() {
            return ply.comment.clone();
        }
        let said = self.tree.as_ref()?.node(GameTree::ROOT).comments.join(" ");
        (!said.is_empty()).then_some(said)
    }

    /// All variations at this move, with their own variations, comments and glyphs.
    pub fn variations(&self) -> Vec<String> {
        let parent = self.at.checked_sub(1).and_then(|before| self.nodes.get(before));
        let (Some(tree), Some(parent)) = (&self.tree, parent) else { return Vec::new() };
        pgn::write_variations(tree, *parent)
    }

    /// The opening name reached so far.
    pub fn opening(&self) -> Option<String> {
        self.openings[self.at].map(|opening| format!("{} {}", opening.eco, opening.name))
    }

    /// White, Black and the result on one line.
    pub fn players(&self) -> String {
        let named = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        let result = self.record.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        format!("{} – {}  {result}", named(&self.record.white), named(&self.record.black))
    }
}

/// Glyphs that have a symbol.
pub fn glyphs(ply: &Ply) -> String {
    let sign = |glyph: &u8| match glyph {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        _ => "",
    };
    ply.glyphs.iter().map(sign).collect()
}

/// The step that an input means.
pub fn step(word: &str) -> Option<Step> {
    Some(match word.trim().to_ascii_lowercase().as_str() {
        "" | "n" | "next" => Step::Forward,
        "p" | "back" | "previous" => Step::Back,
        "f" | "first" => Step::First,
        "l" | "last" => Step::Last,
        "t" | "turn" | "flip" => Step::Turn,
        number => Step::To(number.trim_end_matches('.').parse().ok()?),
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    /// A short game with remarks.
    pub fn walk() -> Walk {
        let text = "[White \"anna\"]\n[Black \"boris\"]\n\n1. e4 { [%eval 0.2] } e5 2. Bc4 Nc6 3. Qh5 { Threatens mate. } Nf6?? { [%eval #1] } (3... g6 4. Qf3 (4. Qd1) 4... Nf6) (3... Qe7 { also fine }) 4. Qxf7# 1-0";
        let read = pgn::Trees::new(text.as_bytes(), "x.pgn").next().unwrap().unwrap();
        Walk::new(read.tree.into(), false).unwrap()
    }

    #[test]
    fn steps_lead_through_the_game_and_not_beyond() {
        let mut walk = walk();
        assert!(!walk.step(Step::Back));
        assert!(walk.step(Step::Forward) && walk.at == 1);
        assert!(walk.step(Step::Last) && walk.at == 7);
        assert!(!walk.step(Step::Forward));
        assert!(walk.step(Step::To(3)) && walk.at == 5);
        assert!(!walk.step(Step::To(9)) && walk.at == 5);
        assert!(walk.step(Step::First) && walk.at == 0);
        assert!(walk.step(Step::Turn) && walk.bottom == Color::Black);
    }

    #[test]
    fn a_move_is_shown_with_what_is_known_of_it() {
        let mut walk = walk();
        assert_eq!(walk.heading(), "Before the first move");
        walk.step(Step::To(3));
        walk.step(Step::Forward);
        assert_eq!(walk.heading(), "3... Nf6??");
        assert_eq!(walk.score().unwrap().to_string(), "#1");
        assert_eq!(walk.variations(), ["(3... g6 4. Qf3 (4. Qd1) 4... Nf6)", "(3... Qe7 { also fine })"]);
        assert_eq!(walk.players(), "anna – boris  1-0 (checkmate)");
        assert!(walk.opening().unwrap().starts_with("C23 Bishop's Opening"));
    }

    #[test]
    fn words_are_steps() {
        assert_eq!(step("n"), Some(Step::Forward));
        assert_eq!(step(" 12. "), Some(Step::To(12)));
        assert_eq!(step("hello"), None);
    }
}
