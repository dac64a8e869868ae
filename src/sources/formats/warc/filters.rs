//! The URLs and keys for which a filter can be true.

use corpus_warc::columns::{COLUMNS, TARGET_URI};
use corpus_warc::index::UrlFilter;
use datafusion::logical_expr::expr::{InList, ScalarFunction};
use datafusion::logical_expr::{BinaryExpr, Expr, Like, Operator};

/// Returns the URLs or keys that a filter accepts; `None` if it depends on neither.
pub fn wanted(filter: &Expr) -> Option<UrlFilter> {
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op {
            Operator::Eq => equal(left, right).or_else(|| equal(right, left)),
            Operator::Or => Some(wanted(left)?.or(wanted(right)?)),
            Operator::And => wanted(left).or_else(|| wanted(right)),
            _ => None,
        },
        Expr::InList(InList {
            expr,
            list,
            negated: false,
        }) => {
            let mut all = UrlFilter::default();
            for value in list {
                all = all.or(equal(expr, value)?);
            }
            Some(all)
        }
        Expr::Like(Like {
            negated: false,
            case_insensitive: false,
            expr,
            pattern,
            ..
        }) if is_key(expr) => {
            // Every match starts with the text before the first special character.
            let prefix = text(pattern)?.split(['%', '_', '\\']).next()?;
            UrlFilter::keys_starting_with(prefix)
        }
        Expr::ScalarFunction(ScalarFunction { func, args }) if func.name() == "starts_with" => {
            match args.as_slice() {
                [key, prefix] if is_key(key) => UrlFilter::keys_starting_with(text(prefix)?),
                _ => None,
            }
        }
        _ => None,
    }
}

fn equal(side: &Expr, value: &Expr) -> Option<UrlFilter> {
    if is_target_uri(side) {
        Some(UrlFilter::url(text(value)?))
    } else if is_key(side) {
        Some(UrlFilter::key(text(value)?))
    } else {
        None
    }
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

    #[test]
    fn filters_become_keys() {
        let url = || col("target_uri");
        let a = || url().eq(lit("http://www.a.org/x"));
        let b = || lit("http://b.org/").eq(url());
        let wants_a = || UrlFilter::url("http://www.a.org/x");
        let wants_b = || UrlFilter::url("http://b.org/");
        for (filter, expected) in [
            (a(), Some(wants_a())),
            (a().or(b()), Some(wants_a().or(wants_b()))),
            (a().and(col("date").is_null()), Some(wants_a())),
            (
                url().in_list(vec![lit("http://b.org/"), lit("http://a.org/")], false),
                Some(wants_b().or(UrlFilter::url("http://a.org/"))),
            ),
            (key().eq(lit("org,a)/x")), Some(UrlFilter::key("org,a)/x"))),
            (
                key().like(lit("org,a)/%z")),
                UrlFilter::keys_starting_with("org,a)/"),
            ),
            (
                key().like(lit("org,a_)/")),
                UrlFilter::keys_starting_with("org,a"),
            ),
            (key().like(lit("%x")), None),
            (url().in_list(vec![lit("http://b.org/")], true), None),
            (a().or(col("date").is_null()), None),
            (url().not_eq(lit("http://b.org/")), None),
            (col("record_id").eq(lit("x")), None),
            (url().like(lit("http://b.org/%")), None),
            (key().not_like(lit("org,%")), None),
        ] {
            assert_eq!(wanted(&filter), expected, "{filter}");
        }
    }
}
