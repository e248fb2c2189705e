//! The coordinator's own results: executes tasks in a child process, for comparison with workers' results, or to find out
//! whether they can be executed at all. A task that crashes its process crashes the child only.
//!
//! A [`Request`] is sent as a line of JSON on the child's standard input; if its files differ from the previous ones, their
//! bytes follow. The answer is a line with the result or the error.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tabia_core::Stop;
use tabia_grid::SharedFiles;
use tabia_grid::nats::{AnyExecutor, Referee, TaskHandler};

/// The argument that starts such a child.
pub const ARGUMENT: &str = "__execute";

/// A task for the child.
#[derive(Serialize, Deserialize)]
struct Request {
    kind: String,
    programs: bool,
    /// Names and lengths of the files that follow; `None` if they are those of the last request.
    files: Option<BTreeMap<String, usize>>,
    task: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reply {
    Done(Box<RawValue>),
    Failed(String),
}

/// A child and the files it has.
struct Pipes {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    sent: Option<SharedFiles>,
}

/// Executes tasks in a child process, started on first use.
#[derive(Default)]
pub struct ChildReferee {
    pipes: Mutex<Option<Pipes>>,
    /// Separate from the pipes, so that it can be killed while another thread waits for it.
    child: Mutex<Option<Child>>,
}

impl ChildReferee {
    fn start(&self) -> io::Result<Pipes> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // The coordinator handles Ctrl-C and ends the child.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("the child has no pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        *lock(&self.child) = Some(child);
        Ok(Pipes { input, output, sent: None })
    }

    /// Kills the child; returns how it ended.
    fn end(&self) -> String {
        let Some(mut child) = lock(&self.child).take() else { return "it was ended".to_owned() };
        // A child that has already ended is not killed: its status is the reason.
        if !matches!(child.try_wait(), Ok(Some(_))) {
            let _ = child.kill();
        }
        match child.wait() {
            Ok(status) => format!("the process that tried it ended with {status}"),
            Err(error) => format!("the process that tried it is gone: {error}"),
        }
    }
}

impl Drop for ChildReferee {
    fn drop(&mut self) {
        self.end();
    }
}

impl Referee for ChildReferee {
    fn perform(
        &self,
        kind: &str,
        shared: &SharedFiles,
        task: &str,
        programs: bool,
    ) -> Result<Box<RawValue>, String> {
        let mut pipes = lock(&self.pipes);
        if pipes.is_none() {
            *pipes =
                Some(self.start().map_err(|error| format!("no process can be started for it: {error}"))?);
        }
        let answer = pipes.as_mut().map(|pipes| pipes.ask(kind, shared, task, programs));
        match answer {
            Some(Ok(Reply::Done(result))) => Ok(result),
            Some(Ok(Reply::Failed(why))) => Err(why),
            Some(Err(_)) | None => {
                *pipes = None;
                Err(self.end())
            }
        }
    }

    fn cancel(&self) {
        if let Some(child) = lock(&self.child).as_mut() {
            let _ = child.kill();
        }
    }
}

impl Pipes {
    fn ask(&mut self, kind: &str, shared: &SharedFiles, task: &str, programs: bool) -> io::Result<Reply> {
        let fresh = self.sent.as_ref() != Some(shared);
        let lengths = || shared.files.iter().map(|(name, bytes)| (name.clone(), bytes.len())).collect();
        let request = Request {
            kind: kind.to_owned(),
            programs,
            files: fresh.then(lengths),
            task: RawValue::from_string(task.to_owned())?,
        };
        let mut line = serde_json::to_vec(&request)?;
        line.push(b'\n');
        self.input.write_all(&line)?;
        if fresh {
            for bytes in shared.files.values() {
                self.input.write_all(bytes)?;
            }
            self.sent = Some(shared.clone());
        }
        self.input.flush()?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        Ok(serde_json::from_str(&answer)?)
    }
}

/// The child: executes requests until the end of input. `handlers` are those of this build; its argument says whether
/// external engines may be started.
pub fn serve(handlers: impl Fn(bool) -> Vec<Box<dyn TaskHandler>>) -> ExitCode {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut shared = SharedFiles::default();
    let mut executor: Option<(String, bool, Box<dyn AnyExecutor>)> = None;
    loop {
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) => return ExitCode::SUCCESS,
            Ok(_) => {}
            Err(_) => return ExitCode::FAILURE,
        }
        let Ok(request) = serde_json::from_str::<Request>(&line) else { return ExitCode::FAILURE };
        if let Some(files) = &request.files {
            executor = None;
            shared = SharedFiles::default();
            for (name, length) in files {
                let mut bytes = vec![0; *length];
                if input.read_exact(&mut bytes).is_err() {
                    return ExitCode::FAILURE;
                }
                shared.files.insert(name.clone(), bytes);
            }
        }
        let reply = execute(&request, &handlers, &shared, &mut executor).unwrap_or_else(Reply::Failed);
        let Ok(mut text) = serde_json::to_vec(&reply) else { return ExitCode::FAILURE };
        text.push(b'\n');
        if output.write_all(&text).and_then(|()| output.flush()).is_err() {
            return ExitCode::FAILURE;
        }
    }
}

fn execute(
    request: &Request,
    handlers: &impl Fn(bool) -> Vec<Box<dyn TaskHandler>>,
    shared: &SharedFiles,
    executor: &mut Option<(String, bool, Box<dyn AnyExecutor>)>,
) -> Result<Reply, String> {
    let Request { kind, programs, task, .. } = request;
    if executor.as_ref().is_none_or(|(of, with, _)| of != kind || with != programs) {
        let handlers = handlers(*programs);
        let handler = handlers.iter().find(|handler| handler.kind() == kind);
        let handler = handler.ok_or_else(|| format!("there are no tasks of kind {kind}"))?;
        *executor = Some((kind.clone(), *programs, handler.executor(shared)?));
    }
    let (_, _, executor) = executor.as_mut().ok_or("there is no executor")?;
    let done = executor.perform(task.get(), &Stop::new())?;
    Ok(done.map_or_else(|| Reply::Failed("it was stopped".to_owned()), Reply::Done))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
