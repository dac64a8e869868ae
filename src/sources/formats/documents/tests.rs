//! The samples of all kinds, whole and damaged.

use std::sync::Arc;

use super::DocumentsFormat;
use super::columns::{CONTENT, OFFSET, SOURCE_FILE, URL};
use super::reader::open;
use crate::sources::format::RecordFormat;
use corpus_bytes::memory::Memory;
use corpus_bytes::random::Random;
use corpus_bytes::record::{ColumnSet, ReadRequest, Value};
use corpus_bytes::test_data::gzip;

const LIMIT: usize = 1 << 20;

#[derive(Debug, Default, PartialEq)]
struct Found {
    name: String,
    url: Option<String>,
    offset: Option<i64>,
    content: Vec<u8>,
    error: Option<String>,
}

fn documents_in(bytes: &[u8], range: std::ops::Range<u64>, limit: usize) -> Vec<Found> {
    let request = ReadRequest {
        range,
        file: Arc::new(Memory(bytes.into())),
        name: "x".into(),
        max_record_bytes: limit,
        modified: None,
        columns: ColumnSet::ALL,
    };
    let mut found = Vec::new();
    let mut reader = match open(request) {
        Ok(reader) => reader,
        Err(error) => {
            found.push(Found {
                error: Some(error.to_string()),
                ..Found::default()
            });
            return found;
        }
    };
    while reader.advance() {
        reader.load(true);
        let text = |column| match reader.value(column) {
            Value::Text(text) => Some(text.to_owned()),
            _ => None,
        };
        found.push(Found {
            name: text(SOURCE_FILE).unwrap_or_default(),
            url: text(URL),
            offset: match reader.value(OFFSET) {
                Value::Integer(offset) => Some(offset),
                _ => None,
            },
            content: match reader.value(CONTENT) {
                Value::Bytes(content) => content.to_vec(),
                _ => Vec::new(),
            },
            error: reader.error().map(ToString::to_string),
        });
    }
    found
}

fn documents(bytes: &[u8]) -> Vec<Found> {
    documents_in(bytes, 0..bytes.len() as u64, LIMIT)
}

fn sample(path: &str) -> Vec<u8> {
    std::fs::read(format!("data-samples/{path}")).unwrap()
}

#[test]
fn each_kind_has_its_documents() {
    for (path, count, first) in [
        ("warc/crawl.warc.gz", 8, "HTTP/1.1"),
        ("warc/old.arc", 1, "HTTP/1.1"),
        ("warc/package.wacz", 1, "HTTP/1.1"),
        ("sequence/plain.seq", 3, ""),
        ("files/papers.zip", 2, "%PDF"),
        ("files/book.tar.gz", 6, ""),
        ("office/list.mbox", 2, "From ada"),
        ("office/message.eml", 1, "From: =?"),
        ("office/report.docx", 1, "PK"),
        ("office/letter.odt", 1, "PK"),
        ("office/book.epub", 1, "PK"),
        ("text/lines.txt.gz", 1, ""),
        ("pdf/article.pdf", 1, "%PDF"),
    ] {
        let found = documents(&sample(path));
        assert_eq!(found.len(), count, "{path}");
        let start = found[0].content.get(..first.len());
        assert_eq!(start, Some(first.as_bytes()), "{path}");
        assert!(
            found.iter().all(|document| document.error.is_none()),
            "{path}"
        );
    }
}

#[test]
fn addresses_keys_and_members_are_named() {
    let urls = documents(&sample("warc/crawl.warc.gz"));
    assert!(urls.iter().all(|found| {
        found
            .url
            .as_ref()
            .is_some_and(|url| url.starts_with("http"))
    }));
    let keys = documents(&sample("sequence/plain.seq"));
    assert!(
        keys.iter()
            .all(|found| found.url.is_some() && found.offset.is_some())
    );
    let members = documents(&sample("files/papers.zip"));
    assert_eq!(members[0].name, "x!2023/notice.pdf");
}

