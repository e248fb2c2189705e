//! The rules a second time, as plainly as they are written: a list of boards, and each rule as a sentence.
//!
//! Nothing is shared with the fast rules but the names of squares and pieces. Boards are arrays of 64, moves are tried
//! square by square, rays are walked, branches are looked up one after the other.

use std::collections::BTreeMap;

use rand::Rng;
use rand::seq::IndexedRandom;
use shakmaty::{Color, Piece, Role, Square};
use tabia_core::{Game, Outcome, Reason, Turn, seed};
use tabia_quantum::{Action, Branch, Kind, Move, QuantumGame};

/// A classical board: pieces, castling rights K Q k q, en passant square.
type Board = (Vec<Option<(bool, Role)>>, [bool; 4], Option<usize>);

/// The state of rule 1.
#[derive(Clone)]
struct Reference {
    /// In the order of the boards: normal form is what a sorted map is.
    branches: BTreeMap<Board, u128>,
    white: bool,
    ply: u32,
    no_progress: u32,
    occurred: Vec<(BTreeMap<Board, u128>, bool)>,
}

fn at(file: i32, rank: i32) -> Option<usize> {
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn file(square: usize) -> i32 {
    square as i32 % 8
}

fn rank(square: usize) -> i32 {
    square as i32 / 8
}

/// A move done on a board: the new board, and whether it captured and whether a pawn moved. None: not applicable.
fn done(board: &Board, white: bool, m: Move) -> Option<(Board, bool, bool)> {
    let (squares, rights, en_passant) = board;
    let (from, to) = (m.from().to_usize(), m.to().to_usize());
    let (mine, role) = squares[from]?;
    if mine != white || squares[to].is_some_and(|(color, _)| color == white) {
        return None;
    }
    let (across, along) = (file(to) - file(from), rank(to) - rank(from));
    let mut next = (squares.clone(), *rights, None);
    let mut captured = squares[to].is_some();
    let mut arrives = role;
    match role {
        Role::Pawn => {
            let forward = if white { 1 } else { -1 };
            let home = if white { 1 } else { 6 };
            if across == 0 && along == forward && squares[to].is_none() {
            } else if across == 0
                && along == 2 * forward
                && rank(from) == home
                && squares[to].is_none()
                && squares[at(file(from), rank(from) + forward)?].is_none()
            {
                next.2 = at(file(from), rank(from) + forward);
            } else if across.abs() == 1 && along == forward && squares[to].is_some() {
            } else if across.abs() == 1 && along == forward && *en_passant == Some(to) {
                next.0[at(file(to), rank(from))?] = None;
                captured = true;
            } else {
                return None;
            }
            if rank(to) == 0 || rank(to) == 7 {
                arrives = m.underpromotion().unwrap_or(Role::Queen);
            } else if m.underpromotion().is_some() {
                return None;
            }
        }
        _ if m.underpromotion().is_some() => return None,
        Role::Knight if across.abs() * along.abs() == 2 => {}
        Role::King if across.abs() <= 1 && along.abs() <= 1 => {}
        Role::King => {
            let home = if white { 4 } else { 60 };
            if from != home || along != 0 || across.abs() != 2 {
                return None;
            }
            let king_side = across > 0;
            let right = usize::from(!white) * 2 + usize::from(!king_side);
            let corner = if king_side { home + 3 } else { home - 4 };
            let mut between = if king_side { home + 1..corner } else { corner + 1..home };
            if !rights[right]
                || squares[corner] != Some((white, Role::Rook))
                || !between.all(|square| squares[square].is_none())
            {
                return None;
            }
            next.0[corner] = None;
            next.0[usize::midpoint(from, to)] = Some((white, Role::Rook));
        }
        Role::Bishop | Role::Rook | Role::Queen => {
            let straight = across == 0 || along == 0;
            let diagonal = across.abs() == along.abs();
            let allowed = match role {
                Role::Bishop => diagonal,
                Role::Rook => straight,
                _ => straight || diagonal,
            };
            if !allowed {
                return None;
            }
            let (mut f, mut r) = (file(from) + across.signum(), rank(from) + along.signum());
            while at(f, r) != Some(to) {
                if squares[at(f, r)?].is_some() {
                    return None;
                }
                (f, r) = (f + across.signum(), r + along.signum());
            }
        }
        Role::Knight => return None,
    }
    next.0[from] = None;
    next.0[to] = Some((white, arrives));
    for (right, (king, rook)) in [(4, 7), (4, 0), (60, 63), (60, 56)].into_iter().enumerate() {
        if [from, to].iter().any(|square| *square == king || *square == rook) {
            next.1[right] = false;
        }
    }
    Some((next, captured, role == Role::Pawn))
}

fn castles(board: &Board, m: Move) -> bool {
    let (from, to) = (m.from().to_usize(), m.to().to_usize());
    board.0[from].is_some_and(|(_, role)| role == Role::King) && (file(from) - file(to)).abs() == 2
}

fn passed(board: &Board) -> Board {
    (board.0.clone(), board.1, None)
}

fn has_king(board: &Board, white: bool) -> bool {
    board.0.contains(&Some((white, Role::King)))
}

impl Reference {
    fn of(game: &QuantumGame) -> Reference {
        let mut reference = Reference {
            branches: game
                .branches()
                .iter()
                .map(|branch| (board_of(branch), branch.weight().into()))
                .collect(),
            white: game.side_to_move() == Color::White,
            ply: game.ply(),
            no_progress: game.no_progress(),
            occurred: Vec::new(),
        };
        reference.occurred.push((reference.branches.clone(), reference.white));
        reference
    }

    fn total(&self) -> u128 {
        self.branches.values().sum()
    }

    /// Rule 6: where a split applies.
    fn split_in(&self, board: &Board, m: Move) -> Option<(Board, bool)> {
        let (next, captured, pawn) = done(board, self.white, m)?;
        (!captured && !castles(board, m)).then_some((next, pawn))
    }

    /// Every legal move, by trying all 9,344 indices.
    fn moves(&self) -> Vec<Move> {
        let legal = |m: &Move| match m.kind() {
            Kind::Classical => self.branches.keys().any(|board| done(board, self.white, *m).is_some()),
            Kind::Split => {
                let k = self.branches.keys().filter(|board| self.split_in(board, *m).is_some()).count();
                k >= 1 && self.branches.len() + k <= 1024 && 2 * self.total() <= 1 << 62
            }
        };
        // Whatever starts where nothing of ours stands is in vain.
        let own = |square: usize| {
            self.branches.keys().any(|board| board.0[square].is_some_and(|(white, _)| white == self.white))
        };
        (0..tabia_quantum::ACTIONS)
            .filter(|index| own(index / 146))
            .filter_map(Move::from_index)
            .filter(legal)
            .collect()
    }

    /// Plays a move; `answers` are taken where something is measured. Gives what was asked, as (yes, total), and the end.
    fn play(&mut self, m: Move, answers: &[bool]) -> (Vec<(u128, u128)>, Option<Outcome>) {
        let mut asked = Vec::new();
        let mut answers = answers.iter();
        let (mut captured, mut pawn_moved) = (false, false);
        let mut next: Vec<(Board, u128)> = Vec::new();
        if m.kind() == Kind::Split {
            for (board, n) in &self.branches {
                match self.split_in(board, m) {
                    // A split pawn move is no progress (rule 12).
                    Some((moved, _)) => {
                        next.extend([(moved, *n), (passed(board), *n)]);
                    }
                    None => next.push((passed(board), 2 * n)),
                }
            }
        } else {
            let takes = |board: &Board| done(board, self.white, m).is_some_and(|(_, captured, _)| captured);
            let hits: u128 = self.branches.iter().filter(|(board, _)| takes(board)).map(|(_, n)| n).sum();
            captured = hits > 0;
            if hits > 0 && hits < self.total() {
                asked.push((hits, self.total()));
                captured = *answers.next().expect("an answer");
            }
            for (board, n) in self.branches.iter().filter(|(board, _)| takes(board) == captured) {
                match done(board, self.white, m) {
                    Some((moved, _, pawn)) => {
                        pawn_moved |= pawn;
                        next.push((moved, *n));
                    }
                    None => next.push((passed(board), *n)),
                }
            }
            let total: u128 = next.iter().map(|(_, n)| n).sum();
            let gone: u128 =
                next.iter().filter(|(board, _)| !has_king(board, !self.white)).map(|(_, n)| n).sum();
            let mut won = gone > 0;
            if gone > 0 && gone < total {
                asked.push((gone, total));
                won = *answers.next().expect("an answer");
            }
            if won {
                let winner = Color::from_white(self.white);
                return (asked, Some(Outcome::win(winner, Reason::KingCaptured)));
            }
            next.retain(|(board, _)| has_king(board, !self.white));
        }
        self.branches.clear();
        for (board, n) in next {
            *self.branches.entry(board).or_default() += n;
        }
        let divisor = self.branches.values().fold(0, |a, b| gcd(a, *b));
        self.branches.values_mut().for_each(|n| *n /= divisor);
        self.white = !self.white;
        self.ply += 1;
        self.no_progress = if captured || pawn_moved { 0 } else { self.no_progress + 1 };
        self.occurred.push((self.branches.clone(), self.white));
        (asked, self.drawn().map(Outcome::draw))
    }

    fn drawn(&self) -> Option<Reason> {
        let now = (&self.branches, self.white);
        let can_move = |board: &Board| {
            (0..tabia_quantum::ACTIONS)
                .filter(|index| board.0[index / 146].is_some_and(|(white, _)| white == self.white))
                .filter_map(Move::from_index)
                .any(|m| done(board, self.white, m).is_some())
        };
        if !self.branches.keys().any(can_move) {
            Some(Reason::Stalemate)
        } else if self.no_progress >= 100 {
            Some(Reason::FiftyMoves)
        } else if self.occurred.iter().filter(|(branches, white)| (branches, *white) == now).count() >= 3 {
            Some(Reason::Repetition)
        } else if self.branches.keys().all(|board| board.0.iter().flatten().count() == 2) {
            Some(Reason::InsufficientMaterial)
        } else if self.ply >= 512 {
            Some(Reason::MoveLimit)
        } else {
            None
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if a == 0 { b } else { gcd(b % a, a) }
}

fn board_of(branch: &Branch) -> Board {
    let piece = |Piece { color, role }: Piece| (color == Color::White, role);
    let squares = Square::ALL.iter().map(|square| branch.board().piece_at(*square).map(piece)).collect();
    let rights = branch.castling().to_string();
    let rights = ['K', 'Q', 'k', 'q'].map(|right| rights.contains(right));
    (squares, rights, branch.en_passant().map(Square::to_usize))
}

fn assert_same(game: &QuantumGame, reference: &Reference) {
    let branches: BTreeMap<Board, u128> =
        game.branches().iter().map(|branch| (board_of(branch), u128::from(branch.weight()))).collect();
    assert_eq!(branches.len(), game.branches().len(), "branches that are not merged in {game}");
    assert_eq!(branches, reference.branches, "{game}");
    assert_eq!(u128::from(game.total()), reference.total(), "{game}");
    assert_eq!((game.ply(), game.no_progress()), (reference.ply, reference.no_progress), "{game}");
}

/// How a random game is chosen: how often it splits, and from how many branches on it does not.
struct Taste {
    splits: f64,
    max_branches: usize,
    /// Every how many plies the lists of moves are compared; transitions are compared always.
    list_every: u32,
}

/// Plays one game by both rule books; gives the number of transitions.
fn compare(start: &str, seed: u64, plies: u32, taste: &Taste) -> u32 {
    let mut random = seed::random(seed);
    let mut game: QuantumGame = start.parse().unwrap();
    let mut reference = Reference::of(&game);
    let mut actions = Vec::new();
    let mut played = 0;
    while played < plies && game.outcome().is_none() {
        game.actions(&mut actions);
        let moves: Vec<Move> = actions
            .iter()
            .map(|action| match action {
                Action::Move(m) => *m,
                other => panic!("{other:?} is listed among moves"),
            })
            .collect();
        if played.is_multiple_of(taste.list_every) {
            let mut sorted = moves.clone();
            sorted.sort_by_key(|m| m.index());
            assert_eq!(sorted, reference.moves(), "{game}");
        }
        let split = random.random_bool(taste.splits) && game.branches().len() < taste.max_branches;
        let wanted: Vec<Move> = moves.iter().copied().filter(|m| m.is_split() == split).collect();
        // Captures are what is worth testing; so are promotions.
        let eager: Vec<Move> = wanted
            .iter()
            .copied()
            .filter(|m| {
                m.underpromotion().is_some()
                    || game.branches().iter().any(|b| b.board().occupied().contains(m.to()))
            })
            .collect();
        let from = if !eager.is_empty() && random.random_bool(0.4) { &eager } else { &wanted };
        let Some(m) = from.choose(&mut random).or_else(|| moves.choose(&mut random)).copied() else { break };
        game.apply(Action::Move(m));
        let (mut answers, mut asked) = (Vec::new(), Vec::new());
        while let Some(measurement) = game.measurement() {
            let answer = game.measure(&mut random).unwrap();
            asked.push((u128::from(measurement.yes), u128::from(measurement.total)));
            answers.push(answer == measurement.answer(true));
            game.apply(answer);
        }
        let (by_reference, outcome) = reference.play(m, &answers);
        assert_eq!(asked, by_reference, "{m}");
        assert_eq!(game.outcome(), outcome, "{m} to {game}");
        if game.outcome().is_none_or(|outcome| outcome.winner.is_none()) {
            assert_same(&game, &reference);
        }
        played += 1;
    }
    assert!(game.turn() != Turn::Chance);
    played
}

const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/P1P3P1/8/8/8/8/p1p3p1/4K3 w - - 0 1",
    "r3k2r/8/8/3pP3/2Pp4/8/8/R3K2R b KQkq c3 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n2qk3/8/8/8/8/8/8/3QK2N w - - 0 1",
];

#[test]
fn both_rule_books_agree_on_many_short_games() {
    let taste = Taste { splits: 0.25, max_branches: 12, list_every: 8 };
    let (mut transitions, mut seed) = (0, 0);
    while transitions < 100_000 {
        transitions += compare(STARTS[seed as usize % STARTS.len()], seed, 60, &taste);
        seed += 1;
    }
}

#[test]
fn both_rule_books_agree_where_branches_are_many() {
    let taste = Taste { splits: 0.8, max_branches: 2000, list_every: 12 };
    let transitions: u32 =
        (0..6).map(|seed| compare(STARTS[seed as usize % 2], 1000 + seed, 30, &taste)).sum();
    assert!(transitions > 100);
}
