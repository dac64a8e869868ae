//! What a worker process may take, as the kernel enforces it.
//!
//! The engine has budgets of its own; this is for what they do not see: a loop in a library, an
//! allocation of a size that the file states, a recursion.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::model::Limits;

/// The engine's own deadline comes first, since it tells more. So much later the kernel acts.
const CPU_GRACE_SECONDS: u64 = 1;

/// What is larger than it was at the start by this is replaced: memory is fragmented, or leaks.
const GROWTH_BYTES: u64 = 256 << 20;

/// The limits of this process, which has to be a worker.
pub struct KernelLimits {
    memory: SoftLimit,
    cpu: SoftLimit,
    /// Kept open, since it is read after every document.
    stat: Option<File>,
    /// Bytes of address space at the start; not known where there is no /proc.
    at_start: Option<u64>,
    now: Option<u64>,
}

impl KernelLimits {
    pub fn new() -> Self {
        SoftLimit::of(Resource::Core).set(Some(0));
        // When the machine runs out of memory, a worker costs one document, and the query
        // everything. The name is what `top` shows: that of the link /proc/self/exe otherwise.
        // Neither is worth failing for.
        let _ = fs::write("/proc/self/oom_score_adj", "500");
        let _ = fs::write("/proc/self/comm", "pdf-worker");
        let stat = File::open("/proc/self/stat").ok();
        let at_start = stat.as_ref().and_then(address_space);
        Self {
            memory: SoftLimit::of(Resource::As),
            cpu: SoftLimit::of(Resource::Cpu),
            stat,
            at_start,
            now: at_start,
        }
    }

    /// For the next document. The memory that the process has is not part of what it may take, so
    /// that documents before this one do not count.
    pub fn limit(&self, limits: &Limits) {
        if let Some(now) = self.now {
            self.memory.set(now.checked_add(limits.memory_bytes));
        }
        let seconds = cpu_seconds().saturating_add(grace_seconds(limits));
        self.cpu.set(Some(seconds));
    }

    /// When a document is over. Otherwise what comes between two documents could be too much.
    pub fn unlimit(&mut self) {
        self.memory.set(None);
        self.cpu.set(None);
        self.now = self.stat.as_ref().and_then(address_space);
    }

    pub fn has_grown(&self) -> bool {
        match (self.at_start, self.now) {
            (Some(at_start), Some(now)) => now.saturating_sub(at_start) > GROWTH_BYTES,
            _ => false,
        }
    }
}

/// A limit that can be raised again, but not above the hard one, which may come from the user's
/// shell.
struct SoftLimit {
    resource: Resource,
    maximum: Option<u64>,
}

impl SoftLimit {
    fn of(resource: Resource) -> Self {
        let maximum = getrlimit(resource).maximum;
        Self { resource, maximum }
    }

    /// A limit that cannot be set leaves the others, and the engine's budgets.
    fn set(&self, value: Option<u64>) {
        let maximum = self.maximum;
        let current = match (value, maximum) {
            (Some(value), Some(maximum)) => Some(value.min(maximum)),
            (value, maximum) => value.or(maximum),
        };
        let _ = setrlimit(self.resource, Rlimit { current, maximum });
    }
}

/// The CPU time after which the kernel ends a worker, counted from the start of a document. The
/// kernel knows whole seconds only: it may be one second less.
pub fn grace_seconds(limits: &Limits) -> u64 {
    limits
        .cpu_ms
        .div_ceil(1000)
        .saturating_add(1 + CPU_GRACE_SECONDS)
}

/// That this process has used, whole seconds.
fn cpu_seconds() -> u64 {
    u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or(0)
}

fn address_space(stat: &File) -> Option<u64> {
    // One read gets all of it; a function that does not know this asks four times.
    let mut buffer = [0; 1024];
    let length = stat.read_at(&mut buffer, 0).ok()?;
    let stat = str::from_utf8(buffer.get(..length)?).ok()?;
    // The second field is the name, in parentheses, and may hold anything; the 23rd is meant.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(20)?.parse().ok()
}
