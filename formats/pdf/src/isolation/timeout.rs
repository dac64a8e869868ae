//! A socket whose other end may be silent, but not for ever.

use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Reading and writing fail with `TimedOut` when nothing moves for longer than `patience`.
///
/// Time is counted in ticks that this process has itself waited for, and not by a clock: a machine
/// that was suspended, or a process that was stopped by Ctrl-Z, loses a tick at most, and the other
/// end gets its time when both go on.
pub struct Patient {
    stream: UnixStream,
    tick: Duration,
    pub patience: Duration,
}

impl Patient {
    pub fn new(stream: UnixStream, patience: Duration) -> io::Result<Self> {
        Self::with_tick(stream, patience, Duration::from_secs(1))
    }

    fn with_tick(stream: UnixStream, patience: Duration, tick: Duration) -> io::Result<Self> {
        stream.set_read_timeout(Some(tick))?;
        stream.set_write_timeout(Some(tick))?;
        Ok(Self {
            stream,
            tick,
            patience,
        })
    }

    fn wait(
        &mut self,
        mut step: impl FnMut(&mut UnixStream) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let mut silent = Duration::ZERO;
        loop {
            match step(&mut self.stream) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => silent += self.tick,
                moved => return moved,
            }
            if silent > self.patience {
                return Err(ErrorKind::TimedOut.into());
            }
        }
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait(|stream| stream.read(buffer))
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(|stream| stream.write(bytes))
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        self.wait(|stream| stream.write_vectored(pieces))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impatient() -> (Patient, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let tick = Duration::from_millis(1);
        (Patient::with_tick(ours, 3 * tick, tick).unwrap(), theirs)
    }

    #[test]
    fn silence_is_an_error() {
        let (mut ours, _theirs) = impatient();
        let error = ours.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn one_who_does_not_listen_is_an_error() {
        let (mut ours, _theirs) = impatient();
        let error = ours.write_all(&vec![0; 64 << 20]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        let error = ours.write_vectored(&[IoSlice::new(&[0])]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn what_comes_is_read() {
        let (mut ours, mut theirs) = impatient();
        theirs.write_all(b"here").unwrap();
        drop(theirs);
        let mut said = String::new();
        ours.read_to_string(&mut said).unwrap();
        assert_eq!(said, "here");
    }
}
