//! A training's files, kept in a bucket as well: what one machine learned, another can go on with (seed 004 §8).
//!
//! | module | what |
//! | --- | --- |
//! | [`place`] | where: a bucket with a prefix, or a folder |
//! | [`keeper`] | what is written locally goes there, without the training waiting for it |
//! | [`fetch`] | a run directory from what is there |
//!
//! A training needs its manifest, a checkpoint and the games up to it. They are put in such an order that whoever finds a checkpoint finds its games.

pub mod fetch;
pub mod keeper;
pub mod place;

pub use fetch::fetch;
pub use keeper::Keeper;
pub use place::{Place, StoreError};

/// What was asked, seed and version: without it there is no training.
pub const MANIFEST: &str = "manifest.toml";

/// The name of a run directory's file.
pub(crate) fn name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
