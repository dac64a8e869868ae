//! The workers of these tests are processes of the test binary itself, which is asked to run a
//! single test: one that is a worker.

mod deaths;
mod scripted;
// It reads /proc.
#[cfg(target_os = "linux")]
mod processes;

use std::env;
use std::ops::ControlFlow;
use std::process::{Command, ExitCode};

use super::pool::Pool;
use super::{Isolation, Outcome, read_here, worker};
use crate::model::{Failure, FailureKind, Limits, Request, Stage};

/// Set in a process that a test starts as its worker or program.
const ROLE: &str = "CORPUS_TEST_ROLE";

#[test]
#[ignore = "the worker process of other tests"]
fn be_a_worker() {
    if env::var_os(ROLE).is_some() {
        let code = worker::main(scripted::read);
        std::process::exit(i32::from(code != ExitCode::SUCCESS));
    }
}

/// Runs only the named function of this module, in a process of this test binary.
fn this_binary(function: &str) -> Command {
    let module = module_path!().split_once("::").unwrap().1;
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", &format!("{module}::{function}")])
        .args(["--ignored", "--nocapture"])
        .env(ROLE, function);
    command
}

fn pool() -> Pool {
    Pool::new(|| this_binary("be_a_worker"))
}

fn request(memory_bytes: u64, cpu_ms: u64) -> Request {
    Request {
        limits: Limits {
            memory_bytes,
            cpu_ms,
            ..Limits::default()
        },
        ..Request::default()
    }
}

fn texts(outcome: &Outcome) -> Vec<&str> {
    outcome
        .pages
        .iter()
        .map(|page| page.text.as_str())
        .collect()
}

/// The text of the only page of a document that must not fail.
fn answer(pool: &Pool, commands: &str) -> String {
    let outcome = pool.read(commands.as_bytes(), &Request::default()).unwrap();
    assert_eq!(outcome.failure, None, "{commands}");
    assert_eq!(outcome.pages.len(), 1, "{commands}");
    outcome.pages[0].text.clone()
}

#[test]
fn a_process_and_a_thread_give_the_same_result() {
    let pool = pool();
    for document in [
        "",
        "open 0",
        "open 3\npages 3",
        "open 1\necho\nbytes \x00\x01\n\n",
        "open 5\npages 2\nfail",
        "fail",
        "panic early",
        "open 5\npages 2\npanic there",
        "open 2\npages 2\npanic late",
    ] {
        let request = Request::default();
        let there = pool.read(document.as_bytes(), &request).unwrap();
        let here = read_here(scripted::read, document.as_bytes(), &request);
        assert_eq!(there, here, "{document}");
    }
}

#[test]
fn parts_arrive_as_they_were_sent() {
    let outcome = pool()
        .read(b"open 3\npages 3", &Request::default())
        .unwrap();
    assert_eq!(outcome.info.as_ref().unwrap().page_count, 3);
    assert_eq!(texts(&outcome), ["page 1", "page 2", "page 3"]);
    assert_eq!(outcome.failure, None);
}

#[test]
fn a_panic_is_a_failure_at_its_page() {
    let request = Request::default();
    let document = b"open 5\npages 2\npanic it is odd";
    let outcome = read_here(scripted::read, document, &request);
    assert_eq!(texts(&outcome), ["page 1", "page 2"]);
    let Failure {
        kind,
        stage,
        page,
        message,
    } = outcome.failure.unwrap();
    assert_eq!((kind, stage), (FailureKind::Panic, Stage::Page));
    assert_eq!(page, Some(3));
    assert!(message.starts_with("it is odd ("), "{message}");
    assert!(message.contains("scripted.rs:"), "{message}");
}

#[test]
fn a_large_document_arrives_whole() {
    let mut document = b"open 1\necho\n".to_vec();
    // Much more than a socket holds.
    document.extend(b"0123456789".repeat(400_000));
    let pool = pool();
    let outcome = pool.read(&document, &Request::default()).unwrap();
    let rest = &document[b"open 1\necho\n".len()..];
    assert_eq!(texts(&outcome), [scripted::echo(rest)]);
}

#[test]
fn a_large_page_arrives_whole() {
    let outcome = pool()
        .read(b"open 1\nlarge 4000000", &Request::default())
        .unwrap();
    assert_eq!(outcome.failure, None);
    assert!(outcome.pages[0].text == "x".repeat(4_000_000));
}

#[test]
fn the_engine_stops_when_the_callback_does() {
    let mut pages = 0;
    let result = scripted::read(
        b"open 9\npages 9".to_vec(),
        &Request::default(),
        &mut |_| {
            pages += 1;
            if pages == 4 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    assert_eq!((result, pages), (Ok(()), 4));
}

#[test]
fn without_a_worker_the_error_says_what_to_do() {
    for (command, reason) in [
        (["/nowhere/at-all", "", ""], "No such file"),
        (["/bin/sh", "-c", "exit 3"], "exit status: 3"),
        (
            ["/bin/sh", "-c", "head -c 99 /dev/zero >&0"],
            "the program is not a PDF worker",
        ),
    ] {
        let [program, first, second] = command;
        let pool = Pool::new(move || {
            let mut command = Command::new(program);
            command.args([first, second]);
            command
        });
        let error = pool.read(b"", &Request::default()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn names_of_the_setting() {
    for isolation in [Isolation::Process, Isolation::Thread] {
        assert_eq!(isolation.to_string().parse(), Ok(isolation));
    }
    assert!("none".parse::<Isolation>().is_err());
}
