//! No source loses an empty file, however a scan is divided.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::support::{Ran, root, run};

/// Samples whose large copies are read in ranges, with the names of the copies and the functions.
const DIVIDED: [(&str, &str, &str); 5] = [
    ("data-samples/warc/crawl.warc.gz", "m.warc.gz", "read_warc"),
    (
        "data-samples/sequence/plain.seq",
        "m.seq",
        "read_sequencefile",
    ),
    ("data-samples/text/lines.txt", "m.txt", "read_lines"),
    ("data-samples/wiki/history.xml", "m.xml", "read_mediawiki"),
    (
        "data-samples/warc/crawl.warc.gz",
        "m.warc.gz",
        "read_documents",
    ),
];

/// Functions whose rows are whole files.
const WHOLE: [(&str, &str); 4] = [
    ("m.pdf", "read_pdf"),
    ("m.hocr", "read_hocr"),
    ("m.docx", "read_documents"),
    ("m.eml", "read_documents"),
];

fn query(threads: &str, sql: &str) -> Ran {
    run(["-q", "--threads", threads, "--format", "csv", "-c", sql])
}

/// Writes empty files whose names sort before and after that of another file.
fn empty_files(folder: &Path, name: &str) {
    for first in ["a", "z"] {
        fs::write(folder.join(name.replacen('m', first, 1)), "").unwrap();
    }
}

/// Repeats a sample to at least 2 MB, if its format allows that.
fn large_copy(sample: &str) -> Vec<u8> {
    let sample = fs::read(root().join(sample)).unwrap();
    // SequenceFiles and MediaWiki exports have a header, so they cannot be repeated.
    if sample.starts_with(b"SEQ") || sample.starts_with(b"<") {
        sample
    } else {
        sample.repeat((2 << 20) / sample.len() + 1)
    }
}

#[test]
fn a_package_without_members_is_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let zip = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
    fs::write(folder.path().join("a.zip"), zip).unwrap();
    let place = folder.path().display();
    for function in ["read_files", "read_pdf", "read_documents"] {
        let ran = query("2", &format!("SELECT error FROM {function}('{place}')"));
        let expected = "error\nempty file: a package without members\n";
        assert_eq!(ran.succeeded(), expected, "{function}");
    }
}

#[test]
fn an_empty_file_is_a_row_with_an_error_for_any_number_of_threads() {
    for (sample, name, function) in DIVIDED {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().display();
        fs::write(folder.path().join(name), large_copy(sample)).unwrap();
        let count = |threads| {
            // This setting also divides small files.
            let sql = format!(
                "SET datafusion.optimizer.repartition_file_min_size = 1; \
                 SELECT count(*), count(error) FROM {function}('{place}')"
            );
            let ran = query(threads, &sql);
            let last = ran.succeeded().lines().last().unwrap().to_owned();
            let (rows, errors) = last.split_once(',').unwrap();
            [rows, errors].map(|count| count.parse::<u64>().unwrap())
        };
        let [rows, errors] = count("1");
        assert!(rows > 0, "{function}");
        empty_files(folder.path(), name);
        for threads in ["1", "2", "8"] {
            let expected = [rows + 2, errors + 2];
            assert_eq!(count(threads), expected, "{function} {threads}");
            let sql = format!(
                "SET datafusion.optimizer.repartition_file_min_size = 1; \
                 SELECT regexp_replace(source_file, '.*/', '') AS file, error FROM {function}('{place}') \
                 WHERE error LIKE 'empty file%' ORDER BY file"
            );
            let [first, last] = ["a", "z"].map(|first| name.replacen('m', first, 1));
            let ran = query(threads, &sql);
            let expected = format!("file,error\n{first},empty file\n{last},empty file\n");
            assert!(ran.succeeded().ends_with(&expected), "{}", ran.stdout);
        }
    }
}

#[test]
fn an_empty_file_alone_is_a_row_too() {
    let all = DIVIDED.iter().map(|(_, name, function)| (*name, *function));
    for (name, function) in all.chain(WHOLE) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, "").unwrap();
        for place in [folder.path(), &file] {
            let sql = format!("SELECT error FROM {function}('{}')", place.display());
            let ran = query("2", &sql);
            assert_eq!(ran.succeeded(), "error\nempty file\n", "{function}");
        }
    }
    // Any file may be empty.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("__init__.py"), "").unwrap();
    let sql = format!(
        "SELECT size, octet_length(content) AS length, error FROM read_files('{}')",
        folder.path().display()
    );
    let ran = query("2", &sql);
    assert_eq!(ran.succeeded(), "size,length,error\n0,0,\n");
}

