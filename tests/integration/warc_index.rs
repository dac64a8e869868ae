//! Indexes of all kinds, intact and damaged, derived from that of
//! `data-samples/warc/crawl.warc.gz`.

use std::fs;

use super::support::run;

const JA: &str = "WHERE target_uri = 'http://www.example/ja'";

/// Returns the rows and messages of a query on the records listed in an index.
fn look_up(index: &[u8], location: &str, options: &str, filter: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    fs::write(&path, index).unwrap();
    let sql = format!(
        "SELECT \"offset\", target_uri, regexp_replace(error, ':.*', '') AS error \
         FROM read_warc('{location}', 'index', '{}'{options}) {filter} ORDER BY \"offset\"",
        path.display()
    );
    let ran = run(["--format", "csv", "-c", &sql]);
    let rows = ran.succeeded().lines().skip(1).map(str::to_owned).collect();
    (rows, ran.stderr)
}

fn rows(index: &str, filter: &str) -> Vec<String> {
    look_up(index.as_bytes(), "data-samples/warc/", "", filter).0
}

fn sample() -> String {
    fs::read_to_string("data-samples/warc/crawl.cdxj").unwrap()
}

#[test]
fn the_order_of_lines_does_not_matter() {
    let sample = sample();
    let mut lines: Vec<&str> = sample.lines().collect();
    lines.reverse();
    let reversed = lines.join("\n");
    lines.swap(0, 5);
    for index in [
        reversed,
        lines.join("\r\n\r\n"),
        format!("\u{feff}{sample}{sample}"),
    ] {
        assert_eq!(rows(&index, JA), ["918,http://www.example/ja,"]);
        assert_eq!(rows(&index, "").len(), 9);
    }
}

#[test]
fn any_kind_of_index_and_key_leads_to_the_record() {
    let url = "http://www.example/ja";
    let json = format!(r#"{{"url": "{url}", "offset": "918", "filename": "crawl.warc.gz"}}"#);
    for line in [
        format!("example)/ja?__wb_method=post&x=1 20231114221304 {json}"),
        format!("www.example/ja 20231114221304 {json}"),
        format!("example,www)/ja/ 20231114221304 {json}"),
        format!(" CDX a V g\n{url} 918 crawl.warc.gz"),
        format!("example)/ja 2023 {url} text/html 200 X - 918 crawl.warc.gz"),
        format!("example)/ja 2023 {url} text/html 200 X - - 918 crawl.warc.gz"),
        format!("example)/ja 2023 {url} text/html 200 X - - 559 918 crawl.warc.gz"),
        format!("example)/ja 2023 {url} text/html 200 X - - - 918 a/b/crawl.warc.gz"),
        format!("/ja 2023 {url} text/html 200 X - - 559 918 /far/away/crawl.warc.gz"),
    ] {
        for filter in [JA, "WHERE url_surt(target_uri) = 'example)/ja'"] {
            let index = format!("{line}\n");
            assert_eq!(
                rows(&index, filter),
                ["918,http://www.example/ja,"],
                "{line}"
            );
        }
    }
}

#[test]
fn each_line_is_one_row_possibly_with_an_error() {
    let ja = "918,http://www.example/ja,";
    let wrong = [format!("{ja}wrong length in the index")];
    for (from, to, expected) in [
        (r#""length": "559""#, r#""length": "4000""#, &wrong[..]),
        (r#""length": "559""#, r#""length": "99999999999""#, &wrong),
        (r#""length": "559""#, r#""length": "30""#, &wrong),
        (r#""length": "559", "#, "", &[ja.to_owned()]),
    ] {
        let index = sample().replace(from, to);
        assert_eq!(rows(&index, JA), expected, "{to}");
        assert_eq!(rows(&index, "").len(), 9, "{to}");
    }
    for (from, to, reason) in [
        (
            r#""offset": "918""#,
            r#""offset": "919""#,
            "no record where the index says",
        ),
        (
            r#""offset": "918""#,
            r#""offset": "9180000""#,
            "no record where the index says",
        ),
        (
            r#""offset": "918", "filename": "crawl"#,
            r#""offset": "918", "filename": "lost"#,
            "archive not found",
        ),
        (r#""offset": "918", "#, "", "bad line in the index"),
    ] {
        let index = sample().replace(from, to);
        for location in ["data-samples/warc/", "data-samples/*/crawl.*"] {
            let (all, _) = look_up(index.as_bytes(), location, "", "");
            assert_eq!(all.len(), 9, "{to}: {all:?}");
            let errors = all
                .iter()
                .filter(|row| row.ends_with(&format!(",,{reason}")));
            assert_eq!(errors.count(), 1, "{to}: {all:?}");
            // The summary counts errors that a filter drops.
            let (none, summary) = look_up(index.as_bytes(), location, "", JA);
            assert_eq!(none, [""; 0], "{to}");
            assert!(
                summary.contains(&format!("1 × {reason}")),
                "{to}: {summary}"
            );
        }
    }
}

#[test]
fn options_are_checked() {
    let location = "data-samples/warc/";
    let (rows, _) = look_up(
        sample().as_bytes(),
        location,
        ", 'index_order', 'sorted'",
        JA,
    );
    assert_eq!(rows, ["918,http://www.example/ja,"]);
    for (options, message) in [
        (
            "'index', 'data-samples/warc/crawl.cdxj', 'index_order', 'up'",
            "'sorted' or 'any', not 'up'",
        ),
        ("'index_order', 'any'", "needs the option 'index'"),
        (
            "'index', 'data-samples/warc/package.wacz'",
            "extract the CDX files",
        ),
    ] {
        let sql = format!("SELECT * FROM read_warc('{location}', {options})");
        run(["-c", &sql]).failed(1, [message]);
    }
}
