//! The process that reads documents: it gets questions, and sends answers, over the socket that is
//! its standard input. It ends when the other end of the socket is closed, in whatever way.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use super::limits::KernelLimits;
use super::wire::{self, Answer};
use super::{Engine, guard};
use crate::model::{Failure, FailureKind, Part, Request, Stage};

/// All that a worker process does.
pub fn main(engine: Engine) -> ExitCode {
    match serve(engine) {
        Ok(()) => ExitCode::SUCCESS,
        // Heard by one who tries it by hand.
        Err(error) => {
            eprintln!("error: this is how a reader of PDFs is started by the program: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads documents until there are no more.
fn serve(engine: Engine) -> io::Result<()> {
    let mut output = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut input = BufReader::new(output.try_clone()?);
    let mut limits = KernelLimits::new();
    let mut buffer = Vec::new();
    wire::send(&mut output, &Answer::Ready, &mut buffer)?;
    while let Some((request, size)) = question(&mut input, &mut buffer)? {
        limits.limit(&request.limits);
        let result = match document(&mut input, size)? {
            None => Err(too_large(size)),
            Some(data) => guard::run(engine, data, &request, &mut |part: Part| {
                match wire::send(&mut output, &Answer::Part(Box::new(part)), &mut buffer) {
                    Ok(()) => ControlFlow::Continue(()),
                    // Nobody listens any more. The engine stops, and so does the loop below.
                    Err(_) => ControlFlow::Break(()),
                }
            }),
        };
        limits.unlimit();
        let retires = limits.has_grown();
        let end = Answer::End { result, retires };
        if wire::send(&mut output, &end, &mut buffer).is_err() || retires {
            break;
        }
    }
    Ok(())
}

/// The next request, and how long its document is.
fn question(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<Option<(Request, u64)>> {
    match wire::receive(input, u64::MAX, buffer) {
        Ok((question, _)) => Ok(Some(question)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// `None` when there is no memory for it. It is read to its end in any case, since the other
/// process listens only when it has sent everything.
fn document(input: &mut impl Read, size: u64) -> io::Result<Option<Vec<u8>>> {
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
        message: format!("the file of {size} bytes does not fit into the memory that it may take"),
    }
}
