//! Finds footnotes and the links that refer to them.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::events::Element;
use corpus_blocks::block::for_each_mut;
use corpus_blocks::builder::footnote;
use corpus_blocks::{Block, Kind, MarkKind, Text};
use corpus_markup::Name;

/// Occurs in the names of all roles, types and classes of notes.
static NOTE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("note"));
/// The start of the fragment of an address.
static FRAGMENT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("#"));
/// Maximum length of a link that is only the mark of a note.
const MAX_MARK_BYTES: usize = 8;

/// Maximum number of blocks in a note that only its links declare.
const MAX_BLOCKS: usize = 16;

/// The role of an element among notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteRole {
    /// A note with this id.
    Note(String),
    /// A section or list in which each item, or each term with its description, is a footnote.
    Notes,
}

/// The role that an element declares with a DPUB-ARIA role, an EPUB type, the class `footnotes`
/// that many generators use, or the id of notes in MediaWiki.
pub fn place(element: &Element<'_>) -> Option<NoteRole> {
    let may_be = element.may_contain_in(&["role", "epub:type", "class", "id"], &NOTE);
    may_be.then(|| declared_place(element)).flatten()
}

/// Whether the address of a link may have a fragment.
pub fn may_have_fragment(link: &Element<'_>) -> bool {
    link.may_contain("href", &FRAGMENT)
}

#[cold]
fn declared_place(element: &Element<'_>) -> Option<NoteRole> {
    let [role, kind, class, id] = element.attributes(["role", "epub:type", "class", "id"]);
    let has = |value: &Option<_>, names: &[&str]| {
        let value: Option<&str> = value.as_deref();
        value.is_some_and(|value| {
            value
                .split_ascii_whitespace()
                .any(|word| names.contains(&word))
        })
    };
    let is_note = has(&role, &["doc-footnote", "doc-endnote"])
        || has(&kind, &["footnote", "endnote", "rearnote"])
        || id.as_deref().is_some_and(|id| id.starts_with("cite_note"));
    if is_note {
        return id.map(|id| NoteRole::Note(id.into_owned()));
    }
    let are_notes = has(&role, &["doc-endnotes"])
        || has(&kind, &["footnotes", "endnotes", "rearnotes"])
        || has(&class, &["footnotes"])
        // Docutils, and Sphinx with it.
        || (element.name == Name::DL && has(&class, &["footnote"]));
    are_notes.then_some(NoteRole::Notes)
}

/// A link to a part of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FragmentLink {
    /// The id of its target.
    pub target: Box<str>,
    /// Its own id, or the id of the superscript around it.
    pub id: Option<Box<str>>,
}

/// The target element of a reference. It is a note if it links back.
#[derive(Debug)]
pub struct Candidate {
    pub id: Box<str>,
    /// The number of blocks and of open cells before it.
    pub place: (usize, usize),
    pub serial: usize,
    pub is_note: bool,
}

/// The notes of a page.
#[derive(Debug, Default)]
pub struct Notes {
    /// The number of open sections and lists of notes.
    pub open_lists: usize,
    /// The id of the open note, and the number of blocks before it.
    pub open: Option<(String, usize)>,
    /// The number shown by the back link at the start of the open note. The number in its id may
    /// differ.
    shown_number: Option<Box<str>>,
    /// The labels of the notes by their ids.
    labels: HashMap<Box<str>, Box<str>>,
    used: HashSet<Box<str>>,
    has_references: bool,
    /// The targets of references so far, by the ids of the references.
    references: HashMap<Box<str>, Box<str>>,
    targets: HashSet<Box<str>>,
    /// The numbers that the first references show, by their targets.
    numbers: HashMap<Box<str>, Box<str>>,
    /// The id of the open superscript.
    pub around: Option<Box<str>>,
    pub candidate: Option<Candidate>,
    candidates: usize,
}

impl Notes {
    /// The label of a note: the number that it shows as a link back, that its first reference
    /// shows, or that its id has, unless another note has it.
    fn label(&mut self, id: &str) -> Box<str> {
        let end = id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let number = id.get(end..).filter(|number| !number.is_empty());
        let shown = self.shown_number.take();
        let referred = self.numbers.get(id).map(|number| &**number);
        let mut numbers = [shown.as_deref(), referred, number].into_iter().flatten();
        let label: Box<str> = match numbers.find(|number| !self.used.contains(*number)) {
            Some(number) => number.into(),
            None => {
                let is_unfit = |c: char| c.is_whitespace() || matches!(c, '[' | ']');
                let fit = |c| if is_unfit(c) { '-' } else { c };
                id.chars().map(fit).collect()
            }
        };
        self.used.insert(label.clone());
        self.labels.insert(id.into(), label.clone());
        label
    }

