//! Tokens of movetext, each with its offset.
//!
//! Symbols between moves that are not moves (`+-`, `N` for a novelty, `ch`) are skipped. A word that should be a move and
//! is none is an error: in `1. d4 Nf6 2. Sf3 d5`, White would otherwise have played d5.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{CastlingSide, Color, KnownOutcome};

/// Words beside moves in old files that are not moves.
const HARMLESS: [&str; 10] = ["N", "TN", "D", "e", "p", "ep", "ch", "dbl", "mate", "R"];

/// A token of movetext.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Token<'a> {
    Comment(&'a [u8]),
    /// A comment without its `}`: it ends before the next tag that starts a line, or with the text.
    OpenComment(&'a [u8]),
    /// Start of a variation.
    Open,
    /// End of a variation.
    Close,
    /// A numeric annotation glyph.
    Glyph(u8),
    /// A `$` without a number from 0 to 255.
    UnknownGlyph(&'a [u8]),
    Move(SanPlus, &'a [u8]),
    /// `None` for `*`.
    Result(Option<KnownOutcome>),
    /// A word that should be a move.
    Unexpected(&'a [u8]),
}

/// The tokens of a text, with their offsets.
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether a `}` may follow. Once one was looked for in vain, the text is not searched again.
    has_brace: bool,
    /// Tags without their closing quote.
    open_tags: Vec<usize>,
}

impl<'a> Tokens<'a> {
    /// The tokens after the tag pairs.
    pub fn of_game(text: &'a [u8]) -> Tokens<'a> {
        let mut open_tags = Vec::new();
        let at = after_tags(text, &mut open_tags);
        Tokens { text, at, has_brace: true, open_tags }
    }

    /// The tokens of a text of which is known whether it may have a `}`.
    pub fn with_brace(self, has_brace: bool) -> Tokens<'a> {
        Tokens { has_brace, ..self }
    }

    /// Whether a `}` may follow.
    pub const fn has_brace(&self) -> bool {
        self.has_brace
    }

    /// Offsets of the tags without their closing quote.
    pub fn open_tags(&self) -> &[usize] {
        &self.open_tags
    }

    /// Offset of the next token.
    pub fn at(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        let text = self.text;
        while let Some(byte) = text.get(self.at) {
            let at = self.at;
            let token = match byte {
                b'{' => {
                    let inside = &text[at + 1..];
                    let end = inside.iter().position(|byte| self.has_brace && *byte == b'}');
                    self.has_brace = end.is_some();
                    let length = end.unwrap_or_else(|| before_tag_line(inside));
                    self.at = at + 1 + length + usize::from(end.is_some());
                    let said = &inside[..length];
                    Some(if end.is_some() { Token::Comment(said) } else { Token::OpenComment(said) })
                }
                b';' => {
                    let end = line_end(text, at);
                    self.at = end;
                    Some(Token::Comment(&text[at + 1..end]))
                }
                b'%' if at == 0 || text[at - 1] == b'\n' => {
                    self.at = after(text, at, b'\n');
                    None
                }
                b'(' => Some(self.single(Token::Open)),
                b')' => Some(self.single(Token::Close)),
                b'*' => Some(self.single(Token::Result(None))),
                b'!' | b'?' => {
                    let end = text.get(at + 1).filter(|next| matches!(next, b'!' | b'?'));
                    self.at = at + 1 + usize::from(end.is_some());
                    Some(Token::Glyph(suffix(&text[at..self.at])))
                }
                b'$' => {
                    self.at = word_end(text, at + 1);
                    let number = std::str::from_utf8(&text[at + 1..self.at]).ok();
                    let glyph = number.and_then(|number| number.parse().ok());
                    Some(glyph.map_or(Token::UnknownGlyph(&text[at..self.at]), Token::Glyph))
                }
                byte if ends_word(*byte) => {
                    self.at += 1;
                    None
                }
                _ => {
                    self.at = word_end(text, at);
                    word(&text[at..self.at])
                }
            };
            if let Some(token) = token {
                return Some((at, token));
            }
        }
        None
    }
}

impl<'a> Tokens<'a> {
    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }
}

/// The glyph of `!`, `?!` and so on.
fn suffix(signs: &[u8]) -> u8 {
    match signs {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        _ => 6,
    }
}

/// The token of a word; `None` for one that is skipped.
fn word(given: &[u8]) -> Option<Token<'_>> {
    // NUL bytes around a word do not make it another one; within it they do.
    let word = without_nuls(given);
    let plain = with_plain_dashes(word);
    let known = match plain.as_slice() {
        b"1-0" => Some(KnownOutcome::Decisive { winner: Color::White }),
        b"0-1" => Some(KnownOutcome::Decisive { winner: Color::Black }),
        b"1/2-1/2" | b"\xc2\xbd-\xc2\xbd" => Some(KnownOutcome::Draw),
        _ => None,
    };
    if known.is_some() {
        return Some(Token::Result(known));
    }
    if let Some(castling) = castling_with_zeros(&plain) {
        return Some(Token::Move(castling, given));
    }
    // A move number may have no space after it.
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &word[digits..];
    let of_a_tag = rest.iter().any(|byte| matches!(byte, b'[' | b']' | b'"'));
    let san = SanPlus::from_ascii(rest).ok().or_else(|| forgiven(rest));
    if let (Some(san), false) = (san, of_a_tag) {
        return Some(Token::Move(san, if word.len() < given.len() { given } else { rest }));
    }
    let is_text = rest.iter().any(u8::is_ascii_alphabetic) || has_figurine(rest);
    let is_harmless = HARMLESS.iter().any(|known| known.as_bytes() == word);
    (of_a_tag || (is_text && !is_harmless)).then_some(Token::Unexpected(word))
}

fn without_nuls(mut word: &[u8]) -> &[u8] {
    while let [0, rest @ ..] | [rest @ .., 0] = word {
        word = rest;
    }
    word
}

/// A move that is written otherwise than the standard has it, but means one thing only: `♘f3`, `e2-e4`, `a8Q`, and `exd6e`
/// of `exd6e.p.`
fn forgiven(word: &[u8]) -> Option<SanPlus> {
    let text = std::str::from_utf8(word).ok()?;
    let is_square = |pair: &[char]| matches!(pair, ['a'..='h', '1'..='8']);
    let letters: Vec<char> = text.chars().filter_map(letter).collect();
    let mut plain = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let follows_square = index >= 2 && is_square(&letters[index - 2..index]);
        let is_dash = *letter == '-' && follows_square;
        let is_en_passant = *letter == 'e' && follows_square && index + 1 == letters.len();
        if is_dash || is_en_passant {
            continue;
        }
        let on_last_rank = follows_square && matches!(letters[index - 1], '1' | '8');
        if follows_square && matches!(letter, 'Q' | 'R' | 'B' | 'N') {
            plain.push('=');
        }
        if on_last_rank && matches!(letter, 'q' | 'r' | 'b' | 'n') {
            plain.push('=');
            plain.push(letter.to_ascii_uppercase());
        } else {
            plain.push(*letter);
        }
    }
    SanPlus::from_ascii(plain.as_bytes()).ok()
}

