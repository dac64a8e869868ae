mod head;

use std::borrow::Cow;

use crate::testing::*;
use crate::*;

const PAGE: &[u8] = b"<html><body>hello hello hello hello hello hello</body></html>";

fn parse(bytes: &[u8]) -> Response<'_> {
    parse_response(bytes, &Limits::default())
}

fn reason(response: &Response) -> Option<&'static str> {
    response.error.as_ref().map(|error| error.reason)
}

/// Body, repairs and reason of a response with these headers.
fn case(headers: &str, body: &[u8]) -> (Vec<u8>, Vec<&'static str>, Option<&'static str>) {
    let bytes = response(headers, body);
    let response = parse(&bytes);
    let reason = reason(&response);
    (response.body.into_owned(), response.repaired, reason)
}

fn chunked(data: &[u8], size: usize) -> Vec<u8> {
    let mut chunks = Vec::new();
    for chunk in data.chunks(size) {
        chunks.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
        chunks.extend_from_slice(chunk);
        chunks.extend_from_slice(b"\r\n");
    }
    chunks.extend_from_slice(b"0\r\n\r\n");
    chunks
}

#[test]
fn a_plain_response_is_borrowed() {
    let bytes = response(
        "Content-Type: Text/HTML; charset=\"UTF-8\"\r\nContent-Length: 61\r\n",
        PAGE,
    );
    let response = parse(&bytes);
    assert_eq!(response.media_type.as_deref(), Some("text/html"));
    assert_eq!(response.charset.as_deref(), Some("UTF-8"));
    assert!(matches!(response.body, Cow::Borrowed(PAGE)));
    assert!(response.repaired.is_empty() && response.error.is_none());
}

