use super::*;

const CLEAN: [&str; 16] = [
    "The committee met on Tuesday and agreed that the report should be sent to all members before \
     the end of the month, together with the minutes of the last two meetings.",
    "Der Ausschuss tagte am Dienstag und beschloss, den Bericht noch vor Monatsende zusammen mit \
     den Niederschriften der letzten beiden Sitzungen an alle Mitglieder zu schicken.",
    "Komisja zebrała się we wtorek i postanowiła, że sprawozdanie zostanie przesłane wszystkim \
     członkom przed końcem miesiąca wraz z protokołami dwóch ostatnich posiedzeń.",
    "Ủy ban đã họp vào thứ Ba và đồng ý rằng báo cáo cần được gửi cho tất cả các thành viên trước \
     cuối tháng, cùng với biên bản của hai cuộc họp gần nhất.",
    "Valiokunta kokoontui tiistaina ja päätti, että kertomus lähetetään kaikille jäsenille ennen \
     kuun loppua yhdessä kahden edellisen kokouksen pöytäkirjojen kanssa.",
    "Komisyon salı günü toplandı ve raporun son iki toplantının tutanaklarıyla birlikte ay \
     sonundan önce bütün üyelere gönderilmesine karar verdi.",
    "Комитет собрался во вторник и решил, что доклад следует разослать всем членам до конца \
     месяца вместе с протоколами двух последних заседаний.",
    "Η επιτροπή συνεδρίασε την Τρίτη και αποφάσισε ότι η έκθεση πρέπει να σταλεί σε όλα τα μέλη \
     πριν από το τέλος του μήνα.",
    "اجتمعت اللجنة يوم الثلاثاء واتفقت على إرسال التقرير إلى جميع الأعضاء قبل نهاية الشهر مع \
     محاضر الاجتماعين الأخيرين.",
    "委員会は火曜日に開かれ、報告書を前二回の会議の議事録とともに月末までに全委員へ送ることを決めた。",
    "委员会于星期二开会，决定在月底之前将报告连同最近两次会议的记录一并发给全体委员。",
    "위원회는 화요일에 회의를 열고 보고서를 지난 두 번의 회의록과 함께 월말까지 모든 위원에게 보내기로 하였다.",
    "समिति की बैठक मंगलवार को हुई और उसने तय किया कि रिपोर्ट महीने के अंत से पहले सभी सदस्यों को भेजी जाए।",
    "pub fn read(&mut self, bytes: &[u8]) -> Option<usize> {\n    for (index, byte) in \
     bytes.iter().enumerate() {\n        self.sum += u32::from(*byte);\n    }\n    Some(index)\n}",
    "1,204.50 1,198.25 -0.52% 12/03/2021\n1,207.75 1,201.00 -0.56% 12/04/2021\n(3.1) 4.2e-05 17 \
     19 23 29 31 37 41 43 47 53 59 61 67 71 73 79 83 89 97 101",
    "Contents\n1 Introduction . . . . . . . . . . . . . . . 3\n2 Methods ..................... 17\n\
     • Let f(x) = ax + b and g(x) = x/2 − 1; then f(g(x)) = a(x/2 − 1) + b.",
];

/// The text of a font without meanings whose codes are glyph numbers.
fn shifted(text: &str) -> String {
    let shift = |c: char| match c {
        ' ' | '\n' => c,
        _ => char::from_u32(u32::from(c).saturating_sub(29)).unwrap_or(c),
    };
    text.chars().map(shift).collect()
}

/// The text of a subset font whose codes count the characters used.
fn numbered(text: &str) -> String {
    let mut known = Vec::new();
    let mut number = |c: char| {
        if c.is_whitespace() {
            return c;
        }
        let at = known.iter().position(|other| *other == c);
        let at = at.unwrap_or_else(|| {
            known.push(c);
            known.len() - 1
        });
        char::from(b'!' + at as u8)
    };
    text.chars().map(&mut number).collect()
}

fn score(text: &str) -> f32 {
    garbled(text, 0, 0).share()
}

#[test]
fn text_in_any_language_is_clean() {
    for text in CLEAN {
        assert!(score(text) < 0.05, "{} {text}", score(text));
    }
}

#[test]
fn short_text_is_not_judged_by_its_letters() {
    for text in [
        "",
        " ",
        "a",
        "17",
        "IV.",
        "x²",
        "Qty",
        "NYC",
        "W³, kg/m",
        "HRB 5514",
    ] {
        assert_eq!(score(text), 0.0, "{text}");
    }
}

#[test]
fn codes_without_meaning() {
    for text in CLEAN.iter().take(6) {
        assert!(score(&shifted(text)) > 0.9, "{}", shifted(text));
        assert!(
            score(&numbered(text)) > MIN_GARBLED_SHARE,
            "{}",
            numbered(text)
        );
    }
    assert!(score("7KLV LV D WHVW RI D IRQW ZLWKRXW D WDEOH RI FKDUDFWHUV") > 0.9);
}