    /// Whether there may be notes that are declared only by their links.
    pub fn has_targets(&self) -> bool {
        !self.targets.is_empty() && self.open.is_none()
    }

    /// Opens an element with this id as a candidate. Returns its serial number. A note may be
    /// inside an element that is not one.
    pub fn open_candidate(&mut self, id: &str, place: (usize, usize)) -> Option<usize> {
        let is_free = self.candidate.as_ref().is_none_or(|open| !open.is_note);
        if !is_free || !self.targets.contains(id) {
            return None;
        }
        self.candidates += 1;
        self.candidate = Some(Candidate {
            id: id.into(),
            place,
            serial: self.candidates,
            is_note: false,
        });
        Some(self.candidates)
    }

    /// Reads a back link: one at the start of the open candidate, or with a sign as its text.
    /// Returns whether it makes the candidate a note.
    pub fn leads_back(&mut self, target: &str, is_part: bool) -> bool {
        let Some(note) = self.references.get(target) else {
            return false;
        };
        let Some(candidate) = &mut self.candidate else {
            return false;
        };
        if candidate.id != *note {
            // Several notes in one element cannot be separated.
            self.candidate = None;
            return false;
        }
        candidate.is_note |= is_part;
        is_part
    }

    /// Records a link whose text looks like a reference.
    pub fn refer(&mut self, link: &FragmentLink, text: &str) {
        let number = text.trim_matches(is_frame);
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            let numbers = self.numbers.entry(link.target.clone());
            numbers.or_insert_with(|| number.into());
        }
        if let Some(id) = &link.id
            && is_number_or_sign(text)
        {
            self.references.insert(id.clone(), link.target.clone());
            self.targets.insert(link.target.clone());
        }
    }

    /// Notes a reference with this text to a note inside the text. Returns the id of the note.
    pub fn refer_inside(&mut self, text: &str) -> Box<str> {
        self.has_references = true;
        self.candidates += 1;
        self.read_link_back(text);
        // The note has no number, so it gets a name that differs from those of all notes.
        format!("inline-{}-note", self.candidates).into()
    }

    /// Takes the candidate with this serial number if it is a note.
    pub fn take_candidate(&mut self, serial: usize) -> Option<Candidate> {
        let candidate = self.candidate.take_if(|open| open.serial == serial)?;
        candidate.is_note.then_some(candidate)
    }

    /// Reads the text of a back link at the start of the open note.
    pub fn read_link_back(&mut self, text: &str) {
        let text = text.trim_matches(is_frame);
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            self.shown_number = Some(text.into());
        }
    }

    /// Whether a link with this text may refer to a note.
    pub fn may_refer(&mut self, text: &str) -> bool {
        let may_refer = self.open.is_none() && !text.trim().is_empty() && is_mark(text);
        self.has_references |= may_refer;
        may_refer
    }

    /// Creates a note from the blocks of its body. `None` if nothing is left.
    pub fn finish(&mut self, id: &str, body: Vec<Block>) -> Option<Block> {
        if body.is_empty() {
            return None;
        }
        let label = self.label(id);
        let mut note = footnote(&label, body);
        let text = &note.text.text;
        let start = text.len() - without_number(text, &label).len();
        note.text = note.text.part(start..text.len());
        Some(note)
    }

    /// Sets the labels of references. Links to anything but a note are not references.
    pub fn resolve(&self, blocks: &mut [Block]) {
        if !self.has_references {
            return;
        }
        for_each_mut(blocks, &mut |block| {
            let has_note = |text: &Text| {
                let mut marks = text.marks.iter();
                marks.any(|mark| matches!(mark.kind, MarkKind::Note(_)))
            };
            if has_note(&block.text) {
                self.resolve_text(&mut block.text);
            }
            if let Kind::Table(table) = &mut block.kind
                && let Some(caption) = table.caption.as_mut().filter(|text| has_note(text))
            {
                self.resolve_text(caption);
            }
        });
    }

    fn resolve_text(&self, text: &mut Text) {
        text.marks.retain_mut(|mark| match &mut mark.kind {
            MarkKind::Note(id) => match self.labels.get(id) {
                Some(label) => {
                    id.clone_from(label);
                    true
                }
                None => false,
            },
            _ => true,
        });
        let bare = |range: &std::ops::Range<usize>| {
            let content = text.text.get(range.clone()).unwrap_or_default();
            let start = content.len() - content.trim_start_matches(is_frame).len();
            let end = content.trim_end_matches(is_frame).len();
            range.start + start..range.start + end
        };
        // A superscript or link that consists of a reference is part of it.
        let mut frames: HashMap<_, usize> = HashMap::new();
        for (index, mark) in text.marks.iter().enumerate() {
            if matches!(mark.kind, MarkKind::Note(_)) {
                frames.insert(bare(&mark.range), index);
            }
        }
        let mut widened = Vec::new();
        let mut removed = vec![false; text.marks.len()];
        for (mark, removed) in text.marks.iter().zip(&mut removed) {
            if matches!(mark.kind, MarkKind::Superscript | MarkKind::Link(_))
                && let Some(index) = frames.get(&bare(&mark.range))
            {
                *removed = true;
                widened.push((*index, mark.range.clone()));
            }
        }
        for (index, range) in widened {
            if let Some(note) = text.marks.get_mut(index) {
                note.range.start = note.range.start.min(range.start);
                note.range.end = note.range.end.max(range.end);
            }
        }
        let mut removed = removed.into_iter();
        text.marks.retain(|_| !removed.next().unwrap_or_default());
    }
}

