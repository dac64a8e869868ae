//! Registers a custom function: `cargo run --example own_function`.

use std::sync::Arc;

use corpus_sql::session::{SessionOptions, session};
use datafusion::arrow::array::{AsArray, Int64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};

const QUERY: &str = "
    SELECT url, word_count(html_main_text(http['body'], http['charset'])) AS words
    FROM (SELECT target_uri AS url, http_response(body) AS http
          FROM read_warc('data-samples/web/') WHERE warc_type = 'response')
    WHERE http['sniffed_type'] = 'text/html'
    ORDER BY words DESC LIMIT 3";

#[tokio::main]
async fn main() -> Result<()> {
    let context = session(&SessionOptions::default())?;
    context.register_udf(create_udf(
        "word_count",
        // Texts of all other types are cast to this one.
        vec![DataType::LargeUtf8],
        DataType::Int64,
        Volatility::Immutable,
        Arc::new(word_count),
    ));
    context.sql(QUERY).await?.show().await
}

/// Counts the words of each text. NULL stays NULL.
fn word_count(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(arguments)?;
    let texts = arrays[0].as_string::<i64>().iter();
    let counts: Int64Array = texts
        .map(|text| text.map(|text| text.split_whitespace().count() as i64))
        .collect();
    Ok(ColumnarValue::Array(Arc::new(counts)))
}