/// A letter for a figurine; none for a pawn's.
fn letter(figurine: char) -> Option<char> {
    Some(match figurine {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' => return None,
        other => other,
    })
}

/// `0-0` and `0-0-0`, a common misspelling.
fn castling_with_zeros(word: &[u8]) -> Option<SanPlus> {
    let (zeros, suffix) = match word {
        [zeros @ .., b'+'] => (zeros, Some(Suffix::Check)),
        [zeros @ .., b'#'] => (zeros, Some(Suffix::Checkmate)),
        _ => (word, None),
    };
    let side = match zeros {
        b"0-0" => CastlingSide::KingSide,
        b"0-0-0" => CastlingSide::QueenSide,
        _ => return None,
    };
    Some(SanPlus { san: San::Castle(side), suffix })
}

/// Typographic dashes as hyphens.
fn with_plain_dashes(word: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(word) {
        Ok(text) => text.replace(['–', '—'], "-").into_bytes(),
        Err(_) => word.to_vec(),
    }
}

/// Figurine notation: chess symbols as letters.
fn has_figurine(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|text| text.contains(|c: char| ('♔'..='♟').contains(&c)))
}

/// Where the tag pairs end, as in pgn-reader: after a closing quote comes a bracket, or it is not a tag.
fn after_tags(game: &[u8], open_tags: &mut Vec<usize>) -> usize {
    let mut at = after_space(game, 0);
    while game.get(at) == Some(&b'[') {
        let start = at;
        let name = game[at..].iter().position(|byte| matches!(byte, b'"' | b'\n' | b']'));
        at = name.map_or(game.len(), |length| at + length + 1);
        if game.get(at.wrapping_sub(1)) == Some(&b'"') {
            at = after_value(game, at);
            if game.get(at - 1) != Some(&b'"') {
                open_tags.push(start);
            }
        }
        at = after_bracket(game, at);
    }
    at
}

/// After the closing quote, or at the end of the line without one.
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

/// Skips spaces, empty lines and lines that `%` escapes.
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

/// Whether a tag pair starts here: `[Event "`.
pub fn is_tag(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b"[") else { return false };
    let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let space = text[name..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    name > 0 && text.get(name + space) == Some(&b'"')
}

/// Whether only spaces are before this offset on its line.
pub fn starts_line(text: &[u8], at: usize) -> bool {
    let before = text[..at].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    before.is_none_or(|byte| *byte == b'\n')
}

/// Where the first line ends that is followed by a tag; the end of the text if there is none.
fn before_tag_line(text: &[u8]) -> usize {
    let mut line_ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    line_ends.find(|at| is_tag(&text[at + 1..])).unwrap_or(text.len())
}

