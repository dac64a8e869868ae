//! Uncompressed archives whose framing violates the standard.

use crate::reasons;
use crate::testing::*;

/// Identity and reason of each row.
fn outline(bytes: &[u8]) -> Vec<(Option<String>, Option<&'static str>)> {
    let number = |id: &str| {
        id.rsplit(':')
            .next()
            .unwrap()
            .trim_start_matches('0')
            .to_owned()
    };
    read(bytes)
        .into_iter()
        .map(|row| (row.id.as_deref().map(number), row.reason))
        .collect()
}

fn expect(bytes: &[u8], rows: &[(&str, Option<&'static str>)]) {
    let rows: Vec<_> = rows
        .iter()
        .map(|(id, reason)| ((!id.is_empty()).then(|| id.to_string()), *reason))
        .collect();
    assert_eq!(outline(bytes), rows);
}

const ABC: [(&str, Option<&str>); 3] = [("1", None), ("2", None), ("3", None)];

#[test]
fn sound() {
    let bytes = abc().concat();
    expect(&bytes, &ABC);
    let rows = read(&bytes);
    assert_eq!(rows[1].offset, abc()[0].len() as u64);
    assert_eq!(rows[1].length, Some(abc()[1].len() as i64 - 4));
    assert_eq!(rows[1].text().as_bytes(), page('B'));
    assert_eq!(rows[1].uri.as_deref(), Some("http://e.example/2"));
    assert_eq!(rows[1].date, Some(1_414_044_308_000_000));
    assert_eq!(rows[1].headers.len(), 6);
}

#[test]
fn length_too_small() {
    let [a, _, c] = abc();
    let b = record_stating(2, "20", &page('B'));
    let bytes = [a, b, c].concat();
    expect(
        &bytes,
        &[("1", None), ("2", Some(reasons::BAD_LENGTH)), ("3", None)],
    );
    assert_eq!(read(&bytes)[1].text().as_bytes(), page('B'));
}

#[test]
fn length_too_big_by_one() {
    let [a, _, c] = abc();
    let body = page('B');
    let b = record_stating(2, &(body.len() + 1).to_string(), &body);
    let bytes = [a, b, c].concat();
    expect(
        &bytes,
        &[("1", None), ("2", Some(reasons::BAD_LENGTH)), ("3", None)],
    );
    assert_eq!(read(&bytes)[1].text().as_bytes(), body);
}

#[test]
fn length_that_swallows_the_next() {
    let [a, _, c] = abc();
    let b = record_stating(2, "217", &page('B'));
    let d = record(4, &page('D'));
    let bytes = [a, b, c, d].concat();
    expect(
        &bytes,
        &[
            ("1", None),
            ("2", Some(reasons::BAD_LENGTH)),
            ("3", None),
            ("4", None),
        ],
    );
    assert_eq!(read(&bytes)[1].text().as_bytes(), page('B'));
}

#[test]
fn large_length_that_swallows_the_next() {
    let [a, _, c] = abc();
    let b = record_stating(2, "2000000", &page('B'));
    let d = record(4, &vec![b'd'; 3_000_000]);
    let bytes = [a, b, c, d].concat();
    for bytes in [bytes.clone(), gzip(&bytes)] {
        expect(
            &bytes,
            &[
                ("1", None),
                ("2", Some(reasons::BAD_LENGTH)),
                ("3", None),
                ("4", None),
            ],
        );
        assert_eq!(read(&bytes)[1].text().as_bytes(), page('B'));
    }
}

#[test]
fn unusable_lengths() {
    for length in [
        "4611686018427387904",
        "99999999999999999999",
        "-1",
        "12abc",
        "",
        "1e3",
    ] {
        let [a, _, c] = abc();
        let b = record_stating(2, length, &page('B'));
        let bytes = [a, b, c].concat();
        expect(
            &bytes,
            &[("1", None), ("2", Some(reasons::BAD_LENGTH)), ("3", None)],
        );
        assert_eq!(read(&bytes)[1].text().as_bytes(), page('B'), "{length}");
    }
}

#[test]
fn no_length() {
    let b = [
        warc("WARC-Record-ID: <urn:uuid:2>\r\n", &page('B')),
        b"\r\n\r\n".to_vec(),
    ]
    .concat();
    let [a, _, c] = abc();
    let bytes = [a.clone(), b.clone(), c.clone()].concat();
    expect(
        &bytes,
        &[("1", None), ("2", Some(reasons::BAD_LENGTH)), ("3", None)],
    );
    let members = [gzip(&a), gzip(&b), gzip(&c)].concat();
    expect(&members, &ABC);
    assert_eq!(read(&members)[1].text().as_bytes(), page('B'));
}

#[test]
fn odd_but_usable_lengths() {
    for prefix in ["  ", "000", "+", "\t"] {
        let body = page('B');
        let b = record_stating(2, &format!("{prefix}{} ", body.len()), &body);
        let [a, _, c] = abc();
        expect(&[a, b, c].concat(), &ABC);
    }
}

#[test]
fn separators() {
    for separator in [
        "",
        "\r\n",
        "\n",
        "\n\n",
        "\r\n\r\n\r\n\r\n",
        "\r\n\r\n\0\0\0",
    ] {
        let records = abc().map(|record| {
            let mut record = record[..record.len() - 4].to_vec();
            record.extend_from_slice(separator.as_bytes());
            record
        });
        expect(&records.concat(), &ABC);
    }
    let bytes = abc().concat();
    for cut in 0..=4 {
        expect(&bytes[..bytes.len() - cut], &ABC);
    }
}

#[test]
fn line_feeds_only() {
    let text = String::from_utf8(abc().concat()).unwrap();
    let bodies = text.replace("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "");
    let length = page('A').len() - 44;
    let text = bodies.replace("\r\n", "\n").replace(
        &format!("Length: {}", page('A').len()),
        &format!("Length: {length}"),
    );
    expect(text.as_bytes(), &ABC);
}

#[test]
fn versions() {
    let bytes: String = ["WARC/0.17", "WARC/0.18", "WARC/1.0", "WARC/1.1", "warc/1.0"]
        .iter()
        .map(|version| {
            String::from_utf8(record(1, &page('A')))
                .unwrap()
                .replace("WARC/1.0", version)
        })
        .collect();
    expect(bytes.as_bytes(), &[("1", None); 5]);
}

#[test]
fn junk() {
    let [a, b, c] = abc();
    let mark = b"\xef\xbb\xbf".to_vec();
    expect(
        &[mark.clone(), a.clone(), b.clone(), c.clone()].concat(),
        &ABC,
    );
    let junk = b"some junk\n\n".to_vec();
    let bytes = [
        junk.clone(),
        a.clone(),
        junk.clone(),
        b.clone(),
        c.clone(),
        junk.clone(),
    ]
    .concat();
    expect(
        &bytes,
        &[
            ("", Some(reasons::JUNK)),
            ("1", None),
            ("", Some(reasons::JUNK)),
            ("2", None),
            ("3", None),
            ("", Some(reasons::TRAILING_GARBAGE)),
        ],
    );
    let rows = read(&bytes);
    assert_eq!(rows[2].offset, (junk.len() + a.len()) as u64);
    assert_eq!(rows[2].body, None);
}

#[test]
fn half_a_record_and_the_next_in_the_same_line() {
    let [a, b, c] = abc();
    let half = &a[..a.len() - 30];
    let bytes = [half, &b, &c].concat();
    expect(
        &bytes,
        &[("1", Some(reasons::BAD_LENGTH)), ("2", None), ("3", None)],
    );
}

#[test]
fn headers() {
    let block = "warc-type: response\r\nWARC-Record-ID : <urn:uuid:7>\r\nno colon here\r\nX-A: one\r\n two\r\nX-A: again\r\nEmpty:\r\nCONTENT-LENGTH: 2\r\n";
    let bytes = [warc(block, b"ok\r\n\r\n"), abc().concat()].concat();
    let rows = read(&bytes);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0].warc_type.as_deref(), Some("response"));
    assert_eq!(rows[0].id.as_deref(), Some("urn:uuid:7"));
    assert_eq!(rows[0].text(), "ok");
    let repeated: Vec<_> = rows[0]
        .headers
        .iter()
        .filter(|(name, _)| name == "X-A")
        .map(|(_, value)| value.as_str())
        .collect();
    assert_eq!(repeated, ["one two", "again"]);
}

#[test]
fn header_of_a_megabyte() {
    let [a, _, c] = abc();
    let large = |size: usize| {
        let fields = format!(
            "WARC-Record-ID: <urn:uuid:2>\r\nX: {}\r\nContent-Length: 1\r\n",
            "x".repeat(size)
        );
        [warc(&fields, b"b"), b"\r\n\r\n".to_vec()].concat()
    };
    expect(&[a.clone(), large(1 << 19), c.clone()].concat(), &ABC);
    let rows = [
        ("1", None),
        ("2", Some(reasons::OVERSIZED_HEADER)),
        ("3", None),
    ];
    expect(&[a.clone(), large(1 << 20), c.clone()].concat(), &rows);
    expect(&[gzip(&a), gzip(&large(5 << 20)), gzip(&c)].concat(), &rows);
}

#[test]
fn truncated_header() {
    let bytes = abc().concat();
    let start = abc()[0].len() + abc()[1].len();
    expect(
        &bytes[..start + 60],
        &[("1", None), ("2", None), ("", Some(reasons::TRUNCATED))],
    );
    let rows = read(&bytes[..start + 60]);
    assert_eq!(rows[2].warc_type.as_deref(), Some("response"));
    let [a, b, c] = abc();
    expect(
        &[&a[..100], &b, &c].concat(),
        &[("", Some(reasons::TRUNCATED)), ("2", None), ("3", None)],
    );
}

#[test]
fn truncated_body() {
    let bytes = abc().concat();
    let rows = read(&bytes[..bytes.len() - 10]);
    assert_eq!(rows[2].reason, Some(reasons::TRUNCATED));
    assert!(page('C').starts_with(rows[2].body.as_deref().unwrap()));
    assert_eq!(rows[2].body.as_deref().unwrap().len(), page('C').len() - 6);
}

#[test]
fn archive_in_a_body() {
    let inner = abc().concat();
    for body in [
        inner.clone(),
        [b"x\r\n\r\n".to_vec(), inner.clone()].concat(),
        inner.repeat(5000),
    ] {
        let bytes = [record(8, &body), record(9, &page('X'))].concat();
        expect(&bytes, &[("8", None), ("9", None)]);
        expect(&gzip(&bytes), &[("8", None), ("9", None)]);
        expect(
            &[gzip(&record(8, &body)), gzip(&record(9, b""))].concat(),
            &[("8", None), ("9", None)],
        );
        assert_eq!(read(&bytes)[0].body.as_deref(), Some(&body[..]));
    }
}

#[test]
fn bodies_at_the_limits_of_the_buffers() {
    for size in [
        0,
        1,
        (1 << 20) - 1,
        1 << 20,
        (1 << 20) + 1,
        (4 << 20) + 17,
        9 << 20,
    ] {
        let body = Random(size as u64 + 1).bytes(size);
        let bytes = [record(1, &body), record(2, &page('B')), record(3, b"")].concat();
        for bytes in [
            bytes.clone(),
            gzip_level(&bytes, 1),
            bytes
                .chunks(700_000)
                .map(|c| gzip_level(c, 1))
                .collect::<Vec<_>>()
                .concat(),
        ] {
            expect(&bytes, &ABC);
            assert!(read(&bytes)[0].body.as_deref() == Some(&body[..]), "{size}");
        }
    }
}

#[test]
fn body_over_the_limit_is_cut() {
    let body = Random(5).bytes(3 << 20);
    for size in [100, 900_000, 3 << 20] {
        let bytes = [record(1, &body[..size]), record(2, b"0123456789")].concat();
        for bytes in [bytes.clone(), gzip(&bytes)] {
            let rows = read_with(&bytes.clone().into(), 0..u64::MAX, 10, |_| true);
            assert_eq!(rows.len(), 2);
            assert_eq!(rows[0].body.as_deref(), Some(&body[..10]));
            assert!(rows[0].cut && !rows[1].cut);
            assert_eq!(rows[0].reason, Some("content cut"));
            assert_eq!(rows[1].error, None);
            let unread = read_with(&bytes.into(), 0..u64::MAX, 10, |_| false);
            assert_eq!(unread[0].reason, Some("content cut"));
        }
    }
}

#[test]
fn a_head_that_is_cut_in_a_value_costs_no_other_record() {
    let [a, b, c] = abc();
    let head = String::from_utf8(b.clone()).unwrap();
    let head = &head[..head.find("\r\n\r\n").unwrap()];
    for (colon, _) in head.match_indices(": ") {
        for end in [colon + 1, colon + 2] {
            let bytes = [&a, &b[..end], &c].concat();
            let rows = read(&bytes);
            let ids: Vec<_> = rows.iter().filter_map(|row| row.id.as_deref()).collect();
            let last = ids.last().copied();
            assert_eq!(
                (rows.len(), last),
                (3, Some("urn:uuid:00000003")),
                "{}",
                &head[..end]
            );
            assert!(rows[1].error.is_some() && rows[2].error.is_none());
        }
    }
    // Nonstandard fields may have such a value.
    let field = warc(
        "X-Format: WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n",
        b"x\r\n\r\n",
    );
    let rows = read(&field);
    assert_eq!((rows.len(), rows[0].error.as_deref()), (1, None));
}
