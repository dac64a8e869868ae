use super::*;

#[test]
fn forms() {
    assert_eq!(normalize("é", Form::Nfd), "e\u{301}");
    assert_eq!(normalize("ﬁ①", Form::Nfkd), "fi1");
    assert_eq!(normalize("ﬁ①が", Form::Nfc), "ﬁ①が");
    assert!(matches!(normalize("日本語", Form::Nfkc), Cow::Borrowed(_)));
    assert_eq!(normalize("ｶﾞ㍻", Form::Nfkc), "ガ平成");
}

#[test]
fn half_width_katakana_agree_with_nfkc() {
    for code in 0xff61..=0xff9d {
        let character = char::from_u32(code).unwrap();
        for mark in ["", "ﾞ", "ﾟ"] {
            let text = format!("{character}{mark}");
            let expected = normalize(&text, Form::Nfkc);
            let found = unify_width(&text);
            // NFKC turns a sound mark that does not fit into a combining mark.
            if !expected.contains(['\u{3099}', '\u{309a}']) {
                assert_eq!(found, expected, "{text}");
            }
        }
    }
    assert_eq!(unify_width("！～"), "!~");
    assert!(matches!(unify_width("全角なし、abc"), Cow::Borrowed(_)));
}

#[test]
fn invisible_characters() {
    let text = "a\u{0}b\tc\u{ad}d\u{3000}e\r\nf\u{feff}👨\u{200d}👩\u{e000}";
    assert_eq!(
        remove_invisible(text, Invisible::Clean),
        "ab\tcd e\n\nf👨\u{200d}👩"
    );
    assert_eq!(remove_invisible(text, Invisible::Uzushio), "abcdef👨👩");
    assert_eq!(
        remove_invisible(text, Invisible::UzushioKeepSpace),
        "ab\tcd\u{3000}e\r\nf👨👩"
    );
    for rule in [
        Invisible::Clean,
        Invisible::Uzushio,
        Invisible::UzushioKeepSpace,
    ] {
        assert!(matches!(
            remove_invisible("plain 文", rule),
            Cow::Borrowed(_)
        ));
        assert_eq!(remove_invisible("\u{200b}", rule), "");
    }
}

#[test]
fn white_space() {
    assert_eq!(
        collapse_space("\u{3000}a\u{a0}\u{a0}b\r\nc", true),
        "a b\nc"
    );
    assert_eq!(collapse_space(" \n ", true), "");
    assert!(matches!(collapse_space("a b\nc", true), Cow::Borrowed(_)));
    assert!(matches!(collapse_space("a b\nc", false), Cow::Owned(_)));
}

#[test]
fn citations() {
    assert_eq!(remove_citations("[1]a[23]"), "a");
    assert_eq!(remove_citations("誰が[誰？]いつ[いつ?]"), "誰がいつ");
    assert_eq!(remove_citations("x[要ページ番号]{{{a|b}}}y"), "xy");
    assert_eq!(
        remove_citations("f{a} {{unclosed [ [] [a]"),
        "f{a} {{unclosed [ [] [a]"
    );
    assert_eq!(remove_citations("{{outer {{inner}} }}"), "{{outer  }}");
    assert!(matches!(remove_citations("none"), Cow::Borrowed(_)));
}

#[test]
fn mojibake() {
    assert_eq!(repair_mojibake("æ—¥æœ¬èªž"), "日本語");
    let twice: String = "é".bytes().map(char::from).collect::<String>();
    let twice: String = twice.bytes().map(char::from).collect();
    assert_eq!(repair_mojibake(&twice), "é");
    for sound in [
        "naïve",
        "日本語",
        "Ä",
        "“quoted”",
        "£5",
        "São Paulo, município",
    ] {
        assert_eq!(repair_mojibake(sound), sound);
    }
}

#[test]
fn time_is_linear() {
    for pattern in ["[", "{", "{{", "[a", "{{a}", "[1]"] {
        corpus_bytes::step_counter::assert_linear(
            pattern,
            |parts| pattern.repeat(parts).into_bytes(),
            |text| {
                let text = std::str::from_utf8(text).unwrap_or_default();
                remove_citations(text);
            },
        );
    }
}
