//! Tables of documents do exactly the work of the nested query that they replace.

use std::fs;

use super::support::run;

/// A short query, and the nested one that it replaces.
const PAIRS: [(&str, &str); 8] = [
    (
        "SELECT url, document FROM web_pages(['data-samples/web/', 'data-samples/warc/']) WHERE document <> ''",
        "SELECT url, document FROM (
             SELECT target_uri AS url, html_document(http['body'], http['charset']) AS document
             FROM (SELECT target_uri, http_response(body) AS http
                   FROM read_warc(['data-samples/web/', 'data-samples/warc/'])
                   WHERE warc_type = 'response')
             WHERE http['sniffed_type'] IN ('text/html', 'application/xhtml+xml')
         ) WHERE document <> ''",
    ),
    (
        "SELECT title, author, published FROM web_pages('data-samples/web/') WHERE status = 200",
        "SELECT meta['title'], meta['author'], meta['published'] FROM (
             SELECT html_meta(http['body'], http['charset'], target_uri) AS meta
             FROM (SELECT target_uri, http_response(body) AS http
                   FROM read_warc('data-samples/web/') WHERE warc_type = 'response')
             WHERE http['sniffed_type'] IN ('text/html', 'application/xhtml+xml')
               AND http['status'] = 200)",
    ),
    (
        "SELECT count(*) FROM web_pages('data-samples/web/') WHERE url LIKE 'http://site.example/poem%'",
        "SELECT count(*) FROM (SELECT http_response(body) AS http FROM read_warc('data-samples/web/')
             WHERE warc_type = 'response' AND target_uri LIKE 'http://site.example/poem%')
         WHERE http['sniffed_type'] IN ('text/html', 'application/xhtml+xml')",
    ),
    (
        "SELECT source_file, size FROM pdf_documents('data-samples/damaged-pdf/')",
        "SELECT source_file, size FROM read_pdf('data-samples/damaged-pdf/')",
    ),
    (
        "SELECT title, pages, document FROM pdf_documents('data-samples/damaged-pdf/') WHERE size > 1000",
        "SELECT pdf['title'], pdf['pages'], pdf['text'] FROM (
             SELECT pdf_parse(content) AS pdf FROM read_pdf('data-samples/damaged-pdf/') WHERE size > 1000)",
    ),
    (
        "SELECT source_file, page, text FROM ocr_pages('data-samples/files/') WHERE source_file LIKE '%.hocr'",
        "SELECT source_file, page['page'], page['text'] FROM (
             SELECT source_file, unnest(hocr_pages(content)) AS page
             FROM read_hocr('data-samples/files/') WHERE source_file LIKE '%.hocr')",
    ),
    (
        "SELECT kind, count(*) FROM documents(['data-samples/office/', 'data-samples/web/']) GROUP BY kind",
        "SELECT CASE WHEN part IS NULL THEN kind
                ELSE document_kind(part['content'], part['media_type'], part['name']) END, count(*) FROM (
             SELECT kind, unnest(CASE WHEN cardinality(parts) > 0 THEN array_prepend(NULL, parts) ELSE [NULL] END) AS part
             FROM (SELECT kind, document_attachments(data, kind) AS parts FROM (
                 SELECT data, document_kind(data, http['media_type']) AS kind FROM (
                     SELECT http, CASE WHEN http['body'] IS NOT NULL THEN http['body'] ELSE content END AS data FROM (
                         SELECT content, http_response(CASE WHEN media_type LIKE 'application/http%' THEN content END) AS http
                         FROM read_documents(['data-samples/office/', 'data-samples/web/'])))))) GROUP BY 1",
    ),
    (
        "SELECT source_file, pages FROM documents('data-samples/') WHERE source_file LIKE '%/report.docx'",
        "SELECT source_file, office_parse(CASE WHEN part_kind = 'docx' THEN data END),
                pdf_parse(CASE WHEN part_kind = 'pdf' THEN data END),
                hocr_pages(CASE WHEN part_kind = 'hocr' THEN data END) FROM (
             SELECT source_file, data, CASE WHEN part IS NULL THEN kind
                    ELSE document_kind(part['content'], part['media_type'], part['name']) END AS part_kind FROM (
                 SELECT source_file, data, kind,
                        unnest(CASE WHEN cardinality(parts) > 0 THEN array_prepend(NULL, parts) ELSE [NULL] END) AS part
                 FROM (SELECT *, document_attachments(data, kind) AS parts FROM (
                     SELECT source_file, data, document_kind(data, http['media_type']) AS kind FROM (
                     SELECT source_file, http, CASE WHEN http['body'] IS NOT NULL THEN http['body'] ELSE content END AS data FROM (
                         SELECT source_file, content,
                                http_response(CASE WHEN media_type LIKE 'application/http%' THEN content END) AS http
                         FROM read_documents('data-samples/') WHERE source_file LIKE '%/report.docx'))))))",
    ),
];

