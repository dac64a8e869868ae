//! Detects the language of texts with other crates: `language-others whatlang|whichlang FILE`
//! prints one language per line, as ISO 639-3. With `--time` it prints only the number of texts
//! with a language.

use std::io::{BufWriter, Write, stdout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, path, rest @ ..] = arguments.as_slice() else {
        return Err("usage: language-others whatlang|whichlang FILE [--time]".into());
    };
    let detect: fn(&str) -> Option<&'static str> = match name.as_str() {
        "whatlang" => |text| whatlang::detect_lang(text).map(|language| language.code()),
        "whichlang" => |text| Some(whichlang::detect_language(text).three_letter_code()),
        other => return Err(format!("unknown crate '{other}'").into()),
    };
    let texts = std::fs::read_to_string(path)?;
    let found = texts.split_terminator('\n').map(detect);
    if !rest.is_empty() {
        println!("{}", found.flatten().count());
        return Ok(());
    }
    let mut out = BufWriter::new(stdout().lock());
    for language in found {
        writeln!(out, "{}", language.unwrap_or_default())?;
    }
    Ok(())
}
