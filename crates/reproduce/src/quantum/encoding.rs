//! What the network sees and may answer, checked on positions of random games (§3, §4.1, §9).

use std::collections::HashSet;

use rand::Rng;
use tabia_core::{Game, seed};
use tabia_quantum::{ACTIONS, Action, Move, QuantumGame, planes};

use crate::context::{Interruptible, StepContext};
use crate::figure::Figure;
use crate::step::Findings;

/// Plies of a game that are looked at.
const PLIES: usize = 80;

/// What was seen of some positions.
#[derive(Clone, Default)]
struct Seen {
    positions: u64,
    out_of_range: u64,
    clashing: u64,
    not_read_back: u64,
    most_moves: usize,
    branches: usize,
}

/// Looks at random games.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let games: Vec<u64> = (0..work.extent.of(2, 50, 500)).collect();
    let stop = work.stop;
    let Some(seen) = work.each(&games, |number| Ok((!stop.is_stopped()).then(|| look(*number))))? else {
        return Ok(None);
    };
    let sum = |of: fn(&Seen) -> u64| seen.iter().map(of).sum::<u64>() as f64;
    let most = |of: fn(&Seen) -> usize| seen.iter().map(of).max().unwrap_or(0) as f64;
    let usable = (0..ACTIONS).filter(|index| Move::from_index(*index).is_some()).count();
    let none = |what: &str, ours: f64| Figure::new(what, "").seed(0.0, "none").ours(ours).less_is_better();
    Ok(Some(Findings {
        how: format!(
            "{} random games of up to {PLIES} plies with splits: planes written and looked at, every legal move numbered and read back.",
            games.len()
        ),
        figures: vec![
            Figure::new("planes", "").seed(28.0, "28").ours(planes::PLANES as f64).compared(),
            Figure::new("numbers the network sees", "").seed(1792.0, "28×8×8").ours(planes::SIZE as f64).compared(),
            Figure::new("actions", "").seed(9344.0, "9,344").ours(ACTIONS as f64).compared(),
            Figure::new("actions that stay on the board", "").ours(usable as f64).compared(),
            Figure::new("positions looked at", "").ours(sum(|seen| seen.positions)).compared(),
            none("numbers in planes outside 0 to 1", sum(|seen| seen.out_of_range)),
            none("legal moves that share a number", sum(|seen| seen.clashing)),
            none("moves that do not come back from their number", sum(|seen| seen.not_read_back)),
            Figure::new("most legal moves", "").ours(most(|seen| seen.most_moves)).compared(),
            Figure::new("most branches", "").ours(most(|seen| seen.branches)).compared(),
        ],
        notes: vec![
            "The seed's §9 and Table 7 still say 4,672 actions, those of classical chess; its §4.1, with splits, is taken.".to_owned(),
        ],
        ..Findings::default()
    }))
}

fn look(number: u64) -> Seen {
    let mut random = seed::random(number);
    let mut game = QuantumGame::default();
    let mut seen = Seen::default();
    let mut actions: Vec<Action> = Vec::new();
    let mut numbers = Box::new([0.0f32; planes::SIZE]);
    for _ in 0..PLIES {
        if game.outcome().is_some() {
            break;
        }
        game.planes(&mut numbers);
        seen.positions += 1;
        seen.out_of_range += numbers.iter().filter(|number| !(0.0..=1.0).contains(*number)).count() as u64;
        game.actions(&mut actions);
        let mut used = HashSet::new();
        for action in &actions {
            let Action::Move(m) = action else { continue };
            seen.clashing += u64::from(!used.insert(m.index()));
            seen.not_read_back += u64::from(Move::from_index(m.index()) != Some(*m));
        }
        seen.most_moves = seen.most_moves.max(used.len());
        seen.branches = seen.branches.max(game.branches().len());
        game.apply(actions[random.random_range(0..actions.len())]);
        while let Some(answer) = game.measure(&mut random) {
            game.apply(answer);
        }
    }
    seen
}
