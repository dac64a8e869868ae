//! Runs a query and prints its batches as they arrive: `cargo run --example session`.

use std::error::Error;
use std::process::ExitCode;

use corpus_sql::corpus_pdf::isolation;
use corpus_sql::session::{SessionOptions, session};
use datafusion::arrow::util::pretty::pretty_format_batches;
use futures::StreamExt;

const QUERY: &str = "
    SELECT source_file, d['title'] AS title, d['pages'] AS pages, error
    FROM (SELECT source_file, pdf_parse(content) AS d, error
          FROM read_pdf('data-samples/pdf/'))
    WHERE d['title'] IS NOT NULL";

fn main() -> ExitCode {
    // PDFs are parsed in worker processes, which run this program again. In a worker, this call
    // does all the work, so it has to come first. Programs without PDFs can leave it out.
    if let Some(code) = isolation::at_start_of_main() {
        return code;
    }
    match print_titles() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn print_titles() -> Result<(), Box<dyn Error>> {
    let context = session(&SessionOptions::default())?;
    // Settings are changed in SQL.
    context.sql("SET corpus.pdf_memory = '2GiB'").await?;
    // A stream needs memory for one batch at a time; `collect` would hold all of them.
    let mut batches = context.sql(QUERY).await?.execute_stream().await?;
    while let Some(batch) = batches.next().await {
        println!("{}", pretty_format_batches(&[batch?])?);
    }
    Ok(())
}
