//! Limits of a worker process that the kernel enforces.
//!
//! The engine has its own budgets. These limits stop what the budgets do not see: a loop in a
//! library, an allocation whose size comes from the file, a recursion.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::model::Limits;

/// Grace period between the engine's own deadline, whose error is more precise, and the kernel's
/// limit.
const CPU_GRACE_SECONDS: u64 = 1;

/// A worker that has grown by this much is replaced, because its memory is fragmented or leaks.
const MAX_GROWTH_BYTES: u64 = 256 << 20;

/// The limits of the current process, which must be a worker.
pub struct KernelLimits {
    memory: SoftLimit,
    cpu: SoftLimit,
    /// `/proc/self/stat`. Kept open, since it is read after every document.
    stat: Option<File>,
    /// The address space at the start, in bytes; `None` where there is no `/proc`.
    initial_bytes: Option<u64>,
    /// The address space after the last document.
    current_bytes: Option<u64>,
}

impl KernelLimits {
    pub fn new() -> Self {
        SoftLimit::new(Resource::Core).set(Some(0));
        // When the machine runs out of memory, killing a worker costs one document; killing the
        // parent would cost the query. `comm` is the name that `top` shows; otherwise it would be
        // that of the link `/proc/self/exe`. Neither is essential, so errors are ignored.
        let _ = fs::write("/proc/self/oom_score_adj", "500");
        let _ = fs::write("/proc/self/comm", "pdf-worker");
        let stat = File::open("/proc/self/stat").ok();
        let initial_bytes = stat.as_ref().and_then(address_space_bytes);
        Self {
            memory: SoftLimit::new(Resource::As),
            cpu: SoftLimit::new(Resource::Cpu),
            stat,
            initial_bytes,
            current_bytes: initial_bytes,
        }
    }

    /// Sets the limits for the next document. The memory that the process already uses does not
    /// count, so that earlier documents do not reduce the limit.
    pub fn apply(&self, limits: &Limits) {
        if let Some(current) = self.current_bytes {
            self.memory.set(current.checked_add(limits.memory_bytes));
        }
        let seconds = cpu_seconds().saturating_add(grace_seconds(limits));
        self.cpu.set(Some(seconds));
    }

    /// Lifts the limits between two documents, where they could stop the exchange with the parent.
    pub fn lift(&mut self) {
        self.memory.set(None);
        self.cpu.set(None);
        self.current_bytes = self.stat.as_ref().and_then(address_space_bytes);
    }

    /// Whether the process uses so much more memory than at the start that it should be replaced.
    pub fn has_grown(&self) -> bool {
        match (self.initial_bytes, self.current_bytes) {
            (Some(initial), Some(current)) => current.saturating_sub(initial) > MAX_GROWTH_BYTES,
            _ => false,
        }
    }
}

/// A soft limit: it can be raised again, up to the hard limit, which may come from the user's
/// shell.
struct SoftLimit {
    resource: Resource,
    maximum: Option<u64>,
}

impl SoftLimit {
    fn new(resource: Resource) -> Self {
        let maximum = getrlimit(resource).maximum;
        Self { resource, maximum }
    }

    /// Sets the limit, or removes it for `None`. Errors are ignored: the other limits and the
    /// engine's budgets remain.
    fn set(&self, value: Option<u64>) {
        let maximum = self.maximum;
        let current = match (value, maximum) {
            (Some(value), Some(maximum)) => Some(value.min(maximum)),
            (value, maximum) => value.or(maximum),
        };
        let _ = setrlimit(self.resource, Rlimit { current, maximum });
    }
}

/// The CPU time after which the kernel kills a worker, from the start of a document. The kernel
/// counts whole seconds, so the real limit may be up to one second less.
pub fn grace_seconds(limits: &Limits) -> u64 {
    limits
        .cpu_ms
        .div_ceil(1000)
        .saturating_add(1 + CPU_GRACE_SECONDS)
}

/// The CPU time that this process has used, in whole seconds.
fn cpu_seconds() -> u64 {
    u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or(0)
}

/// The size of the address space, field 23 of `/proc/self/stat`.
fn address_space_bytes(stat: &File) -> Option<u64> {
    // A single read returns the whole file; `fs::read` would make four system calls.
    let mut buffer = [0; 1024];
    let length = stat.read_at(&mut buffer, 0).ok()?;
    let stat = str::from_utf8(buffer.get(..length)?).ok()?;
    // The second field is the name, in parentheses, and may contain anything. After it, `nth(20)`
    // is field 23.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(20)?.parse().ok()
}
