//! Any bytes from the queue are a message of the grid or are ignored. What one says of its worker is fit to be printed.

use tabia_grid::nats::read_message;

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    for text in read_message(bytes) {
        assert_eq!(tabia_core::printable(&text), text);
    }
}
