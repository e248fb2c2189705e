//! What every long job shares: a match, a tuning, an evolution, a training.
//!
//! A job works in a directory of its own ([`RunDirectory`]), which one process at a time may hold ([`lock`]). Its
//! `manifest.toml` ([`Manifest`]) says what was asked for, so that the job can be resumed and a different request
//! is noticed. Files are replaced atomically ([`atomic_file`]): a reader sees the old one or the new one, and a
//! killed process leaves neither half.

pub mod atomic_file;
pub mod directory;
pub mod error;
pub mod lock;
pub mod manifest;

pub use directory::RunDirectory;
pub use error::RunError;
pub use manifest::Manifest;