#[test]
fn files_of_blanks_and_compressed_files_of_nothing_are_empty() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = zstd::encode_all(&b""[..], 1).unwrap();
    for (name, bytes) in [
        ("1.warc", &[0; 5000][..]),
        ("2.warc", b"\r\n\r\n"),
        ("3.warc.gz", &nothing),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let sql = format!(
        "SELECT error FROM read_warc('{}') ORDER BY source_file",
        folder.path().display()
    );
    for threads in ["1", "8"] {
        let sql = format!("SET datafusion.optimizer.repartition_file_min_size = 1; {sql}");
        let ran = query(threads, &sql);
        let expected = "error\n\
            \"empty file: 5000 bytes, only white space and NUL\"\n\
            \"empty file: 4 bytes, only white space and NUL\"\n\
            empty file: 0 bytes in zstd\n";
        assert!(ran.succeeded().ends_with(expected), "{}", ran.stdout);
    }
}

#[test]
fn settings_decide_about_empty_files_as_about_other_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.warc"), "").unwrap();
    let place = folder.path().display().to_string();
    let sql = |on_error: &str| {
        format!(
            "SET corpus.on_error = '{on_error}'; SELECT count(*) AS n FROM read_warc('{place}')"
        )
    };
    let skipped = run(["--format", "csv", "-c", &sql("skip")]);
    assert_eq!(skipped.succeeded(), "n\n0\n");
    skipped.reports("1 error");
    skipped.reports("empty file");
    query("2", &sql("fail")).failed(1, ["a.warc at offset 0: empty file"]);
}

#[test]
fn the_types_of_a_sequencefile_are_not_those_of_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    let copy = format!("COPY (SELECT 7 AS key, 'text' AS value) TO '{place}/m.seq'");
    query("2", &copy).succeeded();
    empty_files(folder.path(), "m.seq");
    let sql = format!("SELECT key, value FROM read_sequencefile('{place}') WHERE error IS NULL");
    assert_eq!(query("2", &sql).succeeded(), "key,value\n7,text\n");
}

#[test]
fn empty_tables_are_left_out_with_a_warning() {
    for (extension, content) in [("csv", "n\n1\n"), ("jsonl", "{\"n\": 1}\n")] {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().display();
        fs::write(folder.path().join(format!("m.{extension}")), content).unwrap();
        empty_files(folder.path(), &format!("m.{extension}"));
        let ran = query("2", &format!("SELECT count(*) AS n FROM '{place}/'"));
        assert_eq!(ran.succeeded(), "n\n1\n");
        let warning = "2 files are empty and are left out";
        ran.reports(warning);

        let ran = query("2", &format!("SELECT * FROM '{place}/a.{extension}'"));
        let warning = format!("a.{extension}' is empty and is left out");
        ran.reports(&warning);
    }
}

#[test]
fn files_that_begin_with_an_underscore_are_left_out_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    for name in ["a.jsonl", "_b.jsonl", "_temporary/c.jsonl", "_old/d.jsonl"] {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "{\"n\": 1}\n").unwrap();
    }
    fs::write(folder.path().join("_SUCCESS"), "x").unwrap();
    let ran = query("2", &format!("SELECT count(*) AS n FROM '{place}/'"));
    assert_eq!(ran.succeeded(), "n\n1\n");
    ran.reports("_b.jsonl' and 1 more; name such files by a glob");
    let ran = query("2", &format!("SELECT count(*) AS n FROM '{place}/*.jsonl'"));
    assert_eq!(ran.succeeded(), "n\n2\n");
    assert!(!ran.stderr.contains("not read"), "{}", ran.stderr);
}

#[test]
fn documents_and_pdf_documents_judge_empty_files_alike() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    for name in [
        "a.pdf", "b.docx", "c.epub", "d.odt", "e.eml", "f.html", "g.txt", "h.mbox",
    ] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let sql = format!("SELECT kind, text, error FROM documents('{place}') ORDER BY source_file");
    let ran = query("2", &sql);
    let kinds = ["pdf", "docx", "epub", "odt", "eml", "html", "text", "mbox"];
    let rows: Vec<_> = ran.succeeded().lines().skip(1).collect();
    assert_eq!(rows.len(), kinds.len());
    for (row, kind) in rows.iter().zip(kinds) {
        assert!(row.starts_with(&format!("{kind},")), "{row}");
        assert!(row.ends_with(",empty file"), "{row}");
    }

    for name in [
        "blank.pdf",
        "nul.pdf",
        "blank.docx",
        "nul.docx",
        "nul.txt",
        "nul.html",
    ] {
        let content: &[u8] = if name.starts_with("nul") {
            &[0; 100]
        } else {
            b" \r\n\t"
        };
        fs::write(folder.path().join(name), content).unwrap();
    }
    let sql = format!(
        "SELECT kind, count(*) AS n FROM documents('{place}') WHERE error LIKE \
         'empty file: % bytes, only white space and NUL' GROUP BY kind ORDER BY kind"
    );
    let ran = query("2", &sql);
    let expected = "kind,n\napplication/octet-stream,2\ndocx,2\npdf,2\n";
    assert_eq!(ran.succeeded(), expected);
}

