//! A real scheduler and real executors on this machine: queries return the same results as without
//! a cluster, and jobs survive the loss of executors.
//!
//! ```text
//! results       the same results as without a cluster
//! parts         written parts, which later runs continue
//! losses        processes that die
//! messages      versions, missing processes, unsupported statements
//! access        tokens and certificates
//! fuzzed_ports  arbitrary bytes
//! ```

mod access;
mod fuzzed_ports;
mod losses;
mod messages;
mod parts;
mod results;

use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use corpus_sql::cluster::{Access, AccessFiles, Cluster};
use tempfile::TempDir;

use crate::support::{Ran, corpus_sql, ran, wait_until};

/// Processes that end with the test.
struct Processes {
    scheduler: Child,
    executors: Vec<Child>,
    /// The first port of each executor.
    ports: Vec<u16>,
    address: String,
    folder: TempDir,
    /// The options for the token and the certificates of all processes.
    access: Vec<String>,
    /// The log of the scheduler.
    log: Arc<Mutex<String>>,
}

impl Processes {
    fn start(executors: usize) -> Self {
        Self::start_with(executors, tempfile::tempdir().unwrap(), &[])
    }

    fn start_with(executors: usize, folder: TempDir, access: &[String]) -> Self {
        let log = Arc::default();
        let (scheduler, address) = scheduler("127.0.0.1:0", access, &log);
        let mut processes = Self {
            scheduler,
            executors: Vec::new(),
            ports: Vec::new(),
            address,
            folder,
            access: access.to_vec(),
            log,
        };
        for _ in 0..executors {
            processes.add_executor();
        }
        processes
    }

    fn restart_scheduler(&mut self) {
        (self.scheduler, _) = scheduler(&self.address, &self.access, &self.log);
    }

    fn add_executor(&mut self) {
        fs::create_dir_all(self.temporary()).unwrap();
        let (executor, port) = self.executor();
        self.executors.push(executor);
        self.ports.push(port);
        let last = self.executors.len() - 1;
        let files = |name: &str| {
            let at = self.access.iter().position(|option| option == name);
            at.map(|at| PathBuf::from(&self.access[at + 1]))
        };
        let access = Access::read(AccessFiles {
            token: files("--token-file"),
            tls_cert: files("--tls-cert"),
            tls_key: files("--tls-key"),
            tls_ca: files("--tls-ca"),
        });
        let cluster: Cluster = self.address.parse().unwrap();
        let cluster = cluster.with_access(access.unwrap());
        let runtime = tokio::runtime::Runtime::new().unwrap();
        wait_until("executors are there", || {
            // Another test may have taken the port.
            if self.executors[last].try_wait().unwrap().is_some() {
                (self.executors[last], self.ports[last]) = self.executor();
            }
            let status = runtime.block_on(cluster.status());
            status.is_ok_and(|status| status.executors == last + 1)
        });
    }

    fn executor(&self) -> (Child, u16) {
        let port = two_free_ports();
        let executor = corpus_sql()
            .args(["executor", "--slots", "1", "--memory-limit", "1GB"])
            .args(["--scheduler", &self.address])
            .args(["--listen", &format!("127.0.0.1:{port}")])
            .args(&self.access)
            .arg("--temp-dir")
            .arg(self.temporary())
            .spawn()
            .unwrap();
        (executor, port)
    }

    /// The addresses of all ports.
    fn addresses(&self) -> Vec<String> {
        let executors = self.ports.iter().flat_map(|port| [*port, port + 1]);
        let executors = executors.map(|port| format!("127.0.0.1:{port}"));
        std::iter::once(self.address.clone())
            .chain(executors)
            .collect()
    }

    /// The folder for shuffled and spilled data.
    fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    fn output(&self) -> String {
        format!("{}/", self.folder.path().join("output").display())
    }

    fn client(&self) -> Command {
        let mut command = self.client_without_access();
        command.args(&self.access);
        command
    }

    fn client_without_access(&self) -> Command {
        let mut command = corpus_sql();
        command.args(["--cluster", &format!("df://{}", self.address)]);
        command
    }

    fn run(&self, sql: &str) -> Ran {
        ran(self.client().args(["-c", sql]).output().unwrap())
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for process in self.executors.iter_mut().chain([&mut self.scheduler]) {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

fn scheduler(listen: &str, access: &[String], log: &Arc<Mutex<String>>) -> (Child, String) {
    let mut scheduler = corpus_sql()
        .args([
            "scheduler",
            "--listen",
            listen,
            "--executor-timeout",
            "10",
            "--verbose",
        ])
        .args(access)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(scheduler.stderr.take().unwrap()).lines();
    let address = loop {
        let line = lines.next().unwrap().unwrap();
        if let Some(address) = line.strip_prefix("scheduler at ") {
            break address.to_owned();
        }
    };
    let log = Arc::clone(log);
    thread::spawn(move || {
        for line in lines {
            let mut log = log.lock().unwrap();
            log.push_str(&line.unwrap());
            log.push('\n');
        }
    });
    (scheduler, address)
}

fn two_free_ports() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        if port < u16::MAX && TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return port;
        }
    }
}

/// Writes archives of web pages that are large enough for a job of some seconds.
fn write_archives(folder: &Path, archives: usize, pages: usize) {
    fs::create_dir_all(folder).unwrap();
    for archive in 0..archives {
        let mut text = String::new();
        for page in 0..pages {
            let mut body = String::from("<html><body>");
            for paragraph in 0..400 {
                let _ = write!(
                    body,
                    "<p>Paragraph {paragraph} of page {page} in {archive}: some words of text</p>"
                );
            }
            let http = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let _ = write!(
                text,
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{archive:08}-0000-0000-0000-{page:012}>\r\n\
                 WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://example.org/{archive}/{page}\r\n\
                 Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
                http.len()
            );
        }
        fs::write(folder.join(format!("pages-{archive:03}.warc")), text).unwrap();
    }
}

fn parts(folder: &str) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".parquet")).count()
}

/// Returns the number of rows, the number of distinct rows, and their total length.
fn totals(folder: &str) -> String {
    let sql =
        format!("SELECT count(*), count(DISTINCT url), sum(length(document)) FROM '{folder}'");
    let ran = ran(corpus_sql()
        .args(["-q", "--format", "csv", "-c", &sql])
        .output()
        .unwrap());
    ran.succeeded().to_owned()
}

fn warc_to_document(mut command: Command, input: &Path, output: &str) -> Command {
    command.args(["-f", "queries/warc_to_document.sql"]);
    command.arg("-v").arg(format!("input={}", input.display()));
    command.arg("-v").arg(format!("output={output}"));
    command
}
