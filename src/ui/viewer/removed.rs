//! Rows of `removed.parquet`: what a job removed, and by which rule.

use serde_json::{Value, json};

use super::Row;
use crate::ui::filter_rules::Rule;

/// The columns with the removed text, the best first.
pub const TEXTS: [&str; 3] = ["text", "document", "start"];

/// Whether a row is one of `removed.parquet`.
pub fn is_removed(row: &Row) -> bool {
    let has_text = TEXTS.iter().any(|name| row.has(name));
    let has_reason = row.has("stage") || row.has("kept_url");
    has_text && has_reason && row.has("url")
}

/// Returns the text with the rules that it broke, and the text that was kept in its place.
pub fn document(row: &Row) -> Value {
    let known = Rule::all();
    let list = |name| match row.json(name) {
        Value::Array(list) => list,
        _ => Vec::new(),
    };
    // Jobs of other versions store no limits.
    let limits = list("limits")
        .into_iter()
        .chain(std::iter::repeat(Value::Null));
    let rules = list("rules").into_iter().zip(limits);
    let rules = rules.filter_map(|(name, limit)| {
        let name = name.as_str()?;
        let Some(rule) = known.iter().find(|rule| rule.name == name) else {
            return Some(json!({"rule": name}));
        };
        Some(json!({
            "rule": name,
            "value": rule.value_in(|column| row.json(column)),
            "threshold": limit.as_f64().unwrap_or(rule.default),
            "is_default": limit.is_null(),
            "keep": rule.keep(),
        }))
    });
    let kept = row.text(&["kept_url"]).map(|url| {
        json!({"url": url, "text": row.text(&["kept_text"]), "similarity": row.json("similarity")})
    });
    json!({
        "kind": "removed",
        "stage": row.text(&["stage"]),
        "url": row.text(&["url"]),
        "title": row.text(&["title", "url"]),
        "rules": rules.collect::<Vec<_>>(),
        "text": row.text(&TEXTS),
        "kept": kept,
    })
}
