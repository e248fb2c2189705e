//! Words among the moves that are neither moves nor anything else of PGN.
//!
//! pgn-reader passes over a word that it cannot read, and the game would go on one move short, often without a fault:
//! after `1. d4 Nf6 2. Sf3 d5` it would be White who has played d5. So whatever it passed over is looked at once
//! more. What others write between moves and is no move (`+-`, `N` for a novelty, `ch`) is left alone.

use pgn_reader::SanPlus;

/// Words that stand beside moves in old files and mean no move.
const HARMLESS: [&str; 10] = ["N", "TN", "D", "e", "p", "ep", "ch", "dbl", "mate", "R"];

/// The first word of a game's text that should have been a move, and where it begins.
pub fn first(game: &[u8]) -> Option<(usize, &[u8])> {
    let mut at = after_tags(game);
    let mut depth = 0usize;
    while at < game.len() {
        match game[at] {
            b'{' => at = after(game, at, b'}'),
            b';' => at = after(game, at, b'\n'),
            b'%' if at == 0 || game[at - 1] == b'\n' => at = after(game, at, b'\n'),
            b'(' => {
                depth += 1;
                at += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'$' => at = word_end(game, at + 1),
            byte if ends_word(byte) => at += 1,
            _ => {
                let end = word_end(game, at);
                if depth == 0 && !is_known(&game[at..end]) {
                    return Some((at, &game[at..end]));
                }
                at = end;
            }
        }
    }
    None
}

fn is_known(word: &[u8]) -> bool {
    // A number may be glued to its move.
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &word[digits..];
    let is_text = rest.iter().any(u8::is_ascii_alphabetic) || has_figurine(rest);
    let is_harmless = || HARMLESS.iter().any(|known| known.as_bytes() == word);
    let of_a_tag = rest.iter().any(|byte| matches!(byte, b'[' | b']' | b'"'));
    !of_a_tag && (!is_text || SanPlus::from_ascii(rest).is_ok() || is_harmless())
}

/// Chess symbols are moves in figurine notation.
fn has_figurine(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|text| text.contains(|c: char| ('♔'..='♟').contains(&c)))
}

/// Where the tag pairs end, as pgn-reader sees it: what follows a closed quote is a bracket, or no tag any more.
fn after_tags(game: &[u8]) -> usize {
    let mut at = after_space(game, 0);
    while game.get(at) == Some(&b'[') {
        let name = game[at..].iter().position(|byte| matches!(byte, b'"' | b'\n' | b']'));
        at = name.map_or(game.len(), |length| at + length + 1);
        if game.get(at.wrapping_sub(1)) == Some(&b'"') {
            at = after_value(game, at);
        }
        at = after_bracket(game, at);
    }
    at
}

/// Behind the closing quote, or at the end of the line where there is none.
fn after_value(game: &[u8], mut at: usize) -> usize {
    while let Some(byte) = game.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    game.len()
}

fn after_bracket(game: &[u8], mut at: usize) -> usize {
    while let Some(byte) = game.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' => at += 1,
            b']' | b'\n' => return after_space(game, at + 1),
            _ => break,
        }
    }
    at
}

/// Behind spaces, empty lines and lines that a `%` makes nobody's business.
fn after_space(game: &[u8], mut at: usize) -> usize {
    while let Some(byte) = game.get(at) {
        let escaped = *byte == b'%' && (at == 0 || game[at - 1] == b'\n');
        match byte {
            _ if escaped => at = after(game, at, b'\n'),
            b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf => at += 1,
            _ => break,
        }
    }
    at
}

fn after(game: &[u8], at: usize, end: u8) -> usize {
    game[at..].iter().position(|byte| *byte == end).map_or(game.len(), |length| at + length + 1)
}

fn word_end(game: &[u8], at: usize) -> usize {
    game[at..].iter().position(|byte| ends_word(*byte)).map_or(game.len(), |length| at + length)
}

/// As pgn-reader cuts words.
fn ends_word(byte: u8) -> bool {
    b" \t\n\r{}()!?$;.*".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stray(text: &str) -> Option<String> {
        first(text.as_bytes()).map(|(_, word)| String::from_utf8_lossy(word).into_owned())
    }

    #[test]
    fn a_word_that_is_no_move_is_found() {
        for (text, expected) in [
            ("1.d4 Nf6 2. Sf3 d5", "Sf3"),
            ("[White \"A ] B\"]\n[Black \"\"]\n\n1. e4 e5 2. ♘f3 *", "♘f3"),
            ("1. e4 { a { nested } comment } *", "comment"),
            ("1. e4 e5 1-0 [Event \"second\"] 1. d4 *", "[Event"),
            ("1. f3\0 e5", "f3\0"),
            ("1.e4e5x", "e4e5x"),
            ("[White \"a \"7\" b\"]\n[Black \"c\"]\n\n1. e4 *", "7\""),
        ] {
            assert_eq!(stray(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_belongs_there_is_no_stray_word() {
        for text in [
            "% 1. Sf3\n[Event \"x\"][White \"y\"]\n1. e4 $1 e5!? 2.Nf3 {Sf3 (} (2. Sf3 (2. Xx) Yy) Nc6 ; Sf3\n3. 0-0 *",
            "12... Kxe8 13. O-O-O# 1/2-1/2",
            "1. e4 +- e5 ½-½ N ... 2. exd6 e.p. ) 2.f8=Q+",
            "\u{feff}[Event \"He said \\\"[hi\\\"\"]\n\n1. -- Z0 *",
            "",
        ] {
            assert_eq!(stray(text), None, "{text}");
        }
    }
}
