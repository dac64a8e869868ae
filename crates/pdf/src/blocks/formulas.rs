//! Finds formulas within lines: words in math fonts, and the words between them.

use std::ops::Range;

use corpus_blocks::tex::is_function;

use super::super::font_kinds::bare;
use super::super::model::StructureMarkKind;

/// Maximum number of words between two words in math fonts.
const MAX_WORDS_BETWEEN: usize = 6;
/// The minimum number of letters of a word, as opposed to a product of variables.
const MIN_WORD_LETTERS: usize = 2;
/// Maximum number of characters trimmed off a formula.
const MAX_TRIMMED_CHARACTERS: usize = 16;

/// A word of a line.
pub struct FormulaWord {
    /// The bytes of its text.
    pub range: Range<usize>,
    /// Whether most of its characters have a math font.
    pub is_formula: bool,
    /// Whether its first character has a math font.
    pub starts_formula: bool,
    /// The style of its first character.
    pub first_style: Option<u32>,
}

/// The alphabet of the capitals in a formula font, if they are not ordinary Latin letters.
pub fn alphabet(font: &str) -> Option<StructureMarkKind> {
    const STARTS: [(&str, StructureMarkKind); 9] = [
        ("cmsy", StructureMarkKind::Calligraphic),
        ("cmbsy", StructureMarkKind::Calligraphic),
        ("eusm", StructureMarkKind::Calligraphic),
        ("txsy", StructureMarkKind::Calligraphic),
        ("pxsy", StructureMarkKind::Calligraphic),
        ("lmmathsymbols", StructureMarkKind::Calligraphic),
        ("msbm", StructureMarkKind::Blackboard),
        ("bbm", StructureMarkKind::Blackboard),
        ("eufm", StructureMarkKind::Fraktur),
    ];
    let name = bare(font);
    let own = STARTS.iter().find(|(start, _)| name.starts_with(start));
    own.map(|(_, alphabet)| *alphabet)
}

/// Returns the formulas of a line, given its words and its superscripts and subscripts.
pub fn formulas(text: &str, parts: &[FormulaWord], scripts: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let kinds: Vec<FormulaWordKind> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| kind(text, part, scripts, index == 0))
        .collect();
    let (mut index, mut start) = (0, 0);
    while let Some(kind) = kinds.get(index) {
        if *kind != FormulaWordKind::Formula {
            index += 1;
            continue;
        }
        let last = last_of_formula(text, parts, &kinds, index);
        let first = first_of_formula(text, parts, &kinds, start..index);
        start = last + 1;
        if let (Some(first), Some(end)) = (parts.get(first), parts.get(last)) {
            let range = trim(text, first.range.start..end.range.end);
            let content = text.get(range.clone()).unwrap_or_default();
            if content.contains(char::is_alphabetic) {
                found.push(range);
            }
        }
        index = last + 1;
    }
    found
}

/// The role of a word in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormulaWordKind {
    Formula,
    /// A number, sign or name of a function, which may be a part of a formula.
    Neutral,
    Text,
}

fn kind(
    text: &str,
    part: &FormulaWord,
    scripts: &[Range<usize>],
    is_first: bool,
) -> FormulaWordKind {
    let word = text.get(part.range.clone()).unwrap_or_default();
    if is_mark(word) || (is_first && word.chars().all(|c| !c.is_alphanumeric())) {
        // A bullet or a footnote mark.
        return FormulaWordKind::Text;
    }
    if part.is_formula {
        return FormulaWordKind::Formula;
    }
    let has_words = has_words(text, part, scripts);
    if part.starts_formula && !has_words {
        return FormulaWordKind::Formula;
    }
    let is_article = matches!(word, "a" | "A" | "I");
    if has_words || is_article {
        FormulaWordKind::Text
    } else {
        FormulaWordKind::Neutral
    }
}

/// Whether a word consists of signs that mark items and footnotes.
fn is_mark(word: &str) -> bool {
    let is_mark = |c| {
        matches!(
            c,
            '•' | '◦' | '▪' | '■' | '□' | '†' | '‡' | '§' | '¶' | '©' | '∗'
        )
    };
    word.chars().all(is_mark)
}

/// Whether there are words other than names of functions in a word, outside of its scripts.
fn has_words(text: &str, part: &FormulaWord, scripts: &[Range<usize>]) -> bool {
    let mut at = part.range.start;
    let first = scripts.partition_point(|script| script.end <= at);
    let own = scripts.iter().skip(first);
    let own = own.take_while(|script| script.start < part.range.end);
    let ends = own.map(|script| (script.start, script.end));
    let ends = ends.chain(std::iter::once((part.range.end, part.range.end)));
    for (start, end) in ends {
        let base = text.get(at..start).unwrap_or_default();
        let mut words = base.split(|c: char| !c.is_alphabetic() || is_accent(c));
        if words.any(is_word) {
            return true;
        }
        at = end;
    }
    false
}

fn word_at<'t>(text: &'t str, parts: &[FormulaWord], index: usize) -> &'t str {
    let range = parts.get(index).map(|part| part.range.clone());
    range.and_then(|range| text.get(range)).unwrap_or_default()
}

