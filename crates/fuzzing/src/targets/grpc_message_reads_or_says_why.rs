//! Any bytes are a request of the gRPC service, the answer of an evaluator, or an error of the decoder; what was decoded is
//! taken or refused in words. An answer that is taken can be used by a search. The first byte says which message.

use std::sync::LazyLock;

use prost::Message;
use tabia_net::architecture::{PolicyHead, ValueHead};
use tabia_net::{Architecture, Weights};
use tabia_quantum::QuantumGame;
use tabia_rpc::games::Plan;
use tabia_rpc::messages::{
    EvaluatePositionRequest, EvaluatePositionResponse, Evaluation, GenerateGamesRequest, LoadWeightsRequest,
};
use tabia_rpc::{NetworkHandle, answer};

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
    match which % 4 {
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
        2 => {
            if let Ok(LoadWeightsRequest { file: Some(file), .. }) = LoadWeightsRequest::decode(bytes)
                && let Err(error) = NETWORK.load(&file, true)
            {
                assert!(!error.to_string().is_empty());
            }
        }
        _ => {
            if let Ok(response) = EvaluatePositionResponse::decode(bytes) {
                for evaluation in response.evaluations.iter().take(8) {
                    // As if its own moves were the legal ones, in another order, and as if others were.
                    let own: Vec<u32> = evaluation.numbers.iter().rev().copied().collect();
                    let first: Vec<u32> = (0..evaluation.policy.len() as u32).collect();
                    for legal in [own.as_slice(), &first, &[1, 2, 3]] {
                        check_answer(evaluation, legal);
                    }
                }
            }
        }
    }
}

/// An answer is refused in words, or has a share for every legal move.
fn check_answer(evaluation: &Evaluation, legal: &[u32]) {
    match answer::read(evaluation, legal) {
        Ok(read) => {
            assert!((-1.0..=1.0).contains(&read.value) && (0.0..=1.1).contains(&read.draw), "{read:?}");
            assert_eq!(read.priors.len(), legal.len());
            assert!(read.priors.iter().all(|share| (0.0..=1.1).contains(share)), "{read:?}");
        }
        Err(why) => assert!(!why.is_empty()),
    }
}
