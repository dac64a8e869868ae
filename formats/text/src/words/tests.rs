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

#[test]
fn time_is_linear() {
    let patterns = ["(", ".", "a-", "'s", "日a", "x ", "\"a", "(:", "::"];
    for (pattern, end) in patterns.map(|pattern| (pattern, "")).into_iter().chain([
        // An address at the end, which the mark after it keeps from ending the search.
        ("(", "a://b)"),
        ("(", ":"),
        ("[日", "://)"),
    ]) {
        corpus_bytes::work::assert_linear(
            pattern,
            |parts| (pattern.repeat(parts) + end).into_bytes(),
            |text| {
                let text = std::str::from_utf8(text).unwrap_or_default();
                count_steps(words(text).map(str::len).sum());
            },
        );
    }
}
