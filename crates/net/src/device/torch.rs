//! A Python process with PyTorch that answers and learns.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use serde_json::json;
use tabia_core::{Game, seed};
use tabia_mcts::{PolicyValue, Verdict};
use tabia_quantum::{Action, QuantumGame};

use super::frames::{self, Positions};
use super::{Losses, NetError, Seat};
use crate::architecture::{Architecture, Role};
use crate::forward::softmax;
use crate::network::Network;
use crate::opening::after_random_plies;
use crate::optimiser::Optimiser;
use crate::replay::Pick;
use crate::settings::{Knobs, Settings};
use crate::view::{self, Seen};
use crate::weights::Weights;

const SCRIPT: &str = include_str!("torch.py");
/// Positions that are valued on both sides before a training.
const CHECKED: u32 = 64;
/// How much a value and a prior may differ: half precision has three decimals.
const TOLERANCE: f32 = 0.02;

/// Threads of self-play that one process answers.
const THREADS_EACH: usize = 16;
/// Processes at most.
const MOST_PROCESSES: usize = 4;

/// Which PyTorch is wanted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TorchKind {
    /// On a CUDA device.
    Cuda,
    /// On whatever there is.
    Any,
}

/// Python processes: all of them answer, the first one learns. One is kept busy by its own bookkeeping long before a GPU is.
pub struct Torch {
    processes: Vec<Process>,
}

/// One process, and who waits for its answers.
struct Process {
    line: Arc<Line>,
    name: String,
    child: Child,
}

/// What players and the training share.
struct Line {
    to: Mutex<Option<ChildStdin>>,
    waiting: Mutex<HashMap<u32, Sender<Vec<u8>>>>,
    lanes: AtomicU32,
    fault: OnceLock<String>,
}

impl std::fmt::Debug for Torch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Torch({})", self.name())
    }
}

impl Torch {
    /// Starts the processes and waits until they are there.
    pub fn start(
        kind: TorchKind,
        python: &str,
        settings: &Settings,
        threads: usize,
    ) -> Result<Torch, NetError> {
        let slots = settings.network.slots();
        let slots: Vec<_> = slots
            .iter()
            .map(|slot| json!({"name": slot.name, "shape": slot.shape, "role": role(slot.role)}))
            .collect();
        let request = json!({
            "device": match kind { TorchKind::Cuda => "cuda", TorchKind::Any => "torch" },
            "architecture": settings.network,
            "slots": slots,
            "threads": threads,
            "value_weight": settings.learning.value_weight,
        })
        .to_string();
        let count = match kind {
            TorchKind::Cuda => threads.div_ceil(THREADS_EACH).clamp(1, MOST_PROCESSES),
            TorchKind::Any => 1,
        };
        let starting: Vec<_> =
            (0..count).map(|_| Process::spawn(python, &request)).collect::<Result<_, _>>()?;
        let processes = starting
            .into_iter()
            .map(|(process, hello)| process.greet(python, &hello))
            .collect::<Result<_, _>>()?;
        Ok(Torch { processes })
    }

    fn learner(&self) -> &Line {
        &self.processes[0].line
    }

    /// What it is.
    pub fn name(&self) -> &str {
        &self.processes[0].name
    }

    /// Whether the processes are still there.
    pub fn fault(&self) -> Result<(), NetError> {
        self.processes.iter().try_for_each(|process| process.line.check())
    }

    /// A network that plays.
    pub fn player(&self, weights: &Weights, seat: Seat) -> Result<TorchPlayer, NetError> {
        let frame = frames::load(seat as u32, weights);
        self.processes.iter().try_for_each(|process| process.line.tell(&frame))?;
        let lines = self.processes.iter().map(|process| Arc::clone(&process.line)).collect();
        Ok(TorchPlayer { lines, seat: seat as u32, next: AtomicUsize::new(0) })
    }

