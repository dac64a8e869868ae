use super::*;

/// The digest of "hello".
const HELLO_SHA1: &str = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N";
const HELLO_SHA256: &str =
    "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const WRONG_SHA1: &str = "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn cells<'a>(values: &[(&str, Cell<'a>)]) -> [Cell<'a>; FIELDS.len()] {
    FIELDS.map(|field| {
        let mut values = values.iter();
        let value = values.find(|(column, _)| *column == field.column);
        value.map_or(Cell::Absent, |(_, cell)| *cell)
    })
}

fn written(fields: &RecordFields) -> String {
    let mut out = Vec::new();
    fields.write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The headers of a record of "hello" whose columns agree with them.
fn read_headers() -> Vec<(&'static str, &'static str)> {
    vec![
        ("Warc-Type", "conversion"),
        ("WARC-Concurrent-To", "<urn:a>"),
        ("content-length", "5"),
        ("WARC-Concurrent-To", "<urn:b>"),
        ("WARC-Target-URI", "<http://a/>"),
        ("WARC-Date", "2020-01-01"),
        ("WARC-Record-ID", "<urn:c>"),
        ("WARC-Refers-To", "<urn:d>"),
        ("WARC-IP-Address", "1.2.3.4"),
        ("WARC-Block-Digest", HELLO_SHA256),
        ("WARC-Payload-Digest", WRONG_SHA1),
        ("WARC-Truncated", "time"),
        ("Content-Type", "text/plain"),
    ]
}

fn read_cells() -> [Cell<'static>; FIELDS.len()] {
    cells(&[
        ("warc_type", Cell::Text("conversion")),
        ("target_uri", Cell::Text("http://a/")),
        ("date", Cell::Date(1_577_836_800_000_000)),
        ("record_id", Cell::Text("urn:c")),
        ("refers_to", Cell::Text("urn:d")),
        ("ip_address", Cell::Text("1.2.3.4")),
        ("block_digest", Cell::Text(HELLO_SHA256)),
        ("payload_digest", Cell::Text(WRONG_SHA1)),
        ("truncated", Cell::Text("time")),
        ("content_type", Cell::Text("text/plain")),
    ])
}

fn read_record() -> RecordFields<'static> {
    RecordFields {
        cells: read_cells(),
        headers: read_headers(),
        body: Some(b"hello"),
        body_kept: true,
        ..RecordFields::default()
    }
}

fn as_read() -> String {
    let lines: Vec<_> = read_headers()
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    format!("WARC/1.1\r\n{}\r\nhello\r\n\r\n", lines.concat())
}

#[test]
fn unchanged_records_keep_every_byte() {
    // Wrong digests are kept, because they show that the body was damaged.
    assert_eq!(written(&read_record()), as_read());
    let without_columns = RecordFields {
        cells: cells(&[]),
        ..read_record()
    };
    assert_eq!(written(&without_columns), as_read());
}

#[test]
fn changed_columns_win() {
    for (column, cell, before, after) in [
        (
            "warc_type",
            Cell::Text("resource"),
            "Warc-Type: conversion",
            "Warc-Type: resource",
        ),
        (
            "target_uri",
            Cell::Text("http://b/"),
            "<http://a/>",
            "http://b/",
        ),
        (
            "date",
            Cell::Date(0),
            "Date: 2020-01-01",
            "Date: 1970-01-01T00:00:00Z",
        ),
        ("record_id", Cell::Text("urn:x"), "<urn:c>", "<urn:x>"),
        ("refers_to", Cell::Text("urn:x"), "<urn:d>", "<urn:x>"),
        ("ip_address", Cell::Null, "WARC-IP-Address: 1.2.3.4\r\n", ""),
        (
            "target_uri",
            Cell::Null,
            "WARC-Target-URI: <http://a/>\r\n",
            "",
        ),
        ("truncated", Cell::Text("length"), ": time", ": length"),
        ("content_type", Cell::Text("a/b"), "text/plain", "a/b"),
        (
            "block_digest",
            Cell::Text(HELLO_SHA1),
            HELLO_SHA256,
            HELLO_SHA1,
        ),
        ("payload_digest", Cell::Text("x:1"), WRONG_SHA1, "x:1"),
        ("profile", Cell::Null, "", ""),
    ] {
        let mut record = read_record();
        for (field, known) in FIELDS.iter().zip(&mut record.cells) {
            if field.column == column {
                *known = cell;
            }
        }
        assert_eq!(
            written(&record),
            as_read().replacen(before, after, 1),
            "{column}"
        );
    }
}

