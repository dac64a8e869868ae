use crate::head::*;
use crate::repairs::Repairs;
use corpus_bytes::step_counter::assert_linear;

fn repairs_of(head: &Head) -> Vec<&'static str> {
    head.repairs.words()
}

fn pairs<'h>(head: &'h Head) -> Vec<(&'h str, &'h str)> {
    head.headers
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect()
}

fn body<'a>(bytes: &'a [u8], head: &Head) -> &'a [u8] {
    &bytes[head.length..]
}

#[test]
fn a_valid_head_needs_no_repair() {
    let bytes = b"HTTP/1.1 404 Not Found\r\nA: 1\r\na:2 \r\nB:\r\n\r\nbody";
    let head = parse_head(bytes);
    assert_eq!(head.version.as_deref(), Some("HTTP/1.1"));
    assert_eq!(head.status, Some(404));
    assert_eq!(head.reason.as_deref(), Some("Not Found"));
    assert_eq!(pairs(&head), [("A", "1"), ("a", "2"), ("B", "")]);
    assert_eq!(header(&head.headers, "a"), Some("1"));
    assert_eq!(
        header_values(&head.headers, "A").collect::<Vec<_>>(),
        ["1", "2"]
    );
    assert_eq!(header(&head.headers, "c"), None);
    assert_eq!(body(bytes, &head), b"body");
    assert!(head.repairs.is_empty());
    let borrowed = |text: &std::borrow::Cow<str>| matches!(text, std::borrow::Cow::Borrowed(_));
    assert!(head.headers.iter().all(|(n, v)| borrowed(n) && borrowed(v)));
}

#[test]
fn status_lines() {
    for (line, version, status, reason, odd) in [
        ("HTTP/1.1 200", "HTTP/1.1", Some(200), None, false),
        ("HTTP/1.1  200 OK", "HTTP/1.1", Some(200), Some("OK"), false),
        ("HTTP/2 200", "HTTP/2", Some(200), None, false),
        ("HTTP/1.0 200OK", "HTTP/1.0", Some(200), Some("OK"), false),
        ("ICY 200 OK", "ICY", Some(200), Some("OK"), true),
        ("http/1.0 200 OK", "http/1.0", Some(200), Some("OK"), true),
        ("HTTP/1.1 OK", "HTTP/1.1", None, Some("OK"), true),
        ("HTTP/1.1 0 x", "HTTP/1.1", Some(0), Some("x"), true),
        ("HTTP/1.1 9999", "HTTP/1.1", Some(9999), None, true),
        ("HTTP/1.1 99999999", "HTTP/1.1", None, None, true),
        ("HTTP/1.1", "HTTP/1.1", None, None, true),
        ("HTTP/1.1 -1 x", "HTTP/1.1", None, Some("-1 x"), true),
        ("HTTPS 200 OK", "HTTPS", Some(200), Some("OK"), true),
    ] {
        let bytes = format!("{line}\r\nContent-Type: text/html\r\n\r\n<p>");
        let head = parse_head(bytes.as_bytes());
        assert_eq!(head.version.as_deref(), Some(version), "{line}");
        assert_eq!(head.status, status, "{line}");
        assert_eq!(head.reason.as_deref(), reason, "{line}");
        assert_eq!(
            head.repairs.contains(Repairs::ODD_STATUS_LINE),
            odd,
            "{line}"
        );
        assert_eq!(body(bytes.as_bytes(), &head), b"<p>", "{line}");
        assert_eq!(pairs(&head), [("Content-Type", "text/html")]);
    }
}

