//! A real scheduler and real executors on this machine: queries give the same results as without a
//! cluster, and jobs survive the loss of executors.

use std::fmt::Write as FmtWrite;
use std::fs;
use std::io::{BufRead, BufReader, Write as IoWrite};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use corpus_sql::cluster::Cluster;
use tempfile::TempDir;

use super::queries::{Execution, check_all_queries};
use super::support::{Ran, corpus_sql, ran, root};

/// How long a process of a cluster may take to start, or to end a job that cannot go on.
const PATIENCE: Duration = Duration::from_secs(120);

/// Queries that cannot run on a cluster, and why.
const NOT_DISTRIBUTED: [(&str, &str); 0] = [];

/// Processes that end with the test.
struct Processes {
    scheduler: Child,
    executors: Vec<Child>,
    address: String,
    folder: TempDir,
}

impl Processes {
    fn start(executors: usize) -> Self {
        let mut scheduler = corpus_sql()
            .args([
                "scheduler",
                "--listen",
                "127.0.0.1:0",
                "--executor-timeout",
                "10",
            ])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(scheduler.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let address = line.strip_prefix("scheduler at ").expect(&line).to_owned();
        thread::spawn(move || lines.for_each(|line| eprintln!("scheduler: {}", line.unwrap())));
        let mut processes = Self {
            scheduler,
            executors: Vec::new(),
            address,
            folder: tempfile::tempdir().unwrap(),
        };
        for _ in 0..executors {
            processes.add_executor();
        }
        processes
    }

    fn add_executor(&mut self) {
        let port = two_free_ports();
        let temporary = self.temporary();
        fs::create_dir_all(&temporary).unwrap();
        let executor = corpus_sql()
            .args(["executor", "--slots", "1", "--memory-limit", "1GB"])
            .args([
                "--scheduler",
                &self.address,
                "--listen",
                &format!("127.0.0.1:{port}"),
            ])
            .arg("--temp-dir")
            .arg(temporary)
            .spawn()
            .unwrap();
        self.executors.push(executor);
        let expected = self.executors.len();
        let cluster: Cluster = self.address.parse().unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        wait_until("executors are there", || {
            let status = runtime.block_on(cluster.status());
            status.is_ok_and(|status| status.executors == expected)
        });
    }

    /// The folder for shuffled and spilled data.
    fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    fn output(&self) -> String {
        format!("{}/", self.folder.path().join("output").display())
    }

    fn client(&self) -> Command {
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

fn two_free_ports() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        if port < u16::MAX && TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return port;
        }
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "not yet: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Writes archives of web pages, so large that a job takes some seconds.
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

/// The number of rows, of different ones, and their total length.
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

#[test]
fn all_queries_give_the_same_results_on_a_cluster() {
    let cluster = Processes::start(2);
    let execution = Execution {
        options: vec!["--cluster".to_owned(), cluster.address.clone()],
        without: NOT_DISTRIBUTED.map(|(name, _)| name).to_vec(),
    };
    check_all_queries(&execution);
}

#[test]
fn all_executors_write_parts_with_the_names_and_rows_of_a_local_run() {
    let cluster = Processes::start(2);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 12, 20);
    let local = format!("{}/", cluster.folder.path().join("local").display());
    let output = cluster.output();
    let without = ran(warc_to_document(corpus_sql(), &input, &local)
        .arg("--resume")
        .output()
        .unwrap());
    without.succeeded();
    let with = ran(warc_to_document(cluster.client(), &input, &output)
        .output()
        .unwrap());
    with.succeeded();
    let names = |folder: &str| {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&output), names(&local));
    assert_eq!(totals(&output), totals(&local));
    for expected in ["12 files", "240 records", "240 rows", "0 errors"] {
        assert!(
            with.stderr.contains(expected),
            "{expected}: {}",
            with.stderr
        );
    }
    // A local run continues what the cluster has written.
    fs::remove_file(PathBuf::from(&output).join(names(&output).remove(0))).unwrap();
    let again = ran(warc_to_document(corpus_sql(), &input, &output)
        .arg("--resume")
        .output()
        .unwrap());
    again.succeeded();
    assert!(again.stderr.contains("1 file,"), "{}", again.stderr);
    assert_eq!(totals(&output), totals(&local));
}

