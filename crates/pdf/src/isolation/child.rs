//! The parent's view of a worker process.

use std::io::{self, BufReader, ErrorKind, PipeReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::Signal;

use super::guard::Progress;
use super::limits::grace_seconds;
use super::timeout::TimedStream;
use super::wire::{self, Answer};
use super::{Outcome, StartError};
use crate::model::{DocumentPart, Failure, FailureKind, Limits, Request, Stage};

const BUFFER_BYTES: usize = 64 << 10;

/// The shortest timeout. A worker that waits for the CPU is silent, and the kernel kills one that
/// uses too much CPU. So this timeout only covers a worker that is blocked forever. No such case is
/// known, so it errs on the long side.
const MIN_TIMEOUT: Duration = Duration::from_secs(600);

/// On a busy machine, CPU time may take this many times longer.
const MAX_SLOWDOWN: u32 = 60;

/// The memory of a part, even if it is empty.
const MIN_PART_BYTES: u64 = size_of::<DocumentPart>() as u64;

/// The number of bytes kept from the end of a worker's error output.
const STDERR_BYTES: usize = 16 << 10;

/// A running worker. Dropping it kills the process.
pub struct Worker {
    child: Child,
    socket: BufReader<TimedStream>,
    /// Collects the worker's error output, which is empty unless the worker dies.
    stderr: Option<JoinHandle<Vec<u8>>>,
    buffer: Vec<u8>,
}

/// The reason why a worker sends no further answers.
enum Stop {
    /// Nothing arrived within the timeout.
    Timeout,
    /// A message exceeds the memory limit.
    TooLarge,
    /// A message cannot be decoded, or comes at the wrong time.
    Invalid,
    /// The process ended.
    Death,
}

impl Worker {
    pub fn start(mut command: Command) -> Result<Self, StartError> {
        let (socket, worker_socket) = UnixStream::pair()?;
        let (errors, worker_stderr) = io::pipe()?;
        let socket = BufReader::with_capacity(BUFFER_BYTES, TimedStream::new(socket, MIN_TIMEOUT)?);
        let stderr = thread::Builder::new().name("pdf-worker-errors".to_owned());
        let stderr = stderr.spawn(|| last_bytes(errors))?;
        let child = command
            // Messages use one socket for both directions, so that the output of a library cannot
            // mix with them.
            .stdin(OwnedFd::from(worker_socket))
            .stdout(Stdio::null())
            .stderr(worker_stderr)
            // Printing a backtrace is slow, and nobody would see it.
            .env("RUST_BACKTRACE", "0")
            // Ctrl-C in a terminal must reach only the parent.
            .process_group(0)
            .spawn()?;
        // The command holds copies of the worker's ends of the socket and the pipe. While they are
        // open, the parent would not notice that the worker died.
        drop(command);
        let mut worker = Self {
            child,
            socket,
            stderr: Some(stderr),
            buffer: Vec::new(),
        };
        let max_bytes = BUFFER_BYTES as u64;
        let greeting = wire::receive(&mut worker.socket, max_bytes, &mut worker.buffer);
        match greeting.map_err(Stop::from) {
            Ok((Answer::Ready, _)) => Ok(worker),
            Ok(_) | Err(Stop::Invalid | Stop::TooLarge) => {
                Err(StartError::new("the program is not a PDF worker"))
            }
            Err(Stop::Timeout) => Err(StartError::new("the worker did not answer")),
            Err(Stop::Death) => {
                let status = worker.kill();
                Err(StartError::new(&format!(
                    "the worker ended immediately: {status}"
                )))
            }
        }
    }

    /// Whether the worker is still running; it may have been killed since the last document.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Makes the worker parse a document. Returns the worker if it can take further documents.
    pub fn read(mut self, data: &[u8], request: &Request) -> (Outcome, Option<Self>) {
        let timeout = Duration::from_millis(request.limits.cpu_ms).saturating_mul(MAX_SLOWDOWN);
        self.socket.get_mut().timeout = timeout.max(MIN_TIMEOUT);
        let mut outcome = Outcome::default();
        let mut progress = Progress::default();
        match self.exchange(data, request, &mut outcome, &mut progress) {
            Ok(retires) => {
                let worker = (!retires).then_some(self);
                (outcome, worker)
            }
            Err(stop) => {
                let (kind, message) = self.explain(&stop, &request.limits);
                outcome.failure = Some(Failure {
                    kind,
                    stage: Stage::Worker,
                    page: progress.page(),
                    message,
                });
                (outcome, None)
            }
        }
    }

    /// Sends a request and receives the answers. Returns whether the worker retires.
    ///
    /// The parent sends everything before it reads, and the worker reads everything before it
    /// answers. So neither side blocks on a full buffer while the other waits for it.
    fn exchange(
        &mut self,
        data: &[u8],
        request: &Request,
        outcome: &mut Outcome,
        progress: &mut Progress,
    ) -> Result<bool, Stop> {
        let message = (request, data.len() as u64);
        wire::send_with(self.socket.get_mut(), &message, data, &mut self.buffer)?;
        // The parts stay in this process's memory, so they have a limit, too.
        let mut bytes_left = request.limits.memory_bytes;
        loop {
            let (answer, size) = wire::receive(&mut self.socket, bytes_left, &mut self.buffer)?;
            bytes_left = bytes_left.saturating_sub(size.max(MIN_PART_BYTES));
            match answer {
                Answer::Part(part) => {
                    progress.record(&part);
                    outcome.add(*part);
                }
                Answer::End { result, retires } => {
                    outcome.failure = result.err();
                    return Ok(retires);
                }
                Answer::Ready => return Err(Stop::Invalid),
            }
        }
    }

    fn explain(&mut self, stop: &Stop, limits: &Limits) -> (FailureKind, String) {
        let megabytes = limits.memory_bytes >> 20;
        match stop {
            Stop::Timeout => (
                FailureKind::Timeout,
                "the worker process was killed: it did not answer for a long time".to_owned(),
            ),
            Stop::TooLarge => (
                FailureKind::Limit,
                format!("the extracted data exceeds {megabytes} MiB"),
            ),
            Stop::Invalid => (
                FailureKind::Panic,
                "the worker process was killed: it sent an invalid answer".to_owned(),
            ),
            Stop::Death => {
                let status = self.kill();
                explain_death(status, &self.stderr_text(), limits)
            }
        }
    }

    /// Kills the process and returns its status: its own exit status if it is already ending.
    fn kill(&mut self) -> ExitStatus {
        let _ = self.child.kill();
        self.child.wait().unwrap_or_default()
    }

    /// The end of the worker's error output. Call it after the process has ended.
    fn stderr_text(&mut self) -> String {
        let output = self.stderr.take().and_then(|reader| reader.join().ok());
        String::from_utf8_lossy(&output.unwrap_or_default()).into_owned()
    }
}

/// Reads to the end, so that the writer never blocks, and keeps the last bytes.
fn last_bytes(mut from: PipeReader) -> Vec<u8> {
    let mut last = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        last.extend_from_slice(&buffer[..read]);
        if last.len() > 2 * STDERR_BYTES {
            last.drain(..last.len() - STDERR_BYTES);
        }
    }
    last
}

