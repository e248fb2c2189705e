//! Quantum chess: one game, and many games that are stepped together.

use std::str::FromStr;
use std::time::Duration;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use shakmaty::{Color, Square};
use tabia_core::seed::{self, Random};
use tabia_core::{Game, Limits, Outcome, Stop, Turn};
use tabia_quantum::planes::SIZE;
use tabia_quantum::{ACTIONS, Action, DEFAULT_PLY_LIMIT, Marginals, Move, agents, marginals};

use crate::arrays::fill;
use crate::work::{failed, interruptible, refused};

const SQUARES: usize = 64;
const PIECES: usize = marginals::PIECES;

fn start(position: Option<&str>, ply_limit: Option<u32>) -> PyResult<tabia_quantum::QuantumGame> {
    let game = match position {
        None => tabia_quantum::QuantumGame::default(),
        Some(text) => tabia_quantum::QuantumGame::from_str(text).map_err(refused)?,
    };
    Ok(game.with_ply_limit(ply_limit.unwrap_or(DEFAULT_PLY_LIMIT)))
}

/// The move of an action's number, if it is one and legal here.
fn legal(game: &tabia_quantum::QuantumGame, action: i64) -> Result<Move, String> {
    if let Some(outcome) = game.outcome() {
        return Err(format!("the game is over: {outcome}"));
    }
    let m = usize::try_from(action).ok().and_then(Move::from_index);
    let m =
        m.ok_or_else(|| format!("{action} is the number of no move; they lie from 0 to below {ACTIONS}"))?;
    match game.why_illegal(m) {
        None => Ok(m),
        Some(why) => Err(format!("action {action} is {m}, which is not legal: {why}")),
    }
}

fn mask(game: &tabia_quantum::QuantumGame, actions: &mut Vec<Action>, out: &mut [i8]) {
    out.fill(0);
    game.actions(actions);
    for action in actions.iter() {
        if let Action::Move(m) = action {
            out[m.index()] = 1;
        }
    }
}

/// 1, 0 or -1 in White's view.
fn white_result(outcome: Outcome) -> i8 {
    outcome.winner.map_or(0, |winner| winner.fold_wb(1, -1))
}

/// One game of quantum chess, with the random numbers that its measurements are drawn from.
#[pyclass(module = "tabia._native")]
pub struct QuantumGame {
    game: tabia_quantum::QuantumGame,
    random: Random,
    record: Vec<String>,
}

#[pymethods]
impl QuantumGame {
    #[new]
    #[pyo3(signature = (position=None, seed=0, ply_limit=None))]
    fn new(position: Option<&str>, seed: u64, ply_limit: Option<u32>) -> PyResult<QuantumGame> {
        Ok(QuantumGame { game: start(position, ply_limit)?, random: seed::random(seed), record: Vec::new() })
    }

    /// Plays a move, written or numbered, and draws what has to be measured; the ply as a record writes it.
    fn push(&mut self, text: &str) -> PyResult<String> {
        let m = self.game.read_move(text.trim()).map_err(refused)?;
        self.play(m)
    }

    /// The same for the number of a move.
    fn push_action(&mut self, action: i64) -> PyResult<String> {
        let m = legal(&self.game, action).map_err(refused)?;
        self.play(m)
    }

    /// Makes the move of a number and draws nothing: what has to be measured is left to [`QuantumGame::answer`].
    fn begin_action(&mut self, action: i64) -> PyResult<()> {
        if self.game.measurement().is_some() {
            return Err(refused("something is being measured: nobody can move before it is known"));
        }
        let m = legal(&self.game, action).map_err(refused)?;
        self.record.push(self.game.write_move(m));
        self.game.apply(Action::Move(m));
        Ok(())
    }

    /// How likely the answer to what is being measured is yes; none where nothing is.
    #[getter]
    fn chance(&self) -> Option<f64> {
        self.game.measurement().map(|measurement| measurement.probability(true))
    }

    /// Answers what is being measured.
    fn answer(&mut self, yes: bool) -> PyResult<()> {
        let measurement = self.game.measurement().ok_or_else(|| refused("nothing is being measured"))?;
        self.game.apply(measurement.answer(yes));
        if let Some(ply) = self.record.last_mut() {
            ply.push(if yes { '+' } else { '-' });
        }
        Ok(())
    }

