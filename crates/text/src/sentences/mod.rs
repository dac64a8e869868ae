//! Splits text of any language into sentences, by rules.
//!
//! A newline always ends a sentence. Within a line, terminal punctuation ends one, together with
//! closing quotes and brackets after it; but not inside 「…」 and （…）, after an abbreviation, an
//! initial or an ordinal number, or before a lower-case letter. List items within a line are
//! separate sentences.

mod items;

use std::iter::Peekable;
use std::ops::Range;

use self::items::Marker;
use crate::words::is_abbreviation;

/// The sentences of a text in their order, without white space around them.
///
/// ```
/// use corpus_text::sentences::sentences;
///
/// let text = "「行くの？」と聞いた。はい。 Dr. No paid $3.50. Why?";
/// let sentences: Vec<_> = sentences(text).collect();
/// assert_eq!(sentences, ["「行くの？」と聞いた。", "はい。", "Dr. No paid $3.50.", "Why?"]);
/// ```
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    crate::lines::universal(text)
        .flat_map(LineSentences::new)
        .filter(|sentence| !sentence.is_empty())
}

struct LineSentences<'a> {
    line: &'a str,
    /// The start of the next sentence.
    start: usize,
    /// The closed brackets after the current position, in order.
    brackets: Peekable<std::vec::IntoIter<Range<usize>>>,
    /// The marker of the latest list item, if the line starts with one.
    item: Option<Marker>,
}

impl<'a> LineSentences<'a> {
    fn new(line: &'a str) -> Self {
        Self {
            line,
            start: 0,
            brackets: closed_brackets(line).into_iter().peekable(),
            item: None,
        }
    }

    /// Skips the marker of a list item at the start of a sentence. Returns the number of bytes.
    fn skip_marker(&mut self) -> usize {
        let rest = &self.line[self.start..];
        let text = rest.trim_start();
        if self.start > 0 && self.item.is_none() {
            return 0;
        }
        match Marker::at_start(text) {
            Some(marker) if self.start == 0 || self.is_next(&marker) => {
                self.item = Some(marker);
                rest.len() - text.len() + marker.bytes
            }
            _ => 0,
        }
    }

    fn is_next(&self, marker: &Marker) -> bool {
        self.item.is_some_and(|item| marker.follows(&item))
    }

    /// Whether the next item of a list starts at a position.
    fn starts_item(&self, at: usize) -> bool {
        self.item.is_some()
            && Marker::at_start(&self.line[at..]).is_some_and(|marker| self.is_next(&marker))
    }

    /// The end of the bracket that opens at a position, if it is closed.
    fn bracket_end(&mut self, at: usize) -> Option<usize> {
        while self
            .brackets
            .next_if(|bracket| bracket.start < at)
            .is_some()
        {}
        let bracket = self.brackets.next_if(|bracket| bracket.start == at)?;
        Some(bracket.end)
    }

    /// The end of the next sentence.
    fn sentence_end(&mut self) -> usize {
        let line = self.line;
        let mut at = self.start + self.skip_marker();
        let mut words = Words::new(line, self.start, at);
        while let Some(character) = line[at..].chars().next() {
            let end = at + character.len_utf8();
            if opens_bracket(character)
                && let Some(end) = self.bracket_end(at)
            {
                at = end;
                continue;
            }
            if character.is_whitespace() {
                words.start_word(at, end);
                if self.starts_item(end) {
                    return end;
                }
            }
            if !is_terminal(character) && !is_terminal_of_script(character, &line[..at]) {
                at = end;
                continue;
            }
            // Further marks and closing quotes belong to the sentence.
            let closing = |c: char| is_terminal(c) || is_closing(c);
            let end = line.len() - line[end..].trim_start_matches(closing).len();
            let end = end + spaced_quote_bytes(&line[end..]);
            if is_wide(character) || words.end_at(at, character, end) {
                return end;
            }
            at = end;
        }
        line.len()
    }
}

impl<'a> Iterator for LineSentences<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.start == self.line.len() {
            return None;
        }
        let end = self.sentence_end();
        let sentence = &self.line[self.start..end];
        self.start = end;
        Some(sentence.trim())
    }
}

fn is_terminal(character: char) -> bool {
    matches!(character, '.' | '!' | '?') || is_wide(character)
}

/// Marks after which no space is needed.
fn is_wide(character: char) -> bool {
    matches!(
        character,
        '。' | '．'
            | '！'
            | '？'
            | '｡'
            | '⁇'
            | '⁈'
            | '⁉'
            | '‼'
            | '؟'
            | '۔'
            | '।'
            | '॥'
            | '።'
            | '፧'
            | '፨'
            | '។'
            | '៕'
            | '։'
            | '။'
    )
}

