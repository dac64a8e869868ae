//! Prints the tables of PDFs, a line of JSON per file: `cargo run -p corpus-pdf --example
//! pdf_tables FILE…`

mod json;

use std::path::Path;
use std::process::ExitCode;

use corpus_pdf::{Request, Table, read};
use json::quoted;

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let file = match std::fs::read(&path) {
            Ok(file) => file,
            Err(error) => {
                eprintln!("{path}: {error}");
                exit = ExitCode::FAILURE;
                continue;
            }
        };
        let request = Request {
            tables: true,
            ..Request::default()
        };
        let document = read(&file, &request);
        let name = Path::new(&path).file_name().unwrap_or_default();
        let tables = document.pages.iter().flat_map(|page| &page.tables);
        println!(
            "{{\"file\":{},\"tables\":{},\"details\":{}}}",
            quoted(&name.to_string_lossy()),
            list(tables.clone().map(rows)),
            list(tables.map(details))
        );
        let of_pages = document.pages.iter().flat_map(|page| &page.failure);
        for failure in of_pages.chain(&document.failure) {
            eprintln!("{path}: {failure}");
            exit = ExitCode::FAILURE;
        }
    }
    exit
}

fn rows(table: &Table) -> String {
    let value = |value: &Option<String>| value.as_deref().map_or("null".to_owned(), quoted);
    list(table.rows.iter().map(|row| list(row.iter().map(value))))
}

fn details(table: &Table) -> String {
    let bbox = table.bbox;
    format!(
        "{{\"page\":{},\"box\":[{:.1},{:.1},{:.1},{:.1}],\"caption\":{},\"header_rows\":{},\"found\":{},\"sureness\":{:.2}}}",
        table.page,
        bbox.x1,
        bbox.y1,
        bbox.x2,
        bbox.y2,
        table.caption.as_deref().map_or("null".to_owned(), quoted),
        table.header_rows,
        quoted(table.found.name()),
        table.sureness
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}
