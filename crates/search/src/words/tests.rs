use super::{Language, WordRules, plain_analyzer};

fn tokens(text: &str) -> Vec<(usize, String, String)> {
    tokens_by(&WordRules::default(), text)
}

/// Returns the position, the term, and the text of each token.
fn tokens_by(rules: &WordRules, text: &str) -> Vec<(usize, String, String)> {
    let mut analyzer = rules.analyzer();
    let mut tokens = Vec::new();
    analyzer.token_stream(text).process(&mut |token| {
        let raw = text[token.offset_from..token.offset_to].to_owned();
        tokens.push((token.position, token.text.clone(), raw));
    });
    tokens
}

fn terms(text: &str) -> Vec<String> {
    tokens(text).into_iter().map(|(_, term, _)| term).collect()
}

#[test]
fn words_are_letters_and_digits_in_lower_case() {
    assert_eq!(
        terms("Hello, World-wide! b2b 3.14 a_b"),
        ["hello", "world", "wide", "b2b", "3", "14", "a", "b"]
    );
    assert_eq!(terms(" \n,;-"), Vec::<String>::new());
    assert_eq!(terms(""), Vec::<String>::new());
}

#[test]
fn apostrophes_divide() {
    assert_eq!(terms("l'amour"), ["l", "amour"]);
    assert_eq!(terms("Smith’s"), ["smith", "s"]);
}

#[test]
fn accents_case_and_forms_are_folded() {
    assert_eq!(terms("Café CAFÉ cafe\u{301}"), ["cafe", "cafe", "cafe"]);
    assert_eq!(terms("Straße Œuvre Łódź"), ["strasse", "oeuvre", "lodz"]);
    assert_eq!(terms("ｆｕｌｌ　ｗｉｄｔｈ１"), ["full", "width1"]);
    assert_eq!(terms("ﬁnance"), ["finance"]);
    assert_eq!(terms("İstanbul ΟΔΟΣ οδός"), ["istanbul", "οδοσ", "οδοσ"]);
    assert_eq!(terms("Ёлка мой мои"), ["елка", "мой", "мои"]);
    assert_eq!(terms("كِتَاب كتاب"), ["كتاب", "كتاب"]);
}

#[test]
fn letters_with_and_without_marks_are_folded_alike() {
    use unicode_normalization::UnicodeNormalization;
    let letters: Vec<char> = (0xC0..0x530).filter_map(char::from_u32).collect();
    let mut words = 0;
    for letter in letters.into_iter().filter(|c| c.is_alphabetic()) {
        // The invisible mark bypasses the table for the word, but does not change its terms.
        let alone = format!("x{letter}y");
        let marked: String = format!("x{letter}y\u{34F}").nfd().collect();
        assert_eq!(terms(&alone), terms(&marked), "{letter}");
        words += 1;
    }
    assert!(words > 800);
}

#[test]
fn vowel_signs_are_kept() {
    assert_eq!(terms("हिन्दी"), ["हिन्दी"]);
}

#[test]
fn invisible_characters_do_not_divide() {
    assert_eq!(terms("docu\u{AD}ment"), ["document"]);
}

#[test]
fn tokens_know_their_place_in_the_text() {
    assert_eq!(
        tokens("Ein Café."),
        [
            (0, "ein".to_owned(), "Ein".to_owned()),
            (1, "cafe".to_owned(), "Café".to_owned())
        ]
    );
}

#[test]
fn text_without_spaces_is_cut_into_pairs_and_a_last_character() {
    assert_eq!(terms("日本語"), ["日本", "本語", "語"]);
    assert_eq!(terms("語"), ["語"]);
    assert_eq!(terms("한국어 문서"), ["한국", "국어", "어", "문서", "서"]);
    assert_eq!(terms("iPhone用"), ["iphone", "用"]);
    assert_eq!(terms("東京、大阪"), ["東京", "京", "大阪", "阪"]);
    assert_eq!(
        tokens("日本語")
            .into_iter()
            .map(|(position, _, raw)| (position, raw))
            .collect::<Vec<_>>(),
        [
            (0, "日本".to_owned()),
            (1, "本語".to_owned()),
            (2, "語".to_owned())
        ]
    );
}

