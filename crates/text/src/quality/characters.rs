//! Gopher's rules in terms of characters, for scripts without spaces between words.
//!
//! [`CHARACTERS_PER_WORD`](crate::repetition::CHARACTERS_PER_WORD) characters count as a word.
//! Rules that need English (stop words, word length) are replaced by rules about sentences, letters
//! and short lines.

use super::{broken_names, share};
use crate::characters::{Class, class};
use crate::lines::universal;
use crate::properties::ends_sentence;
use crate::repetition::{
    Duplicates, NgramCounts, count_character_ngrams, line_duplicates, paragraph_duplicates,
};

/// Lines of up to this many characters are short.
const SHORT_LINE_CHARACTERS: u64 = 10;

/// The measures of the rules. White space does not count as characters.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Characters {
    pub characters: u64,
    /// The mean length of sentences, which end with terminal punctuation or a line end.
    pub mean_sentence_length: f64,
    /// The share of letters of any script.
    pub letters: f64,
    /// The share of hiragana among the letters.
    pub hiragana: f64,
    /// The share of katakana among the letters.
    pub katakana: f64,
    /// The share of digits and symbols.
    pub digits_and_symbols: f64,
    /// The share of letters whose script has terminal punctuation: all but Thai and Lao.
    pub punctuated_script: f64,
    /// Lines that are not blank.
    pub lines: u64,
    /// The share of these that end with terminal punctuation, closing brackets after it included.
    pub punctuated_lines: f64,
    /// The share of these with at most 10 characters.
    pub short_lines: f64,
    /// The share of these that start with a bullet such as `・`.
    pub bullet_lines: f64,
    /// The share of these that end with an ellipsis.
    pub ellipsis_lines: f64,
    /// The share of paragraphs that occurred before.
    pub duplicate_paragraphs: f64,
    pub duplicate_paragraph_characters: f64,
    /// The share of lines that occurred before.
    pub duplicate_lines: f64,
    pub duplicate_line_characters: f64,
    /// The share of characters in the most frequent sequence of 4, 6 and 8 characters.
    pub top_ngrams: [f64; 3],
    /// The share of characters in sequences of 10, 12, 14, 16, 18 and 20 characters that occurred
    /// before.
    pub duplicate_ngrams: [f64; 6],
}

/// Counts of lines and their characters.
#[derive(Default)]
struct Counts {
    characters: u64,
    sentences: u64,
    letters: u64,
    hiragana: u64,
    katakana: u64,
    digits_and_symbols: u64,
    unpunctuated_script: u64,
    lines: u64,
    punctuated: u64,
    short: u64,
    bullets: u64,
    ellipses: u64,
}

/// Measures a text.
pub fn characters(text: &str) -> Characters {
    let mut counts = Counts::default();
    for line in universal(text) {
        counts.add(line.trim());
    }
    let paragraphs = paragraph_duplicates(text);
    let lines = line_duplicates(text);
    let ngrams = count_character_ngrams(text);
    counts.finish(&paragraphs, &lines, &ngrams)
}

impl Counts {
    fn add(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        let before = self.characters;
        let mut in_sentence = false;
        for character in line.chars() {
            let is_end = ends_sentence(character);
            let class = class(character);
            if class == Class::Space {
                continue;
            }
            self.characters += 1;
            match class {
                Class::Hiragana => self.hiragana += 1,
                Class::Katakana => self.katakana += 1,
                Class::Digit | Class::Symbol => self.digits_and_symbols += 1,
                _ => {}
            }
            if is_letter(class) {
                self.letters += 1;
                in_sentence = true;
                // Thai and Lao.
                let is_unpunctuated = matches!(character, '\u{e00}'..='\u{eff}');
                self.unpunctuated_script += u64::from(is_unpunctuated);
            }
            if is_end && in_sentence {
                self.sentences += 1;
                in_sentence = false;
            }
        }
        self.sentences += u64::from(in_sentence);
        self.lines += 1;
        self.short += u64::from(self.characters - before <= SHORT_LINE_CHARACTERS);
        self.bullets += u64::from(line.starts_with(is_bullet));
        let is_ellipsis = ends_with_ellipsis(line);
        self.ellipses += u64::from(is_ellipsis);
        let end = line.trim_end_matches(closes);
        self.punctuated += u64::from(!is_ellipsis && end.ends_with(ends_sentence));
    }

