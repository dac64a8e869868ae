use super::super::find::SearchOptions;
use super::super::options::IndexOptions;
use super::super::snippet::SnippetFormat;
use super::{TestIndex, defaults, names};

fn snippet(text: &str, query: &str) -> String {
    TestIndex::of(&[text]).snippet(query, &SearchOptions::default())
}

fn short(text: &str, query: &str, length: usize) -> String {
    let options = SearchOptions {
        snippet_length: length,
        ..SearchOptions::default()
    };
    TestIndex::of(&[text]).snippet(query, &options)
}

#[test]
fn matches_are_marked_and_the_rest_is_escaped() {
    assert_eq!(
        snippet("a <i>quick</i> & \"brown\"\n\n fox", "quick fox"),
        "a &lt;i&gt;<b>quick</b>&lt;/i&gt; &amp; &quot;brown&quot; <b>fox</b>"
    );
}

#[test]
fn the_format_text_has_no_marks() {
    let options = SearchOptions {
        snippet: SnippetFormat::Text,
        ..SearchOptions::default()
    };
    let made = TestIndex::of(&["a <i>quick</i>  fox"]);
    assert_eq!(made.snippet("quick", &options), "a <i>quick</i> fox");
}

#[test]
fn the_format_json_has_positions_in_the_text() {
    let options = SearchOptions {
        snippet: SnippetFormat::Json,
        snippet_length: 30,
        ..SearchOptions::default()
    };
    let text = "日本語の文書 has \"quick\"  foxes, and other words that do not fit; quick";
    let snippet = TestIndex::of(&[text]).snippet("quick foxes", &options);
    let snippet: serde_json::Value = serde_json::from_str(&snippet).unwrap();
    assert_eq!(snippet["column"], "document");
    let part = |range: [usize; 2]| -> String {
        let chars = text.chars().skip(range[0]);
        chars.take(range[1] - range[0]).collect()
    };
    let offset = snippet["offset"].as_u64().unwrap() as usize;
    let shown = snippet["text"].as_str().unwrap();
    assert_eq!(part([offset, offset + shown.chars().count()]), shown);
    assert!(shown.contains("\"quick\"  foxes"), "{shown}");
    let matches: Vec<[usize; 2]> = serde_json::from_value(snippet["matches"].clone()).unwrap();
    let matches: Vec<_> = matches.into_iter().map(part).collect();
    assert_eq!(matches, ["quick", "foxes"]);
}

#[test]
fn words_are_marked_as_they_are_written() {
    assert_eq!(snippet("Ein Café", "cafe"), "Ein <b>Café</b>");
    assert_eq!(
        snippet("apply applicant", "appl*"),
        "<b>apply</b> <b>applicant</b>"
    );
    assert_eq!(snippet("contract", "contrct~1"), "<b>contract</b>");
}

#[test]
fn pairs_are_marked_as_one_run() {
    assert_eq!(
        snippet("これは日本語の本です", "日本語"),
        "これは<b>日本語</b>の本です"
    );
    assert_eq!(snippet("これは日本語です", "語"), "これは日本<b>語</b>です");
    assert_eq!(
        snippet("日本と日本語", "日本"),
        "<b>日本</b>と<b>日本</b>語"
    );
    assert_eq!(snippet("日\n本語", "日本語"), "<b>日 本語</b>");
}

#[test]
fn only_complete_phrases_are_marked() {
    assert_eq!(
        snippet("the end of the road, the end", "\"the road\""),
        "the end of <b>the</b> <b>road</b>, the end"
    );
    assert_eq!(
        snippet("a b a b c", "\"a b c\""),
        "a b <b>a</b> <b>b</b> <b>c</b>"
    );
    assert_eq!(snippet("a a a", "\"a a\""), "<b>a</b> <b>a</b> <b>a</b>");
    assert_eq!(snippet("b x a", "\"a b\"~5"), "<b>b</b> x <b>a</b>");
}

#[test]
fn excluded_words_are_not_marked() {
    assert_eq!(snippet("one two", "one -three"), "<b>one</b> two");
    let made = TestIndex::of(&["one two"]);
    let marked = made.snippet("one OR (one -two)", &SearchOptions::default());
    assert_eq!(marked, "<b>one</b> two");
}

#[test]
fn the_best_part_is_shown() {
    let filler = "filler words that say nothing at all. ".repeat(20);
    let text = format!("alpha {filler} alpha beta {filler} beta");
    let found = short(&text, "alpha beta", 60);
    assert!(found.contains("<b>alpha</b> <b>beta</b>"), "{found}");
    assert!(found.starts_with('…') && found.ends_with('…'), "{found}");
    let plain = found.replace("<b>", "").replace("</b>", "");
    assert!((50..=62).contains(&plain.chars().count()), "{found}");
    // Words are not truncated.
    for word in plain.trim_matches('…').split_whitespace() {
        let word = word.trim_matches('.');
        assert!(
            "filler words that say nothing at all alpha beta".contains(word),
            "{word}"
        );
        assert!(
            [
                "filler", "words", "that", "say", "nothing", "at", "all", "alpha", "beta"
            ]
            .contains(&word),
            "{word}"
        );
    }
}

#[test]
fn at_the_end_of_a_text_more_is_shown_before() {
    let text = format!("{}needle", "straw ".repeat(100));
    let found = short(&text, "needle", 60);
    assert!(found.ends_with("<b>needle</b>"), "{found}");
    assert!(found.chars().count() > 60, "{found}");
}

#[test]
fn long_matches_are_cut() {
    let word = "x".repeat(250);
    let found = short(
        &format!("{word} {word} y"),
        &format!("\"{word} {word}\""),
        40,
    );
    assert_eq!(found, format!("<b>{}</b>…", "x".repeat(40)));
    let text = "日本".repeat(300);
    let found = short(&text, "日本", 10);
    assert!(found.contains("<b>日本"), "{found}");
    assert!(found.chars().count() < 40, "{found}");
}

#[test]
fn without_a_match_the_start_is_shown() {
    let made = TestIndex::of(&["  the beginning of a text that is longer than the snippet"]);
    let options = SearchOptions {
        snippet_length: 20,
        ..SearchOptions::default()
    };
    assert_eq!(made.snippet("*", &options), "the beginning of a…");
}

#[test]
fn texts_that_are_not_stored_have_no_snippet() {
    let options = IndexOptions {
        store: Some(names("url")),
        ..defaults()
    };
    let made = TestIndex::with(&options, &["some text"]);
    assert_eq!(made.ids("text"), ["0"]);
    let mut hits = made.search.find("text", &SearchOptions::default()).unwrap();
    assert_eq!(hits.row(0, &[0], true).unwrap().unwrap().snippet, None);
    assert_eq!(made.search.columns().len(), 1);
}

#[test]
fn only_the_start_of_a_long_text_is_scanned() {
    let text = format!("{} needle", "日本語 hay ".repeat(200_000));
    let found = snippet(&text, "needle hay");
    assert!(found.contains("<b>hay</b>"), "{found}");
}
