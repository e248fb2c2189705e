//! Errors.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tabia_grid::GridError;
use tabia_run::RunError;

/// An error of a network or a training.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// An invalid setting.
    #[error("{0}")]
    Settings(String),
    /// A file that cannot be read or written.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    File {
        /// The attempted operation, as a verb.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file with invalid contents.
    #[error("{path} is not valid: {why}", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Weights of another architecture.
    #[error("{path}: tensor \"{tensor}\" is {found}, this network's is {expected}", path = path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its shape in the file, or that it is missing.
        found: String,
        /// Its expected shape.
        expected: String,
    },
    /// A Python interpreter without usable PyTorch.
    #[error(
        "{python} cannot be used for the network: {why}; choose another one with --python, or --device cpu"
    )]
    Device {
        /// The interpreter.
        python: String,
        /// The reason.
        why: String,
    },
    /// PyTorch failed during training.
    #[error("PyTorch: {0}")]
    Torch(String),
    /// An error of the run directory.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An error of the grid.
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
