//! Tests the filters of queries/html_paragraph_filters.sql on artificial pages.

use std::fmt::Write;
use std::fs;

use super::support::{corpus_sql, ran};

/// Filters pages, each with its status, and returns the result of a query on `${output}`.
fn filtered(pages: &[(&str, &str)], variables: &[&str], query: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("crawl.warc");
    let mut records = String::new();
    for (index, (status, page)) in pages.iter().enumerate() {
        let body =
            format!("HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}");
        let length = body.len();
        // Writing to a string cannot fail.
        let _ = write!(
            records,
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{index}\r\n\
             WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n\
             Content-Length: {length}\r\n\r\n{body}\r\n\r\n"
        );
    }
    fs::write(&archive, records).unwrap();
    let (input, output) = (archive.display(), folder.path().join("out"));
    let output = output.display();
    let mut command = corpus_sql();
    command.args(["--quiet", "-f", "queries/html_paragraph_filters.sql"]);
    command.args([
        "-v",
        &format!("input={input}"),
        "-v",
        &format!("output={output}"),
    ]);
    command.args(variables.iter().flat_map(|variable| ["-v", variable]));
    ran(command.output().unwrap()).succeeded();
    let query = query.replace("${output}", &output.to_string());
    let mut command = corpus_sql();
    command.args(["--quiet", "--format", "csv", "-c", &query]);
    let rows = ran(command.output().unwrap());
    rows.succeeded()
        .lines()
        .skip(1)
        .map(str::to_owned)
        .collect()
}

/// Switches off the filters of whole documents.
const KEEP_DOCUMENTS: [&str; 4] = [
    "length=0",
    "links=1",
    "final_length=0",
    "least_compression=0",
];

const REMOVED: &str = "SELECT text FROM '${output}/removed.parquet' ORDER BY position";

#[test]
fn paragraphs_in_boilerplate_elements_are_removed() {
    let elements = [
        ("article", false),
        ("div", false),
        ("div class=head", false),
        ("section class=sidebar", false),
        ("div class=headerless-not", true),
        ("header", true),
        ("footer id=x", true),
        ("aside", true),
        ("nav class=top", true),
        ("div class=header", true),
        ("div id=header", true),
        ("div id=header-test", true),
        ("div id=widget_wrapper", true),
        ("div class='a b Breadcrumb'", true),
        ("ul class=PANKUZU", true),
        ("div class=blogTitle", true),
        ("div class=blog-title", true),
        ("div class=blogtitles", false),
        ("span class=menu", false),
    ];
    for (element, is_removed) in elements {
        let name = element.split(' ').next().unwrap_or_default();
        let page = format!("<p>kept<{element}><p>inside</p></{name}>");
        let removed = filtered(&[("200 OK", &page)], &KEEP_DOCUMENTS, REMOVED);
        let expected: &[&str] = if is_removed { &["inside"] } else { &[] };
        assert_eq!(removed, expected, "{element}");
    }
}

#[test]
fn repeats_are_removed_also_across_removed_paragraphs() {
    let page = "<p>test1<p>test1<nav><p>test2</nav><p>test1<p>test2<p>test1";
    let rows = filtered(
        &[("200 OK", page)],
        &KEEP_DOCUMENTS,
        "SELECT position, stage FROM '${output}/removed.parquet' ORDER BY position",
    );
    assert_eq!(rows, ["2,repeated", "3,boilerplate", "4,repeated"]);
}

#[test]
fn each_filter_of_documents_has_inclusive_bounds() {
    let filters = "SELECT stage FROM '${output}/removed.parquet' WHERE level = 'document'";
    let half_link = "<p>test<a href=x>baka</a>";
    let hiragana = "<p>ひらがな漢字漢字";
    let again = format!("<p>{}", "again ".repeat(50));
    for (page, variable, filter) in [
        (half_link, "length=8", None),
        (half_link, "length=9", Some("length")),
        (half_link, "links=0.5", None),
        (half_link, "links=0.49", Some("links")),
        ("<p>test", "links=0", None),
        (hiragana, "hiragana=0.5", None),
        (hiragana, "hiragana=0.51", Some("hiragana")),
        (half_link, "final_length=8", None),
        (half_link, "final_length=9", Some("final_length")),
        (&again, "least_compression=0.05", None),
        (&again, "least_compression=0.25", Some("compression")),
        (&again, "most_compression=0.05", Some("compression")),
        ("<p>porn, xxx and porn", "most_words=2", None),
        ("<p>porn, xxx and porn", "most_words=1", Some("words")),
        // These pages are dropped completely, whatever the thresholds are.
        ("", "length=0", Some("final_length")),
        ("<nav>menu</nav>", "length=0", Some("final_length")),
    ] {
        let name = variable.split('=').next().unwrap_or_default();
        let others = KEEP_DOCUMENTS
            .iter()
            .filter(|other| !other.starts_with(name));
        let variables: Vec<_> = others.copied().chain([variable]).collect();
        let removed = filtered(&[("200 OK", page)], &variables, filters);
        let expected: Vec<_> = filter.into_iter().collect();
        assert_eq!(removed, expected, "{page} with {variable}");
    }
    let removed = filtered(&[("404 Not Found", half_link)], &KEEP_DOCUMENTS, filters);
    assert_eq!(removed, ["status"]);
}

/// The input of each filter is the output of the previous one, and nothing is lost.
#[test]
fn the_summary_adds_up() {
    let pages = [
        ("200 OK", "<nav>menu</nav><p>Kept text.<p>Kept text.<p>More"),
        ("500 Error", "<p>Error<p>Error"),
        ("200 OK", "<p>ab"),
        ("200 OK", "<nav>menus</nav><p>abc"),
    ];
    let variables = ["length=5", "final_length=4", "links=1"];
    let rows = filtered(
        &pages,
        &variables,
        "SELECT * EXCLUDE (number) FROM '${output}/summary.parquet' ORDER BY number",
    );
    assert_eq!(
        rows,
        [
            "damaged,4,4,9,9,48,48",
            "status,4,3,9,7,48,38",
            "length,3,2,7,6,38,36",
            "hiragana,2,2,6,6,36,36",
            "links,2,2,6,6,36,36",
            "boilerplate,2,2,6,4,36,27",
            "repeated,2,2,4,3,27,17",
            "compression,2,2,3,3,17,17",
            "words,2,2,3,3,17,17",
            "final_length,2,1,3,2,17,14",
        ]
    );
}