#[test]
fn the_digests_of_a_changed_body_are_computed() {
    let digests = |record: RecordFields| {
        let text = written(&record);
        let lines = text.lines().filter(|line| line.contains("Digest"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let right = [
        format!("WARC-Block-Digest: {HELLO_SHA256}"),
        format!("WARC-Payload-Digest: {HELLO_SHA1}"),
    ];
    let computed = RecordFields {
        body_kept: false,
        ..read_record()
    };
    assert_eq!(digests(computed), right);
    let cut = RecordFields {
        body_truncated: true,
        ..read_record()
    };
    assert_eq!(digests(cut), right);
    let mut longer = read_record();
    longer.headers[2] = ("Content-Length", "6");
    assert_eq!(digests(longer), right);
    // The digest from the query is kept if it is correct.
    let mut supplied = read_record();
    supplied.body_kept = false;
    supplied.cells[6] = Cell::Text(HELLO_SHA1);
    assert_eq!(
        digests(supplied)[0],
        format!("WARC-Block-Digest: {HELLO_SHA1}")
    );
    // The algorithm of this one is unknown.
    let mut unknown = read_record();
    unknown.cells = cells(&[]);
    unknown.body_kept = false;
    unknown.headers[9] = ("WARC-Block-Digest", "crc32:0");
    assert_eq!(digests(unknown), right[1..]);
}

#[test]
fn the_payload_of_http_begins_after_its_head() {
    let record = RecordFields {
        cells: cells(&[
            ("warc_type", Cell::Text("response")),
            (
                "content_type",
                Cell::Text("application/http; msgtype=response"),
            ),
            ("payload_digest", Cell::Text(WRONG_SHA1)),
        ]),
        body: Some(b"HTTP/1.1 200 OK\r\n\r\nhello"),
        ..RecordFields::default()
    };
    let text = written(&record);
    let line = format!("WARC-Payload-Digest: {HELLO_SHA1}\r\n");
    assert!(text.contains(&line), "{text}");
    let not_http = RecordFields {
        body: Some(b"hello"),
        ..record
    };
    let text = written(&not_http);
    assert!(!text.contains("WARC-Payload-Digest"), "{text}");
}

#[test]
fn records_are_made_from_columns() {
    let fields = RecordFields {
        cells: cells(&[
            ("warc_type", Cell::Text("resource")),
            ("record_id", Cell::Text("urn:x")),
            ("date", Cell::Date(1_500_000)),
            ("target_uri", Cell::Text("http://a/\r\nEvil: 1")),
        ]),
        // Headers of an ARC record are not fields of WARC.
        headers: vec![("URL", "http://a/"), ("warc-filename", "x")],
        body_truncated: true,
        ..RecordFields::default()
    };
    assert_eq!(
        written(&fields),
        "WARC/1.1\r\nwarc-filename: x\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x>\r\n\
         WARC-Date: 1970-01-01T00:00:01.500000Z\r\nWARC-Target-URI: http://a/  Evil: 1\r\n\
         WARC-Truncated: length\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    );
}

#[test]
fn revisits_get_a_profile() {
    let revisit = |digest: Cell<'static>, profile: Cell<'static>| {
        written(&RecordFields {
            cells: cells(&[
                ("warc_type", Cell::Text("revisit")),
                ("payload_digest", digest),
                ("refers_to_date", Cell::Date(0)),
                ("profile", profile),
            ]),
            body: Some(b"HTTP/1.1 200 OK\r\n\r\n"),
            ..RecordFields::default()
        })
    };
    let same = revisit(Cell::Text(WRONG_SHA1), Cell::Absent);
    assert!(
        same.contains(&format!("WARC-Profile: {SAME_DIGEST}\r\n")),
        "{same}"
    );
    // The digest is of content in another record.
    assert!(same.contains(WRONG_SHA1), "{same}");
    assert!(
        same.contains("WARC-Refers-To-Date: 1970-01-01T00:00:00Z\r\n"),
        "{same}"
    );
    let not_modified = revisit(Cell::Null, Cell::Null);
    assert!(not_modified.contains(NOT_MODIFIED), "{not_modified}");
    assert!(revisit(Cell::Null, Cell::Text("mine")).contains("WARC-Profile: mine\r\n"));
}

#[test]
fn missing_fields_are_made_and_bad_ones_refused() {
    let record = |cell: (&str, Cell<'static>)| RecordFields {
        cells: cells(&[("warc_type", Cell::Text("metadata")), cell]),
        ..RecordFields::default()
    };
    let text = written(&record(("record_id", Cell::Null)));
    assert!(text.contains("WARC-Record-ID: <urn:uuid:"), "{text}");
    assert!(text.contains("WARC-Date: 2"), "{text}");
    let refused = |fields: RecordFields| fields.write(&mut Vec::new()).unwrap_err();
    assert_eq!(refused(RecordFields::default()), NoRecord::NoType);
    for date in [i64::MAX, i64::MIN, 253_402_300_800_000_000] {
        let error = refused(record(("date", Cell::Date(date))));
        assert_eq!(error, NoRecord::Date(BadDate(date)));
    }
}
