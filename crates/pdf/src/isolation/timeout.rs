//! A socket whose reads and writes time out.

use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// A stream whose reads and writes fail with `TimedOut` if no byte moves within `timeout`.
///
/// The time is counted in ticks that this process has waited, not by a clock. So a suspended
/// machine, or a process stopped by Ctrl-Z, loses one tick at most, and the other end gets its full
/// time after both resume.
pub struct TimedStream {
    stream: UnixStream,
    tick: Duration,
    pub timeout: Duration,
}

impl TimedStream {
    pub fn new(stream: UnixStream, timeout: Duration) -> io::Result<Self> {
        Self::with_tick(stream, timeout, Duration::from_secs(1))
    }

    fn with_tick(stream: UnixStream, timeout: Duration, tick: Duration) -> io::Result<Self> {
        stream.set_read_timeout(Some(tick))?;
        stream.set_write_timeout(Some(tick))?;
        Ok(Self {
            stream,
            tick,
            timeout,
        })
    }

    fn retry(
        &mut self,
        mut step: impl FnMut(&mut UnixStream) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let mut waited = Duration::ZERO;
        loop {
            match step(&mut self.stream) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => waited += self.tick,
                result => return result,
            }
            if waited > self.timeout {
                return Err(ErrorKind::TimedOut.into());
            }
        }
    }
}

impl Read for TimedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.retry(|stream| stream.read(buffer))
    }
}

impl Write for TimedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.retry(|stream| stream.write(bytes))
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        self.retry(|stream| stream.write_vectored(pieces))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short_timeout() -> (TimedStream, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let tick = Duration::from_millis(1);
        (
            TimedStream::with_tick(ours, 3 * tick, tick).unwrap(),
            theirs,
        )
    }

    #[test]
    fn reading_times_out() {
        let (mut ours, _theirs) = short_timeout();
        let error = ours.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn writing_times_out() {
        let (mut ours, _theirs) = short_timeout();
        let error = ours.write_all(&vec![0; 64 << 20]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        let error = ours.write_vectored(&[IoSlice::new(&[0])]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn reads_what_is_sent() {
        let (mut ours, mut theirs) = short_timeout();
        theirs.write_all(b"here").unwrap();
        drop(theirs);
        let mut received = String::new();
        ours.read_to_string(&mut received).unwrap();
        assert_eq!(received, "here");
    }
}
