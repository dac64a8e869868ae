//! Packs relocations, which saves 6 MB, if the C library of this machine can unpack them.

use std::env;
use std::process::Command;

/// The first version of glibc that unpacks relocations.
const UNPACKS: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    // A configured linker may link with the C library of another machine.
    let is_for_this_machine =
        env::var("HOST").is_ok_and(|host| host == target) && env::var_os("RUSTC_LINKER").is_none();
    if is_for_this_machine
        && target.ends_with("-linux-gnu")
        && glibc_version().is_some_and(|version| version >= UNPACKS)
    {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version that `getconf` prints, such as "glibc 2.36".
fn glibc_version() -> Option<(u32, u32)> {
    let output = Command::new("getconf")
        .arg("GNU_LIBC_VERSION")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
