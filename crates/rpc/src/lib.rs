//! gRPC between the search and trainers in any language (seed 004 §7): a service with self-play, evaluation and weights of a
//! network, and a client that has the leaves of a search evaluated by another program.
//!
//! | module | what |
//! | --- | --- |
//! | [`messages`] | messages of `proto/quantum.proto` |
//! | [`network`] | the served network, replaceable at run time |
//! | [`games`], [`positions`] | self-play streamed as games end; evaluation of positions |
//! | [`service`] | the service's methods |
//! | [`mod@serve`] | the server: routing, authentication, keepalive, graceful shutdown |
//! | [`client`], [`answer`] | an external evaluator for the tree search; whether its answers can be used |
//!
//! The messages are declared by hand beside the .proto, so that a build generates nothing; a test in `tests/peers` compares the two.

pub mod answer;
pub mod client;
pub mod games;
pub mod messages;
pub mod network;
pub mod positions;
pub mod serve;
pub mod service;

pub use client::{EvaluatorClient, EvaluatorError};
pub use network::NetworkHandle;
pub use serve::serve;
pub use service::Quantum;

/// The service definition for clients.
pub const PROTO: &str = include_str!("../proto/quantum.proto");