#[test]
fn chunks_and_codings() {
    let page = PAGE.to_vec();
    let plain = |words: &[&'static str]| (page.clone(), words.to_vec(), None);
    let te = "Transfer-Encoding: Chunked\r\n";
    assert_eq!(case(te, &chunked(PAGE, 7)), plain(&["chunked"]));
    assert_eq!(case(te, PAGE), plain(&["not_chunked"]));
    assert_eq!(
        case(
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
            &chunked(&gzip(PAGE), 7)
        ),
        plain(&["chunked", "gzip"])
    );
    assert_eq!(
        case(
            "Transfer-Encoding: gzip, chunked\r\n",
            &chunked(&gzip(PAGE), 7)
        ),
        plain(&["chunked", "gzip"])
    );
    assert_eq!(
        case("Content-Encoding: x-gzip\r\n", &gzip(PAGE)),
        plain(&["gzip"])
    );
    assert_eq!(
        case("Content-Encoding: gzip, gzip\r\n", &gzip(&gzip(PAGE))),
        plain(&["gzip"])
    );
    assert_eq!(
        case("Content-Encoding: gzip, gzip\r\n", &gzip(PAGE)),
        plain(&["gzip", "not_encoded"])
    );
    assert_eq!(
        case(
            "Content-Encoding: zstd\r\ncontent-encoding: deflate\r\n",
            &zlib(&zstd(PAGE))
        ),
        plain(&["deflate", "zstd"])
    );
    assert_eq!(
        case("Content-Encoding: gzip\r\n", PAGE),
        plain(&["not_encoded"])
    );
    assert_eq!(
        case("Content-Encoding: utf-8\r\n", PAGE),
        plain(&["unknown_coding"])
    );
    assert_eq!(
        case("Content-Encoding: compress\r\n", PAGE),
        plain(&["not_encoded"])
    );
    let compressed = b"\x1f\x9d\x90\x3c\x0e\x01";
    let (body, _, failure) = case("Content-Encoding: compress\r\n", compressed);
    assert_eq!(body, compressed);
    assert_eq!(failure, Some("coding_unsupported"));
    assert_eq!(
        case("Content-Encoding: gzip\r\n", b""),
        (vec![], vec![], None)
    );
    assert_eq!(
        case("Content-Encoding: br\r\n", brotli_hello()).0,
        b"hello world\n"
    );
}

#[test]
fn the_last_declared_type_counts() {
    let declared = |headers: &str| {
        let bytes = response(headers, PAGE);
        let response = parse(&bytes);
        (response.media_type, response.charset)
    };
    let html = Some("text/html".to_owned());
    let both = "Content-Type: image/png; charset=x\r\nContent-Type: text/html\r\n";
    assert_eq!(declared(both), (html.clone(), None));
    let same = "Content-Type: text/html; charset=utf-8\r\nContent-Type: text/html\r\n";
    assert_eq!(declared(same), (html.clone(), Some("utf-8".to_owned())));
    let empty = "Content-Type: text/html\r\nContent-Type: \r\n";
    assert_eq!(declared(empty), (html, None));
}

#[test]
fn content_length_is_only_compared() {
    assert_eq!(
        case("Content-Length: 3\r\n", PAGE),
        (PAGE.to_vec(), vec!["body_longer_than_stated"], None)
    );
    assert_eq!(
        case("Content-Length: 300\r\n", PAGE),
        (PAGE.to_vec(), vec!["body_shorter_than_stated"], None)
    );
    assert_eq!(
        case("Content-Length: x\r\n", PAGE),
        (PAGE.to_vec(), vec![], None)
    );
}

#[test]
fn losses_are_reported() {
    let text: Vec<u8> = (0..9999)
        .flat_map(|n: u32| n.to_string().into_bytes())
        .collect();
    let data = gzip(&text);
    let (body, words, reason) = case("Content-Encoding: gzip\r\n", &data[..data.len() / 2]);
    assert!(text.starts_with(&body) && body.len() > 1000);
    assert_eq!((words, reason), (vec!["gzip"], Some("coding_truncated")));
    let chunks = chunked(&data, 1000);
    let headers = "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n";
    let (body, words, reason) = case(headers, &chunks[..chunks.len() / 2]);
    assert!(text.starts_with(&body) && body.len() > 1000);
    assert_eq!(
        (words, reason),
        (vec!["chunked", "gzip"], Some("chunk_truncated"))
    );
    let (body, words, reason) = case(
        "Content-Encoding: gzip\r\n",
        b"\x1f\x8b\x08\0\0\0\0\0\0\0\xff\xff\xff",
    );
    assert_eq!(
        (body.len(), words, reason),
        (13, vec!["not_encoded"], Some("coding_invalid"))
    );
    let many = format!("Content-Encoding: {}\r\n", ["gzip"; 9].join(","));
    assert_eq!(case(&many, PAGE).2, Some("too_many_codings"));
}

#[test]
fn decompression_bombs_are_bounded() {
    let limits = Limits {
        max_body_bytes: 1 << 20,
    };
    let zeros = vec![0; 64 << 20];
    let bomb = gzip(&zeros);
    for (coding, data) in [
        ("gzip", bomb.clone()),
        ("deflate", zlib(&zeros)),
        ("zstd", zstd(&zeros)),
        ("gzip, gzip", gzip(&bomb)),
    ] {
        let bytes = response(&format!("Content-Encoding: {coding}\r\n"), &data);
        let response = parse_response(&bytes, &limits);
        assert_eq!(response.body.len(), 1 << 20, "{coding}");
        assert_eq!(reason(&response), Some("body_too_long"), "{coding}");
        let Cow::Owned(body) = response.body else {
            panic!("{coding}: decoded data is owned");
        };
        assert!(body.capacity() <= 8 << 20, "{coding}: {}", body.capacity());
    }
    let bytes = response("", &zeros);
    let cut = parse_response(&bytes, &limits);
    assert_eq!(
        (cut.body.len(), reason(&cut)),
        (1 << 20, Some("body_too_long"))
    );
    assert!(matches!(cut.body, Cow::Borrowed(_)));
}

/// The responses that are mutated.
fn seeds() -> Vec<Vec<u8>> {
    let text = "plain text, and some more of it, ".repeat(40).into_bytes();
    let usual =
        "Server: Apache\r\nP3P : x\r\nContent-Type: text/html; charset=EUC-JP\r\nA:\r\n b\r\n";
    let with = |headers: &str, body: &[u8]| response(&format!("{usual}{headers}"), body);
    vec![
        with("", PAGE),
        with("Transfer-Encoding: chunked\r\n", &chunked(&text, 100)),
        with(
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
            &chunked(&gzip(&text), 20),
        ),
        with("Content-Encoding: gzip\r\n", &gzip(&text)),
        with("Content-Encoding: deflate\r\n", &zlib(&text)),
        with("Content-Encoding: deflate\r\n", &raw_deflate(&text)),
        with("Content-Encoding: br\r\n", brotli_hello()),
        with("Content-Encoding: br\r\n", &text),
        with("Content-Encoding: zstd\r\n", &zstd(&text)),
        with(
            "Content-Encoding: gzip, zstd, deflate\r\n",
            &zlib(&zstd(&gzip(&text))),
        ),
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200\rA: b\r\rx".to_vec(),
        b"Content-Type: text/plain\nSet-Cookie: a\n\nHTTP/1.1 200 OK\n".to_vec(),
    ]
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const PIECES: [&[u8]; 14] = [
        b"\r\n",
        b"\n",
        b"\r",
        b"\r\n\r\n",
        b":",
        b" ",
        b"<",
        b"\0",
        b"HTTP/1.1 ",
        b"Content-Encoding: gzip\r\n",
        b"ffffffffffffffff\r\n",
        b"\x1f\x8b\x08\0",
        b"\xff\xff\xff\xff",
        b"0\r\n",
    ];
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(20)).min(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            3 => drop(bytes.splice(at..to, bytes[at..to].repeat(3))),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.next_u64() as u8;
                }
            }
        }
    }
}

