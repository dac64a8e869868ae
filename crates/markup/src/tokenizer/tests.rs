use super::{Syntax, Token, Tokenizer};
use crate::Name;
use crate::references::{self, Context};
use corpus_bytes::step_counter::assert_linear;

/// The tokens of a page as short texts.
fn tokens(page: &str, syntax: Syntax) -> Vec<String> {
    let mut tokenizer = Tokenizer::new(page, syntax);
    let mut tokens = Vec::new();
    while let Some(token) = tokenizer.next_token() {
        tokens.push(match token {
            Token::Text(text) => format!("text {text}"),
            Token::Start(tag) => {
                let mut text = format!("start {}", tag.written());
                for attribute in tag.attributes().iter() {
                    text.push_str(&format!(" {}={}", attribute.name, attribute.value()));
                }
                if tag.self_closing() {
                    text + " /"
                } else {
                    text
                }
            }
            Token::End(tag) => format!("end {}", tag.written()),
            Token::Comment(text) => format!("comment {text}"),
            Token::CData(text) => format!("cdata {text}"),
            Token::Doctype { content, complete } => format!("doctype {content} {complete}"),
            Token::Instruction(text) => format!("instruction {text}"),
        });
    }
    tokens
}

fn html(page: &str) -> Vec<String> {
    tokens(page, Syntax::Html)
}

fn xml(page: &str) -> Vec<String> {
    tokens(page, Syntax::Xml)
}

#[test]
fn tags_text_and_comments_come_in_order() {
    assert_eq!(
        html("a<P Class='x y' hidden>b &amp; c</P ><br/><!-- d --><!DOCTYPE html>"),
        [
            "text a",
            "start P Class=x y hidden=",
            "text b &amp; c",
            "end P",
            "start br /",
            "comment  d ",
            "doctype  html true",
        ]
    );
}

#[test]
fn stray_brackets_are_text() {
    assert_eq!(html("1 < 2 <3 << </"), ["text 1 < 2 <3 << </"]);
    assert_eq!(html("a<"), ["text a<"]);
    assert_eq!(html("a</>b"), ["text a", "text b"]);
    assert_eq!(html("</></></>"), [""; 0]);
}

#[test]
fn unknown_markup_is_a_comment_in_html() {
    assert_eq!(html("<?php a?>b"), ["comment ?php a?", "text b"]);
    assert_eq!(html("<!x>b"), ["comment x", "text b"]);
    assert_eq!(html("</ p>b"), ["comment  p", "text b"]);
    assert_eq!(html("<![CDATA[a]]>b"), ["comment [CDATA[a]]", "text b"]);
}

#[test]
fn comments_end_as_in_browsers() {
    assert_eq!(html("<!-->a"), ["comment ", "text a"]);
    assert_eq!(html("<!--->a"), ["comment ", "text a"]);
    assert_eq!(html("<!---->a"), ["comment ", "text a"]);
    assert_eq!(html("<!--a--!>b"), ["comment a", "text b"]);
    assert_eq!(html("<!--a->b--->c"), ["comment a->b-", "text c"]);
    assert_eq!(html("<!--a"), ["comment a"]);
}

#[test]
fn a_tag_that_the_page_cuts_off_is_dropped() {
    for page in ["a<b", "a<b c", "a<b c=", "a<b c='>", "a</b", "a<b /"] {
        assert_eq!(html(page), ["text a"], "{page}");
    }
}

#[test]
fn the_first_of_several_attributes_with_one_name_counts() {
    assert_eq!(html("<a b=1 B=2 c=3>"), ["start a b=1 c=3"]);
    let many: String = (0..100).map(|n| format!(" x{}={n}", n % 40)).collect();
    let tag = &html(&format!("<a{many}>"))[0];
    assert_eq!(tag.matches('=').count(), 40);
    assert!(tag.ends_with(" x39=39"), "{tag}");
}

