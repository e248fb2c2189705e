//! Starts child processes so that none of them outlives this program.
//!
//! A program killed with SIGKILL cannot clean up, and an engine may start processes in sessions of their own. So on Linux a
//! supervisor process starts each engine, and ends it with all its descendants. The engine enters its sandbox between `fork`
//! and `exec`. To avoid `unsafe`, both steps run in a process of this same program: started as `tabia __engine …`, it calls
//! [`run`].

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};

use super::command::CommandLine;
#[cfg(target_os = "linux")]
use super::{sandbox, supervise};

/// The first argument that makes this program the supervisor of an engine, or an engine.
pub const ENGINE_ARGUMENT: &str = "__engine";
/// The file as it is running, even if another has taken its name since.
const THIS_PROGRAM: &str = "/proc/self/exe";
/// The second argument: supervisor, or process that becomes the engine.
const SUPERVISE: &str = "supervise";
const BECOME: &str = "become";

/// Starts child processes.
#[derive(Clone, Debug, Default)]
pub struct Launcher {
    helper: Option<PathBuf>,
    sandbox: Option<super::SandboxLimits>,
}

impl Launcher {
    /// Starts children without a supervisor. They end with their game, but one may survive if this program is killed.
    pub fn plain() -> Launcher {
        Launcher::default()
    }

    /// Starts children through this program, which must call [`run`] when its first argument is [`ENGINE_ARGUMENT`]. Elsewhere
    /// than on Linux the same as [`Launcher::plain`].
    pub fn supervised_by_this_program() -> Launcher {
        let helper = cfg!(target_os = "linux").then(|| PathBuf::from(THIS_PROGRAM));
        Launcher { helper, sandbox: None }
    }

    /// The same in a sandbox. Only on Linux; on other systems nothing starts.
    pub fn sandboxed(sandbox: super::SandboxLimits) -> Launcher {
        Launcher { sandbox: Some(sandbox), ..Launcher::supervised_by_this_program() }
    }

    /// Whether a supervisor ends what is started: closing the pipes is enough, and killing it is wrong.
    pub fn is_supervised(&self) -> bool {
        self.helper.is_some()
    }

    /// Starts a command with pipes to its three streams, in a process group of its own.
    pub fn start(&self, line: &CommandLine) -> io::Result<Child> {
        let mut command = match &self.helper {
            None if self.sandbox.is_some() => {
                return Err(io::Error::new(
                    io::ErrorKind::Unsupported,
                    "engines of web clients are started on Linux only, which can confine them",
                ));
            }
            None => Command::new(&line.program),
            Some(helper) => {
                let mut command = Command::new(helper);
                let sandbox = serde_json::to_string(&self.sandbox).map_err(io::Error::other)?;
                command.args([ENGINE_ARGUMENT, SUPERVISE, &sandbox]).arg(std::path::absolute(&line.program)?);
                command
            }
        };
        command.args(&line.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        #[cfg(target_os = "linux")]
        if self.sandbox.is_some() {
            command.env_clear().envs(sandbox::environment());
        }
        if let Some(directory) = &line.directory {
            command.current_dir(directory);
        }
        command.spawn()
    }
}

/// The arguments after [`ENGINE_ARGUMENT`] by which a supervisor starts an engine, but for the program and its own.
#[cfg(target_os = "linux")]
fn engine_arguments(sandbox: Option<&super::SandboxLimits>) -> io::Result<[String; 3]> {
    let sandbox = serde_json::to_string(&sandbox).map_err(io::Error::other)?;
    Ok([BECOME.to_owned(), std::process::id().to_string(), sandbox])
}

/// What this program does when its first argument is [`ENGINE_ARGUMENT`]; the others are given. A process that becomes an engine
/// returns only with what went wrong, a supervisor with how the engine ended.
#[cfg(target_os = "linux")]
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> io::Result<ExitCode> {
    let mut next = || arguments.next().and_then(|text| text.into_string().ok());
    let wrong = || {
        io::Error::other(format!(
            "{ENGINE_ARGUMENT} starts engines and is not for people: it takes {SUPERVISE} or {BECOME} PARENT, then LIMITS PROGRAM \
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
    let sandbox: Option<super::SandboxLimits> =
        next().and_then(|text| serde_json::from_str(&text).ok()).ok_or_else(wrong)?;
    let program = arguments.next().ok_or_else(wrong)?;
    match parent {
        None => {
            let mut command = Command::new(THIS_PROGRAM);
            command
                .arg(ENGINE_ARGUMENT)
                .args(engine_arguments(sandbox.as_ref())?)
                .arg(program)
                .args(arguments);
            supervise::supervise(&mut command, sandbox.as_ref())
        }
        Some(parent) => Err(sandbox::become_engine(parent, sandbox.as_ref(), &program, arguments)),
    }
}

/// What the kernel enforces for a confined engine beside its resource limits: the version of Landlock's interface. 0 is
/// nothing, from 1 files, from 4 TCP, from 6 signals.
pub fn landlock_version() -> u32 {
    #[cfg(target_os = "linux")]
    return sandbox::landlock_version();
    #[cfg(not(target_os = "linux"))]
    0
}

/// What this program does when its first argument is [`ENGINE_ARGUMENT`]: nothing, on this system.
#[cfg(not(target_os = "linux"))]
pub fn run(_arguments: impl Iterator<Item = OsString>) -> io::Result<ExitCode> {
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("{ENGINE_ARGUMENT} works on Linux only")))
}