/// Returns the rows of each scan and the rows for which each parser ran, in a fixed order.
fn work(sql: &str) -> Vec<String> {
    let sql = format!("EXPLAIN ANALYZE {sql}");
    let ran = run(["-q", "--threads", "2", "-c", &sql]);
    let parsers = [
        "http_response(",
        "html_document(",
        "html_meta(",
        "html_main_text(",
        "html_paragraphs(",
        "html_links(",
        "charset_detect(",
        "charset_decode(",
        "pdf_parse(",
        "pdf_pages(",
        "hocr_pages(",
        "document_kind(",
        "office_parse(",
        "document_attachments(",
        "mail_parse(",
        "mail_messages(",
    ];
    let mut work = Vec::new();
    for line in ran.succeeded().lines() {
        let Some((operator, metrics)) = line.split_once("metrics=[") else {
            continue;
        };
        let rows = metrics.split_once("output_rows=");
        let rows = rows.and_then(|(_, rows)| rows.split([',', ']']).next());
        let rows = rows.unwrap_or("?");
        if operator.contains("DataSourceExec") {
            work.push(format!("scan {rows}"));
        } else if operator.contains("EvaluateOnceExec") {
            let calls = parsers.iter().filter(|parser| operator.contains(**parser));
            work.extend(calls.map(|call| format!("{call} {rows}")));
        }
    }
    work.sort();
    work
}

#[test]
fn only_the_columns_that_a_query_names_are_computed() {
    for (short, nested) in PAIRS {
        if cfg!(not(feature = "pdf")) && [short, nested].iter().any(|sql| sql.contains("pdf_")) {
            continue;
        }
        let expected = work(nested);
        assert!(
            expected.iter().any(|step| step.starts_with("scan")),
            "{expected:?}"
        );
        assert_eq!(work(short), expected, "{short}");
    }
}

#[test]
fn rows_are_those_of_the_nested_query() {
    for (short, nested) in &PAIRS[..3] {
        let rows = |sql: &str| {
            let ran = run(["-q", "--format", "ndjson", "-c", sql]);
            let text = ran.succeeded();
            let values = text
                .lines()
                .map(|line| line.replace("meta['", "").replace("']", ""));
            let mut rows: Vec<String> = values.collect();
            rows.sort();
            rows
        };
        assert_eq!(rows(short), rows(nested), "{short}");
    }
}