#[test]
fn a_job_ends_complete_although_an_executor_is_killed() {
    let mut cluster = Processes::start(2);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 30, 100);
    let output = cluster.output();
    let client = warc_to_document(cluster.client(), &input, &output)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a part appears", || parts(&output) > 0);
    cluster.executors[0].kill().unwrap();
    let before = parts(&output);
    assert!(before < 30, "the job was too fast");
    ran(client.wait_with_output().unwrap()).succeeded();
    assert_eq!(parts(&output), 30);
    let totals = totals(&output);
    assert!(totals.contains("3000,3000,"), "{totals}");
    let rest = fs::read_dir(cluster.folder.path()).unwrap();
    let rest: Vec<_> = rest.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(rest.len(), 3, "{rest:?}");
}

#[test]
fn without_executors_a_job_fails_and_is_resumed() {
    let mut cluster = Processes::start(1);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 20, 100);
    let output = cluster.output();
    let client = warc_to_document(cluster.client(), &input, &output)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a part appears", || parts(&output) > 0);
    cluster.executors[0].kill().unwrap();
    let failed = ran(client.wait_with_output().unwrap());
    failed.failed(1, ["executor"]);
    let done = parts(&output);
    assert!((1..20).contains(&done), "{done}");

    cluster
        .run("SELECT count(*) FROM read_warc('data-samples/web/')")
        .failed(1, ["has no executors", "corpus-sql executor"]);

    cluster.executors.clear();
    cluster.add_executor();
    let resumed = ran(warc_to_document(cluster.client(), &input, &output)
        .output()
        .unwrap());
    resumed.succeeded();
    assert!(
        resumed.stderr.contains(&format!("{} files", 20 - done)),
        "{}",
        resumed.stderr
    );
    assert!(
        totals(&output).contains("2000,2000,"),
        "{}",
        totals(&output)
    );
}

#[test]
fn bodies_never_cross_a_shuffle() {
    let cluster = Processes::start(2);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 10, 40);
    let read: u64 = fs::read_dir(&input)
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    let largest = AtomicU64::new(0);
    let is_done = AtomicU64::new(0);
    let sql = format!(
        "SELECT count(*) FROM (
             SELECT text_hash(html_document(http['body'], http['charset'])) AS hash, count(*)
             FROM (SELECT http_response(body) AS http FROM read_warc('{}'))
             GROUP BY 1)",
        input.display()
    );
    thread::scope(|scope| {
        scope.spawn(|| {
            while is_done.load(Ordering::Relaxed) == 0 {
                largest.fetch_max(size(&cluster.temporary()), Ordering::Relaxed);
            }
        });
        let ran = cluster.run(&sql);
        is_done.store(1, Ordering::Relaxed);
        assert!(ran.succeeded().contains("400"), "{}", ran.stdout);
    });
    let largest = largest.into_inner();
    assert!(largest > 0, "no shuffle was seen");
    assert!(largest < read / 20, "{largest} bytes shuffled of {read}");
}

/// The bytes of all files below a folder, in which files come and go.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[test]
fn messages_say_what_a_cluster_needs() {
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let run = |args: &[&str]| ran(corpus_sql().args(args).output().unwrap());
    run(&["--cluster", &nobody.to_string(), "-c", "SELECT 1"])
        .failed(1, ["no scheduler at", "corpus-sql scheduler"]);
    run(&["--cluster", "http://a:1", "-c", "SELECT 1"]).failed(2, ["expected df://HOST:PORT"]);
    run(&["scheduler", "--listen", "0.0.0.0:0"]).failed(2, ["--trust-network"]);
    run(&["scheduler", "--listen", "0.0.0.0:0", "--trust-network"]).failed(2, ["--host"]);
    run(&["executor", "--scheduler", "192.0.2.1:50050"]).failed(2, ["listen on an address"]);

    let cluster = Processes::start(1);
    cluster
        .run("EXPLAIN ANALYZE SELECT count(*) FROM read_warc('data-samples/web/')")
        .failed(1, ["EXPLAIN ANALYZE", "without --cluster"]);
    cluster
        .run("SELECT nothing FROM read_warc('data-samples/web/')")
        .failed(1, ["nothing"]);
    // What fails on an executor is reported as without a cluster.
    cluster
        .run("SET corpus.on_error = 'fail'; SELECT count(*) FROM read_warc('data-samples/damaged-warc/')")
        .failed(1, ["data-samples/damaged-warc/"]);
}

/// Answers one request as a scheduler of another version.
fn other_version() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = BufReader::new(stream.try_clone().unwrap()).lines();
        while request.next().is_some_and(|line| !line.unwrap().is_empty()) {}
        let body = r#"{"version":"0.0.1 (revision 0)","executors":1,"slots":1}"#;
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain";
        let length = body.len();
        stream
            .write_all(format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}").as_bytes())
            .unwrap();
    });
    address
}

