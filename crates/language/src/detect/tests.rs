use corpus_bytes::random::Random;
use corpus_bytes::step_counter::assert_linear;

use super::{detect, languages, main_script};

fn language(text: &str) -> Option<&'static str> {
    detect(text).map(|found| found.language)
}

const SENTENCES: &[(&str, &str, &str)] = &[
    (
        "en",
        "Latn",
        "The weather was so good that we went to the river in the afternoon.",
    ),
    (
        "de",
        "Latn",
        "Das Wetter war so schön, dass wir am Nachmittag an den Fluss gegangen sind.",
    ),
    (
        "fr",
        "Latn",
        "Il faisait si beau que nous sommes allés à la rivière dans l’après-midi.",
    ),
    (
        "es",
        "Latn",
        "Hacía tan buen tiempo que por la tarde fuimos todos juntos al río.",
    ),
    (
        "pt",
        "Latn",
        "O tempo estava tão bom que à tarde fomos todos juntos até ao rio.",
    ),
    (
        "it",
        "Latn",
        "Il tempo era così bello che nel pomeriggio siamo andati tutti al fiume.",
    ),
    (
        "nl",
        "Latn",
        "Het weer was zo mooi dat we in de middag naar de rivier zijn gegaan.",
    ),
    (
        "sv",
        "Latn",
        "Vädret var så fint att vi gick ner till floden på eftermiddagen.",
    ),
    (
        "fi",
        "Latn",
        "Sää oli niin kaunis, että menimme iltapäivällä kaikki yhdessä joelle.",
    ),
    (
        "pl",
        "Latn",
        "Pogoda była tak ładna, że po południu poszliśmy wszyscy nad rzekę.",
    ),
    (
        "cs",
        "Latn",
        "Počasí bylo tak hezké, že jsme odpoledne šli všichni společně k řece.",
    ),
    (
        "hu",
        "Latn",
        "Olyan szép idő volt, hogy délután mindannyian lementünk a folyóhoz.",
    ),
    (
        "ro",
        "Latn",
        "Vremea era atât de frumoasă încât după-amiază am mers cu toții la râu.",
    ),
    (
        "tr",
        "Latn",
        "Hava o kadar güzeldi ki öğleden sonra hep birlikte nehre gittik.",
    ),
    (
        "vi",
        "Latn",
        "Thời tiết đẹp đến nỗi buổi chiều chúng tôi đã cùng nhau đi ra sông.",
    ),
    (
        "id",
        "Latn",
        "Cuacanya begitu bagus sehingga pada sore hari kami pergi ke sungai.",
    ),
    (
        "ru",
        "Cyrl",
        "Погода была такая хорошая, что после обеда мы все вместе пошли к реке.",
    ),
    (
        "uk",
        "Cyrl",
        "Погода була така гарна, що після обіду ми всі разом пішли до річки.",
    ),
    (
        "bg",
        "Cyrl",
        "Времето беше толкова хубаво, че следобед отидохме всички заедно на реката.",
    ),
    (
        "el",
        "Grek",
        "Ο καιρός ήταν τόσο καλός που το απόγευμα πήγαμε στο ποτάμι.",
    ),
    (
        "he",
        "Hebr",
        "מזג האוויר היה כל כך יפה שאחר הצהריים הלכנו כולנו לנהר.",
    ),
    (
        "ar",
        "Arab",
        "كان الطقس جميلا جدا لدرجة أننا ذهبنا إلى النهر بعد الظهر.",
    ),
    (
        "fa",
        "Arab",
        "هوا آنقدر خوب بود که بعد از ظهر همه با هم به کنار رودخانه رفتیم.",
    ),
    (
        "hi",
        "Deva",
        "मौसम इतना अच्छा था कि दोपहर के बाद हम सब नदी पर गए।",
    ),
    ("th", "Thai", "อากาศดีมากจนเราไปที่แม่น้ำในตอนบ่าย"),
    (
        "ja",
        "Jpan",
        "天気がとてもよかったので、午後はみんなで川に行きました。",
    ),
    ("zh", "Hani", "天气非常好，所以我们下午一起去了河边。"),
    (
        "ko",
        "Hang",
        "날씨가 너무 좋아서 오후에 다 같이 강에 갔습니다.",
    ),
];

