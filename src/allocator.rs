//! Parameters of the C library's allocator for memory that becomes free.

/// The free memory that each heap keeps, of which there are several for every core. Less shows in
/// the time, more does not.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: usize = 16 << 20;

/// A heap keeps at most the memory limit divided by this.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LIMIT_SHARE: usize = 64;

/// Lets the allocator keep what it would give back to the kernel and ask for again a moment later.
///
/// A batch takes some megabytes and is gone when the next one comes. By default that goes to and
/// from the kernel each time, which clears and maps every page of it anew: an eighth of a job
/// that does little else with its bytes.
#[cfg_attr(
    not(all(target_os = "linux", target_env = "gnu")),
    expect(unused_variables)
)]
pub fn keep_freed_memory(memory_limit: Option<usize>) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let kept = memory_limit.map_or(KEPT, |limit| KEPT.min(limit / LIMIT_SHARE));
        let kept = kept as libc::c_int;
        set(libc::M_TRIM_THRESHOLD, kept);
        // Smaller pieces come from a heap. glibc takes up to 32 MiB.
        set(libc::M_MMAP_THRESHOLD, 2 * kept);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the parameters of malloc can be set in C only")]
fn set(parameter: libc::c_int, value: libc::c_int) {
    // SAFETY: takes two numbers and refuses those it does not know, which changes nothing.
    unsafe { libc::mallopt(parameter, value) };
}

/// Gives all free memory back to the kernel, so that what one statement needed does not add to what
/// the next one needs.
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
