//! Pages and paragraphs as Markdown.

use std::sync::Arc;

use corpus_html::corpus_blocks::Block;
use corpus_html::corpus_blocks::markdown::markdown;
use corpus_html::extract::{Addresses, Kind, blocks};
use corpus_html::main_text::main_blocks;
use corpus_html::markdown::Markdown;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringArray, LargeStringBuilder};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_datafusion_err};

use super::blocks::addresses;
use super::{CHARSET, DATA, Mode, Reader, SECTION, URL, texts, urls};
use crate::arguments::{PARAGRAPH_COLUMNS, TEXT_OR_PARAGRAPHS};
use crate::blocks::{check_output, output_of};
use crate::function::{Parameter, constant, functions};
use crate::settings::CorpusSettings;

const PAGE_OR_PARAGRAPHS: Parameter = Parameter::new(
    "data",
    || TEXT_OR_PARAGRAPHS,
    "The page, as bytes or text. Or a list of structs with `path`, `kind` and `text`, as \
     html_paragraphs returns them with the mode 'bullets'.",
);
const OUTPUT: Parameter = Parameter::text(
    "mode",
    "A constant: 'text', or 'links' to write links and pictures with their addresses.",
)
.optional()
.constant(check_output);

functions! {
    SECTION;

    /// A page as Markdown. Formulas are TeX, and tables whose cells span or hold several blocks are
    /// HTML. Text that looks like Markdown is escaped, but not in a list of paragraphs.
    ///
    /// > SELECT html_markdown('<h2>Fruit</h2><ol><li>x<sup>2</sup> <b>apples</b><li>pears</ol>');
    /// ## Fruit
    ///
    /// 1. x<sup>2</sup> **apples**
    /// 2. pears
    html_markdown(PAGE_OR_PARAGRAPHS, CHARSET, URL, OUTPUT) -> DataType::LargeUtf8, costly;

    /// The headline and the main text of a page (html_main_text) as Markdown, as by html_markdown.
    ///
    #[doc = " > SELECT html_main_markdown('<ul><li><a href=/>Home</a></ul><h1>Fruit</h1><p>Ripe <i>apples</i>.');"]
    /// # Fruit
    ///
    /// Ripe *apples*.
    html_main_markdown(DATA, CHARSET, URL, OUTPUT) -> DataType::LargeUtf8, costly;
}

fn html_markdown(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    if matches!(args[0].data_type(), DataType::List(_)) {
        return Ok(Arc::new(texts_of(&args[0])?));
    }
    write_pages(args, settings, blocks)
}

fn html_main_markdown(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    write_pages(args, settings, main_blocks)
}

type ReadBlocks = fn(corpus_html::Engine, &corpus_html::Options, &str, &Addresses) -> Vec<Block>;

/// Writes the blocks of pages.
fn write_pages(args: &[ArrayRef], settings: &CorpusSettings, read: ReadBlocks) -> Result<ArrayRef> {
    let reader = Reader::new(settings, Mode::default());
    // The mode was checked at planning.
    let output = output_of(constant(&args[3])).unwrap_or_default();
    let mut documents = LargeStringBuilder::new();
    for (page, url) in texts(&args[0], &args[1]).zip(urls(&args[2])) {
        documents.append_option(page.map(|page| {
            let addresses = if output.links {
                addresses(url)
            } else {
                Addresses::None
            };
            let blocks = read(reader.engine, &reader.options, &page, &addresses);
            markdown(&blocks, &output)
        }));
    }
    Ok(Arc::new(documents.finish()))
}

fn texts_of(lists: &ArrayRef) -> Result<LargeStringArray> {
    let lists = lists.as_list::<i32>();
    let structs = lists.values().as_struct();
    let mut columns = Vec::with_capacity(PARAGRAPH_COLUMNS.len());
    for name in PARAGRAPH_COLUMNS {
        let column = structs.column_by_name(name);
        let column = column.ok_or_else(|| exec_datafusion_err!("there is no column '{name}'"))?;
        columns.push(cast(column, &DataType::LargeUtf8)?);
    }
    let value = |column: usize, row: usize| {
        let texts = columns[column].as_string::<i64>();
        (structs.is_valid(row) && texts.is_valid(row)).then(|| texts.value(row))
    };
    let offsets = lists.value_offsets();
    let text_of = |list: usize| {
        if lists.is_null(list) {
            return None;
        }
        let mut markdown = Markdown::default();
        for row in offsets[list] as usize..offsets[list + 1] as usize {
            let kind = value(1, row).and_then(Kind::from_name);
            if let Some(text) = value(2, row) {
                let path = value(0, row).unwrap_or_default();
                markdown.push(kind.unwrap_or(Kind::Text), path, text);
            }
        }
        Some(markdown.finish())
    };
    Ok((0..lists.len()).map(text_of).collect())
}
