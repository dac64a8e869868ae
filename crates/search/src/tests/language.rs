//! Compares the query language with a naive search of random texts.

use std::collections::BTreeSet;

use corpus_bytes::random::Random;

use super::{TestIndex, with_language};

const WORDS: [&str; 9] = ["a", "ab", "abc", "abd", "b", "bc", "cab", "cb", "dabc"];

/// A query whose result a naive search knows.
#[derive(Debug, Clone)]
enum Naive {
    /// A word, which may contain `*` and `?`.
    Word(&'static str),
    Phrase(Vec<&'static str>),
    Or(Vec<Naive>),
    And(Box<Naive>, Box<Naive>),
    Not(Box<Naive>, Box<Naive>),
    /// The left side, the distance, whether the left side has to come first, and the right side.
    Near(Box<Naive>, usize, bool, Box<Naive>),
    NotNear(Box<Naive>, usize, Box<Naive>),
}

const PATTERNS: [&str; 8] = ["a*", "?b", "*b", "a?c", "*a*", "ab?", "?", "c*b"];

impl Naive {
    fn any(random: &mut Random, depth: usize) -> Self {
        let operand = |random: &mut Random| Box::new(Self::any(random, depth - 1));
        match random.below(if depth == 0 { 2 } else { 6 }) {
            0 | 1 => Self::operand(random, 0),
            2 => Self::Or(vec![*operand(random), *operand(random)]),
            3 => Self::And(operand(random), operand(random)),
            4 => Self::Not(operand(random), operand(random)),
            _ => Self::near(random, 1),
        }
    }

    fn near(random: &mut Random, depth: usize) -> Self {
        let left = Box::new(Self::operand(random, depth));
        let right = Box::new(Self::operand(random, depth));
        let distance = 1 + random.below(3);
        match random.below(4) {
            0 => Self::NotNear(left, distance, right),
            1 => Self::Near(left, distance, true, right),
            _ => Self::Near(left, distance, false, right),
        }
    }

    /// Returns a random operand of `w/n`.
    fn operand(random: &mut Random, depth: usize) -> Self {
        match random.below(if depth == 0 { 5 } else { 7 }) {
            0 | 1 => Self::Word(random.pick(&WORDS)),
            2 | 3 => match random.pick(&PATTERNS) {
                // A sign of the text.
                "?" => Self::Word("a?"),
                pattern => Self::Word(pattern),
            },
            4 => {
                let length = 2 + random.below(2);
                Self::Phrase((0..length).map(|_| random.pick(&WORDS)).collect())
            }
            5 => Self::near(random, depth - 1),
            _ => Self::Or(vec![
                Self::operand(random, depth - 1),
                Self::operand(random, depth - 1),
            ]),
        }
    }

    fn written(&self) -> String {
        match self {
            Self::Word(word) => (*word).to_owned(),
            Self::Phrase(words) => format!("\"{}\"", words.join(" ")),
            Self::Or(any) => {
                let any: Vec<_> = any.iter().map(Self::written).collect();
                format!("({})", any.join(" OR "))
            }
            Self::And(a, b) => format!("({} {})", a.written(), b.written()),
            Self::Not(a, b) => format!("({} AND NOT {})", a.written(), b.written()),
            Self::Near(a, distance, ordered, b) => {
                let sign = if *ordered { "pre" } else { "w" };
                format!("({} {sign}/{distance} {})", a.written(), b.written())
            }
            Self::NotNear(a, distance, b) => {
                format!("({} NOT w/{distance} {})", a.written(), b.written())
            }
        }
    }

    fn matches(&self, text: &[&str]) -> bool {
        match self {
            Self::And(a, b) => a.matches(text) && b.matches(text),
            Self::Not(a, b) => a.matches(text) && !b.matches(text),
            Self::Or(any) => any.iter().any(|one| one.matches(text)),
            _ => !self.places(text).is_empty(),
        }
    }

    /// The first and last positions of the matches.
    fn places(&self, text: &[&str]) -> BTreeSet<(usize, usize)> {
        let at_all = 0..text.len();
        match self {
            Self::Word(word) => at_all
                .filter(|at| glob(word.as_bytes(), text[*at].as_bytes()))
                .map(|at| (at, at))
                .collect(),
            Self::Phrase(words) => at_all
                .filter(|at| text[*at..].starts_with(words))
                .map(|at| (at, at + words.len() - 1))
                .collect(),
            Self::Or(any) => any.iter().flat_map(|one| one.places(text)).collect(),
            Self::Near(a, distance, ordered, b) => {
                let (a, b) = (a.places(text), b.places(text));
                let mut found = BTreeSet::new();
                for left in &a {
                    for right in &b {
                        let after = right.0 > left.1 && right.0 - left.1 <= *distance;
                        let before = left.0 > right.1 && left.0 - right.1 <= *distance;
                        if after || (before && !ordered) {
                            found.extend([*left, *right]);
                        }
                    }
                }
                found
            }
            Self::NotNear(a, distance, b) => {
                let others = b.places(text);
                let is_near = |left: &(usize, usize)| {
                    others.iter().any(|right| {
                        (right.0 > left.1 && right.0 - left.1 <= *distance)
                            || (left.0 > right.1 && left.0 - right.1 <= *distance)
                    })
                };
                let all = a.places(text).into_iter();
                all.filter(|left| !is_near(left)).collect()
            }
            Self::And(..) | Self::Not(..) => BTreeSet::new(),
        }
    }
}

fn glob(pattern: &[u8], word: &[u8]) -> bool {
    match (pattern.split_first(), word.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => (0..=word.len()).any(|from| glob(rest, &word[from..])),
        (Some((p, rest)), Some((w, after))) => (*p == b'?' || p == w) && glob(rest, after),
        _ => false,
    }
}

#[test]
fn queries_find_what_a_naive_search_finds() {
    let mut random = Random(7);
    let texts: Vec<Vec<&str>> = (0..200)
        .map(|_| {
            (0..1 + random.below(12))
                .map(|_| random.pick(&WORDS))
                .collect()
        })
        .collect();
    let joined: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
    let made = TestIndex::of(&joined.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut some, mut none) = (0, 0);
    for _ in 0..3000 {
        let query = Naive::any(&mut random, 3);
        let found: BTreeSet<String> = made.ids(&query.written()).into_iter().collect();
        let numbered = texts.iter().enumerate();
        let expected: BTreeSet<String> = numbered
            .filter(|(_, text)| query.matches(text))
            .map(|(at, _)| at.to_string())
            .collect();
        assert_eq!(found, expected, "{}", query.written());
        if found.is_empty() {
            none += 1
        } else {
            some += 1
        }
    }
    assert!(some > 1000 && none > 100, "{some} {none}");
}

#[test]
fn a_chain_compares_each_word_with_its_neighbours() {
    let made = TestIndex::of(&["a x b x c", "a x b x x x c", "b x a x c", "a b"]);
    assert_eq!(made.ids("a w/2 b w/2 c"), ["0"]);
    assert_eq!(made.ids("a w/2 b w/4 c"), ["0", "1", "2"]);
    assert_eq!(made.ids("a pre/2 b"), ["0", "1", "3"]);
    assert_eq!(made.ids("(a w/2 b) w/2 c"), ["0", "2"]);
    assert_eq!(made.ids("\"a b\"~1"), ["0", "1", "3"]);
    // An occurrence is not near itself.
    assert_eq!(made.ids("a w/9 a*"), Vec::<String>::new());
}

#[test]
fn wildcards_find_words_without_their_endings() {
    let texts = [
        "the bankruptcy of the bank",
        "organization",
        "an organised women",
        "contracts",
        "Zürich bänkruptcy",
    ];
    let plain = TestIndex::of(&texts);
    let english = TestIndex::with(&with_language("english"), &texts);
    for made in [&plain, &english] {
        assert_eq!(made.ids("bankr?ptcy"), ["0", "4"]);
        assert_eq!(made.ids("BANKR?PTC?"), ["0", "4"]);
        assert_eq!(made.ids("wom?n"), ["2"]);
        assert_eq!(made.ids("Z?rich"), ["4"]);
        assert_eq!(made.ids("c?ntract*"), ["3"]);
        assert_eq!(made.ids("c?ntracts*"), ["3"]);
        assert_eq!(made.ids("b*kr*"), ["0", "4"]);
        assert_eq!(made.ids("?ankruptcy w/3 bank"), ["0"]);
        assert_eq!(made.ids("bankruptcy w/3 b?nk"), ["0"]);
    }
    assert_eq!(plain.ids("organi?ation"), ["1"]);
    // The index has the same word for organisation and organised.
    assert_eq!(english.ids("organi?ation"), ["1", "2"]);
    assert_eq!(plain.ids("b*cy"), ["0", "4"]);
    assert_eq!(plain.ids("*ation"), ["1"]);
    assert!(english.error("b*cy").contains("'b*'"));
    assert!(english.error("????ing").contains("at most 2 ?"));
}

#[test]
fn wildcards_in_compound_words_are_phrases() {
    let made = TestIndex::of(&["an e-mail", "an e-meal", "e mail x", "mail"]);
    assert_eq!(made.ids("e-m?il"), ["0", "2"]);
    assert_eq!(made.ids("e-m*l"), ["0", "1", "2"]);
    assert!(made.error("日?語").contains("script with spaces"));
    assert!(made.error("\"e m*\"").contains("PRE/1"));
    assert!(made.error("\"e m?il\"").contains("PRE/1"));
    assert_eq!(made.ids("\"mail x?\""), ["2"]);
}

#[test]
fn values_keep_their_question_marks() {
    let made = TestIndex::of(&["x"]);
    assert_eq!(made.ids("url:?"), Vec::<String>::new());
    assert_eq!(made.ids("url:0"), ["0"]);
    assert!(made.error("url:a*b").contains("only at the end"));
    assert_eq!(made.ids("url:a?b*"), Vec::<String>::new());
}

#[test]
fn words_near_each_other_are_in_one_field() {
    let made = TestIndex::of(&["a b"]);
    assert_eq!(made.ids("document:(a w/1 b)"), ["0"]);
    assert!(made.error("document:a w/1 b").contains("title:(a w/5 b)"));
    assert!(made.error("url:(a w/1 b)").contains("whole value"));
    assert!(made.error("(a b) w/1 b").contains("only OR and w/n"));
    assert!(made.error("* w/1 b").contains("on each side"));
    assert!(made.error("- w/1 b").contains("must be words"));
    assert!(made.error("\"a b\"~2 w/1 b").contains("a phrase with ~"));
    assert!(
        made.error("title:x")
            .contains("its fields are url, document")
    );
}

#[test]
fn a_wildcard_with_too_many_words_is_an_error() {
    let texts: Vec<String> = (0..50)
        .map(|text| {
            let words = (0..1500).map(|word| format!("w{} ", text * 1500 + word));
            words.collect()
        })
        .collect();
    let made = TestIndex::of(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(
        made.error("*w*")
            .contains("more than 65536 words of the index match '*w*'")
    );
    assert_eq!(made.ids("w1*9").len(), 10);
    assert!(made.error("w* w/2 w1").contains("more than 4096 words"));
    assert_eq!(made.ids("w12* w/2 w1249").len(), 1);
    let many = format!("w12*{}", " w/9 w12*".repeat(20));
    assert!(made.error(&many).contains("more than 16384 words"));
}

#[test]
fn long_chains_and_deep_groups_are_searched() {
    let made = TestIndex::of(&["a a a"]);
    assert_eq!(made.ids(&format!("a{}", " w/5 a".repeat(1000))), ["0"]);
    let nested = format!("{}a{}", "(".repeat(50), " w/5 a)".repeat(50));
    assert_eq!(made.ids(&nested), ["0"]);
    let many = "a ".repeat(50_000);
    let made = TestIndex::of(&[&many]);
    assert_eq!(made.ids("a w/1000 a* w/1000 b"), Vec::<String>::new());
    assert_eq!(made.ids("a w/1000 a* w/1000 a w/1000 a NOT b"), ["0"]);
}
