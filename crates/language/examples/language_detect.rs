//! Detects the language of texts, one per line of a file.
//!
//! `language_detect FILE` prints language, confidence, script and alternatives, separated by tabs.
//! `language_detect FILE --time` prints only the number of languages.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write, stdout};

use corpus_language::detect::detect;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("usage: language_detect FILE [--time]")?;
    let texts = std::fs::read_to_string(path)?;
    let lines = texts.split_terminator('\n');
    if arguments.next().is_some() {
        let languages = lines.filter_map(|line| Some(detect(line)?.language));
        println!("{}", languages.collect::<BTreeSet<_>>().len());
        return Ok(());
    }
    let mut out = BufWriter::new(stdout().lock());
    for line in lines {
        match detect(line) {
            None => writeln!(out)?,
            Some(found) => writeln!(
                out,
                "{}\t{:.4}\t{}\t{}",
                found.language,
                found.confidence,
                found.script,
                found
                    .alternatives
                    .iter()
                    .map(|(language, confidence)| format!("{language} {confidence:.4}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            )?,
        }
    }
    Ok(())
}
