//! Arbitrary bytes as a zip, or as members of one: reading terminates, and limits hold.

#![no_main]

use std::io::{Cursor, Write};

use corpus_office::{Limits, kind, read};
use libfuzzer_sys::fuzz_target;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const LIMIT: usize = 1 << 20;
/// The names of the members, which the fuzzer does not have to guess.
const NAMES: [&[&str]; 3] = [
    &["word/document.xml", "word/styles.xml", "docProps/core.xml"],
    &["content.xml", "meta.xml", "META-INF/manifest.xml"],
    &["META-INF/container.xml", "a.opf", "a.xhtml"],
];

/// A zip whose members are the data split at 0xFF, which XML cannot contain.
fn zip(names: &[&str], data: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in names.iter().zip(data.split(|byte| *byte == 0xFF)) {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, rest)) = data.split_first() else {
        return;
    };
    let bytes = match NAMES.get(usize::from(choice % 4)) {
        Some(names) => zip(names, rest),
        None => rest.to_vec(),
    };
    let document = read(&bytes, &Limits { max_bytes: LIMIT });
    assert_eq!(document.kind, kind(&bytes));
    assert!(document.text.is_some() || document.error.is_some());
    // Heading numbers and covered table cells may be longer than their markup.
    assert!(document.text.is_none_or(|text| text.len() <= 64 * LIMIT));
});
