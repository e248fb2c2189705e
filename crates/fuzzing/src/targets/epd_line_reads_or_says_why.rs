//! Any line is a position with operations, or an error with words in it; its operands are moves or are not.

use tabia_games::epd::Epd;

/// Reads the input; panics where what must hold does not.
pub fn check(line: &str) {
    match Epd::read(line) {
        Ok(epd) => {
            for operation in &epd.operations {
                for operand in &operation.operands {
                    match epd.read_move(operand) {
                        Ok(m) => assert!(shakmaty::Position::is_legal(epd.game.position(), m)),
                        Err(error) => assert!(!error.to_string().is_empty()),
                    }
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
