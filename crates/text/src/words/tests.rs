use corpus_bytes::random::Random;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let words: Vec<_> = words(text).collect();
    assert_eq!(words, expected);
}

#[test]
fn punctuation_is_split_off_mark_by_mark() {
    check(
        "\"Well,\" she said.",
        &["\"", "Well", ",", "\"", "she", "said", "."],
    );
    check("(see [1])", &["(", "see", "[", "1", "]", ")"]);
    check("wait... what?!", &["wait", "...", "what", "?", "!"]);
    check("«Oui»", &["«", "Oui", "»"]);
    check("...", &["..."]);
    check("--", &["--"]);
}

#[test]
fn words_keep_what_belongs_to_them() {
    check(
        "Mr. J. Smith, Ph.D., U.S.A.",
        &["Mr.", "J.", "Smith", ",", "Ph.D.", ",", "U.S.A."],
    );
    check("3.14 1,000 v2.0", &["3.14", "1,000", "v2.0"]);
    check(
        "(http://a.example/b?c=d),",
        &["(", "http://a.example/b?c=d", ")", ","],
    );
    check("http://a.example/b?c=d x", &["http://a.example/b?c=d", "x"]);
    check("snake_case a_", &["snake_case", "a", "_"]);
}

#[test]
fn marks_between_words() {
    check(
        "well-known and/or",
        &["well", "-", "known", "and", "/", "or"],
    );
    check(
        "end.Start a,b 1,2",
        &["end", ".", "Start", "a", ",", "b", "1,2"],
    );
    check(
        "Roe v. Wade said.”Yes that.[1]",
        &["Roe", "v.", "Wade", "said", ".", "”Yes", "that.[1", "]"],
    );
    check("one—two", &["one", "—", "two"]);
}

#[test]
fn contractions_and_units() {
    check("It's dogs' don't", &["It", "'s", "dogs", "'", "do", "n't"]);
    check("10km 5% $3 7€", &["10", "km", "5", "%", "$", "3", "7", "€"]);
}

#[test]
fn scripts_without_spaces() {
    check("日本語を書く。", &["日本語", "を", "書", "く", "。"]);
    check(
        "サーバーは「OK」です",
        &["サーバー", "は", "「", "OK", "」", "です"],
    );
    check("한국어 문장", &["한국어", "문장"]);
    check("全角　空白", &["全角", "空白"]);
    check("ภาษาไทย", &["ภาษาไทย"]);
}

#[test]
fn words_cover_everything_but_white_space() {
    let text = "A “b”-c, d… 日本・東京! 😀😀 e\u{301}f \u{a0}\u{feff}g’s \0h_i ¡j! 4kg/5 --- 'tis";
    let joined: String = words(text).collect();
    let expected: String = text.split(char::is_whitespace).collect();
    assert_eq!(joined, expected);
    assert_eq!(words("").count(), 0);
    assert_eq!(words(" \u{3000}\n").count(), 0);
}

/// The words of a text, each chunk split by all rules.
fn words_by_all_rules(text: &str) -> Vec<&str> {
    let mut chunks = Words::new(text);
    let (mut words, mut suffixes) = (Vec::new(), Vec::new());
    loop {
        chunks.skip_spaces();
        let Some((chunk, _)) = chunks.next_chunk() else {
            return words;
        };
        let colons = Colons::new(chunk, true);
        split_chunk(chunk, colons, chunks.table, &mut words, &mut suffixes);
    }
}

#[test]
fn plain_words_are_those_of_all_rules() {
    let parts = concat!(
        " | | |\n|\t|\r\n|\u{a0}|\u{3000}|\u{85}|\0|.|,|;|:|!|?|)|(|...|'|’|’s|-|//|%|€|§|_|",
        // A plain word is split before a unit only if it starts with a digit.
        "a|I|Z| 9| 10km| 5m| 2|cannot|Cannot|can|not|n't|Mr|Mr.|vs|a.m.|e|g|word|seventy|eighteen|",
        "seventeen|www.|http://|internationalization|abcdefghijklmnopqrstuvwx|é|Español|größe|日本|",
        "を|カー|…|😀|вкус|ℂ|²|\u{301}|٣|한국"
    );
    let parts: Vec<_> = parts.split('|').collect();
    let mut random = Random(9);
    for round in 0..4000 {
        let variety = 1 + random.below(parts.len());
        let first = random.below(parts.len());
        let mut text = String::new();
        for _ in 0..random.below(30) {
            text.push_str(parts[(first + random.below(variety)) % parts.len()]);
            if round % 2 == 0 && random.below(2) == 0 {
                text.push(' ');
            }
        }
        let words: Vec<_> = words(&text).collect();
        assert_eq!(words, words_by_all_rules(&text), "{text:?}");
        for (word, text) in measured_words(&text).zip(words) {
            assert_eq!((word.text(), word.characters), (text, text.chars().count()));
            assert_eq!(
                word.has_letter(),
                text.chars().any(char::is_alphabetic),
                "{text:?}"
            );
            let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
            assert!(!is_plain || !word.is_punctuation() && !word.ends_sentence());
        }
    }
}

#[test]
fn time_is_linear() {
    let patterns = ["(", ".", "a-", "'s", "日a", "x ", "\"a", "(:", "::"];
    for (pattern, end) in patterns.map(|pattern| (pattern, "")).into_iter().chain([
        // An address at the end, with a mark after it.
        ("(", "a://b)"),
        ("(", ":"),
        ("[日", "://)"),
    ]) {
        corpus_bytes::step_counter::assert_linear(
            pattern,
            |parts| (pattern.repeat(parts) + end).into_bytes(),
            |text| {
                let text = std::str::from_utf8(text).unwrap_or_default();
                count_steps(words(text).map(str::len).sum());
            },
        );
    }
}

#[test]
fn addresses_in_markdown_are_split_at_their_marks() {
    let words = |text| words(text).collect::<Vec<_>>();
    assert_eq!(
        words("See [docs](https://example.com/path/to)."),
        [
            "See",
            "[",
            "docs](https://example.com",
            "/",
            "path",
            "/",
            "to",
            ")",
            "."
        ]
    );
    assert_eq!(
        words("(https://example.com/a/b)"),
        ["(", "https://example.com/a/b", ")"]
    );
}
