//! Full-width and half-width forms of East Asian computing.

use std::borrow::Cow;

/// The katakana of U+FF66–FF9D in their usual width.
const KATAKANA: [char; 56] = [
    'ヲ', 'ァ', 'ィ', 'ゥ', 'ェ', 'ォ', 'ャ', 'ュ', 'ョ', 'ッ', 'ー', 'ア', 'イ', 'ウ', 'エ', 'オ',
    'カ', 'キ', 'ク', 'ケ', 'コ', 'サ', 'シ', 'ス', 'セ', 'ソ', 'タ', 'チ', 'ツ', 'テ', 'ト', 'ナ',
    'ニ', 'ヌ', 'ネ', 'ノ', 'ハ', 'ヒ', 'フ', 'ヘ', 'ホ', 'マ', 'ミ', 'ム', 'メ', 'モ', 'ヤ', 'ユ',
    'ヨ', 'ラ', 'リ', 'ル', 'レ', 'ロ', 'ワ', 'ン',
];

/// Gives letters, digits, punctuation and katakana their usual width: ＡＢＣ１ becomes ABC1, ｶﾞ
/// becomes ガ, the ideographic space a space. Everything else stays, unlike under NFKC, which also
/// takes apart ①, ㎏ and ﬁ.
///
/// ```
/// use corpus_text::normalize::unify_width;
///
/// assert_eq!(unify_width("Ｒｕｓｔ　ｶﾞｲﾄﾞ①"), "Rust ガイド①");
/// ```
pub fn unify_width(text: &str) -> Cow<'_, str> {
    if !text
        .chars()
        .any(|c| matches!(c, '\u{3000}' | '\u{ff01}'..='\u{ffee}'))
    {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let usual = match character {
            '\u{3000}' => ' ',
            '\u{ff01}'..='\u{ff5e}' => {
                char::from_u32(character as u32 - 0xff01 + 0x21).unwrap_or(character)
            }
            '\u{ff66}'..='\u{ff9d}' => {
                let katakana = KATAKANA[(character as u32 - 0xff66) as usize];
                match characters.peek().and_then(|mark| voiced(katakana, *mark)) {
                    Some(voiced) => {
                        characters.next();
                        voiced
                    }
                    None => katakana,
                }
            }
            '｡' => '。',
            '｢' => '「',
            '｣' => '」',
            '､' => '、',
            '･' => '・',
            'ﾞ' => '゛',
            'ﾟ' => '゜',
            '￠' => '¢',
            '￡' => '£',
            '￢' => '¬',
            '￣' => '¯',
            '￤' => '¦',
            '￥' => '¥',
            '￦' => '₩',
            other => other,
        };
        result.push(usual);
    }
    Cow::Owned(result)
}

/// The katakana with a half-width sound mark after it, if there is such a character.
fn voiced(katakana: char, mark: char) -> Option<char> {
    let offset = match (mark, katakana) {
        ('ﾞ', 'ウ') => return Some('ヴ'),
        ('ﾞ', 'ワ') => return Some('ヷ'),
        ('ﾞ', 'ヲ') => return Some('ヺ'),
        ('ﾞ', 'カ' | 'キ' | 'ク' | 'ケ' | 'コ' | 'サ' | 'シ' | 'ス' | 'セ' | 'ソ') => 1,
        ('ﾞ', 'タ' | 'チ' | 'ツ' | 'テ' | 'ト') => 1,
        ('ﾞ', 'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ') => 1,
        ('ﾟ', 'ハ' | 'ヒ' | 'フ' | 'ヘ' | 'ホ') => 2,
        _ => return None,
    };
    char::from_u32(katakana as u32 + offset)
}
