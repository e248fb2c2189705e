//! Answers beyond the protocol: a finished game, the bench, help.

use shakmaty::Position;
use tabia_core::ChessGame;
use tabia_eval::{Evaluate, family};
use tabia_search::bench;
use tabia_search::engine::Settings;
use tabia_uci::Info;

use super::output;

/// What a finished game looks like to whoever asks for a move.
pub fn no_moves(game: &ChessGame) -> Info {
    let score = if game.position().is_check() {
        tabia_core::Score::mated_in_plies(0)
    } else {
        tabia_core::Score::DRAW
    };
    Info { depth: Some(0), score: Some(score.into()), ..Info::default() }
}

/// Runs the bench over an evaluation; the last line it prints is the result.
pub struct Bench {
    /// Plies.
    pub depth: u32,
}

impl family::Visitor for Bench {
    type Output = String;

    fn visit<E: Evaluate + 'static>(self, evaluation: E) -> String {
        let mut tell = |index: usize, fen: &str, nodes: u64| {
            output::line(format_args!(
                "Position {:>2}/{}: {nodes:>10} nodes  {fen}",
                index + 1,
                bench::POSITIONS.len()
            ));
        };
        match bench::run(&evaluation, &Settings::default(), self.depth, &mut tell) {
            Ok(outcome) => {
                let nps = outcome.nodes as f64 / outcome.elapsed.as_secs_f64().max(1e-9);
                format!("{} nodes {} nps", outcome.nodes, nps as u64)
            }
            Err(error) => error.to_string(),
        }
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
