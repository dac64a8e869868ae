//! SQL functions of charsets.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Builder, LargeStringArray, StringBuilder, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};

use crate::arguments::DOCUMENT;
use crate::documents::documents;
use crate::function::{Function, document};
use corpus_charset::Charset;

const SECTION: &str = "Charset Functions";

static DETECTED: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("charset", DataType::Utf8, true),
        Field::new("source", DataType::Utf8, true),
        Field::new("confidence", DataType::Float64, true),
    ])
});

pub fn charset_detect() -> Function {
    let documentation = document(
        SECTION,
        "charset_detect(data [, declared [, tld]])",
        "The charset of a page or a text: a struct of charset, source ('bom', 'http', 'meta', \
         'detected', 'fallback' where nothing tells, or 'text') and confidence (0 to 1). A \
         declaration, also one inside of the page, is kept unless varied evidence contradicts it. \
         Text is decoded already: its charset is UTF-8, its source 'text'.",
        "> SELECT c['charset'], c['source'] FROM (SELECT charset_detect(http['body'], http['charset']) AS c
  FROM (SELECT http_response(body) AS http FROM 'data-samples/web/site.warc.gz'
        WHERE target_uri = 'http://site.example/poem'));
EUC-JP, detected",
        &[
            ("data", "The bytes, or text."),
            ("declared", "What an HTTP header says, such as `charset` of http_response; or NULL."),
            ("tld", "The top-level domain, such as 'jp', which decides where nothing else does."),
        ],
    );
    let types = vec![DOCUMENT, DataType::LargeUtf8, DataType::LargeUtf8];
    let returns = DataType::Struct(DETECTED.clone());
    Function::new(
        "charset_detect",
        types,
        returns,
        documentation,
        |args, _| {
            let declared = args[1].as_string::<i64>().iter();
            let domains = args[2].as_string::<i64>().iter();
            let mut charsets = StringBuilder::new();
            let mut sources = StringBuilder::new();
            let mut confidences = Float64Builder::new();
            for ((data, declared), domain) in documents(&args[0]).zip(declared).zip(domains) {
                let detected = data.map(|data| data.detect(declared, domain));
                charsets.append_option(detected.map(|detected| detected.charset.name()));
                sources.append_option(detected.map(|detected| detected.source.name()));
                confidences.append_option(detected.map(|detected| f64::from(detected.confidence)));
            }
            let columns: Vec<ArrayRef> = vec![
                Arc::new(charsets.finish()),
                Arc::new(sources.finish()),
                Arc::new(confidences.finish()),
            ];
            let nulls = args[0].nulls().cloned();
            Ok(Arc::new(StructArray::try_new(
                DETECTED.clone(),
                columns,
                nulls,
            )?))
        },
    )
    .optional(2)
    .checked(1, Charset::check_declared)
    .costly()
}

pub fn charset_decode() -> Function {
    let documentation = document(
        SECTION,
        "charset_decode(data, charset)",
        "The text that bytes mean in a charset, by any name that it goes by on the web; what \
         cannot be read becomes U+FFFD. NULL for an unknown charset in the data; one in the query \
         is an error. Text is decoded already and returned unchanged.",
        "> SELECT charset_decode(x'93FA967B8CEA', 'Shift_JIS');\n日本語",
        &[
            ("data", "The bytes, or text."),
            (
                "charset",
                "A name such as 'utf-8', 'x-sjis', 'windows-1252', 'UTF-32LE'.",
            ),
        ],
    );
    let types = vec![DOCUMENT, DataType::LargeUtf8];
    let returns = DataType::LargeUtf8;
    Function::new(
        "charset_decode",
        types,
        returns,
        documentation,
        |args, _| {
            let charsets = args[1].as_string::<i64>().iter();
            let texts: LargeStringArray = documents(&args[0])
                .zip(charsets)
                .map(|(data, charset)| Some(data?.decode(Charset::for_label(charset?)?)))
                .collect();
            Ok(Arc::new(texts))
        },
    )
    .checked(1, Charset::check)
    .costly()
}
