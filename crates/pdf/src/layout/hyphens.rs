//! Step 8: words hyphenated at the end of a line.
//!
//! The page is the dictionary that decides whether a hyphen belongs to the word.

use corpus_blocks::hyphens::KnownWords;

use super::Layout;
use super::characters::SOFT_HYPHEN;

/// Replaces soft hyphens with the hyphens that they are drawn as.
pub(super) fn show_soft(layout: &mut Layout) {
    if layout.text.contains(SOFT_HYPHEN) {
        layout.text = layout.text.replace(SOFT_HYPHEN, "-");
        for word in layout
            .words
            .iter_mut()
            .filter(|word| word.text.contains(SOFT_HYPHEN))
        {
            word.text = word.text.replace(SOFT_HYPHEN, "-");
        }
    }
}

/// Joins hyphenated words within blocks. The whole word gets the position and box of its first
/// part; a line that becomes empty is removed.
pub(super) fn join(layout: &mut Layout) {
    let joints = {
        let known = page_words(&layout.text);
        joints(&layout.text, &known)
    };
    if joints.is_empty() {
        return;
    }
    layout.text = joined_text(&layout.text, &joints);
    if !layout.words.is_empty() {
        join_words(layout, &joints);
    }
}

/// A word that is the second part of the previous one.
struct Joint {
    /// The index of the word on the page.
    word: usize,
    /// Its start in the text.
    start: usize,
    /// The number of bytes to remove from the end of the first part.
    hyphen: usize,
}

fn joints(text: &str, known: &KnownWords) -> Vec<Joint> {
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

/// The number of bytes to remove from the end of the first part; `None` if the parts are not one
/// word.
fn dropped_hyphen(head: &str, tail: &str, known: &KnownWords) -> Option<usize> {
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
    Some(if known.keep_hyphen(stem, tail) {
        0
    } else {
        hyphen.len_utf8()
    })
}

/// The words of the page, if a line ends with a hyphen.
fn page_words(text: &str) -> KnownWords {
    let mut known = KnownWords::default();
    if text.contains("-\n") || text.contains("\u{2010}\n") {
        text.lines().for_each(|line| known.add(line));
    }
    known
}

fn joined_text(text: &str, joints: &[Joint]) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut written = 0;
    for joint in joints {
        // The text before it ends with the hyphen and a line feed.
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

fn join_words(layout: &mut Layout, joints: &[Joint]) {
    let mut words = Vec::with_capacity(layout.words.len());
    // For each old index, the number of words before it that remain; below, the same for lines.
    let mut left: Vec<u32> = Vec::with_capacity(layout.words.len() + 1);
    let mut waiting = joints.iter().peekable();
    for (index, word) in std::mem::take(&mut layout.words).into_iter().enumerate() {
        left.push(words.len() as u32);
        match (
            waiting.next_if(|joint| joint.word == index),
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
    layout.words = words;
    let mapped = |index: u32, left: &[u32]| left.get(index as usize).copied().unwrap_or(0);
    let mut lines = Vec::with_capacity(layout.lines.len());
    let mut lines_left: Vec<u32> = Vec::with_capacity(layout.lines.len() + 1);
    for mut line in std::mem::take(&mut layout.lines) {
        lines_left.push(lines.len() as u32);
        line.words = mapped(line.words.start, &left)..mapped(line.words.end, &left);
        if !line.words.is_empty() {
            lines.push(line);
        }
    }
    lines_left.push(lines.len() as u32);
    layout.lines = lines;
    for block in &mut layout.blocks {
        block.lines = mapped(block.lines.start, &lines_left)..mapped(block.lines.end, &lines_left);
    }
}
