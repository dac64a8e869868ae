//! Files on web servers whose connections break.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::support::{Ran, run};

const MODIFIED: &str = "Last-Modified: Tue, 14 Nov 2023 22:13:20 GMT\r\n";
const MODIFIED_LATER: &str = "Last-Modified: Wed, 15 Nov 2023 22:13:20 GMT\r\n";

/// The server's answer to one GET request.
#[derive(Clone, Default)]
struct Answer {
    /// The number of body bytes after which the connection is closed.
    cut: Option<usize>,
    /// Content to send instead of the file.
    content: Option<Vec<u8>>,
    headers: &'static str,
    ignores_ranges: bool,
    /// The status of the answers to HEAD, if it is not that of other requests.
    head: Option<&'static str>,
    /// Whether answers are in chunks, and do not declare their length.
    is_chunked: bool,
}

/// A web server with a single file, `/lines.txt`. It runs until the tests end.
struct Server {
    port: u16,
    /// The `Range` headers of requests up to the end of the file; `-` for requests without one.
    ranges: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server that sends these answers in turn, and repeats the last one.
    fn start(content: Vec<u8>, answers: &[Answer]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let ranges = Arc::default();
        let server = Self {
            port,
            ranges: Arc::clone(&ranges),
        };
        let answers = Arc::new(Mutex::new(VecDeque::from(answers.to_vec())));
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let (content, answers) = (content.clone(), Arc::clone(&answers));
                let ranges = Arc::clone(&ranges);
                std::thread::spawn(move || serve(connection.unwrap(), &content, &answers, &ranges));
            }
        });
        server
    }

    fn ranges(&self) -> Vec<String> {
        self.ranges.lock().unwrap().clone()
    }

    /// Reads the lines of the file as CSV.
    fn read(&self) -> Ran {
        let url = format!("http://127.0.0.1:{}/lines.txt", self.port);
        let sql = format!("SELECT sha256(content) AS hash, error FROM read_files('{url}')");
        run(["--quiet", "--format", "csv", "-c", &sql])
    }
}

/// Answers the requests of one connection. A client may close it early.
fn serve(
    connection: TcpStream,
    content: &[u8],
    answers: &Mutex<VecDeque<Answer>>,
    ranges: &Mutex<Vec<String>>,
) -> Option<()> {
    let mut out = connection.try_clone().ok()?;
    let mut lines = BufReader::new(connection).lines();
    loop {
        let method = lines.next()?.ok()?.split(' ').next()?.to_owned();
        let mut range = "-".to_owned();
        loop {
            let line = lines.next()?.ok()?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("range: bytes=") {
                range = value.to_owned();
            }
        }
        let (first, last) = range.split_once('-').unwrap();
        let (first, last) = (first.parse().unwrap_or(0), last.parse::<usize>().ok());
        let mut answers = answers.lock().unwrap();
        let next = answers.front()?.clone();
        // HEAD requests, and requests for a part of the file, always succeed.
        if let Some(status) = next.head.filter(|_| method == "HEAD") {
            drop(answers);
            write!(out, "HTTP/1.1 {status}\r\nContent-Length: 9\r\n\r\n").ok()?;
            continue;
        }
        let answer = if method == "GET" && last.is_none() {
            if answers.len() > 1 {
                answers.pop_front();
            }
            next
        } else {
            Answer {
                cut: None,
                content: None,
                ..next
            }
        };
        drop(answers);
        let whole = answer.content.as_deref().unwrap_or(content);
        let size = whole.len();
        let (body, status) = if range != "-" && !answer.ignores_ranges {
            let end = last.map_or(size, |last| size.min(last + 1));
            let range = format!("Content-Range: bytes {first}-{}/{size}", end - 1);
            (
                &whole[first..end],
                format!("206 Partial Content\r\n{range}"),
            )
        } else {
            (whole, "200 OK".to_owned())
        };
        let (length, headers) = (body.len(), answer.headers);
        let form = if answer.is_chunked {
            "Transfer-Encoding: chunked".to_owned()
        } else {
            format!("Content-Length: {length}")
        };
        write!(out, "HTTP/1.1 {status}\r\n{form}\r\n{headers}\r\n").ok()?;
        if method == "GET" {
            if last.is_none() {
                ranges.lock().unwrap().push(range);
            }
            let cut = answer.cut.unwrap_or(length).min(length);
            if answer.is_chunked {
                write!(out, "{length:x}\r\n").ok()?;
            }
            out.write_all(&body[..cut]).ok()?;
            if answer.is_chunked && cut == length {
                out.write_all(b"\r\n0\r\n\r\n").ok()?;
            }
            if cut < length {
                out.shutdown(std::net::Shutdown::Write).ok()?;
                return None;
            }
        }
    }
}

/// Text without repetitions, so that no two parts of it are equal.
fn content() -> Vec<u8> {
    content_of(60_000)
}

fn content_of(lines: u32) -> Vec<u8> {
    let lines = (0..lines).map(|n| format!("{} {n}\n", n.wrapping_mul(2_654_435_761)));
    lines.collect::<String>().into_bytes()
}

fn cut(after: usize) -> Answer {
    Answer {
        cut: Some(after),
        ..Answer::default()
    }
}

fn with_headers(answer: Answer, headers: &'static str) -> Answer {
    Answer { headers, ..answer }
}

fn without_ranges(answer: Answer) -> Answer {
    Answer {
        ignores_ranges: true,
        ..answer
    }
}

fn changed(content: &[u8]) -> Answer {
    Answer {
        content: Some(content.to_vec()),
        ..Answer::default()
    }
}

