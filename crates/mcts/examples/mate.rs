//! Monte Carlo tree search without a network: every position counts as even and every move as equally likely. The solver
//! still proves short mates.
//!
//! ```sh
//! cargo run -p tabia-mcts --example mate -- "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
//! ```

use std::error::Error;

use shakmaty::Move;
use tabia_core::{ChessGame, Limits, Stop};
use tabia_mcts::{Evaluation, PolicyValue, Settings, Tree, search};

struct Uniform;

impl PolicyValue<ChessGame> for Uniform {
    fn infer(&self, leaves: &[ChessGame], _: &[Vec<Move>], out: &mut Vec<Evaluation>) {
        out.clear();
        out.resize(leaves.len(), Evaluation::default());
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    const SIMULATIONS: u64 = 20_000;
    let fen = std::env::args().nth(1).unwrap_or_else(|| MATE_IN_ONE.to_owned());
    let game = ChessGame::from_fen(&fen)?;
    let mut tree = Tree::new(game.clone(), Settings::default());
    let limits = Limits::nodes(SIMULATIONS);
    let reason = search(&mut tree, &Uniform, 1, 1, &limits, &Stop::new(), &mut |_| {});
    let line: Vec<String> = tree.best_line().into_iter().map(|m| game.write_move(m)).collect();
    println!("{reason:?} after {} visits: value {:.3}, line {}", tree.visits(), tree.value(), line.join(" "));
    Ok(())
}
