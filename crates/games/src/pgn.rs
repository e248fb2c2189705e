//! PGN, the format in which games are exchanged: [`GameTree`]s and [`GameRecord`]s in and out.
//!
//! Reading is lenient and streams: one game at a time, whatever the size of the file. A game that cannot be read is a
//! [`LineError`] with its line, and the next game follows. Text that is not UTF-8 is read as Latin-1, as in the standard.
//!
//! A [`GameTree`] is lossless: nested variations, comments, glyphs and tags survive a round trip. A broken variation is
//! reported with its position and kept up to the error. A [`GameRecord`] is the main line; of the variations it keeps the
//! first one of each move ([`crate::Ply::instead`]).
//!
//! Output follows the export format: seven tags first, moves in SAN, lines of at most 80 columns. Search information is
//! written in comments, in the form of lichess:
//!
//! | command | means |
//! | --- | --- |
//! | `[%eval 0.35]`, `[%eval #-3]` | pawns or moves to mate after the move, as White sees it |
//! | `[%clk 0:01:02.5]` | left on the player's clock after the move: hours, minutes, seconds |
//! | `[%emt 0:00:00.12]` | time the move took |
//! | `[%depth 18]`, `[%nodes 12345]` | what the search reports |
//! | `[%book]` | taken from an opening, not chosen |
//!
//! A mating move has no `[%eval]`, as at lichess. The comments of cutechess and fastchess (`+0.35/18 0.12s`, in the mover's
//! view) are read, too. The end of a game is in the tags: `Termination` in the standard's vocabulary, `Reason` in Tabia's,
//! `Detail` for more.

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

/// Decodes UTF-8, or else Latin-1.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Whether a text is a complete PGN date: `2024.01.15`.
pub(crate) fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.char_indices().all(|(at, c)| if matches!(at, 4 | 7) { c == '.' } else { c.is_ascii_digit() })
}
