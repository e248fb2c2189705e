//! A line as tokens, with the way back to its text.
//!
//! Most of UCI is words between white space. Some of it is not: a path in `setoption … value`, an
//! `info string`, a default of type string. Those are kept as they were written, so the cursor can give the rest
//! of a line, or all up to a word, as a slice of the original.

use std::str::FromStr;

/// What is left of a line.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// All of a line.
    pub(crate) fn new(line: &'a str) -> Tokens<'a> {
        Tokens { rest: line.trim() }
    }

    /// The next word, left where it is.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// The text not yet read, as written.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Reads the next word if it is a `T`; leaves it where it is otherwise.
    pub(crate) fn parsed<T: FromStr>(&mut self) -> Option<T> {
        let value = self.peek()?.parse().ok()?;
        self.next();
        Some(value)
    }

    /// Reads the text before the first word that `ends` it (which is left), or to the end of the line.
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

/// The same words with one space between them.
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
