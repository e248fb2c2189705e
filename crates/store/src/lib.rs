//! Mirrors a training's files to object storage, so that another machine can resume it (seed 004 §8).
//!
//! | module | what |
//! | --- | --- |
//! | [`location`] | an S3 bucket with a prefix, or a folder |
//! | [`mirror`] | uploads files in the background |
//! | [`mod@fetch`] | restores a run directory |
//!
//! A training needs its manifest, a checkpoint and the games up to it. The manifest is uploaded before the first game, then every
//! generation's games and its checkpoint, in this order. So whenever a machine vanishes, the store has something to resume from: the
//! last generation that was uploaded, or the start.

pub mod fetch;
pub mod location;
pub mod mirror;

pub use fetch::fetch;
pub use location::{Location, StoreError};
pub use mirror::Mirror;

/// Settings, seed and version of a run.
pub const MANIFEST: &str = "manifest.toml";

pub(crate) fn name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
