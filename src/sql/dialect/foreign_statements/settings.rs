//! `SET`, `RESET`, `SHOW` and `PRAGMA` as other engines write them.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::tokenizer::Token;

use super::NO_OPERATION;
use super::words::Words;
use crate::sql::dialect::variables::{RESET_VARIABLE, SET_VARIABLE, setting_here};
use crate::sql::syntax::literal;

/// Settings and pragmas of DuckDB that change nothing here.
const WITHOUT_EFFECT: [&str; 7] = [
    "disable_object_cache",
    "disable_progress_bar",
    "enable_http_metadata_cache",
    "enable_object_cache",
    "enable_progress_bar",
    "preserve_insertion_order",
    "search_path",
];

/// Words that SHOW lists. Any other word is the name of a table.
const SHOWN: [&str; 5] = ["ALL", "COLUMNS", "FUNCTIONS", "TABLES", "VARIABLES"];

/// `SET threads = 4` and `RESET threads`.
pub fn set(words: &Words<'_>) -> Result<Option<String>> {
    let scoped = ["GLOBAL", "SESSION", "LOCAL"];
    let at = 1 + usize::from(scoped.iter().any(|word| words.is(1, word)));
    if words.is(at, "VARIABLE") {
        return variable(words, at + 1).map(Some);
    }
    if words.is(0, "SET") && words.is(at, "TIME") && words.is(at + 1, "ZONE") {
        let zone = words.text(at + 2, words.tokens.len());
        return Ok(Some(format!("SET datafusion.execution.time_zone = {zone}")));
    }
    let Some(name) = words.word(at).map(str::to_ascii_lowercase) else {
        return Ok(None);
    };
    let Some(here) = setting_here(&name) else {
        // Names of DataFusion have dots.
        let is_other = *words.token(at + 1) == Token::Period;
        let is_setting = *words.token(at + 1) == Token::Eq
            || words.is(at + 1, "TO")
            || (words.is(0, "RESET") && words.tokens.len() == at + 1);
        if is_other || !is_setting || name == "datafusion" {
            return Ok(None);
        }
        if WITHOUT_EFFECT.contains(&name.as_str()) {
            return Ok(Some(NO_OPERATION.to_owned()));
        }
        return plan_err!(
            "no setting '{name}': SHOW ALL lists the settings; leave out those of other engines"
        );
    };
    if words.is(0, "RESET") {
        return Ok(Some(format!("RESET {here}")));
    }
    let value = at + 1 + usize::from(*words.token(at + 1) == Token::Eq || words.is(at + 1, "TO"));
    let mut text = words.text(value, words.tokens.len()).trim().to_owned();
    if here.ends_with("memory_limit") {
        // DataFusion's units are letters: 16G.
        text = text.to_ascii_uppercase().replace(' ', "");
        for (unit, letter) in [("GIB", "G"), ("GB", "G"), ("MIB", "M"), ("MB", "M")] {
            text = text.replace(unit, letter);
        }
    }
    Ok(Some(format!("SET {here} = {text}")))
}

/// `SET VARIABLE x = 1` and `RESET VARIABLE x` as calls of functions, which
/// [`variables`](super::variables) executes.
fn variable(words: &Words<'_>, at: usize) -> Result<String> {
    let name = match words.token(at) {
        Token::Word(name) => literal(&name.value),
        _ => return plan_err!("SET VARIABLE takes a name and a value: SET VARIABLE x = 1"),
    };
    if words.is(0, "RESET") {
        return Ok(format!("SELECT {RESET_VARIABLE}({name})"));
    }
    let is_assigned = *words.token(at + 1) == Token::Eq || words.is(at + 1, "TO");
    if !is_assigned || at + 2 >= words.tokens.len() {
        return plan_err!("SET VARIABLE takes a name and a value: SET VARIABLE x = 1");
    }
    let value = words.text(at + 2, words.tokens.len());
    Ok(format!("SELECT {SET_VARIABLE}({name}, ({value}))"))
}

/// Rewrites the SHOW statements of other engines.
pub fn show(words: &Words<'_>) -> Option<String> {
    let table = "SELECT table_catalog AS database, table_schema AS schema, table_name AS name FROM \
                 information_schema.tables WHERE table_schema <> 'information_schema'";
    if words.is(1, "ALL") && words.is(2, "TABLES") {
        return Some(table.to_owned());
    }
    if words.tokens.len() == 1 {
        return Some("SHOW TABLES".to_owned());
    }
    let is_from = words.is(2, "FROM") || words.is(2, "IN");
    if words.is(1, "COLUMNS") && is_from && words.tokens.len() > 3 {
        return Some(format!("DESCRIBE {}", words.text(3, words.tokens.len())));
    }
    if words.is(1, "DATABASES") {
        let sql = "SELECT DISTINCT catalog_name AS database_name FROM information_schema.schemata";
        return Some(sql.to_owned());
    }
    if words.is(1, "SCHEMAS") {
        let sql =
            "SELECT catalog_name AS database_name, schema_name FROM information_schema.schemata";
        return Some(sql.to_owned());
    }
    // SHOW t
    let Token::Word(name) = words.token(1) else {
        return None;
    };
    let is_known = name.quote_style.is_none()
        && SHOWN
            .iter()
            .any(|known| name.value.eq_ignore_ascii_case(known));
    if words.tokens.len() != 2 || is_known {
        return None;
    }
    Some(match setting_here(&name.value.to_ascii_lowercase()) {
        Some(here) if name.quote_style.is_none() => format!("SHOW {here}"),
        _ => format!("DESCRIBE {}", words.text(1, 2)),
    })
}

/// Rewrites a pragma as the statement that has its effect here.
pub fn pragma(words: &Words<'_>) -> Result<String> {
    let name = words.word(1).unwrap_or_default().to_ascii_lowercase();
    let argument = match words.token(3) {
        Token::SingleQuotedString(text) => text.clone(),
        _ => words.word(3).unwrap_or_default().to_owned(),
    };
    match name.as_str() {
        "table_info" if !argument.is_empty() => {
            let is_name = argument
                .bytes()
                .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
            // Other names are files.
            let table = if is_name {
                argument
            } else {
                literal(&argument)
            };
            Ok(format!("DESCRIBE {table}"))
        }
        "create_fts_index" => plan_err!(
            "there are no indexes in tables: write COPY (SELECT …) TO 'index/' STORED AS SEARCH_INDEX, and FROM \
             search('index/', 'words')"
        ),
        "show_tables" | "show" if argument.is_empty() => Ok("SHOW TABLES".to_owned()),
        "functions" => Ok("SHOW FUNCTIONS".to_owned()),
        name if WITHOUT_EFFECT.contains(&name) => Ok(NO_OPERATION.to_owned()),
        "version" => Ok("SELECT version() AS library_version".to_owned()),
        _ if setting_here(&name).is_some() && *words.token(2) == Token::Eq => {
            let statement = set(words)?;
            statement.map_or_else(|| plan_err!("PRAGMA {name} needs a value"), Ok)
        }
        _ => plan_err!(
            "PRAGMA {name} is not supported: leave it out; SHOW ALL lists the settings, and SET name = value changes one"
        ),
    }
}
