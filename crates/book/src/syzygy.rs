//! Syzygy endgame tablebases.
//!
//! shakmaty-syzygy reads the tables. This module is the handle that the rest of Tabia uses: it finds the files and reports
//! missing and broken ones, clones cheaply so that every search thread has its own, and maps failures of every kind to
//! `None`, because the search then simply continues. A table that cannot be read is kept for the user in
//! [`Tables::fault`].
//!
//! Two kinds of table answer two questions. WDL tables say who wins from a position *whose half-move clock is
//! zero*; that is what a search asks, after captures and pawn moves only ([`Tables::probe_wdl_after_zeroing`]).
//! With a running clock the answer depends on the distance to the next capture or pawn move, which the DTZ
//! tables have ([`Tables::probe_wdl`]). DTZ is also what makes progress at the [`root`].
//!
//! Files are read with positioned reads. Memory-mapping would save system calls, but it is `unsafe`, and a failing disk
//! would then kill the process instead of the probe.

pub mod root;
mod wdl;

pub use root::{RootMove, best_class};
pub use wdl::TableWdl;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{env, fmt, fs, io};

use shakmaty::{Chess, Position};
use shakmaty_syzygy::{Syzygy, SyzygyError, Tablebase};

/// The tables of some directories. Clones share them, and any number of threads may probe concurrently.
#[derive(Clone)]
pub struct Tables {
    shared: Arc<Shared>,
}

struct Shared {
    tablebase: Tablebase<Chess>,
    wdl_count: usize,
    dtz_count: usize,
    /// File names, sorted.
    names: Vec<String>,
    fault: OnceLock<String>,
}

/// Why tables cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    #[error("cannot list the table directory {}: {source}", path.display())]
    Directory { path: PathBuf, source: io::Error },
    #[error("cannot use the table {}: {source}; was its download cut short?", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("there are no Syzygy tables (files such as KQvK.rtbw) in \"{paths}\"")]
    NoTables { paths: String },
}

impl Tables {
    /// Finds the tables in directories separated by `:` (on Windows `;`); the tables themselves are opened when
    /// they are first needed. Where two directories have the same table, the first one's is used.
    pub fn open(paths: &str) -> Result<Tables, TablesError> {
        let mut tablebase = Tablebase::new();
        let mut found = HashSet::new();
        for directory in env::split_paths(paths).filter(|path| !path.as_os_str().is_empty()) {
            add_directory(&mut tablebase, &directory, &mut found)?;
        }
        if found.is_empty() {
            return Err(TablesError::NoTables { paths: paths.to_owned() });
        }
        let count = |ext: &str| {
            found.iter().filter(|name| Path::new(name).extension() == Some(OsStr::new(ext))).count()
        };
        let (wdl_count, dtz_count) = (count(Chess::TBW.ext), count(Chess::TBZ.ext));
        let mut names: Vec<String> = found.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        let fault = OnceLock::new();
        Ok(Tables { shared: Arc::new(Shared { tablebase, wdl_count, dtz_count, names, fault }) })
    }

    /// File names of all tables, sorted: `KPvK.rtbw`, `KPvK.rtbz`, ….
    pub fn names(&self) -> &[String] {
        &self.shared.names
    }

    /// How many WDL tables were found.
    pub fn wdl_count(&self) -> usize {
        self.shared.wdl_count
    }

    /// How many DTZ tables were found.
    pub fn dtz_count(&self) -> usize {
        self.shared.dtz_count
    }

    /// Pieces of the largest table, kings and pawns included.
    pub fn max_pieces(&self) -> usize {
        self.shared.tablebase.max_pieces()
    }

    /// Whether the tables can contain the position: it has few enough pieces and no castling rights.
    pub fn covers(&self, position: &Chess) -> bool {
        position.board().occupied().count() <= self.max_pieces() && !position.castles().any()
    }

    /// The first table that could not be read; probing continues without it.
    pub fn fault(&self) -> Option<&str> {
        self.shared.fault.get().map(String::as_str)
    }

    /// The result for the side to move as if the half-move clock were zero. Used by the search: it needs WDL tables only, and
    /// is exact right after a capture or a pawn move.
    pub fn probe_wdl_after_zeroing(&self, position: &Chess) -> Option<TableWdl> {
        self.ask(position, Tablebase::probe_wdl_after_zeroing).map(TableWdl::from)
    }

    /// The result for the side to move, with its half-move clock. `None` also where the tables cannot tell: DTZ values may
    /// be rounded by one ply, and without the DTZ table it is unknown whether a win comes in time.
    ///
    /// The caller must check first whether the game is over: this function would count the clock against a mate on the board.
    pub fn probe_wdl(&self, position: &Chess) -> Option<TableWdl> {
        if position.halfmoves() == 0 {
            return self.probe_wdl_after_zeroing(position);
        }
        match self.ask(position, Tablebase::probe_wdl) {
            Some(ambiguous) => ambiguous.unambiguous().map(TableWdl::from),
            // The clock matters to wins and losses only.
            None => self
                .probe_wdl_after_zeroing(position)
                .filter(|wdl| !matches!(wdl, TableWdl::Win | TableWdl::Loss)),
        }
    }

    /// Plies to the next capture, pawn move or mate with best play, negative when the side to move is losing, 0
    /// in a draw. Beyond 100 either way the fifty-move rule saves the loser. Some tables round: the value may then be one short.
    pub fn probe_dtz(&self, position: &Chess) -> Option<i32> {
        self.ask(position, Tablebase::probe_dtz).map(|dtz| dtz.ignore_rounding().into())
    }

    /// One probe.
    fn ask<T>(
        &self,
        position: &Chess,
        question: impl FnOnce(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        if !self.covers(position) {
            return None;
        }
        match question(&self.shared.tablebase, position) {
            Ok(answer) => Some(answer),
            Err(failure @ SyzygyError::ProbeFailed { .. }) => {
                self.shared.fault.get_or_init(|| failure.to_string());
                None
            }
            Err(SyzygyError::Castling | SyzygyError::TooManyPieces | SyzygyError::MissingTable { .. }) => {
                None
            }
        }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("wdl_count", &self.wdl_count())
            .field("dtz_count", &self.dtz_count())
            .field("max_pieces", &self.max_pieces())
            .field("fault", &self.fault())
            .finish_non_exhaustive()
    }
}

/// Adds the tables that `found` lacks. [`Tablebase::add_directory`] would neither name a broken file nor keep the first
/// of two.
fn add_directory(
    tablebase: &mut Tablebase<Chess>,
    directory: &Path,
    found: &mut HashSet<OsString>,
) -> Result<(), TablesError> {
    let error = |source| TablesError::Directory { path: directory.to_owned(), source };
    for entry in fs::read_dir(directory).map_err(error)? {
        let entry = entry.map_err(error)?;
        if found.contains(&entry.file_name()) {
            continue;
        }
        match tablebase.add_file(entry.path()) {
            Ok(()) => drop(found.insert(entry.file_name())),
            Err(other) if other.kind() == io::ErrorKind::InvalidInput => {} // Not named like a table.
            Err(source) => return Err(TablesError::File { path: entry.path(), source }),
        }
    }
    Ok(())
}
