//! `GenerateGames`: self-play of the served network, streamed as games end.

use std::panic::{self, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread;

use tabia_core::Stop;
use tabia_net::device::Evaluator;
use tabia_net::sample::PackedSample;
use tabia_net::selfplay::SelfPlay;
use tabia_net::settings::{Hyperparameters, Preset, SHAPE};
use tabia_net::shard::PlayedGame;
use tabia_net::{NetError, Network};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::Stream;
use tonic::Status;

use crate::messages::{self, GameRecord, GenerateGamesRequest, Result as GameResult};
use crate::network::LoadedNetwork;

/// Largest number of games per call.
const MAX_GAMES: u32 = 1_000_000;
/// Largest number of concurrent games per thread: each has a search tree.
const MAX_CONCURRENT_GAMES: u32 = 1024;
/// Largest number of calls that play or wait.
const MAX_CALLS: usize = 16;
/// Finished games buffered per client; a full buffer pauses play.
const CHANNEL_CAPACITY: usize = 16;

/// A validated request.
#[derive(Clone, Debug)]
pub struct Plan {
    games: u32,
    seed: u64,
    planes: bool,
    hyper: Hyperparameters,
}

impl Plan {
    /// Validates a request.
    pub fn read(request: &GenerateGamesRequest) -> Result<Plan, String> {
        let &GenerateGamesRequest { games, seed, planes, .. } = request;
        if !(1..=MAX_GAMES).contains(&games) {
            return Err(format!("games is {games}, expected 1 to {MAX_GAMES}"));
        }
        let mut settings = Preset::Small.settings();
        for assignment in &request.settings {
            settings.set(assignment).map_err(|error| error.to_string())?;
            let name = assignment.split('=').next().unwrap_or_default().trim();
            // Also where it names the shape that the preset has, which need not be the served network's.
            if SHAPE.contains(&name) {
                return Err(format!(
                    "\"{assignment}\" would change the network's architecture; the served network plays, and LoadWeights replaces it"
                ));
            }
        }
        let hyper = settings.learning;
        if hyper.games_at_once > MAX_CONCURRENT_GAMES {
            return Err(format!(
                "games_at_once is {}, expected at most {MAX_CONCURRENT_GAMES} here",
                hyper.games_at_once
            ));
        }
        Ok(Plan { games, seed, planes, hyper })
    }
}

/// Runs one call at a time; others wait.
pub struct GameQueue {
    threads: usize,
    capacity: Arc<Semaphore>,
    turn: Arc<Semaphore>,
    /// Stop flag of the running call; `None` after [`GameQueue::close`].
    playing: Mutex<Option<Stop>>,
}

impl GameQueue {
    /// A queue that plays with this many threads.
    pub fn new(threads: usize) -> GameQueue {
        let capacity = Arc::new(Semaphore::new(MAX_CALLS));
        GameQueue {
            threads,
            capacity,
            turn: Arc::new(Semaphore::new(1)),
            playing: Mutex::new(Some(Stop::new())),
        }
    }

    /// Waits for its turn, then starts playing.
    pub async fn play(
        &self,
        plan: Plan,
        network: impl FnOnce() -> Arc<LoadedNetwork>,
    ) -> Result<Games, Status> {
        let place = self.capacity.clone().try_acquire_owned().map_err(|_| {
            let text = format!("{MAX_CALLS} calls are running or waiting, the most allowed; try again later");
            Status::resource_exhausted(text)
        })?;
        let turn = self.turn.clone().acquire_owned().await.map_err(|_| shutting_down())?;
        let stop = Stop::new();
        match &mut *self.playing() {
            Some(playing) => *playing = stop.clone(),
            None => return Err(shutting_down()),
        }
        let (send, receive) = mpsc::channel(CHANNEL_CAPACITY);
        let job = Job { plan, loaded: network(), threads: self.threads, stop: stop.clone() };
        thread::Builder::new()
            .name("games".to_owned())
            .spawn(move || job.run(&send, (place, turn)))
            .map_err(|error| Status::internal(format!("cannot start a thread: {error}")))?;
        Ok(Games { receive, stop })
    }

    /// Stops the running call and refuses all others.
    pub fn close(&self) {
        self.turn.close();
        if let Some(stop) = self.playing().take() {
            stop.stop();
        }
    }

    fn playing(&self) -> std::sync::MutexGuard<'_, Option<Stop>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shutting_down() -> Status {
    Status::unavailable("the server is shutting down")
}

/// The self-play of one call.
struct Job {
    plan: Plan,
    loaded: Arc<LoadedNetwork>,
    threads: usize,
    stop: Stop,
}

impl Job {
    fn run(
        self,
        client: &mpsc::Sender<Result<GameRecord, Status>>,
        turn: (OwnedSemaphorePermit, OwnedSemaphorePermit),
    ) {
        let Plan { games, seed, planes, hyper } = self.plan;
        let network: Evaluator = match &self.loaded.on_device {
            Some(network) => Arc::clone(network),
            None => Arc::new(Network::new(&self.loaded.weights).without_cache()),
        };
        let self_play = SelfPlay {
            hyper: &hyper,
            simulations: hyper.simulations,
            quick_simulations: hyper.quick_simulations,
            seed,
            threads: self.threads,
        };
        let numbers: Vec<u32> = (0..games).collect();
        let mut send = |game: PlayedGame| {
            let record = record(&game, self.loaded.version, planes);
            client
                .blocking_send(Ok(record))
                .map_err(|_| NetError::Settings("the client has disconnected".to_owned()))
        };
        let played = panic::catch_unwind(AssertUnwindSafe(|| {
            self_play.play(&network, &numbers, &self.stop, &mut send)
        }));
        let error = match played {
            Ok(Err(NetError::Evaluator(why))) => Some(Status::unavailable(why)),
            // A client that disconnected needs no status.
            Ok(Ok(true) | Err(_)) => None,
            Ok(Ok(false)) => Some(shutting_down()),
            Err(_) => Some(Status::internal("internal error in self-play; see the server's log")),
        };
        if let Some(error) = error {
            let _ = client.blocking_send(Err(error));
        }
        drop(turn);
    }
}

/// A stream of finished games. Dropping it stops play.
pub struct Games {
    receive: mpsc::Receiver<Result<GameRecord, Status>>,
    stop: Stop,
}

impl Stream for Games {
    type Item = Result<GameRecord, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receive.poll_recv(context)
    }
}

