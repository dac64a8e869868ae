//! Completes columns and fields of structs, from the tables that a statement names.

use std::collections::HashMap;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use corpus_udfs::result_type;
use datafusion::arrow::datatypes::{DataType, FieldRef, Fields, SchemaRef};
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer, Word};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::sinks::target::output_url;
use crate::sql::dialect;
use crate::sql::syntax::quoted_name;

/// The maximum time for opening a table while the user waits. A remote folder may take longer; its
/// columns are then known the next time.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The schemas of tables by their text in FROM. `None` if a table cannot be opened.
type Schemas = Arc<Mutex<HashMap<String, Option<SchemaRef>>>>;

/// The columns available in the statement that is being typed.
pub struct Columns {
    context: SessionContext,
    /// Opens tables.
    engine: Handle,
    known: Schemas,
    /// The lines of the statement before the one that is edited.
    earlier_lines: String,
}

/// A table in FROM.
#[derive(Debug, PartialEq, Eq)]
struct Relation {
    sql: String,
    alias: Option<String>,
}

impl Columns {
    pub fn new(context: SessionContext, engine: Handle) -> Self {
        Self {
            context,
            engine,
            known: Schemas::default(),
            earlier_lines: String::new(),
        }
    }

    /// Forgets the last statement, which may have changed tables.
    pub fn begin_statement(&mut self) {
        self.known = Schemas::default();
        self.earlier_lines.clear();
    }

    pub fn earlier_lines(&self) -> &str {
        &self.earlier_lines
    }

    pub fn continue_statement(&mut self, text: &str) {
        text.clone_into(&mut self.earlier_lines);
    }

    /// Returns the names that may follow `before`, which ends where a name begins: the fields of a
    /// struct after `name.` and `name['`, otherwise all columns.
    pub fn names(&self, before: &str, after: &str) -> Vec<String> {
        let (path, start) = path_before(before);
        let text = format!("{}\n{} {after}", self.earlier_lines, &before[..start]);
        let dialect = GenericDialect {};
        let Ok(tokens) = Tokenizer::new(&dialect, &text)
            .with_unescape(false)
            .tokenize()
        else {
            return Vec::new();
        };
        let tokens: Vec<Token> = tokens
            .into_iter()
            .filter(|token| !matches!(token, Token::Whitespace(_)))
            .collect();
        let relations: Vec<_> = relations(&tokens)
            .into_iter()
            .filter_map(|relation| Some((relation.alias, self.schema(&relation.sql)?)))
            .collect();
        let is_quoted = before.ends_with('\'');
        let quote = |name: &String| {
            if is_quoted { name.clone() } else { quote(name) }
        };
        let Some((first, rest)) = path.split_first() else {
            let schemas = relations.iter().map(|(_, schema)| schema.fields());
            return names(schemas.flatten()).iter().map(quote).collect();
        };
        let table = relations
            .iter()
            .find(|(alias, _)| alias.as_deref() == Some(first));
        let column = relations
            .iter()
            .find_map(|(_, schema)| Some(schema.field_with_name(first).ok()?.data_type().clone()));
        let fields = match (table, column) {
            (_, Some(column)) => fields_of(&column),
            (Some((_, schema)), None) => Some(schema.fields().clone()),
            (None, None) => {
                aliased_call(&tokens, first).and_then(|call| fields_of(&self.call_type(&call)?))
            }
        };
        let fields = rest.iter().try_fold(fields, |fields, name| {
            let (_, field) = fields.as_ref()?.find(name)?;
            Some(fields_of(field.data_type()))
        });
        let fields = fields.flatten().unwrap_or_else(Fields::empty);
        names(fields.iter()).iter().map(quote).collect()
    }

    /// Returns the columns of a table in FROM, if it can be opened soon.
    fn schema(&self, sql: &str) -> Option<SchemaRef> {
        let known = Arc::clone(&self.known);
        if let Some(schema) = known.lock().get(sql) {
            return schema.clone();
        }
        let (sender, receiver) = mpsc::channel();
        let (context, sql) = (self.context.clone(), sql.to_owned());
        self.engine.spawn(async move {
            let frame = dialect::sql(&context, &format!("SELECT * FROM {sql}")).await;
            let schema = frame.ok().map(|frame| frame.schema().inner().clone());
            let mut known = known.lock();
            known.insert(sql, schema.clone());
            // The user may have gone on typing.
            let _ = sender.send(schema);
        });
        receiver.recv_timeout(MAX_WAIT).ok().flatten()
    }