    fn finish(
        &self,
        paragraphs: &Duplicates,
        lines: &Duplicates,
        ngrams: &NgramCounts,
    ) -> Characters {
        let of_characters = |part| share(part, self.characters);
        let of_letters = |part| share(part, self.letters);
        let of_lines = |part| share(part, self.lines);
        Characters {
            characters: self.characters,
            mean_sentence_length: share(self.characters, self.sentences.max(1)),
            letters: of_characters(self.letters),
            hiragana: of_letters(self.hiragana),
            katakana: of_letters(self.katakana),
            digits_and_symbols: of_characters(self.digits_and_symbols),
            punctuated_script: of_letters(self.letters - self.unpunctuated_script),
            lines: self.lines,
            punctuated_lines: of_lines(self.punctuated),
            short_lines: of_lines(self.short),
            bullet_lines: of_lines(self.bullets),
            ellipsis_lines: of_lines(self.ellipses),
            duplicate_paragraphs: paragraphs.share(),
            duplicate_paragraph_characters: of_characters(paragraphs.repeated_characters).min(1.0),
            duplicate_lines: lines.share(),
            duplicate_line_characters: of_characters(lines.repeated_characters).min(1.0),
            top_ngrams: ngrams.top_characters.map(of_characters),
            duplicate_ngrams: ngrams.duplicate_characters.map(of_characters),
        }
    }
}

fn is_letter(class: Class) -> bool {
    matches!(
        class,
        Class::Letter | Class::Hiragana | Class::Katakana | Class::Han | Class::Hangul
    )
}

fn is_bullet(character: char) -> bool {
    matches!(
        character,
        '-' | '*'
            | '•'
            | '·'
            | '・'
            | '●'
            | '○'
            | '◎'
            | '■'
            | '□'
            | '◆'
            | '◇'
            | '▪'
            | '※'
            | '★'
            | '☆'
    )
}

fn ends_with_ellipsis(line: &str) -> bool {
    ["...", "…", "‥", "。。", "・・"]
        .iter()
        .any(|ellipsis| line.ends_with(ellipsis))
}

/// Whether a character closes a quotation or a bracket.
fn closes(character: char) -> bool {
    matches!(
        character,
        '」' | '』' | '）' | '】' | '〉' | '》' | '〕' | '］' | ')' | ']' | '"' | '\'' | '”' | '’'
    )
}

/// The thresholds. Thresholds that exist in Gopher and FineWeb are taken from there, converted from
/// words to characters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CharacterRules {
    /// Corresponds to Gopher's 50 words; the maximum corresponds to 100,000 words.
    pub min_characters: u64,
    pub max_characters: u64,
    pub min_mean_sentence_length: f64,
    /// Applies to scripts with terminal punctuation.
    pub max_mean_sentence_length: f64,
    pub min_letters: f64,
    pub max_katakana: f64,
    pub max_digits_and_symbols: f64,
    /// Applies to scripts with terminal punctuation.
    pub min_punctuated_lines: f64,
    pub max_short_lines: f64,
    pub max_bullet_lines: f64,
    pub max_ellipsis_lines: f64,
    pub max_duplicate_paragraphs: f64,
    pub max_duplicate_paragraph_characters: f64,
    pub max_duplicate_lines: f64,
    pub max_duplicate_line_characters: f64,
    pub max_top_ngrams: [f64; 3],
    pub max_duplicate_ngrams: [f64; 6],
}

