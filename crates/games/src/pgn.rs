//! PGN, the format in which games are exchanged: [`GameRecord`]s in and out.
//!
//! Reading is for files as they are found. Games come one after the other, whatever the size of the file; one that
//! cannot be read is a [`Fault`] with its line, and the next game follows. Text that is not UTF-8 is taken for
//! Latin-1, as the standard has it. Of side lines a record keeps the first one after each move
//! ([`crate::Ply::instead`]); other side lines and whatever is said before the first move are passed over.
//!
//! Writing gives what others read: seven tags first, moves in standard notation, lines of at most 80 columns, and
//! what the players thought in comments in the form that lichess uses:
//!
//! | command | means |
//! | --- | --- |
//! | `[%eval 0.35]`, `[%eval #-3]` | pawns or moves to mate after the move, as White sees it |
//! | `[%clk 0:01:02.5]` | left on the player's clock after the move: hours, minutes, seconds |
//! | `[%emt 0:00:00.12]` | time the move took |
//! | `[%depth 18]`, `[%nodes 12345]` | what the search reports |
//! | `[%book]` | taken from an opening, not chosen |
//!
//! A move that mates has no `[%eval]`, as at lichess: its `#` says it. The comments of cutechess and fastchess
//! (`+0.35/18 0.12s`, in the mover's view) are understood, too. How a game ended is in the tags: `Termination` in the
//! words of the standard, `Reason` in Tabia's, `Detail` where there is more to say.

mod comment;
mod ending;
mod read;
mod stray;
mod tape;
mod visit;
mod write;

pub(crate) use ending::result;
pub use read::{Games, open, read_all, read_text};
pub use write::{WriteError, write};

#[cfg(doc)]
use crate::{Fault, GameRecord};

/// Decodes text that should be UTF-8, and may be Latin-1.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Whether a text is a whole date as PGN writes it: `2024.01.15`.
pub(crate) fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.char_indices().all(|(at, c)| if matches!(at, 4 | 7) { c == '.' } else { c.is_ascii_digit() })
}
