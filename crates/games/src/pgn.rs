//! PGN, the format in which games are exchanged: [`GameTree`]s and [`GameRecord`]s in and out.
//!
//! Reading is for files as they are found. Games come one after the other, whatever the size of the file; one that
//! cannot be read is a [`LineError`] with its line, and the next game follows. Text that is not UTF-8 is taken for
//! Latin-1, as the standard has it.
//!
//! A [`GameTree`] has everything that the file says: variations of variations, comments, glyphs, tags. What is read,
//! written and read again is the same. A variation that breaks off is told with its place and kept as far as it goes. A
//! [`GameRecord`] is the main line; of variations it keeps the first one of each move ([`crate::Ply::instead`]).
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
pub(crate) mod ending;
mod parse;
mod read;
mod recording_reader;
mod token;
mod write;

pub use comment::{command_values, eval_value, set_commands};
pub(crate) use comment::{commands, read as read_comment};
pub(crate) use ending::result;
pub(crate) use parse::on_one_line;
pub use read::{Games, ReadGame, Trees, open, open_trees, read_all, read_text};
pub use write::{WriteError, write, write_tree, write_variations};
pub(crate) use write::{is_kept_tag, record_tags};

#[cfg(doc)]
use crate::{GameRecord, GameTree, LineError};

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
