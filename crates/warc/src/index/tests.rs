//! Searches index files in any order and with damage.

use std::sync::Arc;

use corpus_bytes::file::FileBytes;
use corpus_bytes::memory::Memory;
use corpus_bytes::record_locations::Findings;

use super::lines::{self, MAX_LINE_BYTES};
use super::search::MAX_SMALL_BYTES;
use super::*;
use crate::surt;

fn url(n: usize) -> String {
    format!("http://a.org/{n:06}")
}

/// A line whose offset is its number.
fn line(n: usize) -> String {
    let url = url(n);
    let key = surt(&url);
    let digest = "x".repeat(n % 90);
    format!(
        r#"{key} 2020 {{"url": "{url}", "digest": "{digest}", "offset": "{n}", "filename": "x.warc.gz"}}"#
    )
}

fn lines(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    let mut content: Vec<u8> = Vec::new();
    for n in numbers {
        content.extend_from_slice(line(n).as_bytes());
        content.push(b'\n');
    }
    content
}

/// The way in which a file is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    Any,
    Sorted,
}

fn search(content: &[u8], order: Order, wanted: Option<&UrlFilter>) -> Result<Findings, String> {
    let file: Arc<dyn FileBytes> = Arc::new(Memory(content.into()));
    let mut findings = Findings::default();
    let index = CdxFile::open(&file).map_err(|error| error.to_string())?;
    let found = match wanted.filter(|_| order == Order::Sorted) {
        Some(wanted) => index.find_sorted(wanted, &mut findings),
        None => index.find(wanted, &mut findings),
    };
    found.map_err(|error| error.to_string())?;
    Ok(findings)
}

fn wanted(n: usize) -> UrlFilter {
    UrlFilter::url(&url(n))
}

fn offsets(findings: &Findings) -> Vec<u64> {
    let places = findings.by_archive.values().flatten();
    places.map(|record| record.location.offset).collect()
}

fn found(content: &[u8], order: Order, n: usize) -> Result<Vec<u64>, String> {
    search(content, order, Some(&wanted(n))).map(|findings| offsets(&findings))
}

const MANY: usize = 9_000;

