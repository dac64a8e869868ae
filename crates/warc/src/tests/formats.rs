//! The same records in every container and compression.

use std::io::Write;

use corpus_bytes::blank::EMPTY_FILE;
use zip::write::SimpleFileOptions;

use crate::reasons;
use crate::testing::*;

fn bodies(bytes: &[u8]) -> Vec<String> {
    let rows = read(bytes);
    for row in &rows {
        assert_eq!(row.error, None);
    }
    rows.iter().map(|row| row.text().to_owned()).collect()
}

fn abc_bodies() -> Vec<String> {
    ['A', 'B', 'C']
        .map(|letter| String::from_utf8(page(letter)).unwrap())
        .to_vec()
}

fn each(compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    abc().iter().flat_map(|record| compress(record)).collect()
}

fn in_pieces(size: usize, compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    abc().concat().chunks(size).flat_map(compress).collect()
}

#[test]
fn every_compression_and_every_cut_into_units() {
    let compressions: [Compress; 4] = [gzip, zstd, lz4, |text| gzip_level(text, 0)];
    for compress in compressions {
        assert_eq!(bodies(&each(compress)), abc_bodies());
        assert_eq!(bodies(&compress(&abc().concat())), abc_bodies());
        for size in [1, 5, 64, 100, 310, 500] {
            assert_eq!(bodies(&in_pieces(size, compress)), abc_bodies(), "{size}");
        }
    }
}

#[test]
fn lengths_of_members() {
    let bytes = each(gzip);
    let rows = read(&bytes);
    let mut offset = 0;
    for (row, record) in rows.iter().zip(abc()) {
        assert_eq!(row.offset, offset);
        assert_eq!(row.length, Some(gzip(&record).len() as i64));
        offset += gzip(&record).len() as u64;
    }
    let shared = read(&gzip(&abc().concat()));
    assert!(
        shared
            .iter()
            .all(|row| row.offset == 0 && row.length.is_none())
    );
}

#[test]
fn empty_members_and_padding() {
    let members = abc().map(|record| gzip(&record));
    let empty = gzip(b"");
    for bytes in [
        [&empty[..], &members.concat()].concat(),
        [&members[0], &empty, &empty, &members[1], &members[2][..]].concat(),
        [
            &members[0],
            &[0; 512][..],
            &members[1],
            &[0; 3],
            &members[2],
            &[0; 5000],
        ]
        .concat(),
        [
            &members[0],
            &b"\r\n\r\n"[..],
            &members[1],
            &b"\n"[..],
            &members[2],
        ]
        .concat(),
        [&[0; 100][..], &members.concat()].concat(),
    ] {
        assert_eq!(bodies(&bytes), abc_bodies());
    }
}

#[test]
fn extra_header_fields() {
    let bytes = each(|record| {
        let plain = gzip(record);
        let mut member = plain[..3].to_vec();
        member.extend_from_slice(
            b"\x1e\0\0\0\0\0\x03\x0c\0sl\x08\0\x01\x02\x03\x04\x05\x06\x07\x08name\0a comment\0hc",
        );
        member.extend_from_slice(&plain[10..]);
        member
    });
    assert_eq!(bodies(&bytes), abc_bodies());
}

#[test]
fn compressed_twice() {
    assert_eq!(bodies(&gzip(&each(gzip))), abc_bodies());
    assert_eq!(bodies(&gzip(&gzip(&abc().concat()))), abc_bodies());
    let halves: Vec<u8> = each(gzip).chunks(300).flat_map(gzip).collect();
    assert_eq!(bodies(&halves), abc_bodies());
    let bytes = gzip(&each(gzip)).into();
    assert_eq!(
        read_cut(&bytes, &[1, 100, 200]),
        read_range(&bytes, 0..bytes.len() as u64)
    );
}

/// Returns two files: with the plain dictionary, and with a compressed one.
pub fn zstd_with_dictionary() -> [Vec<u8>; 2] {
    let dictionary = abc().concat();
    let frame = |text: &[u8]| {
        let mut encoder =
            zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    [dictionary.clone(), zstd(&dictionary)].map(|content| {
        let mut bytes = vec![0x5d, 0x2a, 0x4d, 0x18];
        bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&content);
        bytes.extend(each(frame));
        bytes
    })
}

#[test]
fn a_dictionary_in_the_first_frame() {
    for bytes in zstd_with_dictionary() {
        assert_eq!(bodies(&bytes), abc_bodies());
        let last = bytes.len() as u64 - 10;
        let bytes = bytes.into();
        for cut in 0..last {
            assert_eq!(
                read_cut(&bytes, &[cut]),
                read_range(&bytes, 0..last + 10),
                "{cut}"
            );
        }
    }
}