impl Drop for Games {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn record(game: &PlayedGame, weights_version: u64, planes: bool) -> GameRecord {
    let result = if game.points > 0.75 {
        GameResult::WhiteWins
    } else if game.points > 0.25 {
        GameResult::Draw
    } else {
        GameResult::BlackWins
    };
    GameRecord {
        number: game.number,
        plies: game.plies,
        result: result.into(),
        weights_version,
        split_share: game.splits as f32 / 1000.0,
        samples: game.samples.iter().map(|sample| sample_message(sample, planes)).collect(),
        start: game.start.clone(),
        moves: game.transcript.iter().map(|ply| ply.text.clone()).collect(),
        seed: game.seed,
        rules: game.rules.number().into(),
    }
}

/// Planes with one value on all squares.
const CONSTANT_PLANES: std::ops::RangeInclusive<usize> = 24..=25;
const SQUARES: usize = 64;

/// Places and amounts of the planes that are not constant, and the number of plane 24.
pub(crate) fn sparse_planes(planes: &[f32]) -> (Vec<u32>, Vec<f32>, f32) {
    let (places, amounts) = planes
        .iter()
        .enumerate()
        .filter(|(place, amount)| **amount != 0.0 && !CONSTANT_PLANES.contains(&(place / SQUARES)))
        .map(|(place, amount)| (place as u32, *amount))
        .unzip();
    (places, amounts, planes[CONSTANT_PLANES.start() * SQUARES])
}

fn sample_message(sample: &PackedSample, with_planes: bool) -> messages::Sample {
    let planes = sample.position.planes();
    let (places, amounts, branches) = sparse_planes(&planes);
    let total: f32 = sample.moves.iter().map(|(_, share)| f32::from(*share)).sum();
    let [win, draw, loss] = sample.wdl;
    messages::Sample {
        places,
        amounts,
        branches,
        white_to_move: sample.position.white_to_move,
        mirrors: sample.position.is_mirrorable,
        moves: sample.moves.iter().map(|(number, _)| u32::from(*number)).collect(),
        shares: sample.moves.iter().map(|(_, share)| f32::from(*share) / total.max(1.0)).collect(),
        win,
        draw,
        loss,
        planes: if with_planes { planes } else { Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_requests_are_refused() {
        let read = |games, setting: &str| {
            Plan::read(&GenerateGamesRequest {
                games,
                settings: vec![setting.to_owned()],
                ..Default::default()
            })
        };
        let plan = read(3, "simulations=9").unwrap();
        assert_eq!((plan.games, plan.hyper.simulations), (3, 9));
        assert_eq!(read(0, "simulations=9").unwrap_err(), "games is 0, expected 1 to 1000000");
        assert!(read(1, "simulation=9").unwrap_err().contains("did you mean \"simulations\"?"));
        assert!(
            read(1, "channels=64")
                .unwrap_err()
                .contains("\"channels=64\" would change the network's architecture")
        );
        assert!(read(1, " blocks = 4").unwrap_err().contains("architecture"), "though the preset has 4");
        assert!(read(1, "games_at_once=5000").unwrap_err().contains("at most 1024"));
    }

    #[test]
    fn planes_can_be_put_together_from_places() {
        let position = tabia_net::encoding::EncodedPosition::new(&tabia_quantum::QuantumGame::default());
        let sample = PackedSample { position, moves: Box::from([(7, 3), (9, 1)]), wdl: [0.5, 0.25, 0.25] };
        let sent = sample_message(&sample, true);
        let mut planes = vec![0.0; 28 * SQUARES];
        for (place, amount) in sent.places.iter().zip(&sent.amounts) {
            planes[*place as usize] = *amount;
        }
        planes[24 * SQUARES..25 * SQUARES].fill(sent.branches);
        planes[25 * SQUARES..26 * SQUARES].fill(if sent.white_to_move { 1.0 } else { 0.0 });
        assert_eq!(planes, sent.planes);
        assert_eq!((sent.moves, sent.shares), (vec![7, 9], vec![0.75, 0.25]));
    }
}