/// Whether elements with this name may be notes that are declared only by links.
pub const fn may_be_note_element(name: Name) -> bool {
    matches!(
        name,
        Name::P | Name::DIV | Name::LI | Name::ASIDE | Name::DD
    )
}

/// Whether blocks may be the body of a note that is declared only by links.
pub fn may_be_note(body: &[Block]) -> bool {
    let is_part = |block: &Block| !matches!(block.kind, Kind::Heading(_) | Kind::Table(_));
    body.len() <= MAX_BLOCKS && body.iter().all(is_part)
}

/// Removes headings with only notes below them, which are shown elsewhere.
pub fn remove_headings_of_notes(blocks: &mut Vec<Block>) {
    let is_note = |block: &Block| matches!(block.kind, Kind::Footnote { .. });
    // The level of the heading after the notes that follow each block, from the last block on.
    let mut next = Some(0);
    let mut has_notes = false;
    let mut is_removed = vec![false; blocks.len()];
    for (block, is_removed) in blocks.iter().zip(&mut is_removed).rev() {
        match block.kind {
            Kind::Heading(level) => {
                *is_removed = has_notes && next.is_some_and(|next| next <= level);
                next = Some(level);
                has_notes = false;
            }
            _ if is_note(block) => has_notes = true,
            _ => (next, has_notes) = (None, false),
        }
    }
    let mut is_removed = is_removed.into_iter();
    blocks.retain(|_| !is_removed.next().unwrap_or_default());
}

/// Whether a text is the number, the letter or the sign of a note.
fn is_number_or_sign(text: &str) -> bool {
    let text = text.trim_matches(is_frame);
    let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_sign = text.chars().all(|c| "*†‡§¶‖#".contains(c));
    let is_roman = text.len() <= 5 && text.bytes().all(|byte| b"ivx".contains(&byte));
    !text.is_empty() && (is_number || is_letter || is_sign || is_roman)
}

/// Whether a character may be around the number of a note.
fn is_frame(c: char) -> bool {
    c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')')
}

/// Whether a text is short enough for the mark of a note.
pub fn is_mark(text: &str) -> bool {
    text.len() <= MAX_MARK_BYTES
}

/// The text of a note without its number or the remains of a back link before it.
fn without_number<'t>(text: &'t str, label: &str) -> &'t str {
    let is_frame = |c: char| c.is_whitespace() || matches!(c, '^' | '[' | ']' | '↑');
    let start = text.trim_start_matches(is_frame);
    let after = match start.strip_prefix(label) {
        Some(rest) if rest.starts_with([']', '.', ')', ':']) => rest,
        _ => start,
    };
    after.trim_start_matches(|c: char| is_frame(c) || matches!(c, '.' | ')' | ':'))
}

/// Whether text has no letters or digits, like the sign of a link to a heading.
pub fn is_sign(text: &str) -> bool {
    !text.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_numbers_that_differ() {
        let mut notes = Notes::default();
        for (id, label) in [
            ("user-content-fn-1", "1"),
            ("fn:2", "2"),
            ("other-fn1", "other-fn1"),
            ("cite_note-A b[3]", "cite_note-A-b-3-"),
        ] {
            assert_eq!(&*notes.label(id), label);
        }
        // Sphinx counts other elements in its ids, too.
        for (id, shown, label) in [
            ("id5", "3", "3"),
            ("id6", "1", "6"),
            ("id7", "a", "7"),
            ("id8", "", "8"),
        ] {
            notes.read_link_back(shown);
            assert_eq!(&*notes.label(id), label);
        }
    }

    #[test]
    fn numbers_before_notes_are_removed() {
        for (text, expected) in [
            ("1. Text", "Text"),
            ("[1] Text", "Text"),
            ("^ Text", "Text"),
            ("1 apple", "1 apple"),
            ("12. Text", "12. Text"),
        ] {
            assert_eq!(without_number(text, "1"), expected);
        }
    }
}
