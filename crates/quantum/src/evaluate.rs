//! A handcrafted evaluation: material, activity and king safety, averaged over the branches.
//!
//! Nothing is learned or tuned. The score of a branch is squashed to -1..1 before averaging: being a queen up in half of
//! the branches and a queen down in the others is even; being two queens up in one half and even in the other is half a
//! win.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use crate::action::{Action, Move};
use crate::branch::{Branch, Effect};
use crate::game::QuantumGame;

/// Piece values in pawns; zero for the king.
pub const fn piece_value(role: Role) -> f64 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    }
}

/// Pawns per attacked square.
const ACTIVITY: f64 = 0.03;
/// Pawns per rank that a pawn has advanced.
const ADVANCE: f64 = 0.05;
/// Scale of `tanh`, in pawns.
const WIN_SCALE: f64 = 5.0;
/// Cost of an attacked king of the side to move, as a share of the game.
const ATTACKED_KING_PENALTY: f64 = 0.1;
/// Number of branches in which the opponent's attacks are computed.
const ATTACK_BRANCHES: usize = 8;
/// Largest number of evaluated branches. Where there are more, every n-th is taken; their order does not depend on their
/// contents.
const EVALUATED_BRANCHES: usize = 64;

/// Prior of capturing a king, in pawns.
const KING_CAPTURE_PRIOR: f64 = 40.0;
/// Smallest prior of a move, in pawns.
const BASE_PRIOR: f64 = 0.6;
/// Factor of the prior of splits, which are tried less than classical moves.
const SPLIT_PRIOR_FACTOR: f64 = 0.3;
/// Smallest prior of a move that may lose material.
const MIN_PRIOR: f64 = 0.05;

/// White's material minus Black's, in pawns, averaged over the branches.
pub fn material(game: &QuantumGame) -> f64 {
    let of = |branch: &Branch| branch.weight as f64 * balance(branch.board());
    game.branches.iter().map(of).sum::<f64>() / game.total as f64
}

fn balance(board: &Board) -> f64 {
    let count = |piece: Piece| board.by_piece(piece).count() as f64;
    Role::ALL
        .into_iter()
        .map(|role| piece_value(role) * (count(role.of(Color::White)) - count(role.of(Color::Black))))
        .sum()
}

/// Value for the side to move: 1 a win, -1 a loss.
pub fn value(game: &QuantumGame) -> f64 {
    let turn = game.turn;
    let sign = turn.fold_wb(1.0, -1.0);
    let mut exposure = Exposure::default();
    let (mut sum, mut attacked, mut total) = (0.0, 0.0, 0.0);
    for branch in game.branches.iter().step_by(game.branches.len().div_ceil(EVALUATED_BRANCHES)) {
        let board = branch.board();
        let weight = branch.weight as f64;
        total += weight;
        let pawns = balance(board) + activity(board, Color::White) - activity(board, Color::Black);
        sum += weight * (sign * pawns / WIN_SCALE).tanh();
        exposure.add(board, turn, branch.weight);
        attacked += if own_king_attacked(board, turn) { weight } else { 0.0 };
    }
    let quiet = sum / total - ATTACKED_KING_PENALTY * attacked / total;
    // With this probability the side to move captures the king; otherwise the game goes on.
    let chance = exposure.best() as f64 / total;
    (chance + (1.0 - chance) * quiet).clamp(-1.0, 1.0)
}

/// Activity of a side in pawns: attacked squares and advanced pawns.
fn activity(board: &Board, color: Color) -> f64 {
    let (own, occupied) = (board.by_color(color), board.occupied());
    let mut squares = 0;
    for from in board.knights() & own {
        squares += (attacks::knight_attacks(from) & !own).count();
    }
    for from in board.bishops_and_queens() & own {
        squares += (attacks::bishop_attacks(from, occupied) & !own).count();
    }
    for from in board.rooks_and_queens() & own {
        squares += (attacks::rook_attacks(from, occupied) & !own).count();
    }
    let mut ranks = 0;
    for pawn in board.pawns() & own {
        ranks += color.relative_rank(pawn.rank()).to_usize() - 1;
    }
    ACTIVITY * squares as f64 + ADVANCE * ranks as f64
}

fn own_king_attacked(board: &Board, turn: Color) -> bool {
    board.king_of(turn).is_some_and(|king| board.attacks_to(king, turn.other(), board.occupied()).any())
}

