use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use bzip2::write::BzEncoder;
use corpus_bytes::memory::Memory;
use corpus_bytes::random::Random;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordReader, Value};
use corpus_bytes::test_data::gzip;

use crate::{COLUMNS, Export, PageRecords, is_export};

const LIMIT: usize = 1 << 20;
const HEADER: &str =
    "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" xml:lang=\"en\">
  <siteinfo>
    <sitename>Sample</sitename>
    <namespaces><namespace key=\"0\" case=\"first-letter\" /></namespaces>
  </siteinfo>
";
const FOOTER: &str = "</mediawiki>\n";

fn page(id: usize, revisions: &[String]) -> String {
    let revisions: String = revisions.concat();
    format!(
        "  <page>\n    <title>Page {id} &amp; more</title>\n    <ns>0</ns>\n    <id>{id}</id>\n{revisions}  </page>\n"
    )
}

fn revision(id: usize, text: &str) -> String {
    format!(
        "    <revision>
      <id>{id}</id>
      <parentid>3</parentid>
      <timestamp>2024-02-29T12:00:01Z</timestamp>
      <contributor>
        <username>A &lt;user&gt;</username>
        <id>12</id>
      </contributor>
      <minor />
      <comment>/* Section */ a comment</comment>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes=\"{}\" xml:space=\"preserve\">{text}</text>
      <sha1>x</sha1>
    </revision>
",
        text.len()
    )
}

