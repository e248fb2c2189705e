//! Python processes with PyTorch for inference and training.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use serde_json::json;
use tabia_core::{Game, seed};
use tabia_mcts::{Evaluation, PolicyValue};
use tabia_quantum::{Action, QuantumGame};

use super::protocol::{self, Positions};
use super::{Losses, NetError, NetworkRole};
use crate::architecture::{Architecture, Role};
use crate::encoding::{self, EncodedPosition};
use crate::forward::softmax;
use crate::network::Network;
use crate::opening::after_random_plies;
use crate::optimiser::{GHOST_BATCH, Optimiser};
use crate::replay::DrawnSample;
use crate::sample::PackedSample;
use crate::settings::{Hyperparameters, Settings};
use crate::weights::Weights;

const SCRIPT: &str = include_str!("torch.py");
/// Positions on which PyTorch and the CPU are compared before a training.
const CHECK_POSITIONS: u32 = 64;
/// Largest accepted difference of values and priors: half precision has three decimals.
const TOLERANCE: f32 = 0.02;

/// Samples whose gradient is compared: two ghost batches and a part of a third.
const CHECK_SAMPLES: usize = 2 * GHOST_BATCH + GHOST_BATCH / 2;
/// Largest accepted difference of the gradient, relative to its length: training on a GPU computes in bfloat16, which has two decimals.
const GRADIENT_TOLERANCE: f64 = 0.15;

/// Self-play threads per process.
const THREADS_PER_PROCESS: usize = 16;
const MAX_PROCESSES: usize = 4;

/// The PyTorch device to use.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TorchKind {
    /// A CUDA device.
    Cuda,
    /// CUDA if available, else the CPU.
    Any,
}

/// Python processes: all of them evaluate, the first one trains. Several, because Python's overhead saturates one process long before
/// the GPU is.
pub struct Torch {
    processes: Vec<Process>,
}

/// One process with its connection.
struct Process {
    connection: Arc<Connection>,
    name: String,
    child: Child,
}

/// The pipes to a process, with the pending requests.
struct Connection {
    stdin: Mutex<Option<ChildStdin>>,
    pending: Mutex<HashMap<u32, Sender<Vec<u8>>>>,
    next_id: AtomicU32,
    failure: OnceLock<String>,
}

impl std::fmt::Debug for Torch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Torch({})", self.name())
    }
}

impl Torch {
    /// Starts the processes and waits until they are ready.
    pub fn start(
        kind: TorchKind,
        python: &str,
        settings: &Settings,
        threads: usize,
    ) -> Result<Torch, NetError> {
        let parameters = settings.network.parameters();
        let parameters: Vec<_> = parameters
            .iter()
            .map(|parameter| json!({"name": parameter.name, "shape": parameter.shape, "role": role(parameter.role)}))
            .collect();
        let request = json!({
            "device": match kind { TorchKind::Cuda => "cuda", TorchKind::Any => "torch" },
            "architecture": settings.network,
            "parameters": parameters,
            "threads": threads,
            "value_weight": settings.learning.value_weight,
            "ghost_batch": GHOST_BATCH,
        })
        .to_string();
        let count = match kind {
            TorchKind::Cuda => threads.div_ceil(THREADS_PER_PROCESS).clamp(1, MAX_PROCESSES),
            TorchKind::Any => 1,
        };
        let starting: Vec<_> =
            (0..count).map(|_| Process::spawn(python, &request)).collect::<Result<_, _>>()?;
        let processes = starting
            .into_iter()
            .map(|(process, hello)| process.wait_until_ready(python, &hello))
            .collect::<Result<_, _>>()?;
        Ok(Torch { processes })
    }

    fn trainer(&self) -> &Connection {
        &self.processes[0].connection
    }

    /// Name of the device.
    pub fn name(&self) -> &str {
        &self.processes[0].name
    }

    /// Returns an error if a process has ended.
    pub fn check_alive(&self) -> Result<(), NetError> {
        self.processes.iter().try_for_each(|process| process.connection.check())
    }

