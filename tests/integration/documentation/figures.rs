//! The table of figures in docs/comparison.md, read from docs/benchmarks.md.

use std::collections::BTreeMap;
use std::fs;

use super::reference::table;
use crate::support::root;

/// A row of the table: a job, its section in docs/benchmarks.md, the row of corpus-sql there, and
/// the rows of other programs with their short names.
struct Job {
    about: &'static str,
    section: &'static str,
    own: &'static str,
    others: &'static [(&'static str, &'static str)],
}

const JOBS: [Job; 6] = [
    Job {
        about: "text of web pages, written as Parquet (63 MB of WARC, 270 MB inflated)",
        section: "Text of web pages",
        own: "corpus-sql",
        others: &[(
            "fastwarc + resiliparse (Python)",
            "fastwarc + resiliparse, nothing written",
        )],
    },
    Job {
        about: "all records of a web archive (210 MB)",
        section: "All records of a web archive",
        own: "corpus-sql",
        others: &[
            ("fastwarc (Python)", "fastwarc"),
            ("Daft `read_warc` (Python)", "Daft"),
        ],
    },
    Job {
        about: "main text of web pages (6 MB)",
        section: "Main text of web pages",
        own: "corpus-sql, ten times",
        others: &[("trafilatura (Python)", "trafilatura")],
    },
    Job {
        about: "width of text blocks in scanned pages (1 GB of hOCR)",
        section: "Widths of text blocks in scanned pages",
        own: "corpus-sql",
        others: &[("lxml (Python)", "lxml")],
    },
    Job {
        about: "text of 300 PDFs, written as Parquet",
        section: "Text of PDFs",
        own: "corpus-sql, in a worker process",
        others: &[
            ("PDFium (pypdfium2)", "PDFium"),
            ("PyMuPDF", "PyMuPDF"),
            ("pdf.js (node)", "pdf.js"),
        ],
    },
    Job {
        about: "the rules of Gopher, C4 and FineWeb (2 MB)",
        section: "Quality rules of Gopher, C4 and FineWeb",
        own: "corpus-sql",
        others: &[("datatrove (Python)", "datatrove")],
    },
];

/// The figures of a program in a row of docs/benchmarks.md.
struct Measured {
    /// The median of user CPU time.
    seconds: String,
    memory: String,
}

/// The rows of docs/benchmarks.md, by the title of their section and their name.
fn benchmarks() -> BTreeMap<(String, String), Measured> {
    let page = fs::read_to_string(root().join("docs/benchmarks.md")).unwrap();
    let mut found = BTreeMap::new();
    for section in page.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap_or_default();
        for row in section.lines().filter_map(|line| line.strip_prefix("| ")) {
            let cells: Vec<&str> = row.split(" | ").collect();
            let [name, seconds, memory, _] = cells[..] else {
                continue;
            };
            let median = |cell: &str| cell.split(" (").next().unwrap_or_default().to_owned();
            let measured = Measured {
                seconds: median(seconds),
                memory: memory.to_owned(),
            };
            found.insert((title.to_owned(), name.to_owned()), measured);
        }
    }
    found
}

/// Returns the table of jobs, and the memory of the job that needs most.
pub fn figures() -> String {
    let benchmarks = benchmarks();
    let measured = |section: &str, name: &str| {
        let row = benchmarks.get(&(section.to_owned(), name.to_owned()));
        row.unwrap_or_else(|| panic!("docs/benchmarks.md has no row '{name}' in '{section}'"))
    };
    let mut rows = Vec::new();
    let mut largest: Option<(u32, &Job)> = None;
    for job in &JOBS {
        let own = measured(job.section, job.own);
        let others = job.others.iter().map(|(name, short)| {
            let other = measured(job.section, name);
            format!("{short}: {}", other.seconds)
        });
        let others = others.collect::<Vec<_>>().join(", ");
        rows.push(vec![job.about.to_owned(), own.seconds.clone(), others]);
        let memory = own.memory.trim_end_matches(" MB").parse().unwrap();
        if largest.is_none_or(|(most, _)| memory > most) {
            largest = Some((memory, job));
        }
    }
    let (memory, job) = largest.unwrap();
    let table = table(&["job, on one core", "corpus-sql", "others"], &rows);
    let name = job.about.split([',', '(']).next().unwrap_or_default();
    format!(
        "{table}\nOf these jobs, {} needs most memory: {memory} MB.\n",
        name.trim_end()
    )
}

#[test]
fn figures_of_the_readme_are_measured_ones() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, section) = readme.split_once("\n## How fast\n").unwrap();
    let section = section.split("\n## ").next().unwrap_or_default();
    let words: Vec<&str> = section
        .split_whitespace()
        .map(|word| word.trim_end_matches([',', ';', '.', ')', ']']))
        .collect();
    let benchmarks = benchmarks();
    let mut count = 0;
    for pair in words.windows(2) {
        let [number, unit] = pair else { continue };
        if number.parse::<f64>().is_err() {
            continue;
        }
        let is_measured = match unit.split("](").next() {
            Some("s") => benchmarks.values().any(|row| row.seconds == *number),
            Some("MB") => {
                let memory = format!("{number} MB");
                benchmarks.values().any(|row| row.memory == memory)
            }
            _ => continue,
        };
        assert!(
            is_measured,
            "docs/benchmarks.md does not have {number} {unit}"
        );
        count += 1;
    }
    assert!(count > 5, "{count} figures");
}