fn after(game: &[u8], at: usize, end: u8) -> usize {
    game[at..].iter().position(|byte| *byte == end).map_or(game.len(), |length| at + length + 1)
}

fn line_end(game: &[u8], at: usize) -> usize {
    game[at..].iter().position(|byte| *byte == b'\n').map_or(game.len(), |length| at + length)
}

fn word_end(game: &[u8], at: usize) -> usize {
    game[at..].iter().position(|byte| ends_word(*byte)).map_or(game.len(), |length| at + length)
}

/// Word boundaries as in pgn-reader.
fn ends_word(byte: u8) -> bool {
    b" \t\n\r{}()!?$;.*".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unexpected(text: &str) -> Option<String> {
        Tokens::of_game(text.as_bytes()).find_map(|(_, token)| match token {
            Token::Unexpected(word) => Some(String::from_utf8_lossy(word).into_owned()),
            _ => None,
        })
    }

    #[test]
    fn a_word_that_is_no_move_is_found() {
        for (text, expected) in [
            ("1.d4 Nf6 2. Sf3 d5", "Sf3"),
            ("[White \"A ] B\"]\n[Black \"\"]\n\n1. e4 e5 2. ♘f9 *", "♘f9"),
            ("1. e4 { a { nested } comment } *", "comment"),
            ("1. e4 e5 1-0 [Event \"second\"] 1. d4 *", "[Event"),
            ("1. N\0f3 e5", "N\0f3"),
            ("1.e4e5x", "e4e5x"),
            ("[White \"a \"7\" b\"]\n[Black \"c\"]\n\n1. e4 *", "7\""),
            ("1. e4 (1. Sf3) *", "Sf3"),
        ] {
            assert_eq!(unexpected(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn valid_tokens_are_not_unexpected() {
        for text in [
            "% 1. Sf3\n[Event \"x\"][White \"y\"]\n1. e4 $1 e5!? 2.Nf3 {Sf3 (} (2. Nf3 (2. d4) d5) Nc6 ; Sf3\n3. 0-0 *",
            "12... Kxe8 13. O-O-O# 1/2-1/2",
            "1. e4 +- e5 ½-½ N ... 2. exd6 e.p. ) 2.f8=Q+",
            "\u{feff}[Event \"He said \\\"[hi\\\"\"]\n\n1. -- Z0 *",
            "",
        ] {
            assert_eq!(unexpected(text), None, "{text}");
        }
    }

    #[test]
    fn an_open_comment_ends_before_the_next_tags() {
        let text = b"1. e4 {so [%csl Gd4]\n[not a tag]\n\n[White \"b\"]\n\n1. d4 {on";
        let comments: Vec<Token<'_>> =
            Tokens::of_game(text).skip(1).take(1).map(|(_, token)| token).collect();
        assert_eq!(comments, [Token::OpenComment(b"so [%csl Gd4]\n[not a tag]\n")]);
        assert!(is_tag(b"[Event\t\"x") && !is_tag(b"[%eval \"") && !is_tag(b"[unrated]") && !is_tag(b""));
    }

    #[test]
    fn other_ways_to_write_a_move_are_understood() {
        for (word, expected) in [
            ("♘f3", "Nf3"),
            ("♙e4", "e4"),
            ("e2-e4", "e2e4"),
            ("Ng1-f3+", "Ng1f3+"),
            ("a8Q", "a8=Q"),
            ("d7d8R#", "d7d8=R#"),
            ("d7d8b", "d7d8=B"),
            ("bxa8♕", "bxa8=Q"),
            ("exd6e", "exd6"),
        ] {
            let san = forgiven(word.as_bytes()).map(|san| san.to_string());
            assert_eq!(san.as_deref(), Some(expected), "{word}");
        }
        for word in ["Sf3", "e2--e4", "-", "1-0", "e9", "ein"] {
            assert_eq!(forgiven(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn every_kind_of_token_is_told_with_its_place() {
        let text = b"1.e4!? {so} (1.0-0-0+ $22) ;to the end }\n 1\xe2\x80\x930 *";
        let tokens: Vec<(usize, Token<'_>)> = Tokens::of_game(text).collect();
        let places: Vec<usize> = tokens.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [2, 4, 7, 12, 15, 22, 25, 27, 42, 48]);
        assert!(matches!(&tokens[4].1, Token::Move(san, _) if san.to_string() == "O-O-O+"));
        assert_eq!((&tokens[1].1, &tokens[5].1), (&Token::Glyph(5), &Token::Glyph(22)));
        assert_eq!((&tokens[2].1, &tokens[7].1), (&Token::Comment(b"so"), &Token::Comment(b"to the end }")));
        let white = KnownOutcome::Decisive { winner: Color::White };
        assert_eq!((&tokens[8].1, &tokens[9].1), (&Token::Result(Some(white)), &Token::Result(None)));
    }
}
