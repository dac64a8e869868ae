//! Variables in SQL files: `${name}` and `${name:-default}`.
//!
//! - Inside `'text'` or `"name"`, the value is escaped: its quotes are doubled, so `'${input}'` is
//!   always one string. Elsewhere, the value is SQL.
//! - Variables in comments are not replaced.
//! - Defaults may contain variables.
//! - `$${` stands for `${`.
//!
//! A variable that names a file or folder has variables for its columns, which
//! `document_columns` finds:
//!
//! - `"${input.text}"` and `"${input.id}"` are the columns with the text and the key.
//! - `${input.columns}` lists all columns, and `${input.columns except a, b}` those with other
//!   names.
//! - `${input.row}` is a struct of all columns but the text. A query carries it without collisions
//!   of names, and `${input.columns from row, text}` unpacks it.
//! - In a file that uses any of these, names that begin with `_` belong to the file: they get more
//!   underscores if a column of the input begins with `_`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use super::document_columns::{DocumentColumns, Inputs};
use super::place::Position;

pub type Variables = BTreeMap<String, String>;

/// The variable with the output of a script.
pub const OUTPUT: &str = "output";

/// The maximum depth of variables in the defaults of others.
const MAX_DEPTH: usize = 4;

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
enum Syntax {
    Code,
    /// Inside quotes of this kind.
    Quoted(char),
    LineComment,
    /// Block comments nest.
    BlockComment(usize),
}

/// A variable in the SQL.
#[derive(Clone, Copy)]
struct Reference<'a> {
    name: &'a str,
    /// The text after the dot: a column, or the list of columns.
    part: Option<&'a str>,
    default: Option<&'a str>,
}

/// The replacement of a variable.
enum Replacement {
    Value(String),
    /// The default, SQL of the file that may contain variables.
    Default,
}

/// SQL with its variables replaced.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Substituted {
    pub sql: String,
    /// The unset variables with the defaults used for them, without duplicates.
    pub defaults: Vec<(String, String)>,
    edits: Vec<Edit>,
}

/// A part of a script that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    /// The place in the script.
    from: Range<usize>,
    /// The place in the SQL.
    to: Range<usize>,
}

impl Substituted {
    /// Returns the place in the script from which a place in the SQL comes. In the value of a
    /// variable, that is the variable.
    pub fn place_in(&self, script: &str, place: Position) -> Option<Position> {
        let offset = offset(&self.sql, place)?;
        let mut at = offset;
        for edit in self.edits.iter().take_while(|edit| edit.to.start <= offset) {
            at = if offset < edit.to.end {
                edit.from.start
            } else {
                edit.from.end + (offset - edit.to.end)
            };
        }
        let before = script.get(..at)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        Some(Position {
            line: 1 + before.matches('\n').count(),
            column: 1 + line.chars().count(),
        })
    }

    /// Returns the uses of variables in a script, except those of columns.
    pub fn uses<'a>(&'a self, script: &'a str) -> Vec<Use<'a>> {
        let of_edit = |edit: &Edit| {
            let text = script.get(edit.from.start..)?;
            let text = text.starts_with("${").then_some(text)?;
            let (reference, _) = reference(text).ok()?;
            let rest = self.sql.get(edit.to.end..)?;
            reference.part.is_none().then_some(Use {
                name: reference.name,
                value: self.sql.get(edit.to.clone())?.replace("''", "'"),
                before: self.sql.get(..edit.to.start)?,
                rest: rest.split('\'').next()?,
            })
        };
        let uses = self.edits.iter().filter_map(of_edit);
        uses.collect()
    }

    /// Returns the value of a variable that a script uses as the folder of several files.
    pub fn folder(&self, script: &str, name: &str) -> Option<String> {
        let uses = self.uses(script).into_iter();
        let mut folders = uses.filter(|one| one.name == name && one.rest.starts_with('/'));
        let folder = folders.next()?;
        folders.next()?;
        Some(folder.value)
    }
}

/// A use of a variable.
pub struct Use<'a> {
    pub name: &'a str,
    pub value: String,
    /// The SQL before it.
    pub before: &'a str,
    /// The SQL after it, up to the end of the string.
    pub rest: &'a str,
}