#[test]
fn a_copy_works_row_by_row() {
    for table in [
        "web_pages('data-samples/web/')",
        "web_tables('data-samples/web/')",
        "pdf_documents('data-samples/pdf/')",
        "pdf_document_pages('data-samples/pdf/')",
        "ocr_pages('data-samples/files/')",
    ] {
        if cfg!(not(feature = "pdf")) && table.starts_with("pdf_") {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out/").display().to_string();
        let sql = format!(
            "EXPLAIN FORMAT INDENT COPY (SELECT * FROM {table} WHERE error IS NULL) TO '{target}' \
             STORED AS PARQUET OPTIONS (mode 'resume')"
        );
        let ran = run(["-q", "-c", &sql]);
        assert!(ran.succeeded().contains("PartsExec"), "{table}");
    }
}

#[test]
fn names_of_folders_become_columns() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("year=2024/page.hocr");
    fs::create_dir(page.parent().unwrap()).unwrap();
    fs::write(
        &page,
        "<div class='ocr_page' title='bbox 0 0 10 10'>One</div>",
    )
    .unwrap();
    let location = folder.path().display();
    let sql = format!("SELECT year, text FROM ocr_pages('{location}') WHERE year = '2024'");
    let ran = run(["-q", "--format", "csv", "-c", &sql]);
    assert_eq!(ran.succeeded(), "year,text\n2024,One\n");
    // A column of the table takes precedence over a folder of the same name.
    let inner = folder.path().join("year=2024/lang=ja");
    fs::create_dir(&inner).unwrap();
    fs::rename(&page, inner.join("page.hocr")).unwrap();
    let sql = format!("SELECT year, lang, text FROM ocr_pages('{location}')");
    let ran = run(["-q", "--format", "csv", "-c", &sql]);
    assert_eq!(ran.succeeded(), "year,lang,text\n2024,,One\n");
}

/// A WARC file with one response for each head and body.
fn archive(responses: &[(&str, &str)]) -> Vec<u8> {
    let records = responses.iter().map(|(head, body)| {
        let response = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{response}\r\n\r\n",
            response.len()
        )
    });
    records.collect::<String>().into_bytes()
}

#[test]
fn empty_elements_of_xhtml_do_not_swallow_a_page() {
    let page = |head: &str| {
        format!(
            "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head>{head}</head>\
             <body><p>The text of the page.</p></body></html>"
        )
    };
    let heads = ["<title/>", "<script src=\"a.js\"/>", "<style />"];
    let pages = heads.map(page);
    let types = [
        "Content-Type: application/xhtml+xml",
        "Content-Type: text/html",
    ];
    let served = |page| types.map(|kind| (kind, page));
    let responses: Vec<(&str, &str)> = pages.iter().map(String::as_str).flat_map(served).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("xhtml.warc");
    fs::write(&path, archive(&responses)).unwrap();
    let sql = format!(
        "SELECT count(*) FILTER (WHERE document = 'The text of the page.') AS kept, count(*) AS n \
         FROM web_pages('{}')",
        path.display()
    );
    let ran = run(["-q", "--format", "csv", "-c", &sql]);
    assert_eq!(ran.succeeded(), "kept,n\n6,6\n");
}

#[test]
fn responses_without_an_end_of_the_head_are_rows_with_an_error() {
    let head = format!("X-Long: {}", "a".repeat(2 << 20));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("head.warc");
    fs::write(
        &path,
        archive(&[(&head, "<html><p>text"), ("A: b", "<html><p>text")]),
    )
    .unwrap();
    let sql = format!(
        "SELECT split_part(error, ':', 1) AS error FROM web_pages('{}') \
         ORDER BY error",
        path.display()
    );
    let ran = run(["-q", "--format", "csv", "-c", &sql]);
    assert_eq!(ran.succeeded(), "error\nhead_too_long\n\"\"\n");
}

#[test]
fn an_archive_with_a_byte_order_mark_is_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mark.warc");
    let pages = ["<html><p>one", "<html><p>two"].map(|page| ("Content-Type: text/html", page));
    let marked = [b"\xef\xbb\xbf".as_slice(), archive(&pages).as_slice()].concat();
    fs::write(&path, marked).unwrap();
    let sql = format!(
        "SELECT text FROM documents('{}') ORDER BY text",
        path.display()
    );
    let ran = run(["-q", "--format", "csv", "-c", &sql]);
    assert_eq!(ran.succeeded(), "text\none\ntwo\n");
}
