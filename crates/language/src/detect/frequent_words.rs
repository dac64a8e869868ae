//! Detects languages that the model has not learned, by their most frequent words.

use corpus_bytes::step_counter::count_steps;

use super::model::Candidate;
use super::script::Script;

/// A language and the evidence for it.
struct FrequentWords {
    language: &'static str,
    words: &'static [&'static str],
    /// The languages that the model reports instead; any language if empty.
    taken_for: &'static [&'static str],
    /// A letter that is unique to the language within its script, if any.
    letter: Option<char>,
}

const RULES: [FrequentWords; 2] = [
    FrequentWords {
        language: "sw",
        words: &[
            "na", "ya", "wa", "kwa", "ni", "katika", "la", "za", "cha", "kuwa", "hii", "kama",
            "hiyo", "au", "pia", "yake", "wake", "yao", "wao", "lakini", "huo", "bila", "kwamba",
            "baada", "ambayo", "ambao", "hivyo", "sana", "watu", "si", "hilo", "huu", "hizi",
            "yangu", "wangu", "yetu", "wetu", "moja", "wakati", "kila", "hapa", "sasa", "leo",
            "mimi", "wewe", "yeye", "sisi", "nini", "ndiyo", "hapana",
        ],
        taken_for: &[
            "rw", "xh", "zu", "sn", "st", "tn", "ny", "ln", "lg", "rn", "ss", "ts", "ve", "nso",
            "id", "ms",
        ],
        letter: None,
    },
    FrequentWords {
        language: "mt",
        words: &[
            "u", "li", "ta", "il", "l", "tal", "ma", "fil", "fl", "f", "għal", "minn", "mill",
            "bl", "b", "kull", "jew", "dan", "din", "hu", "hija", "huwa", "hemm", "mhux", "lil",
            "lill", "għandu", "għandha", "kien", "bħal", "aktar", "bejn", "sabiex", "biss", "dawn",
            "dak", "ħafna", "meta", "kif", "għax",
        ],
        taken_for: &[],
        letter: Some('ħ'),
    },
];

/// At least one in this many words must be frequent.
const MAX_WORDS_PER_FREQUENT_WORD: usize = 6;
const MIN_WORDS: usize = 2;

/// Minimum share of frequent words, in percent, that makes another language unlikely.
const MIN_SURE_PERCENT: usize = 30;

/// Returns the languages that have a rule, all of them in Latin letters.
pub(super) fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    RULES
        .iter()
        .map(|rule| (rule.language, Script::Latin.code()))
}

/// Inserts a language before the candidates of the model if its frequent words occur.
pub(super) fn add(words: &str, candidates: &mut Vec<Candidate>) {
    let Some(first) = candidates.first().map(|first| first.language) else {
        return;
    };
    for rule in &RULES {
        let may_be = rule.taken_for.is_empty() || rule.taken_for.contains(&first);
        if !may_be || rule.letter.is_some_and(|letter| !words.contains(letter)) {
            continue;
        }
        count_steps(words.len());
        let (mut all, mut frequent) = (0, 0);
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            all += 1;
            frequent += usize::from(rule.words.contains(&word));
        }
        if frequent < MIN_WORDS || frequent * MAX_WORDS_PER_FREQUENT_WORD < all {
            continue;
        }
        let percent = (frequent * 100 / all).min(MIN_SURE_PERCENT);
        let probability = 0.6 + 0.35 * percent as f32 / MIN_SURE_PERCENT as f32;
        for candidate in &mut *candidates {
            candidate.probability *= 1.0 - probability;
        }
        let language = rule.language;
        candidates.insert(
            0,
            Candidate {
                language,
                probability,
            },
        );
        return;
    }
}
