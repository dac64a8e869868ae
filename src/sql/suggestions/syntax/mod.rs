//! SQL that the parser accepts and DataFusion does not run.
//!
//! DataFusion's message prints the syntax tree of the clause. Users get its name, and advice.

/// The beginning of a syntax tree, and what to write instead.
const ADVICE: &[(&str, &str)] = &[
    (
        "SetComparison(",
        "ANY and ALL with a query do not work in the SELECT list: use them in WHERE, or compare \
         with a minimum or maximum",
    ),
    (
        "InSubquery(",
        "IN (SELECT …) with columns of the query around it works only in WHERE: write EXISTS \
         (SELECT 1 FROM … WHERE … AND value = column)",
    ),
    (
        "ScalarSubquery(",
        "a query inside of this one compares with its columns in a way that is not supported: \
         write a LEFT JOIN b ON condition, and GROUP BY the columns of a, with arg_max(value, key) for the last row",
    ),
    (
        "OuterReferenceColumn(",
        "a query inside of this one uses a column of it in a way that is not supported: join the \
         tables; for the first rows of each value, write QUALIFY row_number() OVER (PARTITION BY a ORDER BY b) <= 3",
    ),
    (
        "Pivot {",
        "PIVOT is not supported: write an aggregate for each value, such as sum(size) FILTER \
         (WHERE kind = 'pdf') AS pdf",
    ),
    (
        "Unpivot {",
        "UNPIVOT is not supported: write SELECT id, unnest([{name: 'a', value: a}, {name: 'b', \
         value: b}]), or a UNION ALL of a query for each column",
    ),
    (
        "MatchRecognize {",
        "MATCH_RECOGNIZE is not supported: compare rows with lag() and lead()",
    ),
    (
        "JsonTable {",
        "JSON_TABLE is not supported: write unnest(json_array(json, '$.items')) and \
         json_text(item, '$.name')",
    ),
    (
        "OpenJsonTable {",
        "OPENJSON is not supported: write unnest(json_array(json, '$.items')) and json_text(item, \
         '$.name')",
    ),
    (
        "XmlTable {",
        "XMLTABLE is not supported: write html_select(data, 'selector')",
    ),
    (
        "AsOf {",
        "MATCH_CONDITION is not supported: write a ASOF JOIN b ON a.key = b.key AND a.time >= b.time",
    ),
    (
        "CrossApply",
        "CROSS APPLY is not supported: write CROSS JOIN LATERAL",
    ),
    (
        "OuterApply",
        "OUTER APPLY is not supported: write LEFT JOIN LATERAL … ON true",
    ),
    (
        "MatchAgainst {",
        "MATCH … AGAINST is not supported: build a search index, and use the table function search",
    ),
    (
        "Convert {",
        "CONVERT is not supported: write CAST(value AS type)",
    ),
    (
        "Collate {",
        "COLLATE works in comparisons and ORDER BY only: write lower(text), or strip_accents(text)",
    ),
    (
        "Prior(",
        "CONNECT BY is not supported: write WITH RECURSIVE",
    ),
    (
        "PGCustomBinaryOperator",
        "OPERATOR(…) is not supported: write the operator alone",
    ),
    (
        "InUnnest {",
        "IN UNNEST is not supported: write array_has(list, value)",
    ),
    (
        "TableFunction {",
        "TABLE(…) is not supported: name the function in FROM, as in FROM range(3)",
    ),
    (
        "Wildcard {",
        "* is not an argument of this function: name a column",
    ),
    (
        "Lambda(",
        "a lambda function is not supported here: it is an argument of functions such as \
         array_transform(list, x -> x + 1)",
    ),
    (
        "DFSchema {",
        "DataFusion cannot plan a query inside of this statement: write it as a join, or in WITH",
    ),
    (
        "Identifier(",
        "a column is not supported here: write a constant",
    ),
    (
        "PGOverlap",
        "the operator && is not supported: write array_has_any(list, list), or AND",
    ),
    (
        "JsonAccess {",
        "JSON paths are not supported: write json_text(json, '$.name')",
    ),
    (
        "IsNormalized {",
        "IS NORMALIZED is not supported: write text = text_normalize(text)",
    ),
];

/// The starts of messages that end with a syntax tree, and do not help.
const OPENINGS: &[&str] = &[
    "Unsupported ast node",
    "Unsupported ast node in sqltorel",
    "Unsupported JOIN operator",
    "Unsupported binary operator",
    "Unsupported SQL unary operator",
    "Unsupported function argument",
    "Unsupported qualified wildcard argument",
    "Unsupported expr",
    "Unsupported Value",
    "Unsupported value",
    "Unsupported unary op",
    "Physical plan does not support logical expression",
];

/// Parts of syntax trees in the formatting of Rust. Expressions of DataFusion, such as `Utf8("a")`,
/// have none.
const SIGNS: [&str; 4] = [" { ", "Some(", "Ident", "Span("];

/// Returns the message without its syntax tree. `None` if it has none.
pub fn unsupported(text: &str) -> Option<String> {
    let (before, tree) = text.split_at(start_of_tree(text)?);
    let advice = ADVICE.iter().find(|(start, _)| tree.starts_with(start));
    if let Some((_, advice)) = advice {
        return Some((*advice).to_owned());
    }
    let before = trim(before);
    if !OPENINGS.contains(&before) {
        return Some(before.to_owned());
    }
    let name: String = tree.chars().take_while(|c| c.is_alphanumeric()).collect();
    Some(format!("{} is not supported here", words(&name)))
}

/// Returns the message of the parser without the tokens in it. `None` if there are none.
pub fn unexpected(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("Word(Word { value: \"")?;
    let (word, rest) = rest.split_once('"')?;
    let (_, after) = rest.split_once("})")?;
    Some(format!("{before}'{word}'{after}"))
}

fn trim(before: &str) -> &str {
    let ends = [' ', ':', '\'', '"', ',', '[', '('];
    let before = before.trim_end_matches(ends);
    let before = before.strip_suffix("got").unwrap_or(before);
    before.trim_end_matches(ends)
}

/// Returns where a syntax tree begins: at the first name of a type of Rust, if what follows looks
/// like one.
fn start_of_tree(text: &str) -> Option<usize> {
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        let is_start = character.is_ascii_uppercase() && !previous.is_alphanumeric() && at > 0;
        previous = character;
        if !is_start {
            continue;
        }
        let rest = &text[at..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let is_camel_case = rest[..end].chars().any(|c| c.is_ascii_lowercase());
        let has_fields = rest[end..].starts_with(" { ");
        let has_values = is_camel_case && rest[end..].starts_with('(');
        let has_signs = SIGNS.iter().any(|sign| rest.contains(sign));
        let is_unhelpful = is_camel_case && OPENINGS.contains(&trim(&text[..at]));
        if is_unhelpful || (has_signs && (has_fields || has_values)) {
            return Some(at);
        }
    }
    None
}

/// `MatchRecognize` as `MATCH RECOGNIZE`.
fn words(name: &str) -> String {
    let mut words = String::new();
    let mut was_lower = false;
    for character in name.chars() {
        if character.is_ascii_uppercase() && was_lower {
            words.push(' ');
        }
        was_lower = character.is_ascii_lowercase();
        words.push(character.to_ascii_uppercase());
    }
    words
}

#[cfg(test)]
mod tests;