/// The byte offset of a place.
fn offset(text: &str, place: Position) -> Option<usize> {
    let lines = place.line.checked_sub(1)?;
    let line = text.split('\n').nth(lines)?;
    let start: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    let column = place.column.checked_sub(1)?;
    let column = line.char_indices().nth(column);
    Some(start + column.map_or(line.len(), |(at, _)| at))
}

/// Replaces all variables in `sql`, those for columns with the columns of `inputs`.
pub fn substitute(
    sql: &str,
    variables: &Variables,
    inputs: &Inputs,
) -> Result<Substituted, VariableError> {
    let mut defaults = Vec::new();
    let underscores = inputs.values().map(DocumentColumns::own_underscores);
    let prefix = "_".repeat(underscores.max().unwrap_or(0));
    let mut value = |Reference {
                         name,
                         part,
                         default,
                     }: Reference<'_>| {
        if let Some(part) = part {
            let columns = inputs.get(name).ok_or_else(|| unknown_columns(name))?;
            return columns.value(part).map(Replacement::Value);
        }
        if let Some(value) = variables.get(name) {
            return Ok(Replacement::Value(value.clone()));
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
        Ok(Replacement::Default)
    };
    let mut edits = Vec::new();
    let sql = replace(sql, &prefix, 0, &mut value, &mut edits)?;
    Ok(Substituted {
        sql,
        defaults,
        edits,
    })
}

fn unknown_columns(name: &str) -> String {
    format!("'${{{name}.…}}' names columns of '{name}', which no '${{{name}}}' of the file names")
}

/// A variable that a script uses.
#[derive(Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    /// The first default.
    pub default: Option<String>,
    /// Whether it has no default. The variables `text` and `id` of an input need none.
    pub is_required: bool,
}

/// All variables in `sql`, in the order of their first use.
pub fn declarations(sql: &str) -> Result<Vec<Declared>, VariableError> {
    let mut variables: Vec<Declared> = Vec::new();
    for_each(sql, |reference| {
        let name = match reference.part {
            Some(part @ ("text" | "id")) => part,
            _ => reference.name,
        };
        let default = reference.default.map(str::to_owned);
        let is_required = default.is_none() && reference.part.is_none();
        match variables.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                known.is_required &= is_required;
                known.default = known.default.take().or(default);
            }
            None => variables.push(Declared {
                name: name.to_owned(),
                default,
                is_required,
            }),
        }
    })?;
    Ok(variables)
}

/// The names of all variables in `sql`.
pub fn names(sql: &str) -> Result<BTreeSet<String>, VariableError> {
    let variables = declarations(sql)?.into_iter();
    Ok(variables.map(|variable| variable.name).collect())
}

/// The variables whose columns `sql` names, with their values.
pub fn inputs(sql: &str, variables: &Variables) -> Result<Vec<(String, String)>, VariableError> {
    let mut named = BTreeSet::new();
    let mut defaults = BTreeMap::new();
    for_each(sql, |reference| match (reference.part, reference.default) {
        (Some(_), _) => {
            named.insert(reference.name.to_owned());
        }
        (None, Some(default)) => {
            defaults
                .entry(reference.name.to_owned())
                .or_insert_with(|| default.to_owned());
        }
        (None, None) => {}
    })?;
    let mut inputs = Vec::with_capacity(named.len());
    for name in named {
        let value = match (variables.get(&name), defaults.get(&name)) {
            (Some(value), _) => value.clone(),
            (None, Some(default)) => substitute(default, variables, &Inputs::new())?.sql,
            // A variable without a value is an error of `substitute`, which knows the line.
            (None, None) => continue,
        };
        inputs.push((name, value));
    }
    Ok(inputs)
}

/// Calls `each` with every variable, also with those in defaults.
fn for_each(sql: &str, mut each: impl FnMut(Reference<'_>)) -> Result<(), VariableError> {
    let mut value = |reference: Reference<'_>| {
        each(reference);
        Ok(match reference.default {
            Some(_) => Replacement::Default,
            None => Replacement::Value(String::new()),
        })
    };
    replace(sql, "", 0, &mut value, &mut Vec::new()).map(drop)
}

/// The values that [`replace`] asks for.
type Values<'a> = dyn FnMut(Reference<'_>) -> Result<Replacement, String> + 'a;

