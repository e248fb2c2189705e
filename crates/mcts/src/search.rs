//! Simulations until a limit is reached, with one or more threads.
//!
//! A thread selects leaves until it has a batch, evaluates them together and expands them. With several threads the tree is behind a
//! lock that is held for selection and expansion only: playing out the path, generating actions and evaluating, where the time goes,
//! are done without it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::Color;
use tabia_core::{Bound, Game, Limits, Score, SearchInfo, Stop, Turn};

use crate::leaf::Leaf;
use crate::policy_value::{Evaluation, PolicyValue};
use crate::tree::{Selection, Tree};

/// Assumed moves to the next time control if unknown.
const DEFAULT_MOVES_TO_GO: u32 = 30;
/// Share of the increment used per move.
const INCREMENT_SHARE: f64 = 0.75;
/// Largest share of the clock used for one move.
const MAX_CLOCK_SHARE: f64 = 0.4;
/// Reserve for communication overhead.
const OVERHEAD: Duration = Duration::from_millis(10);
/// Conversion of a value to centipawns by a tangent, as Leela does: 0.5 is about a pawn, 0.95 about five pieces.
const CENTIPAWN_SCALE: f64 = 112.0;
const CENTIPAWN_STEEPNESS: f64 = 1.56;

/// Why a search ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The number of simulations was reached.
    Simulations,
    /// The time limit was reached.
    TimeLimit,
    /// The stop flag was raised.
    Stopped,
    /// The root's value is proven.
    Proven,
    /// The tree's memory limit was reached.
    Full,
    /// The evaluator failed: [`PolicyValue::failure`] says why. The tree is worth nothing.
    Failed,
}

/// Searches until a limit is reached: simulations, those already in the tree included, or time. Depth, mate and search moves are
/// not limits here. At least one simulation is made whatever the limits are, so that there is an action to choose.
///
/// ```
/// # use tabia_core::{ChessGame, Game, Limits, Stop};
/// # use tabia_mcts::{Evaluation, PolicyValue};
/// # struct Uniform;
/// # impl PolicyValue<ChessGame> for Uniform {
/// #     fn infer(
/// #         &self,
/// #         leaves: &[ChessGame],
/// #         _: &[Vec<shakmaty::Move>],
/// #         out: &mut Vec<Evaluation>,
/// #     ) {
/// #         out.clear();
/// #         out.resize(leaves.len(), Evaluation::default());
/// #     }
/// # }
///
/// use tabia_mcts::{Settings, StopReason, Tree, search};
///
/// let mut tree = Tree::new(ChessGame::default(), Settings::default());
/// let limits = Limits::nodes(50);
/// let reason = search(&mut tree, &Uniform, 1, 1, &limits, &Stop::new(), &mut |_| {});
/// assert_eq!((reason, tree.visits()), (StopReason::Simulations, 50));
/// ```
pub fn search<G: Game, P: PolicyValue<G> + ?Sized>(
    tree: &mut Tree<G>,
    evaluator: &P,
    threads: usize,
    batch: usize,
    limits: &Limits<G::Action>,
    stop: &Stop,
    report: &mut dyn FnMut(&SearchInfo<G::Action>),
) -> StopReason {
    let started = Instant::now();
    let side = match tree.game().turn() {
        Turn::Player(color) => color,
        Turn::Chance | Turn::Over(_) => return StopReason::Proven,
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
            // If a thread cannot be started, the others search alone.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                work(shared, &root, evaluator, batch, bounds, &mut |_| {});
            });
        }
        work(&shared, &root, evaluator, batch, &bounds, &mut |tree: &Tree<G>| reports.look(tree, report))
    });
    reports.send(lock(&shared).tree, report);
    ended
}

struct Bounds<'a> {
    simulations: u64,
    deadline: Option<Instant>,
    stop: &'a Stop,
}

struct Shared<'a, G: Game> {
    tree: &'a mut Tree<G>,
    /// Selected leaves that are not yet expanded.
    picked: u64,
    ended: Option<StopReason>,
}

fn lock<'a, 'b, G: Game>(shared: &'a Mutex<Shared<'b, G>>) -> MutexGuard<'a, Shared<'b, G>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game> Shared<'_, G> {
    /// Why no further simulation is started.
    fn over(&self, bounds: &Bounds<'_>) -> Option<StopReason> {
        let started = u64::from(self.tree.visits()) + self.picked;
        if self.ended.is_some() {
            self.ended
        } else if started == 0 {
            None
        } else if started >= bounds.simulations {
            Some(StopReason::Simulations)
        } else if bounds.stop.is_stopped() {
            Some(StopReason::Stopped)
        } else if bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(StopReason::TimeLimit)
        } else {
            None
        }
    }
}

