//! A network that plays quantum chess, and learns it from its own games (seed 004).
//!
//! | module | what |
//! | --- | --- |
//! | [`architecture`], [`weights`], [`tensors`] | which numbers a network has; their values; how they are kept in files |
//! | [`view`] | a state as its mover sees it, and moves by their numbers in that view |
//! | [`kernels`], [`forward`], [`backward`] | convolutions; a network's answer; what an answer's error does to every number |
//! | [`network`], [`agents`], [`shipped`] | leaves valued for the search, many at a time; the agent `net`; the network that comes with the program |
//! | [`sample`], [`shard`], [`replay`] | what is learned from; kept game by game; drawn from |
//! | [`selfplay`], [`crew`] | many games at once; by workers on other machines |
//! | [`device`] | where the arithmetic of a training is done: processors, or a GPU through PyTorch |
//! | [`optimiser`], [`settings`] | steps; every number that steers them |
//! | [`checkpoint`], [`training`], [`metrics`] | a training as a directory, with any number of interruptions |
//! | [`onnx`], [`events`] | a network for other programs, and back; curves for TensorBoard |
//! | [`rating`] | how well it plays against those who do not learn |
//!
//! Everything is deterministic: the same seed and settings give the same weights, bit for bit, on processors of the same kind, with any number of threads.

pub mod agents;
pub mod architecture;
pub mod backward;
pub mod checkpoint;
pub mod crew;
pub mod device;
mod error;
pub mod events;
pub mod forward;
pub mod kernels;
mod messages;
pub mod metrics;
pub mod network;
pub mod onnx;
mod opening;
pub mod optimiser;
pub mod rating;
pub mod replay;
pub mod sample;
pub mod selfplay;
pub mod settings;
pub mod shard;
pub mod shipped;
pub mod tensors;
pub mod training;
pub mod view;
pub mod weights;

pub use architecture::Architecture;
pub use error::NetError;
pub use network::Network;
pub use settings::Settings;
pub use training::Training;
pub use weights::Weights;
