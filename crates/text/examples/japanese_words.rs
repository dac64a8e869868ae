//! Splits lines of stdin into Japanese words, separated by U+001F, for `benches/japanese_words.py`.
//! `japanese_words rules` splits by the rules for all languages.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let by_rules = std::env::args()
        .nth(1)
        .is_some_and(|splitter| splitter == "rules");
    let text = io::read_to_string(io::stdin())?;
    let started = std::time::Instant::now();
    let mut count = 0;
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in text.lines() {
        let words: Vec<&str> = if by_rules {
            corpus_text::words::words(line).collect()
        } else {
            corpus_text::japanese::words(line).collect()
        };
        count += words.len();
        writeln!(output, "{}", words.join("\u{1f}"))?;
    }
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "{count} words, {:.1} MB/s",
        text.len() as f64 / 1e6 / seconds
    );
    output.flush()
}
