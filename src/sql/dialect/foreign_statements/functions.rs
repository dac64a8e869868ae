//! `CREATE FUNCTION` and `CREATE MACRO` as DuckDB and PostgreSQL write them.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::words::Words;

/// Refuses macros of tables with types of parameters, and with several definitions.
pub fn check(words: &Words<'_>) -> Result<()> {
    let is_macro = ["FUNCTION", "MACRO"]
        .iter()
        .any(|word| words.find(word).is_some_and(|at| at < 4));
    let Some((open, close)) = words.parentheses() else {
        return Ok(());
    };
    if !is_macro || !words.is(close + 1, "AS") {
        return Ok(());
    }
    let has_type = (open..close).any(|at| {
        let type_name = words.word(at + 2).unwrap_or("DEFAULT");
        matches!(words.token(at), Token::LParen | Token::Comma)
            && words.word(at + 1).is_some()
            && !type_name.eq_ignore_ascii_case("DEFAULT")
    });
    if has_type && words.is(close + 2, "TABLE") {
        return plan_err!(
            "the parameters of macros of tables have no types: write CREATE MACRO f(x) AS TABLE SELECT CAST(x AS INTEGER)"
        );
    }
    // A query may have commas at this depth; an expression may not.
    let mut at = if words.is(close + 2, "TABLE") {
        words.tokens.len()
    } else {
        close + 2
    };
    while at < words.tokens.len() {
        let is_next = *words.token(at) == Token::Comma && *words.token(at + 1) == Token::LParen;
        if is_next
            && words
                .closing(at + 1)
                .is_some_and(|end| words.is(end + 1, "AS"))
        {
            return plan_err!(
                "a macro has one definition: give parameters a default, as in CREATE MACRO f(a, b := 1) AS a + b"
            );
        }
        at = match words.token(at) {
            Token::LParen => words.closing(at).map_or(words.tokens.len(), |end| end + 1),
            _ => at + 1,
        };
    }
    Ok(())
}

/// `CREATE FUNCTION f(x) AS x + 1` is DuckDB's other name of `CREATE MACRO`. Bodies in quotes, as
/// in PostgreSQL, are left to the parser.
pub fn rewrite(words: &Words<'_>) -> Option<String> {
    let replaces = words.is(1, "OR") && words.is(2, "REPLACE");
    let mut at = if replaces { 3 } else { 1 };
    if words.is(at, "TEMP") || words.is(at, "TEMPORARY") {
        at += 1;
    }
    // Macros live as long as the session, so all of them are temporary. The parser knows no
    // IF NOT EXISTS, and keeps the word TEMP in its place.
    let has_condition =
        words.is(at + 1, "IF") && words.is(at + 2, "NOT") && words.is(at + 3, "EXISTS");
    let is_other_macro = words.is(at, "MACRO") && (at > 1 || has_condition);
    if !words.is(at, "FUNCTION") && !is_other_macro {
        return None;
    }
    let condition = if has_condition { "TEMP " } else { "" };
    let name = if has_condition { at + 4 } else { at + 1 };
    let (_, close) = words.parentheses()?;
    let is_macro = words.is(close + 1, "AS")
        && !matches!(
            words.token(close + 2),
            Token::SingleQuotedString(_) | Token::DollarQuotedString(_)
        );
    is_macro.then(|| {
        let replace = if replaces { "OR REPLACE " } else { "" };
        let rest = words.text(name, words.tokens.len());
        format!("CREATE {replace}{condition}MACRO {rest}")
    })
}

/// Rewrites a function with types, whose parameters the parser does not know.
pub fn rewrite_typed(words: &Words<'_>) -> Result<Option<String>> {
    let Some(untyped) = without_types(words) else {
        return Ok(None);
    };
    let tokens = Tokenizer::new(&GenericDialect {}, &untyped).tokenize_with_location();
    let tokens = tokens.map_err(ParserError::from)?;
    let created = rewrite(&Words::new(&untyped, &tokens));
    Ok(Some(created.unwrap_or(untyped)))
}

/// `CREATE MACRO f(x INTEGER) AS x` and `CREATE FUNCTION f(x INT) RETURNS INT AS (x)`: casts the
/// parameters where they are used, and the result.
fn without_types(words: &Words<'_>) -> Option<String> {
    let (open, close) = words.parentheses()?;
    let start = words.find("AS").filter(|at| *at > close)?;
    let is_function = (1..open).any(|at| words.is(at, "FUNCTION") || words.is(at, "MACRO"));
    let result = match start - close {
        1 => None,
        _ if words.is(close + 1, "RETURNS") => Some(words.text(close + 2, start)),
        _ => return None,
    };
    let is_body = !matches!(
        words.token(start + 1),
        Token::SingleQuotedString(_) | Token::DollarQuotedString(_)
    );
    if !is_function || !is_body || words.is(start + 1, "TABLE") {
        return None;
    }
    let mut parameters = Vec::new();
    let mut types = Vec::new();
    let mut at = open + 1;
    while at < close {
        let mut end = at;
        while end < close && *words.token(end) != Token::Comma {
            end = match words.token(end) {
                Token::LParen => words.closing(end)? + 1,
                _ => end + 1,
            };
        }
        let is_default = |at| {
            matches!(words.token(at), Token::Assignment | Token::RArrow) || words.is(at, "DEFAULT")
        };
        let default = (at..end).find(|at| is_default(*at)).unwrap_or(end);
        let name = words.word(at)?;
        if default > at + 1 {
            types.push((name, words.text(at + 1, default)));
        }
        parameters.push(match words.text(default + 1, end) {
            "" => name.to_owned(),
            value => format!("{name} := {value}"),
        });
        at = end + 1;
    }
    if types.is_empty() && result.is_none() {
        return None;
    }
    let mut body = String::new();
    let mut written = words.ranges.get(start + 1)?.0;
    for at in start + 1..words.tokens.len() {
        let named = words
            .word(at)
            .filter(|_| *words.token(at - 1) != Token::Period);
        let typed = named.and_then(|name| {
            types
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
        });
        if let Some((name, kind)) = typed {
            let (from, to) = words.ranges[at];
            body.push_str(words.sql.get(written..from)?);
            body.push_str(&format!("CAST({name} AS {kind})"));
            written = to;
        }
    }
    body.push_str(words.sql.get(written..words.ranges.last()?.1)?);
    if let Some(result) = result {
        body = format!("CAST({body} AS {result})");
    }
    let (create, parameters) = (words.text(0, open), parameters.join(", "));
    Some(format!("{create}({parameters}) AS {body}"))
}
