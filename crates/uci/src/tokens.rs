//! A tokenizer that keeps the original text.
//!
//! Most of UCI is tokens between whitespace. Some of it is not: a path in `setoption … value`, an `info string`, the
//! default of a string option. Those are kept as written, so the cursor can return the rest of a line, or everything up to
//! a token, as a slice of the original.

use std::str::FromStr;

/// The unread rest of a line.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(line: &'a str) -> Tokens<'a> {
        Tokens { rest: line.trim() }
    }

    /// Peeks at the next token.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// The unread text, as written.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Parses the next token as a `T`; leaves it unread if it is not one.
    pub(crate) fn parsed<T: FromStr>(&mut self) -> Option<T> {
        let value = self.peek()?.parse().ok()?;
        self.next();
        Some(value)
    }

    /// Reads the text before the first token that `ends` it (which is left unread), or to the end of the line.
    pub(crate) fn until(&mut self, ends: impl Fn(&str) -> bool) -> &'a str {
        let start = self.rest;
        while let Some(word) = self.peek() {
            if ends(word) {
                break;
            }
            self.next();
        }
        start[..start.len() - self.rest.len()].trim_end()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start();
        Some(word)
    }
}

/// The same tokens separated by single spaces.
pub(crate) fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_any_white_space_and_the_rest_is_kept_as_written() {
        let mut tokens = Tokens::new(" \tname  Book   File\tvalue  C:\\my  books \r\n");
        assert_eq!(tokens.next(), Some("name"));
        assert_eq!(tokens.until(|word| word == "value"), "Book   File");
        assert_eq!(tokens.next(), Some("value"));
        assert_eq!(tokens.rest(), "C:\\my  books");
        assert_eq!(tokens.parsed::<u32>(), None);
        assert_eq!(tokens.until(|_| false), "C:\\my  books");
        assert_eq!((tokens.peek(), tokens.next(), tokens.rest()), (None, None, ""));
        assert_eq!(single_spaced("Book   File"), "Book File");
    }
}