fn check(bytes: &[u8], limits: &Limits) {
    let response = parse_response(bytes, limits);
    assert!(response.body.len() <= limits.max_body_bytes);
    assert!(
        response.body.capacity_is_sane(bytes.len()),
        "{}",
        bytes.escape_ascii()
    );
    assert!(
        response
            .repaired
            .iter()
            .all(|word| Repairs::WORDS.contains(word))
    );
    let head = parse_head(bytes);
    assert!(head.length <= bytes.len());
    assert_eq!(head.headers, response.headers);
    // The kept parts of the head are never longer than the head.
    let kept: usize = head
        .headers
        .iter()
        .map(|(name, value)| name.chars().count() + value.chars().count())
        .sum();
    assert!(kept <= head.length);
}

trait CapacityIsSane {
    fn capacity_is_sane(&self, input: usize) -> bool;
}

impl CapacityIsSane for Cow<'_, [u8]> {
    fn capacity_is_sane(&self, input: usize) -> bool {
        match self {
            Cow::Borrowed(_) => true,
            Cow::Owned(bytes) => bytes.capacity() <= 4 * (bytes.len() + input) + (1 << 20),
        }
    }
}

#[test]
fn truncation_anywhere() {
    for seed in seeds() {
        for end in 0..=seed.len() {
            check(&seed[..end], &Limits::default());
        }
    }
}

