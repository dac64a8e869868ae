//! The page of queries/corpus_report.sql for archives unlike the samples.

use std::fs;
use std::path::Path;

use super::support::{corpus_sql, ran};

/// Writes an archive with the rows of a query, and returns the page of its report.
fn page_of(records: &str, variables: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("crawl.warc.gz");
    let copy = format!("COPY ({records}) TO '{}' STORED AS WARC", archive.display());
    run(&["-c", &copy]);
    let report = folder.path().join("report");
    let input = format!("input={}", archive.display());
    let output = format!("output={}", report.display());
    let mut arguments = vec![
        "-f",
        "queries/corpus_report.sql",
        "-v",
        &input,
        "-v",
        &output,
    ];
    arguments.extend(variables.iter().flat_map(|variable| ["-v", variable]));
    run(&arguments);
    fs::read_to_string(report.join("index.html")).unwrap()
}

fn run(arguments: &[&str]) {
    let output = corpus_sql().arg("--quiet").args(arguments).output();
    ran(output.unwrap()).succeeded();
}

/// A query of responses with the same text, whose addresses and dates are the result of
/// `addresses`.
fn responses(addresses: &str) -> String {
    format!(
        "SELECT 'response' AS warc_type, target_uri, date,
                'HTTP/1.1 200 OK' || chr(13) || chr(10) || 'Content-Type: text/html'
                || chr(13) || chr(10) || chr(13) || chr(10)
                || '<p>The river rises in the hills and runs down to the sea.' AS body
         FROM ({addresses})"
    )
}

#[test]
fn values_from_archives_are_escaped() {
    let records = responses(
        "SELECT 'http://<b>\"&' || chr(39) || '/' AS target_uri, CAST(NULL AS TIMESTAMP) AS date
         UNION ALL SELECT 'http://b.example/<script>x', NULL",
    );
    // Examples of pages in other languages are shown.
    let page = page_of(&records, &["languages=ja"]);
    let escaped = "&lt;b&gt;&quot;&amp;'";
    assert!(page.contains(escaped), "{escaped} is missing in {page}");
    for markup in ["<b>", "<script"] {
        assert!(!page.contains(markup), "{markup} is in {page}");
    }
}

#[test]
fn values_beyond_the_most_frequent_are_added_up() {
    let records = responses(
        "SELECT 'http://host' || CASE WHEN value < 6 THEN 0 ELSE value END || '.example/' AS target_uri,
                to_timestamp(1000000000 + 86400 * 40 * value) AS date
         FROM range(0, 10)",
    );
    let page = page_of(&records, &["most=2"]);
    for row in [
        "<bdi>host0.example</bdi>",
        "<bdi>host6.example</bdi>",
        "<bdi>3 others</bdi><td class=\"n\">3<td class=\"n dim\">100.0",
    ] {
        assert!(page.contains(row), "{row} is missing in {page}");
    }
    assert!(!page.contains("host7.example"), "{page}");
    // Months have a separate plot, with one column each.
    let columns = page.matches(" responses, ").count();
    assert_eq!(columns, 10, "{page}");
    assert!(
        page.contains("<span>2001-09</span><span>2002-09</span>"),
        "{page}"
    );
}

#[test]
fn an_archive_without_responses_has_a_report() {
    let records = "SELECT 'resource' AS warc_type, 'http://a.example/' AS target_uri, 'a' AS body";
    let page = page_of(records, &[]);
    assert!(page.contains("There are no responses."), "{page}");
}

#[test]
fn the_page_needs_no_network() {
    let sql = fs::read_to_string(Path::new("queries/corpus_report.sql")).unwrap();
    for reference in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!sql.contains(reference), "{reference} is in the query");
    }
}

#[test]
fn dates_of_any_year_have_a_month() {
    let records = responses(
        "SELECT 'http://a.example/' AS target_uri, arrow_cast('9999-12-31T23:59:59Z', 'Timestamp(Microsecond, None)') AS date
         UNION ALL SELECT 'http://a.example/2', arrow_cast('1500-01-01T00:00:00Z', 'Timestamp(Microsecond, None)')",
    );
    let page = page_of(&records, &[]);
    assert!(
        page.contains("9999-12") && page.contains("1500-01"),
        "{page}"
    );
}
