//! Runs that this server starts: each is a process of its own, so that nothing that happens there happens here.
//!
//! The process is this program with the words a person would type (`tabia match --run …`). It is told to stop as
//! Ctrl-C tells it: it keeps what was done, and can be resumed. The server's end ends it the same way, even where the
//! server is killed: the server holds the other end of its standard input.

use std::collections::HashMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use tabia_arena::driver::SandboxLimits;

use crate::budget::Reservation;

/// Starts runs, and knows those that go on.
pub struct RunLauncher {
    program: Option<PathBuf>,
    confinement: SandboxLimits,
    most: usize,
    going: Arc<Mutex<HashMap<String, Option<Pid>>>>,
}

/// Why a run was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// This server starts none.
    #[error("this server was not told which program starts runs")]
    NoProgram,
    /// As many go on as may.
    #[error("this server starts no more than {0} at once, and as many go on already")]
    Full(usize),
    /// This one goes on already.
    #[error("the run \"{0}\" goes on already")]
    GoesOn(String),
    /// The process could not be started.
    #[error("the run could not be started: {0}")]
    Process(#[from] io::Error),
    /// It is none of ours, or has ended.
    #[error("the run \"{0}\" does not go on here: whoever started it can stop it")]
    NotHere(String),
}

impl RunLauncher {
    /// Starts runs with a program, so many at once; engines that play in them are confined.
    pub fn new(program: Option<PathBuf>, confinement: SandboxLimits, most: usize) -> RunLauncher {
        RunLauncher { program, confinement, most, going: Arc::default() }
    }

    /// Starts a run by the words for its program; `log` is where it says what it has to say.
    /// What it may use is reserved until it ends.
    pub fn start(
        &self,
        id: &str,
        words: &[String],
        log: &Path,
        reservation: Reservation,
    ) -> Result<(), StartError> {
        let program = self.program.as_ref().ok_or(StartError::NoProgram)?;
        {
            let mut going = lock(&self.going);
            if going.contains_key(id) {
                return Err(StartError::GoesOn(id.to_owned()));
            }
            if going.len() >= self.most {
                return Err(StartError::Full(self.most));
            }
            going.insert(id.to_owned(), None);
        }
        let spawned = spawn(program, words, &self.confinement, log);
        let mut child = spawned.inspect_err(|_| {
            lock(&self.going).remove(id);
        })?;
        let held = child.stdin.take();
        lock(&self.going).insert(id.to_owned(), Some(Pid::from_child(&child)));
        let (going, id) = (self.going.clone(), id.to_owned());
        thread::spawn(move || {
            let ended = child.wait();
            drop((held, reservation));
            match ended {
                Ok(status) => tracing::info!(run = id, %status, "a run has ended"),
                Err(error) => tracing::error!(run = id, %error, "a run was lost sight of"),
            }
            lock(&going).remove(&id);
        });
        Ok(())
    }

    /// Whether a run goes on here.
    pub fn goes_on(&self, id: &str) -> bool {
        lock(&self.going).contains_key(id)
    }

    /// Tells a run to stop, as Ctrl-C would.
    pub fn stop(&self, id: &str) -> Result<(), StartError> {
        let process = lock(&self.going).get(id).copied().ok_or_else(|| StartError::NotHere(id.to_owned()))?;
        interrupt(process);
        Ok(())
    }

    /// Tells all runs to stop.
    pub fn stop_all(&self) {
        for process in lock(&self.going).values() {
            interrupt(*process);
        }
    }
}

fn spawn(program: &Path, words: &[String], confinement: &SandboxLimits, log: &Path) -> io::Result<Child> {
    let confinement = serde_json::to_string(confinement).map_err(io::Error::other)?;
    let log = std::fs::File::options().create(true).append(true).open(log)?;
    Command::new(program)
        .args(words)
        .arg(format!("--confine={confinement}"))
        .arg("--end-with-input")
        .env_remove("TABIA_TOKEN")
        // Held by this process until it ends, however it ends; then the run ends too.
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(log)
        // Ctrl-C in a terminal goes to the server, which passes it on.
        .process_group(0)
        .spawn()
}

fn interrupt(process: Option<Pid>) {
    // One that is only just being started, or has ended meanwhile, cannot be told.
    if let Some(process) = process {
        let _ = kill_process(process, Signal::INT);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
