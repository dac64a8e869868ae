//! Packages for tests.

use std::io::{Cursor, Write};

pub use corpus_bytes::test_data::gzip;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A tar of members named `page-0.html`, `page-1.html` and so on.
pub fn tar(members: &[Vec<u8>]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (number, content) in members.iter().enumerate() {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mtime(5);
        header.set_cksum();
        let name = format!("page-{number}.html");
        builder
            .append_data(&mut header, name, &content[..])
            .unwrap();
    }
    builder.into_inner().unwrap()
}

/// A zip of members with the names that [`tar`] gives them.
pub fn zip(members: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, content) in members.iter().enumerate() {
        let options = SimpleFileOptions::default();
        writer
            .start_file(format!("page-{number}.html"), options)
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
