//! A worker process as the process that started it sees it.

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
use super::timeout::Patient;
use super::wire::{self, Answer};
use super::{Outcome, StartError};
use crate::model::{Failure, FailureKind, Limits, Part, Request, Stage};

const BUFFER_BYTES: usize = 64 << 10;

/// The shortest silence that is too long. A worker is silent while it has to wait for the CPU, and
/// one that uses it is ended by the kernel: this is only for one that waits for something that
/// never comes, which nothing is known to bring about. So it is better late than wrong.
const LEAST_PATIENCE: Duration = Duration::from_secs(600);

/// The machine may be so busy that CPU time takes so many times longer.
const BUSY: u32 = 60;

/// What a part takes in memory, even if it is empty.
const LEAST_PART: u64 = size_of::<Part>() as u64;

/// Of what a worker prints, the last so many bytes are kept.
const LAST_WORDS_BYTES: usize = 16 << 10;

/// A running worker. It is killed when this is dropped.
pub struct Worker {
    child: Child,
    socket: BufReader<Patient>,
    /// Listens to what it prints, which is nothing unless it dies.
    listener: Option<JoinHandle<Vec<u8>>>,
    buffer: Vec<u8>,
}

/// Why no more answers come.
enum Stop {
    Silence,
    TooMuch,
    Nonsense,
    Death,
}

impl Worker {
    pub fn start(mut command: Command) -> Result<Self, StartError> {
        let (socket, of_worker) = UnixStream::pair()?;
        let (errors, its_errors) = io::pipe()?;
        let socket = BufReader::with_capacity(BUFFER_BYTES, Patient::new(socket, LEAST_PATIENCE)?);
        let listener = thread::Builder::new().name("pdf-worker-errors".to_owned());
        let listener = listener.spawn(|| last_words(errors))?;
        let child = command
            // One socket for both directions: what a library prints cannot come in between.
            .stdin(OwnedFd::from(of_worker))
            .stdout(Stdio::null())
            .stderr(its_errors)
            // One takes long to make, and nobody would see it.
            .env("RUST_BACKTRACE", "0")
            // Ctrl-C in a terminal is for us.
            .process_group(0)
            .spawn()?;
        // The command has copies of the worker's ends; with them we would never see it die.
        drop(command);
        let mut worker = Self {
            child,
            socket,
            listener: Some(listener),
            buffer: Vec::new(),
        };
        let most = BUFFER_BYTES as u64;
        let greeting = wire::receive(&mut worker.socket, most, &mut worker.buffer);
        match greeting.map_err(Stop::from) {
            Ok((Answer::Ready, _)) => Ok(worker),
            Ok(_) | Err(Stop::Nonsense | Stop::TooMuch) => {
                Err(StartError::new("it is another program"))
            }
            Err(Stop::Silence) => Err(StartError::new("it says nothing")),
            Err(Stop::Death) => {
                let status = worker.end();
                Err(StartError::new(&format!("it ended at once: {status}")))
            }
        }
    }

    /// Whether it can be asked; it may have been killed since the last document.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Has a document read. The worker comes back when it can read further ones.
    pub fn read(mut self, data: &[u8], request: &Request) -> (Outcome, Option<Self>) {
        let patience = Duration::from_millis(request.limits.cpu_ms).saturating_mul(BUSY);
        self.socket.get_mut().patience = patience.max(LEAST_PATIENCE);
        let mut outcome = Outcome::default();
        let mut progress = Progress::default();
        match self.converse(data, request, &mut outcome, &mut progress) {
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

    /// A question and its answers. Returns whether the worker retires.
    ///
    /// All is sent before anything is read, and the worker reads all before it answers: neither
    /// waits for the other to make room.
    fn converse(
        &mut self,
        data: &[u8],
        request: &Request,
        outcome: &mut Outcome,
        progress: &mut Progress,
    ) -> Result<bool, Stop> {
        let question = (request, data.len() as u64);
        wire::send_with(self.socket.get_mut(), &question, data, &mut self.buffer)?;
        // What is received is kept here, in our memory.
        let mut room = request.limits.memory_bytes;
        loop {
            let (answer, size) = wire::receive(&mut self.socket, room, &mut self.buffer)?;
            room = room.saturating_sub(size.max(LEAST_PART));
            match answer {
                Answer::Part(part) => {
                    progress.note(&part);
                    outcome.add(*part);
                }
                Answer::End { result, retires } => {
                    outcome.failure = result.err();
                    return Ok(retires);
                }
                Answer::Ready => return Err(Stop::Nonsense),
            }
        }
    }

    fn explain(&mut self, stop: &Stop, limits: &Limits) -> (FailureKind, String) {
        let megabytes = limits.memory_bytes >> 20;
        match stop {
            Stop::Silence => (
                FailureKind::Timeout,
                "the worker process was killed: it did nothing for a long time".to_owned(),
            ),
            Stop::TooMuch => (
                FailureKind::Limit,
                format!("what is read from it is more than {megabytes} MiB"),
            ),
            Stop::Nonsense => (
                FailureKind::Panic,
                "the worker process was killed: its answer makes no sense".to_owned(),
            ),
            Stop::Death => {
                let status = self.end();
                explain_death(status, &self.last_words(), limits)
            }
        }
    }

    /// How it ended, or is ended now: one that is about to end by itself has its status already.
    fn end(&mut self) -> ExitStatus {
        let _ = self.child.kill();
        self.child.wait().unwrap_or_default()
    }

    /// To be asked for when it has ended.
    fn last_words(&mut self) -> String {
        let words = self
            .listener
            .take()
            .and_then(|listener| listener.join().ok());
        String::from_utf8_lossy(&words.unwrap_or_default()).into_owned()
    }
}

/// Reads to the end, so that whoever prints never waits.
fn last_words(mut from: PipeReader) -> Vec<u8> {
    let mut words = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        words.extend_from_slice(&buffer[..read]);
        if words.len() > 2 * LAST_WORDS_BYTES {
            words.drain(..words.len() - LAST_WORDS_BYTES);
        }
    }
    words
}

impl Drop for Worker {
    /// No zombie stays behind.
    fn drop(&mut self) {
        self.end();
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::TimedOut => Self::Silence,
            ErrorKind::FileTooLarge => Self::TooMuch,
            ErrorKind::InvalidData => Self::Nonsense,
            _ => Self::Death,
        }
    }
}

/// The name of a signal that is no consequence of what a process does itself.
fn sent_by_others(signal: Signal) -> Option<&'static str> {
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

/// The runtime of Rust aborts when memory or stack is used up, and says why; nothing else of what
/// a worker says is of use to anybody.
fn explain_death(status: ExitStatus, last_words: &str, limits: &Limits) -> (FailureKind, String) {
    let signal = status.signal().and_then(Signal::from_named_raw);
    if signal == Some(Signal::XCPU) {
        let seconds = grace_seconds(limits);
        let message = format!("the worker process was killed after {seconds} s of CPU time");
        (FailureKind::Timeout, message)
    } else if last_words.contains("memory allocation of ") {
        let megabytes = limits.memory_bytes >> 20;
        let message = format!("the worker process ran out of its {megabytes} MiB of memory");
        (FailureKind::Memory, message)
    } else if last_words.contains(" has overflowed its stack") {
        let message = "the stack of the worker process overflowed".to_owned();
        (FailureKind::Panic, message)
    } else if let Some(name) = signal.and_then(sent_by_others) {
        let message = format!("another process killed the worker process with {name}, twice");
        (FailureKind::Killed, message)
    } else {
        let message = format!("the worker process ended: {status}");
        (FailureKind::Panic, message)
    }
}