    /// Loads a network for inference.
    pub fn evaluator(&self, weights: &Weights, role: NetworkRole) -> Result<TorchEvaluator, NetError> {
        let frame = protocol::load_request(role as u32, weights);
        self.processes.iter().try_for_each(|process| process.connection.send(&frame))?;
        let connections = self.processes.iter().map(|process| Arc::clone(&process.connection)).collect();
        Ok(TorchEvaluator { connections, network: role as u32, next: AtomicUsize::new(0) })
    }

    /// Compares outputs with the CPU's, for an untrained network of this architecture.
    pub fn check(&self, architecture: Architecture) -> Result<(), NetError> {
        let weights = Weights::initial(architecture, 1);
        let (ours, theirs) = (Network::new(&weights), self.evaluator(&weights, NetworkRole::Candidate)?);
        let mut random = seed::random(1);
        let games: Vec<QuantumGame> = (0..CHECK_POSITIONS)
            .map(|number| after_random_plies(QuantumGame::default(), number % 20, &mut random))
            .filter(|game| matches!(game.turn(), tabia_core::Turn::Player(_)))
            .collect();
        let actions: Vec<Vec<Action>> = games
            .iter()
            .map(|game| {
                let mut actions = Vec::new();
                game.actions(&mut actions);
                actions
            })
            .collect();
        let (mut own, mut other) = (Vec::new(), Vec::new());
        ours.infer(&games, &actions, &mut own);
        theirs.infer(&games, &actions, &mut other);
        self.check_alive()?;
        let distance = |a: &Evaluation, b: &Evaluation| {
            let priors = a.priors.iter().zip(&b.priors).map(|(a, b)| (a - b).abs());
            priors.fold((a.value - b.value).abs().max((a.draw - b.draw).abs()), f32::max)
        };
        let largest = own.iter().zip(&other).map(|(a, b)| distance(a, b)).fold(0.0, f32::max);
        if largest <= TOLERANCE {
            return Ok(());
        }
        Err(failed(&format!("its outputs differ from the CPU's by {largest}, expected at most {TOLERANCE}")))
    }

    /// Compares the gradient of one batch with the CPU's, for an untrained network. Adam's first moment after one step is a fixed share
    /// of the gradient, so nothing but the training protocol is needed.
    pub fn check_gradient(&self, settings: &Settings, threads: usize) -> Result<(), NetError> {
        let samples = check_samples();
        let batch: Vec<DrawnSample<'_>> =
            samples.iter().map(|sample| DrawnSample { sample, mirror: false }).collect();
        let hyper = Hyperparameters { decay: 0.0, clip: 0.0, ..settings.learning };
        let rate = 0.001;
        let mut ours = Optimiser::new(Weights::initial(settings.network, 1));
        let mut theirs = ours.clone();
        self.upload(&theirs)?;
        self.step(&batch, &hyper, rate)?;
        self.download(&mut theirs)?;
        let unpacked: Vec<_> = batch.iter().map(DrawnSample::unpack).collect();
        ours.step(&unpacked, &hyper, rate, threads);
        let (mut distance, mut length) = (0.0, 0.0);
        let moments = ours.first_moment.parameters.iter().zip(&theirs.first_moment.parameters);
        for (own, other) in moments.flat_map(|(own, other)| own.iter().zip(other)) {
            distance += f64::from(own - other).powi(2);
            length += f64::from(*own).powi(2);
        }
        let difference = (distance / length.max(f64::MIN_POSITIVE)).sqrt();
        if difference <= GRADIENT_TOLERANCE {
            return Ok(());
        }
        Err(failed(&format!(
            "its gradient differs from the CPU's by {difference:.3} of its length, expected at most {GRADIENT_TOLERANCE}"
        )))
    }

    /// Uploads the optimiser's state.
    pub fn upload(&self, optimiser: &Optimiser) -> Result<(), NetError> {
        let Optimiser { weights, averaged, first_moment, second_moment, steps } = optimiser;
        self.trainer()
            .send(&protocol::load_optimiser_request(*steps, [weights, averaged, first_moment, second_moment]))
    }

