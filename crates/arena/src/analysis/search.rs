//! The searches of an analysis.

use shakmaty::{Chess, Move};
use tabia_book::Names;
use tabia_core::{Agent, AgentError, Bound, ChessGame, Game, Limits, Score, SearchInfo, Stop};

use super::{GameAnalysis, MoveAnalysis};
use tabia_games::record::{GameRecord, RecordError};

/// Why a game could not be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("half-move {ply}: {error}")]
    Agent {
        /// Number of plies before the position.
        ply: usize,
        error: AgentError,
    },
}

/// The result of a search; the score is from the side to move.
struct PositionResult {
    score: Score,
    line: Vec<Move>,
    depth: u32,
    nodes: u64,
}

/// Progress of the searches.
pub(super) enum SearchProgress<'a> {
    /// A position has been searched.
    Position {
        /// Number of searched positions.
        done: usize,
        /// Total number of positions.
        of: usize,
    },
    /// A move has been judged.
    Move {
        /// The game before it.
        game: &'a ChessGame,
        /// Its analysis.
        judged: &'a MoveAnalysis,
        /// The best line after it.
        reply: &'a [Move],
    },
}

/// Analyses a game. `progress` receives the number of searched positions and the total after each one. When `stop` is
/// raised, the result is what was done so far.
pub fn analyse(
    record: &GameRecord,
    agent: &mut dyn Agent<ChessGame>,
    limits: &Limits,
    stop: &Stop,
    mut progress: impl FnMut(usize, usize),
) -> Result<GameAnalysis, AnalysisError> {
    analyse_with_observer(record, agent, limits, stop, |told| {
        if let SearchProgress::Position { done, of } = told {
            progress(done, of);
        }
    })
}

/// As [`analyse`]; `observer` also sees each move as soon as it is judged.
pub(super) fn analyse_with_observer(
    record: &GameRecord,
    agent: &mut dyn Agent<ChessGame>,
    limits: &Limits,
    stop: &Stop,
    mut observer: impl FnMut(SearchProgress<'_>),
) -> Result<GameAnalysis, AnalysisError> {
    let moves = record.moves()?;
    let mut game = record.opening_position()?;
    let mut positions: Vec<Chess> = vec![game.position().clone()];
    let mut analysis = GameAnalysis::default();
    // The game before the last move, and what was seen there.
    let mut before: Option<(ChessGame, PositionResult)> = None;
    agent.new_game();
    for ply in 0..=moves.len() {
        let seen = look(&game, agent, limits, stop).map_err(|error| AnalysisError::Agent { ply, error })?;
        if stop.is_stopped() {
            analysis.interrupted = true;
            break;
        }
        observer(SearchProgress::Position { done: ply + 1, of: moves.len() + 1 });
        if let (Some((earlier, best)), Some(index)) = (before.take(), ply.checked_sub(1)) {
            let judged = MoveAnalysis {
                played: moves[index],
                mover: earlier.side_to_move(),
                before: best.score,
                after: seen_by_mover(seen.score),
                line: best.line,
                depth: best.depth,
                nodes: best.nodes,
            };
            observer(SearchProgress::Move { game: &earlier, judged: &judged, reply: &seen.line });
            analysis.moves.push(judged);
        }
        if let Some(m) = moves.get(ply) {
            before = Some((game.clone(), seen));
            game.apply(*m);
            positions.push(game.position().clone());
        }
    }
    analysis.opening = Names::known().last(&positions);
    Ok(analysis)
}

/// A score of the side to move, for the one who has just moved, as it was before that move.
fn seen_by_mover(score: Score) -> Score {
    match score.plies_to_mate() {
        Some(plies) if plies > 0 => Score::mated_in_plies(plies as u16 + 1),
        Some(plies) => Score::mate_in_plies(plies.unsigned_abs() as u16 + 1),
        None => -score,
    }
}

/// Searches a position, unless the game is over there.
fn look(
    game: &ChessGame,
    agent: &mut dyn Agent<ChessGame>,
    limits: &Limits,
    stop: &Stop,
) -> Result<PositionResult, AgentError> {
    if let Some(outcome) = game.outcome() {
        let score = if outcome.winner.is_some() { Score::mated_in_plies(0) } else { Score::DRAW };
        return Ok(PositionResult { score, line: Vec::new(), depth: 0, nodes: 0 });
    }
    let mut exact: Option<SearchInfo<Move>> = None;
    let mut last: Option<SearchInfo<Move>> = None;
    let best = agent.choose(game, limits, stop, &mut |info| {
        if info.rank <= 1 {
            if info.bound == Bound::Exact {
                exact = Some(info.clone());
            }
            last = Some(info.clone());
        }
    })?;
    // A bound is better than nothing.
    let Some(info) = exact.or_else(|| last.clone()) else {
        if !stop.is_stopped() {
            return Err(AgentError::Failed("it does not say what a position is worth; use an agent that searches, such as engine or axon".to_owned()));
        }
        return Ok(PositionResult { score: Score::DRAW, line: vec![best], depth: 0, nodes: 0 });
    };
    let nodes = last.map_or(info.nodes, |last| last.nodes);
    let line = if info.line.first() == Some(&best) { info.line } else { vec![best] };
    Ok(PositionResult { score: info.score, line, depth: info.depth, nodes })
}
