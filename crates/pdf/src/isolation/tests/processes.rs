//! Tests when processes start and end.

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpgid, kill_process, test_kill_process, waitid,
};

use super::*;
use crate::isolation::child::Worker;

/// The limit of each wait: the machine may be very busy.
const MAX_WAIT: Duration = Duration::from_secs(120);

#[track_caller]
fn wait_until(mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(
            start.elapsed() < MAX_WAIT,
            "still waiting after {MAX_WAIT:?}"
        );
        thread::sleep(Duration::from_millis(5));
    }
}

fn pid(text: &str) -> Pid {
    Pid::from_raw(text.trim().parse().unwrap()).unwrap()
}

/// Whether the process exists, possibly as a zombie.
fn exists(pid: Pid) -> bool {
    test_kill_process(pid).is_ok()
}

fn worker_of(pool: &Pool) -> Pid {
    pid(&answer(pool, "open 1\npid"))
}

#[test]
fn a_worker_reads_many_documents() {
    let pool = pool();
    let first = worker_of(&pool);
    for document in ["open 1\npages 1", "fail", "panic", "open 1"] {
        pool.read(document.as_bytes(), &Request::default()).unwrap();
    }
    assert_eq!(worker_of(&pool), first);
}

#[test]
fn callers_do_not_share_workers() {
    let pool = pool();
    let workers: BTreeSet<String> = thread::scope(|scope| {
        let callers: Vec<_> = (0..4)
            .map(|caller| {
                let pool = &pool;
                scope.spawn(move || {
                    let mut workers = BTreeSet::new();
                    for turn in 0..25 {
                        let document = format!("open 1\necho\n{caller} {turn}");
                        let echo = scripted::echo(format!("{caller} {turn}").as_bytes());
                        assert_eq!(answer(pool, &document), echo);
                        workers.insert(answer(pool, "open 1\npid"));
                    }
                    workers
                })
            })
            .collect();
        callers
            .into_iter()
            .flat_map(|caller| caller.join().unwrap())
            .collect()
    });
    assert!((1..=4).contains(&workers.len()), "{workers:?}");
}

#[test]
fn dead_workers_leave_no_zombies() {
    let pool = pool();
    let dead = worker_of(&pool);
    pool.read(b"abort", &Request::default()).unwrap();
    assert!(!exists(dead));
    let idle = worker_of(&pool);
    assert!(exists(idle));
    drop(pool);
    assert!(!exists(idle));
}

#[test]
fn a_worker_that_dies_idle_is_replaced() {
    let pool = pool();
    let killed = worker_of(&pool);
    kill_process(killed, Signal::KILL).unwrap();
    // Waits until it is dead, but leaves the zombie to the pool.
    let dead = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(killed), dead).unwrap();
    assert_ne!(worker_of(&pool), killed);
    assert!(!exists(killed));
}

#[test]
fn a_worker_that_has_grown_is_replaced() {
    let pool = pool();
    let first = worker_of(&pool);
    answer(&pool, "open 1\nleak 10000000\npages 1");
    assert_eq!(worker_of(&pool), first);
    answer(&pool, "open 1\nleak 300000000\npages 1");
    assert_ne!(worker_of(&pool), first);
    assert!(!exists(first));
}

#[test]
fn a_terminal_does_not_reach_workers() {
    let pool = pool();
    let worker = worker_of(&pool);
    assert_eq!(getpgid(Some(worker)).unwrap(), worker);
}

#[test]
fn workers_do_not_inherit_sockets_of_others() {
    let start = || Worker::start(this_binary("be_a_worker")).unwrap();
    let descriptors = |worker: Worker| {
        let request = Request::default();
        let (outcome, worker) = worker.read(b"open 1\ndescriptors", &request);
        (texts(&outcome).concat(), worker.unwrap())
    };
    let (alone, _first) = descriptors(start());
    let (third, ..) = {
        let _second = start();
        descriptors(start())
    };
    assert_eq!(alone, third);
}

/// A program that starts a worker and is killed.
#[test]
#[ignore = "the program that another test kills"]
fn be_a_program() {
    if let Some(document) = env::var_os(DOCUMENT) {
        let pool = pool();
        let document = document.into_string().unwrap();
        pool.read(document.as_bytes(), &request(1 << 30, 3_600_000))
            .unwrap();
        loop {
            thread::park();
        }
    }
}

const DOCUMENT: &str = "CORPUS_TEST_DOCUMENT";

#[test]
fn workers_end_with_the_program() {
    for (name, rest) in [("idle", ""), ("busy", "endless")] {
        let file = format!("corpus-sql-{}-{name}-worker", std::process::id());
        let file = env::temp_dir().join(file);
        let mut program = this_binary("processes::be_a_program")
            .env(DOCUMENT, format!("open 1\nnote {}\n{rest}", file.display()))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut worker = None;
        wait_until(|| {
            let text = fs::read_to_string(&file).unwrap_or_default();
            worker = text.ends_with('\n').then(|| pid(&text));
            worker.is_some()
        });
        program.kill().unwrap();
        program.wait().unwrap();
        fs::remove_file(&file).unwrap();
        // This process is not its parent, so it may remain as a zombie.
        let stat = format!("/proc/{}/stat", worker.unwrap().as_raw_pid());
        wait_until(|| !fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")));
    }
}
