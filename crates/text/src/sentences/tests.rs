use super::sentences;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(sentences(text).collect::<Vec<_>>(), expected);
}

#[test]
fn japanese() {
    check(
        "今日は晴れ。明日は雨！？本当？はい",
        &["今日は晴れ。", "明日は雨！？", "本当？", "はい"],
    );
    check(
        "「一。二。」と言った。終わり。",
        &["「一。二。」と言った。", "終わり。"],
    );
    check("（注。参照）です。次。", &["（注。参照）です。", "次。"]);
    check(
        "彼は「はい。」『いいえ。』",
        &["彼は「はい。」『いいえ。』"],
    );
}

#[test]
fn spaces_before_closing_quotes() {
    check(
        "Il a dit : « Oui. » Puis il partit.",
        &["Il a dit : « Oui. »", "Puis il partit."],
    );
    check(
        "« Oui.\u{a0}» Bon. « Tout est là. »",
        &["« Oui.\u{a0}»", "Bon.", "« Tout est là. »"],
    );
    check("Er ging. »Ja«, rief sie.", &["Er ging.", "»Ja«, rief sie."]);
}

#[test]
fn quotation_marks_that_close_in_other_languages() {
    check(
        "Sie sagte: „Komm.“ Er kam.",
        &["Sie sagte: „Komm.“", "Er kam."],
    );
    check("»Komm!« Er kam.", &["»Komm!«", "Er kam."]);
    check(
        "He came. “Go.” She went.",
        &["He came.", "“Go.”", "She went."],
    );
}

#[test]
fn a_speaker_after_a_dash() {
    check("Бар? — деді. Иә.", &["Бар? — деді.", "Иә."]);
    check("Come! — No.", &["Come!", "— No."]);
}

#[test]
fn latin() {
    check("One. Two! Three?", &["One.", "Two!", "Three?"]);
    check(
        "He said \"Stop.\" Then he left.",
        &["He said \"Stop.\"", "Then he left."],
    );
    check(
        "Version 2.5 is out. It works.",
        &["Version 2.5 is out.", "It works."],
    );
    check(
        "J. R. Smith met Mr. Brown. Good.",
        &["J. R. Smith met Mr. Brown.", "Good."],
    );
    check(
        "see www.a.example. And so on.",
        &["see www.a.example.", "And so on."],
    );
    check("etc. and more. End", &["etc. and more.", "End"]);
    check("See No. 5. Then.", &["See No. 5.", "Then."]);
    check("a.\nb\r\n\nc", &["a.", "b", "c"]);
}

#[test]
fn other_scripts() {
    check("هل؟ نعم۔", &["هل؟", "نعم۔"]);
    check("यह है। वह है।", &["यह है।", "वह है।"]);
    check("እንደምን አለህ፧መልካም ቀን።", &["እንደምን አለህ፧", "መልካም ቀን።"]);
    check("Ի՞նչ ես մտածում: Ոչինչ:", &["Ի՞նչ ես մտածում:", "Ոչինչ:"]);
    check("Ժամը 10:30 է։ Ոչինչ։", &["Ժամը 10:30 է։", "Ոչինչ։"]);
    check("Πού είναι; Εδώ; ναι.", &["Πού είναι;", "Εδώ; ναι."]);
    check("One; Two: Three.", &["One; Two: Three."]);
    check("", &[]);
    check(" \n\u{3000}", &[]);
    check("...", &["..."]);
}

#[test]
fn brackets_that_stay_open_are_given_up() {
    let text = format!("「{}。次。", "あ".repeat(600));
    assert_eq!(sentences(&text).count(), 2);
}

#[test]
fn time_is_linear() {
    for pattern in ["「", ".", "1. A ", "? -", "a. b", "。", "\" ", "?\"", "A "] {
        corpus_bytes::step_counter::assert_linear(
            pattern,
            |parts| pattern.repeat(parts).into_bytes(),
            |text| {
                let text = std::str::from_utf8(text).unwrap_or_default();
                corpus_bytes::step_counter::count_steps(sentences(text).map(str::len).sum());
            },
        );
    }
}

#[test]
fn a_bracket_that_stays_open_hides_no_end() {
    check("「閉じない。次の文。", &["「閉じない。", "次の文。"]);
    check(
        "「開く。「閉じる。」と言う。次。",
        &["「開く。", "「閉じる。」と言う。", "次。"],
    );
}

#[test]
fn dates_and_ordinals() {
    check("On Jan. 5. He left.", &["On Jan. 5.", "He left."]);
    check("In Jan. He left.", &["In Jan.", "He left."]);
    check(
        "È l'Avv. Rossi. Non è d'Orta. Sì.",
        &["È l'Avv. Rossi.", "Non è d'Orta.", "Sì."],
    );
    check(
        "Am 3. Oktober kam er. Er blieb.",
        &["Am 3. Oktober kam er.", "Er blieb."],
    );
    check(
        "Im 19. Jahrhundert war es so. Danach nicht.",
        &["Im 19. Jahrhundert war es so.", "Danach nicht."],
    );
    check("He was 19. Then he left.", &["He was 19.", "Then he left."]);
    check(
        "1. The first. 2. The second.",
        &["1. The first.", "2. The second."],
    );
}

#[test]
fn list_items_within_a_line() {
    for (first, second, third) in [
        ("1. The first", "2. The second", "3. A third."),
        ("1.) One", "2.) Two", "3.) 33 things"),
        ("9) Nine", "10) Ten", "11) Eleven"),
        ("• 9. Nine", "• 10. Ten", "• 11. Eleven"),
        ("a. The first", "b. The second", "c. A third"),
    ] {
        check(
            &format!("{first} {second} {third}"),
            &[first, second, third],
        );
    }
    check(
        "1. See chapter 3. Then go.",
        &["1. See chapter 3.", "Then go."],
    );
    check("See 1. One 2. Two", &["See 1.", "One 2.", "Two"]);
    check("a. one b. two", &["a. one b. two"]);
}

#[test]
fn abbreviations_with_spaces() {
    check(
        "Viele, z. B. Äpfel, d. h. Obst. Gut.",
        &["Viele, z. B. Äpfel, d. h. Obst.", "Gut."],
    );
    check(
        "Das gilt i. d. R. Nur hier.",
        &["Das gilt i. d. R. Nur hier."],
    );
    check("Это т. е. Москва. Да.", &["Это т. е. Москва.", "Да."]);
    check(
        "Яблоки и т. д. Потом ушёл.",
        &["Яблоки и т. д.", "Потом ушёл."],
    );
}

#[test]
fn initials_and_countries() {
    check(
        "I work for the U.S. Government. Yes.",
        &["I work for the U.S. Government.", "Yes."],
    );
    check(
        "I live in the U.S. How about you?",
        &["I live in the U.S.", "How about you?"],
    );
    check(
        "You and I. Did Albert I. Jones come?",
        &["You and I.", "Did Albert I. Jones come?"],
    );
}

#[test]
fn ellipses_with_spaces_are_one_mark() {
    check(
        "It ends . . . . Next one.",
        &["It ends . . . .", "Next one."],
    );
}