    /// Plays a ply with its measurements as they are written.
    fn replay(&mut self, text: &str) -> PyResult<()> {
        self.game.play_text(text).map_err(refused)?;
        self.record.push(text.trim().to_owned());
        Ok(())
    }

    /// The legal moves as text.
    fn moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|m| self.game.write_move(m)).collect()
    }

    /// The numbers of the legal moves.
    fn actions(&self) -> Vec<usize> {
        self.legal().into_iter().map(Move::index).collect()
    }

    /// The number of a move.
    #[staticmethod]
    fn action_of(text: &str) -> PyResult<usize> {
        text.parse::<Move>().map(Move::index).map_err(refused)
    }

    /// The move of a number, as text.
    #[staticmethod]
    fn action_text(action: i64) -> PyResult<String> {
        let m = usize::try_from(action).ok().and_then(Move::from_index);
        m.map(|m| m.to_string()).ok_or_else(|| {
            refused(format_args!("{action} is the number of no move; they lie from 0 to below {ACTIONS}"))
        })
    }

    /// Writes the planes that a network sees into an array of 28×8×8 32-bit floats.
    fn planes(&self, py: Python<'_>, out: PyBuffer<f32>) -> PyResult<()> {
        let mut planes = [0.0; SIZE];
        self.game.planes(&mut planes);
        fill(py, &out, &planes)
    }

    /// Writes 1 for every legal action and 0 for others into an array of 8-bit integers.
    fn mask(&self, py: Python<'_>, out: PyBuffer<i8>) -> PyResult<()> {
        let mut numbers = vec![0; ACTIONS];
        mask(&self.game, &mut Vec::new(), &mut numbers);
        fill(py, &out, &numbers)
    }

    /// Writes how likely each piece stands on each square into an array of 12×8×8, rank 8 first.
    fn probabilities(&self, py: Python<'_>, out: PyBuffer<f64>) -> PyResult<()> {
        let marginals = Marginals::new(&self.game);
        let mut numbers = vec![0.0; PIECES * SQUARES];
        for piece in marginals::pieces() {
            for square in marginals.squares(piece) {
                let at = (7 - square.rank() as usize) * 8 + square.file() as usize;
                numbers[marginals::piece_number(piece) * SQUARES + at] = marginals.probability(piece, square);
            }
        }
        fill(py, &out, &numbers)
    }

    /// The move that an agent chooses, as text.
    #[pyo3(signature = (agent, seconds=None))]
    fn choose(&self, py: Python<'_>, agent: &str, seconds: Option<f64>) -> PyResult<String> {
        let mut agent = agents::catalogue().build_from_text(agent).map_err(refused)?;
        let mut limits = Limits::default();
        if let Some(seconds) = seconds {
            let time = Duration::try_from_secs_f64(seconds)
                .map_err(|_| refused(format_args!("{seconds} is no time to think; give seconds above 0")))?;
            limits.movetime = Some(time);
        }
        let stop = Stop::new();
        let game = &self.game;
        let chosen =
            interruptible(py, &stop, || agent.choose(game, &limits, &stop, &mut |_| {}).map_err(failed))?;
        match chosen {
            Action::Move(m) => Ok(self.game.write_move(m)),
            other => Err(failed(format_args!("the agent chose {other:?}, which is no move"))),
        }
    }

    /// Who is to move, or moved last where the game is over.
    #[getter]
    fn white_to_move(&self) -> bool {
        self.game.side_to_move() == Color::White
    }

    /// 1, 0 or -1 in White's view where the game is over.
    #[getter]
    fn result(&self) -> Option<i8> {
        self.game.outcome().map(white_result)
    }

    /// Why the game is over, if it is.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.game.outcome().map(|outcome| outcome.reason.to_string())
    }

    #[getter]
    fn ply(&self) -> u32 {
        self.game.ply()
    }

    #[getter]
    fn branches(&self) -> usize {
        self.game.branches().len()
    }

    /// The state as text.
    #[getter]
    fn position(&self) -> String {
        self.game.to_string()
    }

    /// The plies played here.
    #[getter]
    fn record(&self) -> Vec<String> {
        self.record.clone()
    }

    /// The board of the likeliest pieces with the chance that a square is occupied, as SVG.
    fn svg(&self, title: &str) -> String {
        let marginals = Marginals::new(&self.game);
        let mut board = shakmaty::Board::empty();
        let mut values = [[0.0; 8]; 8];
        for square in Square::ALL {
            let found = marginals.on(square);
            if let Some((piece, _)) = found.first() {
                board.set_piece_at(square, *piece);
            }
            let sum: f64 = found.iter().map(|(_, probability)| 100.0 * probability).sum();
            values[7 - square.rank() as usize][square.file() as usize] = sum;
        }
        let field = tabia_eval::Field {
            name: "occupied".to_owned(),
            unit: "chance that it is occupied, %".to_owned(),
            values,
        };
        let subtitle = self.game.to_string();
        let drawing = tabia_draw::Drawing {
            title,
            note: "",
            subtitle: &subtitle,
            board: &board,
            turn: self.game.side_to_move(),
            fields: &[&field],
            figures: false,
        };
        drawing.svg()
    }

    fn __copy__(&self) -> QuantumGame {
        QuantumGame { game: self.game.clone(), random: self.random.clone(), record: self.record.clone() }
    }
}

