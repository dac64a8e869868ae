//! Ctrl-C, and requests to end.

use std::io;
use std::process;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::watch;

use super::INTERRUPTED;
use crate::statements::script::Failure;

/// How long stopped statements may take to clean up.
pub const CLEAN_UP_TIMEOUT: Duration = Duration::from_millis(1500);

/// How long a commit that has begun may take to end.
pub const COMMIT_TIME: Duration = Duration::from_millis(300);

/// The maximum time until the program exits after an interrupt. A write to a pipe that nobody reads
/// would otherwise block it forever.
const EXIT_TIMEOUT: Duration = Duration::from_millis(1800);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Request {
    /// Ctrl-C, which ends a statement in an interactive session.
    Interrupt,
    /// A request to end, such as SIGTERM.
    Terminate,
}

/// Reports requests to end. Requests between two statements count for the next one.
#[derive(Debug, Clone)]
pub struct Interrupts(watch::Receiver<()>);

impl Interrupts {
    /// Listens on a separate thread: those of the queries and of the results may be busy.
    pub fn listen(interactive: bool) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (sender, receiver) = watch::channel(());
        let listen = move || {
            runtime.block_on(async {
                loop {
                    let request = tokio::select! {
                        request = request() => request,
                        () = sender.closed() => None,
                    };
                    let Some(request) = request else {
                        return;
                    };
                    sender.send_replace(());
                    if request == Request::Terminate || !interactive {
                        tokio::time::sleep(EXIT_TIMEOUT).await;
                        end_unless(sender.is_closed());
                    }
                }
            });
        };
        thread::Builder::new()
            .name("signals".into())
            .spawn(listen)?;
        Ok(Self(receiver))
    }

    /// Waits for a request.
    pub async fn received(&mut self) {
        if self.0.changed().await.is_err() {
            // Signals cannot be received. The system ends the process.
            std::future::pending().await
        }
    }

    /// Ignores earlier requests, which ended an earlier statement.
    pub fn forget(&mut self) {
        self.0.mark_unchanged();
    }
}

/// Ends the program, unless it is about to end by itself.
fn end_unless(is_extension: bool) {
    if !is_extension {
        corpus_staging::abandon_all(COMMIT_TIME);
        say!("error: {}", Failure::Interrupted(String::new()));
        process::exit(INTERRUPTED.into());
    }
}

/// Waits for the next request. `None` if signals cannot be received.
async fn request() -> Option<Request> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            return tokio::select! {
                interrupt = tokio::signal::ctrl_c() => interrupt.ok().map(|()| Request::Interrupt),
                _ = terminate.recv() => Some(Request::Terminate),
            };
        }
    }
    let interrupt = tokio::signal::ctrl_c().await;
    interrupt.ok().map(|()| Request::Interrupt)
}
