//! Pages that show nothing without scripts but the content of `noscript`.

use super::assert_documents_of_both;
use crate::extract::Paragraphs;
use crate::main_text::main_text;
use crate::{Engine, Options};

fn topic() -> String {
    "<p>A sentence of the topic, which is longer than a message to visitors.".repeat(9)
}

fn topic_text() -> String {
    ["A sentence of the topic, which is longer than a message to visitors."; 9].join("\n\n")
}

#[test]
fn an_empty_page_is_what_it_shows_without_scripts() {
    let page = format!(
        "<body class=crawler><section id=main></section><noscript><header><h1>Title</h1></header>{}</noscript><div id=app>",
        topic()
    );
    let expected = format!("Title\n\n{}", topic_text());
    assert_documents_of_both(&[
        (&page, &expected),
        (
            "<noscript>Please enable JavaScript.</noscript>",
            "Please enable JavaScript.",
        ),
        (
            "<noscript>a</noscript><div></div><noscript><p>b</noscript>",
            "a\n\nb",
        ),
        ("<noscript><p>a</p><noscript>b</noscript>", "a\n\nb"),
        (
            "<frameset><frame src=x><noframes><body><p>a</noframes></frameset>",
            "a",
        ),
        ("<noscript><style>s</style><img src=x></noscript>", ""),
    ]);
    for engine in [Engine::Native, Engine::Html5ever] {
        let extract = engine
            .read(&page, &Options::default(), Paragraphs::default)
            .finish();
        assert_eq!(extract.document, expected);
        let first = extract.paragraphs().next().unwrap();
        assert_eq!(first.path, "body>noscript>header>h1");
        let main = main_text(engine, &Options::default(), &page);
        assert!(main.ends_with(&topic_text()), "{main}");
    }
}

#[test]
fn a_page_with_a_few_words_is_what_it_shows_without_scripts() {
    let page = format!("<p>Loading<noscript>{}</noscript>", topic());
    let expected = format!("Loading\n\n{}", topic_text());
    assert_documents_of_both(&[(&page, &expected)]);
}

#[test]
fn messages_and_alternatives_to_other_text_are_left_out() {
    let long = format!("{}<noscript>{}</noscript>", topic(), topic());
    let half = format!("<p>{}<noscript>{}</noscript>", "word ".repeat(90), topic());
    assert_documents_of_both(&[
        ("<p>a<noscript>Please enable JavaScript.</noscript>", "a"),
        ("<noscript>Please enable JavaScript.</noscript><p>a", "a"),
        (&long, &topic_text()),
        (&half, "word ".repeat(90).trim_end()),
        ("<div hidden><noscript>a</noscript></div>", ""),
    ]);
}
