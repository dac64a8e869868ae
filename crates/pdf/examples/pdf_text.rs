//! Prints the text of PDFs, page by page: `cargo run -p corpus-pdf --example pdf_text FILE…`

use std::process::ExitCode;

use corpus_pdf::{Request, read};

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
        let document = read(&file, &Request::text());
        for page in &document.pages {
            println!("{path}, page {}\n\n{}", page.number, page.text);
        }
        let of_pages = document.pages.iter().flat_map(|page| &page.failure);
        for failure in of_pages.chain(&document.failure) {
            eprintln!("{path}: {failure}");
            exit = ExitCode::FAILURE;
        }
    }
    exit
}
