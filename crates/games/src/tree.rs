//! A game with all its variations: a lossless representation of PGN.
//!
//! Nodes are in one list, so that a game of any depth is read, written and dropped without recursion. The first child of
//! a node continues its line; the others are variations, in the order of the file.

mod record;

use std::num::NonZeroU32;

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, KnownOutcome, Move, Position, Setup};
use tabia_core::ChessGame;

/// Index of a node in its tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(usize);

/// The move of a node.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Played {
    Move(Move),
    /// A null move (`--`): annotators use it to show threats.
    Null,
}

/// A move with its annotations and continuations.
#[derive(Clone, Debug)]
pub struct Node {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    played: Option<Played>,
    san: String,
    number: NonZeroU32,
    mover: Color,
    /// Comments before the move, where it is the first of a variation.
    pub before: Vec<String>,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub glyphs: Vec<u8>,
    /// Comments after the move; of the root, those before the first move.
    pub comments: Vec<String>,
}

impl Node {
    /// The parent; `None` for the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The continuations: the line's next move first, then variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// `None` for the root.
    pub fn played(&self) -> Option<Played> {
        self.played
    }

    /// The move in SAN.
    pub fn san(&self) -> &str {
        &self.san
    }

    pub fn number(&self) -> NonZeroU32 {
        self.number
    }

    pub fn mover(&self) -> Color {
        self.mover
    }
}

/// A game with variations. Two are equal if they have the same moves and annotations, in whatever order they were built.
#[derive(Clone, Debug)]
pub struct GameTree {
    /// Tag pairs in the order of the file.
    pub tags: Vec<(String, String)>,
    /// `None` for an unfinished game or an unknown result.
    pub result: Option<KnownOutcome>,
    start: Chess,
    mode: CastlingMode,
    nodes: Vec<Node>,
}

impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        let same_game = self.tags == other.tags
            && self.result == other.result
            && (&self.start, self.mode) == (&other.start, other.mode)
            && self.nodes.len() == other.nodes.len();
        let mut pairs = vec![(GameTree::ROOT, GameTree::ROOT)];
        while let Some((one, two)) = pairs.pop().filter(|_| same_game) {
            let (one, two) = (self.node(one), other.node(two));
            let same = one.played == two.played
                && one.before == two.before
                && one.glyphs == two.glyphs
                && one.comments == two.comments
                && one.children.len() == two.children.len();
            if !same {
                return false;
            }
            pairs.extend(one.children.iter().copied().zip(two.children.iter().copied()));
        }
        same_game
    }
}

impl GameTree {
    /// The root: the position before the first move.
    pub const ROOT: NodeId = NodeId(0);

    /// A game before its first move.
    pub fn new(start: &ChessGame) -> GameTree {
        GameTree::from_position(start.start().clone(), start.mode())
    }

    pub(crate) fn from_position(start: Chess, mode: CastlingMode) -> GameTree {
        let root = Node {
            parent: None,
            children: Vec::new(),
            played: None,
            san: String::new(),
            number: start.fullmoves(),
            mover: start.turn(),
            before: Vec::new(),
            glyphs: Vec::new(),
            comments: Vec::new(),
        };
        GameTree { tags: Vec::new(), result: None, start, mode, nodes: vec![root] }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// How castling is written.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The value of the first tag with a name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag: replaces it, or appends it.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    /// A node of this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// Number of moves, variations included.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The line after a node: first children, without the node itself.
    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let next = |id: &NodeId| self.node(*id).children.first().copied();
        std::iter::successors(next(&id), next)
    }

    /// The nodes of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        self.line_from(GameTree::ROOT)
    }

    /// The position after a node's move.
    pub fn position(&self, id: NodeId) -> Chess {
        let mut path: Vec<Played> = Vec::new();
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            path.extend(self.node(at).played);
            at = parent;
        }
        let mut position = self.start.clone();
        for played in path.into_iter().rev() {
            match played {
                Played::Move(m) => position.play_unchecked(m),
                Played::Null => position = pass(&position).unwrap_or(position),
            }
        }
        position
    }

    /// Adds a move after a node whose position is given. The first one added continues the line.
    pub(crate) fn push(&mut self, parent: NodeId, position: &Chess, played: Played) -> NodeId {
        let id = NodeId(self.nodes.len());
        let san = match played {
            Played::Move(m) => SanPlus::from_move(position.clone(), m).to_string(),
            Played::Null => "--".to_owned(),
        };
        self.nodes.push(Node {
            parent: Some(parent),
            children: Vec::new(),
            played: Some(played),
            san,
            number: position.fullmoves(),
            mover: position.turn(),
            before: Vec::new(),
            glyphs: Vec::new(),
            comments: Vec::new(),
        });
        self.nodes[parent.0].children.push(id);
        id
    }

    /// Adds a line after a node, up to its first illegal move; returns the node of its first move.
    pub fn add_line(&mut self, parent: NodeId, moves: &[Move]) -> Option<NodeId> {
        self.add_line_in(parent, self.position(parent), moves)
    }

    /// As [`GameTree::add_line`], where the position of the parent is known.
    pub(crate) fn add_line_in(
        &mut self,
        parent: NodeId,
        mut position: Chess,
        moves: &[Move],
    ) -> Option<NodeId> {
        let (mut at, mut first) = (parent, None);
        for m in moves {
            if !position.is_legal(*m) {
                break;
            }
            at = self.push(at, &position, Played::Move(*m));
            first = first.or(Some(at));
            position.play_unchecked(*m);
        }
        first
    }
}

/// The position after a null move; `None` in check, where it is illegal.
pub(crate) fn pass(position: &Chess) -> Option<Chess> {
    if position.is_check() {
        return None;
    }
    let mut setup: Setup = position.to_setup(EnPassantMode::Always);
    setup.ep_square = None;
    setup.halfmoves += 1;
    if setup.turn == Color::Black {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.turn = setup.turn.other();
    // Castling rights were legal before; this mode accepts both notations and keeps them.
    Chess::from_setup(setup, CastlingMode::Chess960).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_keeps_everything_but_the_turn() {
        let start = ChessGame::from_fen("r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq e3 3 10").unwrap();
        let passed = pass(start.position()).unwrap();
        assert_eq!(tabia_core::chess::fen_of(&passed), "r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq - 4 11");
        let check = ChessGame::from_fen("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1").unwrap();
        assert!(pass(check.position()).is_none());
    }

    #[test]
    fn a_line_is_added_as_far_as_it_is_legal() {
        let game = ChessGame::default();
        let mut tree = GameTree::new(&game);
        let m = game.read_move("e4").unwrap();
        let first = tree.add_line(GameTree::ROOT, &[m, m]).unwrap();
        assert_eq!((tree.len(), tree.node(first).san()), (1, "e4"));
        assert_eq!(tree.position(first).turn(), Color::Black);
        assert_eq!(tree.add_line(first, &[m]), None);
    }
}