#[test]
fn bytes_in_the_wrong_charset() {
    for (text, encoding) in [
        (CLEAN[6], encoding_rs::WINDOWS_1251),
        (CLEAN[7], encoding_rs::WINDOWS_1253),
    ] {
        let (bytes, ..) = encoding.encode(text);
        let wrong = encoding_rs::mem::decode_latin1(&bytes);
        assert!(score(&wrong) > MIN_GARBLED_SHARE, "{wrong}");
    }
    for at in [6, 8, 9] {
        let (wrong, ..) = encoding_rs::WINDOWS_1252.decode(CLEAN[at].as_bytes());
        assert!(score(&wrong) > 0.8, "{wrong}");
    }
    // Of a text in Latin letters, only the accented ones are lost.
    let few = score("GrÃ¶ÃŸe der FlÃ¤chen in der Ãœbersicht");
    assert!((0.1..MIN_GARBLED_SHARE).contains(&few), "{few}");
}

#[test]
fn rare_east_asian_characters_are_garbled() {
    let random = |at: u32| char::from_u32(0x4E00 + at * 7919 % 20_900).unwrap();
    let text: String = (0..200).map(random).collect();
    assert!(score(&text) > MIN_GARBLED_SHARE, "{text}");
    let random = |at: u32| char::from_u32(0xAC00 + at * 7919 % 11_172).unwrap();
    let text: String = (0..200).map(random).collect();
    assert!(score(&text) > MIN_GARBLED_SHARE, "{text}");
}

#[test]
fn scripts_mixed_within_words() {
    let scripts = [
        '\u{B05}', '\u{3B1}', '\u{E01}', '\u{430}', '\u{5D0}', '\u{1205}', '\u{915}',
    ];
    let text: String = scripts.iter().cycle().take(140).collect();
    assert!(score(&text) > 0.9);
}

#[test]
fn characters_without_meaning_count_by_their_share() {
    assert_eq!(score("ab\u{FFFD}\u{FFFD}"), 0.5);
    assert_eq!(score("\u{F020}\u{F0FF}\u{1}\u{10FFFF}"), 1.0);
    // Missing from the text, or counted in both ways.
    assert_eq!(garbled("abcd", 8, 4).share(), 0.5);
    assert_eq!(
        garbled("abcd\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", 8, 4).share(),
        0.5
    );
    assert_eq!(garbled("", 9, 9).share(), 1.0);
    // A number above that of the characters is not trusted.
    assert_eq!(garbled("abcd", 4, u32::MAX).share(), 0.5);
}

#[test]
fn a_page_may_be_garbled_in_part() {
    let text = format!("{}\n{}\n{}", CLEAN[0], shifted(CLEAN[0]), CLEAN[1]);
    assert!((0.2..0.5).contains(&score(&text)), "{}", score(&text));
    // Also where there are no spaces.
    let random = (0..512).map(|at| char::from_u32(0x4E00 + at * 7919 % 20_900).unwrap());
    let text: String = CLEAN[9].repeat(12).chars().chain(random).collect();
    assert!((0.3..0.6).contains(&score(&text)), "{}", score(&text));
    assert_eq!(garbled(&text, u32::MAX, u32::MAX).share(), 1.0);
}

fn page(text: &str, image_cover: f32) -> Page {
    Page {
        text: text.to_owned(),
        characters: text.chars().filter(|c| !c.is_whitespace()).count() as u32,
        image_cover,
        ..Page::default()
    }
}

fn page_needs_ocr(page: &Page) -> bool {
    PageFacts::of(page).needs_ocr().unwrap()
}

#[test]
fn scans_need_ocr() {
    assert!(page_needs_ocr(&page("", 1.0)));
    assert!(page_needs_ocr(&page("Page 3 of 17", 0.9)));
    assert!(!page_needs_ocr(&page("", 0.0)), "blank");
    assert!(
        !page_needs_ocr(&page("Page 3 of 17", 0.2)),
        "hardly a picture"
    );
    assert!(
        !page_needs_ocr(&page(CLEAN[0], 1.0)),
        "text on a background"
    );
}

#[test]
fn scans_with_a_text_layer_do_not() {
    let mut scan = page("", 1.0);
    scan.invisible = 500;
    assert!(!page_needs_ocr(&scan));
    scan.invisible = 5;
    assert!(page_needs_ocr(&scan));
    // Unless that is garbled, too.
    scan.text = shifted(CLEAN[0]);
    scan.invisible = 500;
    assert!(page_needs_ocr(&scan));
}

#[test]
fn text_without_meaning_needs_ocr() {
    assert!(page_needs_ocr(&page(&shifted(CLEAN[0]), 0.0)));
    let mut unmapped = page("", 0.0);
    (unmapped.characters, unmapped.unmapped) = (500, 490);
    assert!(page_needs_ocr(&unmapped));
    (unmapped.characters, unmapped.unmapped) = (5, 5);
    assert!(!page_needs_ocr(&unmapped), "some bullets");
}