#[test]
fn no_status_line_or_no_head() {
    let head = parse_head(b"Content-Type: text/html\r\n\r\n<p>");
    assert_eq!((head.status, head.length), (None, 27));
    assert_eq!(repairs_of(&head), ["no_status_line"]);
    let head = parse_head(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert_eq!(head.reason.as_deref(), Some("GET / HTTP/1.1"));
    assert_eq!(repairs_of(&head), ["odd_status_line"]);
    let head = parse_head(b"POST /a HTTP/1.0\r\nHost: a\r\n\r\nbody");
    assert_eq!((head.length, pairs(&head)), (29, vec![("Host", "a")]));
    for body in [
        &b""[..],
        b"<html>a: b</html>",
        b"\r\n<html>",
        b"\x1f\x8b\x08\0\n\n",
        b"2014-01-01 12:00:00 some server log\n\nmore",
        b"Note: all of this is prose.\n\nServer: no",
        b"Server: x\r\nprose of a mail\r\n\r\n",
        b"{\"a\": 1}",
    ] {
        let head = parse_head(body);
        assert_eq!(repairs_of(&head), ["no_head"], "{body:?}");
        assert_eq!((head.length, head.headers.len()), (0, 0));
    }
}

#[test]
fn interim_responses_are_skipped() {
    let bytes = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nx";
    let head = parse_head(bytes);
    assert_eq!((head.status, body(bytes, &head)), (Some(200), &b"x"[..]));
    assert_eq!(repairs_of(&head), ["interim_response"]);
    let head = parse_head(b"HTTP/1.0 200 Connection established\r\n\r\nHTTP/1.1 302 Found\r\n\r\n");
    assert_eq!(head.status, Some(302));
    let head = parse_head(b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 302 Found\r\n\r\n");
    assert_eq!(head.status, Some(200));
    let many = b"HTTP/1.1 100 Continue\r\n\r\n".repeat(1000);
    assert_eq!(parse_head(&many).status, Some(100));
}

#[test]
fn odd_headers() {
    let bytes = b"HTTP/1.1 200 OK\r\nP3P : x\r\nServer\t:Live 5\r\n: none\r\nno colon here\r\n\
        Folded: a\r\n  b\r\n\tc\r\nL\xe9: caf\xe9\r\nU: \xc3\xa9\r\nC: a\x01\0b\r\n\r\n-";
    let head = parse_head(bytes);
    assert_eq!(
        pairs(&head),
        [
            ("P3P", "x"),
            ("Server", "Live 5"),
            ("Folded", "a b c"),
            ("Lé", "café"),
            ("U", "é"),
            ("C", "a\u{1}\0b")
        ]
    );
    assert_eq!((head.bad_lines, body(bytes, &head)), (2, &b"-"[..]));
    assert_eq!(
        repairs_of(&head),
        [
            "bad_header_line",
            "space_before_colon",
            "folded_header",
            "control_character",
            "not_utf8"
        ]
    );
}

#[test]
fn ends_of_heads() {
    let case = |bytes: &[u8], rest: &[u8], words: &[&str]| {
        let head = parse_head(bytes);
        assert_eq!(body(bytes, &head), rest, "{}", bytes.escape_ascii());
        assert_eq!(repairs_of(&head), words, "{}", bytes.escape_ascii());
    };
    case(
        b"HTTP/1.0 200 OK\r\nA: b\r\n<html>\r\nC: d\r\n\r\n",
        b"<html>\r\nC: d\r\n\r\n",
        &["ended_by_markup"],
    );
    case(b"HTTP/1.0 200 OK\nA: b\n\n<p>", b"<p>", &["lf_line_ends"]);
    case(b"HTTP/1.0 200 OK\rA: b\r\r<p>", b"<p>", &["bare_cr"]);
    case(
        b"\r\n\nHTTP/1.0 200 OK\r\n\r\nx",
        b"x",
        &["leading_blank_lines"],
    );
    case(b"HTTP/1.0 200 OK\r\nA: b\r\n", b"", &["no_blank_line"]);
    case(b"HTTP/1.0 200 OK\r\nA: b", b"", &["no_blank_line"]);
    case(b"HTTP/1.0 200 OK\r\nA: b\r", b"", &["no_blank_line"]);
    case(
        b"HTTP/1.0 200 OK\r\nA: b\r\nConte",
        b"",
        &["bad_header_line", "no_blank_line"],
    );
    case(
        b"HTTP/1.0 200 OK\r\nA: b\r\nplain text.\nmore",
        b"plain text.\nmore",
        &["lf_line_ends", "no_blank_line"],
    );
    case(
        b"HTTP/1.0 200 OK\r\nA: b\r\n  \r\nC: d\r\n \r\ntext",
        b"text",
        &["padded_blank_line"],
    );
    case(b"HTTP/1.0 200 OK", b"", &["no_blank_line"]);
    case(b"HTTP/1.1 200 OK\r\nA: b\r\r\n\r\r\nx", b"x", &[]);
}

#[test]
fn a_head_without_end_is_cut() {
    let mut bytes = b"HTTP/1.1 200 OK\r\n".to_vec();
    while bytes.len() <= MAX_HEAD_BYTES {
        bytes.extend_from_slice(b"Name: value\r\n");
    }
    let head = parse_head(&bytes);
    assert!(head.is_too_long && head.length == MAX_HEAD_BYTES);
    assert!(head.headers.len() > 80_000);
    let word = [b"HTTP/1.1 200 OK\r\n", &vec![b'x'; MAX_HEAD_BYTES][..]].concat();
    assert_eq!(parse_head(&word).length, 17);
}

#[test]
fn heads_take_linear_work() {
    for part in [
        "A: b\r\n",
        "A: b\n",
        "A: b\r",
        "A\r\n",
        " folded\r\n",
        " \r\nA: b\r\n",
        "\r",
        "a\r",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 Connection established\r\n",
        ":",
        " ",
    ] {
        let bytes = |parts: usize| {
            let head = format!("HTTP/1.1 200 OK\r\nA: b\r\n{}", part.repeat(parts));
            head.into_bytes()
        };
        assert_linear(part, bytes, |bytes| {
            let head = parse_head(bytes);
            assert_eq!(header(&head.headers, "none"), None);
        });
    }
}
