//! FEN in, with errors that say what is wrong, where, and what would be right.
//!
//! shakmaty reads the FEN. Only when it refuses, `diagnose` walks the text to find the fault a person can
//! mend. What cannot matter to play is forgiven, as every other program does: missing counters, castling rights
//! without king or rook in place, an en passant square nobody can use.

use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, PositionErrorKinds, Role, Setup,
    fen::{Fen, ParseFenError},
};

/// Why a text is not a position to play from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why} (in \"{fen}\")")]
pub struct FenError {
    pub why: String,
    /// The text as given, shortened when it is very long.
    pub fen: String,
}

/// Reads a FEN. Without a mode, Chess960 is recognised by its castling rights.
pub fn read(text: &str, mode: Option<CastlingMode>) -> Result<(Chess, CastlingMode), FenError> {
    let error = |why: String| FenError { why, fen: shorten(text) };
    let fen: Fen = text.trim().parse().map_err(|cause| error(diagnose(text, &cause)))?;
    let setup = fen.into_setup();
    let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
    let position = Chess::from_setup(setup.clone(), mode)
        .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
        .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .map_err(|cause| error(impossible(&setup, cause.kinds())))?;
    Ok((position, mode))
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 120;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// Finds the first thing wrong with a text that shakmaty could not read.
fn diagnose(text: &str, cause: &ParseFenError) -> String {
    let mut fields = text.split_whitespace();
    let Some(board) = fields.next() else {
        return "the FEN is empty; it starts with eight ranks separated by `/`".to_owned();
    };
    if let Some(fault) = board_fault(board) {
        return fault;
    }
    if let Some(turn) = fields.next()
        && turn != "w"
        && turn != "b"
    {
        return format!("the side to move is \"{turn}\", expected w or b");
    }
    if let Some(castling) = fields.next()
        && let Some(c) = castling.chars().find(|c| !"KQkqABCDEFGHabcdefgh-".contains(*c))
    {
        return format!("the castling field \"{castling}\" has {c:?}; expected letters of KQkq, files, or -");
    }
    if let Some(square) = fields.next()
        && square != "-"
        && square.parse::<shakmaty::Square>().is_err()
    {
        return format!("the en passant square is \"{square}\", expected a square such as e3, or -");
    }
    for name in ["half-move clock", "move number"] {
        if let Some(number) = fields.next()
            && number.parse::<u32>().is_err()
        {
            return format!("the {name} is \"{number}\", expected a whole number");
        }
    }
    if let Some(extra) = fields.next() {
        return format!("\"{extra}\" follows the move number, where a FEN ends");
    }
    match cause {
        ParseFenError::InvalidCastling => {
            let castling = text.split_whitespace().nth(2).unwrap_or_default();
            format!("the castling field \"{castling}\" cannot be read; expected letters of KQkq, files, or -")
        }
        other => other.to_string(),
    }
}

/// What is wrong with the first field of a FEN, if something is.
pub fn board_fault(board: &str) -> Option<String> {
    let ranks: Vec<&str> = board.split('/').collect();
    for (index, rank) in ranks.iter().enumerate().take(8) {
        let number = 8 - index;
        let mut squares = 0;
        for c in rank.chars() {
            match c {
                '1'..='8' => squares += c as usize - '0' as usize,
                _ if "pnbrqkPNBRQK".contains(c) => squares += 1,
                _ => return Some(format!("rank {number} has {c:?}; expected one of pnbrqkPNBRQK or 1 to 8")),
            }
        }
        if squares != 8 {
            let plural = if squares == 1 { "" } else { "s" };
            return Some(format!("rank {number} has {squares} square{plural}, expected 8"));
        }
    }
    (ranks.len() != 8).then(|| format!("the board has {} ranks, expected 8", ranks.len()))
}

/// Says why a well-written position cannot be played.
fn impossible(setup: &Setup, kinds: PositionErrorKinds) -> String {
    let kings = |color: Color| (setup.board.kings() & setup.board.by_color(color)).count();
    for color in Color::ALL {
        let name = color.fold_wb("White", "Black");
        match kings(color) {
            1 => {}
            0 => return format!("{name} has no king"),
            many => return format!("{name} has {many} kings, expected one"),
        }
    }
    if kinds.contains(PositionErrorKinds::PAWNS_ON_BACKRANK) {
        return "there is a pawn on the first or eighth rank".to_owned();
    }
    if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) {
        let waiting = setup.turn.other().fold_wb("White", "Black");
        return format!("{waiting} is in check, but it is not {waiting}'s turn");
    }
    if kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL) {
        return "there are more pieces than promotions can explain".to_owned();
    }
    debug_assert!(setup.board.by_role(Role::King).any(), "{kinds:?}");
    "the position cannot come from a game".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        read(text, None).unwrap_err().to_string()
    }

    #[test]
    fn each_fault_is_named_with_its_place() {
        for (text, expected) in [
            ("", "empty"),
            ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 6 has '9'"),
            ("rnbqkbnr/pppppppp/8/8/7/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 4 has 7 squares, expected 8"),
            ("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "7 ranks, expected 8"),
            ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7 has 'x'"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move is \"x\""),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", "castling field \"KQxq\" has 'x'"),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w ABC - 0 1",
                "castling field \"ABC\" cannot be read",
            ),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "en passant square is \"e9\""),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "half-move clock is \"x\""),
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"),
            ("k7/8/8/8/8/8/8/KR6 b - - 0 1 extra", "\"extra\" follows"),
            ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawn on the first or eighth rank"),
            ("k7/8/8/8/8/8/8/RK6 w - - 0 1", "Black is in check, but it is not Black's turn"),
        ] {
            let fault = fault(text);
            assert!(fault.contains(expected), "{text}: {fault}");
        }
    }

    #[test]
    fn what_does_not_matter_is_forgiven() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqk1nr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq e3 0 1",
        ] {
            assert!(read(text, None).is_ok(), "{text}");
        }
    }

    #[test]
    fn chess960_is_recognised() {
        let (_, mode) =
            read("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", None).unwrap();
        assert_eq!(mode, CastlingMode::Chess960);
        let (_, mode) = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", None).unwrap();
        assert_eq!(mode, CastlingMode::Standard);
    }
}