/// The expected CSV for the whole file without an error.
fn whole() -> String {
    let ran = Server::start(content(), &[Answer::default()]).read();
    assert!(ran.succeeded().trim_end().ends_with(','), "{}", ran.stdout);
    ran.stdout
}

#[test]
fn a_lost_connection_is_resumed_with_any_headers() {
    let whole = whole();
    for headers in [
        "",
        "ETag: \"1\"\r\n",
        MODIFIED,
        "ETag: W/\"1\"\r\nLast-Modified: Tue, 14 Nov 2023 22:13:20 GMT\r\n",
    ] {
        let cuts = [200_000, 300_000, 16_500].map(|after| with_headers(cut(after), headers));
        let last = with_headers(Answer::default(), headers);
        let server = Server::start(content(), &[&cuts[..], &[last]].concat());
        assert_eq!(server.read().succeeded(), whole, "{headers}");
        let ranges = server.ranges();
        assert_eq!(ranges[0], "-");
        assert!(ranges[1..].iter().all(|range| range != "-"), "{ranges:?}");
    }
}

#[test]
fn a_server_without_head_is_asked_for_the_first_byte() {
    let whole = whole();
    for status in [
        "403 Forbidden",
        "405 Method Not Allowed",
        "501 Not Implemented",
    ] {
        let head = Some(status);
        let answer = Answer {
            head,
            ..Answer::default()
        };
        for answer in [answer.clone(), without_ranges(answer)] {
            let ran = Server::start(content(), &[answer]).read();
            assert_eq!(ran.succeeded(), whole, "{status}");
        }
    }
}

/// Answers without a length, for the whole file only.
fn chunked(answer: Answer) -> Answer {
    Answer {
        is_chunked: true,
        ..without_ranges(answer)
    }
}

#[test]
fn the_bytes_of_a_file_without_a_length_are_counted() {
    // More is requested again, and not kept.
    for lines in [60_000, 1_000_000] {
        let content = content_of(lines);
        let whole = Server::start(content.clone(), &[Answer::default()]).read();
        let ran = Server::start(content, &[chunked(Answer::default())]).read();
        assert_eq!(ran.succeeded(), whole.succeeded());
        let is_long = lines > 60_000;
        assert_eq!(ran.stderr.contains("does not say how long"), is_long);
    }
}

#[test]
fn a_file_without_a_length_that_is_shorter_later_is_an_error() {
    let content = content_of(1_000_000);
    let shorter = Answer {
        content: Some(content[..9_000_000].to_vec()),
        ..Answer::default()
    };
    let server = Server::start(content, &[chunked(Answer::default()), chunked(shorter)]);
    let ran = server.read();
    assert!(
        ran.succeeded().contains("shorter than declared"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_server_without_ranges_is_read_again_from_the_start() {
    // The first answer is used to sniff the start of the file. After that, every other request asks
    // for a range but does not get one.
    let cuts = [200_000, 200_000, 200_000, 300_000, 300_000, 400_000];
    let answers = cuts.map(|after| without_ranges(cut(after)));
    let last = without_ranges(Answer::default());
    let server = Server::start(content(), &[&answers[..], &[last]].concat());
    assert_eq!(server.read().succeeded(), whole());
}

#[test]
fn a_file_that_changed_meanwhile_is_an_error_and_not_a_mixture() {
    let whole = content();
    let longer = [&whole[..], b"more"].concat();
    let mut other_seam = whole.clone();
    other_seam[199_000] ^= 1;
    let mut other_start = whole.clone();
    other_start[10] ^= 1;
    for (first, then, expected) in [
        (vec![cut(200_000)], changed(&longer), "bytes and now has"),
        (
            vec![cut(200_000)],
            changed(&other_seam),
            "its content differs",
        ),
        (
            // The first answer is used to sniff the start of the file.
            vec![without_ranges(cut(200_000)); 2],
            without_ranges(changed(&other_start)),
            "its content differs",
        ),
        (
            vec![with_headers(cut(200_000), MODIFIED)],
            with_headers(changed(&other_start), MODIFIED_LATER),
            "its time of modification differs",
        ),
    ] {
        let ran = Server::start(whole.clone(), &[&first[..], &[then]].concat()).read();
        assert!(
            ran.succeeded().contains("changed on the server"),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
}

#[test]
fn a_server_that_never_gets_further_ends_in_an_error() {
    for answer in [cut(0), cut(1000), without_ranges(cut(100_000))] {
        let server = Server::start(content(), &[answer]);
        let ran = server.read();
        assert!(
            ran.succeeded().contains("connection was lost at byte"),
            "{}",
            ran.stdout
        );
        assert!(server.ranges().len() < 30, "{}", server.ranges().len());
    }
}

#[test]
fn an_arrow_file_of_a_server_without_ranges_is_read_from_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("a.arrow").display().to_string();
    run(["-c", &format!("COPY (SELECT 1 AS n) TO '{name}'")]).succeeded();
    let mut file = std::fs::read(name).unwrap();
    // Polars writes other bytes after the magic ones, where no reader looks.
    file[8..12].copy_from_slice(&[0xfa, 0, 0, 0]);
    for answer in [Answer::default(), without_ranges(Answer::default())] {
        let server = Server::start(file.clone(), &[answer]);
        let sql = format!("SELECT n FROM 'http://127.0.0.1:{}/a.arrow'", server.port);
        let ran = run(["--quiet", "--format", "csv", "-c", &sql]);
        assert_eq!(ran.succeeded(), "n\n1\n");
    }
}
