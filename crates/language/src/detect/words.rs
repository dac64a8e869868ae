//! Extracts the words from which a language is detected: the words in the main script, in lower
//! case.

use corpus_bytes::step_counter::count_steps;

use super::script::Script;

/// Maximum number of letters in a word. Longer ones are keys, encoded data or fillers, except in
/// scripts without spaces.
const MAX_LETTERS: usize = 40;

/// The number of letters in each script, by their weights.
#[derive(Clone)]
pub(super) struct Counts([usize; Script::ALL.len()]);

impl Counts {
    pub fn new() -> Self {
        Self([0; Script::ALL.len()])
    }

    /// Counts the letters of a text. Letters in addresses and the like count only if `all` is set.
    pub fn add(&mut self, text: &str, all: bool) {
        for token in tokens(text, all) {
            for character in token.chars() {
                if let Some(script) = Script::of(character) {
                    self.0[script as usize] += script.weight();
                }
            }
        }
    }

    pub fn of(&self, script: Script) -> usize {
        self.0[script as usize]
    }

    /// Returns the script with the greatest weight; Latin letters count less. Han with kana counts
    /// as Japanese.
    pub fn main(&self) -> Option<Script> {
        let (kana, han) = (self.of(Script::Kana), self.of(Script::Han));
        let mut joined = self.clone();
        if kana > 0 && kana * MAX_LETTERS_PER_KANA >= kana + han {
            joined.0[Script::Kana as usize] += han;
            joined.0[Script::Han as usize] = 0;
        } else {
            joined.0[Script::Han as usize] += kana;
            joined.0[Script::Kana as usize] = 0;
        }
        let counted = Script::ALL
            .iter()
            .map(|script| (joined.evidence(*script), *script));
        let (count, main) = counted.rev().max_by_key(|(count, _)| *count)?;
        (count > 0).then_some(main)
    }

    /// The share of a script in the evidence. For Japanese, this includes Han.
    pub fn share(&self, script: Script) -> f32 {
        let own = match script {
            Script::Kana | Script::Han => self.evidence(Script::Kana) + self.evidence(Script::Han),
            script => self.evidence(script),
        };
        let all: usize = Script::ALL
            .iter()
            .map(|script| self.evidence(*script))
            .sum();
        own as f32 / all.max(1) as f32
    }

    /// The weight of the letters of a script when scripts are compared. Pages in any script have
    /// menus, notices and brand names in Latin letters; pages in Latin letters have few words in
    /// others.
    fn evidence(&self, script: Script) -> usize {
        match script {
            Script::Latin => self.of(script),
            _ => self.of(script) * LATIN_PER_LETTER,
        }
    }
}

/// The number of Latin letters that weigh as much as one letter of another script.
const LATIN_PER_LETTER: usize = 4;

/// A text is Japanese if at least one in this many of its kana and Han, by weight, is kana. Fewer
/// kana may be Japanese names on a Chinese page.
const MAX_LETTERS_PER_KANA: usize = 20;

/// Appends the words in a script to `out`, separated by spaces. Addresses, file names and the like
/// are included only if `all` is set.
pub(super) fn append(text: &str, script: Script, all: bool, out: &mut String) {
    for token in tokens(text, all) {
        let start = out.len();
        let letters = append_token(token, script, out);
        if letters > MAX_LETTERS && script != Script::Han && !all {
            out.truncate(start);
        }
    }
}

fn tokens(text: &str, all: bool) -> impl Iterator<Item = &str> {
    count_steps(text.len());
    text.split_ascii_whitespace()
        .filter(move |token| all || !is_code(token))
}

/// Appends the words of a token. Returns the number of letters in the longest one.
fn append_token(token: &str, script: Script, out: &mut String) -> usize {
    let (mut letters, mut longest) = (0, 0);
    for character in token.chars() {
        if Script::of(character) == Some(script) {
            letters += 1;
            longest = longest.max(letters);
            if character.is_ascii() {
                out.push(character.to_ascii_lowercase());
            } else {
                out.extend(character.to_lowercase());
            }
        } else if letters > 0 && !is_invisible(character) {
            out.push(' ');
            letters = 0;
        }
    }
    if letters > 0 {
        out.push(' ');
    }
    longest
}

/// Whether a character inside a word does not end it: combining accents, joiners, soft hyphens.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{2060}')
}

/// Whether a token is an address, a path, a key or a number.
fn is_code(token: &str) -> bool {
    // Most tokens have no such mark at all.
    let kinds = token
        .bytes()
        .fold(0, |kinds, byte| kinds | KINDS[usize::from(byte)]);
    if kinds != CODE {
        return false;
    }
    let word = token.trim_end_matches(['.', ',', ':', ';', '!', '?', ')']);
    word.bytes().any(|byte| KINDS[usize::from(byte)] == CODE)
}

/// A mark of addresses, paths, keys and numbers.
const CODE: u8 = 1;
const BEYOND_ASCII: u8 = 2;

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        kinds[byte] = match byte as u8 {
            b'/' | b'@' | b'_' | b'=' | b'\\' | b'.' | b'0'..=b'9' => CODE,
            0x80.. => BEYOND_ASCII,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, script: Script) -> String {
        let mut out = String::new();
        append(text, script, false, &mut out);
        out
    }

    #[test]
    fn words_are_lower_case_letters_of_one_script() {
        let text = "L'Été, à l’ÉCOLE: Привет 日本 x2 soft\u{ad}ware";
        assert_eq!(words(text, Script::Latin), "l été à l école software ");
        assert_eq!(words(text, Script::Cyrillic), "привет ");
        assert_eq!(words(text, Script::Han), "日本 ");
    }

    #[test]
    fn addresses_and_keys_are_no_words() {
        let text = "See https://example.org/path or a@b.org, file.txt: key=value. MAX_SIZE end.";
        assert_eq!(words(text, Script::Latin), "see or end ");
        let mut all = String::new();
        append("www.example.org", Script::Latin, true, &mut all);
        assert_eq!(all, "www example org ");
        assert_eq!(words(&"x".repeat(50), Script::Latin), "");
    }

    #[test]
    fn the_main_script_has_the_greatest_weight() {
        let main = |text| {
            let mut counts = Counts::new();
            counts.add(text, false);
            counts.main()
        };
        assert_eq!(main("abcdefghijklm где"), Some(Script::Latin));
        assert_eq!(main("abc где ё"), Some(Script::Cyrillic));
        assert_eq!(main("XML文書を読む"), Some(Script::Kana));
        assert_eq!(main("Unicode 标准文字处理"), Some(Script::Han));
        assert_eq!(main("123 €"), None);
        assert_eq!(main("где www.example.com/index"), Some(Script::Cyrillic));
    }
}
