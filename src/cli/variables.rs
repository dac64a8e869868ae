//! Variables in SQL files: `${name}` and `${name:-default}`.
//!
//! - Inside `'text'` or `"name"`, the value is escaped: its quotes are doubled, so `'${input}'` is
//!   always one string. Elsewhere, the value is SQL.
//! - Variables in comments are not replaced.
//! - `$${` stands for `${`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub type Variables = BTreeMap<String, String>;

#[derive(Debug, PartialEq, Eq)]
pub struct VariableError {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for VariableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The syntactic context of the scanner.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Code,
    /// Inside quotes of this kind.
    Quoted(char),
    LineComment,
    /// Block comments nest.
    BlockComment(usize),
}

/// A variable in the SQL.
struct Reference<'a> {
    name: &'a str,
    default: Option<&'a str>,
}

/// SQL with its variables replaced.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Substituted {
    pub sql: String,
    /// The unset variables with the defaults used for them, without duplicates.
    pub defaults: Vec<(String, String)>,
}

/// Replaces all variables in `sql`.
pub fn substitute(sql: &str, variables: &Variables) -> Result<Substituted, VariableError> {
    let mut defaults = Vec::new();
    let sql = replace(sql, |Reference { name, default }| {
        if let Some(value) = variables.get(name) {
            return Ok(value.clone());
        }
        let Some(default) = default else {
            return Err(format!(
                "the variable '{name}' is not set: add -v {name}=…, or a default, as in \
                 ${{{name}:-default}}"
            ));
        };
        let used = (name.to_owned(), default.to_owned());
        if !defaults.contains(&used) {
            defaults.push(used);
        }
        Ok(default.to_owned())
    })?;
    Ok(Substituted { sql, defaults })
}

/// The names of all variables in `sql`.
pub fn names(sql: &str) -> Result<BTreeSet<String>, VariableError> {
    let mut names = BTreeSet::new();
    replace(sql, |reference| {
        names.insert(reference.name.to_owned());
        Ok(String::new())
    })?;
    Ok(names)
}

/// Replaces each variable with its `value`, escaped for its context.
fn replace(
    sql: &str,
    mut value: impl FnMut(Reference<'_>) -> Result<String, String>,
) -> Result<String, VariableError> {
    let mut out = String::with_capacity(sql.len());
    let mut place = Place::Code;
    let mut rest = sql;
    while let Some(c) = rest.chars().next() {
        let in_comment = matches!(place, Place::LineComment | Place::BlockComment(_));
        if !in_comment && rest.starts_with("$${") {
            out.push_str("${");
            rest = &rest[3..];
            continue;
        }
        if !in_comment && rest.starts_with("${") {
            let line = 1 + sql[..sql.len() - rest.len()].matches('\n').count();
            let (value, after) = reference(rest)
                .and_then(|(reference, after)| Ok((value(reference)?, after)))
                .map_err(|message| VariableError { line, message })?;
            match place {
                Place::Quoted(quote) => {
                    out.push_str(&value.replace(quote, &format!("{quote}{quote}")));
                }
                _ => out.push_str(&value),
            }
            rest = after;
            continue;
        }
        place = next_place(place, c, rest);
        // Consume comment delimiters of two characters as a whole.
        let length = match (place, in_comment) {
            (Place::BlockComment(_), _) if rest.starts_with("/*") || rest.starts_with("*/") => 2,
            (Place::Code, true) if rest.starts_with("*/") => 2,
            _ => c.len_utf8(),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    Ok(out)
}

fn next_place(place: Place, c: char, rest: &str) -> Place {
    match (place, c) {
        (Place::Code, '\'' | '"') => Place::Quoted(c),
        // A doubled quote closes and reopens the text, which has the same effect.
        (Place::Quoted(quote), c) if c == quote => Place::Code,
        (Place::Code, '-') if rest.starts_with("--") => Place::LineComment,
        (Place::LineComment, '\n') => Place::Code,
        (Place::Code, '/') if rest.starts_with("/*") => Place::BlockComment(1),
        (Place::BlockComment(depth), '/') if rest.starts_with("/*") => {
            Place::BlockComment(depth + 1)
        }
        (Place::BlockComment(1), '*') if rest.starts_with("*/") => Place::Code,
        (Place::BlockComment(depth), '*') if rest.starts_with("*/") => {
            Place::BlockComment(depth - 1)
        }
        _ => place,
    }
}

/// The variable at the start of `text`, and the text after it.
fn reference(text: &str) -> Result<(Reference<'_>, &str), String> {
    let Some(end) = text.find('}') else {
        return Err("'${' without a closing '}'".to_owned());
    };
    let (inner, after) = (&text[2..end], &text[end + 1..]);
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) => (name.trim(), Some(default)),
        None => (inner.trim(), None),
    };
    if !is_name(name) {
        return Err(format!(
            "'${{{inner}}}' is not a valid variable: use letters, digits and _ in names"
        ));
    }
    Ok((Reference { name, default }, after))
}

/// Whether this can be the name of a variable.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(sql: &str) -> Result<String, VariableError> {
        let variables = Variables::from([
            ("input".to_owned(), "it's".to_owned()),
            ("n".to_owned(), "10".to_owned()),
            ("column".to_owned(), "a\"b".to_owned()),
        ]);
        substitute(sql, &variables).map(|substituted| substituted.sql)
    }

    #[test]
    fn values_are_quoted_for_their_place() {
        for (sql, expected) in [
            ("LIMIT ${n}", "LIMIT 10"),
            ("'${input}'", "'it''s'"),
            ("'a''${input}'", "'a''it''s'"),
            ("\"${column}\"", "\"a\"\"b\""),
            ("'${none:-x y}' ${none:-}", "'x y' "),
            ("-- ${none} '\n'${n}'", "-- ${none} '\n'10'"),
            (
                "/* ' /* ${none} */ ${none} */ ${n}",
                "/* ' /* ${none} */ ${none} */ 10",
            ),
            ("/**/${n}", "/**/10"),
            ("a - ${n} / 2", "a - 10 / 2"),
            ("'$${n}' $1 日本", "'${n}' $1 日本"),
        ] {
            assert_eq!(replaced(sql).as_deref(), Ok(expected), "{sql}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let error = replaced("SELECT 1;\nSELECT ${missing}").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.message.contains("'missing'"), "{error}");
        assert!(replaced("${n").unwrap_err().message.contains("closing"));
        assert!(replaced("${1x}").unwrap_err().message.contains("in names"));
    }

    #[test]
    fn names_and_used_defaults_are_reported() {
        let sql = "-- ${comment}\n'${input:-a}' ${n:-1} $${no} \"${input:-a}\" ${other}";
        assert_eq!(
            names(sql).unwrap().into_iter().collect::<Vec<_>>(),
            ["input", "n", "other"]
        );
        let set = |name: &str| (name.to_owned(), "2".to_owned());
        let substituted = substitute(sql, &Variables::from([set("n"), set("other")])).unwrap();
        assert_eq!(substituted.defaults, [("input".to_owned(), "a".to_owned())]);
    }
}
