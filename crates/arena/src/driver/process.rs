//! A child process with line-based pipes, with a bound on everything.
//!
//! The thread that waits for a line reads the pipe itself, so that no queue delays the clock. Unread output stays in the
//! pipe and blocks the child, so that it never piles up here. Standard error is read along the way; only its end is kept.
//!
//! When this is dropped the child is ended, and waited for. Where a supervisor stands between us and the child, closing
//! the pipes is enough: it ends the child with everything that comes from it, even in sessions of their own
//! ([`super::launch`]). Else the child leads a process group, which is killed.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use tabia_core::printable;

use super::command::CommandLine;
use super::launch::Launcher;
use super::tail::Tail;
use super::{Fault, FaultKind};

/// Longest line in bytes; the rest of a longer one is skipped.
const MAX_LINE_BYTES: usize = 1 << 16;
/// Bytes read at once.
const READ_CHUNK_BYTES: usize = 1 << 14;
/// Bytes of standard error that are kept, and lines of it in error messages.
const STDERR_TAIL_BYTES: usize = 1 << 12;
const STDERR_TAIL_LINES: usize = 5;
/// Most output in bytes between two commands.
const MAX_UNREAD_BYTES: u64 = 64 << 20;
/// Time for a child to read what is written to it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for a child to exit after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
/// Time for a child to exit after its output has ended.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Time for a supervisor to end everything before it is killed itself.
const SUPERVISOR_TIMEOUT: Duration = Duration::from_secs(10);
/// How often to check whether a child has exited.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A line of output.
#[derive(Debug)]
pub struct Line {
    /// The text, without its end.
    pub text: String,
    /// When the last of it arrived.
    pub arrived: Instant,
}

/// A running child.
#[derive(Debug)]
pub struct Process {
    command: String,
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    /// Unconsumed output; its first `searched` bytes have no line end.
    buffer: Vec<u8>,
    searched: usize,
    /// The rest of an overlong line is being skipped.
    skipping: bool,
    arrived: Instant,
    bytes_since_write: u64,
    stderr_tail: Tail,
    /// A supervisor ends what comes from the child.
    supervised: bool,
    /// The child was waited for, and its group killed.
    reaped: bool,
}

