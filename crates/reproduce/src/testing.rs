//! For the tests of steps: something to work with, in a directory that is gone afterwards.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use tabia_arena::driver::Launcher;
use tabia_core::{Catalogue, ChessGame, Stop};

use crate::context::{Extent, Inputs, Players, StepContext};

/// Agents of ours alone.
fn catalogue() -> Catalogue<ChessGame> {
    let mut catalogue = Catalogue::default();
    catalogue.add(tabia_search::agents::entries(|path| fs::read_to_string(path)));
    catalogue
}

/// Those who can play in tests.
pub fn players() -> Players {
    Players { catalogue, launcher: Launcher::plain() }
}

/// A directory of its own for a test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tabia-reproduce-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Lets a test work.
pub fn work<R>(extent: Extent, test: impl FnOnce(&mut StepContext<'_>) -> R) -> R {
    let (players, stop, inputs, folder) = (players(), Stop::new(), Inputs::default(), Folder::new());
    test(&mut StepContext {
        players: &players,
        extent,
        threads: 2,
        stop: &stop,
        inputs: &inputs,
        directory: &folder.0,
        tell: &mut |_, _| {},
    })
}