#[test]
fn mutations() {
    let rounds = std::env::var("HTTP_FUZZ_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20_000);
    let seeds = seeds();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..rounds {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        mutate(&mut bytes, &mut random);
        let limits = Limits {
            max_body_bytes: [0, 1, 100, 1 << 20][round % 4],
        };
        check(&bytes, &limits);
    }
}

/// Body and repairs of an HTML page that was sent with these headers.
fn page_case(headers: &str, body: &[u8]) -> (Vec<u8>, Vec<&'static str>) {
    let headers = format!("Content-Type: text/html\r\n{headers}");
    let (body, repairs, _) = case(&headers, body);
    (body, repairs)
}

#[test]
fn undeclared_codings_of_pages() {
    let page = |words: &[&'static str]| (PAGE.to_vec(), words.to_vec());
    let undeclared = page(&["gzip", "undeclared_coding"]);
    let coding = "Content-Encoding: gzip\r\n";
    assert_eq!(page_case("", &gzip(PAGE)), undeclared);
    assert_eq!(page_case("", &gzip(&gzip(PAGE))), undeclared);
    assert_eq!(page_case(coding, &gzip(&gzip(PAGE))), undeclared);
    assert_eq!(page_case(coding, &gzip(PAGE)), page(&["gzip"]));
    assert_eq!(
        page_case("", &zstd(PAGE)),
        page(&["zstd", "undeclared_coding"])
    );
    assert_eq!(
        page_case("Transfer-Encoding: chunked\r\n", &chunked(&gzip(PAGE), 9)),
        page(&["chunked", "gzip", "undeclared_coding"])
    );

    let bytes = response("Content-Type: text/html\r\n", &gzip(PAGE)[..40]);
    let cut = parse(&bytes);
    assert_eq!(reason(&cut), Some(Failure::CODING_TRUNCATED));
    assert!(PAGE.starts_with(&cut.body) && !cut.body.is_empty());
}

#[test]
fn compressed_files_stay_compressed() {
    let picture = gzip(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let damaged = b"\x1f\x8b\x08\0\0\0\0\0\0\0\xff\xff\xff\xff";
    for body in [&picture[..], &gzip(&picture), damaged] {
        assert_eq!(page_case("", body), (body.to_vec(), vec![]));
        let bytes = response("Content-Type: text/html\r\n", body);
        assert_eq!(parse(&bytes).sniffed_type(), Some("application/x-gzip"));
    }
    for kind in ["application/gzip", "text/plain", "application/octet-stream"] {
        let headers = format!("Content-Type: {kind}\r\n");
        assert_eq!(case(&headers, &gzip(PAGE)).0, gzip(PAGE), "{kind}");
    }
    assert_eq!(case("", &gzip(PAGE)).0, gzip(PAGE));
}

#[test]
fn layers_and_size_of_undeclared_codings_are_bounded() {
    let mut layers = PAGE.to_vec();
    for _ in 0..20 {
        layers = gzip(&layers);
    }
    assert_eq!(page_case("", &layers).0, layers);

    let bytes = response("Content-Type: text/html\r\n", &gzip(&vec![b' '; 1 << 20]));
    let limits = Limits {
        max_body_bytes: 1000,
    };
    let response = parse_response(&bytes, &limits);
    assert_eq!(response.body.len(), 1000);
    assert_eq!(reason(&response), Some(Failure::BODY_TOO_LONG));
}

#[test]
fn the_sniffed_type_is_declared_or_found() {
    let sniffed = |headers: &str, body: &[u8]| {
        let bytes = response(headers, body);
        parse(&bytes).sniffed_type().map(str::to_owned)
    };
    let html = "Content-Type: Text/HTML; charset=x\r\n";
    assert_eq!(sniffed(html, PAGE).as_deref(), Some("text/html"));
    assert_eq!(sniffed("", PAGE).as_deref(), Some("text/html"));
    assert_eq!(sniffed(html, b"").as_deref(), Some("text/html"));
    assert_eq!(sniffed("", b""), None);
    let png = b"\x89PNG\r\n\x1a\n";
    assert_eq!(sniffed(html, png).as_deref(), Some("image/png"));
    // Apache's default is recognized by its exact spelling, in the last header.
    let plain = "Content-Type: text/plain; charset=UTF-8\r\n";
    let binary = Some("application/octet-stream");
    assert_eq!(sniffed(plain, b"a\0").as_deref(), binary);
    assert_eq!(
        sniffed("Content-Type: text/plain;charset=UTF-8\r\n", b"a\0").as_deref(),
        Some("text/plain")
    );
}
