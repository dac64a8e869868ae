//! Access to single records by a CDXJ index.

mod filters;
mod lines;

use std::sync::Arc;

use datafusion::logical_expr::Expr;
use serde_json::Value;

use self::filters::key_ranges;
use self::lines::visit_lines;
use crate::sources::indexed::{Place, RecordIndex};
use crate::sources::record::FileBytes;

/// Lines of `key timestamp {"url": …, "offset": …, "length": …, "filename": …}`, sorted.
#[derive(Debug)]
pub struct CdxjIndex {
    pub location: String,
}

impl RecordIndex for CdxjIndex {
    fn location(&self) -> &str {
        &self.location
    }

    fn uses(&self, filter: &Expr) -> bool {
        key_ranges(filter).is_some()
    }

    fn find(
        &self,
        file: Arc<dyn FileBytes>,
        filters: &[Expr],
        found: &mut dyn FnMut(&str, Place),
    ) -> Result<(), String> {
        // All filters hold, so any one of them will do: the one with the fewest keys.
        let ranges = filters
            .iter()
            .filter_map(key_ranges)
            .min_by_key(|ranges| ranges.len());
        visit_lines(&file, ranges, |line| {
            if line.trim_ascii().is_empty() || line.starts_with(b"!") {
                return Ok(());
            }
            let (name, place) = parse(line)?;
            found(&name, place);
            Ok(())
        })
    }
}

/// The file and the place that a line names.
fn parse(line: &[u8]) -> Result<(String, Place), String> {
    let not_cdxj = || {
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
        format!("not a line of CDXJ with filename and offset: '{shown}'")
    };
    let json = line.iter().position(|byte| *byte == b'{');
    let json = json
        .and_then(|start| line.get(start..))
        .ok_or_else(not_cdxj)?;
    let fields: Value = serde_json::from_slice(json).map_err(|_| not_cdxj())?;
    // Tools write numbers as texts or as numbers.
    let number = |name: &str| match fields.get(name)? {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.as_u64(),
        _ => None,
    };
    match (
        fields.get("filename").and_then(Value::as_str),
        number("offset"),
    ) {
        (Some(name), Some(offset)) => {
            let length = number("length").filter(|length| *length > 0);
            Ok((name.to_owned(), Place { offset, length }))
        }
        _ => Err(not_cdxj()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_texts_and_as_numbers() {
        for (line, length) in [
            (
                r#"org,a)/ 2020 {"offset": "7", "length": "9", "filename": "x.warc.gz"}"#,
                Some(9),
            ),
            (
                r#"org,a)/ 2020 {"offset": 7, "length": 9, "filename": "x.warc.gz"}"#,
                Some(9),
            ),
            (
                r#"org,a)/ 2020 {"offset": 7, "filename": "x.warc.gz"}"#,
                None,
            ),
            (
                r#"org,a)/ 2020 {"offset": 7, "length": "-", "filename": "x.warc.gz"}"#,
                None,
            ),
        ] {
            let expected = ("x.warc.gz".to_owned(), Place { offset: 7, length });
            assert_eq!(parse(line.as_bytes()), Ok(expected), "{line}");
        }
    }

    #[test]
    fn other_lines_are_errors() {
        for line in [
            "",
            "org,a)/ 2020",
            "org,a)/ 2020 {",
            r#"a b {"offset": "7"}"#,
            "[1]",
        ] {
            let error = parse(line.as_bytes()).unwrap_err();
            assert!(error.contains("not a line of CDXJ"), "{error}");
        }
    }
}
