//! Runs the commands in the documentation, and compares their output with the documented one.
//!
//! Blocks marked `sh` run in a shell and blocks marked `sql` in corpus-sql, one after the other, in
//! a folder with copies of data-samples/ and queries/ for each page. A block marked `text` that
//! follows one of them shows its output. `sh fails` must fail; `sh not-run` is not run. A block
//! marked `sql` that starts with a comment such as `-- job.sql` is not run but becomes that file.
//!
//! `UPDATE_EXPECTED=1` rewrites the output.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use tempfile::TempDir;

use super::pages::{Block, Page, lock_pages, pages};
use crate::support::root;

/// The folder for temporary folders, whose names are as long as [`SHOWN_FOLDER`], so that tables
/// stay aligned.
const PARENT: &str = "/tmp";
const PREFIX: &str = "docs-";

/// The folder that the documentation shows instead.
const SHOWN_FOLDER: &str = "/home/ada/corpus";

#[test]
fn the_commands_of_the_documentation_print_what_it_shows() {
    let _lock = lock_pages();
    let pages = Mutex::new(pages());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let next = pages.lock().unwrap().pop();
                    let Some(page) = next else { break };
                    let failed = run_page(&page);
                    failures.lock().unwrap().extend(failed);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Runs the commands of a page and returns its errors.
fn run_page(page: &Page) -> Vec<String> {
    let blocks = page.blocks();
    if !blocks.iter().any(is_run) {
        return Vec::new();
    }
    let folder = folder_with_samples();
    let update = env::var_os("UPDATE_EXPECTED").is_some();
    let mut updated = page.text.clone();
    let mut failures = Vec::new();
    let mut replaced = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let text = &page.text[block.range.clone()];
        if let Some(name) = file_name(block, text) {
            fs::write(folder.path().join(name), text).unwrap();
            continue;
        }
        if !is_run(block) {
            continue;
        }
        let (succeeded, output) = run(block, text, folder.path());
        if succeeded == (block.flags == "fails") {
            let name = page.name();
            failures.push(format!("{name}: exit code of\n{text}{output}"));
            continue;
        }
        let shown = blocks.get(at + 1);
        let Some(shown) = shown.filter(|next| next.language == "text" && next.follows_block) else {
            continue;
        };
        let expected = &page.text[shown.range.clone()];
        if stable(&output) == stable(expected) {
            continue;
        }
        if update {
            replaced.push((shown.range.clone(), output));
        } else {
            let name = page.name();
            failures.push(format!("{name}: the output of\n{text}is\n{output}"));
        }
    }
    for (range, output) in replaced.into_iter().rev() {
        updated.replace_range(range, &output);
    }
    if update && updated != page.text {
        fs::write(&page.path, updated).unwrap();
    }
    failures
}

fn is_run(block: &Block) -> bool {
    matches!(&*block.language, "sh" | "sql") && block.flags != "not-run"
}

/// Returns the name of the file as which a block of SQL is saved.
fn file_name<'a>(block: &Block, text: &'a str) -> Option<&'a str> {
    let name = text.lines().next()?.strip_prefix("-- ")?;
    let is_file = block.language == "sql" && name.ends_with(".sql") && !name.contains([' ', '/']);
    is_file.then_some(name)
}

/// Runs a block; returns whether it succeeded, and what it wrote to stdout and stderr.
fn run(block: &Block, text: &str, folder: &Path) -> (bool, String) {
    let binary = Path::new(env!("CARGO_BIN_EXE_corpus-sql"));
    let mut command = if block.language == "sql" {
        let mut command = Command::new(binary);
        command.args(["--quiet", "-c", text]);
        command
    } else {
        let mut command = Command::new("sh");
        command.args(["-ec", &format!("exec 2>&1\n{text}")]);
        command
    };
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("AWS_") || name.starts_with("DATAFUSION_") {
            command.env_remove(&*name);
        }
    }
    let output = command
        .current_dir(folder)
        .env("PATH", path_with(binary.parent().unwrap()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    text.push_str(&String::from_utf8(output.stderr).unwrap());
    let text = text.replace(&*folder.to_string_lossy(), SHOWN_FOLDER);
    let lines = text.lines().filter(|line| !depends_on_time(line));
    let text = lines.map(|line| format!("{line}\n")).collect();
    (output.status.success(), text)
}

fn path_with(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_owned()]
        .into_iter()
        .chain(env::split_paths(&path));
    env::join_paths(folders).unwrap()
}

fn folder_with_samples() -> TempDir {
    let random = SHOWN_FOLDER.len() - PARENT.len() - 1 - PREFIX.len();
    let folder = tempfile::Builder::new()
        .prefix(PREFIX)
        .rand_bytes(random)
        .tempdir_in(PARENT)
        .unwrap();
    for name in ["data-samples", "queries"] {
        copy_folder(&root().join(name), &folder.path().join(name));
    }
    folder
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target: PathBuf = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Whether a line appears only in long runs: progress, and the summary of a run that read no files.
fn depends_on_time(line: &str) -> bool {
    let is_progress = line.split_once(':').is_some_and(|(duration, _)| {
        let unit = duration.trim_start_matches(|c: char| c.is_ascii_digit());
        unit != duration && matches!(unit, " seconds" | " minute" | " minutes")
    });
    is_progress || (line.contains(", peak memory ") && !line.contains(" read, "))
}

/// Returns the output without parts that vary between runs: seconds, memory, and the number and
/// sizes of written files.
fn stable(output: &str) -> String {
    let line = |line: &str| {
        let mut parts: Vec<_> = line.split(", ").collect();
        if line.contains(", peak memory ") {
            parts.truncate(parts.len().saturating_sub(2));
        } else if line.contains(" written to ") {
            parts.truncate(1);
        }
        parts.join(", ")
    };
    output.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn times_and_sizes_do_not_count() {
    let output = "1 file, 2 records, 0 errors, 0.1 s, peak memory 5.00 MiB\n\
                  3 rows written to a.parquet, 1.00 KiB\n| a, b |\n";
    let expected = "1 file, 2 records, 0 errors\n3 rows written to a.parquet\n| a, b |";
    assert_eq!(stable(output), expected);
    assert!(depends_on_time("10 seconds: 50 % of 2.00 KiB, 12 records"));
    assert!(depends_on_time(
        "5 rows returned, 1.2 s, peak memory 1.00 MiB"
    ));
    assert!(!depends_on_time(
        "1 file, 5 B read, 1.2 s, peak memory 1.00 MiB"
    ));
    assert!(!depends_on_time("2 minutes"));
}
