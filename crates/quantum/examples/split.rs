//! Splits a knight, and shows where it may be.
//!
//! ```sh
//! cargo run -p tabia-quantum --example split
//! ```

use shakmaty::{Color, Piece, Role};
use tabia_core::Game;
use tabia_quantum::{Action, Marginals, PlayError, QuantumGame};

fn main() -> Result<(), PlayError> {
    let mut game = QuantumGame::default();
    for text in ["b1~c3", "g8~f6"] {
        let split = game.read_move(text)?;
        game.apply(Action::Move(split));
    }
    println!("{} branches", game.branches().len());
    let marginals = Marginals::new(&game);
    for color in Color::ALL {
        let knight = Piece { color, role: Role::Knight };
        for square in marginals.squares(knight) {
            println!("{color} knight on {square}: {:.2}", marginals.probability(knight, square));
        }
    }
    Ok(())
}