#[test]
fn ranges_find_each_document_once() {
    for path in [
        "warc/crawl.warc.gz",
        "warc/plain.warc",
        "sequence/scans.seq",
        "office/list.mbox",
    ] {
        let bytes = sample(path);
        let whole = documents(&bytes);
        let size = bytes.len() as u64;
        let mut parts = Vec::new();
        for part in 0..5 {
            parts.extend(documents_in(
                &bytes,
                size * part / 5..size * (part + 1) / 5,
                LIMIT,
            ));
        }
        assert_eq!(parts, whole, "{path}");
    }
}

#[test]
fn mailboxes_are_streamed_as_they_are_split_in_memory() {
    let bytes = sample("office/list.mbox");
    let messages: Vec<&[u8]> = corpus_office::mail::messages(&bytes).collect();
    for file in [bytes.clone(), gzip(&bytes)] {
        let found = documents(&file);
        let contents: Vec<&[u8]> = found.iter().map(|found| found.content.as_slice()).collect();
        assert_eq!(contents, messages);
        assert_eq!(found[1].offset, Some(messages[0].len() as i64));
    }
    let cut = documents_in(&bytes, 0..bytes.len() as u64, 50);
    assert_eq!(cut.len(), 2);
    assert!(
        cut.iter()
            .all(|found| found.content.len() == 50 && found.error.is_some())
    );
    let packed = gzip(&bytes);
    let damaged = documents(&packed[..packed.len() - 9]);
    assert!(damaged.last().unwrap().error.is_some());
    let dense =
        b"From a Tue Jan  2 10:00:00 2024\nSubject: a\n\nx\nFrom here at 10:00 on\n".repeat(3);
    let messages: Vec<&[u8]> = corpus_office::mail::messages(&dense).collect();
    assert_eq!(messages.len(), 3);
    let found = documents(&dense);
    for (number, (found, message)) in found.iter().zip(&messages).enumerate() {
        assert_eq!(found.content, *message);
        assert_eq!(found.offset, Some((number * message.len()) as i64));
    }
    assert_eq!(found.len(), 3);
    // A line that is read in pieces ends a message only at its end.
    let long = [&bytes[..100], &[b'x'; 300_000], b"\n\n", &bytes].concat();
    assert_eq!(documents(&long).len(), 3);
}

#[test]
fn a_folder_named_like_that_of_a_document_is_a_package() {
    let mut folder = sample("office/report.docx");
    for at in 0..folder.len() - 19 {
        if folder[at..].starts_with(b"[Content_Types].xml") {
            folder[at..at + 19].copy_from_slice(b"other-Content_T.xml");
        }
    }
    let names: Vec<String> = documents(&folder)
        .into_iter()
        .map(|found| found.name)
        .collect();
    assert!(
        names.len() == 5 && names.iter().all(|name| name.starts_with("x!")),
        "{names:?}"
    );
}

#[test]
fn damage_never_panics() {
    let mut random = Random(3);
    for path in [
        "office/report.docx",
        "office/list.mbox",
        "files/papers.zip",
        "sequence/plain.seq",
    ] {
        let bytes = sample(path);
        for end in 0..bytes.len().min(3000) {
            documents(&bytes[..end]);
        }
        for _ in 0..500 {
            let mut damaged = bytes.clone();
            let at = random.below(damaged.len().min(500));
            damaged[at] ^= 1 << random.below(8);
            documents(&damaged);
        }
    }
}

#[test]
fn only_archives_are_read_in_ranges() {
    for (name, is_cut) in [
        ("a.warc.gz", true),
        ("a.warc", true),
        ("a.seq", true),
        ("a.zip", false),
        ("a.docx", false),
        ("a", false),
    ] {
        assert_eq!(DocumentsFormat.max_ranges(name) > 1, is_cut, "{name}");
    }
}