/// Probability that each move captures the enemy king.
#[derive(Default)]
struct Exposure {
    moves: Vec<((Square, Square), u64)>,
}

impl Exposure {
    fn add(&mut self, board: &Board, turn: Color, weight: u64) {
        let Some(king) = board.king_of(turn.other()) else { return };
        for from in board.attacks_to(king, turn, board.occupied()) {
            match self.moves.iter_mut().find(|(m, _)| *m == (from, king)) {
                Some((_, sum)) => *sum += weight,
                None => self.moves.push(((from, king), weight)),
            }
        }
    }

    fn best(&self) -> u64 {
        self.moves.iter().map(|(_, weight)| *weight).max().unwrap_or(0)
    }
}

/// Priors of actions: the expected capture, minus the expected loss on a square that the opponent attacks.
pub fn priors(game: &QuantumGame, actions: &[Action], out: &mut Vec<f32>) {
    let attacked = Attacked::new(game);
    out.clear();
    out.extend(actions.iter().map(|action| match action {
        Action::Move(m) => prior(game, *m, &attacked) as f32,
        Action::Capture(_) | Action::King(_) => 1.0,
    }));
}

fn prior(game: &QuantumGame, m: Move, attacked: &Attacked) -> f64 {
    let enemy = game.turn.other();
    let (mut capture_targets, mut own, mut made) = (0.0, 0.0, 0.0);
    for branch in attacked.branches(game) {
        let board = branch.board();
        if !board.by_color(game.turn).contains(m.from()) {
            continue;
        }
        let weight = branch.weight as f64;
        let target = board.by_color(enemy).contains(m.to()) || branch.en_passant() == Some(m.to());
        if target {
            match branch.effect(m, game.turn) {
                Some(Effect::Capture { at }) => match board.role_at(at) {
                    Some(Role::King) => capture_targets += weight * KING_CAPTURE_PRIOR,
                    Some(role) => capture_targets += weight * piece_value(role),
                    None => {}
                },
                _ => continue,
            }
        }
        made += weight;
        own += weight * board.role_at(m.from()).map_or(0.0, piece_value);
    }
    let total = attacked.total;
    let promotion = if m.may_promote() && m.underpromotion().is_none() { 4.0 * made / total } else { 0.0 };
    let risk = attacked.chance(m.to()) * own / total;
    let rescued = attacked.chance(m.from()) * own / total;
    let gain = capture_targets / total + promotion + 0.3 * rescued - 0.7 * risk;
    let share = if m.is_split() { SPLIT_PRIOR_FACTOR } else { 1.0 };
    share * (BASE_PRIOR + gain).max(MIN_PRIOR)
}

/// The opponent's attacks in the heaviest branches.
struct Attacked {
    heaviest: Vec<usize>,
    /// Their total weight.
    total: f64,
    weights: [f64; 64],
}

impl Attacked {
    fn new(game: &QuantumGame) -> Attacked {
        let mut heaviest: Vec<usize> = (0..game.branches.len()).collect();
        if heaviest.len() > ATTACK_BRANCHES {
            heaviest.select_nth_unstable_by_key(ATTACK_BRANCHES - 1, |at| {
                (std::cmp::Reverse(game.branches[*at].weight), *at)
            });
            heaviest.truncate(ATTACK_BRANCHES);
        }
        let mut attacked = Attacked { heaviest: Vec::new(), total: 0.0, weights: [0.0; 64] };
        for at in &heaviest {
            let branch = &game.branches[*at];
            attacked.total += branch.weight as f64;
            for square in reached(branch.board(), game.turn.other()) {
                attacked.weights[square.to_usize()] += branch.weight as f64;
            }
        }
        attacked.heaviest = heaviest;
        attacked
    }

    fn branches<'a>(&'a self, game: &'a QuantumGame) -> impl Iterator<Item = &'a Branch> {
        self.heaviest.iter().map(|at| &game.branches[*at])
    }

    fn chance(&self, square: Square) -> f64 {
        self.weights[square.to_usize()] / self.total
    }
}

/// All squares that a side attacks.
fn reached(board: &Board, color: Color) -> Bitboard {
    board.by_color(color).into_iter().fold(Bitboard::EMPTY, |all, from| all | board.attacks_from(from))
}