#[test]
fn processes_of_another_version_are_refused() {
    let run = |args: &[&str]| ran(corpus_sql().args(args).output().unwrap());
    let messages = ["0.0.1 (revision 0)", "same version"];
    run(&["--cluster", &other_version(), "-c", "SELECT 1"]).failed(1, messages);
    run(&["executor", "--scheduler", &other_version()]).failed(1, messages);
}

#[test]
fn a_job_fails_when_its_scheduler_is_lost() {
    let mut cluster = Processes::start(1);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 40, 100);
    let output = cluster.output();
    let client = warc_to_document(cluster.client(), &input, &output)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a part appears", || parts(&output) > 0);
    cluster.scheduler.kill().unwrap();
    let address = cluster.address.clone();
    ran(client.wait_with_output().unwrap()).failed(1, ["lost the scheduler", &address]);
}

#[test]
fn settings_and_counters_travel() {
    let cluster = Processes::start(2);
    let sql = "SET corpus.on_error = 'skip'; SELECT count(*) FROM read_warc('data-samples/damaged-warc/')";
    let with = cluster.run(sql);
    let without = ran(corpus_sql().args(["-c", sql]).output().unwrap());
    assert_eq!(with.succeeded(), without.succeeded());
    let errors = |ran: &Ran| -> Vec<String> {
        let lines = ran.stderr.lines().filter(|line| line.contains('×'));
        lines.map(str::to_owned).collect()
    };
    assert!(!errors(&without).is_empty());
    assert_eq!(errors(&with), errors(&without));
    assert!(
        with.stderr
            .contains(without.stderr.split(" read").next().unwrap()),
        "{} {}",
        with.stderr,
        without.stderr
    );
}

#[test]
fn an_interrupted_client_cancels_its_job() {
    let cluster = Processes::start(1);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 40, 100);
    let output = cluster.output();
    let client = warc_to_document(cluster.client(), &input, &output)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a part appears", || parts(&output) > 0);
    let interrupted = Command::new("kill")
        .args(["-INT", &client.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    ran(client.wait_with_output().unwrap()).failed(130, []);
    // The only slot is free for another job.
    let next = cluster.run("SELECT count(*) FROM read_warc('data-samples/web/')");
    assert!(next.succeeded().contains("19"), "{}", next.stdout);
    let done = parts(&output);
    assert!(done < 40, "the job was not cancelled");
    let folder = fs::read_dir(cluster.folder.path()).unwrap();
    let staging = folder.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().contains(".part-")
    });
    assert_eq!(staging.count(), 0);
}

#[test]
fn inputs_with_errors_are_processed_again_on_a_cluster() {
    let cluster = Processes::start(2);
    let input = cluster.folder.path().join("input");
    fs::create_dir_all(&input).unwrap();
    for archive in ["crawl.warc.gz", "plain.warc"] {
        fs::copy(
            root().join("data-samples/warc").join(archive),
            input.join(archive),
        )
        .unwrap();
    }
    let damaged = fs::read(input.join("crawl.warc.gz")).unwrap();
    fs::write(input.join("damaged.warc.gz"), &damaged[..damaged.len() / 2]).unwrap();
    let copy = |folder: &str| {
        format!(
            "COPY (SELECT source_file, target_uri, error FROM read_warc('{}')) TO '{folder}' STORED \
             AS PARQUET",
            input.display()
        )
    };
    let rows = |folder: &str| {
        let sql = format!("SELECT * FROM '{folder}' ORDER BY source_file, target_uri, error");
        let ran = ran(corpus_sql()
            .args(["-q", "--format", "csv", "-c", &sql])
            .output()
            .unwrap());
        ran.succeeded().to_owned()
    };
    let output = cluster.output();
    cluster.run(&copy(&output)).succeeded();
    let local = format!("{}/", cluster.folder.path().join("local").display());
    let command = copy(&local);
    ran(corpus_sql()
        .args(["--resume", "-c", &command])
        .output()
        .unwrap())
    .succeeded();
    assert_eq!(rows(&output), rows(&local));
    let mut again = cluster.client();
    let again = ran(again
        .args(["--retry-errors", "-c", &copy(&output)])
        .output()
        .unwrap());
    again.succeeded();
    assert!(
        again.stderr.contains("2 inputs: done before"),
        "{}",
        again.stderr
    );
    assert_eq!(rows(&output), rows(&local));
    // A file that has changed replaces its rows only.
    fs::write(input.join("damaged.warc.gz"), &damaged).unwrap();
    cluster.run(&copy(&output)).succeeded();
    ran(corpus_sql()
        .args(["--resume", "-c", &command])
        .output()
        .unwrap())
    .succeeded();
    assert_eq!(rows(&output), rows(&local));
}
