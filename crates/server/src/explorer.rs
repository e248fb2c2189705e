//! The collection of games that the server was started with, indexed in the background.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tabia_core::Stop;
use tabia_explorer::{ExplorerError, Lookup, Progress, build};

/// Folder of the indexes in the data folder.
const FOLDER: &str = "explorer";

/// The PGN files and their index.
pub struct Collection {
    /// Names of the files, without their folders.
    pub files: Vec<String>,
    lookup: Mutex<Lookup>,
    standing: Arc<Mutex<Standing>>,
    stop: Stop,
}

/// Progress of the index, and its error if it failed.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    pub progress: Progress,
    pub problem: Option<String>,
}

impl Collection {
    /// Opens the index of some files and continues building it on a background thread.
    pub fn open(data: &Path, files: &[PathBuf]) -> Result<Collection, ExplorerError> {
        let folder = data.join(FOLDER);
        std::fs::create_dir_all(&folder)
            .map_err(|source| ExplorerError::Read { path: folder.clone(), source })?;
        let database = folder.join(name_of(files));
        let lookup = Mutex::new(Lookup::open(&database)?);
        let standing = Arc::new(Mutex::new(Standing::default()));
        let stop = Stop::new();
        let (told, thread_stop, thread_files) = (standing.clone(), stop.clone(), files.to_vec());
        let work = move || {
            let tell = &mut |progress: &Progress| lock(&told).progress = progress.clone();
            match build(&database, &thread_files, &thread_stop, tell) {
                Ok(done) => tracing::info!(games = done.games, complete = done.complete, "games are indexed"),
                Err(error) => {
                    tracing::error!(%error, "games could not be indexed");
                    lock(&told).problem = Some(error.to_string());
                }
            }
        };
        std::thread::Builder::new()
            .name("explorer".to_owned())
            .spawn(work)
            .map_err(|source| ExplorerError::Read { path: folder, source })?;
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Collection { files: files.iter().map(name).collect(), lookup, standing, stop })
    }

    /// Progress of the index.
    pub fn standing(&self) -> Standing {
        lock(&self.standing).clone()
    }

    /// Queries the index; queries run one at a time.
    pub fn ask<T>(
        &self,
        question: impl FnOnce(&Lookup) -> Result<T, ExplorerError>,
    ) -> Result<T, ExplorerError> {
        question(&lock(&self.lookup))
    }

    /// Shutdown: stops indexing. The next start resumes it.
    pub fn close(&self) {
        self.stop.stop();
    }
}

/// File name of the index: the same for the same paths in the same order.
fn name_of(files: &[PathBuf]) -> String {
    // FNV-1a; not a security measure.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for path in files {
        for byte in path.as_os_str().as_encoded_bytes().iter().chain(&[0]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}.sqlite3")
}

/// A poisoned lock is fine: the data is consistent at every point where it could panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