    /// Compares answers with our own arithmetic's, for a network of this shape that has learned nothing.
    pub fn check(&self, architecture: Architecture) -> Result<(), NetError> {
        let weights = Weights::fresh(architecture, 1);
        let (ours, theirs) = (Network::new(&weights), self.player(&weights, Seat::New)?);
        let mut random = seed::random(1);
        let games: Vec<QuantumGame> = (0..CHECKED)
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
        self.fault()?;
        let apart = |a: &Verdict, b: &Verdict| {
            let priors = a.priors.iter().zip(&b.priors).map(|(a, b)| (a - b).abs());
            priors.fold((a.value - b.value).abs(), f32::max)
        };
        let most = own.iter().zip(&other).map(|(a, b)| apart(a, b)).fold(0.0, f32::max);
        if most <= TOLERANCE {
            return Ok(());
        }
        Err(wrong(&format!("its answers differ from ours by {most}, at most {TOLERANCE} can be rounding")))
    }

    /// Takes what is learned there.
    pub fn begin(&self, optimiser: &Optimiser) -> Result<(), NetError> {
        let Optimiser { weights, averaged, first, second, steps } = optimiser;
        self.learner().tell(&frames::learn(*steps, [weights, averaged, first, second]))
    }

    /// One step; nobody waits for it.
    pub fn step(&self, picks: &[Pick<'_>], knobs: &Knobs, rate: f32) -> Result<(), NetError> {
        let mut positions = Positions::default();
        for pick in picks {
            positions.add_lesson(pick);
        }
        self.learner().tell(&positions.step(knobs, rate))
    }

    /// Brings back what was learned.
    pub fn end(&self, optimiser: &mut Optimiser) -> Result<Losses, NetError> {
        let bytes = self.learner().ask(frames::take)?;
        let Optimiser { weights, averaged, first, second, steps } = optimiser;
        let taken = frames::taken(&bytes, [weights, averaged, first, second]);
        let (done, losses) = taken.ok_or_else(|| wrong("it sent other tensors than it was given"))?;
        *steps = done;
        if weights.slots.iter().flatten().all(|number| number.is_finite()) {
            Ok(losses)
        } else {
            Err(wrong("a weight became infinite; try a smaller rate"))
        }
    }
}

impl Process {
    /// Starts a process; its first answer says what it is.
    fn spawn(python: &str, request: &str) -> Result<(Process, Receiver<Vec<u8>>), NetError> {
        let refused = |why: String| NetError::Device { python: python.to_owned(), why };
        let mut child = Command::new(python)
            .args(["-u", "-c", SCRIPT, request])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| refused(format!("it cannot be started: {error}")))?;
        let (Some(to), Some(from), Some(complaints)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(refused("it has no pipes".to_owned()));
        };
        let line = Arc::new(Line {
            to: Mutex::new(Some(to)),
            waiting: Mutex::default(),
            lanes: AtomicU32::new(1),
            fault: OnceLock::new(),
        });
        let (send, hello) = mpsc::channel();
        lock(&line.waiting).insert(0, send);
        let reading = Arc::clone(&line);
        let listener = thread::spawn(move || last_words(complaints));
        thread::spawn(move || {
            let ended = reading.read(from);
            let said = listener.join().unwrap_or_default();
            let why = said.lines().last().map_or_else(|| ended.to_string(), str::to_owned);
            // Whoever waits is told before the channels close.
            let _ = reading.fault.set(why);
            lock(&reading.waiting).clear();
        });
        Ok((Process { line, name: String::new(), child }, hello))
    }

    /// Waits until it says what it is.
    fn greet(mut self, python: &str, hello: &Receiver<Vec<u8>>) -> Result<Process, NetError> {
        let Ok(name) = hello.recv() else {
            let why = self.line.fault.get().cloned().unwrap_or_default();
            return Err(NetError::Device { python: python.to_owned(), why });
        };
        self.name = String::from_utf8_lossy(&name).into_owned();
        Ok(self)
    }
}

