//! Simulations until a limit is reached, by one thread or many.
//!
//! A thread picks leaves until it has a batch or none is free, values them together, and puts them back. With several threads the tree is
//! behind a lock that is held for picking and putting back alone: going the way through the game, listing actions and valuing, which is where
//! the time goes, are done without it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::Color;
use tabia_core::{Bound, Game, Limits, Score, Stop, Thought, Turn};

use crate::leaf::Leaf;
use crate::policy_value::{PolicyValue, Verdict};
use crate::tree::{Pick, Tree};

/// Of a clock, one part in so many is used for a move when nobody says how many moves are to come.
const MOVES_TO_COME: u32 = 30;
/// Of an increment, so much is used.
const INCREMENT_SHARE: f64 = 0.75;
/// Of a clock, never more than this is used for one move.
const MOST_OF_CLOCK: f64 = 0.4;
/// What is left aside for everything that is not thinking.
const OVERHEAD: Duration = Duration::from_millis(10);
/// A value becomes centipawns as a tangent: 0.5 is about a pawn, 0.95 about five pieces.
const CENTIPAWN_SCALE: f64 = 112.0;
const CENTIPAWN_STEEPNESS: f64 = 1.56;

/// Why a search ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The number of simulations was reached.
    Simulations,
    /// Time was up.
    Time,
    /// Somebody raised the stop flag.
    Stopped,
    /// The root's value is proven.
    Proven,
    /// The tree has no room for another node.
    Full,
}

/// Searches until a limit is reached: simulations, those already in the tree included, or time. Depth, mate and search moves are
/// not limits here. At least one simulation is made whatever the limits are, so that there is an action to choose.
pub fn search<G: Game, P: PolicyValue<G> + ?Sized>(
    tree: &mut Tree<G>,
    evaluator: &P,
    threads: usize,
    batch: usize,
    limits: &Limits,
    stop: &Stop,
    report: &mut dyn FnMut(&Thought<G::Action>),
) -> Ended {
    let started = Instant::now();
    let side = match tree.game().turn() {
        Turn::Player(color) => color,
        Turn::Chance | Turn::Over(_) => return Ended::Proven,
    };
    let bounds = Bounds {
        simulations: limits.nodes.unwrap_or(u64::MAX),
        deadline: time_for(limits, side).map(|time| started + time),
        stop,
    };
    let mut reports = Reports { started, next: 1 };
    let roots: Vec<G> = (1..threads).map(|_| tree.game().clone()).collect();
    let root = tree.game().clone();
    let shared = Mutex::new(Shared { tree, picked: 0, ended: None });
    let ended = thread::scope(|scope| {
        for root in roots {
            let (shared, bounds) = (&shared, &bounds);
            // A thread that cannot be had is done without.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                work(shared, &root, evaluator, batch, bounds, &mut |_| {});
            });
        }
        work(&shared, &root, evaluator, batch, &bounds, &mut |tree: &Tree<G>| reports.look(tree, report))
    });
    reports.send(lock(&shared).tree, report);
    ended
}

/// When to end.
struct Bounds<'a> {
    simulations: u64,
    deadline: Option<Instant>,
    stop: &'a Stop,
}

/// What threads share.
struct Shared<'a, G: Game> {
    tree: &'a mut Tree<G>,
    /// Simulations begun and not yet in the tree.
    picked: u64,
    ended: Option<Ended>,
}

fn lock<'a, 'b, G: Game>(shared: &'a Mutex<Shared<'b, G>>) -> MutexGuard<'a, Shared<'b, G>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game> Shared<'_, G> {
    /// Why to begin no other simulation.
    fn over(&self, bounds: &Bounds<'_>) -> Option<Ended> {
        let begun = u64::from(self.tree.visits()) + self.picked;
        if self.ended.is_some() {
            self.ended
        } else if begun == 0 {
            None
        } else if begun >= bounds.simulations {
            Some(Ended::Simulations)
        } else if bounds.stop.is_stopped() {
            Some(Ended::Stopped)
        } else if bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Ended::Time)
        } else {
            None
        }
    }
}