/// Whether a mark ends sentences in the script of the text before it: `;` is a question mark in
/// Greek, and `:` often replaces the Armenian full stop.
fn is_terminal_of_script(mark: char, before: &str) -> bool {
    let letters = match mark {
        ';' | '\u{37e}' => ['\u{370}'..='\u{3ff}', '\u{1f00}'..='\u{1fff}'],
        ':' => ['\u{531}'..='\u{556}', '\u{561}'..='\u{587}'],
        _ => return false,
    };
    let last = before.chars().next_back();
    last.is_some_and(|last| letters.iter().any(|letters| letters.contains(&last)))
}

fn is_closing(character: char) -> bool {
    matches!(
        character,
        '"' | '\''
            | '”'
            | '’'
            | '“'
            | '‘'
            | '»'
            | '«'
            | '›'
            | '‹'
            | ')'
            | ']'
            | '」'
            | '』'
            | '）'
            | '】'
            | '〉'
            | '》'
    )
}

/// The length of a space and a closing quotation mark at the start, as in French: `« Oui. »`. A
/// mark before a letter opens a quotation, as in German.
fn spaced_quote_bytes(text: &str) -> usize {
    let quote = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    match quote.strip_prefix('»') {
        Some(after) if quote.len() < text.len() && !after.starts_with(char::is_alphanumeric) => {
            text.len() - after.len()
        }
        _ => 0,
    }
}

/// The words around a mark of the Latin script.
struct Words<'a> {
    line: &'a str,
    /// The start of the sentence.
    sentence: usize,
    /// The word before the current one.
    previous: Range<usize>,
    /// The start of the current word.
    current: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a str, sentence: usize, current: usize) -> Self {
        Self {
            line,
            sentence,
            previous: sentence..sentence,
            current,
        }
    }

    /// Ends a word at white space and starts the next one.
    fn start_word(&mut self, end: usize, next: usize) {
        if end > self.current {
            self.previous = self.current..end;
        }
        self.current = next;
    }

    /// Whether a mark ends the sentence. `end` is the end of the marks and quotes after it.
    fn end_at(&self, mark_at: usize, mark: char, end: usize) -> bool {
        let rest = &self.line[end..];
        match rest.chars().next() {
            None => return true,
            Some(next) if !next.is_whitespace() => return false,
            Some(_) => {}
        }
        let rest = rest.trim_start();
        let Some(next) = rest.chars().next() else {
            return true;
        };
        // As in "Why? – she asked."
        let after_dash = rest.trim_start_matches(['-', '–', '—']).trim_start();
        // The dots of an ellipsis may have spaces between them.
        if after_dash.starts_with(char::is_lowercase) || next == '.' {
            return false;
        }
        mark != '.' || !self.is_abbreviated(mark_at, rest)
    }

    /// Whether the period at a position belongs to the word before it, given the text that follows.
    fn is_abbreviated(&self, period: usize, rest: &str) -> bool {
        let word = self.line[self.current..period]
            .trim_start_matches(|c: char| !c.is_alphanumeric() && c != '№');
        let next_end = rest.find(|c: char| c.is_whitespace() || c == ',');
        let next = &rest[..next_end.unwrap_or(rest.len())];
        if word.is_empty() {
            // `[...]` marks omitted words.
            return self.line[self.current..period].ends_with('[');
        }
        let before_number = rest.starts_with(|c: char| c.is_ascii_digit() || c == '№');
        if contains(TITLES, word)
            || is_abbreviation(word)
            || after_elision(word).is_some_and(|word| contains(TITLES, word))
        {
            return true;
        }
        if before_number && contains(BEFORE_NUMBERS, word) {
            return true;
        }
        if word.bytes().all(|b| b.is_ascii_digit()) {
            return self.is_ordinal(word, next);
        }
        let previous = &self.line[self.previous.clone()];
        if is_letter(word) {
            let in_chain = previous.strip_suffix('.').is_some_and(is_letter);
            let before_chain = next.strip_suffix('.').is_some_and(is_letter);
            // "и т. д." and "и т. п." mean "and so on".
            let may_end = matches!((previous, word), ("т.", "д" | "п")) || word == "г";
            return before_chain
                || (in_chain && !may_end)
                || !(may_end || contains(STARTERS, next));
        }
        // Names such as "U.S. Government" continue, but "in the U.S. How" does not.
        word.split('.').count() > 1 && word.split('.').all(is_letter) && !contains(STARTERS, next)
    }

    /// Whether a number with a period is an ordinal or the number of a list item.
    fn is_ordinal(&self, number: &str, next: &str) -> bool {
        let before = &self.line[self.sentence..self.current];
        let is_first = !before.contains(char::is_alphanumeric);
        let previous = &self.line[self.previous.clone()];
        let next = next.trim_end_matches(|c: char| !c.is_alphanumeric());
        number.len() <= 3
            && (is_first || contains(GERMAN_MONTHS, next) || contains(BEFORE_ORDINALS, previous))
    }
}