    /// Sends one step without waiting for it.
    pub fn step(
        &self,
        batch: &[DrawnSample<'_>],
        hyper: &Hyperparameters,
        rate: f32,
    ) -> Result<(), NetError> {
        let mut positions = Positions::default();
        for drawn in batch {
            positions.add_sample(drawn);
        }
        self.trainer().send(&positions.step_request(hyper, rate))
    }

    /// Downloads the optimiser's state; returns the losses since the upload.
    pub fn download(&self, optimiser: &mut Optimiser) -> Result<Losses, NetError> {
        let bytes = self.trainer().request(protocol::fetch_optimiser_request)?;
        let Optimiser { weights, averaged, first_moment, second_moment, steps } = optimiser;
        let state = protocol::parse_optimiser(&bytes, [weights, averaged, first_moment, second_moment]);
        let (done, losses) = state.ok_or_else(|| failed("it sent other tensors than it received"))?;
        *steps = done;
        if weights.parameters.iter().flatten().all(|number| number.is_finite()) {
            Ok(losses)
        } else {
            Err(failed("a weight is not finite; try a smaller learning rate (--set rate=…)"))
        }
    }
}

impl Process {
    /// Starts a process; its first response is the name of its device.
    fn spawn(python: &str, request: &str) -> Result<(Process, Receiver<Vec<u8>>), NetError> {
        let refused = |why: String| NetError::Device { python: python.to_owned(), why };
        let mut child = Command::new(python)
            .args(["-u", "-c", SCRIPT, request])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| refused(format!("it cannot be started: {error}")))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(refused("it has no pipes".to_owned()));
        };
        let connection = Arc::new(Connection {
            stdin: Mutex::new(Some(stdin)),
            pending: Mutex::default(),
            next_id: AtomicU32::new(1),
            failure: OnceLock::new(),
        });
        let (send, hello) = mpsc::channel();
        lock(&connection.pending).insert(0, send);
        let reader = Arc::clone(&connection);
        let stderr_reader = thread::spawn(move || stderr_tail(stderr));
        thread::spawn(move || {
            let ended = reader.read(stdout);
            let text = stderr_reader.join().unwrap_or_default();
            let why = text.lines().last().map_or_else(|| ended.to_string(), str::to_owned);
            // The failure is set before the channels close, so that those waiting can report it.
            let _ = reader.failure.set(why);
            lock(&reader.pending).clear();
        });
        Ok((Process { connection, name: String::new(), child }, hello))
    }

    /// Waits for the first response.
    fn wait_until_ready(mut self, python: &str, hello: &Receiver<Vec<u8>>) -> Result<Process, NetError> {
        let Ok(name) = hello.recv() else {
            let why = self.connection.failure.get().cloned().unwrap_or_default();
            return Err(NetError::Device { python: python.to_owned(), why });
        };
        self.name = String::from_utf8_lossy(&name).into_owned();
        Ok(self)
    }
}

/// The last 16 KiB of a process's standard error, once it has ended.
fn stderr_tail(mut stderr: ChildStderr) -> String {
    const KEPT: usize = 1 << 14;
    let (mut text, mut bytes) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = stderr.read(&mut bytes) {
        text.extend_from_slice(&bytes[..count]);
        text.drain(..text.len().saturating_sub(KEPT));
    }
    String::from_utf8_lossy(&text).trim().to_owned()
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process ends when its standard input closes.
        drop(lock(&self.connection.stdin).take());
        let _ = self.child.wait();
    }
}

impl Connection {
    /// Dispatches responses to pending requests until the pipe ends; returns why it ended.
    fn read(&self, stdout: ChildStdout) -> io::Error {
        let mut stdout = BufReader::with_capacity(1 << 20, stdout);
        let mut one = || -> io::Result<()> {
            let mut header = [0; 8];
            stdout.read_exact(&mut header)?;
            let [id, bytes] = [0, 4]
                .map(|at| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]));
            let mut payload = vec![0; bytes as usize];
            stdout.read_exact(&mut payload)?;
            if let Some(pending) = lock(&self.pending).remove(&id) {
                // The requester may have given up.
                let _ = pending.send(payload);
            }
            Ok(())
        };
        loop {
            if let Err(error) = one() {
                return error;
            }
        }
    }

    fn check(&self) -> Result<(), NetError> {
        self.failure.get().map_or(Ok(()), |why| Err(failed(why)))
    }

    /// The error after the process has ended.
    fn ended(&self) -> NetError {
        failed(self.failure.get().map_or("its process has ended", String::as_str))
    }

    fn send(&self, frame: &[u8]) -> Result<(), NetError> {
        let mut stdin = lock(&self.stdin);
        let sent =
            stdin.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |stdin| stdin.write_all(frame));
        drop(stdin);
        sent.map_err(|_| self.ended())
    }

    fn request(&self, request: impl FnOnce(u32) -> Vec<u8>) -> Result<Vec<u8>, NetError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed).max(1);
        let (send, receive) = mpsc::channel();
        lock(&self.pending).insert(id, send);
        // From here on the reader either sees the request or has set the failure.
        self.check()?;
        self.send(&request(id))?;
        receive.recv().map_err(|_| self.ended())
    }
}