/// One thread's work.
fn work<G: Game, P: PolicyValue<G> + ?Sized>(
    shared: &Mutex<Shared<'_, G>>,
    root: &G,
    evaluator: &P,
    batch: usize,
    bounds: &Bounds<'_>,
    after_batch: &mut dyn FnMut(&Tree<G>),
) -> Ended {
    let mut ways = Vec::new();
    let mut leaves: Vec<Leaf<G>> = Vec::new();
    let mut games: Vec<G> = Vec::new();
    let mut actions: Vec<Vec<G::Action>> = Vec::new();
    let mut verdicts: Vec<Verdict> = Vec::new();
    loop {
        let mut over = None;
        let mut held = lock(shared);
        while ways.len() < batch.max(1) {
            over = held.over(bounds);
            if over.is_some() {
                break;
            }
            match held.tree.pick() {
                Pick::Way(way) => {
                    held.picked += 1;
                    ways.push(way);
                }
                Pick::Counted => {}
                Pick::Busy => break,
                Pick::Proven => over = Some(Ended::Proven),
                Pick::Full => over = Some(Ended::Full),
            }
            if over.is_some() {
                break;
            }
        }
        if ways.is_empty() {
            if let Some(ended) = over {
                held.ended = held.ended.or(over);
                return held.ended.unwrap_or(ended);
            }
            // All leaves worth looking at are being valued by other threads.
            drop(held);
            thread::yield_now();
            continue;
        }
        drop(held);
        leaves.extend(ways.drain(..).map(|way| way.follow(root)));
        for leaf in leaves.iter_mut().filter(|leaf| leaf.needs_verdict()) {
            games.push(leaf.game.clone());
            actions.push(std::mem::take(&mut leaf.actions));
        }
        verdicts.clear();
        if !games.is_empty() {
            evaluator.infer(&games, &actions, &mut verdicts);
        }
        games.clear();
        let mut actions = actions.drain(..);
        let mut held = lock(shared);
        let mut verdicts = verdicts.iter();
        for mut leaf in leaves.drain(..) {
            let verdict = if leaf.needs_verdict() {
                leaf.actions = actions.next().unwrap_or_default();
                verdicts.next()
            } else {
                None
            };
            held.tree.put(leaf, verdict);
            held.picked -= 1;
        }
        after_batch(held.tree);
    }
}

/// When to say what has been found.
struct Reports {
    started: Instant,
    next: u32,
}

impl Reports {
    /// Reports each time the simulations have doubled.
    fn look<G: Game>(&mut self, tree: &Tree<G>, report: &mut dyn FnMut(&Thought<G::Action>)) {
        const EVERY: u32 = 2;
        const FIRST: u32 = 64;
        if tree.visits() >= self.next.max(FIRST) {
            self.next = tree.visits() * EVERY;
            self.send(tree, report);
        }
    }

    fn send<G: Game>(&self, tree: &Tree<G>, report: &mut dyn FnMut(&Thought<G::Action>)) {
        if tree.visits() > 0 {
            report(&thought(tree, self.started.elapsed()));
        }
    }
}

/// What a tree says of its root.
pub fn thought<G: Game>(tree: &Tree<G>, elapsed: Duration) -> Thought<G::Action> {
    let line = tree.best_line();
    Thought {
        depth: line.len() as u32,
        selective_depth: tree.deepest(),
        rank: 1,
        score: score(tree, line.len()),
        bound: Bound::Exact,
        wdl: None,
        nodes: u64::from(tree.visits()),
        table_hits: 0,
        hash_full: tree.fullness(),
        elapsed,
        line,
    }
}

/// A proven win or loss counts as a mate as long as the line that was found for it; it may be shorter.
fn score<G: Game>(tree: &Tree<G>, plies: usize) -> Score {
    let (low, high) = tree.bounds();
    let plies = u16::try_from(plies).unwrap_or(u16::MAX).min(1000);
    if tree.is_proven() && low > 1.0 - 1e-9 {
        return Score::mate_in_plies(plies);
    }
    if tree.is_proven() && high < -1.0 + 1e-9 {
        return Score::mated_in_plies(plies);
    }
    Score::cp((CENTIPAWN_SCALE * (CENTIPAWN_STEEPNESS * tree.value()).tan()) as i32)
}

/// The time that limits leave for one move.
fn time_for(limits: &Limits, side: Color) -> Option<Duration> {
    let by_clock = limits.clock.map(|clock| {
        let remaining = clock.remaining(side).saturating_sub(OVERHEAD);
        let parts = clock.moves_to_go.unwrap_or(MOVES_TO_COME).max(1);
        let wanted = remaining / parts + clock.increment(side).mul_f64(INCREMENT_SHARE);
        wanted.min(remaining.mul_f64(MOST_OF_CLOCK))
    });
    match (limits.movetime, by_clock) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
