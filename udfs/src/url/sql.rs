//! SQL functions of URLs.

use std::sync::Arc;

use datafusion::arrow::array::{AsArray, LargeStringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use datafusion_macros::user_doc;

use super::surt;
use crate::arguments::coerce;

#[user_doc(
    doc_section(label = "URL Functions"),
    description = "Returns the sort-friendly form of a URL (SURT), the key that CDX and CDXJ indexes are sorted by: host reversed, case, ports, session ids and `www.` unified, query sorted.",
    syntax_example = "url_surt(url)",
    sql_example = r#"```sql
> SELECT url_surt('http://www.Example.com:80/b?z=1&a=2');
com,example)/b?a=2&z=1
```"#,
    argument(name = "url", description = "The URL, as a record states it.")
)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct UrlSurt {
    signature: Signature,
}

impl Default for UrlSurt {
    fn default() -> Self {
        Self {
            signature: Signature::user_defined(Volatility::Immutable),
        }
    }
}

impl ScalarUDFImpl for UrlSurt {
    fn name(&self) -> &str {
        "url_surt"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce(self.name(), given, &[DataType::LargeUtf8])
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(DataType::LargeUtf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let urls = arrays[0].as_string::<i64>();
        let keys: LargeStringArray = urls.iter().map(|url| url.map(surt)).collect();
        Ok(ColumnarValue::Array(Arc::new(keys)))
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.doc()
    }
}
