//! SQL functions of URLs.

use std::sync::Arc;

use corpus_warc::surt;
use datafusion::arrow::array::{AsArray, LargeStringArray};
use datafusion::arrow::datatypes::DataType;

use crate::function::{Function, document};

pub fn url_surt() -> Function {
    let documentation = document(
        "URL Functions",
        "url_surt(url)",
        "Returns the sort-friendly form of a URL (SURT), the key that CDX and CDXJ indexes are \
         sorted by: host reversed, case, ports, session ids and `www.` unified, query sorted.",
        "> SELECT url_surt('http://www.Example.com:80/b?z=1&a=2');\ncom,example)/b?a=2&z=1",
        &[("url", "The URL, as a record states it.")],
    );
    let types = vec![DataType::LargeUtf8];
    Function::new(
        "url_surt",
        types,
        DataType::LargeUtf8,
        documentation,
        |args, _| {
            let urls = args[0].as_string::<i64>().iter();
            let keys: LargeStringArray = urls.map(|url| url.map(surt)).collect();
            Ok(Arc::new(keys))
        },
    )
}
