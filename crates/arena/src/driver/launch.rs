//! How a child process is started so that it cannot outlive us.
//!
//! Whoever is killed with signal 9 cleans nothing up, so the kernel must: on Linux a process can ask to be killed
//! when its parent dies. Only the child itself can ask, between its start and its becoming the engine, and to run
//! code there takes either `unsafe` or a program that asks and then turns into the engine. This program is that
//! program, too: started as `tabia __engine PARENT PROGRAM ARGUMENT…`, it calls [`become_engine`].
//!
//! The kernel takes "parent" to be the *thread* that started the child. So one thread, which lives as long as the
//! process, starts all children.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::command::CommandLine;

/// The word after which this program turns into an engine.
pub const WORD: &str = "__engine";

/// Starts child processes.
#[derive(Clone, Debug, Default)]
pub struct Launcher {
    helper: Option<PathBuf>,
}

impl Launcher {
    /// Starts children as they are. They are ended with their game; whether one survives our own violent death is
    /// left to its manners.
    pub fn plain() -> Launcher {
        Launcher::default()
    }

    /// Starts children through this program, which must call [`become_engine`] when its first argument is
    /// [`WORD`]. Elsewhere than on Linux the same as [`Launcher::plain`].
    pub fn through_this_program() -> Launcher {
        // The file as it is running, even if another has taken its name since.
        let helper = cfg!(target_os = "linux").then(|| PathBuf::from("/proc/self/exe"));
        Launcher { helper }
    }

    /// Starts a command with pipes to its three streams, in a process group of its own.
    pub fn start(&self, line: &CommandLine) -> io::Result<Child> {
        let mut command = match &self.helper {
            None => Command::new(&line.program),
            Some(helper) => {
                let mut command = Command::new(helper);
                command.arg(WORD).arg(std::process::id().to_string()).arg(&line.program);
                command
            }
        };
        command.args(&line.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        if let Some(directory) = &line.directory {
            command.current_dir(directory);
        }
        match &self.helper {
            None => command.spawn(),
            Some(_) => on_the_starting_thread(command),
        }
    }
}

type Request = (Command, Sender<io::Result<Child>>);

fn on_the_starting_thread(command: Command) -> io::Result<Child> {
    static STARTER: OnceLock<Sender<Request>> = OnceLock::new();
    let starter = if let Some(starter) = STARTER.get() {
        starter
    } else {
        let (sender, requests) = mpsc::channel::<Request>();
        thread::Builder::new().name("engine starter".to_owned()).spawn(move || {
            for (mut command, reply) in requests {
                // Who asked and no longer waits has no use for the child.
                if let Err(unwanted) = reply.send(command.spawn())
                    && let Ok(mut child) = unwanted.0
                {
                    let _ = child.kill();
                    let _ = child.wait();
                }
            }
        })?;
        STARTER.get_or_init(|| sender)
    };
    let (reply, answer) = mpsc::channel();
    let gone = |_| io::Error::other("the thread that starts engines has ended");
    starter.send((command, reply)).map_err(|error| gone(error.to_string()))?;
    answer.recv().map_err(|error| gone(error.to_string()))?
}

/// Turns this process into an engine that dies with its parent: the arguments after [`WORD`] are the parent's
/// process number, the program, and the program's arguments. Returns only with what went wrong.
pub fn become_engine(mut arguments: impl Iterator<Item = OsString>) -> io::Error {
    let parent = arguments.next().and_then(|text| text.to_str()?.parse::<i32>().ok());
    let (Some(parent), Some(program)) = (parent, arguments.next()) else {
        return io::Error::other(format!(
            "{WORD} needs the number of a process, a program and its arguments"
        ));
    };
    if let Err(error) = die_with_parent(parent) {
        return error;
    }
    let error = Command::new(&program).args(arguments).exec();
    io::Error::new(error.kind(), format!("cannot start {}: {error}", program.display()))
}

#[cfg(target_os = "linux")]
fn die_with_parent(parent: i32) -> io::Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // It may have died before we asked.
    if getppid().is_none_or(|now| now.as_raw_nonzero().get() != parent) {
        return Err(io::Error::other("whoever wanted this engine is gone"));
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent(_parent: i32) -> io::Result<()> {
    Ok(())
}
