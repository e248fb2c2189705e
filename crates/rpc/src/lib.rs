//! A network's games, opinions and weights over gRPC, so that a trainer in any language can drive self-play (seed 004 §7).
//!
//! | module | what |
//! | --- | --- |
//! | [`messages`] | what goes over the wire, as `proto/quantum.proto` describes it |
//! | [`served`] | the network that is served, and how another takes its place |
//! | [`games`], [`positions`] | self-play streamed as games end; positions looked at |
//! | [`service`] | the calls |
//! | [`serve`] | the server: paths, the token, keepalive, an end in good order |
//!
//! The messages are declared by hand beside the .proto, so that a build generates nothing; a test in `tests/peers` holds the one against the other.

pub mod games;
pub mod messages;
pub mod positions;
pub mod serve;
pub mod served;
pub mod service;

pub use serve::serve;
pub use served::Served;
pub use service::Quantum;

/// The description of the calls, for clients in other languages.
pub const PROTO: &str = include_str!("../proto/quantum.proto");
