//! Text from outside (game files, other engines, workers, clients) as it may be shown in a terminal or written to a file.
//!
//! A terminal obeys escape sequences: a player's name could clear the screen, change the title or type a command. So
//! everything that came from outside passes through [`printable`] where it is read or, where it may be more than one line,
//! through [`printable_lines`] where it is printed.

use std::borrow::Cow;

/// The text on one line: tabs and line breaks become spaces, everything else that a terminal would obey U+FFFD.
pub fn printable(text: &str) -> Cow<'_, str> {
    replaced(text, |_| false)
}

/// The same, with its line breaks.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| c == '\n')
}

fn replaced(text: &str, is_kept: fn(char) -> bool) -> Cow<'_, str> {
    let is_harmful = |c: char| is_obeyed(c) && !is_kept(c);
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c {
        _ if !is_harmful(c) => c,
        '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => ' ',
        _ => char::REPLACEMENT_CHARACTER,
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Control characters of ASCII and Latin-1, separators of lines, and what turns the direction of writing, which makes a text
/// look like another one.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_replaced_and_all_else_stays() {
        for (text, shown) in [
            ("Müller, 张三 ♞ ½", "Müller, 张三 ♞ ½"),
            ("\u{1b}[2Jgone", "\u{fffd}[2Jgone"),
            ("\u{1b}]0;title\u{7}", "\u{fffd}]0;title\u{fffd}"),
            ("\u{9b}31m", "\u{fffd}31m"),
            ("a\tb\r\nc", "a b  c"),
            ("\u{202e}gnp.exe", "\u{fffd}gnp.exe"),
            ("a\0\u{7f}b", "a\u{fffd}\u{fffd}b"),
        ] {
            assert_eq!(printable(text), shown, "{text:?}");
        }
        assert_eq!(printable_lines("one\ntwo\u{1b}c\r\n"), "one\ntwo\u{fffd}c \n");
    }
}