/// Whether a word is the last one of its sentence.
fn ends_sentence(word: &str) -> bool {
    word.ends_with(['.', ';', ':', '?']) && word.contains(char::is_alphanumeric)
}

/// Returns the first word of the formula that ends with the range. Operators join words; accents
/// belong to their words.
fn first_of_formula(
    text: &str,
    parts: &[FormulaWord],
    kinds: &[FormulaWordKind],
    range: Range<usize>,
) -> usize {
    let mut first = range.end;
    while first > range.start {
        let (before, word) = (word_at(text, parts, first - 1), word_at(text, parts, first));
        let is_connected =
            before.ends_with(|c| is_operator(c) || is_accent(c)) || word.starts_with(is_operator);
        if kinds.get(first - 1) != Some(&FormulaWordKind::Neutral)
            || ends_sentence(before)
            || !is_connected
        {
            break;
        }
        first -= 1;
    }
    first
}

/// Whether letters are a word, rather than variables, a function or a differential.
fn is_word(letters: &str) -> bool {
    let is_latin = |c: char| !matches!(c, '\u{370}'..='\u{3ff}' | 'µ');
    let latin = letters.chars().filter(|c| is_latin(*c)).count();
    let is_differential = letters.starts_with('d') && letters.len() == 2 && letters != "do";
    let is_foreign = letters.chars().any(|c| is_latin(c) && !c.is_ascii());
    (latin >= MIN_WORD_LETTERS || is_foreign) && !is_function(letters) && !is_differential
}

/// Whether a character is an accent, which formulas draw before its letter.
fn is_accent(character: char) -> bool {
    matches!(character, '\u{2b0}'..='\u{2ff}' | '\u{300}'..='\u{36f}' | '¨' | '¯')
}

/// The last word of the formula that starts with a word.
fn last_of_formula(
    text: &str,
    parts: &[FormulaWord],
    kinds: &[FormulaWordKind],
    first: usize,
) -> usize {
    let word = |index: usize| word_at(text, parts, index);
    let kind = |index: usize| kinds.get(index).copied().unwrap_or(FormulaWordKind::Text);
    let ends = |index: usize| ends_sentence(word(index));
    let mut last = first;
    loop {
        if ends(last) {
            return last;
        }
        let mut next = last + 1;
        while next - last <= MAX_WORDS_BETWEEN
            && kind(next) == FormulaWordKind::Neutral
            && !ends(next)
        {
            next += 1;
        }
        if kind(next) != FormulaWordKind::Formula {
            break;
        }
        last = next;
    }
    // The word after an operator belongs to it, and so does a closing bracket.
    let mut depth = (first..=last).map(|index| depth(word(index))).sum::<i32>();
    while kind(last + 1) == FormulaWordKind::Neutral && !ends(last) {
        let next = word(last + 1);
        let closes = depth > 0 && next.starts_with([')', ']', '}']);
        if !(closes || next.starts_with(is_operator) || word(last).ends_with(is_operator)) {
            break;
        }
        depth += self::depth(next);
        last += 1;
    }
    last
}

/// The number of brackets that a word opens and does not close.
fn depth(word: &str) -> i32 {
    let of = |c| match c {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    };
    word.chars().map(of).sum()
}

fn is_operator(character: char) -> bool {
    matches!(
        character,
        '=' | '+' | '−' | '<' | '>' | '×' | '·' | '±' | '∓' | '/'
    ) || matches!(character, '\u{2190}'..='\u{21ff}' | '\u{2200}'..='\u{2235}' | '\u{2237}'..='\u{22ff}')
}

/// Trims surrounding punctuation and unmatched brackets.
fn trim(text: &str, mut range: Range<usize>) -> Range<usize> {
    for _ in 0..MAX_TRIMMED_CHARACTERS {
        let content = text.get(range.clone()).unwrap_or_default();
        let count = |sign: char| content.chars().filter(|c| *c == sign).count();
        let is_lone = |opening, closing, is_opening: bool| {
            let (opening, closing) = (count(opening), count(closing));
            if is_opening {
                opening > closing
            } else {
                closing > opening
            }
        };
        let is_cut = |c: char, is_start: bool| match c {
            '(' | ')' => is_lone('(', ')', is_start) && (c == '(') == is_start,
            '[' | ']' => is_lone('[', ']', is_start) && (c == '[') == is_start,
            '{' | '}' => is_lone('{', '}', is_start) && (c == '{') == is_start,
            _ => matches!(
                c,
                '.' | ',' | ';' | ':' | '!' | '?' | '“' | '”' | '‘' | '"' | '—' | '–' | '-'
            ),
        };
        let first = content.chars().next().filter(|c| is_cut(*c, true));
        let last = content.chars().next_back().filter(|c| is_cut(*c, false));
        match (first, last) {
            (Some(first), _) => range.start += first.len_utf8(),
            (None, Some(last)) => range.end -= last.len_utf8(),
            (None, None) => break,
        }
        while text.as_bytes().get(range.start) == Some(&b' ') && range.start < range.end {
            range.start += 1;
        }
        while range.start < range.end && text.as_bytes().get(range.end - 1) == Some(&b' ') {
            range.end -= 1;
        }
    }
    range
}