/// The word after an article that ends in an apostrophe: "Avv" of "l'Avv".
fn after_elision(word: &str) -> Option<&str> {
    word.split_once(['\'', '’']).map(|(_, word)| word)
}

fn is_letter(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_alphabetic) && characters.next().is_none()
}

/// Maximum number of characters in brackets. A bracket that closes later counts as unclosed.
const MAX_BRACKET_CHARACTERS: usize = 500;

const BRACKETS: [(char, char); 6] = [
    ('「', '」'),
    ('『', '』'),
    ('（', '）'),
    ('【', '】'),
    ('〈', '〉'),
    ('《', '》'),
];

/// Whether a character is an opening bracket.
fn opens_bracket(character: char) -> bool {
    BRACKETS.iter().any(|(open, _)| *open == character)
}

/// Returns the closed brackets of a line with their content, ordered by start. An unclosed bracket
/// does not hide others: in 「『a』, the second is closed.
fn closed_brackets(line: &str) -> Vec<Range<usize>> {
    let mut closed = Vec::new();
    if line.is_ascii() {
        return closed;
    }
    // The open brackets of each kind, each with its offset in bytes and in characters.
    let mut open: [Vec<(usize, usize)>; BRACKETS.len()] = Default::default();
    for (number, (at, character)) in line.char_indices().enumerate() {
        for (kind, (opening, closing)) in BRACKETS.iter().enumerate() {
            if character == *opening {
                open[kind].push((at, number));
            } else if character == *closing
                && let Some((start, first)) = open[kind].pop()
                && number - first <= MAX_BRACKET_CHARACTERS
            {
                closed.push(start..at + character.len_utf8());
            }
        }
    }
    closed.sort_unstable_by_key(|bracket| bracket.start);
    closed
}

/// Abbreviations before a name, a number or an example. Abbreviations that may end a sentence, such
/// as "Inc.", are not included.
#[rustfmt::skip]
const TITLES: &[&str] = &[
    "Adm", "Arq", "Av", "Avda", "Avv", "Bd", "Capt", "Cmdr", "Col", "Dipl.-Ing",
    "Dott", "Doç", "Dr", "Dra", "Dña", "EE", "Excma", "Excmo", "Exma", "Exmo", "Fr", "Gen",
    "Geom", "Gov", "Hon", "Hr", "Hrsg", "Ing", "JUDr", "Lcda", "Lcdo", "Lic", "Lt", "MM",
    "MUDr", "MVDr", "Maj", "Messrs", "Mgr", "Mlle", "Mme", "Mr", "Mrs", "Ms", "Mt", "PaedDr",
    "PhDr", "Prof", "RNDr", "Rep", "Rev", "Sen", "Sgt", "Sig", "Sigg", "Skt", "Sn", "Sr", "Sra",
    "Srta", "St", "Sta", "Sto", "Ud", "Uds", "Univ.-Prof", "Vd", "bijv", "bkz", "bl.a", "bspw",
    "bv", "bzgl", "bzw", "ca", "cf", "chap", "d.h", "d.w.z", "dhr", "dr", "drs", "e.g", "ev",
    "evtl", "f.eks", "geb", "ggf", "hab", "i.d.R", "i.e", "i.p.v", "inkl", "insb", "inż", "ir",
    "jf", "kb", "ks", "m.in", "mevr", "mgr", "mw", "napr", "např", "np", "o.a", "o.g", "p.ex",
    "pl", "prof", "psicol", "pág", "págs", "resp", "sog", "t.ex", "tj", "tzn", "tzv", "tzw",
    "u.U", "u.a", "ul", "vgl", "vs", "z.B", "z.T", "z.Zt", "éd", "ún", "św", "Δρ", "βλ", "δηλ",
    "π.χ", "Пл", "акад", "вкл", "гл", "доц", "им", "напр", "обл", "пгт", "пер", "пл", "просп",
    "проф", "рис", "св", "см", "стр", "т.е", "т.к", "тов", "ул",
];

