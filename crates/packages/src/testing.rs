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

/// A zip of empty members with these names, which do not declare UTF-8.
pub fn zip_of_names(names: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    let short = |number: usize| (number as u16).to_le_bytes();
    for name in names {
        let start = (bytes.len() as u32).to_le_bytes();
        let fields = [&[20, 0][..], &[0; 20], &short(name.len()), &[0; 2]].concat();
        bytes.extend([b"PK\x03\x04", &fields[..], name].concat());
        let ends = [&[0; 10][..], &start, name].concat();
        directory.extend([b"PK\x01\x02\x14\x00", &fields[..], &ends].concat());
    }
    let (start, size) = (bytes.len() as u32, directory.len() as u32);
    bytes.extend(directory);
    bytes.extend(
        [
            b"PK\x05\x06",
            &[0; 4][..],
            &short(names.len()),
            &short(names.len()),
        ]
        .concat(),
    );
    bytes.extend([&size.to_le_bytes()[..], &start.to_le_bytes(), &[0; 2]].concat());
    bytes
}
