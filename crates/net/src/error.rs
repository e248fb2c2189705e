//! What can go wrong with networks and trainings.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tabia_grid::GridError;
use tabia_run::RunError;

/// Why there is no network, or no training.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// Something that was asked for cannot be.
    #[error("{0}")]
    Settings(String),
    /// A file cannot be read or written.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is there and makes no sense.
    #[error("{path} is broken: {why}", path = path.display())]
    Broken {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Weights of another network.
    #[error("{path}: tensor \"{tensor}\" is {found}, this network's is {expected}", path = path.display())]
    Shape {
        /// Which file.
        path: PathBuf,
        /// Which tensor.
        tensor: String,
        /// Its shape there, or that it is missing.
        found: String,
        /// What it must be.
        expected: String,
    },
    /// A Python with PyTorch that is not there or cannot do what was asked.
    #[error(
        "{python} cannot be used for the network: {why}; --python names another one, --device cpu needs none"
    )]
    Device {
        /// Which Python.
        python: String,
        /// Why not.
        why: String,
    },
    /// PyTorch failed while it was used.
    #[error("PyTorch: {0}")]
    Torch(String),
    /// A run directory.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Workers elsewhere.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl NetError {
    /// Says which file could not be read or written.
    pub fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> NetError {
        let path = path.to_owned();
        move |source| NetError::File { what, path, source }
    }

    /// A file that makes no sense.
    pub fn broken(path: &Path, why: impl fmt::Display) -> NetError {
        NetError::Broken { path: path.to_owned(), why: why.to_string() }
    }
}
