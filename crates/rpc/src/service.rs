//! The service's methods, with their limits and errors.

use std::sync::Arc;

use tabia_net::NetError;
use tokio::sync::Semaphore;
use tonic::Status;

use crate::games::{GameQueue, Games, Plan};
use crate::messages::{
    EvaluatePositionRequest, EvaluatePositionResponse, GenerateGamesRequest, GetWeightsRequest,
    GetWeightsResponse, LoadWeightsRequest, LoadWeightsResponse,
};
use crate::network::NetworkHandle;
use crate::positions::{self, MAX_POSITIONS};

/// The service: one network, with threads for self-play and evaluation.
pub struct Quantum {
    network: Arc<NetworkHandle>,
    threads: usize,
    queue: GameQueue,
    /// One permit per thread for evaluation.
    evaluation_permits: Arc<Semaphore>,
}

impl Quantum {
    /// Serves a network with this many threads for self-play, and as many for evaluation.
    pub fn new(network: NetworkHandle, threads: usize) -> Quantum {
        let threads = threads.max(1);
        Quantum {
            network: Arc::new(network),
            threads,
            queue: GameQueue::new(threads),
            evaluation_permits: Arc::new(Semaphore::new(threads)),
        }
    }

    /// `GenerateGames`.
    pub async fn generate_games(self: Arc<Self>, request: GenerateGamesRequest) -> Result<Games, Status> {
        let plan = Plan::read(&request).map_err(Status::invalid_argument)?;
        tracing::info!(games = request.games, seed = request.seed, "generate games");
        self.queue.play(plan, || self.network.current()).await
    }

    /// `EvaluatePosition`.
    pub async fn evaluate_position(
        self: Arc<Self>,
        request: EvaluatePositionRequest,
    ) -> Result<EvaluatePositionResponse, Status> {
        let count = request.positions.len();
        if count > MAX_POSITIONS {
            let text = format!("there are {count} positions, expected at most {MAX_POSITIONS} in one call");
            return Err(Status::invalid_argument(text));
        }
        let threads = positions::threads_for(count, self.threads);
        let permits = self.evaluation_permits.clone().acquire_many_owned(threads as u32).await;
        let permits = permits.map_err(|_| Status::unavailable("the server is shutting down"))?;
        let loaded = self.network.current();
        let evaluations = run_blocking(move || {
            let said = positions::evaluate(&request.positions, &loaded, threads);
            drop(permits);
            said.map(|evaluations| EvaluatePositionResponse { evaluations, weights_version: loaded.version })
        });
        evaluations.await?
    }

    /// `LoadWeights`.
    pub async fn load_weights(
        self: Arc<Self>,
        request: LoadWeightsRequest,
    ) -> Result<LoadWeightsResponse, Status> {
        let Some(file) = request.file else {
            return Err(Status::invalid_argument("there is no file; send safetensors or onnx"));
        };
        let served = self.network.clone();
        let loaded = run_blocking(move || served.load(&file, request.any_shape)).await?.map_err(|error| {
            let text = error.to_string();
            tracing::warn!("weights were refused: {text}");
            match error {
                NetError::Shape { .. } => Status::failed_precondition(text),
                NetError::Evaluator(_) => Status::unavailable(text),
                _ => Status::invalid_argument(text),
            }
        })?;
        tracing::info!(version = loaded.version, "new weights");
        Ok(LoadWeightsResponse { version: loaded.version, network: loaded.weights.architecture.to_string() })
    }

    /// `GetWeights`.
    pub async fn get_weights(
        self: Arc<Self>,
        _request: GetWeightsRequest,
    ) -> Result<GetWeightsResponse, Status> {
        let loaded = self.network.current();
        run_blocking(move || GetWeightsResponse {
            safetensors: loaded.weights.to_file().to_bytes(),
            version: loaded.version,
            network: loaded.weights.architecture.to_string(),
        })
        .await
    }

    /// Stops running calls and refuses new ones with the status `Unavailable`.
    pub fn close(&self) {
        self.queue.close();
        self.evaluation_permits.close();
    }
}

