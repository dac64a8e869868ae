//! The blocks of documents.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, LargeStringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::SECTION;
use crate::blocks::{BlockRow, BlockRows, TableRow, TableRows, check_output, output_of};
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, ListOf};
use corpus_html::corpus_blocks::Block;
use corpus_html::corpus_blocks::markdown::markdown;
use corpus_office::{Limits, read_blocks};

const DATA: Parameter = Parameter::new("data", || DataType::BinaryView, "The document as bytes.");
const OUTPUT: Parameter = Parameter::text(
    "mode",
    "A constant: 'text', or 'links' to write links with their addresses.",
)
.optional()
.constant(check_output);

functions! {
    SECTION;

    /// The blocks of an EPUB, DOCX or ODT document, as by html_blocks. An empty list if it cannot
    /// be read; office_parse has the error.
    ///
    /// > SELECT b['kind'], b['text'] FROM (SELECT unnest(office_blocks(content)) AS b
    ///     FROM read_files('data-samples/office/letter.odt', 'unpack', 'false'));
    /// heading, Birnen
    /// paragraph, Die Birnen sind reif.
    /// footnote, From the old garden.
    office_blocks(DATA) -> Returns::of::<ListOf<BlockRow>>(), costly;

    /// The tables of an EPUB, DOCX or ODT document, as by html_tables.
    ///
    /// > SELECT office_tables(content)[1]['rows']
    ///   FROM read_files('data-samples/office/report.docx', 'unpack', 'false');
    /// [[name, price], [Boskoop, 3]]
    office_tables(DATA) -> Returns::of::<ListOf<TableRow>>(), costly;

    /// An EPUB, DOCX or ODT document as Markdown, as by html_markdown, with its notes at the end.
    ///
    #[doc = " > SELECT office_markdown(content) FROM read_files('data-samples/office/letter.odt', 'unpack', 'false');"]
    /// # Birnen
    ///
    /// Die Birnen[^1] sind reif.
    ///
    /// [^1]: From the old garden.
    office_markdown(DATA, OUTPUT) -> DataType::LargeUtf8, costly;
}

/// The blocks of each document.
fn documents<'a>(
    data: &'a ArrayRef,
    settings: &CorpusSettings,
) -> impl Iterator<Item = Option<Vec<Block>>> + use<'a> {
    let limits = Limits {
        max_bytes: settings.max_record_bytes.0,
    };
    let documents = data.as_binary_view().iter();
    documents.map(move |data| Some(read_blocks(data?, &limits).blocks))
}

fn office_blocks(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<BlockRow>::default();
    for blocks in documents(&args[0], settings) {
        blocks.as_deref().map(BlockRows).append_to(&mut rows);
    }
    Ok(rows.finish()?)
}

fn office_tables(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let mut rows = ListOf::<TableRow>::default();
    for blocks in documents(&args[0], settings) {
        blocks.as_deref().map(TableRows).append_to(&mut rows);
    }
    Ok(rows.finish()?)
}

fn office_markdown(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    // The mode was checked at planning.
    let output = output_of(constant(&args[1])).unwrap_or_default();
    let mut written = LargeStringBuilder::new();
    for blocks in documents(&args[0], settings) {
        written.append_option(blocks.map(|blocks| markdown(&blocks, &output)));
    }
    Ok(Arc::new(written.finish()))
}
