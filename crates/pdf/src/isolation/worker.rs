//! The main loop of a worker process. It receives requests and sends answers over the socket that
//! is its standard input, and ends when the other end of the socket is closed.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use super::limits::KernelLimits;
use super::wire::{self, Answer};
use super::{Engine, guard};
use crate::model::{DocumentPart, Failure, FailureKind, Request, Stage};

/// Runs a worker process.
pub fn main(engine: Engine) -> ExitCode {
    match serve(engine) {
        Ok(()) => ExitCode::SUCCESS,
        // Seen only by someone who starts a worker by hand.
        Err(error) => {
            eprintln!(
                "error: this option is for internal use, to start a PDF worker process: {error}"
            );
            ExitCode::FAILURE
        }
    }
}

/// Serves documents until the socket is closed.
fn serve(engine: Engine) -> io::Result<()> {
    let mut output = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut input = BufReader::new(output.try_clone()?);
    let mut limits = KernelLimits::new();
    let mut buffer = Vec::new();
    wire::send(&mut output, &Answer::Ready, &mut buffer)?;
    while let Some((request, size)) = receive_request(&mut input, &mut buffer)? {
        limits.apply(&request.limits);
        let result = match receive_document(&mut input, size)? {
            None => Err(too_large(size)),
            Some(data) => guard::run(engine, data, &request, &mut |part: DocumentPart| {
                match wire::send(&mut output, &Answer::Part(Box::new(part)), &mut buffer) {
                    Ok(()) => ControlFlow::Continue(()),
                    // The parent is gone. The engine stops, and the loop ends below.
                    Err(_) => ControlFlow::Break(()),
                }
            }),
        };
        limits.lift();
        let retires = limits.has_grown();
        let end = Answer::End { result, retires };
        if wire::send(&mut output, &end, &mut buffer).is_err() || retires {
            break;
        }
    }
    Ok(())
}

/// The next request and the size of its document in bytes, or `None` at the end.
fn receive_request(
    input: &mut impl BufRead,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<(Request, u64)>> {
    match wire::receive(input, u64::MAX, buffer) {
        Ok((request, _)) => Ok(Some(request)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// The bytes of a document, or `None` if there is not enough memory. They are always consumed,
/// because the parent reads answers only after it has sent everything.
fn receive_document(input: &mut impl Read, size: u64) -> io::Result<Option<Vec<u8>>> {
    let mut data = Vec::new();
    if let Ok(length) = usize::try_from(size)
        && data.try_reserve_exact(length).is_ok()
    {
        data.resize(length, 0);
        input.read_exact(&mut data)?;
        return Ok(Some(data));
    }
    match io::copy(&mut input.take(size), &mut io::sink())? {
        read if read < size => Err(ErrorKind::UnexpectedEof.into()),
        _ => Ok(None),
    }
}

fn too_large(size: u64) -> Failure {
    Failure {
        kind: FailureKind::Memory,
        stage: Stage::Worker,
        page: None,
        message: format!(
            "the file has {size} bytes and does not fit into the worker's memory limit"
        ),
    }
}
