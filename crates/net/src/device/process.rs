//! A Python process with PyTorch, and the pipes to it.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use super::spec::TorchDevice;
use crate::error::NetError;

const SCRIPT: &str = include_str!("torch.py");

/// Variable of NVIDIA's MPS: 0 is normal, 1 is below normal. Without MPS it says nothing.
const MPS_PRIORITY: &str = "CUDA_MPS_CLIENT_PRIORITY";

/// Whose work a shared GPU does first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    Normal,
    /// After that of the other processes: games wait for evaluations, and nobody for a step.
    Low,
}

/// A process that is starting, and where its first response will come.
pub(super) type Starting = (Process, Receiver<Vec<u8>>);

/// One process with its connection.
pub(super) struct Process {
    pub(super) connection: Arc<Connection>,
    /// PyTorch's version and the name of the device.
    pub(super) name: String,
    child: Child,
}

/// The pipes to a process, with the pending requests.
pub(super) struct Connection {
    device: TorchDevice,
    stdin: Mutex<Option<ChildStdin>>,
    pending: Mutex<HashMap<u32, Sender<Vec<u8>>>>,
    next_id: AtomicU32,
    failure: OnceLock<String>,
}

impl Process {
    /// Starts a process; its first response is the name of its device.
    pub(super) fn spawn(
        python: &str,
        device: TorchDevice,
        request: &str,
        priority: Priority,
    ) -> Result<Starting, NetError> {
        let refused = |why: String| NetError::Device { python: python.to_owned(), why };
        let mut command = Command::new(python);
        if priority == Priority::Low {
            command.env(MPS_PRIORITY, "1");
        }
        let mut child = command
            .args(["-u", "-c", SCRIPT, request])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| refused(format!("it cannot be started: {error}")))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(refused("it has no pipes".to_owned()));
        };
        let connection = Arc::new(Connection {
            device,
            stdin: Mutex::new(Some(stdin)),
            pending: Mutex::default(),
            next_id: AtomicU32::new(1),
            failure: OnceLock::new(),
        });
        let (send, hello) = mpsc::channel();
        lock(&connection.pending).insert(0, send);
        let reader = Arc::clone(&connection);
        let stderr_reader = thread::spawn(move || stderr_tail(stderr));
        thread::spawn(move || {
            let ended = reader.read(stdout);
            let text = stderr_reader.join().unwrap_or_default();
            let silent = || match ended.kind() {
                io::ErrorKind::UnexpectedEof => "its process has ended".to_owned(),
                _ => format!("its answers cannot be read: {ended}"),
            };
            // The failure is set before the channels close, so that those waiting can report it.
            reader.fail(text.lines().last().map_or_else(silent, str::to_owned));
            lock(&reader.pending).clear();
        });
        Ok((Process { connection, name: String::new(), child }, hello))
    }

    /// Waits for the first response.
    pub(super) fn wait_until_ready(
        mut self,
        python: &str,
        hello: &Receiver<Vec<u8>>,
    ) -> Result<Process, NetError> {
        let Ok(name) = hello.recv() else {
            let why = self.connection.failure.get().cloned().unwrap_or_default();
            return Err(NetError::Device { python: python.to_owned(), why });
        };
        self.name = String::from_utf8_lossy(&name).into_owned();
        Ok(self)
    }
}

/// The last 16 KiB of a process's standard error, once it has ended.
fn stderr_tail(mut stderr: ChildStderr) -> String {
    const KEPT: usize = 1 << 14;
    let (mut text, mut bytes) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = stderr.read(&mut bytes) {
        text.extend_from_slice(&bytes[..count]);
        text.drain(..text.len().saturating_sub(KEPT));
    }
    String::from_utf8_lossy(&text).trim().to_owned()
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process ends when its standard input closes.
        drop(lock(&self.connection.stdin).take());
        let _ = self.child.wait();
    }
}

impl Connection {
    /// Dispatches responses to pending requests until the pipe ends; returns why it ended.
    fn read(&self, stdout: ChildStdout) -> io::Error {
        let mut stdout = BufReader::with_capacity(1 << 20, stdout);
        let mut one = || -> io::Result<()> {
            let mut header = [0; 8];
            stdout.read_exact(&mut header)?;
            let [id, bytes] = [0, 4]
                .map(|at| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]));
            let mut payload = vec![0; bytes as usize];
            stdout.read_exact(&mut payload)?;
            if let Some(pending) = lock(&self.pending).remove(&id) {
                // The requester may have given up.
                let _ = pending.send(payload);
            }
            Ok(())
        };
        loop {
            if let Err(error) = one() {
                return error;
            }
        }
    }

    /// Why the process cannot be used any more.
    pub(super) fn failure(&self) -> Option<NetError> {
        self.failure.get().map(|why| self.error(why))
    }

    /// From now on the process cannot be used; the first reason stays.
    pub(super) fn fail(&self, why: String) {
        let _ = self.failure.set(why);
    }

    /// The error after the process has ended.
    fn ended(&self) -> NetError {
        self.error(self.failure.get().map_or("its process has ended", String::as_str))
    }

    fn error(&self, why: &str) -> NetError {
        NetError::Torch { device: self.device.to_string(), why: why.to_owned() }
    }

    pub(super) fn send(&self, frame: &[u8]) -> Result<(), NetError> {
        let mut stdin = lock(&self.stdin);
        let sent =
            stdin.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |stdin| stdin.write_all(frame));
        drop(stdin);
        sent.map_err(|_| self.ended())
    }

    /// Sends a request without waiting for its response.
    pub(super) fn begin(&self, request: impl FnOnce(u32) -> Vec<u8>) -> Result<Response<'_>, NetError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed).max(1);
        let (send, receive) = mpsc::channel();
        lock(&self.pending).insert(id, send);
        // From here on the reader either sees the request or has set the failure.
        self.failure().map_or(Ok(()), Err)?;
        self.send(&request(id))?;
        Ok(Response { connection: self, receive })
    }

    /// Sends a request and waits for its response.
    pub(super) fn request(&self, request: impl FnOnce(u32) -> Vec<u8>) -> Result<Vec<u8>, NetError> {
        self.begin(request)?.wait()
    }
}

/// A response that is on its way.
pub(super) struct Response<'a> {
    connection: &'a Connection,
    receive: Receiver<Vec<u8>>,
}

impl Response<'_> {
    pub(super) fn wait(self) -> Result<Vec<u8>, NetError> {
        self.receive.recv().map_err(|_| self.connection.ended())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
