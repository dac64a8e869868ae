mod alto;
mod blocks;
mod divided;
mod hocr;
mod hostile;
mod levels;
mod linear;
mod nested_words;
mod oracle;
mod page_xml;
mod shapes;

use super::{Level, ReadOptions, read};

const LEVELS: [Level; 4] = Level::ALL;

/// The main properties of an element.
#[derive(Debug, Clone, PartialEq, Default)]
struct Seen {
    page: usize,
    tag: String,
    id: String,
    bbox: Option<[f64; 4]>,
    language: String,
    confidence: Option<(&'static str, f64)>,
    depth: usize,
    block: Option<usize>,
    line: Option<usize>,
    error: Option<String>,
    text: String,
}

fn seen(document: &str, level: Level) -> Vec<Seen> {
    let mut all = Vec::new();
    read(document, ReadOptions { level, text: true }, |row| {
        let element = row.element;
        assert_eq!(element.position, all.len() + 1);
        all.push(Seen {
            page: row.page.map_or(0, |page| page.position),
            tag: element.tag.clone().into_owned(),
            id: element.id.as_deref().unwrap_or_default().to_owned(),
            bbox: element.bbox.map(|b| [b.x1, b.y1, b.x2, b.y2]),
            language: element.language.unwrap_or_default().to_owned(),
            confidence: element.confidence.map(|c| (c.kind, c.value)),
            depth: element.depth,
            block: element.block,
            line: element.line,
            error: element.error.clone(),
            text: row.text.unwrap_or_default().to_owned(),
        });
    })
    .unwrap();
    all
}

/// The results of a function for every element.
fn each<T>(document: &str, level: Level, of: impl Fn(&Seen) -> T) -> Vec<T> {
    seen(document, level).iter().map(of).collect()
}

fn texts(document: &str, level: Level) -> Vec<String> {
    each(document, level, |element| element.text.clone())
}

fn ids(document: &str, level: Level) -> Vec<String> {
    each(document, level, |element| element.id.clone())
}
