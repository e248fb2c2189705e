//! Any bytes are a request of the gRPC service or an error of its decoder; a request that was decoded is taken or refused in
//! words. The first byte says which request.

use std::sync::LazyLock;

use prost::Message;
use tabia_net::architecture::{PolicyHead, ValueHead};
use tabia_net::{Architecture, Weights};
use tabia_quantum::QuantumGame;
use tabia_rpc::NetworkHandle;
use tabia_rpc::games::Plan;
use tabia_rpc::messages::{EvaluatePositionRequest, GenerateGamesRequest, LoadWeightsRequest};

static NETWORK: LazyLock<NetworkHandle> = LazyLock::new(|| {
    let architecture = Architecture {
        channels: 16,
        blocks: 1,
        policy: PolicyHead::Convolution,
        value_channels: 1,
        value_hidden: 8,
        value: ValueHead::Wdl,
    };
    NetworkHandle::new(Weights::initial(architecture, 1))
});

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    match which % 3 {
        0 => {
            if let Ok(request) = GenerateGamesRequest::decode(bytes)
                && let Err(why) = Plan::read(&request)
            {
                assert!(!why.is_empty());
            }
        }
        1 => {
            if let Ok(request) = EvaluatePositionRequest::decode(bytes) {
                for position in request.positions.iter().take(8) {
                    if let Err(error) = position.parse::<QuantumGame>() {
                        assert!(!error.to_string().is_empty());
                    }
                }
            }
        }
        _ => {
            if let Ok(LoadWeightsRequest { file: Some(file), .. }) = LoadWeightsRequest::decode(bytes)
                && let Err(error) = NETWORK.load(&file, true)
            {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}