#[test]
fn sentences_are_recognized() {
    for (expected, script, text) in SENTENCES {
        let found = detect(text).unwrap();
        assert_eq!(
            (found.language, found.script),
            (*expected, *script),
            "{found:?}"
        );
        assert!(found.confidence > 0.5, "{found:?}");
        let upper = text.to_uppercase();
        assert_eq!(language(&upper), Some(*expected), "{upper}");
    }
}

#[test]
fn what_is_around_a_sentence_changes_nothing() {
    for (expected, _, text) in SENTENCES {
        let page = format!(
            "12:30 | https://www.example.com/index.php?id=1 {text} © 2019 info@example.org \u{fffd}\0 1,90 €"
        );
        assert_eq!(language(&page), Some(*expected), "{page}");
        let lines = text.replace(' ', "\n");
        assert_eq!(language(&lines), Some(*expected), "{lines}");
    }
}

#[test]
fn texts_without_letters_have_no_language() {
    for text in [
        "",
        " ",
        "12,50 €",
        "\0\0",
        "\u{fffd}",
        "٣٤٥",
        "→ 😀 …",
        "---",
    ] {
        assert_eq!(detect(text), None, "{text:?}");
    }
    assert_eq!(detect(&"1 ".repeat(100_000)), None);
}

#[test]
fn the_first_letters_may_come_late() {
    let text = format!("{}Привет, как дела", "1234567 ".repeat(10_000));
    assert_eq!(detect(&text).unwrap().script, "Cyrl");
    let middle = format!("{0}Как дела{0}", "1234567 ".repeat(10_000));
    assert_eq!(detect(&middle).unwrap().script, "Cyrl");
}

#[test]
fn few_letters_have_a_language_of_low_confidence() {
    for text in ["a", "x1", "É", "http://www.example.com/"] {
        let found = detect(text).unwrap();
        assert_eq!(found.script, "Latn");
        assert!(found.confidence <= 1.0);
    }
    assert_eq!(language("あ"), Some("ja"));
    assert_eq!(language("한"), Some("ko"));
}

#[test]
fn most_of_a_text_decides() {
    let [english, russian] = ["en", "ru"].map(|code| {
        let found = SENTENCES.iter().find(|(language, ..)| *language == code);
        found.unwrap().2
    });
    let found = detect(&format!("{}{russian}", format!("{english} ").repeat(6))).unwrap();
    assert_eq!(found.language, "en");
    assert!(found.confidence < 0.75, "{found:?}");
    // A few English words on a Japanese page.
    assert_eq!(language("Windows Update を実行してください"), Some("ja"));
}

#[test]
fn a_sentence_in_an_english_frame_decides() {
    let before = "Home About us Contact Login Search this site Leave a comment";
    let after = "Read more Privacy Policy All rights reserved Powered by WordPress";
    for (expected, text) in [
        (
            "ru",
            "Вчера вечером в городе открылась новая библиотека для детей.",
        ),
        (
            "es",
            "Ayer por la tarde se abrió en la ciudad una nueva biblioteca para los niños y sus padres.",
        ),
        (
            "de",
            "Gestern Abend wurde in der Stadt eine neue Bibliothek für Kinder und ihre Eltern eröffnet.",
        ),
        ("ja", "昨日の夕方、町に新しい図書館が開きました。"),
        ("ar", "افتتحت مساء أمس في المدينة مكتبة جديدة للأطفال."),
    ] {
        for frame in [
            format!("{before}\n{text}\n{after}"),
            format!("{before} {text} {after}"),
        ] {
            assert_eq!(language(&frame), Some(expected), "{frame}");
        }
    }
    // A frame around English, or around names, is English.
    let english = "The museum of Kraków shows works by Tadeusz Kantor and Stanisław Wyspiański in its new rooms.";
    assert_eq!(language(&format!("{before} {english} {after}")), Some("en"));
    assert_eq!(language(&format!("{before} {after}")), Some("en"));
}

