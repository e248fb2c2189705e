//! The searches that proofs need.

use shakmaty::{Chess, Move, Position};
use tabia_core::{Agent, Bound, ChessGame, Limits, Score, Stop};
use tabia_search::engine::mate_search::{MAX_MOVES, MateResult, MateSearch};
use tabia_search::engine::position::Position as EnginePosition;
use tabia_search::engine::tablebases::{TablebaseResult, Tablebases};

/// A proof gets this fraction of a search's nodes.
const PROOF_SHARE: u64 = 10;
/// Nodes of a proof if searches are not limited by nodes.
const PROOF_NODES: u64 = 30_000;

/// What a proof may cost: a share of a search.
pub fn proof_limits(limits: &Limits) -> Limits {
    let nodes = limits.nodes.map_or(PROOF_NODES, |nodes| (nodes / PROOF_SHARE).max(1));
    Limits { nodes: Some(nodes), movetime: limits.movetime, ..Limits::default() }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// Its worth for the side to move.
    pub score: Score,
    /// The best line.
    pub line: Vec<Move>,
}

/// A search for proofs.
pub trait Prover {
    /// The worth of a position; none where the search failed or was stopped.
    fn search(&mut self, position: &Chess) -> Option<Searched>;

    /// The worth of a position when only some moves may be played.
    fn search_among(&mut self, position: &Chess, moves: &[Move]) -> Option<Searched>;

    /// Whether the side to move has a forced mate within this many moves. `None` if that could not be decided.
    fn mates(&mut self, position: &Chess, moves: u32) -> Option<bool>;

    /// Tablebase results of every legal move, for the side that plays it; `None` if the tablebases do not cover the
    /// position.
    fn table_moves(&mut self, _: &Chess) -> Option<Vec<(Move, TablebaseResult)>> {
        None
    }

    /// Tablebase result of a position with a halfmove clock of zero, for the side to move.
    fn table(&mut self, _: &Chess) -> Option<TablebaseResult> {
        None
    }
}

/// A prover that uses any agent that reports scores, and a full-width search for mates.
pub struct AgentProver<'a> {
    agent: &'a mut dyn Agent<ChessGame>,
    limits: Limits,
    stop: &'a Stop,
    /// Nodes for one proof of a mate.
    mate_nodes: u64,
    tables: Option<&'a dyn Tablebases>,
}

impl<'a> AgentProver<'a> {
    /// A prover that searches each question within these limits.
    pub fn new(
        agent: &'a mut dyn Agent<ChessGame>,
        limits: Limits,
        stop: &'a Stop,
        mate_nodes: u64,
    ) -> AgentProver<'a> {
        AgentProver { agent, limits, stop, mate_nodes, tables: None }
    }

    /// With endgame tables, if there are some.
    #[must_use]
    pub fn with_tables(mut self, tables: Option<&'a dyn Tablebases>) -> AgentProver<'a> {
        self.tables = tables;
        self
    }
}

/// Searches a position with an agent, restricted to some moves (all if empty); `None` if it fails.
pub fn ask(
    agent: &mut dyn Agent<ChessGame>,
    position: &Chess,
    moves: &[Move],
    limits: &Limits,
    stop: &Stop,
) -> Option<Searched> {
    let game = ChessGame::from_position(position.clone(), shakmaty::CastlingMode::Standard);
    let limits = Limits { search_moves: moves.to_vec(), ..limits.clone() };
    let (mut exact, mut last) = (None, None);
    let best = agent
        .choose(&game, &limits, stop, &mut |info| {
            if info.rank <= 1 {
                let searched = Searched { score: info.score, line: info.line.clone() };
                if info.bound == Bound::Exact {
                    exact = Some(searched.clone());
                }
                last = Some(searched);
            }
        })
        .ok()?;
    let mut searched = exact.or(last)?;
    if searched.line.first() != Some(&best) {
        searched.line = vec![best];
    }
    Some(searched)
}

impl Prover for AgentProver<'_> {
    fn search(&mut self, position: &Chess) -> Option<Searched> {
        self.search_among(position, &[])
    }

    fn search_among(&mut self, position: &Chess, moves: &[Move]) -> Option<Searched> {
        if position.legal_moves().is_empty() {
            let score = if position.is_check() { Score::mated_in_plies(0) } else { Score::DRAW };
            return Some(Searched { score, line: Vec::new() });
        }
        if position.is_insufficient_material() {
            return Some(Searched { score: Score::DRAW, line: Vec::new() });
        }
        ask(self.agent, position, moves, &self.limits, self.stop)
    }

    fn mates(&mut self, position: &Chess, moves: u32) -> Option<bool> {
        let moves = moves as usize;
        if moves == 0 || moves > MAX_MOVES || position.legal_moves().is_empty() {
            return None;
        }
        let is_over = || self.stop.is_stopped();
        let mut search = MateSearch::new(self.mate_nodes, &is_over);
        // Shorter mates first: a mate in two need not be searched to depth four.
        for length in 1..=moves {
            match search.search(&EnginePosition::new(position), length, &[]) {
                MateResult::Mate(_) => return Some(true),
                MateResult::NoMate => {}
                MateResult::OutOfNodes => return None,
            }
        }
        Some(false)
    }

    fn table_moves(&mut self, position: &Chess) -> Option<Vec<(Move, TablebaseResult)>> {
        let tables =
            self.tables.filter(|tables| position.board().occupied().count() <= tables.max_pieces())?;
        let game = ChessGame::from_position(position.clone(), shakmaty::CastlingMode::Standard);
        Some(tables.rank_moves(&game)?.into_iter().map(|ranked| (ranked.mv, ranked.result)).collect())
    }

    fn table(&mut self, position: &Chess) -> Option<TablebaseResult> {
        let tables =
            self.tables.filter(|tables| position.board().occupied().count() <= tables.max_pieces())?;
        tables.result(position).filter(|_| position.halfmoves() == 0)
    }
}
