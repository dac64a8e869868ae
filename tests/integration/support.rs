//! Helpers shared by the tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The built binary, run in the root folder of the project.
pub fn corpus_sql() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_corpus-sql"));
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Makes sessions in this process start the built binary to read PDFs, because the test binary is
/// not a worker.
pub fn use_built_binary_as_worker() {
    #[cfg(feature = "pdf")]
    corpus_pdf::isolation::use_worker_binary(env!("CARGO_BIN_EXE_corpus-sql").into());
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The output of a run and its exit code.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

pub fn run<const N: usize>(args: [&str; N]) -> Ran {
    ran(corpus_sql().args(args).output().unwrap())
}

pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ran {
    /// Returns stdout; the run must have succeeded.
    #[track_caller]
    pub fn succeeded(&self) -> &str {
        assert_eq!(self.code, Some(0), "stderr: {}", self.stderr);
        &self.stdout
    }

    /// Checks that stderr contains a message.
    #[track_caller]
    pub fn reports(&self, message: &str) {
        let stderr = &self.stderr;
        assert!(
            stderr.contains(message),
            "{message:?} is missing in: {stderr}"
        );
    }

    /// Checks the exit code, and that stderr contains all messages.
    #[track_caller]
    pub fn failed<const N: usize>(&self, code: i32, messages: [&str; N]) {
        assert_eq!(self.code, Some(code), "stderr: {}", self.stderr);
        for message in messages {
            self.reports(message);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

/// The optional features of this build.
pub fn features() -> impl Iterator<Item = &'static str> {
    let all = [
        ("cloud", cfg!(feature = "cloud")),
        ("pdf", cfg!(feature = "pdf")),
        ("search", cfg!(feature = "search")),
    ];
    all.into_iter()
        .filter(|(_, built)| *built)
        .map(|(name, _)| name)
}

/// Whether this build has the functions that an SQL file needs, judging by its name.
pub fn is_built(file: &Path) -> bool {
    let name = file.file_name().unwrap().to_string_lossy();
    let missing = |feature| name.contains(feature) && !features().any(|built| built == feature);
    !missing("pdf") && !missing("search")
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The files in a folder of the project, sorted.
pub fn files_in(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no {extension} in {folder}");
    files
}

/// Waits for an event of another process, which comes in milliseconds.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    const TIMEOUT: Duration = Duration::from_secs(120);
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < TIMEOUT, "not yet: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
