//! English contractions, and abbreviations whose dot belongs to the word.

/// The endings that are words of their own. The longer of two that end alike comes first.
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

/// Where a contraction is split.
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
    let known = match ending.starts_with('n') {
        true => VERBS,
        false => SUBJECTS,
    };
    let is_known = known.iter().any(|word| word.eq_ignore_ascii_case(stem));
    is_known.then_some(stem.len())
}

/// Abbreviations that end with a dot, and are no end of a sentence.
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

/// Whether a word is an abbreviation with its dot.
pub fn is_abbreviation(word: &str) -> bool {
    word.ends_with('.') && word.len() <= 7 && ABBREVIATIONS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_sorted() {
        assert!(ABBREVIATIONS.is_sorted());
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