#[test]
fn swahili_and_maltese_are_known_by_frequent_words() {
    for (expected, text) in [
        (
            "sw",
            "Watu wengi walikuja katika mji huu kwa sababu ya kazi na biashara.",
        ),
        (
            "sw",
            "Serikali ilisema kwamba shule mpya zitajengwa kwa ajili ya watoto wa kijiji.",
        ),
        (
            "mt",
            "Il-gvern qal li se jinbnew skejjel ġodda għat-tfal ta' kull belt, u li x-xogħol beda.",
        ),
    ] {
        assert_eq!(language(text), Some(expected), "{text}");
    }
    let zulu = "Abantu abaningi bafika kuleli dolobha ngenxa yomsebenzi nebhizinisi.";
    assert_ne!(language(zulu), Some("sw"));
}

#[test]
fn confidences_are_shares() {
    for (_, _, text) in SENTENCES {
        for characters in [3, 10, 30] {
            let start: String = text.chars().take(characters).collect();
            let Some(found) = detect(&start) else {
                continue;
            };
            let others: f32 = found.alternatives.iter().map(|(_, other)| other).sum();
            assert!(found.confidence + others <= 1.001, "{found:?}");
            assert!(
                found
                    .alternatives
                    .iter()
                    .all(|(_, other)| *other <= found.confidence)
            );
        }
    }
}

#[test]
fn long_texts_are_decided_by_all_their_parts() {
    let german = "Das ist ein ganz gewöhnlicher Satz, wie er in jedem Buch stehen könnte. ";
    let text = format!("A short English heading\n{}", german.repeat(5000));
    let found = detect(&text).unwrap();
    assert_eq!(found.language, "de");
    assert_eq!(detect(&text), Some(found));
}

#[test]
fn any_text_has_a_known_language_or_none() {
    let check = |text: &str| {
        let found = detect(text);
        assert_eq!(found.is_some(), main_script(text).is_some(), "{text:?}");
        if let Some(found) = found {
            assert!((0.0..=1.0).contains(&found.confidence), "{found:?}");
            let mut known = languages().map(|(language, _)| language);
            assert!(
                known.any(|language| language == found.language),
                "{found:?}"
            );
        }
    };
    let mut random = Random(5);
    for text in [
        "a",
        "\0",
        "\u{fffd}",
        "ا",
        "ก",
        "漢",
        "가",
        "\u{301}",
        "😀",
        "é ",
        "\u{202e}א",
    ] {
        for count in [1, 100, 3000] {
            check(&text.repeat(count));
        }
    }
    for _ in 0..300 {
        let length = random.below(300);
        let bytes = random.bytes(length);
        check(&String::from_utf8_lossy(&bytes));
        let text: String = (0..length)
            .filter_map(|_| char::from_u32(random.below(0x30000) as u32))
            .collect();
        check(&text);
    }
}

#[test]
fn work_does_not_grow_faster_than_the_text() {
    for part in ["a", "a ", "1 ", "漢", "\0", "ж1"] {
        assert_linear(
            part,
            |parts| part.repeat(parts),
            |text| {
                detect(text);
            },
        );
    }
}

#[test]
fn languages_have_codes() {
    let known: Vec<_> = languages().collect();
    assert!(known.len() > 80, "{}", known.len());
    for (language, script) in known {
        assert!((2..=3).contains(&language.len()), "{language}");
        assert_eq!(script.len(), 4);
    }
}

#[test]
fn the_script_alone_is_that_of_the_detection() {
    let late = format!("{}{}", "1234 ".repeat(20_000), "Погода была хорошая.");
    let texts = SENTENCES.iter().map(|(_, _, text)| *text);
    for text in texts.chain([late.as_str(), "12,50 €", ""]) {
        let detected = detect(text).map(|found| found.script);
        assert_eq!(main_script(text), detected, "{text:.60}");
    }
    assert_eq!(main_script(&late), Some("Cyrl"));
}