/// The end of what a process complained about, once it has ended.
fn last_words(mut complaints: ChildStderr) -> String {
    const KEPT: usize = 1 << 14;
    let (mut said, mut bytes) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = complaints.read(&mut bytes) {
        said.extend_from_slice(&bytes[..count]);
        said.drain(..said.len().saturating_sub(KEPT));
    }
    String::from_utf8_lossy(&said).trim().to_owned()
}

impl Drop for Process {
    fn drop(&mut self) {
        // Without input it ends by itself.
        drop(lock(&self.line.to).take());
        let _ = self.child.wait();
    }
}

impl Line {
    /// Hands answers to who waits for them, until there are no more; why.
    fn read(&self, from: ChildStdout) -> io::Error {
        let mut from = BufReader::with_capacity(1 << 20, from);
        let mut one = || -> io::Result<()> {
            let mut head = [0; 8];
            from.read_exact(&mut head)?;
            let [lane, bytes] =
                [0, 4].map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
            let mut payload = vec![0; bytes as usize];
            from.read_exact(&mut payload)?;
            if let Some(waiting) = lock(&self.waiting).remove(&lane) {
                // One who gave up does not listen.
                let _ = waiting.send(payload);
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
        self.fault.get().map_or(Ok(()), |why| Err(wrong(why)))
    }

    /// Why nothing can be had from it any more.
    fn gone(&self) -> NetError {
        wrong(self.fault.get().map_or("its process has ended", String::as_str))
    }

    fn tell(&self, frame: &[u8]) -> Result<(), NetError> {
        let mut to = lock(&self.to);
        let sent = to.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |to| to.write_all(frame));
        drop(to);
        sent.map_err(|_| self.gone())
    }

    fn ask(&self, question: impl FnOnce(u32) -> Vec<u8>) -> Result<Vec<u8>, NetError> {
        let lane = self.lanes.fetch_add(1, Ordering::Relaxed).max(1);
        let (send, receive) = mpsc::channel();
        lock(&self.waiting).insert(lane, send);
        // After this the reader either sees the lane or has set the fault.
        self.check()?;
        self.tell(&question(lane))?;
        receive.recv().map_err(|_| self.gone())
    }
}

/// A network over there that values leaves. When the process is gone, everything is even and the fault is set: nothing of that may be kept.
pub struct TorchPlayer {
    lines: Vec<Arc<Line>>,
    seat: u32,
    /// Whose turn it is to answer.
    next: AtomicUsize,
}

impl TorchPlayer {
    fn verdicts(
        &self,
        line: &Line,
        leaves: &[QuantumGame],
        actions: &[Vec<Action>],
        out: &mut Vec<Verdict>,
    ) -> Option<()> {
        let mut positions = Positions::default();
        for (game, actions) in leaves.iter().zip(actions) {
            let turn = game.side_to_move();
            let moves = actions.iter().map(|action| view::index(*action, turn) as u16);
            positions.add(&Seen::new(game), false, moves);
        }
        let bytes = line.ask(|lane| positions.question(lane, self.seat)).ok()?;
        let rows = positions.rows();
        let mut numbers = frames::numbers(&bytes);
        let values: Vec<f32> = numbers.by_ref().take(rows).collect();
        for (value, moves) in values.iter().zip(positions.move_counts()) {
            let mut priors: Vec<f32> = numbers.by_ref().take(usize::from(*moves)).collect();
            softmax(&mut priors);
            out.push(Verdict { value: *value, priors });
        }
        (out.len() == leaves.len()).then_some(())
    }
}

impl PolicyValue<QuantumGame> for TorchPlayer {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Verdict>) {
        out.clear();
        if leaves.is_empty() {
            return;
        }
        let line = &self.lines[self.next.fetch_add(1, Ordering::Relaxed) % self.lines.len()];
        if self.verdicts(line, leaves, actions, out).is_none() {
            let _ = line.fault.set("it sent fewer answers than there were questions".to_owned());
            out.clear();
            out.extend(
                actions.iter().map(|actions| Verdict { value: 0.0, priors: vec![1.0; actions.len()] }),
            );
        }
    }
}

fn wrong(why: &str) -> NetError {
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
