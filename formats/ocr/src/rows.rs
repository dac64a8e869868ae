//! Elements on their way out: in the order of their start tags, each when all is known of it.

use std::collections::VecDeque;

use super::element::{Element, Page, REPEATED};
use super::level::{Level, Levels};
use super::read::{Row, Wanted};
use super::text::{Mark, TextBuffer};

/// Hands on elements. One that is not complete holds back those that began after it.
pub(super) struct Rows<'a, F> {
    pub wanted: Wanted,
    pub text: TextBuffer,
    tell: F,
    pages: Vec<Page<'a>>,
    waiting: VecDeque<Waiting<'a>>,
    /// How many were handed on.
    told: usize,
    counts: Counts,
}

struct Waiting<'a> {
    element: Element<'a>,
    /// The number of its page.
    page: usize,
    text: String,
    is_complete: bool,
    /// The box is that of a word that was merged into this one.
    has_inner_box: bool,
}

/// How many elements of each level there were.
#[derive(Default)]
struct Counts {
    blocks: usize,
    lines: usize,
    wanted: usize,
}

/// Where an element stands, and what it hands down to those in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scope<'a> {
    pub language: Option<&'a str>,
    /// The block and the line around it, or it itself: their positions, 0 for none.
    pub block: usize,
    pub line: usize,
    /// How many wanted elements are around it, itself counted.
    depth: usize,
    /// Of an element that is told: its position.
    row: Option<usize>,
    /// The position of the innermost wanted element around it, or of it itself; 0 for none.
    around: usize,
    /// What the text was when it began.
    mark: Mark,
}

impl<'a> Scope<'a> {
    /// Is text of use here?
    #[inline]
    pub fn has_text(&self) -> bool {
        self.depth > 0
    }

    /// What an element in it starts with.
    #[inline]
    pub fn inner(&self, language: Option<&'a str>) -> Self {
        Self {
            language: plausible(language).or(self.language),
            row: None,
            ..*self
        }
    }

    /// Takes a language if it has none.
    pub fn take_language(&mut self, language: Option<&'a str>) {
        self.language = self.language.or(plausible(language));
    }
}

/// A language that is too long to be one is none: it is told with every element.
#[inline]
fn plausible(language: Option<&str>) -> Option<&str> {
    const LONGEST: usize = 100;
    language.filter(|language| language.len() <= LONGEST)
}

impl<'a, F: FnMut(Row<'_, 'a>)> Rows<'a, F> {
    pub fn new(wanted: Wanted, tell: F) -> Self {
        Self {
            wanted,
            text: TextBuffer::default(),
            tell,
            pages: Vec::new(),
            waiting: VecDeque::new(),
            told: 0,
            counts: Counts::default(),
        }
    }

    /// What comes next is on that page.
    pub fn page(&mut self, page: Page<'a>) {
        self.pages.push(Page {
            position: self.pages.len() + 1,
            id: page.id.filter(|id| id.len() <= REPEATED),
            image: page.image.filter(|image| image.len() <= REPEATED),
            ..page
        });
    }

    /// Notes in the scope of an element which block and which line it is.
    #[inline]
    pub fn count(&mut self, levels: Levels, scope: &mut Scope<'a>) {
        if levels.has(Levels::BLOCK) {
            self.counts.blocks += 1;
            scope.block = self.counts.blocks;
        }
        if levels.has(Levels::LINE) {
            self.counts.lines += 1;
            scope.line = self.counts.lines;
        }
    }

    /// An element of the wanted level begins. `is_complete`: all but the text is known.
    pub fn start(&mut self, mut element: Element<'a>, is_complete: bool, scope: &mut Scope<'a>) {
        self.counts.wanted += 1;
        element.position = self.counts.wanted;
        element.depth = scope.depth;
        let place = |number: usize| (number > 0).then_some(number);
        if self.wanted.level != Level::Block {
            element.block = place(scope.block);
        }
        if self.wanted.level == Level::Word {
            element.line = place(scope.line);
        }
        element.language = scope.language;
        scope.depth += 1;
        // Of one document all elements are complete at once, or none.
        if is_complete && !self.wanted.text {
            self.told += 1;
            tell(
                &mut self.tell,
                &self.pages,
                self.pages.len(),
                &element,
                None,
            );
            return;
        }
        scope.row = Some(element.position);
        scope.around = element.position;
        if self.wanted.text {
            scope.mark = self.text.begin();
        }
        self.waiting.push_back(Waiting {
            element,
            page: self.pages.len(),
            text: String::new(),
            is_complete: false,
            has_inner_box: false,
        });
    }

    /// Merges a word into the word around it if both are the same word; otherwise returns it.
    ///
    /// Tesseract 3.00 writes the box in an `ocr_word` and the confidence and text in an
    /// `xocr_word` inside of it. Where both have boxes, a word of another class is the first of
    /// the words that the outer one contains, which has no text besides: the row gets its box.
    pub fn merge_word(&mut self, word: Element<'a>, scope: &Scope<'a>) -> Option<Element<'a>> {
        let place = scope.around.checked_sub(self.told + 1);
        let Some(outer) = place.and_then(|place| self.waiting.get_mut(place)) else {
            return Some(word);
        };
        let is_in = |of: Option<usize>, number: usize| of.unwrap_or(0) == number;
        let (known, is_first) = (&mut outer.element, !outer.has_inner_box);
        let is_same = if known.class == word.class {
            // The end tag of the outer word may be missing, unless they have one box.
            word.bbox.is_some() && word.bbox == known.bbox
        } else {
            word.bbox.is_none() || is_first || word.bbox == known.bbox
        };
        if !is_same || !is_in(known.block, scope.block) || !is_in(known.line, scope.line) {
            return Some(word);
        }
        outer.has_inner_box |= word.bbox.is_some();
        known.language = scope.language;
        known.merge(word);
        None
    }

    /// An element that waits, to be completed.
    pub fn waiting(&mut self, scope: &Scope<'a>) -> Option<&mut Element<'a>> {
        let place = scope.row?.checked_sub(self.told + 1)?;
        self.waiting.get_mut(place).map(|row| &mut row.element)
    }

    /// An element ends.
    pub fn end(&mut self, scope: &Scope<'a>) {
        let Some(place) = scope.row.and_then(|row| row.checked_sub(self.told + 1)) else {
            return;
        };
        let Some(row) = self.waiting.get_mut(place) else {
            return;
        };
        row.is_complete = true;
        let text = self.wanted.text.then(|| self.text.current());
        if place == 0 {
            tell(&mut self.tell, &self.pages, row.page, &row.element, text);
            self.waiting.pop_front();
            self.told += 1;
            self.tell_complete();
        } else {
            row.text.push_str(text.unwrap_or_default());
        }
        if self.wanted.text {
            self.text.back_to(scope.mark);
        }
    }

    /// Hands on what no longer waits for anything.
    fn tell_complete(&mut self) {
        while let Some(row) = self.waiting.pop_front_if(|row| row.is_complete) {
            let text = self.wanted.text.then_some(row.text.as_str());
            tell(&mut self.tell, &self.pages, row.page, &row.element, text);
            self.told += 1;
        }
    }
}

fn tell<'a>(
    tell: &mut impl FnMut(Row<'_, 'a>),
    pages: &[Page<'a>],
    page: usize,
    element: &Element<'a>,
    text: Option<&str>,
) {
    tell(Row {
        element,
        page: page.checked_sub(1).and_then(|place| pages.get(place)),
        text,
    });
}
