//! XHTML in the syntax of HTML.

use std::borrow::Cow;

use crate::tokenizer::{Syntax, Token, Tokenizer};

/// Elements of HTML that have no end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Returns an XHTML page as an HTML parser has to read it: elements such as `<title/>` get an end
/// tag, because HTML ignores the slash, and CDATA sections become text.
///
/// ```
/// use corpus_markup::xhtml::as_html;
///
/// let xhtml = "<title/><p>a<br/><![CDATA[<b>]]></p>";
/// assert_eq!(as_html(xhtml), "<title></title><p>a<br/>&lt;b></p>");
/// ```
pub fn as_html(page: &str) -> Cow<'_, str> {
    let page = page.strip_prefix('\u{FEFF}').unwrap_or(page);
    let mut tokens = Tokenizer::new(page, Syntax::Xml);
    let mut html = String::new();
    let mut copied = 0;
    loop {
        let start = tokens.offset();
        let Some(token) = tokens.next_token() else {
            break;
        };
        let end = tokens.offset();
        match token {
            Token::Start(tag) if tag.self_closing && !VOID.contains(&tag.written) => {
                html.push_str(page[copied..end].trim_end_matches("/>"));
                html.push_str("></");
                html.push_str(tag.written);
                html.push('>');
            }
            Token::CData(text) => {
                html.push_str(&page[copied..start]);
                html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
            }
            _ => continue,
        }
        copied = end;
    }
    match copied {
        0 => Cow::Borrowed(page),
        _ => Cow::Owned(html + &page[copied..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_completed_and_nothing_else_changes() {
        for (page, expected) in [
            ("<p>a</p>", "<p>a</p>"),
            ("\u{FEFF}<p/>", "<p></p>"),
            (
                "<script src=\"a>b/\" />c",
                "<script src=\"a>b/\" ></script>c",
            ),
            (
                "<a id='x'/>b<hr /><a href=x/>",
                "<a id='x'></a>b<hr /><a href=x/>",
            ),
            ("<svg:path d=\"\"/>", "<svg:path d=\"\"></svg:path>"),
            ("a<![CDATA[ & ]]>b<![CDATA[]]>", "a &amp; b"),
            ("<p><![CDATA[cut", "<p>cut"),
            (
                "<!-- <p/> --><?x <p/> ?><p title=\"<p/>\">",
                "<!-- <p/> --><?x <p/> ?><p title=\"<p/>\">",
            ),
        ] {
            assert_eq!(as_html(page), expected, "{page}");
        }
    }
}