#[test]
fn all_sources_judge_blank_files_alike() {
    let all = DIVIDED.iter().map(|(_, name, function)| (*name, *function));
    let tables = [
        ("m.pdf", "documents"),
        ("m.hocr", "ocr_pages"),
        ("m.html", "documents"),
    ];
    for (name, function) in all.chain(WHOLE).chain(tables) {
        // Blank lines are lines.
        if function == "read_lines" {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().display();
        let gzip = |content: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        };
        for (first, content) in [
            ("a", b" \r\n\t".to_vec()),
            ("b", vec![0; 300_000]),
            ("c", gzip(b"\n\n")),
        ] {
            fs::write(folder.path().join(name.replacen('m', first, 1)), content).unwrap();
        }
        // The error does not depend on whether the content is read.
        let has_content = ["read_pdf", "read_hocr", "read_documents"].contains(&function);
        let more = has_content.then_some(", octet_length(content)");
        for more in more.into_iter().chain([""]) {
            let sql = format!("SELECT error{more} FROM {function}('{place}') ORDER BY source_file");
            let ran = query("2", &sql);
            let rows: Vec<_> = ran.succeeded().lines().skip(1).collect();
            for (row, expected) in rows.iter().zip(["4 bytes", "300000 bytes", "2 bytes"]) {
                let expected = format!("empty file: {expected}");
                assert!(row.contains(&expected), "{function}: {row}");
            }
            assert_eq!(rows.len(), 3, "{function}: {}", ran.stdout);
        }
    }
}

#[cfg(feature = "pdf")]
#[test]
fn the_error_of_an_empty_pdf_is_the_same_in_both_tables() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    fs::write(folder.path().join("a.pdf"), "").unwrap();
    fs::write(folder.path().join("b.pdf"), " \n").unwrap();
    let errors = |table: &str| {
        let sql = format!("SELECT error FROM {table}('{place}') ORDER BY source_file");
        query("2", &sql).succeeded().to_owned()
    };
    assert_eq!(errors("documents"), errors("pdf_documents"));
    assert!(errors("documents").starts_with("error\nempty file\n\"empty file: 2 bytes"));
}

#[cfg(feature = "cloud")]
mod on_a_web_server {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    use super::query;

    /// Starts a server that has only empty files. Returns its port.
    fn start() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let mut out = connection.unwrap();
                let mut lines = BufReader::new(out.try_clone().unwrap()).lines();
                std::thread::spawn(move || -> Option<()> {
                    loop {
                        let mut has_range = false;
                        loop {
                            let line = lines.next()?.ok()?.to_ascii_lowercase();
                            has_range |= line.starts_with("range:");
                            if line.is_empty() {
                                break;
                            }
                        }
                        let status = if has_range {
                            "416 Range Not Satisfiable\r\nContent-Range: bytes */0"
                        } else {
                            "200 OK"
                        };
                        write!(out, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").ok()?;
                    }
                });
            }
        });
        port
    }

    #[test]
    fn an_empty_file_is_a_row() {
        let port = start();
        for (name, function) in [
            ("a.warc.gz", "read_warc"),
            ("a.seq", "read_sequencefile"),
            ("a.txt", "read_lines"),
            ("a.xml", "read_mediawiki"),
            ("a.pdf", "read_pdf"),
            ("a.hocr", "read_hocr"),
            ("a.pdf", "read_documents"),
        ] {
            let url = format!("http://127.0.0.1:{port}/{name}");
            let ran = query("2", &format!("SELECT error FROM {function}('{url}')"));
            assert_eq!(ran.succeeded(), "error\nempty file\n", "{function}");
            let folder = format!("http://127.0.0.1:{port}/");
            let sql = format!(
                "SELECT error FROM {function}('{folder}', 'paths', 'SELECT ''{name}'' AS path')"
            );
            let ran = query("2", &sql);
            assert_eq!(
                ran.succeeded(),
                "error\nempty file\n",
                "{function} of a list"
            );
        }
    }
}
