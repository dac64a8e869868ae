//! Elements on their way out: in the order of their start tags, each when all is known of it.

use std::collections::VecDeque;
use std::mem;

use super::element::{Element, Page, cut_repeated};
use super::level::{Level, Levels};
use super::read::{Row, Selection};
use super::text::{Mark, TextBuffer};

/// Longer names of languages are cut.
const MAX_LANGUAGE_BYTES: usize = 100;

/// Hands on elements. One that is not complete holds back those that began after it.
pub(super) struct Rows<'a, F> {
    pub wanted: Selection,
    pub text: TextBuffer,
    tell: F,
    pages: Vec<Page<'a>>,
    queues: [Queue<'a>; Level::ALL.len()],
    counts: Counts,
}

/// The elements of one level.
#[derive(Default)]
struct Queue<'a> {
    waiting: VecDeque<Waiting<'a>>,
    /// The number of elements that began, and of those that were handed on.
    started: usize,
    told: usize,
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

/// How many blocks and lines there were, wanted or not.
#[derive(Default)]
struct Counts {
    blocks: usize,
    lines: usize,
}

/// Where an element stands, and what it hands down to those in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scope<'a> {
    pub language: Option<&'a str>,
    /// The block and the line around it, or it itself: their positions, 0 for none.
    pub block: usize,
    pub line: usize,
    /// The number of wanted elements of each level around it, itself counted.
    depths: [u32; Level::ALL.len()],
    /// The level and position of an element that waits for its end.
    row: Option<(Level, usize)>,
    /// The position of the innermost waiting element around it, or of it itself; 0 for none.
    around: usize,
    /// What the text was when it began.
    mark: Mark,
}

impl<'a> Scope<'a> {
    /// Is text of use here?
    #[inline]
    pub fn has_text(&self) -> bool {
        self.around > 0
    }

    /// What an element in it starts with.
    #[inline]
    pub fn inner(&self, language: Option<&'a str>) -> Self {
        Self {
            language: cut_language(language).or(self.language),
            row: None,
            ..*self
        }
    }

    /// Takes a language if it has none.
    pub fn take_language(&mut self, language: Option<&'a str>) {
        self.language = self.language.or(cut_language(language));
    }
}

/// Cuts a language that is too long to be one: it is repeated with every element.
#[inline]
fn cut_language(language: Option<&str>) -> Option<&str> {
    language.map(|language| {
        let end = language.floor_char_boundary(MAX_LANGUAGE_BYTES);
        language.get(..end).unwrap_or(language)
    })
}

impl<'a, F: FnMut(Row<'_, 'a>)> Rows<'a, F> {
    pub fn new(wanted: Selection, tell: F) -> Self {
        Self {
            wanted,
            text: TextBuffer::default(),
            tell,
            pages: Vec::new(),
            queues: Default::default(),
            counts: Counts::default(),
        }
    }

    /// What comes next is on that page.
    pub fn page(&mut self, page: Page<'a>) {
        self.pages.push(Page {
            position: self.pages.len() + 1,
            id: page.id.map(cut_repeated),
            image: page.image.map(cut_repeated),
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

    /// An element of a wanted level begins. `is_complete`: all but the text is known. It is taken
    /// out of `element` if it has to wait.
    #[inline]
    pub fn start(
        &mut self,
        level: Level,
        element: &mut Element<'a>,
        is_complete: bool,
        scope: &mut Scope<'a>,
    ) {
        let place = |number: usize| (number > 0).then_some(number);
        // Blocks are not counted when only pages are wanted.
        if matches!(level, Level::Line | Level::Word) {
            element.block = place(scope.block);
        }
        if level == Level::Word {
            element.line = place(scope.line);
        }
        element.language = scope.language;
        if let Some(depth) = scope.depths.get_mut(level as usize) {
            element.depth = *depth as usize;
            *depth += 1;
        }
        let Some(queue) = self.queues.get_mut(level as usize) else {
            return;
        };
        queue.started += 1;
        element.position = queue.started;
        let is_ready = is_complete && !self.wanted.text;
        if is_ready && queue.waiting.is_empty() {
            queue.told += 1;
            (self.tell)(Row {
                level,
                element,
                page: self.pages.last(),
                text: None,
            });
            return;
        }
        if !is_ready {
            scope.row = Some((level, element.position));
            scope.around = element.position;
        }
        if self.wanted.text {
            scope.mark = self.text.begin();
        }
        queue.waiting.push_back(Waiting {
            element: mem::take(element),
            page: self.pages.len(),
            text: String::new(),
            is_complete: is_ready,
            has_inner_box: false,
        });
    }

    /// Merges a word into the word around it if both are the same word; otherwise returns `false`.
    ///
    /// Tesseract 3.00 writes the box in an `ocr_word` and the confidence and text in an
    /// `xocr_word` inside of it. Where both have boxes, a word of another class is the first of
    /// the words that the outer one contains, which has no text besides: the row gets its box.
    #[inline]
    pub fn merge_word(&mut self, word: &mut Element<'a>, scope: &Scope<'a>) -> bool {
        let Some(outer) = self.waiting_at(Level::Word, scope.around) else {
            return false;
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
            return false;
        }
        outer.has_inner_box |= word.bbox.is_some();
        known.language = scope.language;
        known.merge(mem::take(word));
        true
    }

    /// An element that waits, to be completed.
    pub fn waiting(&mut self, scope: &Scope<'a>) -> Option<&mut Element<'a>> {
        let (level, position) = scope.row?;
        self.waiting_at(level, position).map(|row| &mut row.element)
    }

    fn waiting_at(&mut self, level: Level, position: usize) -> Option<&mut Waiting<'a>> {
        let queue = self.queues.get_mut(level as usize)?;
        queue.waiting.get_mut(queue.place(position)?)
    }

    /// An element ends.
    #[inline]
    pub fn end(&mut self, scope: &Scope<'a>) {
        if let Some((level, position)) = scope.row {
            self.end_row(level, position, scope.mark);
        }
    }

    fn end_row(&mut self, level: Level, position: usize, mark: Mark) {
        let Some(queue) = self.queues.get_mut(level as usize) else {
            return;
        };
        let Some(place) = queue.place(position) else {
            return;
        };
        let Some(row) = queue.waiting.get_mut(place) else {
            return;
        };
        row.is_complete = true;
        let text = self.wanted.text.then(|| self.text.current());
        if place == 0 {
            row.tell(level, &self.pages, text, &mut self.tell);
            queue.waiting.pop_front();
            queue.told += 1;
            while let Some(row) = queue.waiting.pop_front_if(|row| row.is_complete) {
                let text = self.wanted.text.then_some(row.text.as_str());
                row.tell(level, &self.pages, text, &mut self.tell);
                queue.told += 1;
            }
        } else {
            row.text.push_str(text.unwrap_or_default());
        }
        if self.wanted.text {
            self.text.back_to(mark);
        }
    }
}

impl Queue<'_> {
    /// The place of an element among those that wait.
    fn place(&self, position: usize) -> Option<usize> {
        position.checked_sub(self.told + 1)
    }
}

impl<'a> Waiting<'a> {
    fn tell(
        &self,
        level: Level,
        pages: &[Page<'a>],
        text: Option<&str>,
        tell: &mut impl FnMut(Row<'_, 'a>),
    ) {
        let page = self.page.checked_sub(1);
        tell(Row {
            level,
            element: &self.element,
            page: page.and_then(|place| pages.get(place)),
            text,
        });
    }
}