/// Abbreviations that do not end a sentence before a number, such as names of months.
#[rustfmt::skip]
const BEFORE_NUMBERS: &[&str] = &[
    "Abb", "Abr", "Abs", "Ago", "Apr", "Art", "Aug", "Bl", "Cap", "Ch", "Dec", "Dez", "Dic",
    "Ed", "Ene", "Eq", "Eqs", "Feb", "Fig", "Figs", "Fri", "Jan", "Jue", "Jul", "Jun",
    "Kap", "Lun", "Mar", "Mié", "Mon", "Mär", "No", "Nos", "Nov", "Nr", "Nrn", "N°", "Nº",
    "Núm", "Oct", "Okt", "Op", "P", "PP", "Rn", "Rz", "S", "Sat", "Sec", "Sect", "Sep", "Sept",
    "Sun", "Sáb", "Tab", "Thu", "Thur", "Thurs", "Tue", "Tues", "Vol", "Vols", "Wed",
    "Z", "Ziff", "abr", "ago", "approx", "apr", "art", "avr", "blz", "c", "ca", "cap", "ch",
    "dic", "déc", "ed", "ene", "eq", "feb", "fig", "figs", "févr", "gen", "gio", "giu",
    "janv", "jue", "juil", "lug", "lun", "mar", "mié", "no", "nos", "nov", "nr",
    "n°", "nº", "núm", "oct", "op", "ott", "p", "pag", "pp", "pár", "párr", "párrf",
    "sec", "sect", "sept", "str", "sáb", "vol", "vols", "Кв", "кв",
    "№",
];

/// Frequent first words of sentences, which seldom follow an initial or an abbreviation with
/// periods as part of a name.
#[rustfmt::skip]
const STARTERS: &[&str] = &[
    "A", "Aber", "Am", "An", "And", "Are", "As", "At", "Auch", "But", "Ce", "Cette", "Dann",
    "Dans", "Das", "De", "Den", "Der", "Det", "Did", "Die", "Diese", "Dieser", "Do", "Does",
    "Du", "Een", "Ein", "Eine", "El", "Ela", "Ele", "Eles", "Ella", "Elle", "Elles", "Ellos",
    "En", "Er", "Es", "Esta", "Este", "Et", "Gli", "Han", "He", "Her", "Here", "Het", "Heute",
    "Hij", "His", "How", "However", "Hun", "Hvad", "Hvem", "Hvor", "Hvordan", "I", "Ich", "If",
    "Il", "Ils", "Im", "In", "Is", "It", "Its", "Je", "Jeg", "Jetzt", "La", "Las", "Le", "Les",
    "Lo", "Los", "Ma", "Maar", "Mais", "Mas", "My", "Nous", "O", "On", "Os", "Our", "Pero",
    "Please", "Pour", "Questa", "Questo", "She", "Sie", "So", "That", "The", "Their", "Then",
    "There", "These", "They", "This", "Those", "Um", "Uma", "Un", "Una", "Und", "Une", "Vi",
    "Vous", "Was", "We", "Wenn", "Wer", "Were", "What", "When", "Where", "Who", "Why", "Wie",
    "Wij", "Wir", "Yo", "You", "Zij", "Вы", "Если", "Как", "Мы", "На", "Но", "Он", "Она", "Они",
    "Оно", "По", "Так", "Это",
];

/// Months that follow the day in German dates.
#[rustfmt::skip]
const GERMAN_MONTHS: &[&str] = &[
    "Apr", "April", "Aug", "August", "Dez", "Dezember", "Feb", "Februar", "Jan", "Januar",
    "Jul", "Juli", "Jun", "Juni", "Jänner", "Mai", "Mär", "März", "Nov", "November", "Okt",
    "Oktober", "Sep", "Sept", "September",
];

/// German words before an ordinal number, which is written with a period.
#[rustfmt::skip]
const BEFORE_ORDINALS: &[&str] = &[
    "Ab", "Am", "Beim", "Bis", "Das", "Dem", "Den", "Der", "Des", "Die", "Im", "Seit", "Vom",
    "Zum", "ab", "am", "beim", "bis", "das", "dem", "den", "der", "des", "die", "ein", "eine",
    "einem", "einen", "einer", "im", "jeden", "jeder", "seit", "und", "vom", "zum",
];

/// Whether a sorted list has a word.
fn contains(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

#[test]
fn lists_are_sorted() {
    for list in [
        TITLES,
        BEFORE_NUMBERS,
        STARTERS,
        GERMAN_MONTHS,
        BEFORE_ORDINALS,
    ] {
        assert!(list.is_sorted(), "{list:?}");
    }
}

#[cfg(test)]
mod tests;
