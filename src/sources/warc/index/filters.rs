//! Which keys of an index a filter can be true for.

use std::ops::Range;

use corpus_udfs::url::surt;
use datafusion::logical_expr::expr::{InList, ScalarFunction};
use datafusion::logical_expr::{BinaryExpr, Expr, Like, Operator};

use crate::sources::warc::columns::{COLUMNS, TARGET_URI};

/// The starts of the lines that may match: from, and up to but not including.
pub type KeyRanges = Vec<Range<Vec<u8>>>;

/// `None` if the filter says nothing about keys.
pub fn key_ranges(filter: &Expr) -> Option<KeyRanges> {
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op {
            Operator::Eq => equal(left, right).or_else(|| equal(right, left)),
            Operator::Or => Some([key_ranges(left)?, key_ranges(right)?].concat()),
            Operator::And => key_ranges(left).or_else(|| key_ranges(right)),
            _ => None,
        },
        Expr::InList(InList {
            expr,
            list,
            negated: false,
        }) => {
            let ranges: Option<Vec<_>> = list.iter().map(|value| equal(expr, value)).collect();
            Some(ranges?.concat())
        }
        Expr::Like(Like {
            negated: false,
            case_insensitive: false,
            expr,
            pattern,
            ..
        }) if is_key(expr) => {
            // What comes before the first special character is in every match.
            let prefix = text(pattern)?.split(['%', '_', '\\']).next()?;
            starting_with(prefix)
        }
        Expr::ScalarFunction(ScalarFunction { func, args }) if func.name() == "starts_with" => {
            match args.as_slice() {
                [key, prefix] if is_key(key) => starting_with(text(prefix)?),
                _ => None,
            }
        }
        _ => None,
    }
}

fn equal(side: &Expr, value: &Expr) -> Option<KeyRanges> {
    let key = if is_target_uri(side) {
        surt(text(value)?)
    } else if is_key(side) {
        text(value)?.to_owned()
    } else {
        return None;
    };
    // A key ends at a blank.
    starting_with(&format!("{key} "))
}

fn starting_with(prefix: &str) -> Option<KeyRanges> {
    let mut end = prefix.as_bytes().to_vec();
    // No byte of a text is 0xff.
    *end.last_mut()? += 1;
    Some(vec![prefix.as_bytes().to_vec()..end])
}

fn is_target_uri(expr: &Expr) -> bool {
    match expr {
        Expr::Column(column) => column.name == COLUMNS[TARGET_URI].name,
        Expr::Cast(cast) => is_target_uri(&cast.expr),
        _ => false,
    }
}

/// `url_surt(target_uri)`.
fn is_key(expr: &Expr) -> bool {
    match expr {
        Expr::ScalarFunction(ScalarFunction { func, args }) => {
            func.name() == "url_surt" && matches!(args.as_slice(), [uri] if is_target_uri(uri))
        }
        Expr::Cast(cast) => is_key(&cast.expr),
        _ => false,
    }
}

fn text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Literal(value, _) => value.try_as_str().flatten(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use corpus_udfs::functions;
    use datafusion::logical_expr::{ScalarUDF, col, lit};

    use super::*;

    fn key() -> Expr {
        let surt = functions().into_iter().find(|f| f.name() == "url_surt");
        let surt: ScalarUDF = surt.unwrap();
        surt.call(vec![col("target_uri")])
    }

    fn keys(filter: &Expr) -> Option<Vec<String>> {
        let ranges = key_ranges(filter)?;
        let from = |range: &Range<Vec<u8>>| String::from_utf8(range.start.clone()).unwrap();
        assert!(ranges.iter().all(|range| range.start < range.end));
        Some(ranges.iter().map(from).collect())
    }

    #[test]
    fn what_filters_say_of_keys() {
        let url = || col("target_uri");
        let a = || url().eq(lit("http://www.a.org/x"));
        let b = || lit("http://b.org/").eq(url());
        for (filter, expected) in [
            (a(), Some(vec!["org,a)/x "])),
            (a().or(b()), Some(vec!["org,a)/x ", "org,b)/ "])),
            (a().and(col("date").is_null()), Some(vec!["org,a)/x "])),
            (
                url().in_list(vec![lit("http://b.org/"), lit("http://a.org/")], false),
                Some(vec!["org,b)/ ", "org,a)/ "]),
            ),
            (key().eq(lit("org,a)/x")), Some(vec!["org,a)/x "])),
            (key().like(lit("org,a)/%z")), Some(vec!["org,a)/"])),
            (key().like(lit("org,a_)/")), Some(vec!["org,a"])),
            (key().like(lit("%x")), None),
            (url().in_list(vec![lit("http://b.org/")], true), None),
            (a().or(col("date").is_null()), None),
            (url().not_eq(lit("http://b.org/")), None),
            (col("record_id").eq(lit("x")), None),
            (url().like(lit("http://b.org/%")), None),
            (key().not_like(lit("org,%")), None),
        ] {
            let expected: Option<Vec<String>> =
                expected.map(|keys| keys.into_iter().map(str::to_owned).collect());
            assert_eq!(keys(&filter), expected, "{filter}");
        }
    }
}