/// Replaces each variable with its `value`, escaped for its context, and puts `prefix` before names
/// that begin with `_`. Lists what it changed in `edits`.
fn replace(
    sql: &str,
    prefix: &str,
    depth: usize,
    value: &mut Values<'_>,
    edits: &mut Vec<Edit>,
) -> Result<String, VariableError> {
    let mut edited = |rest: &str, length: usize, to: Range<usize>| {
        let from = sql.len() - rest.len();
        let from = from..from + length;
        edits.push(Edit { from, to });
    };
    let mut out = String::with_capacity(sql.len());
    let mut place = Syntax::Code;
    let mut before = ' ';
    let mut rest = sql;
    while let Some(c) = rest.chars().next() {
        let in_comment = matches!(place, Syntax::LineComment | Syntax::BlockComment(_));
        if !in_comment && rest.starts_with("$${") {
            edited(rest, 3, out.len()..out.len() + 2);
            out.push_str("${");
            rest = &rest[3..];
            continue;
        }
        if !in_comment && rest.starts_with("${") {
            let line = 1 + sql[..sql.len() - rest.len()].matches('\n').count();
            let at_line = |message: String| VariableError { line, message };
            let (reference, after) = reference(rest).map_err(at_line)?;
            let value = match value(reference).map_err(at_line)? {
                Replacement::Value(value) => value,
                Replacement::Default if depth == MAX_DEPTH => {
                    return Err(at_line(format!(
                        "defaults contain variables to a depth of more than {MAX_DEPTH}"
                    )));
                }
                Replacement::Default => {
                    let default = reference.default.unwrap_or_default();
                    // In a text, there are no names.
                    let prefix = if place == Syntax::Code { prefix } else { "" };
                    replace(default, prefix, depth + 1, value, &mut Vec::new())
                        .map_err(|error| at_line(error.message))?
                }
            };
            if place == Syntax::Code
                && let Some(default) = reference.default
                && is_number(default)
                && is_word(&value)
            {
                return Err(at_line(format!(
                    "the variable '{}' is a number, such as {default}, not '{value}'",
                    reference.name
                )));
            }
            let start = out.len();
            push(&mut out, &value, place, after);
            edited(rest, rest.len() - after.len(), start..out.len());
            before = ' ';
            rest = after;
            continue;
        }
        let continues_name = before.is_alphanumeric() || before == '_';
        if place == Syntax::Code && c == '_' && !continues_name && !prefix.is_empty() {
            edited(rest, 0, out.len()..out.len() + prefix.len());
            out.push_str(prefix);
        }
        before = c;
        place = next_place(place, c, rest);
        // Consume comment delimiters of two characters as a whole.
        let length = match (place, in_comment) {
            (Syntax::BlockComment(_), _) if rest.starts_with("/*") || rest.starts_with("*/") => 2,
            (Syntax::Code, true) if rest.starts_with("*/") => 2,
            _ => c.len_utf8(),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    Ok(out)
}

fn is_number(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

/// Whether a value is a single word, which cannot stand for a number. An expression can.
fn is_word(value: &str) -> bool {
    value.chars().all(char::is_alphabetic)
        && !value.is_empty()
        && !value.eq_ignore_ascii_case("null")
}

/// Appends a value, escaped for its context.
fn push(out: &mut String, value: &str, place: Syntax, after: &str) {
    match place {
        Syntax::Quoted(quote) => {
            // The folder `out/` and `'${output}/file'` make `out/file`.
            let value = if after.starts_with('/') && !value.ends_with("//") {
                value.strip_suffix('/').unwrap_or(value)
            } else {
                value
            };
            out.push_str(&value.replace(quote, &format!("{quote}{quote}")));
        }
        _ => out.push_str(value),
    }
}

fn next_place(place: Syntax, c: char, rest: &str) -> Syntax {
    match (place, c) {
        (Syntax::Code, '\'' | '"') => Syntax::Quoted(c),
        // A doubled quote closes and reopens the text, which has the same effect.
        (Syntax::Quoted(quote), c) if c == quote => Syntax::Code,
        (Syntax::Code, '-') if rest.starts_with("--") => Syntax::LineComment,
        (Syntax::LineComment, '\n') => Syntax::Code,
        (Syntax::Code, '/') if rest.starts_with("/*") => Syntax::BlockComment(1),
        (Syntax::BlockComment(depth), '/') if rest.starts_with("/*") => {
            Syntax::BlockComment(depth + 1)
        }
        (Syntax::BlockComment(1), '*') if rest.starts_with("*/") => Syntax::Code,
        (Syntax::BlockComment(depth), '*') if rest.starts_with("*/") => {
            Syntax::BlockComment(depth - 1)
        }
        _ => place,
    }
}

/// The variable at the start of `text`, and the text after it.
fn reference(text: &str) -> Result<(Reference<'_>, &str), String> {
    let Some(end) = end_of_reference(text) else {
        return Err("'${' without a closing '}'".to_owned());
    };
    let (inner, after) = (&text[2..end], &text[end + 1..]);
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) => (name.trim(), Some(default)),
        None => (inner.trim(), None),
    };
    let (name, part) = match name.split_once('.') {
        Some((name, part)) => (name, Some(part.trim())),
        None => (name, None),
    };
    if !is_name(name) {
        return Err(format!(
            "'${{{inner}}}' is not a valid variable: use letters, digits and _ in names"
        ));
    }
    if part.is_some() && default.is_some() {
        return Err(format!(
            "'${{{inner}}}' has a default, but the columns of '{name}' have none"
        ));
    }
    Ok((
        Reference {
            name,
            part,
            default,
        },
        after,
    ))
}

/// The place of the brace that closes the variable at the start of `text`.
fn end_of_reference(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '$' if text[at..].starts_with("${") => open += 1,
            '}' if open == 1 => return Some(at),
            '}' => open -= 1,
            _ => {}
        }
    }
    None
}