#[test]
fn stamps_of_courts_do_not_count_as_text() {
    let stamp = |page: u32| {
        format!(
            "Case 1:20-cv-00123-ABC Document 12-{page} Filed 03/04/21 Page {page} of 40 PageID #: {}\n\
             Received by the clerk of the district court for the northern district of nowhere",
            1200 + page
        )
    };
    let facts = |text: &str, cover| PageFacts::of(&page(text, cover));
    let scanned: Vec<_> = (1..40).map(|number| facts(&stamp(number), 0.95)).collect();
    assert_eq!(
        scanned[0].needs_ocr(),
        Some(false),
        "alone it may be a slide"
    );
    assert_eq!(needs_ocr(&scanned), Some(true));
    let slides = CLEAN.iter().take(13);
    let twice = |text: &&str| format!("{text} {text}");
    let different: Vec<_> = slides.map(|text| facts(&twice(text), 0.95)).collect();
    assert_eq!(
        needs_ocr(&different),
        Some(false),
        "slides with a background"
    );
    let drawn: Vec<_> = (1..40).map(|number| facts(&stamp(number), 0.0)).collect();
    assert_eq!(needs_ocr(&drawn), Some(false), "no picture behind it");
}

#[test]
fn a_document_needs_ocr_if_enough_of_its_pages_do() {
    let scan = PageFacts::of(&page("", 1.0));
    let text = PageFacts::of(&page(CLEAN[0], 0.0));
    let blank = PageFacts::of(&page("", 0.0));
    assert_eq!(needs_ocr(&[]), Some(false));
    assert_eq!(needs_ocr(&[blank, text, blank]), Some(false));
    assert_eq!(needs_ocr(&[scan, text, text, text]), Some(true));
    assert!(
        needs_ocr(&[scan, text, text, text, text, text]) == Some(false),
        "a picture"
    );
    assert_eq!(
        needs_ocr(&[scan, blank, blank, blank, blank, blank, blank]),
        Some(true)
    );
}

#[test]
fn letters_and_digits_are_text() {
    let has_text = |text| has_text(&[PageFacts::of(&page(text, 0.0))]) == Some(true);
    assert!(has_text(" a") && has_text("１") && has_text("水"));
    assert!(!has_text("") && !has_text(" .-\n•\u{FFFD}\u{F020}"));
}

#[test]
fn short_text_without_meaning_is_useless() {
    let page = |text: &str, unmapped| {
        let characters = text.chars().count() as u32;
        PageFacts::of(&Page {
            text: text.to_owned(),
            characters,
            unmapped,
            ..Page::default()
        })
    };
    let unknown = page(&"\u{fffd}".repeat(8), 8);
    assert_eq!(
        (unknown.needs_ocr(), needs_ocr(&[unknown])),
        (Some(true), Some(true))
    );
    assert_eq!(page("\u{fffd}", 1).needs_ocr(), Some(false));
    assert_eq!(page("Chapter \u{fffd}\u{fffd}", 2).needs_ocr(), Some(false));
}

#[test]
fn a_broken_font_hides_among_sound_ones() {
    let font = |characters, unmapped, implausible| FontUse {
        characters,
        unmapped,
        implausible,
        ..FontUse::default()
    };
    let with = |fonts: Vec<FontUse>| {
        let mut page = page(CLEAN[0], 0.0);
        page.characters = fonts.iter().map(|font| font.characters).sum();
        page.fonts = fonts;
        PageFacts::of(&page).ocr(&Stamps::default()).reason
    };
    let sound = || font(300, 2, 0);
    assert_eq!(with(vec![sound()]), None);
    assert_eq!(with(vec![sound(), font(100, 0, 80)]), Some(OcrReason::Font));
    assert_eq!(
        with(vec![sound(), font(100, 50, 10)]),
        Some(OcrReason::Font)
    );
    assert_eq!(with(vec![sound(), font(100, 10, 10)]), None, "some of it");
    assert_eq!(with(vec![sound(), font(30, 30, 0)]), None, "a heading");
    assert_eq!(with(vec![font(60, 0, 0), font(19, 19, 0)]), None, "bullets");
    let broken = implausible(&shifted(CLEAN[0]));
    assert!(broken > 100, "{broken}");
    assert_eq!(implausible(CLEAN[0]), 0);
    assert_eq!(
        implausible("\u{fffd}\u{fffd} \u{e001}"),
        1,
        "a private character"
    );
}

#[test]
fn a_document_has_the_reason_of_most_of_its_pages() {
    let scan = PageFacts::of(&page("", 1.0));
    let text = PageFacts::of(&page(CLEAN[0], 0.0));
    let garbled = PageFacts::of(&page(&shifted(CLEAN[0]), 0.0));
    let reason = |pages: &[PageFacts]| (ocr(pages).pages, ocr(pages).reason);
    let [picture, shifted] = [OcrReason::Picture, OcrReason::Garbled].map(Some);
    assert_eq!(reason(&[text]), (0, None));
    assert_eq!(reason(&[scan, garbled, garbled]), (3, shifted));
    assert_eq!(
        reason(&[garbled, scan]),
        (2, picture),
        "the first of equals"
    );
    assert_eq!(reason(&[scan, text, text, text, text, text]), (1, None));
}
