//! Endgame tables as the search asks for them, from the Syzygy files.

use shakmaty::Chess;
use tabia_book::syzygy::{TableWdl, Tables};
use tabia_core::ChessGame;
use tabia_search::engine::tablebases::{RankedMove, TablebaseResult, Tablebases};

use crate::failure::Usage;

/// Syzygy tables behind the search's own words.
pub struct Syzygy(pub Tables);

impl Syzygy {
    /// The tables of some directories, as `SyzygyPath` lists them.
    pub fn open(paths: &str) -> Result<Syzygy, Usage> {
        Tables::open(paths).map(Syzygy).map_err(|error| Usage(error.to_string()))
    }
}

/// Cursed wins and blessed losses are draws once the fifty-move rule counts.
fn result(wdl: TableWdl) -> TablebaseResult {
    match wdl {
        TableWdl::Win => TablebaseResult::Win,
        TableWdl::Loss => TablebaseResult::Loss,
        TableWdl::CursedWin | TableWdl::Draw | TableWdl::BlessedLoss => TablebaseResult::Draw,
    }
}

impl Tablebases for Syzygy {
    fn most_pieces(&self) -> usize {
        self.0.max_pieces()
    }

    fn result(&self, position: &Chess) -> Option<TablebaseResult> {
        self.0.probe_wdl_after_zeroing(position).map(result)
    }

    fn rank_moves(&self, game: &ChessGame) -> Option<Vec<RankedMove>> {
        let ranked = self.0.rank_root_moves(game)?;
        Some(
            ranked
                .iter()
                .map(|known| RankedMove { mv: known.m, rank: known.class, result: result(known.wdl) })
                .collect(),
        )
    }
}
