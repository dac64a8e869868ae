//! Words that a hyphen parts at the end of a line.
//!
//! Whether a hyphen belongs to the word ("well-known") or only to the line ("exam-ple") needs a dictionary to
//! tell for sure. The page is the dictionary here: the spelling that it has elsewhere counts. Without it, a hyphen
//! stays in words that have another one, and goes from all others.

use std::collections::HashSet;

use super::Laid;
use super::characters::SOFT_HYPHEN;

/// Soft hyphens that are drawn look like hyphens, and become them.
pub(super) fn show_soft(laid: &mut Laid) {
    if laid.text.contains(SOFT_HYPHEN) {
        laid.text = laid.text.replace(SOFT_HYPHEN, "-");
        for word in laid
            .words
            .iter_mut()
            .filter(|word| word.text.contains(SOFT_HYPHEN))
        {
            word.text = word.text.replace(SOFT_HYPHEN, "-");
        }
    }
}

/// Puts parted words together, within blocks. The whole word stands where its first part was, and keeps that part's
/// box; a line that has nothing else goes.
pub(super) fn join(laid: &mut Laid) {
    let joints = {
        let known = Known::new(&laid.text);
        joints(&laid.text, &known)
    };
    if joints.is_empty() {
        return;
    }
    laid.text = joined_text(&laid.text, &joints);
    if !laid.words.is_empty() {
        join_words(laid, &joints);
    }
}

/// A word that is the second part of the one before.
struct Joint {
    /// Which word it is, counted through the page.
    word: usize,
    /// Where it starts in the text.
    start: usize,
    /// What of the end of the first part goes.
    hyphen: usize,
}

fn joints(text: &str, known: &Known) -> Vec<Joint> {
    let mut joints = Vec::new();
    let (mut word, mut start) = (0, 0);
    let mut last = "";
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        let first = content.split(' ').next().unwrap_or_default();
        if let Some(hyphen) = dropped_hyphen(last, first, known) {
            joints.push(Joint {
                word,
                start,
                hyphen,
            });
        }
        last = content.rsplit(' ').next().unwrap_or_default();
        word += content.split(' ').filter(|word| !word.is_empty()).count();
        start += line.len();
    }
    joints
}

/// How many bytes of the first part go when both are put together; nothing if they are not one word.
fn dropped_hyphen(head: &str, tail: &str, known: &Known) -> Option<usize> {
    let hyphen = head.chars().next_back()?;
    let stem = head.strip_suffix(hyphen)?;
    let next = tail.chars().next()?;
    if hyphen == SOFT_HYPHEN {
        return next.is_alphanumeric().then_some(hyphen.len_utf8());
    }
    if !matches!(hyphen, '-' | '\u{2010}')
        || !next.is_lowercase()
        || !stem.ends_with(char::is_alphabetic)
    {
        return None;
    }
    let is_compound = if known.has(&[stem, "-", tail]) {
        true
    } else if known.has(&[stem, tail]) {
        false
    } else {
        let has_another = |part: &str| bare(part).contains(['-', '\u{2010}']);
        has_another(stem) || has_another(tail) || stem.contains(|letter: char| letter.is_numeric())
    };
    Some(if is_compound { 0 } else { hyphen.len_utf8() })
}

/// The words of the page, without regard to case, and without the parts of words at the ends of lines.
struct Known(HashSet<String>);

impl Known {
    fn new(text: &str) -> Self {
        if !text.contains("-\n") && !text.contains("\u{2010}\n") {
            return Self(HashSet::new());
        }
        let words = text
            .split([' ', '\n'])
            .map(bare)
            .filter(|word| !word.is_empty());
        Self(words.map(str::to_lowercase).collect())
    }

    fn has(&self, parts: &[&str]) -> bool {
        !self.0.is_empty() && self.0.contains(&bare(&parts.concat()).to_lowercase())
    }
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|character: char| !character.is_alphanumeric())
}

fn joined_text(text: &str, joints: &[Joint]) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut written = 0;
    for joint in joints {
        // What is before ends with the hyphen and a line feed.
        joined.push_str(text.get(written..joint.start).unwrap_or_default());
        joined.truncate(joined.len().saturating_sub(1 + joint.hyphen));
        let rest = text.get(joint.start..).unwrap_or_default();
        let end = rest.find([' ', '\n']).unwrap_or(rest.len());
        joined.push_str(rest.get(..end).unwrap_or_default());
        joined.push('\n');
        written = (joint.start + end + 1).min(text.len());
    }
    joined.push_str(text.get(written..).unwrap_or_default());
    joined
}

fn join_words(laid: &mut Laid, joints: &[Joint]) {
    let mut words = Vec::with_capacity(laid.words.len());
    // How many words, and then lines, are left before each place.
    let mut left: Vec<u32> = Vec::with_capacity(laid.words.len() + 1);
    let mut waiting = joints.iter().peekable();
    for (place, word) in std::mem::take(&mut laid.words).into_iter().enumerate() {
        left.push(words.len() as u32);
        match (
            waiting.next_if(|joint| joint.word == place),
            words.last_mut(),
        ) {
            (Some(joint), Some(first)) => {
                let first: &mut crate::model::Word = first;
                first
                    .text
                    .truncate(first.text.len().saturating_sub(joint.hyphen));
                first.text.push_str(&word.text);
            }
            _ => words.push(word),
        }
    }
    left.push(words.len() as u32);
    laid.words = words;
    let mapped = |place: u32, left: &[u32]| left.get(place as usize).copied().unwrap_or(0);
    let mut lines = Vec::with_capacity(laid.lines.len());
    let mut lines_left: Vec<u32> = Vec::with_capacity(laid.lines.len() + 1);
    for mut line in std::mem::take(&mut laid.lines) {
        lines_left.push(lines.len() as u32);
        line.words = mapped(line.words.start, &left)..mapped(line.words.end, &left);
        if !line.words.is_empty() {
            lines.push(line);
        }
    }
    lines_left.push(lines.len() as u32);
    laid.lines = lines;
    for block in &mut laid.blocks {
        block.lines = mapped(block.lines.start, &lines_left)..mapped(block.lines.end, &lines_left);
    }
}
