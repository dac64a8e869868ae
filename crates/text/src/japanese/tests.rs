use corpus_bytes::random::Random;

use super::model::{Model, Scorer};
use super::*;
use crate::words::words as by_rules;

#[track_caller]
fn check(text: &str, expected: &str) {
    let words: Vec<_> = words(text).collect();
    assert_eq!(words, expected.split('|').collect::<Vec<_>>());
}

/// Texts with all scripts, characters that the model does not know, and odd places for spaces.
fn samples() -> impl Iterator<Item = String> {
    let alphabet: Vec<char> =
        "のでしたっんーゝ々アルﾊﾟ日本書会㐂𠮟、。「」・aé7７ 　\n\u{200b}\u{3099}😀〇"
            .chars()
            .collect();
    let mut random = Random(1);
    (0..300).map(move |length| (0..length).map(|_| random.pick(&alphabet)).collect())
}

#[test]
fn words_of_prose() {
    check(
        "今日はとても良い天気ですね。",
        "今日|は|とても|良い|天気|です|ね|。",
    );
    check("新しい本を買いました", "新しい|本|を|買い|まし|た");
    check("コーヒーを飲みながら話す", "コーヒー|を|飲み|ながら|話す");
    check("ファイルが開かない場合", "ファイル|が|開か|ない|場合");
    check("東京へ行きたかった", "東京|へ|行き|たかっ|た");
}

#[test]
fn other_text_is_split_by_rules() {
    check("It's on, 3月 v2.0", "It|'s|on|,|3|月|v2.0");
    for text in [
        "\"Well,\" she said.",
        "한국어 문장",
        "http://a.example/日本",
        "ภาษาไทย",
        "",
        " \n",
    ] {
        assert!(words(text).eq(by_rules(text)), "{text}");
    }
}

#[test]
fn words_cover_everything_but_white_space() {
    for text in samples() {
        let joined: String = words(&text).collect();
        let expected: String = text.split(char::is_whitespace).collect();
        assert_eq!(joined, expected, "{text:?}");
    }
}

#[test]
fn marks_and_other_scripts_are_never_joined_to_words() {
    for text in samples() {
        let mut ends = Vec::new();
        words(&text).for_each(|word| ends.push(range_of(&text, word).end));
        for word in by_rules(&text).filter(|word| !is_japanese(word)) {
            let range = range_of(&text, word);
            assert!(ends.contains(&range.end), "{text:?}");
        }
    }
}

#[test]
fn words_depend_on_their_neighbourhood_only() {
    let apart = "\n".repeat(CONTEXT);
    let texts: Vec<_> = samples().collect();
    for pair in texts.windows(2) {
        let joined = format!("{}{apart}{}", pair[0], pair[1]);
        let separate = words(&pair[0]).chain(words(&pair[1]));
        assert!(words(&joined).eq(separate), "{joined:?}");
    }
}

#[test]
fn scores_are_the_sums_of_all_weights_in_the_context() {
    let model = model();
    for text in samples() {
        let outside = || std::iter::repeat_n(None, CONTEXT);
        let characters: Vec<_> = outside()
            .chain(text.chars().map(Some))
            .chain(outside())
            .collect();
        let mut scorer = Scorer::default();
        let scores: Vec<_> = characters
            .iter()
            .map(|character| scorer.push(model, *character))
            .collect();
        for (at, context) in characters.windows(2 * CONTEXT).enumerate() {
            let read = at + 2 * CONTEXT - 1;
            assert_eq!(scores[read], model.score(context), "{text:?}, {context:?}");
        }
    }
}

#[test]
fn the_built_in_model_can_be_read() {
    let bytes = model::BYTES;
    assert!(Model::parse(bytes).is_some());
    assert!(bytes.len() < 500 << 10, "{} bytes", bytes.len());
}

#[test]
fn damaged_models_are_refused() {
    let bytes = model::BYTES;
    for length in (0..bytes.len()).step_by(9973) {
        assert!(Model::parse(&bytes[..length]).is_none(), "{length}");
    }
    assert!(Model::parse(&[bytes, &[0]].concat()).is_none());
}

#[test]
fn time_is_linear() {
    for pattern in ["あ", "日あ", "ー", "漢 ", "a日", "𠮟", "です。"] {
        corpus_bytes::step_counter::assert_linear(
            pattern,
            |parts| pattern.repeat(parts).into_bytes(),
            |text| {
                let text = std::str::from_utf8(text).unwrap_or_default();
                assert!(words(text).count() > 0);
            },
        );
    }
}
