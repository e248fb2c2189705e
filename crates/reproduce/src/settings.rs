//! What is reproduced, and by which program.

use serde::{Deserialize, Serialize};

use crate::context::{Extent, Inputs};
use crate::step::Seed;

/// Settings of a reproduction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The seeds, in their order.
    pub seeds: Vec<Seed>,
    /// How much is measured.
    pub extent: Extent,
    pub inputs: Inputs,
}

/// Program version, date and machine of a reproduction, provided by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The version of the program.
    pub version: String,
    pub date: Option<String>,
    /// Description of the machine.
    pub machine: Option<String>,
}
