//! Every text: whole, cut, damaged and short; declared correctly, declared wrongly and undeclared.

use corpus_bytes::random::Random;
use corpus_charset::{Charset, Detected, decode, detect};

use crate::Labelled;

/// Labels that servers declare wrongly.
const WRONG: [&str; 8] = [
    "utf-8",
    "iso-8859-1",
    "shift_jis",
    "euc-jp",
    "gb2312",
    "euc-kr",
    "windows-1251",
    "iso-2022-jp",
];

/// A wrong declaration is only tried on texts with this many non-ASCII characters.
const MIN_NON_ASCII_TO_DISPROVE: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Clean,
    Cut,
    Damaged,
    /// A window of this many characters.
    Short(usize),
}

pub const STATES: [State; 5] = [
    State::Clean,
    State::Cut,
    State::Damaged,
    State::Short(150),
    State::Short(30),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Declaration {
    Right,
    Wrong(&'static str),
    /// Wrong in the header, right in the page.
    Conflict(&'static str),
    None,
}

pub struct Trial<'a> {
    pub text: &'a Labelled,
    pub state: State,
    pub declaration: Declaration,
    pub detected: Detected,
    pub is_right: bool,
}

pub fn run(labelled: &[Labelled]) -> Vec<Trial<'_>> {
    let mut random = Random(12345);
    let mut trials = Vec::new();
    for text in labelled {
        let page = without_declarations(&text.bytes);
        for state in STATES {
            if let Some(bytes) = state.made_of(&page, text.charset, &mut random) {
                try_declarations(text, state, &bytes, &mut trials);
            }
        }
    }
    trials
}

fn try_declarations<'a>(
    text: &'a Labelled,
    state: State,
    bytes: &[u8],
    trials: &mut Vec<Trial<'a>>,
) {
    let truth = decode(bytes, text.charset);
    let mut attempt = |declaration, bytes: &[u8], label: Option<&str>, truth: &str| {
        let detected = detect(bytes, label, None);
        let is_right =
            detected.charset == text.charset || is_same(&decode(bytes, detected.charset), truth);
        trials.push(Trial {
            text,
            state,
            declaration,
            detected,
            is_right,
        });
    };
    attempt(Declaration::None, bytes, None, &truth);
    attempt(Declaration::Right, bytes, Some(text.charset.name()), &truth);
    // With so few non-ASCII characters, a declaration cannot be shown to be wrong.
    if truth.chars().filter(|c| !c.is_ascii()).count() < MIN_NON_ASCII_TO_DISPROVE {
        return;
    }
    for label in WRONG {
        let wrong = Charset::for_label(label);
        if wrong.is_none_or(|wrong| is_same(&decode(bytes, wrong), &truth)) {
            continue;
        }
        attempt(Declaration::Wrong(label), bytes, Some(label), &truth);
        let name = text.charset.name();
        if name.starts_with("UTF-16") || name.starts_with("UTF-32") {
            continue;
        }
        let mut page = format!("<meta charset=\"{name}\">").into_bytes();
        page.extend(bytes);
        let truth = decode(&page, text.charset);
        attempt(Declaration::Conflict(label), &page, Some(label), &truth);
    }
}

impl State {
    fn made_of(self, page: &[u8], charset: Charset, random: &mut Random) -> Option<Vec<u8>> {
        let mut bytes = page.to_vec();
        match self {
            Self::Clean => {}
            Self::Cut => bytes.truncate(bytes.len() * 2 / 3 + 1),
            Self::Damaged => {
                for _ in 0..bytes.len() / 400 + 2 {
                    let place = random.next_u64() as usize % bytes.len().max(1);
                    if let Some(byte) = bytes.get_mut(place) {
                        *byte = 0x81 + (random.next_u64() % 0x7e) as u8;
                    }
                }
            }
            Self::Short(length) => return short(&bytes, charset, length),
        }
        Some(bytes)
    }
}

/// The first window of the page that has enough non-ASCII characters.
fn short(page: &[u8], charset: Charset, length: usize) -> Option<Vec<u8>> {
    let text: Vec<char> = decode(page, charset).chars().collect();
    let is_other = |c: &char| !c.is_ascii() && *c != char::REPLACEMENT_CHARACTER;
    let latin = text.iter().filter(|c| is_other(c)).count() * 4 < text.len();
    let enough = if latin { length / 30 + 1 } else { length / 2 };
    let window = text.chunks(length).find(|chunk| {
        chunk.len() == length && chunk.iter().filter(|c| is_other(c)).count() >= enough
    })?;
    let text: String = window.iter().collect();
    crate::made::encode(&text, charset)
}

/// The page with its own declarations disabled, because the trials pass them in.
fn without_declarations(page: &[u8]) -> Vec<u8> {
    let mut bytes = page.to_vec();
    for word in [b"charset".as_slice(), b"encoding"] {
        let places: Vec<usize> = bytes
            .windows(word.len())
            .enumerate()
            .filter(|(_, window)| window.eq_ignore_ascii_case(word))
            .map(|(place, _)| place)
            .collect();
        for place in places {
            bytes[place] = b'_';
        }
    }
    bytes
}

/// Whether at most one in a hundred non-ASCII characters differs. Nearly identical charsets count
/// as the same.
fn is_same(a: &str, b: &str) -> bool {
    let (mut count, mut different) = (0, 0);
    let mut others = b.chars();
    for one in a.chars() {
        let Some(other) = others.next() else {
            return false;
        };
        if !one.is_ascii() || !other.is_ascii() {
            count += 1;
            different += usize::from(one != other);
        }
    }
    others.next().is_none() && different * 100 <= count
}
