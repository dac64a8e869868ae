//! Processes that die in the middle of a job.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::{Processes, parts, totals, warc_to_document, write_archives};
use crate::support::ran;
use crate::support::wait_until;

/// A cluster in the middle of a job: the first part has appeared.
struct Running {
    cluster: Processes,
    client: Child,
    input: PathBuf,
    output: String,
}

impl Running {
    fn start(executors: usize, archives: usize) -> Self {
        let cluster = Processes::start(executors);
        let input = cluster.folder.path().join("input");
        write_archives(&input, archives, 100);
        let output = cluster.output();
        let client = warc_to_document(cluster.client(), &input, &output)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until("a part appears", || parts(&output) > 0);
        Self {
            cluster,
            client,
            input,
            output,
        }
    }
}

#[test]
fn a_job_ends_complete_although_an_executor_is_killed() {
    let Running {
        mut cluster,
        client,
        output,
        ..
    } = Running::start(2, 30);
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
fn an_executor_that_comes_later_gets_work() {
    let Running {
        mut cluster,
        client,
        output,
        ..
    } = Running::start(1, 30);
    cluster.add_executor();
    let before = parts(&output);
    assert!(before < 30, "the job was too fast");
    // Only the other executor can finish the job.
    cluster.executors[0].kill().unwrap();
    cluster.executors[0].wait().unwrap();
    ran(client.wait_with_output().unwrap()).succeeded();
    assert_eq!(parts(&output), 30);
}

#[test]
fn without_executors_a_job_fails_and_is_resumed() {
    let Running {
        mut cluster,
        client,
        input,
        output,
    } = Running::start(1, 20);
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
    resumed.reports(&format!("{} files", 20 - done));
    assert!(
        totals(&output).contains("2000,2000,"),
        "{}",
        totals(&output)
    );
}

#[test]
fn a_job_continues_when_its_scheduler_is_back() {
    let Running {
        mut cluster,
        client,
        output,
        ..
    } = Running::start(2, 30);
    cluster.scheduler.kill().unwrap();
    cluster.scheduler.wait().unwrap();
    let before = parts(&output);
    assert!(before < 30, "the job was too fast");
    cluster.restart_scheduler();
    let ran = ran(client.wait_with_output().unwrap());
    ran.succeeded();
    ran.reports(&format!("the scheduler at {}", cluster.address));
    ran.reports("; continuing");
    ran.reports("30 files");
    let totals = totals(&output);
    assert!(totals.contains("3000,3000,"), "{totals}");
}

#[test]
fn a_query_starts_again_when_its_scheduler_is_back() {
    let mut cluster = Processes::start(2);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 30, 100);
    let sql = format!(
        "SELECT left(target_uri, 22) AS site, count(*) AS n FROM read_warc('{}') GROUP BY 1 ORDER BY 1",
        input.display()
    );
    let client = cluster
        .client()
        .args(["-q", "--format", "csv", "-c", &sql])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let log = std::sync::Arc::clone(&cluster.log);
    wait_until("the job runs", || {
        log.lock().unwrap().contains("Job submitted")
    });
    cluster.scheduler.kill().unwrap();
    cluster.scheduler.wait().unwrap();
    cluster.restart_scheduler();
    let ran = ran(client.wait_with_output().unwrap());
    let rows = ran.succeeded().lines().count();
    assert_eq!(rows, 31, "{}", ran.stdout);
    ran.reports("; continuing");
}

#[test]
fn without_waiting_a_job_fails_when_its_scheduler_is_lost() {
    let cluster = Processes::start(1);
    let input = cluster.folder.path().join("input");
    write_archives(&input, 40, 100);
    let output = cluster.output();
    let mut client = cluster.client();
    client.args(["--wait-for-scheduler", "0"]);
    let client = warc_to_document(client, &input, &output)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a part appears", || parts(&output) > 0);
    let mut cluster = cluster;
    cluster.scheduler.kill().unwrap();
    let address = cluster.address.clone();
    let messages = ["lost the scheduler", &address, "run the statement again"];
    ran(client.wait_with_output().unwrap()).failed(1, messages);
}

#[test]
fn parts_of_a_lost_executor_are_found() {
    let Running {
        mut cluster,
        client,
        output,
        ..
    } = Running::start(1, 8);
    signal(&client, "-STOP");
    let log = std::sync::Arc::clone(&cluster.log);
    wait_until("the job ends", || {
        log.lock().unwrap().contains("Job finished")
    });
    assert_eq!(parts(&output), 8);
    cluster.executors[0].kill().unwrap();
    cluster.executors[0].wait().unwrap();
    signal(&client, "-CONT");
    let ran = ran(client.wait_with_output().unwrap());
    ran.succeeded();
    assert!(!ran.stderr.contains("continuing"), "{}", ran.stderr);
    ran.reports("of 8 parts, which were found complete after a loss");
    ran.reports("8 files");
    let totals = totals(&output);
    assert!(totals.contains("800,800,"), "{totals}");
}

#[test]
fn the_job_of_a_killed_client_is_cancelled() {
    let cluster = Processes::start(1);
    // It would take hours.
    let pages = "read_warc('data-samples/web/')";
    let sql = format!(
        "SELECT count(*) FROM {pages} a, {pages} b, {pages} c, {pages} d, {pages} e, {pages} f, {pages} g, {pages} h WHERE a.target_uri || b.target_uri || c.target_uri || d.target_uri || e.target_uri || f.target_uri || g.target_uri || h.target_uri = 'x'"
    );
    let mut client = cluster.client().args(["-c", &sql]).spawn().unwrap();
    let logged = |text: &str| {
        wait_until(text, || cluster.log.lock().unwrap().contains(text));
    };
    logged("Job submitted");
    client.kill().unwrap();
    client.wait().unwrap();
    logged("is gone: the job is cancelled");
    // The only slot is free again for another job.
    let next = cluster.run("SELECT count(*) FROM read_warc('data-samples/web/')");
    assert!(next.succeeded().contains("19"), "{}", next.stdout);
}

#[test]
fn executors_remove_the_unfinished_files_of_a_killed_client() {
    let Running {
        cluster,
        mut client,
        ..
    } = Running::start(1, 30);
    client.kill().unwrap();
    client.wait().unwrap();
    let staging = || {
        let folder = fs::read_dir(cluster.folder.path()).unwrap();
        let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains(".part-")).count()
    };
    wait_until("the staging folder is removed", || staging() == 0);
}

fn signal(process: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &process.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn an_interrupted_client_cancels_its_job() {
    let Running {
        cluster,
        client,
        output,
        ..
    } = Running::start(1, 40);
    signal(&client, "-INT");
    ran(client.wait_with_output().unwrap()).failed(130, []);
    // The only slot is free again for another job.
    let next = cluster.run("SELECT count(*) FROM read_warc('data-samples/web/')");
    assert!(next.succeeded().contains("19"), "{}", next.stdout);
    let done = parts(&output);
    assert!(done < 40, "the job was not cancelled");
    cluster.run("SELECT 1").succeeded();
    assert_eq!(parts(&output), done, "a task still writes");
    let folder = fs::read_dir(cluster.folder.path()).unwrap();
    let staging = folder.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().contains(".part-")
    });
    assert_eq!(staging.count(), 0);
}
