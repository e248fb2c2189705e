//! The engines of seed 000.

/// Agent specs of the seed's two engines.
pub const ENGINES: [&str; 2] = ["axiomx-speed", "axiomx"];
