//! Labeled files in a folder.

use std::error::Error;
use std::path::Path;

use corpus_charset::{Charset, Source, detect};

use crate::Labelled;

/// The files of a manifest that have a decoder.
pub fn read(folder: &Path) -> Result<Vec<Labelled>, Box<dyn Error>> {
    let mut labelled = Vec::new();
    for line in std::fs::read_to_string(folder.join("manifest.jsonl"))?.lines() {
        let entry: serde_json::Value = serde_json::from_str(line)?;
        let field = |name: &str| entry[name].as_str().unwrap_or("?").to_owned();
        let name = field("file");
        let bytes = std::fs::read(folder.join(&name))?;
        let charset = match field("encoding").as_str() {
            // The label has no byte order, so the byte order mark decides.
            "utf-16" | "utf-32" => Some(detect(&bytes, None, None))
                .filter(|detected| detected.source == Source::Bom)
                .map(|detected| detected.charset),
            label => Charset::for_label(label),
        };
        let Some(charset) = charset else {
            println!(
                "skipped, because there is no decoder: {name} in {}",
                field("encoding")
            );
            continue;
        };
        labelled.push(Labelled {
            name,
            language: field("lang"),
            charset,
            bytes,
        });
    }
    Ok(labelled)
}
