//! Controls how the C library's allocator handles freed memory.

/// The free memory that each heap retains. There are several heaps per core. Lower values are
/// slower, higher ones are not faster.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAX_RETAINED_BYTES: usize = 16 << 20;

/// A heap retains at most the memory limit divided by this.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LIMIT_DIVISOR: usize = 64;

/// Lets the allocator retain memory that it would return to the kernel and request again soon.
///
/// A batch has some megabytes and is freed before the next one is allocated. By default the memory
/// is returned to the kernel each time, which then clears and maps every page again. In a job that
/// does little with its bytes, this took an eighth of the time.
#[cfg_attr(
    not(all(target_os = "linux", target_env = "gnu")),
    expect(unused_variables)
)]
pub fn keep_freed_memory(memory_limit: Option<usize>) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let kept = memory_limit.map_or(MAX_RETAINED_BYTES, |limit| {
            MAX_RETAINED_BYTES.min(limit / LIMIT_DIVISOR)
        });
        let kept = kept as libc::c_int;
        set(libc::M_TRIM_THRESHOLD, kept);
        // Smaller blocks are allocated on a heap. glibc accepts thresholds up to 32 MiB.
        set(libc::M_MMAP_THRESHOLD, 2 * kept);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the parameters of malloc can be set in C only")]
fn set(parameter: libc::c_int, value: libc::c_int) {
    // SAFETY: takes two numbers, and rejects unknown parameters without any effect.
    unsafe { libc::mallopt(parameter, value) };
}

/// Returns all free memory to the kernel, so that the memory of one statement does not add to that
/// of the next one.
#[cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "a function of the C library")
)]
pub fn give_back_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: has no preconditions, and changes no memory that is in use.
    unsafe {
        libc::malloc_trim(0)
    };
}
