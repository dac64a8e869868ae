//! SQL functions of PDFs.
//!
//! All of them read a document in the same way (`read_all`), and request only the parts that they
//! return.
//!
//! ```text
//! document      `pdf_parse`
//! elements      pages, blocks, lines, words
//! structure     structure and Markdown
//! packed_pages  Markdown of pages, for `pdf_document_pages`
//! tables        tables
//! drawings      characters, lines and areas
//! links         links and form fields
//! parts         annotations, attachments, images
//! listing       shared by the functions for elements
//! ```

mod document;
mod drawings;
mod elements;
mod links;
mod listing;
mod packed_pages;
mod parts;
mod structure;
mod tables;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ScalarUDF;

use crate::arguments::texts;
use crate::containers;
use crate::function::{Parameter, by_name, constant};
use crate::settings::CorpusSettings;
use corpus_pdf::{Failure, Options, Outcome, Request, isolation};

const SECTION: &str = "PDF Functions";

/// The functions of this family.
pub fn functions() -> Vec<ScalarUDF> {
    by_name(&[
        document::functions(),
        elements::functions(),
        links::functions(),
        tables::functions(),
        packed_pages::functions(),
        parts::functions(),
        structure::functions(),
        drawings::functions(),
    ])
}

const DATA: Parameter = Parameter::new("data", || DataType::BinaryView, "The file.");
const OPTIONS: Parameter = Parameter::text(
    "options",
    "A constant of words: 'dehyphenate' (joins words hyphenated at the end of a line), \
     'hidden_layers' (reads layers that viewers do not show, too), 'no_invisible_text' (skips \
     text that OCR puts under scans), 'keep_ligatures' (such as U+FB01).",
)
.optional()
.constant(|options| parse_options(options).map(|_| ()));
const PASSWORDS: Parameter = Parameter::new(
    "passwords",
    texts,
    "A password, or a list of them, to try after the empty one.",
)
.optional();

const OPTION_NAMES: [&str; 4] = [
    "dehyphenate",
    "hidden_layers",
    "no_invisible_text",
    "keep_ligatures",
];

fn parse_options(text: &str) -> Result<Options, String> {
    let mut options = Options {
        invisible_text: true,
        ..Options::default()
    };
    for name in text.split([' ', ',']).filter(|name| !name.is_empty()) {
        match name {
            "dehyphenate" => options.dehyphenate = true,
            "hidden_layers" => options.hidden_layers = true,
            "no_invisible_text" => options.invisible_text = false,
            "keep_ligatures" => options.keep_ligatures = true,
            _ => {
                let known = OPTION_NAMES.join("', '");
                return Err(format!("unknown option '{name}': expected '{known}'"));
            }
        }
    }
    Ok(options)
}

/// Reads the document of each row; `None` for NULL.
fn read_all(
    args: &[ArrayRef],
    settings: &CorpusSettings,
    wanted: Request,
    mut emit: impl FnMut(Option<Outcome>),
) -> Result<()> {
    let options = constant(&args[1]).unwrap_or_default();
    let mut request = Request {
        // The options were checked at planning.
        options: parse_options(options).unwrap_or_default(),
        limits: settings.pdf_limits(),
        ..wanted
    };
    let passwords = args[2].as_list::<i32>().iter();
    for (data, passwords) in args[0].as_binary_view().iter().zip(passwords) {
        let Some(data) = data else {
            emit(None);
            continue;
        };
        request.options.passwords = passwords.map_or_else(Vec::new, |passwords| {
            let passwords = passwords.as_string::<i64>().iter().flatten();
            passwords.map(str::to_owned).collect()
        });
        emit(Some(read(data, &request, settings)?));
    }
    Ok(())
}

fn read(data: &[u8], request: &Request, settings: &CorpusSettings) -> Result<Outcome> {
    // Otherwise a PDF inside the container would be repaired, and the others lost.
    if let Some(message) = containers::advice(data) {
        return Ok(Outcome::failed(Failure::invalid(message)));
    }
    isolation::read(data, request, settings.pdf_isolation).or_else(|error| {
        exec_err!("{error}; SET corpus.pdf_isolation = 'thread' reads PDFs without one")
    })
}

/// Reads the files that are embedded in a document.
pub(crate) fn attachments(data: &[u8], settings: &CorpusSettings) -> Result<Outcome> {
    let request = Request {
        attachments: true,
        options: parse_options("").unwrap_or_default(),
        limits: settings.pdf_limits(),
        ..Request::default()
    };
    read(data, &request, settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_words() {
        let options = parse_options("dehyphenate, no_invisible_text").unwrap();
        assert!(options.dehyphenate && !options.invisible_text && !options.hidden_layers);
        let options = parse_options("hidden_layers keep_ligatures").unwrap();
        assert!(options.hidden_layers && options.keep_ligatures && options.invisible_text);
        let error = parse_options("dehyphenated").unwrap_err();
        assert!(
            error.starts_with("unknown option 'dehyphenated': expected 'dehyphenate', "),
            "{error}"
        );
    }
}
