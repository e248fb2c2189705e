//! Syzygy tablebases for the strong search: `tabia_book`'s probes behind [`Tablebases`].
//!
//! One adapter serves every caller: `tabia uci` opens tables by its option `SyzygyPath`, the agent `engine` by its option
//! `syzygy`, a server and a worker by their own `--syzygy`.

use std::sync::Arc;

use shakmaty::Chess;
use tabia_book::syzygy::{TableWdl, Tables};
use tabia_core::ChessGame;

use crate::engine::tablebases::{RankedMove, TablebaseResult, Tablebases};

/// Opens the tablebases for an agent, given the value of its option `syzygy`, which is empty where the option is not set. An
/// error is the whole reason.
pub type OpenTables = Arc<dyn Fn(&str) -> Result<Option<Tables>, String> + Send + Sync>;

/// Opens the tablebases in the directories that the option names; none where it is empty.
pub fn open_named(paths: &str) -> Result<Option<Tables>, String> {
    if paths.is_empty() {
        return Ok(None);
    }
    Tables::open(paths).map(Some).map_err(|error| error.to_string())
}

/// The same tablebases for every agent, whatever it names: a client cannot choose files of the server.
pub fn shared(tables: Tables) -> OpenTables {
    Arc::new(move |_| Ok(Some(tables.clone())))
}

/// Cursed wins and blessed losses are draws under the fifty-move rule.
fn result(wdl: TableWdl) -> TablebaseResult {
    match wdl {
        TableWdl::Win => TablebaseResult::Win,
        TableWdl::Loss => TablebaseResult::Loss,
        TableWdl::CursedWin | TableWdl::Draw | TableWdl::BlessedLoss => TablebaseResult::Draw,
    }
}

impl Tablebases for Tables {
    fn max_pieces(&self) -> usize {
        self.max_pieces()
    }

    fn result(&self, position: &Chess) -> Option<TablebaseResult> {
        self.probe_wdl_after_zeroing(position).map(result)
    }

    fn rank_moves(&self, game: &ChessGame) -> Option<Vec<RankedMove>> {
        let ranked = self.rank_root_moves(game)?;
        let moves = ranked.iter().map(|known| RankedMove {
            mv: known.m,
            rank: known.class,
            result: result(known.wdl),
        });
        Some(moves.collect())
    }
}
