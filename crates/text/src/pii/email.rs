//! Finds e-mail addresses, including international and full-width ones.

use std::ops::Range;

use super::fold::{after, before};

const MAX_LOCAL_CHARACTERS: usize = 64;
/// Maximum length of a local part in a script without spaces. A longer one is a sentence.
const MAX_UNSPACED_LOCAL_CHARACTERS: usize = 10;
const MAX_DOMAIN_CHARACTERS: usize = 253;

/// Top-level domains in scripts without spaces, after which the text may continue without a space.
const UNSPACED_TOP_LEVELS: [&str; 34] = [
    "中国",
    "中國",
    "公司",
    "网络",
    "網絡",
    "网址",
    "网店",
    "网站",
    "香港",
    "台湾",
    "台灣",
    "澳門",
    "澳门",
    "新加坡",
    "商城",
    "商店",
    "商标",
    "集团",
    "在线",
    "中文网",
    "中信",
    "广东",
    "佛山",
    "我爱你",
    "政务",
    "公益",
    "广告",
    "移动",
    "みんな",
    "コム",
    "ストア",
    "クラウド",
    "ไทย",
    "คอม",
];

/// The scripts that parts of an address are written in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    /// Another script whose words have spaces around them.
    Spaced,
    Unspaced,
}

fn script(character: char) -> Option<Script> {
    match character {
        _ if character.is_ascii_alphanumeric() => Some(Script::Latin),
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{20000}'..='\u{3ffff}' => Some(Script::Unspaced),
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' if character.is_alphabetic() => {
            Some(Script::Latin)
        }
        // Vowel signs of Indian scripts are not letters in Unicode.
        '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' => Some(Script::Spaced),
        _ if character.is_alphanumeric() => Some(Script::Spaced),
        _ => None,
    }
}

/// The range of the address around an at sign.
pub fn around(text: &str, at: Range<usize>) -> Option<Range<usize>> {
    let start = local_start(text, at.start)?;
    let end = domain_end(text, at.end)?;
    Some(start..end)
}

fn local_start(text: &str, at: usize) -> Option<usize> {
    let (last, _) = before(text, at)?;
    let own = script(last).or_else(|| is_local_mark(last).then_some(Script::Latin))?;
    let most = match own {
        Script::Unspaced => MAX_UNSPACED_LOCAL_CHARACTERS,
        _ => MAX_LOCAL_CHARACTERS,
    };
    let mut start = at;
    // The earliest letter or digit of the local part.
    let mut first = None;
    for _ in 0..most {
        let Some((character, offset)) = before(text, start) else {
            break;
        };
        match script(character) {
            Some(other) if other == own || character.is_ascii_digit() => first = Some(offset),
            None if is_local_mark(character) => {}
            _ => break,
        }
        start = offset;
    }
    first.filter(|_| last != '.')
}

fn is_local_mark(character: char) -> bool {
    ".!#$%&'*+/=?^_`{|}~-".contains(character)
}

/// The end of the domain, which has at least one dot and a top level of letters.
fn domain_end(text: &str, start: usize) -> Option<usize> {
    let mut label = label(text, start)?;
    let mut labels = 1;
    let mut characters = label.characters;
    while let Some(('.', next)) = after(text, label.end)
        && let Some(following) = self::label(text, next)
    {
        label = following;
        labels += 1;
        characters += 1 + label.characters;
        if characters > MAX_DOMAIN_CHARACTERS {
            return None;
        }
    }
    // The last label is the top level.
    label.top_level_end.filter(|_| labels > 1)
}

/// A part of a domain.
struct Label {
    characters: usize,
    end: usize,
    /// Its end if it can be the top level: it has at least two characters and does not start with
    /// digits.
    top_level_end: Option<usize>,
}

/// The label at an offset: letters of one script, digits and inner hyphens.
fn label(text: &str, start: usize) -> Option<Label> {
    let (first, _) = after(text, start)?;
    let own = script(first)?;
    let mut at = start;
    let mut end = start;
    let mut characters = 0;
    while let Some((character, next)) = after(text, at) {
        match script(character) {
            Some(other) if other == own || character.is_ascii_digit() => end = next,
            None if character == '-' => {}
            _ => break,
        }
        at = next;
        characters += 1;
        if characters > MAX_DOMAIN_CHARACTERS {
            return None;
        }
    }
    let label = &text[start..end];
    let top_level_end = match own {
        Script::Unspaced => {
            let known = UNSPACED_TOP_LEVELS.iter();
            let longest = known
                .filter(|top| label.starts_with(**top))
                .map(|top| top.len());
            longest.max().map(|length| start + length)
        }
        _ => (!first.is_ascii_digit() && label.chars().nth(1).is_some()).then_some(end),
    };
    Some(Label {
        characters,
        end,
        top_level_end,
    })
}
