//! How a child process is started so that nothing of it outlives us.
//!
//! Whoever is killed with signal 9 cleans nothing up, and an engine may start processes in sessions of their own. So on
//! Linux a supervisor stands between us and each engine, which ends it with all that it has started; and the engine is
//! confined between its start and its becoming the engine. Code at both places takes either `unsafe` or a program that
//! runs it. This program is that program, too: started as `tabia __engine …`, it calls [`run`].

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};

use super::command::CommandLine;
#[cfg(target_os = "linux")]
use super::{confine, supervise};

/// The word after which this program is the supervisor of an engine, or turns into an engine.
pub const WORD: &str = "__engine";
/// The file as it is running, even if another has taken its name since.
pub const THIS_PROGRAM: &str = "/proc/self/exe";
/// The word for the supervisor, and the one for what becomes the engine.
const SUPERVISE: &str = "supervise";
const BECOME: &str = "become";

/// Starts child processes.
#[derive(Clone, Debug, Default)]
pub struct Launcher {
    helper: Option<PathBuf>,
    confinement: Option<super::Confinement>,
}

impl Launcher {
    /// Starts children as they are. They are ended with their game; whether one survives our own violent death is
    /// left to its manners.
    pub fn plain() -> Launcher {
        Launcher::default()
    }

    /// Starts children through this program, which must call [`run`] when its first argument is [`WORD`]. Elsewhere
    /// than on Linux the same as [`Launcher::plain`].
    pub fn through_this_program() -> Launcher {
        let helper = cfg!(target_os = "linux").then(|| PathBuf::from(THIS_PROGRAM));
        Launcher { helper, confinement: None }
    }

    /// The same through this program, with limits on what they may use. Elsewhere than on Linux nothing starts.
    pub fn confined(confinement: super::Confinement) -> Launcher {
        Launcher { confinement: Some(confinement), ..Launcher::through_this_program() }
    }

    /// Whether a supervisor ends what is started: closing the pipes is enough, and killing it is wrong.
    pub fn is_supervised(&self) -> bool {
        self.helper.is_some()
    }

    /// Starts a command with pipes to its three streams, in a process group of its own.
    pub fn start(&self, line: &CommandLine) -> io::Result<Child> {
        let mut command = match &self.helper {
            None if self.confinement.is_some() => {
                return Err(io::Error::new(
                    io::ErrorKind::Unsupported,
                    "engines of web clients are started on Linux only, which can confine them",
                ));
            }
            None => Command::new(&line.program),
            Some(helper) => {
                let mut command = Command::new(helper);
                let confinement = serde_json::to_string(&self.confinement).map_err(io::Error::other)?;
                command.args([WORD, SUPERVISE, &confinement]).arg(std::path::absolute(&line.program)?);
                command
            }
        };
        command.args(&line.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        #[cfg(target_os = "linux")]
        if self.confinement.is_some() {
            command.env_clear().envs(confine::environment());
        }
        if let Some(directory) = &line.directory {
            command.current_dir(directory);
        }
        command.spawn()
    }
}

/// The arguments after [`WORD`] by which a supervisor starts an engine, but for the program and its own.
#[cfg(target_os = "linux")]
pub(super) fn engine_arguments(confinement: Option<&super::Confinement>) -> io::Result<[String; 3]> {
    let confinement = serde_json::to_string(&confinement).map_err(io::Error::other)?;
    Ok([BECOME.to_owned(), std::process::id().to_string(), confinement])
}

/// What this program does when its first argument is [`WORD`]; the others are given. A process that becomes an engine
/// returns only with what went wrong, a supervisor with how the engine ended.
#[cfg(target_os = "linux")]
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> io::Result<ExitCode> {
    let mut next = || arguments.next().and_then(|text| text.into_string().ok());
    let wrong = || {
        io::Error::other(format!(
            "{WORD} starts engines and is not for people: it takes {SUPERVISE} or {BECOME} PARENT, then LIMITS PROGRAM \
             ARGUMENT…"
        ))
    };
    let role = next().ok_or_else(wrong)?;
    let parent = match role.as_str() {
        SUPERVISE => None,
        BECOME => {
            let parent = next().and_then(|text| rustix::process::Pid::from_raw(text.parse().ok()?));
            Some(parent.ok_or_else(wrong)?)
        }
        _ => return Err(wrong()),
    };
    let confinement: Option<super::Confinement> =
        next().and_then(|text| serde_json::from_str(&text).ok()).ok_or_else(wrong)?;
    let program = arguments.next().ok_or_else(wrong)?;
    match parent {
        None => supervise::supervise(confinement.as_ref(), &program, arguments),
        Some(parent) => Err(confine::become_engine(parent, confinement.as_ref(), &program, arguments)),
    }
}

/// What the kernel enforces for a confined engine beside its resource limits: the version of Landlock's interface. 0 is
/// nothing, from 1 files, from 4 TCP, from 6 signals.
pub fn landlock_version() -> u32 {
    #[cfg(target_os = "linux")]
    return confine::landlock_version();
    #[cfg(not(target_os = "linux"))]
    0
}

/// What this program does when its first argument is [`WORD`]: nothing, on this system.
#[cfg(not(target_os = "linux"))]
pub fn run(_arguments: impl Iterator<Item = OsString>) -> io::Result<ExitCode> {
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("{WORD} works on Linux only")))
}
