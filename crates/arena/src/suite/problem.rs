//! One test position and its solution by an agent.

use std::time::Instant;

use shakmaty::{Move, Position};
use tabia_core::{Agent, AgentError, ChessGame, Game, Limits, Score, SearchInfo, Stop};

/// A position with a known answer.
#[derive(Clone, Debug)]
pub struct Problem {
    pub id: String,
    /// The position in which the agent moves first.
    pub game: ChessGame,
    pub task: Task,
}

/// What solves a problem.
#[derive(Clone, Debug)]
pub enum Task {
    /// A move that is among the best, if there are any, and not among those to avoid.
    Moves {
        /// Right moves; none says nothing.
        best: Vec<Move>,
        avoid: Vec<Move>,
        /// Points for moves; none counts a solution as one point.
        points: Vec<(Move, u32)>,
    },
    /// A mate in this number of moves, negative when the side to move is mated.
    Mate {
        /// The distance in full moves, never 0.
        moves: i32,
        /// Moves that are right whatever is announced.
        best: Vec<Move>,
    },
    /// A line: the agent's moves and the replies between them.
    Line {
        /// The moves, the agent's first.
        moves: Vec<Move>,
        /// How hard it is, on the scale of players' ratings.
        rating: Option<u32>,
    },
}

/// The result of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Moves of the agent: one, or those of a line up to the first wrong one.
    pub played: Vec<Move>,
    pub solved: bool,
    pub score: u32,
    /// Its last score, from its own side.
    pub announced: Option<Score>,
    /// Nodes it reported, over all its moves.
    pub nodes: u64,
    pub ms: u64,
}

impl Problem {
    /// The right moves, for people to compare with; of a line, the agent's own.
    pub fn best(&self) -> Vec<Move> {
        match &self.task {
            Task::Moves { best, points, .. } if best.is_empty() => {
                let most = points.iter().map(|(_, points)| *points).max();
                points.iter().filter(|(_, points)| Some(*points) == most).map(|(m, _)| *m).collect()
            }
            Task::Moves { best, .. } | Task::Mate { best, .. } => best.clone(),
            Task::Line { moves, .. } => moves.iter().step_by(2).copied().collect(),
        }
    }

    /// The most points it can give.
    pub fn max_score(&self) -> u32 {
        match &self.task {
            Task::Moves { points, .. } => points.iter().map(|(_, points)| *points).max().unwrap_or(1),
            Task::Mate { .. } | Task::Line { .. } => 1,
        }
    }

    /// The rating of a puzzle.
    pub fn rating(&self) -> Option<u32> {
        match self.task {
            Task::Line { rating, .. } => rating,
            _ => None,
        }
    }

    /// Lets an agent solve it, after `new_game`.
    pub fn solve(
        &self,
        agent: &mut dyn Agent<ChessGame>,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Solution, AgentError> {
        agent.new_game();
        let mut solution =
            Solution { played: Vec::new(), solved: false, score: 0, announced: None, nodes: 0, ms: 0 };
        let started = Instant::now();
        match &self.task {
            Task::Line { moves, .. } => self.follow(moves, agent, limits, stop, &mut solution)?,
            Task::Moves { best, avoid, points } => {
                let m = ask(&self.game, agent, limits, stop, &mut solution)?;
                let worth =
                    |m: Move| points.iter().find(|(other, _)| *other == m).map_or(0, |(_, points)| *points);
                solution.solved = match (best.is_empty(), points.is_empty()) {
                    (false, _) => best.contains(&m) && !avoid.contains(&m),
                    (true, false) => worth(m) == self.max_score(),
                    (true, true) => !avoid.contains(&m),
                };
                solution.score = if points.is_empty() { u32::from(solution.solved) } else { worth(m) };
            }
            Task::Mate { moves, best } => {
                let m = ask(&self.game, agent, limits, stop, &mut solution)?;
                let found = solution.announced.and_then(Score::moves_to_mate);
                solution.solved = best.contains(&m)
                    || found.is_some_and(|found| {
                        found != 0 && found.signum() == moves.signum() && found.abs() <= moves.abs()
                    });
                solution.score = u32::from(solution.solved);
            }
        }
        solution.ms = started.elapsed().as_millis() as u64;
        Ok(solution)
    }

    /// Plays a line through: every own move must be right, or mate.
    fn follow(
        &self,
        moves: &[Move],
        agent: &mut dyn Agent<ChessGame>,
        limits: &Limits,
        stop: &Stop,
        solution: &mut Solution,
    ) -> Result<(), AgentError> {
        let mates = ends_in_mate(&self.game, moves);
        let mut game = self.game.clone();
        for pair in moves.chunks(2) {
            let left = moves.len() / 2 + 1 - solution.played.len();
            let m = ask(&game, agent, limits, stop, solution)?;
            let mut after = game.position().clone();
            after.play_unchecked(m);
            let announced = solution.announced.and_then(Score::moves_to_mate);
            let other_mate = mates && announced.is_some_and(|found| found > 0 && found as usize <= left);
            if after.is_checkmate() || (m != pair[0] && other_mate) {
                break;
            }
            if m != pair[0] {
                return Ok(());
            }
            for m in pair {
                game.apply(*m);
            }
        }
        solution.solved = true;
        solution.score = 1;
        Ok(())
    }
}

fn ends_in_mate(game: &ChessGame, moves: &[Move]) -> bool {
    let mut position = game.position().clone();
    for m in moves {
        position.play_unchecked(*m);
    }
    position.is_checkmate()
}

/// One move of the agent, with the last line it reported.
fn ask(
    game: &ChessGame,
    agent: &mut dyn Agent<ChessGame>,
    limits: &Limits,
    stop: &Stop,
    solution: &mut Solution,
) -> Result<Move, AgentError> {
    let mut last: Option<SearchInfo<Move>> = None;
    let m = agent.choose(game, limits, stop, &mut |info| {
        if info.rank <= 1 {
            last = Some(info.clone());
        }
    })?;
    solution.nodes += last.as_ref().map_or(0, |info| info.nodes);
    // A value is of its line: it says nothing of a move found after it.
    solution.announced =
        last.filter(|info| info.line.first().is_none_or(|first| *first == m)).map(|info| info.score);
    solution.played.push(m);
    Ok(m)
}
