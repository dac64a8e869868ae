use corpus_bytes::random::Random;

use super::*;

const GOOD: &str = "The quick brown fox jumps over the lazy dog that sleeps in the garden of the \
    house. It has to be said that foxes, with their long tails, have a way to jump that no other \
    animal knows. People who watch them write letters to newspapers, and editors print some of \
    these letters on quiet days when nothing else happens in town.";

#[test]
fn a_good_text_breaks_no_gopher_rule() {
    let measures = gopher(GOOD);
    assert_eq!(
        GopherRules::default().broken(&measures).next(),
        None,
        "{measures:?}"
    );
    assert!(measures.stop_words >= 6, "{measures:?}");
    let repetition = gopher_repetition(GOOD);
    let rules = GopherRepetitionRules::default();
    assert_eq!(rules.broken(&repetition).next(), None, "{repetition:?}");
}

#[track_caller]
fn breaks_gopher(text: &str, rule: &str) {
    let measures = gopher(text);
    let broken: Vec<_> = GopherRules::default().broken(&measures).collect();
    assert!(broken.contains(&rule), "{broken:?} {measures:?}");
}

#[test]
fn each_gopher_rule_can_be_broken() {
    breaks_gopher("Too short.", "gopher_short_doc");
    breaks_gopher(&"word ".repeat(100_001), "gopher_long_doc");
    breaks_gopher(&"a ".repeat(60), "gopher_below_avg_threshold");
    breaks_gopher(
        &"internationalization ".repeat(60),
        "gopher_above_avg_threshold",
    );
    breaks_gopher(&"word # ".repeat(60), "gopher_too_many_hashes");
    breaks_gopher(&"word ... ".repeat(60), "gopher_too_many_ellipsis");
    breaks_gopher(&"- item of a list\n".repeat(20), "gopher_too_many_bullets");
    breaks_gopher(&"read more…\n".repeat(30), "gopher_too_many_end_ellipsis");
    breaks_gopher(&"word 123 456 ".repeat(30), "gopher_below_alpha_threshold");
    breaks_gopher(&"mot français ".repeat(30), "gopher_enough_stop_words");
}

#[test]
fn repetition_rules() {
    let broken = |text: &str| {
        let measures = gopher_repetition(text);
        GopherRepetitionRules::default()
            .broken(&measures)
            .collect::<Vec<_>>()
    };
    assert!(broken(&"same paragraph\n\n".repeat(3)).contains(&"dup_para_frac"));
    assert!(broken("a line\nanother\na line\na line\n").contains(&"dup_line_frac"));
    assert!(broken(&"one two ".repeat(20)).contains(&"top_2_gram"));
    let phrase = "five words make a phrase that comes again and again ";
    assert!(broken(&phrase.repeat(4)).contains(&"duplicated_10_n_grams"));
}

#[test]
fn fineweb_rules() {
    let broken = |text: &str| {
        let measures = fineweb(text);
        FineWebRules::default()
            .broken(&measures)
            .collect::<Vec<_>>()
    };
    assert_eq!(broken(GOOD), [] as [&str; 0]);
    assert_eq!(broken(""), ["empty"]);
    assert_eq!(broken("\n \n"), ["empty"]);
    let menu = "Home\nAbout us\nContact\nImprint\n";
    assert_eq!(
        broken(menu),
        ["line_punct_ratio", "short_line_ratio", "list_ratio"]
    );
    let twice = format!("{GOOD}\n{GOOD}");
    assert_eq!(broken(&twice), ["char_dup_ratio"]);
    assert_eq!(
        broken("これは文章で、三十文字よりも長い一行の文ですから、短い行とは言えません。"),
        [] as [&str; 0]
    );
}

#[test]
fn c4_keeps_sentences() {
    let text = "Menu\nThis is a sentence with words[12]. It has another one! Is there a third?\n\
        Please enable Javascript to see this.\nWe use cookies to improve this site.\n\
        One more line for \"quotes.\"\nShort one.\nAnd so on...\n\n";
    let result = c4(text, &C4Rules::default());
    assert_eq!(
        result.text,
        "This is a sentence with words. It has another one! Is there a third?\n\
         One more line for \"quotes.\""
    );
    assert_eq!(result.sentences, 4);
    assert_eq!(result.lines, 8);
    assert_eq!((result.javascript_lines, result.policy_lines), (1, 1));
    assert_eq!((result.short_lines, result.unpunctuated_lines), (1, 3));
    let broken: Vec<_> = C4Rules::default().broken(&result).collect();
    assert_eq!(broken, ["too_few_sentences"]);
}

#[test]
fn c4_drops_whole_texts() {
    let broken = |text: &str| {
        let rules = C4Rules::default();
        rules.broken(&c4(text, &rules)).next()
    };
    assert_eq!(broken("Lorem ipsum dolor sit amet."), Some("lorem_ipsum"));
    assert_eq!(
        broken("if (a) { return the value of b."),
        Some("curly_bracket")
    );
    assert_eq!(broken(""), Some("too_few_sentences"));
    let long = format!("A {} word.", "x".repeat(1001));
    assert_eq!(c4(&long, &C4Rules::default()).long_word_lines, 1);
}

#[test]
fn all_rules_together_measure_what_each_one_does() {
    let parts = [
        "the",
        "be",
        "word",
        "日本",
        "です",
        "。",
        "...",
        "…",
        ". ",
        "! ",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "\u{2028}",
        "#",
        "- ",
        "[1]",
        "[edit]",
        "{",
        "lorem ipsum",
        "java[2]script",
        "use cookies",
        "A line with words that ends. ",
        "A line with words that ends.[3]\n",
        "\u{1c}",
    ];
    let mut random = Random(9);
    for _ in 0..3000 {
        let length = random.below(40);
        let variety = 1 + random.below(parts.len());
        let text: String = (0..length)
            .map(|_| parts[(random.below(variety) * 7) % parts.len()])
            .collect();
        for needs_punctuation in [true, false] {
            let rules = C4Rules {
                needs_punctuation,
                ..C4Rules::default()
            };
            let all = quality(&text, &rules, FineWebInput::Text);
            let expected = Quality {
                gopher: gopher(&text),
                gopher_repetition: gopher_repetition(&text),
                c4: c4(&text, &rules),
                fineweb: fineweb(&text),
            };
            assert_eq!(all, expected, "{text:?}");
            let after = quality(&text, &rules, FineWebInput::AfterC4);
            assert_eq!(after.fineweb, fineweb(&all.c4.text), "{text:?}");
        }
    }
}

#[test]
fn lines_without_punctuation_may_be_kept() {
    let rules = C4Rules {
        needs_punctuation: false,
        ..C4Rules::default()
    };
    let result = c4("A headline without an end\nAnd so on...\nToo short", &rules);
    assert_eq!(result.text, "A headline without an end\nAnd so on...");
    assert_eq!((result.unpunctuated_lines, result.short_lines), (0, 1));
}

#[test]
fn measures_of_hostile_texts_are_finite() {
    for text in [
        "",
        "\0",
        "\u{fffd}",
        "a",
        "\n",
        "[[[[[",
        "[1",
        "．．．",
        "🙂",
        "\u{202e}abc",
    ] {
        for text in [text.to_owned(), text.repeat(5000)] {
            let gopher = gopher(&text);
            assert!(gopher.mean_word_length.is_finite() && gopher.hash_ratio.is_finite());
            assert!(fineweb(&text).newline_ratio >= 0.0);
            assert!(gopher_repetition(&text).duplicate_lines <= 1.0);
            assert!(c4(&text, &C4Rules::default()).sentences < 10_000);
        }
    }
}
