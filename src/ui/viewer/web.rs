//! A page of the web: itself, its texts, its paragraphs, and how its charset was chosen.

use serde_json::{Value, json};

use super::original::Original;
use super::parsed;
use crate::ui::App;
use crate::ui::messages::Problem;

/// Elements around paragraphs that are rarely part of the main text.
const SURROUNDINGS: [&str; 7] = [
    "nav", "footer", "aside", "header", "form", "dialog", "noscript",
];

/// Returns a page as it is read, or as it would be in another charset.
pub async fn document(
    app: &App,
    original: Original,
    charset: Option<&str>,
) -> Result<Value, Problem> {
    let readable = match charset {
        Some(_) => "charset_decode(data, chosen_charset)",
        None => "data",
    };
    let sql = include_str!("web.sql").replace("readable", readable);
    let mut page = parsed(app, &original, charset, sql).await?;
    let html = page.remove("html");
    let frame = html.as_ref().and_then(Value::as_str);
    page.insert(
        "frame".into(),
        json!(frame.map(|html| app.frames.add_page(html))),
    );
    if let Some(Value::Array(paragraphs)) = page.remove("paragraphs") {
        let main_text = page
            .get("main_text")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let judged = judge(paragraphs, main_text);
        page.insert("paragraphs".into(), Value::Array(judged));
    }
    Ok(Value::Object(original.with("web", page)))
}

/// Marks the paragraphs of the main text, and says why others may be missing there. Those of a page
/// that is larger than an answer are their text only.
fn judge(paragraphs: Vec<Value>, main_text: &str) -> Vec<Value> {
    let mut main = main_text.split("\n\n").peekable();
    let judged = paragraphs.into_iter().map(|paragraph| {
        let mut paragraph = match paragraph {
            Value::Object(_) => paragraph,
            text => json!({"text": text}),
        };
        let text = paragraph["text"].as_str().unwrap_or_default();
        let is_kept = main.next_if(|kept| *kept == text).is_some();
        if !is_kept {
            paragraph["reason"] = json!(reason(&paragraph));
        }
        paragraph["kept"] = json!(is_kept);
        paragraph
    });
    judged.collect()
}

/// Returns why a paragraph is not in the main text, as far as its columns show it.
fn reason(paragraph: &Value) -> String {
    let path = paragraph["path"].as_str().unwrap_or_default();
    let mut elements = path.split('>').map(|part| {
        let end = part.find(['.', '#']).unwrap_or(part.len());
        &part[..end]
    });
    if let Some(element) = elements.find(|element| SURROUNDINGS.contains(element)) {
        return format!("in <{element}>");
    }
    let number = |name| paragraph[name].as_u64().unwrap_or_default();
    let (characters, in_links) = (number("characters"), number("link_characters"));
    if characters > 0 && in_links * 2 > characters {
        return format!("{} % of it is links", in_links * 100 / characters);
    }
    "outside of the main text".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_of_the_main_text_are_marked() {
        let paragraph = |text: &str, path: &str, links: u64| json!({"text": text, "path": path, "characters": text.len(), "link_characters": links});
        let paragraphs = vec![
            paragraph("Home", "body>nav.top>ul", 4),
            paragraph("a", "body>p", 0),
            paragraph("More", "body>div", 4),
            paragraph("b\nc", "body>p", 0),
            paragraph("a", "body>div", 0),
        ];
        let judged = judge(paragraphs, "a\n\nb\nc");
        let kept: Vec<_> = judged.iter().map(|one| one["kept"] == true).collect();
        assert_eq!(kept, [false, true, false, true, false]);
        assert_eq!(judged[0]["reason"], "in <nav>");
        assert_eq!(judged[2]["reason"], "100 % of it is links");
        assert_eq!(judged[4]["reason"], "outside of the main text");
        assert!(judged[1].get("reason").is_none());
    }

    #[test]
    fn paragraphs_beyond_the_largest_answer_are_text() {
        let judged = judge(vec![json!("a"), Value::Null], "a");
        assert_eq!(judged[0], json!({"text": "a", "kept": true}));
        assert_eq!(judged[1]["kept"], false);
    }
}