fn package(method: zip::CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, content) in [
        ("datapackage.json", b"{}".to_vec()),
        ("archive/a.warc.gz", each(gzip)),
        ("archive/b.warc", abc().concat()),
        ("indexes/index.cdx.gz", gzip(b"x")),
    ] {
        writer.start_file(name, options).unwrap();
        writer.write_all(&content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn packages() {
    for method in [
        zip::CompressionMethod::Stored,
        zip::CompressionMethod::Deflated,
    ] {
        let bytes = package(method);
        assert_eq!(bodies(&bytes), [abc_bodies(), abc_bodies()].concat());
        let size = bytes.len() as u64;
        let bytes = bytes.into();
        let serial = read_range(&bytes, 0..size);
        for cut in 0..=size {
            assert_eq!(read_cut(&bytes, &[cut]), serial, "{cut}");
        }
    }
    let bytes = package(zip::CompressionMethod::Stored);
    let rows = read(&bytes[..bytes.len() - 40]);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].reason, Some(reasons::BAD_PACKAGE));
    let error = rows[0].error.as_deref().unwrap_or_default();
    assert!(error.contains("if the file is truncated"), "{error}");
}

#[test]
fn a_tar_package_is_named() {
    let mut header = [0; 512];
    header[..8].copy_from_slice(b"a.warc\0\0");
    header[257..265].copy_from_slice(b"ustar\x0000");
    let package = [header.as_slice(), &abc().concat()].concat();
    for bytes in [package.clone(), gzip(&package)] {
        let rows = read(&bytes);
        assert_eq!(rows[0].reason, Some(reasons::JUNK));
        let error = rows[0].error.as_deref().unwrap_or_default();
        assert!(error.contains("tar package: unpack it"), "{error}");
        assert_eq!(rows.len(), 4);
    }
}

#[test]
fn empty_members_of_packages_are_rows() {
    for method in [
        zip::CompressionMethod::Stored,
        zip::CompressionMethod::Deflated,
    ] {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file("archive/a.warc.gz", options).unwrap();
        writer.start_file("archive/b.warc", options).unwrap();
        writer.write_all(&abc().concat()).unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        let rows = read(&bytes);
        assert_eq!(rows.len(), 4);
        assert_eq!(rows[0].reason, Some(EMPTY_FILE));
        assert!(rows[1..].iter().all(|row| row.error.is_none()));
        let size = bytes.len() as u64;
        let bytes = bytes.into();
        let serial = read_range(&bytes, 0..size);
        for cut in 0..=size {
            assert_eq!(read_cut(&bytes, &[cut]), serial, "{cut}");
        }
    }
}

#[test]
fn arc_files() {
    let record_1 = |url: &str, body: &str| {
        format!(
            "{url} 1.2.3.4 20140216050221 text/html {}\n{body}\n",
            body.len()
        )
    };
    let version = "1 0 Alexa Internet\nURL IP-address Archive-date Content-type Archive-length\n";
    let filedesc = format!(
        "filedesc://t.arc 0.0.0.0 20140216050221 text/plain {}\n{version}\n",
        version.len()
    );
    let page = "HTTP/1.1 200 OK\r\n\r\n<p>";
    let records = [
        filedesc,
        record_1("http://a.example/ x y", page),
        record_1("dns:a.example", "20140216 a.example 1.2.3.4"),
    ];
    let plain = records.concat();
    let members: Vec<u8> = records
        .iter()
        .flat_map(|record| gzip(record.as_bytes()))
        .collect();
    for bytes in [plain.clone().into_bytes(), members, gzip(plain.as_bytes())] {
        let rows = read(&bytes);
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| row.error.is_none()));
        assert_eq!(rows[0].warc_type.as_deref(), Some("warcinfo"));
        assert_eq!(rows[0].text(), version);
        assert_eq!(rows[1].warc_type.as_deref(), Some("response"));
        assert_eq!(rows[1].uri.as_deref(), Some("http://a.example/ x y"));
        assert_eq!(rows[1].text(), page);
        assert_eq!(rows[1].date, Some(1_392_526_941_000_000));
        assert_eq!(
            rows[1].headers[3],
            ("Content-type".to_owned(), "text/html".to_owned())
        );
        assert_eq!(rows[2].text(), "20140216 a.example 1.2.3.4");
    }
    let bad = plain.replace("text/html 22", "text/html 90");
    let rows = read(bad.as_bytes());
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1].reason, Some(reasons::BAD_LENGTH));
    assert_eq!(rows[1].text(), page);
}
