//! Errors.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tabia_grid::GridError;
use tabia_run::RunError;

/// An error of a network or a training.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    #[error("{0}")]
    Settings(String),
    #[error("cannot {what} {path}: {source}", path = path.display())]
    File {
        /// The attempted operation, as a verb.
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{path} is not a regular file, expected a network (.safetensors)", path = path.display())]
    NotAFile { path: PathBuf },
    #[error("{path} is not valid: {why}", path = path.display())]
    Malformed {
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    #[error("{path}: tensor \"{tensor}\" is {found}, this network's is {expected}", path = path.display())]
    Shape {
        path: PathBuf,
        tensor: String,
        /// Its shape in the file, or that it is missing.
        found: String,
        /// Its expected shape.
        expected: String,
    },
    #[error(
        "{python} cannot be used for the network: {why}; choose another one with --python, or --device cpu"
    )]
    Device {
        /// The interpreter.
        python: String,
        why: String,
    },
    #[error("PyTorch on {device}: {why}")]
    Torch {
        /// The device as users name it.
        device: String,
        why: String,
    },
    /// An evaluator outside this process failed; the text says which and why.
    #[error("{0}")]
    Evaluator(String),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl NetError {
    /// Maps an I/O error on a file.
    pub fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> NetError {
        let path = path.to_owned();
        move |source| NetError::File { what, path, source }
    }

    /// A file with invalid contents.
    pub fn malformed(path: &Path, why: impl fmt::Display) -> NetError {
        NetError::Malformed { path: path.to_owned(), why: why.to_string() }
    }
}