impl Drop for Worker {
    /// Kills the process and waits for it, so that no zombie remains.
    fn drop(&mut self) {
        self.kill();
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::TimedOut => Self::Timeout,
            ErrorKind::FileTooLarge => Self::TooLarge,
            ErrorKind::InvalidData => Self::Invalid,
            _ => Self::Death,
        }
    }
}

/// The name of a signal that only other processes send.
fn external_signal(signal: Signal) -> Option<&'static str> {
    let names = [
        (Signal::KILL, "SIGKILL"),
        (Signal::TERM, "SIGTERM"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::HUP, "SIGHUP"),
    ];
    let name = names.iter().find(|(sent, _)| *sent == signal);
    name.map(|(_, name)| *name)
}

/// Derives the cause of death from the exit status and the error output. The Rust runtime aborts
/// when memory or stack is exhausted, and prints the reason. The rest of the output is not used.
fn explain_death(status: ExitStatus, stderr: &str, limits: &Limits) -> (FailureKind, String) {
    let signal = status.signal().and_then(Signal::from_named_raw);
    if signal == Some(Signal::XCPU) {
        let seconds = grace_seconds(limits);
        let message = format!("the worker process was killed after {seconds} s of CPU time");
        (FailureKind::Timeout, message)
    } else if stderr.contains("memory allocation of ") {
        let megabytes = limits.memory_bytes >> 20;
        let message = format!("the worker process ran out of its {megabytes} MiB of memory");
        (FailureKind::Memory, message)
    } else if stderr.contains(" has overflowed its stack") {
        let message = "the stack of the worker process overflowed".to_owned();
        (FailureKind::Panic, message)
    } else if let Some(name) = signal.and_then(external_signal) {
        let message = format!("another process killed the worker process with {name}, twice");
        (FailureKind::Killed, message)
    } else {
        let message = format!("the worker process ended: {status}");
        (FailureKind::Panic, message)
    }
}
