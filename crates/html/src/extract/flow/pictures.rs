//! Pictures in place of words: their alternative text is part of the text.

use std::ops::Range;

use super::replaced::is_formula_picture;
use super::{Flow, Observer, crossed};
use crate::events::Element;
use memchr::memchr3;

/// Maximum length of an alternative text that counts as a symbol.
const MAX_SYMBOL_BYTES: usize = 28;
/// The sign of a link to the heading, term or caption that it follows.
const PERMALINK: &str = "¶";
/// Maximum length of the alternative texts of a link or heading.
const MAX_LINK_BYTES: usize = 4096;

/// The open link, or the open heading outside of links. Both may consist of pictures.
#[derive(Debug, Default)]
pub(super) struct Link {
    /// The position where its text starts, if it is open.
    start: Option<usize>,
    is_heading: bool,
    /// Whether it may be a reference to a note that directly follows a word.
    pub(super) is_reference: bool,
    /// The alternative texts of its pictures, as long as it has no other text.
    pictures: String,
    /// The last words that were written for pictures. The next link may repeat them.
    last: Option<Range<usize>>,
}

impl Link {
    #[inline]
    pub(super) fn start(&mut self, at: usize) {
        self.start = Some(at);
        self.is_heading = false;
        self.is_reference = false;
        self.pictures.clear();
    }

    /// Starts a heading that is not inside a link. A link inside the heading resets this.
    pub(super) fn start_heading(&mut self, at: usize) {
        if self.start.is_none() {
            self.start(at);
            self.is_heading = true;
        }
    }

    pub(super) fn move_text(&mut self, moved: impl Fn(usize) -> usize) {
        self.start = self.start.map(moved);
        self.last = None;
    }
}

impl<M: Observer> Flow<M> {
    /// Adds the alternative text of a picture that replaces words. In a link, stores the
    /// alternative text of other pictures. Returns whether the picture is part of the text.
    #[inline(never)]
    pub(super) fn picture(&mut self, element: &Element<'_>) -> bool {
        let [Some(alternative), classes] = element.attributes(["alt", "class"]) else {
            return false;
        };
        let alternative = alternative.trim_ascii();
        if alternative.is_empty() {
            return false;
        }
        // Other pictures are not symbols, whatever their classes.
        let may_be_symbol = alternative.len() <= MAX_SYMBOL_BYTES;
        let may_be_tex = || memchr3(b'\\', b'{', b'^', alternative.as_bytes()).is_some();
        if may_be_symbol || may_be_tex() {
            let classes = classes.unwrap_or_default();
            let is_formula = is_formula_picture(&classes)
                || (may_be_tex()
                    && element
                        .attribute("src")
                        .is_some_and(|source| is_formula_service(&source)));
            if is_formula {
                self.write_tex(alternative, false, true);
                return true;
            }
            if may_be_symbol && is_symbol(alternative, &classes) {
                self.words(alternative);
                return true;
            }
        }
        if self.link.start == Some(self.text.len())
            && self.link.pictures.len() + alternative.len() < MAX_LINK_BYTES
            && !is_file_name(alternative)
        {
            if !self.link.pictures.is_empty() {
                self.link.pictures.push(' ');
            }
            self.link.pictures.push_str(alternative);
        }
        false
    }

    /// Ends a link. If it has no text, it gets the alternative texts of its pictures.
    #[inline]
    pub(super) fn close_link(&mut self) {
        let start = self.link.start.take();
        if !self.link.pictures.is_empty() || self.link.last.is_some() {
            self.close_link_of_pictures(start);
        }
        if let Some(start) = start.filter(|_| self.link.is_reference) {
            self.raise_reference(start);
        }
        if self.text.as_bytes().ends_with(PERMALINK.as_bytes()) {
            self.remove_permalink(start);
        }
    }

    /// Removes the permalink sign at the end of a line, which browsers show only on hover. A
    /// superscript may be a note mark instead.
    #[cold]
    fn remove_permalink(&mut self, start: Option<usize>) {
        let Some((before, sign)) = start.and_then(|start| self.text.split_at_checked(start)) else {
            return;
        };
        let has_space = sign.starts_with(' ');
        if sign.trim_start_matches(' ') != PERMALINK
            || before.is_empty()
            || self.marks.are_in_script()
        {
            return;
        }
        let length = before.len();
        self.text.truncate(length);
        self.observer.trimmed(&self.text);
        if has_space {
            self.crossed |= crossed::SPACE;
        }
    }

