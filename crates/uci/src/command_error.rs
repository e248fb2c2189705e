//! Why a line is not a command.

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("the line is empty; write a command such as `uci` or `go depth 8`")]
    Empty,
    #[error("\"{word}\" is not a command{hint}")]
    Unknown {
        word: String,
        /// The nearest command, or where to find them all, as a phrase.
        hint: String,
    },
    #[error("`{keyword}` needs {expected} after it, and the line ends there")]
    Missing { keyword: &'static str, expected: &'static str },
    #[error("`{keyword}` needs {expected} after it, not \"{found}\"{hint}")]
    Unfit { keyword: &'static str, expected: &'static str, found: String, hint: String },
}