#[test]
fn marks_stay_with_their_character() {
    assert_eq!(terms("ｶﾞｷﾞ"), ["ガギ", "ギ"]);
    assert_eq!(terms("か\u{3099}"), ["が"]);
    // Decomposed Hangul.
    assert_eq!(
        terms("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"),
        ["한국", "국"]
    );
    // A Thai consonant with a vowel and a tone above it.
    assert_eq!(terms("ที่"), ["ที่"]);
    assert_eq!(terms("ที่นี่").len(), 2);
}

#[test]
fn a_run_continues_over_a_line_break_but_not_over_a_paragraph() {
    assert_eq!(terms("日\n  本"), ["日本", "本"]);
    assert_eq!(terms("日\r\n本"), ["日本", "本"]);
    assert_eq!(terms("日\n\n本"), ["日", "本"]);
    assert_eq!(terms("日 本"), ["日", "本"]);
    assert_eq!(terms("한\n국"), ["한", "국"]);
    let far = format!("日{}\n本", " ".repeat(1000));
    assert_eq!(terms(&far), ["日", "本"]);
}

#[test]
fn long_words_are_cut() {
    let long = "x".repeat(100_000);
    assert_eq!(terms(&long), ["x".repeat(255)]);
    let accented = "é".repeat(100_000);
    assert_eq!(terms(&accented), ["e".repeat(255)]);
    let marks = format!("日{}", "\u{3099}".repeat(10_000));
    assert_eq!(terms(&marks).len(), 1);
    assert!(terms(&marks)[0].len() <= 64);
}

#[test]
fn a_language_removes_endings_and_then_accents() {
    let english = WordRules {
        language: Language::named("English"),
        stop_words: false,
    };
    let terms = |rules: &WordRules, text: &str| -> Vec<String> {
        tokens_by(rules, text).into_iter().map(|t| t.1).collect()
    };
    assert_eq!(
        terms(&english, "The contracts running"),
        ["the", "contract", "run"]
    );
    assert_eq!(terms(&english, "日本語"), ["日本", "本語", "語"]);
    let german = WordRules {
        language: Language::named("german"),
        stop_words: false,
    };
    assert_eq!(terms(&german, "Häuser"), ["haus"]);
}

#[test]
fn stop_words_keep_their_position() {
    let rules = WordRules {
        language: Language::named("english"),
        stop_words: true,
    };
    let positions: Vec<_> = tokens_by(&rules, "the end of the road")
        .into_iter()
        .map(|(position, term, _)| (position, term))
        .collect();
    assert_eq!(positions, [(1, "end".to_owned()), (4, "road".to_owned())]);
    assert_eq!(rules.tokenizer_name(), "words_english_stop");
}

#[test]
fn tokens_of_any_text_lie_inside_it() {
    // Every pair of characters of different kinds, next to each other.
    let kinds = [
        "a", "é", "1", "日", "か", "\u{3099}", "ﾞ", "한", "ก", "่", "\n", " ", "-", "\u{AD}", "½",
        "\u{301}", "İ", "ß", "👩", "\u{1160}", "ー", "\u{640}",
    ];
    for first in kinds {
        for second in kinds {
            for third in kinds {
                let text = format!("{first}{second}{third}");
                let mut last = None;
                plain_analyzer().token_stream(&text).process(&mut |token| {
                    assert!(text.get(token.offset_from..token.offset_to).is_some());
                    assert!(!token.text.is_empty(), "{text:?}");
                    assert!(last.is_none_or(|last| last < token.position) || token.position == 0);
                    last = Some(token.position);
                });
            }
        }
    }
}
