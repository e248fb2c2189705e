//! Answers beyond the protocol: a finished game, the bench, help.

use shakmaty::Position;
use tabia_core::ChessGame;
use tabia_search::bench;
use tabia_search::player::Player;
use tabia_uci::Info;

use crate::output::Output;

/// The text for a finished game when a move is requested.
pub fn no_moves(game: &ChessGame) -> Info {
    let score = if game.position().is_check() {
        tabia_core::Score::mated_in_plies(0)
    } else {
        tabia_core::Score::DRAW
    };
    Info { depth: Some(0), score: Some(score.into()), ..Info::default() }
}

/// Runs the bench with a player; the last line it prints is the result.
pub fn run_bench(player: &mut dyn Player, depth: u32, output: &Output) {
    let mut tell = |index: usize, fen: &str, nodes: u64| {
        let total = bench::POSITIONS.len();
        output.line(format_args!("Position {:>2}/{total}: {nodes:>10} nodes  {fen}", index + 1));
    };
    match bench::run_with(player, depth, &mut tell) {
        Ok(outcome) => {
            let nps = outcome.nodes as f64 / outcome.elapsed.as_secs_f64().max(1e-9);
            output.line(format_args!("{} nodes {} nps", outcome.nodes, nps as u64));
        }
        Err(error) => output.line(error),
    }
}

/// What `help` prints.
pub const HELP: &str = "\
Tabia speaks UCI; a chess program usually does the typing. By hand:
  uci                                  who I am and what can be set
  setoption name NAME value VALUE      set an option
  position startpos moves e2e4 e7e5    set up a position
  position fen FEN [moves …]
  go depth 12 | nodes 100000 | movetime 1000 | wtime … btime … | infinite | mate 3
  stop                                 end the search and answer
  d | eval | perft N | bench [DEPTH]   board, evaluation, move counts, signature
  quit";
