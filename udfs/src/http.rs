//! SQL functions of HTTP.

use std::borrow::Cow;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryViewArray, BinaryViewBuilder, LargeStringArray,
};
use datafusion::arrow::buffer::Buffer;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use datafusion::common::Result;

use crate::function::{self, ALL_FIELDS, Parameter, Returns, check_fields, constant, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{Cell, ColumnBuilder, Pairs, StructOf, Texts, pairs_type, row};
use corpus_http::{Limits, parse_response};

const SECTION: &str = "HTTP Functions";

row! {
    /// A parsed response.
    struct ResponseRow<'a> {
        /// The status code
        status: Option<u16>,
        /// The words after the status code
        reason: Option<&'a str>,
        /// The first word of the status line
        version: Option<&'a str>,
        /// The headers in order, repeats kept
        headers: Pairs<'a, Cow<'a, str>, Cow<'a, str>>,
        /// The type as declared
        #[short]
        media_type: Option<&'a str>,
        /// The type by the bytes, otherwise the declared one
        sniffed_type: Option<&'a str>,
        /// The charset as declared
        #[short]
        charset: Option<&'a str>,
        /// The body, de-chunked and decompressed
        body: Body<'a>,
        /// Faults that were tolerated, encodings that were undone
        repaired: Texts<&'a [&'static str]>,
        /// The damage, if something could not be read
        #[short]
        error: Option<&'a str>,
    }
}

const DATA: Parameter = Parameter::new(
    "data",
    || DataType::BinaryView,
    "The response with its head.",
);

const HEADERS: Parameter = Parameter::new(
    "headers",
    pairs_type,
    "A list of names and values, such as `headers`.",
);

const NAME: Parameter = Parameter::text("name", "The name of the header.");

const FIELDS: Parameter = Parameter::text(
    function::FIELDS,
    "A constant of words: the fields to compute, '*' for all. Others may be NULL or empty. Queries \
     set it to those that they use.",
)
.optional()
.constant(check_fields::<StructOf<ResponseRow>>);

functions! {
    SECTION;

    /// The first value of a header, of any case, or NULL.
    ///
    /// > SELECT http_header(http_response(body)['headers'], 'location')
    ///   FROM 'data-samples/warc/crawl.warc.gz' WHERE target_uri = 'http://www.example/old';
    /// /
    http_header(HEADERS, NAME) -> DataType::LargeUtf8;

    /// Parses an HTTP response, however broken.
    ///
    /// > SELECT http_response(body)['status'], http_response(body)['media_type']
    ///   FROM 'data-samples/warc/crawl.warc.gz'
    ///   WHERE target_uri = 'http://www.example/zipped' AND warc_type = 'response';
    /// 200, text/html
    http_response(DATA, FIELDS) -> Returns::of::<StructOf<ResponseRow>>(), costly;
}

fn http_response(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let data = args[0].as_binary_view();
    let mut rows = StructOf::<ResponseRow>::default();
    rows.columns.body = BodyBuilder::new(data);
    let limits = Limits {
        max_body_bytes: settings.max_record_bytes.0,
    };
    let fields = constant(&args[1]);
    let wants = |name| {
        fields.is_none_or(|fields| {
            let mut fields = fields.split(' ');
            fields.any(|field| field == name || field == ALL_FIELDS)
        })
    };
    // These take longer to copy than the head takes to parse.
    let [reason, version, headers, repaired] =
        ["reason", "version", "headers", "repaired"].map(wants);
    for data in data {
        let mut response = data.map(|data| parse_response(data, &limits));
        let body = response.as_mut().map(|it| std::mem::take(&mut it.body));
        let error = response
            .as_ref()
            .and_then(|response| response.error.as_ref());
        let error = error.map(ToString::to_string);
        let response = response.as_ref().zip(body);
        rows.append(response.map(|(response, body)| ResponseRow {
            status: response.status,
            reason: response.reason.as_deref().filter(|_| reason),
            version: response.version.as_deref().filter(|_| version),
            headers: Pairs(if headers { &response.headers } else { &[] }),
            media_type: response.media_type.as_deref(),
            sniffed_type: response.sniffed_type(),
            charset: response.charset.as_deref(),
            body: Body(body),
            repaired: Texts(if repaired { &response.repaired } else { &[] }),
            error: error.as_deref(),
        }));
    }
    Ok(rows.finish()?)
}

