//! Processes that are lost in the middle of a job.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::{Processes, parts, totals, wait_until, warc_to_document, write_archives};
use crate::support::ran;

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
fn a_job_fails_when_its_scheduler_is_lost() {
    let Running {
        mut cluster,
        client,
        ..
    } = Running::start(1, 40);
    cluster.scheduler.kill().unwrap();
    let address = cluster.address.clone();
    ran(client.wait_with_output().unwrap()).failed(1, ["lost the scheduler", &address]);
}

#[test]
fn an_interrupted_client_cancels_its_job() {
    let Running {
        cluster,
        client,
        output,
        ..
    } = Running::start(1, 40);
    let interrupted = Command::new("kill")
        .args(["-INT", &client.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    ran(client.wait_with_output().unwrap()).failed(130, []);
    // The only slot is free again for another job.
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
