//! Detects truncated documents.

use corpus_markup::ending::{last_end_tag, unclosed_in_html, unclosed_in_xml};
use corpus_markup::{Name, Syntax, Token, Tokenizer};
use memchr::memmem;

use super::format::{Format, format_of, is_xml};
use super::level::Level;
use super::row::{OwnedRow, Row};

/// Returns the evidence that a document is truncated, such as `the file ends inside <TextBlock>`.
/// `None` if there is none, or the format is not supported.
///
/// In XML, every element has an end. HTML may omit end tags, but an hOCR file that starts with
/// `<html>` ends with `</html>`; pages in other files may be fragments.
pub fn truncation(document: &str) -> Option<String> {
    let inside = |what: &str| format!("the file ends inside {what}");
    match format_of(document).ok()? {
        Format::Alto | Format::Page | Format::Mets => {
            unclosed_in_xml(document).map(|what| inside(&what))
        }
        Format::Hocr => cut_html(document).map(|what| match what {
            Cut::Inside(what) => inside(what),
            Cut::BeforeEnd => "the file ends without </html>".to_owned(),
            Cut::BeforeRoot => "the file ends before its first element".to_owned(),
        }),
    }
}

enum Cut {
    Inside(&'static str),
    BeforeEnd,
    BeforeRoot,
}

fn cut_html(page: &str) -> Option<Cut> {
    let last = last_end_tag(page);
    if last.is_some_and(is_html) {
        return None;
    }
    let root = Tokenizer::new(page, Syntax::Html).find_map(|token| match token {
        Token::Start(tag) => Some(tag.name),
        _ => None,
    });
    let Some(root) = root else {
        let is_tag = page.trim_ascii_start().starts_with('<');
        let inside = unclosed_in_html(page).filter(|_| is_tag);
        let before = is_xml(page).then_some(Cut::BeforeRoot);
        return inside.map(Cut::Inside).or(before);
    };
    if last.is_some() && root != Name::HTML {
        return None;
    }
    // Other web pages, and texts, may end like this.
    let has = |word: &str| memmem::find(page.as_bytes(), word.as_bytes()).is_some();
    if !has("ocr") && !has("OCR") {
        return None;
    }
    if let Some(what) = unclosed_in_html(page) {
        return Some(Cut::Inside(what));
    }
    (root == Name::HTML && !is_closed(page)).then_some(Cut::BeforeEnd)
}

fn is_html(name: &str) -> bool {
    name.eq_ignore_ascii_case("html")
}

/// Whether an end tag follows the last start tag of the root. Some files end with another start tag
/// instead of the end tag.
fn is_closed(page: &str) -> bool {
    let (mut is_open, mut is_last) = (false, false);
    for token in Tokenizer::new(page, Syntax::Html) {
        match token {
            Token::Start(tag) if tag.name == Name::HTML => (is_open, is_last) = (true, is_open),
            Token::End(tag) if tag.name == Name::HTML => (is_open, is_last) = (false, false),
            Token::Text(text) if text.trim_ascii().is_empty() => {}
            _ => is_last = false,
        }
    }
    !is_open || is_last
}

/// Passes rows on, and adds an error to the last one.
pub(super) struct WithError<'a, F> {
    emit: F,
    last: Option<OwnedRow<'a>>,
}

impl<'a, F: FnMut(Row<'_, 'a>)> WithError<'a, F> {
    pub const fn new(emit: F) -> Self {
        Self { emit, last: None }
    }

    pub fn add(&mut self, row: Row<'_, 'a>) {
        if let Some(last) = self.last.replace(row.to_owned()) {
            (self.emit)(last.as_row(row.level));
        }
    }

    /// Emits the last row. Its own error takes precedence.
    pub fn finish(mut self, level: Level, error: String) {
        if let Some(mut last) = self.last.take() {
            last.element.error.get_or_insert(error);
            (self.emit)(last.as_row(level));
        }
    }
}