impl QuantumGame {
    fn legal(&self) -> Vec<Move> {
        let mut actions = Vec::new();
        self.game.actions(&mut actions);
        let moves = actions.into_iter().filter_map(|action| match action {
            Action::Move(m) => Some(m),
            _ => None,
        });
        moves.collect()
    }

    fn play(&mut self, m: Move) -> PyResult<String> {
        let played = self.game.play(m, &mut self.random).map_err(refused)?;
        self.record.push(played.text.clone());
        Ok(played.text)
    }
}

/// A game of a batch.
struct Slot {
    game: tabia_quantum::QuantumGame,
    random: Random,
}

/// What a step of one game came to.
#[derive(Copy, Clone, Default)]
struct Stepped {
    /// For the player who moved.
    reward: f32,
    done: bool,
    /// White's view.
    result: i8,
}

/// Many games that are stepped together. A game that ends is begun anew in the same step.
#[pyclass(module = "tabia._native")]
pub struct QuantumBatch {
    slots: Vec<Slot>,
    planes: Vec<f32>,
    masks: Vec<i8>,
    stepped: Vec<Stepped>,
    seed: u64,
    ply_limit: u32,
    threads: usize,
}

#[pymethods]
impl QuantumBatch {
    #[new]
    #[pyo3(signature = (games, seed=0, ply_limit=None, threads=None))]
    fn new(
        games: usize,
        seed: u64,
        ply_limit: Option<u32>,
        threads: Option<usize>,
    ) -> PyResult<QuantumBatch> {
        const MAX: usize = 1 << 20;
        if !(1..=MAX).contains(&games) {
            return Err(refused(format_args!("{games} games; a batch has 1 to {MAX}")));
        }
        let mut batch = QuantumBatch {
            slots: Vec::with_capacity(games),
            planes: vec![0.0; games * SIZE],
            masks: vec![0; games * ACTIONS],
            stepped: vec![Stepped::default(); games],
            seed,
            ply_limit: ply_limit.unwrap_or(DEFAULT_PLY_LIMIT),
            threads: crate::work::threads(threads)?,
        };
        batch.restart(games);
        batch.observe();
        Ok(batch)
    }

