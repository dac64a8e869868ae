//! Detects that the process was started without stdout (`>&-`). The standard library then opens
//! `/dev/null` in its place before `main`, and results would be lost without an error.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether stdout was closed before the standard library opened it.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "runs before the standard library's start")]
mod at_start {
    use super::{IS_CLOSED, Ordering};

    /// The system calls the functions of this section before `main`.
    #[used]
    // SAFETY: the section holds pointers to functions without results.
    #[unsafe(link_section = ".init_array")]
    static CHECK: extern "C" fn() = check;

    extern "C" fn check() {
        // SAFETY: only asks for the flags of a descriptor, which may be closed.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        IS_CLOSED.store(flags == -1, Ordering::Relaxed);
    }
}

/// Stdout, which fails if the process has none.
pub struct Stdout(io::Stdout);

impl Stdout {
    pub fn new() -> Self {
        Self(io::stdout())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if IS_CLOSED.load(Ordering::Relaxed) {
            return Err(io::Error::other("it is closed"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
