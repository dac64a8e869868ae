//! The version that all processes of a cluster must share.

use std::sync::LazyLock;

/// The version of the program, with the revision of the functions, because results depend on both.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let version = env!("CARGO_PKG_VERSION");
    format!("{version} (revision {})", corpus_udfs::REVISION)
});

/// Advice about a process of another version.
pub const ADVICE: &str = "use the same version on all machines";

/// The message about a process of another version.
pub fn mismatch(other: &str, version: &str) -> String {
    format!(
        "{other} is corpus-sql {version}, but this is {}: {ADVICE}",
        *VERSION
    )
}
