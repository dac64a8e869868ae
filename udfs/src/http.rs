//! SQL functions of HTTP.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryViewArray, BinaryViewBuilder, Int32Builder, LargeStringArray,
    LargeStringBuilder, ListBuilder, StringBuilder, StructArray,
};
use datafusion::arrow::buffer::{Buffer, NullBuffer};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;

use crate::function::{Function, document};
use crate::lists::{PAIRS, PairsBuilder};
use corpus_http::{Limits, Response, parse_response};

const SECTION: &str = "HTTP Functions";

static RESPONSE: LazyLock<Fields> = LazyLock::new(|| {
    let words = Field::new("item", DataType::Utf8, true);
    Fields::from(vec![
        Field::new("status", DataType::Int32, true),
        Field::new("reason", DataType::LargeUtf8, true),
        Field::new("version", DataType::LargeUtf8, true),
        Field::new("headers", PAIRS.clone(), true),
        Field::new("media_type", DataType::LargeUtf8, true),
        Field::new("sniffed_type", DataType::LargeUtf8, true),
        Field::new("charset", DataType::LargeUtf8, true),
        Field::new("body", DataType::BinaryView, true),
        Field::new("repaired", DataType::List(Arc::new(words)), true),
        Field::new("error", DataType::LargeUtf8, true),
    ])
});

pub fn http_response() -> Function {
    let documentation = document(
        SECTION,
        "http_response(data)",
        "Parses an HTTP response, however broken: a struct of status, reason, version, headers (in \
         order, repeats kept), media_type (as declared), sniffed_type (what the bytes are: a type that \
         their signature shows, otherwise the declared one), charset, body (de-chunked and \
         decompressed), repaired (what had to be forgiven or undone) and error (what was lost).",
        "> SELECT r['status'], r['media_type'], octet_length(r['body'])
  FROM (SELECT http_response(body) AS r FROM 'data-samples/warc/crawl.warc.gz'
        WHERE target_uri = 'http://www.example/zipped' AND warc_type = 'response');
200, text/html, 282",
        &[(
            "data",
            "The response with its head, such as the body of a WARC record of type response.",
        )],
    );
    let types = vec![DataType::BinaryView];
    let returns = DataType::Struct(RESPONSE.clone());
    Function::new(
        "http_response",
        types,
        returns,
        documentation,
        |args, settings| {
            let data = args[0].as_binary_view();
            let mut columns = ResponseColumns::new(data);
            let limits = Limits {
                max_body_bytes: settings.max_record_bytes.0,
            };
            for data in data {
                let response = data.map(|data| parse_response(data, &limits));
                columns.append(response.as_ref());
            }
            Ok(Arc::new(columns.finish(args[0].nulls().cloned())?))
        },
    )
    .costly()
}

struct ResponseColumns {
    status: Int32Builder,
    reason: LargeStringBuilder,
    version: LargeStringBuilder,
    headers: PairsBuilder,
    media_type: LargeStringBuilder,
    sniffed_type: LargeStringBuilder,
    charset: LargeStringBuilder,
    body: BodyBuilder,
    repaired: ListBuilder<StringBuilder>,
    error: LargeStringBuilder,
}

impl ResponseColumns {
    fn new(data: &BinaryViewArray) -> Self {
        Self {
            status: Int32Builder::new(),
            reason: LargeStringBuilder::new(),
            version: LargeStringBuilder::new(),
            headers: PairsBuilder::default(),
            media_type: LargeStringBuilder::new(),
            sniffed_type: LargeStringBuilder::new(),
            charset: LargeStringBuilder::new(),
            body: BodyBuilder::new(data),
            repaired: ListBuilder::new(StringBuilder::new()),
            error: LargeStringBuilder::new(),
        }
    }

    fn append(&mut self, response: Option<&Response>) {
        let of = |field: fn(&Response) -> Option<String>| response.and_then(field);
        self.status
            .append_option(response.and_then(|r| r.status).map(i32::from));
        self.reason
            .append_option(response.and_then(|r| r.reason.as_deref()));
        self.version
            .append_option(response.and_then(|r| r.version.as_deref()));
        let headers = response.map(|r| r.headers.iter().map(|(name, value)| (name, value)));
        self.headers.append(headers);
        self.media_type
            .append_option(response.and_then(|r| r.media_type.as_deref()));
        self.sniffed_type
            .append_option(response.and_then(Response::sniffed_type));
        self.charset.append_option(of(|r| r.charset.clone()));
        self.body.append(response.map(|r| &r.body));
        for word in response.iter().flat_map(|r| &r.repaired) {
            self.repaired.values().append_value(word);
        }
        self.repaired.append(response.is_some());
        let error = of(|r| r.error.as_ref().map(ToString::to_string));
        self.error.append_option(error);
    }

    fn finish(mut self, nulls: Option<NullBuffer>) -> Result<StructArray> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.status.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.version.finish()),
            self.headers.finish(),
            Arc::new(self.media_type.finish()),
            Arc::new(self.sniffed_type.finish()),
            Arc::new(self.charset.finish()),
            Arc::new(self.body.builder.finish()),
            Arc::new(self.repaired.finish()),
            Arc::new(self.error.finish()),
        ];
        Ok(StructArray::try_new(RESPONSE.clone(), columns, nulls)?)
    }
}

/// Bodies that were sent as they are stay where they are: in the data of the responses.
struct BodyBuilder {
    builder: BinaryViewBuilder,
    /// The buffers of the responses, and what the builder calls them.
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

    fn append(&mut self, body: Option<&Cow<'_, [u8]>>) {
        if let Some(Cow::Borrowed(body)) = body
            && self.append_in_place(body)
        {
            return;
        }
        self.builder.append_option(body);
    }

    fn append_in_place(&mut self, body: &[u8]) -> bool {
        let Ok(length) = u32::try_from(body.len()) else {
            return false;
        };
        self.blocks.iter().any(|(buffer, block)| {
            let offset = (body.as_ptr() as usize).checked_sub(buffer.as_ptr() as usize);
            // Where the body does not lie in the buffer the view is refused.
            offset
                .and_then(|offset| u32::try_from(offset).ok())
                .is_some_and(|offset| self.builder.try_append_view(*block, offset, length).is_ok())
        })
    }
}

pub fn http_header() -> Function {
    let documentation = document(
        SECTION,
        "http_header(headers, name)",
        "The first value of a header, whatever case its name is in; NULL if there is none.",
        "> SELECT http_header(http_response(body)['headers'], 'location')
  FROM 'data-samples/warc/crawl.warc.gz' WHERE target_uri = 'http://www.example/old';
/",
        &[
            (
                "headers",
                "A list of name and value, such as `headers` of http_response or of a WARC record.",
            ),
            ("name", "The name of the header."),
        ],
    );
    let types = vec![PAIRS.clone(), DataType::LargeUtf8];
    Function::new(
        "http_header",
        types,
        DataType::LargeUtf8,
        documentation,
        |args, _| Ok(Arc::new(first_values(&args[0], &args[1]))),
    )
}

/// For each list of pairs the first value of the name beside it.
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
