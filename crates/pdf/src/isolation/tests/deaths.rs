//! Documents that kill their workers.

use super::*;

/// The failure of a document of five pages that runs `command` after the second page.
#[track_caller]
fn after_two_pages(command: &str, request: &Request) -> Failure {
    let pool = pool();
    let document = format!("open 5\npages 2\n{command}\npages 3");
    let outcome = pool.read(document.as_bytes(), request).unwrap();
    assert_eq!(outcome.info.as_ref().unwrap().page_count, 5);
    assert_eq!(texts(&outcome), ["page 1", "page 2"]);
    let failure = outcome.failure.unwrap();
    assert_eq!(failure.stage, Stage::Worker);
    assert_eq!(failure.page, Some(3));
    assert_eq!(answer(&pool, "open 1\npages 1"), "page 1");
    failure
}

#[test]
fn crashes() {
    let request = Request::default();
    for (command, kind, message) in [
        (
            "abort",
            FailureKind::Panic,
            "the worker process ended: signal: 6 (SIGABRT)",
        ),
        (
            "exit 7",
            FailureKind::Panic,
            "the worker process ended: exit status: 7",
        ),
        (
            "exit 0",
            FailureKind::Panic,
            "the worker process ended: exit status: 0",
        ),
        (
            "overflow",
            FailureKind::Panic,
            "the stack of the worker process overflowed",
        ),
        (
            "kill KILL",
            FailureKind::Killed,
            "another process killed the worker process with SIGKILL, twice",
        ),
        (
            "kill TERM",
            FailureKind::Killed,
            "another process killed the worker process with SIGTERM, twice",
        ),
    ] {
        let failure = after_two_pages(command, &request);
        assert_eq!((failure.kind, failure.message.as_str()), (kind, message));
    }
}

#[test]
fn a_document_is_retried_after_its_worker_was_killed() {
    let pool = pool();
    for signal in ["KILL", "TERM", "HUP"] {
        let name = format!("corpus-sql-{}-{signal}-killed", std::process::id());
        let mark = env::temp_dir().join(name);
        let document = format!(
            "open 3\npages 2\nonce {}\nkill {signal}\npages 1",
            mark.display()
        );
        let outcome = pool.read(document.as_bytes(), &Request::default()).unwrap();
        std::fs::remove_file(&mark).unwrap();
        assert_eq!(outcome.failure, None, "{signal}");
        assert_eq!(texts(&outcome), ["page 1", "page 2", "page 1"]);
    }
}

#[test]
fn loops_end_with_the_cpu_time() {
    let failure = after_two_pages("loop", &request(1 << 30, 0));
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert_eq!(
        failure.message,
        "the worker process was killed after 2 s of CPU time"
    );
}

// Other systems do not limit the address space.
#[cfg(target_os = "linux")]
#[test]
fn exhausted_memory_is_reported() {
    let failure = after_two_pages("allocate 200000000", &request(64 << 20, 60_000));
    assert_eq!(failure.kind, FailureKind::Memory);
    assert_eq!(
        failure.message,
        "the worker process ran out of its 64 MiB of memory"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_document_larger_than_the_limit_is_refused() {
    let pool = pool();
    let worker = answer(&pool, "open 1\npid");
    let document = vec![b' '; 100_000_000];
    let outcome = pool.read(&document, &request(8 << 20, 60_000)).unwrap();
    let failure = outcome.failure.unwrap();
    assert_eq!(
        (failure.kind, failure.stage),
        (FailureKind::Memory, Stage::Worker)
    );
    assert!(
        failure.message.contains("100000000 bytes"),
        "{}",
        failure.message
    );
    assert_eq!(answer(&pool, "open 1\npid"), worker);
}

#[test]
fn answers_are_limited_in_total() {
    let request = request(32 << 20, 60_000);
    let document = b"open 9\nlarge 9000000\nlarge 9000000\nlarge 9000000\nlarge 9000000\npages 1";
    let outcome = pool().read(document, &request).unwrap();
    assert_eq!(outcome.pages.len(), 3);
    let failure = outcome.failure.unwrap();
    assert_eq!((failure.kind, failure.page), (FailureKind::Limit, Some(4)));
    assert_eq!(failure.message, "the extracted data exceeds 32 MiB");
}

#[test]
fn invalid_answers_end_the_worker() {
    let request = Request::default();
    let failure = after_two_pages("send 255 255 255 255", &request);
    assert_eq!(failure.kind, FailureKind::Limit);
    for invalid in ["send 2 0 0 0 9 9", "send 1 0 0 0 0"] {
        let failure = after_two_pages(invalid, &request);
        assert_eq!(failure.kind, FailureKind::Panic);
        assert!(
            failure.message.contains("invalid answer"),
            "{}",
            failure.message
        );
    }
    // A part that ends in the middle.
    let failure = after_two_pages("send 100 0 0 0 1 1\nexit 1", &request);
    assert_eq!(failure.message, "the worker process ended: exit status: 1");
}

#[test]
fn printed_output_is_harmless() {
    let pool = pool();
    let document = b"open 2\npages 1\nprint 20000\npages 1";
    for _ in 0..3 {
        let outcome = pool.read(document, &Request::default()).unwrap();
        assert_eq!(outcome.failure, None);
        assert_eq!(outcome.pages.len(), 2);
    }
    // The end of the error output is kept nevertheless.
    let outcome = pool.read(b"overflow", &Request::default()).unwrap();
    let message = outcome.failure.unwrap().message;
    assert_eq!(message, "the stack of the worker process overflowed");
}
