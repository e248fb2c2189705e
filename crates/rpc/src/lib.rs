//! gRPC service for training in any language: self-play, evaluation and weights of a network (seed 004 §7).
//!
//! | module | what |
//! | --- | --- |
//! | [`messages`] | messages of `proto/quantum.proto` |
//! | [`network`] | the served network, replaceable at run time |
//! | [`games`], [`positions`] | self-play streamed as games end; evaluation of positions |
//! | [`service`] | the service's methods |
//! | [`serve`] | the server: routing, authentication, keepalive, graceful shutdown |
//!
//! The messages are declared by hand beside the .proto, so that a build generates nothing; a test in `tests/peers` compares the two.

pub mod games;
pub mod messages;
pub mod network;
pub mod positions;
pub mod serve;
pub mod service;

pub use network::NetworkHandle;
pub use serve::serve;
pub use service::Quantum;

/// The service definition for clients.
pub const PROTO: &str = include_str!("../proto/quantum.proto");
