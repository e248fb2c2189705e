//! The supervisor process of an engine: it ends the engine with all its descendants.
//!
//! ```text
//! tabia ─ spawn ─► supervisor ─ spawn ─► engine ─► …whatever it starts, in whatever session
//!   └──── pipes, which the engine inherits ──┘
//! ```
//!
//! The supervisor is a child subreaper: every process started by the engine stays its descendant, so that it can find
//! and kill them all ([`super::process_tree`]). It reads and writes nothing itself, but polls the pipes, and so
//! learns without signals or another channel:
//!
//! - the engine's standard input was closed: the engine gets a moment to exit, then it is killed;
//! - its standard error has no reader any more: it is killed at once. This also happens when the parent is killed;
//! - the engine has ended: its remaining processes are killed, and the supervisor exits with the engine's status.
//!
//! For a confined engine it also watches the limits that the kernel has no word for: memory and processes of all
//! processes together, and the size of the scratch directory.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitStatus, getpid, kill_process, pidfd_open, set_child_subreaper,
};

use super::process_tree;
use super::sandbox::Scratch;
use super::sandbox_limits::SandboxLimits;

/// How long an engine may take to exit after its input was closed.
const GRACE: Duration = Duration::from_secs(1);
/// How often a confined engine is measured, and how often children that ended are collected otherwise.
const MEASURE: Duration = Duration::from_millis(100);
const COLLECT: Duration = Duration::from_secs(1);
/// Polling interval for the engine's end on kernels before 5.3, without pidfd.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
const MIB: u64 = 1 << 20;

/// Why an engine's time is over.
enum End {
    /// It ended itself.
    Engine(WaitStatus),
    /// The parent has closed the pipes or ended.
    Unwanted,
    /// It used more than it may.
    Excess(String),
}

/// Starts an engine with `command`, and stays until nothing is left of it.
pub fn supervise(command: &mut Command, sandbox: Option<&SandboxLimits>) -> io::Result<ExitCode> {
    set_child_subreaper(Some(getpid()))?;
    let scratch = sandbox.map(|limits| Scratch::new(&limits.scratch_root)).transpose()?;
    if let Some(scratch) = &scratch {
        command.current_dir(scratch.path()).env("HOME", scratch.path()).env("TMPDIR", scratch.path());
    }
    let engine = Pid::from_child(&command.spawn()?);
    // Close our copy of its output, so that readers notice when the engine closes it.
    rustix::stdio::dup2_stdout(File::open("/dev/null")?)?;
    let end = watch(engine, sandbox, scratch.as_ref());
    process_tree::end_descendants();
    drop(scratch);
    match end {
        Ok(End::Engine(status)) => Ok(end_as(status)),
        Ok(End::Unwanted) => Ok(ExitCode::SUCCESS),
        Ok(End::Excess(what)) => Err(io::Error::other(format!("the engine was ended: {what}"))),
        Err(error) => Err(error),
    }
}

fn watch(engine: Pid, sandbox: Option<&SandboxLimits>, scratch: Option<&Scratch>) -> io::Result<End> {
    let ended: Option<OwnedFd> = pidfd_open(engine, PidfdFlags::empty()).ok();
    let tick = match (&ended, sandbox) {
        (None, _) => POLL_INTERVAL,
        (_, Some(_)) => MEASURE,
        (_, None) => COLLECT,
    };
    let mut leave_until: Option<Instant> = None;
    loop {
        let wait =
            leave_until.map_or(tick, |until| tick.min(until.saturating_duration_since(Instant::now())));
        let wait = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: wait.subsec_nanos().into() };
        let (input, errors) = (rustix::stdio::stdin(), rustix::stdio::stderr());
        // No events are requested: `POLLHUP` and `POLLERR` are always reported.
        let mut ready = vec![PollFd::new(&errors, PollFlags::empty())];
        ready.extend(ended.as_ref().map(|ended| PollFd::from_borrowed_fd(ended.as_fd(), PollFlags::IN)));
        if leave_until.is_none() {
            ready.push(PollFd::new(&input, PollFlags::empty()));
        }
        match poll(&mut ready, Some(&wait)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let nobody_reads = ready[0].revents().contains(PollFlags::ERR);
        let nobody_writes = leave_until.is_none()
            && ready.last().is_some_and(|input| input.revents().contains(PollFlags::HUP));
        if let Some(status) = process_tree::reap(engine) {
            return Ok(End::Engine(status));
        }
        if nobody_reads || leave_until.is_some_and(|until| Instant::now() >= until) {
            return Ok(End::Unwanted);
        }
        if nobody_writes {
            leave_until = Some(Instant::now() + GRACE);
        }
        if let (Some(limits), Some(scratch)) = (sandbox, scratch)
            && let Some(what) = excess(limits, scratch)
        {
            return Ok(End::Excess(what));
        }
    }
}

/// What is more than it may be, if anything is.
fn excess(limits: &SandboxLimits, scratch: &Scratch) -> Option<String> {
    let usage = process_tree::usage(getpid());
    if usage.tasks > limits.tasks {
        return Some(format!("it has {} processes and threads, and may have {}", usage.tasks, limits.tasks));
    }
    if usage.resident_bytes > limits.memory_bytes {
        let (used, max) = (usage.resident_bytes / MIB, limits.memory_bytes / MIB);
        return Some(format!("it uses {used} MiB of memory, and may use {max}"));
    }
    match scratch.bytes() {
        Some(bytes) if bytes <= limits.file_bytes => None,
        Some(bytes) => {
            let (used, max) = (bytes / MIB, limits.file_bytes / MIB);
            Some(format!("its files take {used} MiB, and may take {max}"))
        }
        None => Some("it has made too many files".to_owned()),
    }
}

/// Ends this process as another has ended, by the same signal if it was one.
fn end_as(status: WaitStatus) -> ExitCode {
    if let Some(signal) = status.terminating_signal() {
        if let Some(signal) = Signal::from_named_raw(signal) {
            let no_core = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
            let _ = rustix::process::setrlimit(rustix::process::Resource::Core, no_core);
            // The first of SIGSEGV and SIGBUS goes to Rust's handler of stack overflows, which steps aside.
            let _ = kill_process(getpid(), signal);
            let _ = kill_process(getpid(), signal);
        }
        // One that this process ignores.
        return ExitCode::from(128u8.saturating_add(signal as u8));
    }
    ExitCode::from(status.exit_status().unwrap_or(1) as u8)
}
