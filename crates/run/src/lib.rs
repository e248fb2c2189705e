//! What every long job shares: matches, tuning, evolution, training.
//!
//! A job works in a directory of its own ([`RunDirectory`]), which one process at a time may lock ([`lock`]). Its
//! `manifest.toml` ([`Manifest`]) records the settings, so that the job can be resumed and a different request is
//! detected. Files are replaced atomically ([`atomic_file`]): a reader sees the old file or the new one, never half of
//! one.

pub mod atomic_file;
pub mod directory;
pub mod error;
pub mod lock;
pub mod manifest;
pub mod memory;

pub use directory::RunDirectory;
pub use error::RunError;
pub use manifest::Manifest;
