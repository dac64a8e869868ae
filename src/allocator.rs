//! How the C library's allocator deals with memory that becomes free.

/// Lets it keep what it would give back to the kernel and ask for again a moment later.
///
/// A batch takes some megabytes and is gone when the next one comes. By default that goes to and
/// from the kernel each time, which clears and maps every page of it anew: an eighth of a job
/// that does little else with its bytes.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Free memory at the end of a heap up to which it stays; there are several heaps for every
        /// core. Less shows in the time, more does not.
        const KEPT: libc::c_int = 16 << 20;
        /// Smaller pieces come from a heap; the most that glibc takes.
        const LARGE: libc::c_int = 32 << 20;
        set(libc::M_TRIM_THRESHOLD, KEPT);
        set(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the parameters of malloc can be set in C only")]
fn set(parameter: libc::c_int, value: libc::c_int) {
    // SAFETY: takes two numbers and refuses those it does not know, which changes nothing.
    unsafe { libc::mallopt(parameter, value) };
}
