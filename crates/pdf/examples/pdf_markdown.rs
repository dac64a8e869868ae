//! Prints PDFs as Markdown: `cargo run -p corpus-pdf --example pdf_markdown FILE…`. With `--json`
//! first, a line of JSON per file.

mod json;

use std::path::Path;
use std::process::ExitCode;

use corpus_blocks::markdown::{Options, markdown};
use corpus_pdf::{Request, blocks, read};
use json::quoted;

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    let is_json = paths.first().is_some_and(|path| path == "--json");
    for path in paths.drain(usize::from(is_json)..) {
        let path = path.as_str();
        let file = match std::fs::read(path) {
            Ok(file) => file,
            Err(error) => {
                eprintln!("{path}: {error}");
                exit = ExitCode::FAILURE;
                continue;
            }
        };
        let request = Request {
            structure: true,
            ..Request::default()
        };
        let document = read(&file, &request);
        let markdown = markdown(&blocks(&document), &Options::default());
        let name = Path::new(path).file_name().unwrap_or_default();
        if is_json {
            println!(
                "{{\"file\":{},\"markdown\":{}}}",
                quoted(&name.to_string_lossy()),
                quoted(&markdown)
            )
        } else {
            println!("{markdown}")
        }
        let of_pages = document.pages.iter().flat_map(|page| &page.failure);
        for failure in of_pages.chain(&document.failure) {
            eprintln!("{path}: {failure}");
            exit = ExitCode::FAILURE;
        }
    }
    exit
}