    /// Begins all games anew.
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) {
        self.seed = seed.unwrap_or(self.seed);
        let games = self.slots.len();
        py.detach(|| {
            self.restart(games);
            self.observe();
        });
    }

    /// Plays one action in every game. Nothing is played where one of them is not legal.
    fn step(&mut self, py: Python<'_>, actions: PyBuffer<i64>) -> PyResult<()> {
        if actions.item_count() != self.slots.len() {
            return Err(refused(format_args!(
                "{} actions for {} games; give one a game",
                actions.item_count(),
                self.slots.len()
            )));
        }
        let actions = actions.to_vec(py)?;
        py.detach(|| self.advance(&actions)).map_err(refused)
    }

    /// Writes planes and masks into arrays.
    fn observation(&self, py: Python<'_>, planes: PyBuffer<f32>, masks: PyBuffer<i8>) -> PyResult<()> {
        fill(py, &planes, &self.planes)?;
        fill(py, &masks, &self.masks)
    }

    /// Writes what the last step came to into arrays: rewards of those who moved, whether the game ended, and its result
    /// in White's view.
    fn outcome(
        &self,
        py: Python<'_>,
        rewards: PyBuffer<f32>,
        done: PyBuffer<i8>,
        results: PyBuffer<i8>,
    ) -> PyResult<()> {
        let column = |of: fn(&Stepped) -> i8| self.stepped.iter().map(of).collect::<Vec<i8>>();
        fill(py, &rewards, &self.stepped.iter().map(|stepped| stepped.reward).collect::<Vec<f32>>())?;
        fill(py, &done, &column(|stepped| i8::from(stepped.done)))?;
        fill(py, &results, &column(|stepped| stepped.result))
    }

    /// Writes 1 where White is to move, 0 where Black is.
    fn white_to_move(&self, py: Python<'_>, out: PyBuffer<i8>) -> PyResult<()> {
        let turns = self.slots.iter().map(|slot| i8::from(slot.game.side_to_move() == Color::White));
        fill(py, &out, &turns.collect::<Vec<i8>>())
    }

    /// The state of a game as text.
    fn position(&self, index: usize) -> PyResult<String> {
        let slot = self.slots.get(index).ok_or_else(|| {
            refused(format_args!(
                "there is no game {index}; they are numbered from 0 to below {}",
                self.slots.len()
            ))
        })?;
        Ok(slot.game.to_string())
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }
}

impl QuantumBatch {
    fn restart(&mut self, games: usize) {
        let (seed, ply_limit) = (self.seed, self.ply_limit);
        self.slots = (0..games)
            .map(|index| Slot {
                game: tabia_quantum::QuantumGame::default().with_ply_limit(ply_limit),
                random: seed::random(seed::derive(seed, index as u64)),
            })
            .collect();
        self.stepped.fill(Stepped::default());
    }

    /// Plays the actions on several threads, and observes what came of them.
    fn advance(&mut self, actions: &[i64]) -> Result<(), String> {
        let mut moves = Vec::with_capacity(actions.len());
        for (index, (slot, action)) in self.slots.iter().zip(actions).enumerate() {
            let m = legal(&slot.game, *action).map_err(|why| format!("game {index}: {why}"))?;
            moves.push(Some(m));
        }
        self.in_parallel(&moves);
        Ok(())
    }

    fn observe(&mut self) {
        self.in_parallel(&vec![None; self.slots.len()]);
    }

    /// Plays a move in every game that has one, and writes what is seen then.
    fn in_parallel(&mut self, moves: &[Option<Move>]) {
        let part = self.slots.len().div_ceil(self.threads);
        let ply_limit = self.ply_limit;
        let parts = self.slots.chunks_mut(part).zip(moves.chunks(part));
        let seen = self.planes.chunks_mut(part * SIZE).zip(self.masks.chunks_mut(part * ACTIONS));
        let parts = parts.zip(seen).zip(self.stepped.chunks_mut(part));
        std::thread::scope(|scope| {
            for (((slots, moves), (planes, masks)), stepped) in parts {
                scope.spawn(move || {
                    let mut actions = Vec::new();
                    let slots = slots.iter_mut().zip(moves).zip(stepped);
                    let seen = planes.as_chunks_mut::<SIZE>().0.iter_mut().zip(masks.chunks_mut(ACTIONS));
                    for (((slot, m), stepped), (planes, legal)) in slots.zip(seen) {
                        if let Some(m) = m {
                            *stepped = slot.step(*m, ply_limit);
                        }
                        slot.game.planes(planes);
                        mask(&slot.game, &mut actions, legal);
                    }
                });
            }
        });
    }
}

impl Slot {
    /// Plays a legal move and draws what is measured; begins anew where the game ends.
    fn step(&mut self, m: Move, ply_limit: u32) -> Stepped {
        let mover = self.game.side_to_move();
        self.game.apply(Action::Move(m));
        while let Some(answer) = self.game.measure(&mut self.random) {
            self.game.apply(answer);
        }
        let Turn::Over(outcome) = self.game.turn() else { return Stepped::default() };
        let result = white_result(outcome);
        self.game = tabia_quantum::QuantumGame::default().with_ply_limit(ply_limit);
        Stepped { reward: f32::from(mover.fold_wb(result, -result)), done: true, result }
    }
}
