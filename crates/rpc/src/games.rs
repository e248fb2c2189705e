//! Games of the served network against itself, handed on as they end.

use std::panic::{self, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread;

use tabia_core::Stop;
use tabia_net::sample;
use tabia_net::selfplay::Hall;
use tabia_net::settings::{Knobs, Preset};
use tabia_net::shard::Played;
use tabia_net::{NetError, Network};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::Stream;
use tonic::Status;

use crate::messages::{GameRecord, GenerateGamesRequest, Result as Ending, Sample};
use crate::served::Loaded;

/// Games of one call, at most.
const MOST_GAMES: u32 = 1_000_000;
/// Games that a thread plays at once, at most: each has a search tree.
const MOST_AT_ONCE: u32 = 1024;
/// Calls that play or wait for their turn, at most.
const MOST_CALLS: usize = 16;
/// Games that the client did not take yet, at most; then play waits.
const UNTAKEN: usize = 16;

/// What a call asks for, checked.
#[derive(Clone, Debug)]
pub struct Plan {
    games: u32,
    seed: u64,
    planes: bool,
    knobs: Knobs,
}

impl Plan {
    /// Reads a request, or says what is wrong with it.
    pub fn read(request: &GenerateGamesRequest) -> Result<Plan, String> {
        let &GenerateGamesRequest { games, seed, planes, .. } = request;
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(format!("games is {games}, expected 1 to {MOST_GAMES}"));
        }
        let mut settings = Preset::Small.settings();
        let shape = settings.network;
        for assignment in &request.settings {
            settings.set(assignment).map_err(|error| error.to_string())?;
            if settings.network != shape {
                return Err(format!(
                    "\"{assignment}\" would shape a network; games are played by the one that is served, and LoadWeights replaces it"
                ));
            }
        }
        let knobs = settings.learning;
        if knobs.games_at_once > MOST_AT_ONCE {
            return Err(format!(
                "games_at_once is {}, expected at most {MOST_AT_ONCE} here",
                knobs.games_at_once
            ));
        }
        Ok(Plan { games, seed, planes, knobs })
    }
}

/// Where games are played, one call at a time.
pub struct Room {
    threads: usize,
    places: Arc<Semaphore>,
    turn: Arc<Semaphore>,
    /// Who plays now; nothing can begin any more once this is taken away.
    playing: Mutex<Option<Stop>>,
}

impl Room {
    /// A room with so many threads.
    pub fn new(threads: usize) -> Room {
        let places = Arc::new(Semaphore::new(MOST_CALLS));
        Room { threads, places, turn: Arc::new(Semaphore::new(1)), playing: Mutex::new(Some(Stop::new())) }
    }

    /// Waits for its turn, and begins to play.
    pub async fn play(&self, plan: Plan, network: impl FnOnce() -> Arc<Loaded>) -> Result<Games, Status> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| {
            let text =
                format!("{MOST_CALLS} calls play or wait to play already; try again when one has ended");
            Status::resource_exhausted(text)
        })?;
        let turn = self.turn.clone().acquire_owned().await.map_err(|_| ending())?;
        let stop = Stop::new();
        match &mut *self.playing() {
            Some(playing) => *playing = stop.clone(),
            None => return Err(ending()),
        }
        let (send, receive) = mpsc::channel(UNTAKEN);
        let work = Work { plan, loaded: network(), threads: self.threads, stop: stop.clone() };
        thread::Builder::new()
            .name("games".to_owned())
            .spawn(move || work.run(&send, (place, turn)))
            .map_err(|error| Status::internal(format!("no thread could be started: {error}")))?;
        Ok(Games { receive, stop })
    }

    /// Ends what is played and what waits, for good.
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

fn ending() -> Status {
    Status::unavailable("the server is ending")
}

/// One call's games, on threads of their own.
struct Work {
    plan: Plan,
    loaded: Arc<Loaded>,
    threads: usize,
    stop: Stop,
}