#[test]
fn every_line_of_a_sorted_file_is_found() {
    let content = lines(0..MANY);
    assert!(content.len() as u64 > MAX_SMALL_BYTES);
    for (order, step) in [(Order::Sorted, 311), (Order::Any, 4999)] {
        for n in (0..MANY).step_by(step).chain([1, MANY - 1]) {
            assert_eq!(found(&content, order, n), Ok(vec![n as u64]), "{n}");
        }
        assert_eq!(found(&content, order, MANY), Ok(vec![]));
    }
    let prefix = url(12).replace("http://a.org", "org,a)");
    let some = UrlFilter::keys_starting_with(&prefix[..prefix.len() - 1]).unwrap();
    let ranges = some.ranges();
    let mut count = 0;
    let file: Arc<dyn FileBytes> = Arc::new(Memory(content.into()));
    let mut key_of = |line: &[u8]| Some(Entry::new(line, None).key().into_owned());
    lines::visit_ranges(&file, &ranges, &mut key_of, |_| {
        count += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(count, 10);
}

#[test]
fn every_line_of_a_file_in_any_order_is_found() {
    let mut swapped: Vec<usize> = (0..MANY).collect();
    swapped.swap(7, MANY - 7);
    let reversed = (0..MANY).rev().collect();
    // An order as in some locales, which compare some characters last.
    let mut by_last: Vec<usize> = (0..MANY).collect();
    by_last.sort_by_key(|n| (n % 10, *n));
    let small = (0..100).rev().collect();
    for order in [swapped, reversed, by_last, small] {
        let content = lines(order.iter().copied());
        for n in [7, 99, MANY - 7] {
            let expected: Vec<u64> = order.contains(&n).then_some(n as u64).into_iter().collect();
            assert_eq!(found(&content, Order::Any, n).unwrap(), expected);
        }
    }
}

#[test]
fn a_wrong_declaration_of_order_is_an_error_where_it_is_seen() {
    let content = lines((0..MANY).rev());
    let error = found(&content, Order::Sorted, 500).unwrap_err();
    assert!(
        error.contains("not sorted") && error.contains("LC_ALL=C sort"),
        "{error}"
    );
    // Small files need not be sorted, and a query without a key reads all lines.
    assert_eq!(found(&lines((0..100).rev()), Order::Sorted, 7), Ok(vec![7]));
    let all = search(&content, Order::Sorted, None).unwrap();
    assert_eq!(offsets(&all).len(), MANY);
}

#[test]
fn keys_by_other_rules_are_found_or_an_error() {
    let text = String::from_utf8(lines(0..MANY)).unwrap();
    for (from, to) in [("org,a)/", "a.org/"), ("org,a)/", "org,a,www)/")] {
        let content = text.replace(from, to).into_bytes();
        assert_eq!(found(&content, Order::Any, 7), Ok(vec![7]), "{to}");
        let error = found(&content, Order::Sorted, 7).unwrap_err();
        assert!(error.contains("url_surt"), "{error}");
    }
}

#[test]
fn a_compressed_index_needs_no_order() {
    let content = zstd::encode_all(lines((0..MANY).rev()).as_slice(), 1).unwrap();
    assert_eq!(found(&content, Order::Sorted, 7), Ok(vec![7]));
}

#[test]
fn headers_marks_and_line_ends_are_no_entries() {
    let cdx =
        "\u{feff} CDX N b a V g\r\n\r\norg,a)/000007 2020 http://a.org/000007 7 x.warc.gz\r\n";
    assert_eq!(found(cdx.as_bytes(), Order::Any, 7), Ok(vec![7]));
    let cdxj = format!("\u{feff}!meta {{}}\n# comment\n\n  \n{}", line(7));
    assert_eq!(found(cdxj.as_bytes(), Order::Any, 7), Ok(vec![7]));
    let mut sorted = b" CDX N b a V g\n".to_vec();
    for n in 0..3 * MANY {
        let url = url(n);
        sorted.extend(format!("{} 2020 {url} {n} x.warc.gz\n", surt(&url)).into_bytes());
    }
    assert!(sorted.len() as u64 > MAX_SMALL_BYTES);
    for n in [0, 7, 3 * MANY - 1] {
        assert_eq!(found(&sorted, Order::Sorted, n), Ok(vec![n as u64]));
    }
}

#[test]
fn an_unusable_line_costs_itself() {
    let long = "y".repeat(MAX_LINE_BYTES + 1);
    for damaged in [
        "garbage",
        "org,a)/000007 2020 {\"url\": \"http://a.o",
        "\0\0\0",
        &long,
    ] {
        let content = format!("{}\n{damaged}\n{}\n", line(6), line(7));
        let first = format!("{damaged}\n{}\n", line(7));
        let findings = search(first.as_bytes(), Order::Any, None).unwrap();
        assert_eq!((findings.faults().len(), offsets(&findings)), (1, vec![7]));
        for wanted in [None, Some(&wanted(7))] {
            let findings = search(content.as_bytes(), Order::Any, wanted).unwrap();
            assert_eq!(findings.faults().len(), 1, "{}", &damaged[..3]);
            assert_eq!(findings.faults()[0].0, line(6).len() as u64 + 1);
            assert!(offsets(&findings).contains(&7));
        }
    }
    let other = format!("{}\norg,b)/ 2020 {{\"url\": \"http://b.org/\"}}\n", line(6));
    let findings = search(other.as_bytes(), Order::Any, Some(&wanted(6))).unwrap();
    assert_eq!((findings.faults().len(), offsets(&findings)), (0, vec![6]));
}

#[test]
fn a_file_that_is_no_index_is_an_error() {
    for content in [
        vec![b'x'; 3 << 20],
        b"<html>\n".to_vec(),
        b"<p>\n".repeat(1 << 20),
    ] {
        for order in [Order::Any, Order::Sorted] {
            for wanted in [None, Some(&wanted(7))] {
                let error = search(&content, order, wanted).unwrap_err();
                assert!(error.contains("not a line of CDXJ or CDX"), "{error}");
            }
        }
    }
}

#[test]
fn a_package_is_an_error_that_says_so() {
    let error = search(b"PK\x03\x04...", Order::Any, None).unwrap_err();
    assert!(error.contains("extract"), "{error}");
}

#[test]
fn many_unusable_lines_are_a_bounded_number_of_rows() {
    let content = format!("{}\n{}", line(7), "garbage\n".repeat(5000));
    let findings = search(content.as_bytes(), Order::Any, None).unwrap();
    assert_eq!(findings.faults().len(), 1001);
}
