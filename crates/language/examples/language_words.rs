//! Prints the main script of each line of stdin, and its words in that script as the detection sees
//! them; `benches/language_model.py` learns from these.

use std::io::{BufRead, BufWriter, Write, stdin, stdout};

fn main() -> std::io::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let (script, words) = corpus_language::detect::normalize(&line?).unwrap_or_default();
        writeln!(out, "{script}\t{words}")?;
    }
    Ok(())
}