impl Work {
    fn run(
        self,
        client: &mpsc::Sender<Result<GameRecord, Status>>,
        turn: (OwnedSemaphorePermit, OwnedSemaphorePermit),
    ) {
        let Plan { games, seed, planes, knobs } = self.plan;
        let network = Network::new(&self.loaded.weights).forgetful();
        let hall = Hall {
            knobs: &knobs,
            simulations: knobs.simulations,
            quick_simulations: knobs.quick_simulations,
            seed,
            threads: self.threads,
        };
        let numbers: Vec<u32> = (0..games).collect();
        let mut hand_on = |game: Played| {
            let record = record(&game, self.loaded.version, planes);
            client.blocking_send(Ok(record)).map_err(|_| NetError::Settings("the client is gone".to_owned()))
        };
        let played =
            panic::catch_unwind(AssertUnwindSafe(|| hall.play(&network, &numbers, &self.stop, &mut hand_on)));
        let fault = match played {
            // A client that is gone needs no words.
            Ok(Ok(true) | Err(_)) => None,
            Ok(Ok(false)) => Some(ending()),
            Err(_) => Some(Status::internal("a game could not be played on; the server's log says why")),
        };
        if let Some(fault) = fault {
            let _ = client.blocking_send(Err(fault));
        }
        drop(turn);
    }
}

/// Finished games on their way to a client. Play ends when nobody waits for them any more.
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

/// A game as it is sent.
fn record(game: &Played, weights_version: u64, planes: bool) -> GameRecord {
    let result = if game.points > 0.75 {
        Ending::WhiteWins
    } else if game.points > 0.25 {
        Ending::Draw
    } else {
        Ending::BlackWins
    };
    GameRecord {
        number: game.number,
        plies: game.plies,
        result: result.into(),
        weights_version,
        split_share: game.splits as f32 / 1000.0,
        samples: game.samples.iter().map(|sample| sent(sample, planes)).collect(),
    }
}

/// Planes that have one number everywhere.
const EVEN_PLANES: std::ops::RangeInclusive<usize> = 24..=25;
const SQUARES: usize = 64;

fn sent(sample: &sample::Sample, with_planes: bool) -> Sample {
    let planes = sample.seen.planes();
    let (places, amounts) = planes
        .iter()
        .enumerate()
        .filter(|(place, amount)| **amount != 0.0 && !EVEN_PLANES.contains(&(place / SQUARES)))
        .map(|(place, amount)| (place as u32, *amount))
        .unzip();
    let total: f32 = sample.moves.iter().map(|(_, share)| f32::from(*share)).sum();
    let [win, draw, loss] = sample.chances;
    Sample {
        places,
        amounts,
        branches: planes[EVEN_PLANES.start() * SQUARES],
        white_to_move: sample.seen.white,
        mirrors: sample.seen.mirrors,
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
    fn what_cannot_be_meant_is_refused() {
        let read = |games, setting: &str| {
            Plan::read(&GenerateGamesRequest {
                games,
                settings: vec![setting.to_owned()],
                ..Default::default()
            })
        };
        let plan = read(3, "simulations=9").unwrap();
        assert_eq!((plan.games, plan.knobs.simulations), (3, 9));
        assert_eq!(read(0, "simulations=9").unwrap_err(), "games is 0, expected 1 to 1000000");
        assert!(read(1, "simulation=9").unwrap_err().contains("did you mean \"simulations\"?"));
        assert!(read(1, "channels=64").unwrap_err().contains("\"channels=64\" would shape a network"));
        assert!(read(1, "games_at_once=5000").unwrap_err().contains("at most 1024"));
    }

    #[test]
    fn planes_can_be_put_together_from_places() {
        let seen = tabia_net::view::Seen::new(&tabia_quantum::QuantumGame::default());
        let sample = sample::Sample { seen, moves: Box::from([(7, 3), (9, 1)]), chances: [0.5, 0.25, 0.25] };
        let sent = sent(&sample, true);
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
