//! Option for tablebases of the coach's commands.

use tabia_book::Tables;

use crate::failure::Usage;

/// Directories of tablebases.
#[derive(Clone, Debug, clap::Args)]
pub struct TableArgs {
    /// Use the Syzygy tablebases in these directories.
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<String>,
}

impl TableArgs {
    /// Whether any were given.
    pub fn is_given(&self) -> bool {
        self.syzygy.is_some()
    }

    /// The tablebases, if any were given.
    pub fn open(&self) -> Result<Option<Tables>, Usage> {
        self.syzygy
            .as_deref()
            .map(Tables::open)
            .transpose()
            .map_err(|error| Usage(format!("--syzygy: {error}")))
    }
}