/// A body, which may be a part of the response.
struct Body<'a>(Cow<'a, [u8]>);

impl Cell for Body<'_> {
    type Column = BodyBuilder;

    fn append_to(self, column: &mut BodyBuilder) {
        match self.0 {
            Cow::Borrowed(body) if column.append_in_place(body) => {}
            Cow::Owned(body) if body.len() >= MIN_BLOCK_BYTES => column.append_block(body),
            body => column.builder.append_value(body),
        }
    }
}

/// Smaller decoded bodies are copied, because a buffer for each takes longer.
const MIN_BLOCK_BYTES: usize = 4 << 10;

/// Builds bodies. A body without encoding is not copied, but refers to the data of its response.
#[derive(Default)]
struct BodyBuilder {
    builder: BinaryViewBuilder,
    /// The buffers of the responses, and their numbers in the builder.
    blocks: Vec<(Buffer, u32)>,
}

impl BodyBuilder {
    fn new(data: &BinaryViewArray) -> Self {
        let mut builder = BinaryViewBuilder::with_capacity(data.len());
        let blocks = data
            .data_buffers()
            .iter()
            .filter(|buffer| buffer.len() < u32::MAX as usize)
            .map(|buffer| (buffer.clone(), builder.append_block(buffer.clone())))
            .collect();
        Self { builder, blocks }
    }

    /// Appends a body that becomes a buffer of the column.
    fn append_block(&mut self, body: Vec<u8>) {
        let length = body.len();
        if length >= u32::MAX as usize {
            return self.builder.append_value(body);
        }
        let block = self.builder.append_block(body.into());
        // The only error is a view outside of the block.
        let _ = self.builder.try_append_view(block, 0, length as u32);
    }

    fn append_in_place(&mut self, body: &[u8]) -> bool {
        let Ok(length) = u32::try_from(body.len()) else {
            return false;
        };
        self.blocks.iter().any(|(buffer, block)| {
            let offset = (body.as_ptr() as usize).checked_sub(buffer.as_ptr() as usize);
            // The builder refuses the view if the body is not in the buffer.
            offset
                .and_then(|offset| u32::try_from(offset).ok())
                .is_some_and(|offset| self.builder.try_append_view(*block, offset, length).is_ok())
        })
    }
}

impl ColumnBuilder for BodyBuilder {
    fn data_type() -> DataType {
        DataType::BinaryView
    }

    fn append_null(&mut self) {
        self.builder.append_null();
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(self.builder.finish()))
    }
}

fn http_header(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    Ok(Arc::new(first_values(&args[0], &args[1])))
}

/// Returns the first value of a name in each list of pairs.
fn first_values(lists: &ArrayRef, wanted: &ArrayRef) -> LargeStringArray {
    let (lists, wanted) = (lists.as_list::<i32>(), wanted.as_string::<i64>());
    let pairs = lists.values().as_struct();
    let (names, values) = (
        pairs.column(0).as_string::<i32>(),
        pairs.column(1).as_string::<i32>(),
    );
    let find = |row: usize| {
        if lists.is_null(row) || wanted.is_null(row) {
            return None;
        }
        let offsets = lists.value_offsets();
        (offsets[row] as usize..offsets[row + 1] as usize)
            .find(|at| names.value(*at).eq_ignore_ascii_case(wanted.value(row)))
            .map(|at| values.value(at))
    };
    (0..lists.len()).map(find).collect()
}