    /// Returns the objects and folders of a bucket whose path begins with `path`, if the store
    /// answers soon.
    pub fn remote_names(&self, path: &str) -> Vec<String> {
        let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
        let beginning = path[folder.len()..].to_owned();
        let Ok(url) = output_url(folder) else {
            return Vec::new();
        };
        let (sender, receiver) = mpsc::channel();
        let context = self.context.clone();
        self.engine.spawn(async move {
            let listed = async {
                let store = context.runtime_env().object_store(&url).ok()?;
                store.list_with_delimiter(Some(url.prefix())).await.ok()
            };
            let Ok(Some(listed)) = timeout(MAX_WAIT, listed).await else {
                return;
            };
            let folders = listed.common_prefixes.iter();
            let folders = folders.filter_map(|path| Some(format!("{}/", path.filename()?)));
            let objects = listed.objects.iter();
            let objects =
                objects.filter_map(|object| object.location.filename().map(str::to_owned));
            let mut names: Vec<String> = folders
                .chain(objects)
                .filter(|name| name.starts_with(&beginning))
                .map(|name| name.replace('\'', "''"))
                .collect();
            names.sort_unstable();
            // The user may have gone on typing.
            let _ = sender.send(names);
        });
        receiver.recv_timeout(MAX_WAIT).unwrap_or_default()
    }

    fn call_type(&self, function: &str) -> Option<DataType> {
        let state = self.context.state();
        result_type(state.scalar_functions().get(function)?)
    }
}

fn names<'a>(fields: impl Iterator<Item = &'a FieldRef>) -> Vec<String> {
    fields.map(|field| field.name().clone()).collect()
}

/// Returns a name in SQL, quoted if necessary.
fn quote(name: &str) -> String {
    let is_plain = |c: char| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_number = name.starts_with(|c: char| c.is_ascii_digit());
    if name.chars().all(is_plain) && !is_number {
        return name.to_owned();
    }
    quoted_name(name)
}

/// Returns the fields of a struct, or of the structs in a list.
fn fields_of(data_type: &DataType) -> Option<Fields> {
    match data_type {
        DataType::Struct(fields) => Some(fields.clone()),
        DataType::List(item) | DataType::LargeList(item) => fields_of(item.data_type()),
        _ => None,
    }
}

/// Returns the offset of the name that ends a text.
pub fn word_start(text: &str) -> usize {
    text.rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .map_or(0, |at| {
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        })
}

/// Returns `[a, b]` and the offset of `a`, for a text that ends with `a.b.`, `a['b'].`, `a[1].b['`
/// or the like. Empty for other texts.
fn path_before(text: &str) -> (Vec<String>, usize) {
    let none = (Vec::new(), text.len());
    let Some(mut rest) = text.strip_suffix('.').or_else(|| text.strip_suffix("['")) else {
        // Remove an open quote, which would turn the rest of the statement into a text.
        let end = text.strip_suffix(['\'', '"']).map_or(text.len(), str::len);
        return (Vec::new(), end);
    };
    let mut names = Vec::new();
    loop {
        if let Some(inner) = rest.strip_suffix("']") {
            let Some((before, name)) = inner.rsplit_once("['") else {
                return none;
            };
            names.push(name.to_owned());
            rest = before;
        } else if let Some(inner) = rest.strip_suffix(']') {
            let Some((before, _)) = inner.rsplit_once('[') else {
                return none;
            };
            rest = before;
        } else {
            let start = word_start(rest);
            if start == rest.len() {
                return none;
            }
            names.push(rest[start..].to_owned());
            rest = &rest[..start];
            let Some(before) = rest.strip_suffix('.') else {
                names.reverse();
                return (names, rest.len());
            };
            rest = before;
        }
    }
}

/// Returns the tables after FROM and JOIN, and after commas between tables.
fn relations(tokens: &[Token]) -> Vec<Relation> {
    let mut relations = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_start = word(tokens, at)
            .is_some_and(|word| matches!(word.keyword, Keyword::FROM | Keyword::JOIN));
        at += 1;
        if !is_start {
            continue;
        }
        while let Some((relation, end)) = relation(tokens, at) {
            relations.push(relation);
            // Queries in FROM have separate tables.
            if tokens.get(at) == Some(&Token::LParen) {
                at += 1;
                break;
            }
            at = end;
            if tokens.get(at) != Some(&Token::Comma) {
                break;
            }
            at += 1;
        }
    }
    relations
}

