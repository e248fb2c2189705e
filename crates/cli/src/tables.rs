//! Endgame tables as the coach's commands take them.

use tabia_book::Tables;

use crate::failure::Usage;

/// Where endgame tables lie.
#[derive(Clone, Debug, clap::Args)]
pub struct TableArgs {
    /// Use the Syzygy tablebases in these directories.
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<String>,
}

impl TableArgs {
    /// Whether some were named.
    pub fn is_given(&self) -> bool {
        self.syzygy.is_some()
    }

    /// The tables, if some were named.
    pub fn open(&self) -> Result<Option<Tables>, Usage> {
        self.syzygy
            .as_deref()
            .map(Tables::open)
            .transpose()
            .map_err(|error| Usage(format!("--syzygy: {error}")))
    }
}
