//! Starts runs, each in a child process, so that its failures do not affect the server.
//!
//! The process is this program with the command line that a person would type (`tabia match --run …`). It is stopped
//! as by Ctrl-C: it saves its state and can be resumed. It also ends with the server, even if the server is killed,
//! because the server holds the other end of its standard input.

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

/// Starts runs and tracks the running ones.
pub struct RunLauncher {
    program: Option<PathBuf>,
    confinement: SandboxLimits,
    max: usize,
    going: Arc<Mutex<HashMap<String, Option<Pid>>>>,
}

/// Why a run was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Disabled on this server.
    #[error("this server was not told which program starts runs")]
    NoProgram,
    /// The limit of concurrent runs is reached.
    #[error("this server starts no more than {0} at once, and as many go on already")]
    Full(usize),
    /// The run is running already.
    #[error("the run \"{0}\" goes on already")]
    GoesOn(String),
    /// The process could not be started.
    #[error("the run could not be started: {0}")]
    Process(#[from] io::Error),
    /// Running, but not started by this server.
    #[error("the run \"{0}\" was not started by this server: stop it where it was started")]
    NotHere(String),
    /// The run is not running.
    #[error("the run \"{0}\" is not running")]
    Ended(String),
}

impl RunLauncher {
    /// Starts runs with a program, with a limit on concurrent runs. External engines in them are sandboxed.
    pub fn new(program: Option<PathBuf>, confinement: SandboxLimits, max: usize) -> RunLauncher {
        RunLauncher { program, confinement, max, going: Arc::default() }
    }

    /// Starts a run with a command line; `log` receives its standard error. Its reservation is released when it ends.
    pub fn start(
        &self,
        id: &str,
        args: &[String],
        log: &Path,
        reservation: Reservation,
    ) -> Result<(), StartError> {
        let program = self.program.as_ref().ok_or(StartError::NoProgram)?;
        {
            let mut going = lock(&self.going);
            if going.contains_key(id) {
                return Err(StartError::GoesOn(id.to_owned()));
            }
            if going.len() >= self.max {
                return Err(StartError::Full(self.max));
            }
            going.insert(id.to_owned(), None);
        }
        let spawned = spawn(program, args, &self.confinement, log);
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

    /// Whether this server has the run running.
    pub fn goes_on(&self, id: &str) -> bool {
        lock(&self.going).contains_key(id)
    }

    /// Stops a run as Ctrl-C would.
    pub fn stop(&self, id: &str) -> Result<(), StartError> {
        let process = lock(&self.going).get(id).copied().ok_or_else(|| StartError::Ended(id.to_owned()))?;
        interrupt(process);
        Ok(())
    }

    /// Stops all runs.
    pub fn stop_all(&self) {
        for process in lock(&self.going).values() {
            interrupt(*process);
        }
    }
}

fn spawn(program: &Path, args: &[String], confinement: &SandboxLimits, log: &Path) -> io::Result<Child> {
    let confinement = serde_json::to_string(confinement).map_err(io::Error::other)?;
    let log = std::fs::File::options().create(true).append(true).open(log)?;
    Command::new(program)
        .args(args)
        .arg(format!("--confine={confinement}"))
        .arg("--end-with-input")
        .env_remove("TABIA_TOKEN")
        // Held by this process; when it ends for any reason, the pipe closes and the run ends too.
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(log)
        // A process group of its own: Ctrl-C in a terminal goes to the server, which stops its runs.
        .process_group(0)
        .spawn()
}

fn interrupt(process: Option<Pid>) {
    // A process that has not started yet or has already ended cannot be signalled.
    if let Some(process) = process {
        let _ = kill_process(process, Signal::INT);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