#[test]
fn values_end_where_browsers_end_them() {
    assert_eq!(html("<a b=c/>"), ["start a b=c/"]);
    assert_eq!(html("<a b= c d>"), ["start a b=c d="]);
    assert_eq!(html("<a b=>c"), ["start a b=", "text c"]);
    assert_eq!(html("<a =b>"), ["start a =b="]);
    assert_eq!(html("<a b='c'd>"), ["start a b=c d="]);
    assert_eq!(html("<a b=\"c>d\" e='f\"'>"), ["start a b=c>d e=f\""]);
    assert_eq!(html("<a/b/c>"), ["start a b= c="]);
}

#[test]
fn attributes_are_found_by_name() {
    let mut tokenizer = Tokenizer::new("<a HREF='x&amp;y' title hidden=no>", Syntax::Html);
    let Some(Token::Start(tag)) = tokenizer.next_token() else {
        panic!("no tag");
    };
    assert_eq!(tag.name, Name::A);
    assert_eq!(tag.attributes().value("href").as_deref(), Some("x&y"));
    assert_eq!(tag.attributes().value("title").as_deref(), Some(""));
    assert_eq!(tag.attributes().value("hidden").as_deref(), Some("no"));
    assert_eq!(tag.attributes().value("class"), None);
    assert!(!tag.attributes().names.may_have("style"));
}

#[test]
fn fingerprints_ignore_the_order() {
    let fingerprint = |page| {
        let mut tokenizer = Tokenizer::new(page, Syntax::Html);
        let Some(Token::Start(tag)) = tokenizer.next_token() else {
            panic!("no tag");
        };
        tag.attributes().fingerprint()
    };
    assert_eq!(
        fingerprint("<a b=1 c=2>"),
        fingerprint("<a C='2' b=\"1\" b=3>")
    );
    assert_ne!(fingerprint("<a b=1 c=2>"), fingerprint("<a b=2 c=1>"));
    assert_ne!(fingerprint("<a b=1>"), fingerprint("<a>"));
}