impl Process {
    /// Starts a command.
    pub fn start(line: &CommandLine, launcher: &Launcher) -> Result<Process, Fault> {
        let command = line.to_string();
        let failed =
            |error: io::Error| Fault::new(FaultKind::Start, format!("cannot start {command}: {error}"));
        let mut child = launcher.start(line).map_err(failed)?;
        let (Some(input), Some(output), errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed(io::Error::other("it has no pipes")));
        };
        // Our end alone: a child that does not read must not hold us up.
        rustix::io::ioctl_fionbio(&input, true).map_err(|error| failed(error.into()))?;
        Ok(Process {
            command,
            child,
            input: Some(input),
            output,
            errors,
            buffer: Vec::new(),
            searched: 0,
            skipping: false,
            arrived: Instant::now(),
            bytes_since_write: 0,
            stderr_tail: Tail::new(STDERR_TAIL_BYTES),
            supervised: launcher.is_supervised(),
            reaped: false,
        })
    }

    /// How it was started.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The number of the process, or of its supervisor; also that of its group.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes lines, and resets the output limit.
    pub fn write(&mut self, text: &str) -> Result<(), Fault> {
        self.bytes_since_write = 0;
        let mut rest = text.as_bytes();
        let deadline = Instant::now() + WRITE_TIMEOUT;
        while !rest.is_empty() {
            let Some(input) = &mut self.input else { return Err(self.exit_fault()) };
            match input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait_to_write(deadline)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.exit_fault()),
            }
        }
        Ok(())
    }

    fn wait_to_write(&mut self, deadline: Instant) -> Result<(), Fault> {
        let Some(input) = &self.input else { return Err(self.exit_fault()) };
        let mut ready = [PollFd::new(input, PollFlags::OUT)];
        match poll(&mut ready, Some(&timeout(deadline))) {
            Ok(0) => {
                Err(Fault::new(FaultKind::Timeout, self.describe("it does not read what is written to it")))
            }
            _ => Ok(()),
        }
    }

    /// The next line, or none when `deadline` comes first.
    pub fn read(&mut self, deadline: Instant) -> Result<Option<Line>, Fault> {
        loop {
            if let Some(text) = self.take_line() {
                return Ok(Some(Line { text, arrived: self.arrived }));
            }
            if self.bytes_since_write > MAX_UNREAD_BYTES {
                let text = format!("it wrote more than {} MiB without an answer", MAX_UNREAD_BYTES >> 20);
                return Err(Fault::new(FaultKind::Flood, self.describe(&text)));
            }
            if !self.fill(deadline)? {
                return Ok(None);
            }
        }
    }

    /// The next line that has already arrived.
    pub fn read_arrived(&mut self) -> Result<Option<Line>, Fault> {
        self.read(Instant::now())
    }

    /// Takes a whole line from the buffer. Of one too long the beginning is taken, and the rest skipped.
    fn take_line(&mut self) -> Option<String> {
        loop {
            let end = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n');
            let (line, next) = match end.map(|at| at + self.searched) {
                Some(end) => (end, end + 1),
                None if self.skipping => {
                    self.buffer.clear();
                    self.searched = 0;
                    return None;
                }
                None if self.buffer.len() > MAX_LINE_BYTES => (MAX_LINE_BYTES, self.buffer.len()),
                None => {
                    self.searched = self.buffer.len();
                    return None;
                }
            };
            let text = String::from_utf8_lossy(&self.buffer[..line.min(MAX_LINE_BYTES)]).into_owned();
            self.buffer.drain(..next);
            self.searched = 0;
            let was_skipping = std::mem::replace(&mut self.skipping, end.is_none());
            if !was_skipping {
                return Some(printable(text.trim_end_matches('\r')).into_owned());
            }
        }
    }

    /// Waits for output until `deadline` and reads some; false when none came.
    fn fill(&mut self, deadline: Instant) -> Result<bool, Fault> {
        let mut chunk = [0u8; READ_CHUNK_BYTES];
        loop {
            let (readable, complaining) = self.poll(deadline);
            if complaining {
                self.read_errors(&mut chunk);
            }
            if readable {
                let read = match self.output.read(&mut chunk) {
                    Ok(0) => return Err(self.exit_fault()),
                    Ok(read) => read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => return Err(self.exit_fault()),
                };
                self.arrived = Instant::now();
                self.bytes_since_write += read as u64;
                self.buffer.extend_from_slice(&chunk[..read]);
                return Ok(true);
            }
            if !complaining && Instant::now() >= deadline {
                return Ok(false);
            }
            // Output on standard error alone must not hold off the deadline.
            if complaining && Instant::now() >= deadline && !self.poll(deadline).0 {
                return Ok(false);
            }
        }
    }

    /// Whether there is something on standard output, and on standard error.
    fn poll(&self, deadline: Instant) -> (bool, bool) {
        let mut ready = Vec::with_capacity(2);
        ready.push(PollFd::new(&self.output, PollFlags::IN));
        if let Some(errors) = &self.errors {
            ready.push(PollFd::new(errors, PollFlags::IN));
        }
        if poll(&mut ready, Some(&timeout(deadline))).is_err() {
            return (false, false);
        }
        let some = |at: usize| ready.get(at).is_some_and(|stream| !stream.revents().is_empty());
        (some(0), some(1))
    }

    fn read_errors(&mut self, chunk: &mut [u8]) {
        let Some(errors) = &mut self.errors else { return };
        match errors.read(chunk) {
            Ok(0) => self.errors = None,
            Ok(read) => self.stderr_tail.push(&chunk[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.errors = None,
        }
    }

    /// The fault of a child whose output has ended or that no longer reads.
    pub fn exit_fault(&mut self) -> Fault {
        let how = match self.wait_until(Instant::now() + EXIT_TIMEOUT) {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its pipes but still runs".to_owned(),
        };
        let mut chunk = [0u8; READ_CHUNK_BYTES];
        let now = Instant::now();
        while self.errors.is_some() && self.poll(now).1 {
            self.read_errors(&mut chunk);
        }
        Fault::new(FaultKind::Crash, self.describe(&how))
    }

    /// An error message with the command and the end of the child's standard error.
    pub fn describe(&self, what: &str) -> String {
        let stderr = self.stderr_tail.last_lines(STDERR_TAIL_LINES);
        let stderr = if stderr.is_empty() { String::new() } else { format!("; its last output: {stderr}") };
        format!("{what} [{}]{stderr}", self.command)
    }

    fn wait_until(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    // At once, while the number of the group is surely still its own.
                    self.kill_group();
                    return Some(status);
                }
                Ok(None) if Instant::now() < deadline => std::thread::sleep(POLL_INTERVAL),
                _ => return None,
            }
        }
    }

    /// Asks the child to quit, and waits a moment for it.
    pub fn leave(&mut self, last_line: &str) {
        if self.write(last_line).is_ok() {
            // End of input ends an engine in every protocol.
            self.input = None;
            let deadline = Instant::now() + QUIT_TIMEOUT;
            while let Ok(Some(_) | None) = self.read(deadline) {
                if Instant::now() >= deadline {
                    break;
                }
            }
        }
    }

    /// Keeps the child on one processor, with the threads it has and what it starts from now on.
    #[cfg(target_os = "linux")]
    pub fn pin(&self, processor: usize) {
        let mut set = rustix::thread::CpuSet::new();
        set.set(processor);
        let child = Pid::from_child(&self.child);
        // The supervisor first: what it has not started yet inherits.
        for process in std::iter::once(child).chain(super::process_tree::descendants(child)) {
            let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
            let ids = threads.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse().ok());
            for id in ids.filter_map(Pid::from_raw) {
                // Not being pinned costs some evenness and nothing else.
                let _ = rustix::thread::sched_setaffinity(Some(id), &set);
            }
        }
    }

    /// Keeps nothing anywhere: there is no way to on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn pin(&self, _processor: usize) {}
}

