//! Queries the operating system and its file systems.

use std::path::Path;

/// Identifies the running system. Containers on the same kernel share it; it changes on a restart.
pub fn system() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .ok()
        .or_else(|| sysinfo::System::host_name().ok())
        .map_or_else(String::new, |name| name.trim().to_owned())
}

/// Exchanges two folders in one step, if the file system supports that.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn exchange(first: &Path, second: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, first, CWD, second, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn exchange(_first: &Path, _second: &Path) -> bool {
    false
}

/// Whether no other machine can have files open in a folder. Unknown file systems may be shared.
#[cfg(target_os = "linux")]
pub fn is_local_disk(path: &Path) -> bool {
    /// The types that `statfs` reports for ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS
    /// and bcachefs.
    const LOCAL_TYPES: &[i64] = &[
        0xef53,
        0x5846_5342,
        0x9123_683e,
        0x0102_1994,
        0x794c_7630,
        0x2fc1_2fc1,
        0xf2f5_2010,
        0xca45_1a4e,
    ];
    // The field's type differs between architectures.
    #[allow(clippy::unnecessary_cast)]
    let kind = rustix::fs::statfs(path).map(|found| found.f_type as i64);
    kind.is_ok_and(|kind| LOCAL_TYPES.contains(&kind))
}

#[cfg(not(target_os = "linux"))]
pub fn is_local_disk(_path: &Path) -> bool {
    false
}