fn pages(count: usize) -> Vec<String> {
    let pages = (1..=count).map(|id| page(id, &[revision(100 + id, &format!("Text {id}"))]));
    pages.collect()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A dump with a stream for the header, one for each two pages, and one for the footer.
fn multistream(pages: &[String]) -> Vec<Vec<u8>> {
    let pages = pages.chunks(2).map(<[String]>::concat);
    let texts = [HEADER.to_owned()].into_iter().chain(pages);
    let texts = texts.chain([FOOTER.to_owned()]);
    texts.map(|text| bzip2(text.as_bytes())).collect()
}

fn records(bytes: &[u8], range: Range<u64>, limit: usize) -> PageRecords {
    let request = ReadRequest {
        file: Arc::new(Memory(bytes.into())),
        name: "dump.xml".into(),
        range,
        max_record_bytes: limit,
        modified: None,
        columns: ColumnSet::ALL,
    };
    PageRecords::open(request).unwrap()
}

/// The values of all columns, as text.
fn read(bytes: &[u8], range: Range<u64>, limit: usize) -> Vec<Vec<String>> {
    let mut records = records(bytes, range, limit);
    let mut rows = Vec::new();
    while records.advance() {
        records.load(true);
        let values = (0..COLUMNS.len() - 1).map(|column| match records.value(column) {
            Value::Null => "NULL".to_owned(),
            Value::Text(text) => text.to_owned(),
            Value::Integer(number) | Value::Timestamp(number) => number.to_string(),
            other => panic!("{other:?}"),
        });
        let error = records
            .error()
            .map_or_else(String::new, ToString::to_string);
        rows.push(values.chain([error]).collect());
    }
    rows
}

fn whole(bytes: &[u8]) -> Vec<Vec<String>> {
    read(bytes, 0..bytes.len() as u64, LIMIT)
}

const OFFSET: usize = 1;
const TITLE: usize = 2;
const ID: usize = 4;
const REVISION: usize = 6;
const TEXT: usize = 12;
const ERROR: usize = 13;

fn column(rows: &[Vec<String>], column: usize) -> Vec<&str> {
    rows.iter().map(|row| row[column].as_str()).collect()
}

#[test]
fn all_columns_are_read() {
    let text = "''Wiki'' &lt;ref name=&quot;x&quot;/&gt;\n&amp;nbsp; é";
    let redirect = "<page><title>R</title><ns>14</ns><id>2</id><redirect title=\"A &amp; B\" />\
                    <revision><id>5</id><timestamp>1970-01-01T00:00:01Z</timestamp>\
                    <contributor><ip>10.0.0.1</ip></contributor><text bytes=\"0\" /></revision></page>";
    // Old exports have the model and the format after the text.
    let deleted = "<page><title>D</title><ns>0</ns><id>3</id><revision><id>6</id>\
                   <contributor deleted=\"deleted\" /><comment deleted=\"deleted\" />\
                   <text deleted=\"deleted\" /><model>m</model><format>f</format></revision></page>";
    let old = "<page><title>O</title><id>4</id><revision><id>7</id><text>old</text>\
               <sha1 /><model>m</model><format>f</format></revision></page>";
    let empty = "<page><title>E</title><ns>0</ns><id>5</id></page>";
    let xml = [
        HEADER,
        &page(1, &[revision(4, text)]),
        redirect,
        deleted,
        old,
        empty,
        FOOTER,
    ];
    let xml = xml.concat();
    let rows = whole(xml.as_bytes());
    let at = |tag: &str| xml.find(tag).unwrap();
    let expected = [
        format!(
            "{}|Page 1 & more|0|1|NULL|4|1709208001000000|A <user>|/* Section */ a comment|\
             wikitext|text/x-wiki|''Wiki'' <ref name=\"x\"/>\n&nbsp; é|",
            at("<page>")
        ),
        format!(
            "{}|R|14|2|A & B|5|1000000|10.0.0.1|NULL|NULL|NULL||",
            at("<page><title>R")
        ),
        format!(
            "{}|D|0|3|NULL|6|NULL|NULL|NULL|m|f|NULL|",
            at("<page><title>D")
        ),
        format!(
            "{}|O|NULL|4|NULL|7|NULL|NULL|NULL|m|f|old|",
            at("<page><title>O")
        ),
        format!(
            "{}|E|0|5|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|",
            at("<page><title>E")
        ),
    ];
    assert!(rows.iter().all(|row| row[0] == "dump.xml"));
    let rows: Vec<String> = rows.iter().map(|row| row[OFFSET..].join("|")).collect();
    assert_eq!(rows, expected);
}

#[test]
fn other_texts_of_a_revision_do_not_replace_its_own() {
    let slot = "<content><role>mediainfo</role><origin>9</origin><model>wikibase-mediainfo</model>\
                <format>application/json</format><text bytes=\"2\">{}</text></content>";
    for (own, expected) in [
        ("<text>Own.</text>", "Own."),
        ("<text deleted=\"deleted\" />", ""),
    ] {
        let xml = format!(
            "<mediawiki><page><title>A</title><id>1</id><revision><id>2</id><model>wikitext</model>\
             {own}{slot}<sha1>x</sha1></revision></page></mediawiki>"
        );
        let mut export = Export::open(
            Arc::new(Memory(xml.as_bytes().into())),
            0..u64::MAX,
            1 << 20,
        )
        .unwrap();
        let entry = export.next_entry().unwrap();
        assert_eq!(entry.text().unwrap_or_default(), expected);
        assert_eq!(entry.revision.model.as_deref(), Some("wikitext"));
        assert!(entry.error.is_none());
    }
}

#[test]
fn every_revision_is_an_entry() {
    let revisions: Vec<String> = (1..=50).map(|id| revision(id, &"x".repeat(id))).collect();
    let xml = [
        HEADER,
        &page(1, &revisions),
        &page(2, &revisions[..1]),
        FOOTER,
    ]
    .concat();
    let mut export =
        Export::open(Arc::new(Memory(xml.as_bytes().into())), 0..u64::MAX, LIMIT).unwrap();
    let mut count = 0;
    while let Some(entry) = export.next_entry() {
        assert!(entry.error.is_none());
        let (page, id) = (count / 50 + 1, count % 50 + 1);
        assert_eq!((entry.page.id, entry.revision.id), (Some(page), Some(id)));
        assert_eq!(entry.text().map(|text| text.len() as i64), Some(id));
        count += 1;
    }
    assert_eq!(count, 51);
}

/// Cuts the file at each offset into two ranges, and at some offsets into three.
fn assert_ranges_are_the_whole(bytes: &[u8], limit: usize) {
    let size = bytes.len() as u64;
    let serial = read(bytes, 0..size, limit);
    let mut random = Random(3);
    let union = |cuts: &[u64]| {
        let ends = cuts[1..].iter().copied().chain([size]);
        let ranges = cuts.iter().copied().zip(ends);
        let rows = ranges.flat_map(|(start, end)| read(bytes, start..end, limit));
        rows.collect::<Vec<_>>()
    };
    for cut in 0..=size {
        assert_eq!(union(&[0, cut]), serial, "cut at {cut}");
        if cut % 8 == 0 {
            let next = cut + random.below((size - cut + 1) as usize) as u64;
            assert_eq!(union(&[0, cut, next]), serial, "cut at {cut} and {next}");
        }
    }
}

#[test]
fn ranges_make_up_a_plain_file() {
    let xml = ["<mediawiki>", &pages(4).concat(), FOOTER].concat();
    assert_eq!(whole(xml.as_bytes()).len(), 4);
    assert_ranges_are_the_whole(xml.as_bytes(), LIMIT);
    // A page that has no end, an end without a page, and a file that is cut.
    let broken = xml.replacen("</revision>\n  </page>", "", 1);
    let broken = broken.replacen("</page>", "</page></page><revision>", 1);
    let broken = &broken[..broken.len() - 100];
    let rows = whole(broken.as_bytes());
    assert_eq!(column(&rows, ID), ["1", "1", "2", "3", "4"]);
    assert!(rows[0][ERROR].starts_with("incomplete page"));
    assert!(rows[4][ERROR].starts_with("incomplete page"));
    assert_ranges_are_the_whole(broken.as_bytes(), LIMIT);
    assert_ranges_are_the_whole(broken.as_bytes(), 100);
}

#[test]
fn ranges_make_up_a_multistream_file() {
    let streams = multistream(&pages(7));
    let bytes = streams.concat();
    let rows = whole(&bytes);
    assert_eq!(column(&rows, ID), ["1", "2", "3", "4", "5", "6", "7"]);
    let mut offset = streams[0].len();
    for (pair, stream) in rows.chunks(2).zip(&streams[1..]) {
        assert!(pair.iter().all(|row| row[OFFSET] == offset.to_string()));
        offset += stream.len();
    }
    assert_ranges_are_the_whole(&bytes, LIMIT);
    // Each stream of pages can be read by its range alone.
    let second = streams[0].len() as u64;
    let end = second + 1;
    assert_eq!(column(&read(&bytes, second..end, LIMIT), ID), ["1", "2"]);
    assert_eq!(read(&bytes, second + 1..end + 1, LIMIT).len(), 0);
}

#[test]
fn streams_may_be_cut_within_pages() {
    let xml = [HEADER, &pages(3).concat(), FOOTER].concat();
    for size in [150, 333] {
        let chunks = xml.as_bytes().chunks(size).map(bzip2);
        let bytes = chunks.collect::<Vec<_>>().concat();
        assert_eq!(column(&whole(&bytes), ID), ["1", "2", "3"]);
        assert_ranges_are_the_whole(&bytes, LIMIT);
    }
}

#[test]
fn damage_costs_only_its_stream() {
    let streams = multistream(&pages(8));
    let sound = whole(&streams.concat());
    let mut random = Random(7);
    for damaged in 0..streams.len() {
        for _ in 0..4 {
            let mut streams = streams.clone();
            // The magic bytes at the start of the file identify bzip2.
            let magic = if damaged == 0 { 10 } else { 0 };
            let at = magic + random.below(streams[damaged].len() - magic);
            streams[damaged][at] ^= 1 << random.below(8);
            let bytes = streams.concat();
            let rows = whole(&bytes);
            let is_lost = |row: &Vec<String>| {
                let number: usize = row[ID].parse().unwrap();
                number.div_ceil(2) == damaged
            };
            let kept: Vec<_> = sound.iter().filter(|row| !is_lost(row)).cloned().collect();
            let found: Vec<_> = rows
                .iter()
                .filter(|row| row[ERROR].is_empty())
                .cloned()
                .collect();
            for row in &kept {
                assert!(found.contains(row), "stream {damaged}, byte {at}: {row:?}");
            }
            assert!(rows.len() <= sound.len() + 2);
            assert_ranges_are_the_whole_at(&bytes, &rows, &mut random);
        }
    }
}

fn assert_ranges_are_the_whole_at(bytes: &[u8], serial: &[Vec<String>], random: &mut Random) {
    let size = bytes.len() as u64;
    for _ in 0..8 {
        let cut = random.below(bytes.len()) as u64;
        let mut union = read(bytes, 0..cut, LIMIT);
        union.extend(read(bytes, cut..size, LIMIT));
        assert_eq!(union, serial, "cut at {cut}");
    }
}

#[test]
fn a_missing_or_truncated_stream_is_reported() {
    let mut streams = multistream(&pages(6));
    let length = streams[2].len();
    streams[2].truncate(length / 2);
    let rows = whole(&streams.concat());
    assert_eq!(column(&rows, ID), ["1", "2", "NULL", "5", "6"]);
    assert!(rows[2][ERROR].starts_with("damaged compression"));
    let start = (streams[0].len() + streams[1].len()).to_string();
    assert_eq!(rows[2][OFFSET], start);
    assert_ranges_are_the_whole(&streams.concat(), LIMIT);

    let bytes = multistream(&pages(6)).concat();
    let cut = &bytes[..bytes.len() - 100];
    let rows = whole(cut);
    assert_eq!(column(&rows[..4], ID), ["1", "2", "3", "4"]);
    let last = rows.last().unwrap();
    assert!(last[ERROR].contains("ends too early"), "{last:?}");
    let padded = [bytes.clone(), vec![0; 50]].concat();
    let rows = whole(&padded);
    assert_eq!(rows.len(), 7);
    assert!(rows[6][ERROR].starts_with("damaged compression"));
    assert_ranges_are_the_whole(&padded, LIMIT);
}

#[test]
fn an_export_that_ends_between_pages_is_incomplete() {
    let xml = [HEADER, &pages(3).concat()].concat();
    let streams = multistream(&pages(6));
    let without_footer = streams[..streams.len() - 1].concat();
    for bytes in [
        xml.as_bytes(),
        &without_footer,
        &streams[0],
        b"<mediawiki xml:la",
    ] {
        let rows = whole(bytes);
        let error =
            "incomplete export: the file ends before </mediawiki>: its last pages are missing";
        assert_eq!(rows[0][ERROR], error);
        assert_eq!(rows[0][OFFSET], bytes.len().to_string());
        assert!(rows[1..].iter().all(|row| row[ERROR].is_empty()));
        assert_ranges_are_the_whole(bytes, LIMIT);
    }
    let is_reported = |bytes: &[u8]| column(&whole(bytes), ERROR).concat().contains("export");
    let whole_export = [&xml, FOOTER].concat();
    // A part of a dump has neither start nor end.
    for bytes in [
        whole_export.as_bytes(),
        &streams.concat(),
        &streams[1],
        &bzip2(whole_export.as_bytes()),
    ] {
        assert!(!is_reported(bytes));
    }
    // The page is incomplete.
    assert!(!is_reported(&xml.as_bytes()[..xml.len() - 60]));
}

#[test]
fn other_compressions_belong_to_the_first_range() {
    let xml = [HEADER, &pages(3).concat(), FOOTER].concat();
    let bytes = gzip(xml.as_bytes());
    let rows = whole(&bytes);
    assert_eq!(rows, whole(xml.as_bytes()));
    assert_eq!(read(&bytes, 0..1, LIMIT), rows);
    assert_eq!(read(&bytes, 1..bytes.len() as u64, LIMIT).len(), 0);
    let rows = whole(&bytes[..bytes.len() / 2]);
    assert!(rows.last().unwrap()[ERROR].starts_with("damaged compression"));
}

#[test]
fn memory_is_bounded() {
    let long = page(
        1,
        &[revision(1, &"y".repeat(3 << 20)), revision(2, "short")],
    );
    let title = page(2, &[revision(3, "z")]).replace("Page 2", &"t".repeat(2 << 20));
    let tag = format!("<page {}>", "a".repeat(1 << 20));
    let xml = [HEADER, &long, &title, &tag, "</page>", FOOTER].concat();
    let rows = read(xml.as_bytes(), 0..xml.len() as u64, 1000);
    assert_eq!(column(&rows, REVISION), ["1", "2", "3", "NULL"]);
    assert_eq!(
        rows[0][ERROR],
        "revision too long: the revision is cut at 1000 bytes (corpus.max_record_bytes)"
    );
    let text = &rows[0][TEXT];
    assert!(text.len() < 1000 && text.bytes().all(|byte| byte == b'y'));
    assert_eq!(
        (rows[1][TEXT].as_str(), rows[1][ERROR].as_str()),
        ("short", "")
    );
    assert!(rows[2][TITLE].len() <= 1 << 20);
    assert_eq!(rows[2][TEXT], "z");
}

#[test]
fn bad_values_are_reported() {
    let good = page(1, &[revision(2, "text")]);
    for (from, to, error) in [
        ("<id>1</id>", "<id>one</id>", "bad value: id is 'one'"),
        ("<ns>0</ns>", "<ns></ns>", "bad value: ns is ''"),
        ("<id>2</id>", "<id>2b</id>", "bad value: id is '2b'"),
        (
            "02-29",
            "02-30",
            "bad value: timestamp is '2024-02-30T12:00:01Z'",
        ),
    ] {
        let xml = good.replacen(from, to, 1);
        assert_ne!(xml, good);
        let rows = whole(xml.as_bytes());
        assert_eq!(column(&rows, ERROR), [error]);
        assert_eq!(rows[0][TEXT], "text");
    }
    let mut bytes = good.into_bytes();
    let at = memchr::memmem::find(&bytes, b">text<").unwrap();
    bytes[at + 2] = 0xff;
    let rows = whole(&bytes);
    assert_eq!(
        (rows[0][TEXT].as_str(), rows[0][ERROR].as_str()),
        ("t\u{fffd}xt", "invalid UTF-8")
    );
}

#[test]
fn any_bytes_are_read_without_panics() {
    let mut random = Random(11);
    let words = [
        "<page>",
        "</page>",
        "<revision>",
        "</revision>",
        "<text",
        "</text>",
        "<id>",
        "7",
        "&amp;",
        "&",
        "<",
        ">",
        "/>",
        "<title>",
        "é",
        "]]>",
        "<![CDATA[",
        "<!--",
        "<page",
        "</revision",
    ];
    for _ in 0..300 {
        let count = random.below(40);
        let text: String = (0..count)
            .map(|_| words[random.below(words.len())])
            .collect();
        let serial = whole(text.as_bytes());
        for cut in 0..=text.len() as u64 {
            let mut union = read(text.as_bytes(), 0..cut, LIMIT);
            union.extend(read(text.as_bytes(), cut..text.len() as u64, LIMIT));
            assert_eq!(union, serial, "{text:?} cut at {cut}");
        }
    }
    for _ in 0..200 {
        let count = random.below(500);
        let bytes = [b"BZh91AY&SY".to_vec(), random.bytes(count)].concat();
        whole(&bytes);
    }
}

#[test]
fn other_files_are_reported() {
    for text in ["<alto><page></page></alto>", "plain text"] {
        let rows = whole(text.as_bytes());
        assert_eq!(rows[0][ERROR], "not a MediaWiki export", "{text}");
    }
    // The engine reports files without a record that are empty or blank.
    assert!(whole(b"").is_empty());
    assert!(whole(b" \n\0").is_empty());
    let rows = whole(page(1, &[]).as_bytes());
    assert_eq!(column(&rows, ERROR), [""]);
}

#[test]
fn exports_are_recognized_by_their_start() {
    for start in [
        HEADER,
        "\u{feff}<mediawiki>",
        "<?xml version=\"1.0\"?>\n<!-- a > b --><mediawiki xmlns=\"\">",
    ] {
        assert!(is_export(start.as_bytes()), "{start}");
    }
    for start in [
        "",
        "<",
        "<mediawiki",
        "<mediawikis>",
        "<alto>",
        "<?xml",
        "<!-- <mediawiki>",
    ] {
        assert!(!is_export(start.as_bytes()), "{start}");
    }
}

#[test]
fn a_text_without_its_end_tag_is_kept_with_an_error() {
    let whole_pages = pages(3);
    for end_tag in ["", "</tex>", "</text", "</ text>"] {
        let damaged = whole_pages[1].replace("</text>", end_tag);
        let xml = [HEADER, &whole_pages[0], &damaged, &whole_pages[2], FOOTER].concat();
        let rows = whole(xml.as_bytes());
        assert_eq!(column(&rows, ID), ["1", "2", "3"], "{end_tag}");
        assert!(
            rows[1][TEXT].starts_with("Text 2"),
            "{end_tag}: {}",
            rows[1][TEXT]
        );
        assert!(rows[1][ERROR].starts_with("incomplete page"), "{end_tag}");
        for intact in [0, 2] {
            assert_eq!(rows[intact][ERROR], rows[0][ERROR], "{end_tag}");
            assert_eq!(rows[intact][TEXT], format!("Text {}", intact + 1));
        }
    }
}

#[test]
fn a_document_type_may_precede_an_export() {
    let start = format!("<?xml version=\"1.0\"?>\n<!DOCTYPE mediawiki>\n{HEADER}");
    assert!(is_export(start.as_bytes()));
}
