//! SQL functions of charsets.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, LargeStringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use crate::function::{Parameter, Returns, functions};
use crate::settings::CorpusSettings;
use crate::text_or_bytes::{texts_or_bytes, total_bytes};
use corpus_charset::Charset;
use corpus_columns::{ColumnBuilder, Short, StructOf, row};

const SECTION: &str = "Charset Functions";

row! {
    /// The charset of a document.
    struct DetectedRow<'a> {
        /// The name of the charset
        charset: Short<'a>,
        /// 'bom', 'http', 'meta', 'detected', 'fallback' if nothing decides, or 'text' for text
        source: Short<'a>,
        /// The certainty, 0 to 1
        confidence: f64,
    }
}

const DATA: Parameter = Parameter::text_or_bytes("data", "The bytes, or text.");

const DECLARED: Parameter = Parameter::text(
    "declared",
    "The charset that an HTTP header declares, or NULL.",
)
.optional()
.checked(Charset::check_declared);

const TLD: Parameter = Parameter::text(
    "tld",
    "The top-level domain, such as 'jp', if nothing else decides.",
)
.optional();

const CHARSET: Parameter = Parameter::text(
    "charset",
    "A name such as 'utf-8', 'x-sjis', 'windows-1252', 'UTF-32LE'.",
)
.checked(Charset::check);

functions! {
    SECTION;

    /// Decodes bytes in a charset, given by any of its names on the web. Invalid sequences become
    /// U+FFFD. An unknown charset gives NULL if it comes from the data. Text stays unchanged.
    ///
    /// > SELECT charset_decode(x'93FA967B8CEA', 'Shift_JIS');
    /// 日本語
    charset_decode(DATA, CHARSET) -> DataType::LargeUtf8, costly;

    /// Returns the charset of a page or a text. A declared charset is kept, unless several
    /// different characters contradict it.
    ///
    #[doc = " > SELECT charset_detect(http_response(body)['body'])['charset'] FROM 'data-samples/web/site.warc.gz'"]
    ///   WHERE target_uri = 'http://site.example/poem';
    /// EUC-JP
    charset_detect(DATA, DECLARED, TLD) -> Returns::of::<StructOf<DetectedRow>>(), costly;
}

fn charset_detect(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let declared = args[1].as_string::<i64>().iter();
    let domains = args[2].as_string::<i64>().iter();
    let mut rows = StructOf::<DetectedRow>::default();
    for ((data, declared), domain) in texts_or_bytes(&args[0]).zip(declared).zip(domains) {
        let detected = data.map(|data| data.detect(declared, domain));
        rows.append(detected.as_ref().map(|detected| DetectedRow {
            charset: Short(detected.charset.name()),
            source: Short(detected.source.name()),
            confidence: f64::from(detected.confidence),
        }));
    }
    Ok(rows.finish()?)
}

fn charset_decode(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let charsets = args[1].as_string::<i64>().iter();
    let mut texts = LargeStringBuilder::with_capacity(charsets.len(), total_bytes(&args[0]));
    for (data, charset) in texts_or_bytes(&args[0]).zip(charsets) {
        let charset = charset.and_then(Charset::for_label);
        texts.append_option(
            data.zip(charset)
                .map(|(data, charset)| data.decode(charset)),
        );
    }
    Ok(Arc::new(texts.finish()))
}