/// Whether this can be the name of a variable.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::{DataType, Field};

    use super::*;

    fn replaced(sql: &str) -> Result<String, VariableError> {
        let variables = Variables::from([
            ("input".to_owned(), "it's".to_owned()),
            ("n".to_owned(), "10".to_owned()),
            ("column".to_owned(), "a\"b".to_owned()),
            ("folder".to_owned(), "out/".to_owned()),
            ("bucket".to_owned(), "s3://".to_owned()),
        ]);
        substitute(sql, &variables, &Inputs::new()).map(|substituted| substituted.sql)
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
            ("${none:-${n} + ${m:-'${input}'}} }", "10 + 'it''s' }"),
            ("'${none:-a''${input}}'", "'a''''it''s'"),
            ("'${folder}/a' '${folder}'", "'out/a' 'out/'"),
            ("'${bucket}/a' ${n}/2 _a", "'s3:///a' 10/2 _a"),
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
        let nested = "${a:-${b:-${c:-${d:-${e:-${f:-1}}}}}}";
        assert!(replaced(nested).unwrap_err().message.contains("depth"));
        assert!(
            replaced("${a:-${n}")
                .unwrap_err()
                .message
                .contains("closing")
        );
        let error = replaced("\"${input.text}\"").unwrap_err();
        assert!(error.message.contains("columns of 'input'"), "{error}");
        assert!(
            replaced("${n.text:-a}")
                .unwrap_err()
                .message
                .contains("default")
        );
    }

    #[test]
    fn a_word_is_no_number() {
        let value = |sql: &str, value: &str| {
            let variables = Variables::from([("most".to_owned(), value.to_owned())]);
            substitute(sql, &variables, &Inputs::new())
        };
        let error = value("SELECT 1 LIMIT ${most:-20}", "abc").unwrap_err();
        let message = "the variable 'most' is a number, such as 20, not 'abc'";
        assert_eq!(error.message, message);
        for (sql, given) in [
            ("SELECT '${most:-20}'", "abc"),
            ("SELECT ${most:-x}", "abc"),
            ("SELECT ${most:-20}", "2 * 3"),
            ("SELECT ${most:-0.5}", "NULL"),
            ("SELECT ${most:-20}", "1e3"),
        ] {
            assert!(value(sql, given).is_ok(), "{sql} with {given}");
        }
    }

    #[test]
    fn names_and_used_defaults_are_reported() {
        let sql = "-- ${comment}\n'${input:-a}' ${n:-1} $${no} \"${input:-a}\" ${other}";
        assert_eq!(
            names(sql).unwrap().into_iter().collect::<Vec<_>>(),
            ["input", "n", "other"]
        );
        let set = |name: &str| (name.to_owned(), "2".to_owned());
        let substituted = substitute(
            sql,
            &Variables::from([set("n"), set("other")]),
            &Inputs::new(),
        )
        .unwrap();
        assert_eq!(substituted.defaults, [("input".to_owned(), "a".to_owned())]);
    }

    #[test]
    fn places_in_the_sql_are_those_of_the_script() {
        let script = "SELECT '${input}', x\nFROM t WHERE ${n:-a\nb} = y -- $${z}\n, _w ${none:-}v";
        let substituted = substitute(script, &Variables::new(), &Inputs::new());
        assert!(substituted.is_err());
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let variables = Variables::from([set("input", "a\nlong value")]);
        let substituted = substitute(script, &variables, &Inputs::new()).unwrap();
        for (word, place) in [
            ("SELECT", (1, 1)),
            ("long", (1, 9)),
            ("x", (1, 20)),
            ("WHERE", (2, 8)),
            ("b =", (2, 14)),
            ("y", (3, 6)),
            ("_w", (4, 3)),
            ("v", (4, 15)),
        ] {
            let before = &substituted.sql[..substituted.sql.rfind(word).unwrap()];
            let line = before.rsplit('\n').next().unwrap();
            let at = Position {
                line: 1 + before.matches('\n').count(),
                column: 1 + line.chars().count(),
            };
            let found = substituted.place_in(script, at).unwrap();
            assert_eq!((found.line, found.column), place, "{word}");
        }
    }

    #[test]
    fn columns_of_an_input_are_variables() {
        let columns = ["_id", "tex\"t", "url"];
        let columns = columns.map(|name| Field::new(name, DataType::Utf8, true));
        let columns = columns.into_iter().collect();
        let columns = DocumentColumns::new("in", &columns, Some("tex\"t"), None);
        let inputs_found = Inputs::from([("input".to_owned(), columns)]);
        let sql = "SELECT _id, a_b, '_c', '${c:-_c}', ${order:-\"${input.id}\", _n}, ${input.columns except url} \
                   FROM '${input:-in}' -- _d";
        let substituted = substitute(sql, &Variables::new(), &inputs_found).unwrap();
        assert_eq!(
            substituted.sql,
            "SELECT __id, a_b, '_c', '_c', \"url\", __n, \"_id\", \"tex\"\"t\" FROM 'in' -- _d"
        );
        let order = Variables::from([("order".to_owned(), "_id".to_owned())]);
        let substituted = substitute(sql, &order, &inputs_found).unwrap();
        assert!(
            substituted.sql.contains("'_c', '_c', _id, \"_id\""),
            "{substituted:?}"
        );
        assert_eq!(
            names(sql).unwrap().into_iter().collect::<Vec<_>>(),
            ["c", "id", "input", "order"]
        );
        let pairs = |value: &str| vec![("input".to_owned(), value.to_owned())];
        assert_eq!(inputs(sql, &Variables::new()), Ok(pairs("in")));
        let set = Variables::from([("input".to_owned(), "b".to_owned())]);
        assert_eq!(inputs(sql, &set), Ok(pairs("b")));
        let nested = "'${input:-${folder:-in}/a}' ${input.columns}";
        assert_eq!(inputs(nested, &Variables::new()), Ok(pairs("in/a")));
    }

    #[test]
    fn the_folder_of_several_files_is_known() {
        let found = |script: &str, value: Option<&str>| {
            let value = value.map(|value| ("output".to_owned(), value.to_owned()));
            let variables = Variables::from_iter(value);
            let substituted = substitute(script, &variables, &Inputs::new()).unwrap();
            substituted.folder(script, "output")
        };
        let script = "COPY (SELECT 1) TO '${output:-a b}/x.csv'; COPY '${output:-a b}/x.csv' TO \
                      '${output:-a b}/y.csv'";
        assert_eq!(found(script, None).as_deref(), Some("a b"));
        assert_eq!(found(script, Some("it's/")).as_deref(), Some("it's"));
        for script in [
            "COPY (SELECT '${output}/') TO 'x.csv'",
            "COPY (SELECT 1) TO '${output}'; COPY (SELECT 2) TO '${output}'",
            "SELECT '${output_folder:-a}/', '${output_folder:-a}/', '${output}'",
        ] {
            assert_eq!(found(script, Some("out")), None, "{script}");
        }
    }
}