impl Process {
    fn kill_group(&mut self) {
        if !std::mem::replace(&mut self.reaped, true)
            && let Some(group) = Pid::from_raw(self.child.id() as i32)
        {
            // A group that is gone already is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.supervised {
            // Both pipes are closed: the supervisor ends everything, then itself.
            self.input = None;
            self.errors = None;
            self.wait_until(Instant::now() + SUPERVISOR_TIMEOUT);
        }
        self.kill_group();
        let _ = self.child.wait();
    }
}

/// What is left until a deadline.
fn timeout(deadline: Instant) -> Timespec {
    let left = deadline.saturating_duration_since(Instant::now());
    Timespec { tv_sec: left.as_secs().min(i64::MAX as u64) as i64, tv_nsec: left.subsec_nanos().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than anything takes here unless it hangs.
    const GUARD: Duration = Duration::from_mins(5);

    fn shell(script: &str) -> Process {
        let line = CommandLine {
            program: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            directory: None,
        };
        Process::start(&line, &Launcher::plain()).unwrap()
    }

    fn next(process: &mut Process) -> Result<Option<String>, Fault> {
        process.read(Instant::now() + GUARD).map(|line| line.map(|line| line.text))
    }

    #[test]
    fn lines_go_both_ways() {
        let mut process = shell("while read line; do printf '<%s>\\r\\n' \"$line\"; done");
        process.write("one\ntwo\n").unwrap();
        assert_eq!(next(&mut process).unwrap().as_deref(), Some("<one>"));
        assert_eq!(next(&mut process).unwrap().as_deref(), Some("<two>"));
        assert!(process.read_arrived().unwrap().is_none());
    }

    #[test]
    fn a_death_is_told_with_its_status_and_last_words() {
        let mut process = shell("echo it hurts >&2; exit 7");
        let fault = next(&mut process).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.detail.contains("exit status: 7"), "{fault}");
        assert!(fault.detail.contains("it hurts") && fault.detail.contains("/bin/sh"), "{fault}");
    }

    #[test]
    fn of_an_overlong_line_the_beginning_is_read() {
        let mut process = shell("head -c 300000 /dev/zero | tr '\\0' x; echo; echo after");
        assert_eq!(next(&mut process).unwrap().map(|line| line.len()), Some(MAX_LINE_BYTES));
        assert_eq!(next(&mut process).unwrap().as_deref(), Some("after"));
    }

    #[test]
    fn a_flood_ends() {
        let mut process = shell("exec yes");
        process.write("go\n").unwrap();
        let fault = std::iter::repeat_with(|| next(&mut process)).find_map(Result::err).unwrap();
        assert_eq!(fault.kind, FaultKind::Flood);
    }

    #[test]
    fn complaints_are_read_on_the_way_and_bounded() {
        let mut process = shell("head -c 3000000 /dev/zero | tr '\\0' x >&2; echo done");
        assert_eq!(next(&mut process).unwrap().as_deref(), Some("done"));
    }

    #[test]
    fn nothing_is_left_of_a_dropped_process_and_of_what_it_started() {
        let mut process = shell("sleep 600 & echo $!; exec sleep 600");
        let grandchild: i32 = next(&mut process).unwrap().unwrap().parse().unwrap();
        let group = Pid::from_raw(process.id() as i32).unwrap();
        drop(process);
        // The grandchild is another's to wait for; until then it is a zombie, and no longer runs. The kernel may
        // take a moment to carry out what it was told.
        let deadline = Instant::now() + Duration::from_mins(2);
        loop {
            let state = std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
            if state.is_empty() || state.contains(") Z ") {
                break;
            }
            assert!(Instant::now() < deadline, "it still runs: {state}");
            std::thread::yield_now();
        }
        let _ = rustix::process::test_kill_process_group(group);
    }
}