impl Default for CharacterRules {
    fn default() -> Self {
        Self {
            min_characters: 100,
            max_characters: 200_000,
            min_mean_sentence_length: 8.0,
            max_mean_sentence_length: 200.0,
            min_letters: 0.7,
            max_katakana: 0.5,
            max_digits_and_symbols: 0.2,
            min_punctuated_lines: 0.12,
            max_short_lines: 0.67,
            max_bullet_lines: 0.9,
            max_ellipsis_lines: 0.3,
            max_duplicate_paragraphs: 0.3,
            max_duplicate_paragraph_characters: 0.2,
            max_duplicate_lines: 0.3,
            max_duplicate_line_characters: 0.2,
            max_top_ngrams: [0.2, 0.18, 0.16],
            max_duplicate_ngrams: [0.15, 0.14, 0.13, 0.12, 0.11, 0.1],
        }
    }
}

const TOP_NAMES: [&str; 3] = ["top_4_characters", "top_6_characters", "top_8_characters"];
const DUPLICATE_NAMES: [&str; 6] = [
    "duplicated_10_characters",
    "duplicated_12_characters",
    "duplicated_14_characters",
    "duplicated_16_characters",
    "duplicated_18_characters",
    "duplicated_20_characters",
];

impl CharacterRules {
    /// The repetition rules that a text breaks.
    pub fn broken_repetition(&self, text: &Characters) -> impl Iterator<Item = &'static str> {
        let parts = [
            (
                text.duplicate_paragraphs > self.max_duplicate_paragraphs,
                "duplicate_paragraphs",
            ),
            (
                text.duplicate_paragraph_characters > self.max_duplicate_paragraph_characters,
                "duplicate_paragraph_characters",
            ),
            (
                text.duplicate_lines > self.max_duplicate_lines,
                "duplicate_lines",
            ),
            (
                text.duplicate_line_characters > self.max_duplicate_line_characters,
                "duplicate_line_characters",
            ),
        ];
        let top: [_; 3] = std::array::from_fn(|at| {
            let is_broken = text.top_ngrams[at] > self.max_top_ngrams[at];
            (is_broken, TOP_NAMES[at])
        });
        let duplicate: [_; 6] = std::array::from_fn(|at| {
            let is_broken = text.duplicate_ngrams[at] > self.max_duplicate_ngrams[at];
            (is_broken, DUPLICATE_NAMES[at])
        });
        broken_names(parts)
            .chain(broken_names(top))
            .chain(broken_names(duplicate))
    }

    /// The other rules that a text breaks.
    pub fn broken_quality(&self, text: &Characters) -> impl Iterator<Item = &'static str> {
        let is_punctuated = text.punctuated_script > 0.5;
        broken_names([
            (text.characters < self.min_characters, "too_short"),
            (text.characters > self.max_characters, "too_long"),
            (
                text.mean_sentence_length < self.min_mean_sentence_length,
                "short_sentences",
            ),
            (
                is_punctuated && text.mean_sentence_length > self.max_mean_sentence_length,
                "long_sentences",
            ),
            (text.letters < self.min_letters, "few_letters"),
            (text.katakana > self.max_katakana, "many_katakana"),
            (
                text.digits_and_symbols > self.max_digits_and_symbols,
                "many_digits_and_symbols",
            ),
            (
                is_punctuated && text.punctuated_lines < self.min_punctuated_lines,
                "few_punctuated_lines",
            ),
            (text.short_lines > self.max_short_lines, "many_short_lines"),
            (
                text.bullet_lines > self.max_bullet_lines,
                "many_bullet_lines",
            ),
            (
                text.ellipsis_lines > self.max_ellipsis_lines,
                "many_ellipsis_lines",
            ),
        ])
    }

    /// All rules that a text breaks: repetition first, as in the pipeline of FineWeb.
    pub fn broken(&self, text: &Characters) -> impl Iterator<Item = &'static str> {
        self.broken_repetition(text)
            .chain(self.broken_quality(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "港町の朝は、魚を運ぶ小さなトラックの音で始まります。市場の人たちは四時に起きて、船が戻るのを待ちます。\
        私がこの町に引っ越してきたのは、三年前の春でした。\nはじめのうちは、言葉の調子が強くて、怒られているように感じました。\
        けれども、同じ店で味噌汁を飲んでいるうちに、それが親しみ方なのだと分かりました。";

    fn broken(text: &str) -> Vec<&'static str> {
        CharacterRules::default()
            .broken(&characters(text))
            .collect()
    }

    #[test]
    fn a_good_text_breaks_no_rule() {
        assert_eq!(broken(GOOD), [] as [&str; 0], "{:?}", characters(GOOD));
        let measured = characters(GOOD);
        assert_eq!(measured.lines, 2);
        assert_eq!(measured.punctuated_lines, 1.0);
        assert!(measured.hiragana > 0.4 && measured.katakana < 0.1);
    }

    #[test]
    fn each_rule_can_be_broken() {
        let numbered =
            |text: fn(usize) -> String, count| (0..count).map(text).collect::<Vec<_>>().join("\n");
        let cases: [(String, &str); 14] = [
            ("短い文です。".to_owned(), "too_short"),
            (GOOD.repeat(1500), "too_long"),
            (
                numbered(|n| format!("項目{n}です。"), 30),
                "short_sentences",
            ),
            (GOOD.repeat(2).replace(['。', '\n'], "、"), "long_sentences"),
            (
                numbered(|n| format!("「、」、（{n}）字"), 30),
                "few_letters",
            ),
            ("カタカナバカリノテキスト。".repeat(20), "many_katakana"),
            (
                numbered(|n| format!("{}円 → {n}円", n * 17), 30),
                "many_digits_and_symbols",
            ),
            (GOOD.replace('。', "、"), "few_punctuated_lines"),
            (numbered(|n| format!("第{n}章"), 30), "many_short_lines"),
            (
                numbered(|n| format!("・{n}番目の項目"), 30),
                "many_bullet_lines",
            ),
            (
                numbered(|n| format!("続きは{n}番目を読む…"), 30),
                "many_ellipsis_lines",
            ),
            ([GOOD; 3].join("\n\n"), "duplicate_paragraphs"),
            ([GOOD; 3].join("\n"), "duplicate_lines"),
            ([GOOD; 2].concat(), "duplicated_20_characters"),
        ];
        for (text, rule) in cases {
            let broken = broken(&text);
            assert!(broken.contains(&rule), "{rule}: {broken:?}");
        }
        assert!(broken(&"同じ言葉".repeat(40)).contains(&"top_4_characters"));
    }

    #[test]
    fn thai_needs_no_terminal_punctuation() {
        let text = "ตลาดเช้าของหมู่บ้านเปิดตั้งแต่ตีห้า ชาวบ้านนำผักและผลไม้จากสวนของตัวเองมาวางขายริมถนน\n\
            คุณยายของฉันขายขนมอยู่ที่นั่นมานานกว่าสามสิบปี ท่านตื่นตั้งแต่ตีสองเพื่อขูดมะพร้าวและนึ่งแป้ง";
        assert_eq!(broken(text), [] as [&str; 0]);
    }

    #[test]
    fn measures_of_hostile_texts_are_finite() {
        for part in [
            "",
            "\0",
            "\u{fffd}",
            "a",
            "あ",
            "\n",
            "。",
            "🙂",
            "\u{202e}あ",
            " \u{3000}",
        ] {
            for text in [part.to_owned(), part.repeat(5000)] {
                let measured = characters(&text);
                assert!(measured.mean_sentence_length.is_finite(), "{part:?}");
                for share in [
                    measured.letters,
                    measured.short_lines,
                    measured.duplicate_line_characters,
                    measured.duplicate_ngrams[0],
                ] {
                    assert!((0.0..=1.0).contains(&share), "{part:?} {measured:?}");
                }
            }
        }
    }
}
