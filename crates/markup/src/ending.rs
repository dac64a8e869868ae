//! Detects truncated documents by the markup left open at their end.

use super::{Name, Syntax, Token, Tokenizer};

/// Maximum length of a reported name.
const MAX_NAME_BYTES: usize = 100;

/// Returns the innermost markup that a truncated XML document ends in, such as `<p>` or `a
/// comment`. `None` if it is complete.
///
/// A document that ends with the end tag of its first element is complete and is not parsed.
///
/// ```
/// use corpus_markup::ending::unclosed_in_xml;
///
/// assert_eq!(unclosed_in_xml("<a><b/></a>\n"), None);
/// assert_eq!(unclosed_in_xml("<a><b>text").as_deref(), Some("<b>"));
/// ```
pub fn unclosed_in_xml(document: &str) -> Option<String> {
    let document = without_padding(document);
    let root = Tokenizer::new(document, Syntax::Xml).find_map(|token| match token {
        Token::Start(tag) => Some(tag.written()),
        _ => None,
    });
    if root.is_some() && last_end_tag(document) == root {
        return None;
    }
    let mut open: Vec<&str> = Vec::new();
    let unfinished = read(document, Syntax::Xml, |token| match token {
        Token::Start(tag) if !tag.self_closing() => open.push(tag.written()),
        Token::End(tag) if open.last() == Some(&tag.written()) => {
            open.pop();
        }
        // Elements with a missing end tag are closed with the document.
        Token::End(tag) if root == Some(tag.written()) => open.clear(),
        _ => {}
    });
    unfinished.map(str::to_owned).or_else(|| {
        let name = open.last()?;
        let end = name.floor_char_boundary(MAX_NAME_BYTES);
        Some(format!("<{}>", name.get(..end).unwrap_or_default()))
    })
}

/// Returns the markup that a truncated HTML page ends in: `a tag` or `a comment`. Elements may be
/// open at its end.
///
/// A page that ends with an end tag is complete and is not parsed.
///
/// ```
/// use corpus_markup::ending::unclosed_in_html;
///
/// assert_eq!(unclosed_in_html("<p>text"), None);
/// assert_eq!(unclosed_in_html("<p>text<b title='x>"), Some("a tag"));
/// ```
pub fn unclosed_in_html(page: &str) -> Option<&'static str> {
    let page = without_padding(page);
    match last_end_tag(page) {
        Some(_) => None,
        None => read(page, Syntax::Html, |_| {}),
    }
}

/// The name in the end tag at the very end.
pub fn last_end_tag(document: &str) -> Option<&str> {
    let inner = without_padding(document).strip_suffix('>')?;
    let start = memchr::memrchr(b'<', inner.as_bytes())?;
    let name = inner.get(start..)?.strip_prefix("</")?.trim_ascii_end();
    let is_name = |name: &str| {
        !name.is_empty()
            && !name.contains(|c: char| c.is_ascii_whitespace() || "\"'>=/".contains(c))
    };
    is_name(name).then_some(name)
}

/// Some programs pad files.
fn without_padding(document: &str) -> &str {
    let document = document.strip_prefix('\u{FEFF}').unwrap_or(document);
    document.trim_end_matches(|c: char| c.is_ascii_whitespace() || c == '\0')
}

/// Passes on all tokens, and returns the markup that the document ends in.
fn read<'a>(
    document: &'a str,
    syntax: Syntax,
    mut each: impl FnMut(Token<'a>),
) -> Option<&'static str> {
    let mut tokenizer = Tokenizer::new(document, syntax);
    loop {
        let start = tokenizer.offset();
        let Some(token) = tokenizer.next_token() else {
            // An incomplete tag is skipped.
            return (start < document.len()).then_some("a tag");
        };
        if tokenizer.offset() == document.len()
            && let Some(unfinished) = unfinished(&token, document.get(start..)?, syntax)
        {
            return Some(unfinished);
        }
        each(token);
        if let Token::Start(tag) = token
            && syntax == Syntax::Html
            && !tag.self_closing()
        {
            match tag.name {
                Name::SCRIPT => tokenizer.script(),
                Name::STYLE | Name::TITLE | Name::TEXTAREA => tokenizer.raw_text(&tag.name.text()),
                _ => "",
            };
        }
    }
}

/// Returns the name of the last token if its end is missing in `written`.
fn unfinished(token: &Token<'_>, written: &str, syntax: Syntax) -> Option<&'static str> {
    let (is_complete, what) = match token {
        Token::Text(_) if syntax == Syntax::Xml => {
            let is_start = written.ends_with('<') || written.ends_with("</");
            (!is_start, "a tag")
        }
        Token::Comment(_) if written.starts_with("<!--") => (
            written.ends_with("-->") || written.ends_with("--!>"),
            "a comment",
        ),
        Token::Comment(_) => (written.ends_with('>'), "a declaration"),
        Token::CData(_) => (written.ends_with("]]>"), "a CDATA section"),
        Token::Doctype { complete, .. } => (*complete, "the doctype"),
        Token::Instruction(_) => (written.ends_with("?>"), "an instruction"),
        Token::Text(_) | Token::Start(_) | Token::End(_) => (true, ""),
    };
    (!is_complete).then_some(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_documents_leave_nothing_open() {
        for document in [
            "",
            "text",
            "<a/>",
            "<a></a>",
            "\u{FEFF}<?xml version='1.0'?><x:a><b></x:a >\r\n\0\0",
            "<a><b></b></a><!-- <c> --><?p?>",
            "<a><b></a><!-- an end tag is missing -->",
            "<a><![CDATA[<b>]]></a><!---->",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
        ] {
            assert_eq!(unclosed_in_xml(document), None, "{document}");
        }
    }

    #[test]
    fn every_cut_of_an_element_is_found() {
        let document = "<?xml version='1.0'?><a><b c='>'>x &amp; <!-- <d> --><e/><![CDATA[<f>]]>\
            <g h=\"i\"></g></b></a>";
        let start = document.find("<a>").map_or(0, |at| at + 1);
        for end in start..document.len() {
            let cut = document.get(..end).unwrap_or_default();
            assert!(unclosed_in_xml(cut).is_some(), "{cut}");
        }
        for (cut, expected) in [
            ("<a><b><c></c>", "<b>"),
            ("<a><b", "a tag"),
            ("<a><b c='<d></d>", "a tag"),
            ("<a><", "a tag"),
            ("<a></b><!-- >", "a comment"),
            ("<a><![CDATA[x]]", "a CDATA section"),
            ("<a><?b ", "an instruction"),
            ("<!DOCTYPE a", "the doctype"),
        ] {
            assert_eq!(unclosed_in_xml(cut).as_deref(), Some(expected), "{cut}");
        }
        let long = format!("<{}>", "é".repeat(1000));
        assert_eq!(unclosed_in_xml(&long).map(|name| name.len()), Some(102));
    }

    #[test]
    fn html_may_leave_out_end_tags() {
        for (page, expected) in [
            ("a < b <3", None),
            ("<p>x<br>y", None),
            ("<script>if (a <b", None),
            ("<p>x</p><!-- y -->", None),
            ("<p>x</", None),
            ("<p>x<a href='y>z", Some("a tag")),
            ("<p>x<!-- y >", Some("a comment")),
            ("<p>x</p", Some("a tag")),
        ] {
            assert_eq!(unclosed_in_html(page), expected, "{page}");
        }
    }
}
