//! Reads the pages of a web archive up to a stage, and prints the number of bytes of their output
//! and a hash of it, to measure speed (`valgrind --tool=callgrind` counts instructions) and to
//! compare versions: `cargo run --release -p corpus-html --example archive_text -- STAGE FILE…`

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::{env, fs, io};

use corpus_bytes::local::LocalFile;
use corpus_bytes::record::{ReadRequest, Value};
use corpus_charset::decode_text;
use corpus_html::extract::{Document, Meta, Page, Paragraphs, UzushioDocument};
use corpus_html::main_text::{main_text, main_text_and_metadata};
use corpus_html::{Engine, Options};
use corpus_http::{Limits, Response, parse_response};
use corpus_warc::columns;
use libdeflater::Decompressor;
use memchr::memmem::Finder;

/// Sums the output of a stage.
#[derive(Default)]
struct Output {
    bytes: usize,
    values: usize,
    hasher: DefaultHasher,
    /// Whether to hash, which takes as long as a stage.
    hashes: bool,
}

impl Output {
    fn add(&mut self, value: &[u8]) {
        self.bytes += value.len();
        self.values += 1;
        if self.hashes {
            value.hash(&mut self.hasher);
        }
    }
}

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1).peekable();
    let hashes = arguments.next_if_eq("--hash").is_some();
    let stage = arguments.next().unwrap_or_default();
    let mut output = Output {
        hashes,
        ..Output::default()
    };
    for path in arguments {
        if stage == "inflate" {
            inflate(&fs::read(path)?, &mut output)?;
        } else {
            read(&path, &stage, &mut output)?;
        }
    }
    let Output { bytes, values, .. } = output;
    println!(
        "{values} values, {bytes} bytes, {:x}",
        output.hasher.finish()
    );
    Ok(())
}

/// Inflates all members of a gzip file and does nothing else: the lower limit.
fn inflate(mut file: &[u8], output: &mut Output) -> io::Result<()> {
    let mut decompressor = Decompressor::new();
    let mut text = vec![0; 64 << 20];
    let magic = Finder::new(b"\x1f\x8b\x08");
    while !file.is_empty() {
        // A member ends where the next one starts, or at the end of the file.
        let ends = magic.find_iter(file).skip(1).chain([file.len()]);
        let mut members = ends.map(|end| file.split_at(end));
        let found = members.find_map(|(member, rest)| {
            let length = decompressor.gzip_decompress(member, &mut text).ok()?;
            Some((length, rest))
        });
        let (length, rest) = found.ok_or_else(|| io::Error::other("not a sound gzip file"))?;
        output.add(&text[..length]);
        file = rest;
    }
    Ok(())
}

fn read(path: &str, stage: &str, output: &mut Output) -> io::Result<()> {
    let file = LocalFile::open(path.as_ref(), Default::default())?;
    let reader = corpus_warc::open(ReadRequest {
        range: 0..u64::MAX,
        file: Arc::new(file),
        name: path.into(),
        max_record_bytes: 128 << 20,
        modified: None,
        columns: [columns::WARC_TYPE, columns::CONTENT_TYPE, columns::BODY]
            .into_iter()
            .collect(),
    });
    let mut reader = reader.map_err(io::Error::other)?;
    let limits = Limits::default();
    while reader.advance() {
        let is_text = |column, wanted| match reader.value(column) {
            Value::Text(text) => text.starts_with(wanted),
            _ => false,
        };
        if !is_text(columns::WARC_TYPE, "response")
            || !is_text(columns::CONTENT_TYPE, "application/http")
        {
            continue;
        }
        reader.load(stage != "heads");
        // The engine copies bodies into its batches, too.
        let body = match reader.value(columns::BODY) {
            Value::Bytes(body) => body.to_vec(),
            _ => Vec::new(),
        };
        if matches!(stage, "heads" | "bodies") {
            output.add(&body);
            continue;
        }
        let response = parse_response(&body, &limits);
        let is_page = matches!(
            response.sniffed_type(),
            Some("text/html" | "application/xhtml+xml")
        );
        if is_page {
            read_page(&response, stage, output)?;
        }
    }
    Ok(())
}

fn read_page(response: &Response<'_>, stage: &str, output: &mut Output) -> io::Result<()> {
    if stage == "http" {
        output.add(&response.body);
        return Ok(());
    }
    let page = decode_text(&response.body, response.charset.as_deref(), None);
    let options = Options::default();
    let engine = Engine::Native;
    match stage {
        "characters" => output.add(page.as_bytes()),
        "document" => {
            let document = engine.read(&page, &options, Document::default);
            output.add(document.finish().as_bytes());
        }
        "html5ever" => {
            let document = Engine::Html5ever.read(&page, &options, Document::default);
            output.add(document.finish().as_bytes());
        }
        "paragraphs" => {
            let paragraphs = engine.read(&page, &options, Paragraphs::default).finish();
            for paragraph in paragraphs.paragraphs() {
                output.add(paragraph.path.as_bytes());
                output.add(paragraph.text.as_bytes());
            }
        }
        "meta" => {
            let meta = engine.read(&page, &options, Meta::default).finish(None);
            output.add(format!("{meta:?}").as_bytes());
        }
        "page" => {
            let all = engine.read(&page, &options, || Page::new(Paragraphs::default()));
            let (paragraphs, links, meta) = all.finish(None, page.len());
            output.add(paragraphs.finish().document.as_bytes());
            output.add(format!("{links:?} {meta:?}").as_bytes());
        }
        "uzushio" => {
            let document = engine.read(&page, &options, UzushioDocument::default);
            output.add(document.finish().as_bytes());
        }
        "main-and-meta" => {
            let (text, kind, meta) = main_text_and_metadata(engine, &options, &page, None);
            output.add(text.as_bytes());
            output.add(format!("{} {meta:?}", kind.name()).as_bytes());
        }
        "main" => output.add(main_text(engine, &options, &page).as_bytes()),
        _ => {
            return Err(io::Error::other(
                "expected inflate, heads, bodies, http, characters, document, html5ever, \
                 paragraphs, meta, page, uzushio, main or main-and-meta",
            ));
        }
    }
    Ok(())
}