/// Returns a table, and the index after it.
fn relation(tokens: &[Token], start: usize) -> Option<(Relation, usize)> {
    let mut end = match tokens.get(start)? {
        Token::LParen => after_parentheses(tokens, start)?,
        Token::SingleQuotedString(_) => start + 1,
        Token::Word(_) => {
            let mut end = start + 1;
            while tokens.get(end) == Some(&Token::Period) && word(tokens, end + 1).is_some() {
                end += 2;
            }
            match tokens.get(end) {
                Some(Token::LParen) => after_parentheses(tokens, end)?,
                _ => end,
            }
        }
        _ => return None,
    };
    let sql: Vec<_> = tokens[start..end].iter().map(Token::to_string).collect();
    let name = match (end - start, word(tokens, start)) {
        (1, Some(name)) => Some(name.value.clone()),
        _ => None,
    };
    if word(tokens, end).is_some_and(|word| word.keyword == Keyword::AS) {
        end += 1;
    }
    let alias = word(tokens, end).filter(|word| word.keyword == Keyword::NoKeyword);
    end += usize::from(alias.is_some());
    let relation = Relation {
        // Spaces around periods do not change a name.
        sql: sql.join(" "),
        alias: alias.map(|alias| alias.value.clone()).or(name),
    };
    Some((relation, end))
}

fn word(tokens: &[Token], at: usize) -> Option<&Word> {
    match tokens.get(at)? {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

/// Returns the index after the parenthesis that closes the one at `open`.
fn after_parentheses(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the function in `function(…) AS alias` or `unnest(function(…)) AS alias`.
fn aliased_call(tokens: &[Token], alias: &str) -> Option<String> {
    (0..tokens.len()).find_map(|at| {
        let function = word(tokens, at)?;
        let end = after_parentheses(tokens, at + 1)?;
        if tokens.get(at + 1) != Some(&Token::LParen) {
            return None;
        }
        let is_as = word(tokens, end).is_some_and(|word| word.keyword == Keyword::AS);
        if !is_as || word(tokens, end + 1)?.value != alias {
            return None;
        }
        let name = function.value.to_lowercase();
        if name.starts_with("unnest") {
            return Some(word(tokens, at + 2)?.value.to_lowercase());
        }
        Some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{SessionOptions, session};

    /// Returns the completions at `|`.
    fn names_at(columns: &Columns, line: &str) -> Vec<String> {
        let (before, after) = line.split_once('|').unwrap();
        columns.names(before, after)
    }

    #[test]
    fn columns_and_fields_are_those_of_the_tables() {
        let engine = tokio::runtime::Runtime::new().unwrap();
        let context = {
            let _guard = engine.enter();
            session(&SessionOptions::default()).unwrap()
        };
        let made = "CREATE VIEW t AS SELECT 1 AS n, {a: {b: 2, \"C\": 3}} AS s, [{x: 1}] AS list";
        engine.block_on(async {
            let frame = dialect::sql(&context, made).await.unwrap();
            frame.collect().await.unwrap();
        });
        let columns = Columns::new(context, engine.handle().clone());
        let cases: [(&str, &[&str]); 15] = [
            ("SELECT | FROM t", &["n", "s", "list"]),
            (
                "SELECT n, | FROM t AS u, range(1, 2) r",
                &["n", "s", "list", "range"],
            ),
            (
                "SELECT u.| FROM range(1, 2) JOIN t AS u ON true",
                &["n", "s", "list"],
            ),
            ("SELECT t.| FROM t", &["n", "s", "list"]),
            ("SELECT s.| FROM t", &["a"]),
            ("SELECT s.a.| FROM t", &["b", "\"C\""]),
            ("SELECT s['| FROM t", &["a"]),
            ("SELECT s['a']['| FROM t", &["b", "C"]),
            ("SELECT list[1].| FROM t", &["x"]),
            ("SELECT n.| FROM t", &[]),
            ("SELECT none.| FROM t", &[]),
            ("SELECT | FROM missing", &[]),
            (
                "SELECT | FROM (SELECT n AS m FROM t)",
                &["m", "n", "s", "list"],
            ),
            (
                "SELECT url_parts('x') AS p, p.| FROM t",
                &[
                    "scheme", "host", "domain", "suffix", "port", "path", "query", "fragment",
                ],
            ),
            (
                "SELECT unnest(text_lines('x')) AS l, l['| FROM t",
                &["position", "offset", "text"],
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(names_at(&columns, line), expected, "{line}");
        }
        for line in [
            "SELECT '|",
            "|",
            "'|' FROM",
            "SELECT ].|",
            "SELECT a'].| FROM t",
        ] {
            assert_eq!(names_at(&columns, line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn earlier_lines_belong_to_the_statement() {
        let engine = tokio::runtime::Runtime::new().unwrap();
        let context = session(&SessionOptions::default()).unwrap();
        let mut columns = Columns::new(context, engine.handle().clone());
        columns.continue_statement("SELECT * FROM range(1, 2)");
        assert_eq!(names_at(&columns, "WHERE |"), ["range"]);
        columns.begin_statement();
        assert_eq!(names_at(&columns, "WHERE |"), Vec::<String>::new());
    }
}