#[test]
fn raw_text_goes_up_to_its_end_tag() {
    let after = |page, read: fn(&mut Tokenizer<'static>) -> &'static str| {
        let mut tokenizer = Tokenizer::new(page, Syntax::Html);
        let text = read(&mut tokenizer);
        (text, tokenizer.rest())
    };
    assert_eq!(
        after("a</b></titles></TITLE x='>'>c", |t| t.raw_text("title")),
        ("a</b></titles>", "c")
    );
    assert_eq!(after("a</title", |t| t.raw_text("title")), ("a</title", ""));
    assert_eq!(after("a</title ", |t| t.raw_text("title")), ("a", ""));
    assert_eq!(after("a</script>b", |t| t.script()), ("a", "b"));
    assert_eq!(
        after("<!-- <script> </script> </script>b", |t| t.script()),
        ("<!-- <script> </script> ", "b")
    );
    assert_eq!(
        after("<!-- <script> --> </script>b", |t| t.script()),
        ("<!-- <script> --> ", "b")
    );
    assert_eq!(
        after("<!--><script></script>b", |t| t.script()),
        ("<!--><script>", "b")
    );
}

#[test]
fn xml_has_sections_instructions_and_prefixes() {
    assert_eq!(
        xml("<?xml version='1.0'?><alto:String ID=\"a\"/><_x>a<![CDATA[b<c]]></_x><é/>"),
        [
            "instruction xml version='1.0'",
            "start alto:String ID=a /",
            "start _x",
            "text a",
            "cdata b<c",
            "end _x",
            "start é /",
        ]
    );
    let mut tokenizer = Tokenizer::new("<alto:TextLine>", Syntax::Xml);
    let Some(Token::Start(tag)) = tokenizer.next_token() else {
        panic!("no tag");
    };
    assert_eq!(tag.local_name(), "TextLine");
    assert_eq!(tag.name, Name::from_str("ALTO:textline"));
}

#[test]
fn declarations_do_not_end_the_doctype_of_xml() {
    assert_eq!(
        xml("<!DOCTYPE a [<!ENTITY b 'c'> ]>d"),
        ["doctype  a [<!ENTITY b 'c'> ] true", "text d"]
    );
    assert_eq!(
        xml("<!DOCTYPE a><b c='[]'>"),
        ["doctype  a true", "start b c=[]"]
    );
}

#[test]
fn many_attributes_are_read() {
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=1")).collect();
    let page = format!("<a{attributes}>");
    let mut tokenizer = Tokenizer::new(&page, Syntax::Html);
    let Some(Token::Start(tag)) = tokenizer.next_token() else {
        panic!("no tag");
    };
    assert_eq!(tag.attributes().iter().count(), 100_000);
    assert_eq!(tag.attributes().value("a99999").as_deref(), Some("1"));
}

/// Parses all parts of all tokens, including raw text.
fn read_everything(page: &str, syntax: Syntax) {
    let mut tokenizer = Tokenizer::new(page, syntax);
    while let Some(token) = tokenizer.next_token() {
        match token {
            Token::Start(tag) => {
                tag.attributes().fingerprint();
                assert_eq!(tag.attributes().value("none"), None);
                match tag.name {
                    Name::SCRIPT => drop(tokenizer.script()),
                    Name::TITLE => drop(tokenizer.raw_text("title")),
                    _ => {}
                }
            }
            Token::Text(text) => references::decode(text, Context::Text, |_| {}),
            _ => {}
        }
    }
}

#[test]
fn tokens_take_linear_work() {
    for (begin, part) in [
        ("<a", " b=1"),
        ("<a", " b='1' c"),
        ("<a ", "="),
        ("<a ", "/"),
        ("<a b='", "&amp;"),
        ("", "&#1"),
        ("", "&notin"),
        ("", "<"),
        ("", "</>"),
        ("", "<a"),
        ("", "<a b='"),
        ("", "<!--"),
        ("<!--", "->"),
        ("", "<!-- --!>"),
        ("", "<![CDATA["),
        ("", "]]>"),
        ("", "<?"),
        ("", "<!DOCTYPE ["),
        ("<!DOCTYPE a [", "<!ENTITY a 'b'>"),
        ("<title>", "</titl"),
        ("<script><!--", "<script>"),
        ("<script>", "<!--<script></script>-->"),
        ("", "<script>"),
        ("", "<title></title>"),
        ("<", "a:"),
    ] {
        for syntax in [Syntax::Html, Syntax::Xml] {
            for end in ["", ">", "'>", "-->"] {
                let page = |parts: usize| begin.to_owned() + &part.repeat(parts) + end;
                assert_linear(&format!("{begin}{part}{end}"), page, |page| {
                    read_everything(page, syntax);
                });
            }
        }
    }
}

#[test]
fn distinct_attributes_take_linear_work() {
    let page = |parts: usize| {
        let attributes: String = (0..parts).map(|n| format!(" a{n}=1")).collect();
        format!("<a{attributes}>")
    };
    assert_linear("attributes", page, |page| {
        read_everything(page, Syntax::Html)
    });
}

#[test]
fn short_texts_without_special_characters_are_plain() {
    let is_plain = |page: &str| {
        let mut tokenizer = Tokenizer::new(page, Syntax::Html);
        assert!(matches!(tokenizer.next_token(), Some(Token::Text(_))));
        tokenizer.is_plain()
    };
    let rest = "<b>&\r\0 and more than a block of bytes";
    for length in 1..128 {
        let text = "x".repeat(length);
        assert!(is_plain(&format!("{text}{rest}")), "{length}");
        // Here the end is not examined.
        assert!(!is_plain(&text), "{length}");
        for at in 0..length {
            for special in ["&", "\r", "\0", "< "] {
                let mut text = text.clone();
                text.replace_range(at..=at, special);
                assert!(!is_plain(&format!("{text}{rest}")), "{text:?}");
            }
        }
    }
}