/// Runs CPU-bound work outside the async runtime's threads.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Status> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Status::internal("internal error; see the server's log"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{File, GameRecord};
    use tabia_net::{Architecture, Weights};
    use tokio_stream::StreamExt as _;
    use tonic::Code;

    fn service() -> Arc<Quantum> {
        Arc::new(Quantum::new(NetworkHandle::new(Weights::initial(Architecture::new(16, 1), 1)), 2))
    }

    fn quick(games: u32) -> GenerateGamesRequest {
        let settings =
            ["simulations=4", "quick_simulations=2", "candidates=2", "ply_limit=12", "most_branches=4"];
        GenerateGamesRequest { games, seed: 7, settings: settings.map(str::to_owned).to_vec(), planes: false }
    }

    async fn played(service: &Arc<Quantum>, request: GenerateGamesRequest) -> Vec<GameRecord> {
        let games = service.clone().generate_games(request).await.unwrap();
        let mut games: Vec<GameRecord> = games.map(|game| game.unwrap()).collect().await;
        games.sort_by_key(|game| game.number);
        games
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn games_come_whole_and_the_same_for_the_same_seed() {
        let service = service();
        let first = played(&service, quick(5)).await;
        assert_eq!(first.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert!(first.iter().all(|game| game.weights_version == 1 && !game.samples.is_empty()));
        assert_eq!(first, played(&service, quick(5)).await);
        for game in &first {
            let mut state: tabia_quantum::QuantumGame = game.start.parse().unwrap();
            assert_eq!(game.rules, u32::from(state.rules().number()));
            game.moves.iter().for_each(|ply| state.play_text(ply).unwrap());
            assert_eq!(game.moves.len(), game.samples.len());
        }
        let other = Weights::initial(Architecture::new(16, 1), 2).to_file().to_bytes();
        let file = Some(File::Safetensors(other));
        service.clone().load_weights(LoadWeightsRequest { file, any_shape: false }).await.unwrap();
        let third = played(&service, quick(5)).await;
        assert!(third.iter().all(|game| game.weights_version == 2));
        assert_ne!(first[0].samples, third[0].samples);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_client_that_disconnects_lets_the_next_one_play() {
        let service = service();
        let mut games = service.clone().generate_games(quick(1_000_000)).await.unwrap();
        games.next().await.unwrap().unwrap();
        drop(games);
        assert_eq!(played(&service, quick(2)).await.len(), 2);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn too_many_waiting_calls_are_refused_and_shutdown_ends_all() {
        let service = service();
        let mut games = service.clone().generate_games(quick(1_000_000)).await.unwrap();
        games.next().await.unwrap().unwrap();
        // Each waits for its turn once it has been looked at.
        let mut waiting: Vec<_> =
            (1..16).map(|_| Box::pin(service.clone().generate_games(quick(1)))).collect();
        for call in &mut waiting {
            assert!(
                std::future::poll_fn(|context| {
                    std::task::Poll::Ready(call.as_mut().poll(context).is_pending())
                })
                .await
            );
        }
        let refused = service.clone().generate_games(quick(1)).await.err().unwrap();
        assert_eq!(refused.code(), Code::ResourceExhausted);
        service.close();
        for call in waiting {
            assert_eq!(call.await.err().unwrap().code(), Code::Unavailable);
        }
        let last = loop {
            match games.next().await {
                Some(Ok(_)) => {}
                other => break other,
            }
        };
        assert_eq!(last.unwrap().unwrap_err().code(), Code::Unavailable);
        let refused = service.clone().generate_games(quick(1)).await.err().unwrap();
        assert_eq!(refused.code(), Code::Unavailable);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn bad_input_is_refused_by_its_kind() {
        let service = service();
        let refused = service.clone().generate_games(quick(0)).await.err().unwrap();
        assert_eq!(refused.code(), Code::InvalidArgument);
        let positions = vec![String::new(); MAX_POSITIONS + 1];
        let refused = service
            .clone()
            .evaluate_position(EvaluatePositionRequest { positions, ..Default::default() })
            .await
            .unwrap_err();
        assert_eq!(refused.message(), "there are 513 positions, expected at most 512 in one call");
        let load = |file| service.clone().load_weights(LoadWeightsRequest { file, any_shape: false });
        assert_eq!(load(None).await.unwrap_err().code(), Code::InvalidArgument);
        let refused = load(Some(File::Onnx(b"PK".to_vec()))).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        let other = Weights::initial(Architecture::new(32, 1), 1).to_file().to_bytes();
        let refused = load(Some(File::Safetensors(other))).await.unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition);
        let got = service.clone().get_weights(GetWeightsRequest {}).await.unwrap();
        assert_eq!(got.version, 1);
        assert_eq!(load(Some(File::Safetensors(got.safetensors))).await.unwrap().version, 2);
    }
}