    /// Ends a heading. If it has no text, it gets the alternative texts of its pictures, even if a
    /// link contains it.
    pub(super) fn close_heading(&mut self) {
        let is_open = std::mem::take(&mut self.link.is_heading);
        if !self.link.pictures.is_empty() {
            let start = self.link.start.take();
            self.close_link_of_pictures(start);
        } else if is_open {
            self.link.start = None;
        }
    }

    #[cold]
    fn close_link_of_pictures(&mut self, start: Option<usize>) {
        let pictures = std::mem::take(&mut self.link.pictures);
        let last = self.link.last.take();
        let end = self.text.len();
        if start != Some(end) {
            self.remove_repeated(start, last);
        } else if !pictures.is_empty() && !self.text.ends_with(&pictures) {
            self.words(&pictures);
            self.observer.pictures(&pictures);
            let end = self.text.len();
            let is_written = self.text.ends_with(&pictures);
            self.link.last = is_written.then(|| end - pictures.len()..end);
        }
    }

    /// Removes the text of a link that repeats the words of the picture before it in the line,
    /// which often leads to the same page.
    fn remove_repeated(&mut self, start: Option<usize>, last: Option<Range<usize>>) {
        let Some(last) = last.filter(|last| Some(last.end) == start) else {
            return;
        };
        let words = self.text.get(last.clone());
        let text = self
            .text
            .get(last.end..)
            .map(|text| text.trim_start_matches(' '));
        if words == text {
            self.text.truncate(last.end);
            self.observer.trimmed(&self.text);
        }
    }
}

/// Whether the URL of a picture contains its formula in TeX, as in `…/svg.latex?x^2`,
/// `…/mimetex.cgi?x^2` and `….svg?tex=x^2`.
fn is_formula_service(source: &str) -> bool {
    let Some((path, query)) = source.split_once('?') else {
        return false;
    };
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut words = name.split(['.', '-', '_']);
    let is_tex = |word: &str| {
        ["tex", "latex", "mimetex", "mathtex"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    };
    let mut parameters = query.split('&').filter_map(|part| part.split_once('='));
    words.any(is_tex) || parameters.any(|(name, _)| is_tex(name))
}

/// Whether an alternative text is the symbol that the picture shows: an emoji, a letter such as an
/// initial, or a character without a code.
fn is_symbol(alternative: &str, classes: &str) -> bool {
    let mut characters = alternative.chars();
    // A small Latin letter, such as `i` or `x`, usually names an icon.
    let is_letter = characters
        .next()
        .is_some_and(|c| c.is_alphabetic() && !c.is_ascii_lowercase())
        && characters.next().is_none();
    is_letter || is_emoji(alternative) || has_symbol_class(classes)
}

/// Whether classes mark a picture as a symbol, such as `wp-smiley` and `emoji-large`.
fn has_symbol_class(classes: &str) -> bool {
    const PARTS: [&str; 7] = [
        "emoji", "twemoji", "emoticon", "emote", "smiley", "smilie", "gaiji",
    ];
    let mut parts = classes.split([' ', '-', '_', '\t', '\n']);
    parts.any(|part| {
        // Rejects most words without comparing them.
        matches!(
            part.as_bytes(),
            [b'e' | b'E' | b't' | b'T' | b's' | b'S' | b'g' | b'G', ..]
        ) && PARTS.iter().any(|known| part.eq_ignore_ascii_case(known))
    })
}

/// Whether a text consists of emoji.
fn is_emoji(text: &str) -> bool {
    let is_pictograph = |c: char| {
        matches!(c,
            '\u{203c}' | '\u{2049}' | '\u{2139}' | '\u{231a}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}'
            | '\u{2b05}'..='\u{2b55}' | '\u{1f000}'..='\u{1faff}')
    };
    // Joiners, variation selectors, keycaps and the letters of flags.
    let is_part = |c: char| {
        matches!(
            c,
            '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' | '\u{e0020}'..='\u{e007f}'
        )
    };
    !text.is_ascii()
        && text.chars().any(is_pictograph)
        && text.chars().all(|c| is_pictograph(c) || is_part(c))
}

/// Whether an alternative text is only the name of a file.
fn is_file_name(alternative: &str) -> bool {
    let ending = alternative.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| {
        ["jpg", "jpeg", "png", "gif", "webp", "svg", "bmp", "avif"]
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}