fn work<G: Game, P: PolicyValue<G> + ?Sized>(
    shared: &Mutex<Shared<'_, G>>,
    root: &G,
    evaluator: &P,
    batch: usize,
    bounds: &Bounds<'_>,
    after_batch: &mut dyn FnMut(&Tree<G>),
) -> StopReason {
    let mut paths = Vec::new();
    let mut leaves: Vec<Leaf<G>> = Vec::new();
    let mut games: Vec<G> = Vec::new();
    let mut actions: Vec<Vec<G::Action>> = Vec::new();
    let mut evaluations: Vec<Evaluation> = Vec::new();
    loop {
        let mut over = None;
        let mut held = lock(shared);
        while paths.len() < batch.max(1) {
            over = held.over(bounds);
            if over.is_some() {
                break;
            }
            match held.tree.select() {
                Selection::Leaf(path) => {
                    held.picked += 1;
                    paths.push(path);
                }
                Selection::Finished => {}
                Selection::Pending => break,
                Selection::Proven => over = Some(StopReason::Proven),
                Selection::Full => over = Some(StopReason::Full),
            }
            if over.is_some() {
                break;
            }
        }
        if paths.is_empty() {
            if let Some(ended) = over {
                held.ended = held.ended.or(over);
                return held.ended.unwrap_or(ended);
            }
            // The best leaves are being evaluated by other threads.
            drop(held);
            thread::yield_now();
            continue;
        }
        drop(held);
        leaves.extend(paths.drain(..).map(|path| path.follow(root)));
        for leaf in leaves.iter_mut().filter(|leaf| leaf.needs_evaluation()) {
            games.push(leaf.game.clone());
            actions.push(std::mem::take(&mut leaf.actions));
        }
        evaluations.clear();
        if !games.is_empty() {
            evaluator.infer(&games, &actions, &mut evaluations);
        }
        let has_failed = !games.is_empty() && evaluator.failure().is_some();
        games.clear();
        let mut actions = actions.drain(..);
        let mut held = lock(shared);
        if has_failed {
            held.ended = Some(StopReason::Failed);
        }
        let mut evaluations = evaluations.iter();
        for mut leaf in leaves.drain(..) {
            let evaluation = if leaf.needs_evaluation() {
                leaf.actions = actions.next().unwrap_or_default();
                evaluations.next()
            } else {
                None
            };
            held.tree.expand(leaf, evaluation);
            held.picked -= 1;
        }
        after_batch(held.tree);
    }
}

struct Reports {
    started: Instant,
    next: u32,
}

impl Reports {
    /// Reports each time the simulations have doubled.
    fn look<G: Game>(&mut self, tree: &Tree<G>, report: &mut dyn FnMut(&SearchInfo<G::Action>)) {
        const EVERY: u32 = 2;
        const FIRST: u32 = 64;
        if tree.visits() >= self.next.max(FIRST) {
            self.next = tree.visits() * EVERY;
            self.send(tree, report);
        }
    }

    fn send<G: Game>(&self, tree: &Tree<G>, report: &mut dyn FnMut(&SearchInfo<G::Action>)) {
        if tree.visits() > 0 {
            report(&search_info(tree, self.started.elapsed()));
        }
    }
}

/// Search information about the root.
pub fn search_info<G: Game>(tree: &Tree<G>, elapsed: Duration) -> SearchInfo<G::Action> {
    let line = tree.best_line();
    SearchInfo {
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

/// A proven win or loss is reported as mate in the length of its line, which need not be the shortest.
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
fn time_for<M>(limits: &Limits<M>, side: Color) -> Option<Duration> {
    let by_clock = limits.clock.map(|clock| {
        let remaining = clock.remaining(side).saturating_sub(OVERHEAD);
        let parts = clock.moves_to_go.unwrap_or(DEFAULT_MOVES_TO_GO).max(1);
        let wanted = remaining / parts + clock.increment(side).mul_f64(INCREMENT_SHARE);
        wanted.min(remaining.mul_f64(MAX_CLOCK_SHARE))
    });
    match (limits.movetime, by_clock) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
