//! Searches over chess: [`classic`], the textbook search of the seeds with every feature a switch, and
//! [`engine`], the strong one. [`agents`] puts both behind agent specs,
//! and [`syzygy`] gives the strong one tablebases.

pub mod agents;
pub mod bench;
pub mod classic;
pub mod engine;
pub mod player;
pub mod syzygy;
