//! English contractions, and abbreviations whose dot belongs to the word.

use crate::hashing::short_word;

/// The endings that become separate words. If one ends with another, the longer comes first.
const ENDINGS: &[&str] = &[
    "n't", "n’t", "'ll", "'ve", "'re", "'d", "'m", "’ll", "’ve", "’re", "’d", "’m",
];

/// Words before `'ll`, `'d` and the like, in lower case. Other words keep their ending.
const SUBJECTS: &[&str] = &[
    "i", "you", "he", "she", "it", "we", "they", "who", "what", "when", "where", "why", "how",
    "there", "that", "this", "these", "those", "could", "might", "must", "should", "would", "not",
];

/// Words before `n't`, in lower case.
const VERBS: &[&str] = &[
    "ca", "could", "do", "does", "did", "had", "may", "might", "must", "need", "ought", "sha",
    "should", "wo", "would", "ai", "are", "is", "was", "were", "have", "has", "dare",
];

const MAX_CONTRACTION_BYTES: usize = 16;

/// The offset at which a contraction is split.
pub fn contraction(word: &str) -> Option<usize> {
    let bytes = word.as_bytes();
    if bytes.len() > MAX_CONTRACTION_BYTES {
        return None;
    }
    // The apostrophe is near the end; the curly one has three bytes.
    let has_apostrophe = bytes
        .iter()
        .rev()
        .take(5)
        .any(|byte| matches!(byte, b'\'' | 0x99));
    if !has_apostrophe && bytes.len() != "cannot".len() {
        return None;
    }
    if word.eq_ignore_ascii_case("cannot") {
        return Some(3);
    }
    let (stem, ending) = ENDINGS
        .iter()
        .find_map(|ending| Some((word.strip_suffix(ending)?, ending)))?;
    let known = if ending.starts_with('n') {
        VERBS
    } else {
        SUBJECTS
    };
    let is_known = known.iter().any(|word| word.eq_ignore_ascii_case(stem));
    is_known.then_some(stem.len())
}

/// Abbreviations that end with a dot and do not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "Adm.", "Ak.", "Ala.", "Apr.", "Ariz.", "Ark.", "Aug.", "Bros.", "Calif.", "Co.", "Colo.",
    "Conn.", "Corp.", "D.C.", "Dec.", "Del.", "Dr.", "E.G.", "E.g.", "Feb.", "Fla.", "Ga.", "Gen.",
    "Gov.", "I.E.", "I.e.", "Ia.", "Id.", "Ill.", "Inc.", "Ind.", "Jan.", "Jr.", "Jul.", "Jun.",
    "Kan.", "Kans.", "Ky.", "La.", "Ltd.", "Mar.", "Mass.", "Md.", "Messrs.", "Mich.", "Minn.",
    "Miss.", "Mo.", "Mont.", "Mr.", "Mrs.", "Ms.", "Mt.", "N.C.", "N.D.", "N.H.", "N.J.", "N.M.",
    "N.Y.", "Neb.", "Nebr.", "Nev.", "Nov.", "Oct.", "Okla.", "Ore.", "Pa.", "Ph.D.", "Prof.",
    "Rep.", "Rev.", "S.C.", "Sen.", "Sep.", "Sept.", "St.", "Tenn.", "Va.", "Wash.", "Wis.",
    "a.m.", "co.", "e.g.", "i.e.", "p.m.", "v.s.", "vs.",
];

/// The length of the longest abbreviation.
const MAX_ABBREVIATION_BYTES: usize = 7;
const ABBREVIATION_SLOTS: usize = 256;

/// The abbreviations as numbers, each in the first free slot from [`abbreviation_slot`] on.
const ABBREVIATION_TABLE: [u64; ABBREVIATION_SLOTS] = {
    let mut table = [0; ABBREVIATION_SLOTS];
    let mut at = 0;
    while at < ABBREVIATIONS.len() {
        let word = ABBREVIATIONS[at].as_bytes();
        let mut number = 0;
        let mut byte = word.len();
        while byte > 0 {
            byte -= 1;
            number = number << 8 | word[byte] as u64;
        }
        let mut slot = abbreviation_slot(number);
        while table[slot] != 0 {
            slot = (slot + 1) % ABBREVIATION_SLOTS;
        }
        table[slot] = number;
        at += 1;
    }
    table
};

const fn abbreviation_slot(number: u64) -> usize {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
}

/// Whether a word is an abbreviation with its dot.
#[inline]
pub fn is_abbreviation(word: &str) -> bool {
    if word.len() > MAX_ABBREVIATION_BYTES || !word.ends_with('.') {
        return false;
    }
    // The last byte is not 0, so the number also determines the length of the word.
    let number = short_word(word.as_bytes());
    let mut slot = abbreviation_slot(number);
    while ABBREVIATION_TABLE[slot] != 0 {
        if ABBREVIATION_TABLE[slot] == number {
            return true;
        }
        slot = (slot + 1) % ABBREVIATION_SLOTS;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_found() {
        for word in ABBREVIATIONS {
            assert!(is_abbreviation(word), "{word}");
            assert!(!is_abbreviation(&word[1..]) || ABBREVIATIONS.contains(&&word[1..]));
            assert!(!is_abbreviation(&word[..word.len() - 1]), "{word}");
            assert!(!is_abbreviation(&format!("{word}\0")), "{word}");
        }
        for word in ["", ".", "mr.", "Mr", "Messrs..", "a.m.\0.", "Mr.."] {
            assert!(!is_abbreviation(word), "{word}");
        }
    }

    #[test]
    fn contractions_are_split_before_their_ending() {
        for (word, at) in [
            ("don't", Some(2)),
            ("Can’t", Some(2)),
            ("they'll", Some(4)),
            ("I'm", Some(1)),
            ("Cannot", Some(3)),
            ("aren't", Some(3)),
            ("dog's", None),
            ("Moby'll", None),
            ("n't", None),
        ] {
            assert_eq!(contraction(word), at, "{word}");
        }
    }
}
