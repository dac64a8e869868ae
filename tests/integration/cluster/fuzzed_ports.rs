//! Ports that receive arbitrary bytes: no process ends, no job runs, and clients keep working.

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use corpus_bytes::random::Random;

use super::Processes;
use crate::support::ran;

/// The number of connections that stay open without a request. The environment variable
/// `CONNECTIONS` sets another one.
const CONNECTIONS: usize = 600;

/// The start of an HTTP/2 connection.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The start of a TLS handshake.
const HELLO: &[u8] = &[22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3];

/// Starts of connections, each invalid.
fn beginnings() -> Vec<Vec<u8>> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut all = vec![
        b"GET /corpus-sql HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(),
        b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n".to_vec(),
        PREFACE[..9].to_vec(),
        PREFACE.to_vec(),
        HELLO.to_vec(),
        vec![0; 70_000],
    ];
    for count in [1, 9, 24, 100, 5_000] {
        all.push(random.bytes(count));
        all.push([PREFACE, &random.bytes(count)].concat());
        all.push([HELLO, &random.bytes(count)].concat());
    }
    // Frames of each type, with a wrong length and random content.
    for kind in 0..12 {
        let head = [0, 64, 0, kind, random.next_u64() as u8, 0, 0, 0, 1];
        all.push([PREFACE, &head, &random.bytes(200)].concat());
        let head = [
            0,
            0,
            100,
            kind,
            random.next_u64() as u8,
            0,
            0,
            0,
            random.next_u64() as u8,
        ];
        all.push([PREFACE, &head, &random.bytes(100)].concat());
    }
    all
}

fn send(address: &str, bytes: &[u8]) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_millis(20)))
        .unwrap();
    // The server may close the connection at any time.
    let _ = stream.write_all(bytes);
    let _ = stream.read(&mut [0; 1024]);
}

#[test]
fn anything_may_be_sent_to_the_ports() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "0123456789abcdef-a-secret-of-the-tests").unwrap();
    let access = ["--token-file".to_owned(), token.display().to_string()];
    let mut cluster = Processes::start_with(1, folder, &access);
    for address in cluster.addresses() {
        for bytes in beginnings() {
            send(&address, &bytes);
        }
    }
    check(&mut cluster);

    // Connections that stay open without a request make room for clients.
    let connections = env::var("CONNECTIONS").map_or(CONNECTIONS, |count| count.parse().unwrap());
    let mut open = Vec::new();
    for number in 0..connections {
        let addresses = cluster.addresses();
        let stream = TcpStream::connect(&addresses[number % addresses.len()]);
        let mut stream = stream.unwrap_or_else(|error| panic!("connection {number}: {error}"));
        let _ = stream.write_all(if number % 2 == 0 { PREFACE } else { b"" });
        open.push(stream);
    }
    check(&mut cluster);
    let log = cluster.log.lock().unwrap();
    assert!(!log.contains("panicked"), "{log}");
    assert!(!log.contains("cannot accept connections"), "{log}");
}

/// Checks that all processes live and that a client gets its rows.
fn check(cluster: &mut Processes) {
    let sql = "SELECT count(*) FROM read_warc('data-samples/web/')";
    let counted = ran(cluster.client().args(["-c", sql]).output().unwrap());
    assert!(counted.succeeded().contains("19"), "{}", counted.stdout);
    for process in cluster.executors.iter_mut().chain([&mut cluster.scheduler]) {
        assert!(process.try_wait().unwrap().is_none(), "a process has ended");
    }
}