/// A network in the Python processes. When a process has ended, evaluations are neutral and its failure is set, so that callers
/// discard them ([`super::Device::check`]).
pub struct TorchEvaluator {
    connections: Vec<Arc<Connection>>,
    network: u32,
    /// Round-robin counter over the connections.
    next: AtomicUsize,
}

impl TorchEvaluator {
    fn evaluations(
        &self,
        connection: &Connection,
        leaves: &[QuantumGame],
        actions: &[Vec<Action>],
        out: &mut Vec<Evaluation>,
    ) -> Option<()> {
        let mut positions = Positions::default();
        for (game, actions) in leaves.iter().zip(actions) {
            let turn = game.side_to_move();
            let moves = actions.iter().map(|action| encoding::policy_index(*action, turn) as u16);
            positions.add(&EncodedPosition::new(game), false, moves);
        }
        let bytes = connection.request(|id| positions.infer_request(id, self.network)).ok()?;
        let rows = positions.rows();
        let mut outputs = protocol::parse_f32s(&bytes);
        let values: Vec<f32> = outputs.by_ref().take(2 * rows).collect();
        for (value, moves) in values.chunks_exact(2).zip(positions.move_counts()) {
            let mut priors: Vec<f32> = outputs.by_ref().take(usize::from(*moves)).collect();
            softmax(&mut priors);
            out.push(Evaluation { value: value[0], draw: value[1], priors });
        }
        (out.len() == leaves.len()).then_some(())
    }
}

impl PolicyValue<QuantumGame> for TorchEvaluator {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        out.clear();
        if leaves.is_empty() {
            return;
        }
        let connection =
            &self.connections[self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len()];
        if self.evaluations(connection, leaves, actions, out).is_none() {
            let _ = connection.failure.set("it sent fewer outputs than there were positions".to_owned());
            out.clear();
            out.extend(
                actions
                    .iter()
                    .map(|actions| Evaluation { priors: vec![1.0; actions.len()], ..Evaluation::default() }),
            );
        }
    }
}

/// Positions of random games with arbitrary targets; every third has none for the policy.
fn check_samples() -> Vec<PackedSample> {
    let mut random = seed::random(2);
    let mut samples = Vec::with_capacity(CHECK_SAMPLES);
    while samples.len() < CHECK_SAMPLES {
        let number = samples.len();
        let game = after_random_plies(QuantumGame::default(), number as u32 % 30, &mut random);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        if actions.is_empty() {
            continue;
        }
        let indices =
            actions.iter().map(|action| encoding::policy_index(*action, game.side_to_move()) as u16);
        let shares = (0..actions.len())
            .map(|at| PackedSample::quantise(if at == 0 { 0.5 } else { 0.5 / actions.len() as f32 }));
        let moves = if number % 3 == 2 { Box::default() } else { indices.zip(shares).collect() };
        let wdl = [[1.0, 0.0, 0.0], [0.25, 0.5, 0.25], [0.0, 0.25, 0.75]][number % 3];
        samples.push(PackedSample { position: EncodedPosition::new(&game), moves, wdl });
    }
    samples
}

fn failed(why: &str) -> NetError {
    NetError::Torch(why.to_owned())
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Weight(_) => "weight",
        Role::Bias => "bias",
        Role::Scale => "scale",
        Role::Mean => "mean",
        Role::Variance => "variance",
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
