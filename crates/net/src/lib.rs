//! A neural network for quantum chess, trained by self-play in the manner of AlphaZero (seed 004).
//!
//! | module | what |
//! | --- | --- |
//! | [`architecture`], [`weights`], [`tensors`] | shape of a network; its parameters; safetensors files |
//! | [`encoding`] | input planes from the side to move's perspective; policy indices |
//! | [`kernels`], [`forward`], [`backward`] | SIMD convolutions; inference; backpropagation |
//! | [`network`], [`agents`], [`shipped`] | batched leaf evaluation for the tree search; the agent `net`; the bundled weights |
//! | [`sample`], [`shard`], [`replay`] | training samples; files of games; the replay buffer |
//! | [`selfplay`], [`remote`] | self-play in this process; on workers of a grid |
//! | [`device`] | where training runs: on the CPU, or on a GPU through PyTorch |
//! | [`optimiser`], [`settings`] | Adam; hyperparameters |
//! | [`checkpoint`], [`training`], [`metrics`] | a training run as a directory that can be resumed |
//! | [`onnx`], [`tensorboard`] | ONNX export and import; event files |
//! | [`rating`] | matches against fixed opponents and among networks, and their ratings |
//!
//! Training on the CPU is deterministic: the same seed and settings give the same weights, bit for bit, on processors with the
//! same instruction set and with any number of threads.

pub mod ablation;
pub mod agents;
pub mod architecture;
pub mod backward;
pub mod checkpoint;
pub mod device;
pub mod encoding;
mod error;
pub mod forward;
pub mod kernels;
pub mod metrics;
pub mod network;
pub mod onnx;
mod opening;
pub mod optimiser;
mod proto;
pub mod rating;
pub mod remote;
pub mod replay;
pub mod sample;
pub mod selfplay;
pub mod settings;
pub mod shard;
pub mod shipped;
pub mod tensorboard;
pub mod tensors;
pub mod training;
pub mod weights;

pub use architecture::Architecture;
pub use error::NetError;
pub use network::Network;
pub use settings::Settings;
pub use training::Training;
pub use weights::Weights;
