//! Emits elements in the order of their start tags, each as soon as it is complete.

use std::collections::{BTreeMap, VecDeque};
use std::mem;

use super::element::{Division, Element, Page, cut_repeated};
use super::level::{Level, Levels};
use super::row::Row;
use super::text::{Checkpoint, TextBuffer};
use super::word_division::DividedWords;

/// Maximum length of a language name. Longer names are truncated.
const MAX_LANGUAGE_BYTES: usize = 100;

/// The levels to emit. Text belongs to the elements of a single level, so it excludes several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Selection {
    pub levels: Levels,
    pub text: bool,
    /// Whether words that are divided at the ends of lines are joined.
    pub joins: bool,
}

impl Selection {
    /// Whether divided words are counted.
    pub fn counts_divided(self) -> bool {
        self.levels == Levels::ALL
    }
}

/// Emits elements. An incomplete element delays those that started after it.
pub(super) struct Rows<'a, F> {
    pub selection: Selection,
    pub text: TextBuffer,
    /// The divided words, if they are counted.
    pub divided: DividedWords,
    emit: F,
    pages: Vec<Page<'a>>,
    queues: [Queue<'a>; Level::ALL.len()],
    /// The words that are parts of divided words, by position.
    divisions: BTreeMap<usize, Division<'a>>,
    counts: Counts,
}

/// The elements of one level.
#[derive(Default)]
struct Queue<'a> {
    waiting: VecDeque<Waiting<'a>>,
    /// The numbers of elements that were started and that were emitted.
    started: usize,
    emitted: usize,
}

struct Waiting<'a> {
    element: Element<'a>,
    /// The number of its page, starting with 1; 0 for none.
    page: usize,
    text: String,
    is_complete: bool,
    /// Whether its box comes from a word that was merged into it.
    has_inner_box: bool,
}

/// The number of blocks and lines so far, wanted or not.
#[derive(Default)]
struct Counts {
    blocks: usize,
    lines: usize,
}

/// The position of an element, and the properties that the elements inside it inherit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scope<'a> {
    pub language: Option<&'a str>,
    /// The positions of the enclosing block and line, or of the element itself; 0 for none.
    pub block: usize,
    pub line: usize,
    /// The number of enclosing wanted elements per level, including this one.
    depths: [u32; Level::ALL.len()],
    /// The level and position of an element that waits for its end.
    row: Option<(Level, usize)>,
    /// The position of the innermost waiting element, possibly this one; 0 for none.
    around: usize,
    /// The state of the text at its start.
    mark: Checkpoint,
}

impl<'a> Scope<'a> {
    /// Whether text is collected here.
    #[inline]
    pub fn has_text(&self) -> bool {
        self.around > 0
    }

    /// The element that text belongs to here, as a number.
    pub fn text_owner(&self) -> usize {
        self.around
    }

    /// The scope of an element inside this one.
    #[inline]
    pub fn inner(&self, language: Option<&'a str>) -> Self {
        Self {
            language: cut_language(language).or(self.language),
            row: None,
            ..*self
        }
    }

    /// Sets the language unless there already is one.
    pub fn take_language(&mut self, language: Option<&'a str>) {
        self.language = self.language.or(cut_language(language));
    }
}

/// Truncates a language, because it is repeated with every element.
#[inline]
fn cut_language(language: Option<&str>) -> Option<&str> {
    language.map(|language| {
        let end = language.floor_char_boundary(MAX_LANGUAGE_BYTES);
        language.get(..end).unwrap_or(language)
    })
}

impl<'a, F: FnMut(Row<'_, 'a>)> Rows<'a, F> {
    pub fn new(selection: Selection, emit: F) -> Self {
        Self {
            selection,
            text: TextBuffer::new(selection.joins),
            divided: DividedWords::default(),
            emit,
            pages: Vec::new(),
            queues: Default::default(),
            divisions: BTreeMap::new(),
            counts: Counts::default(),
        }
    }

    /// The number of the current page; 0 for none.
    pub fn page_number(&self) -> usize {
        self.pages.len()
    }

    /// Starts a page. The following elements belong to it.
    pub fn page(&mut self, page: Page<'a>) {
        self.pages.push(Page {
            position: self.pages.len() + 1,
            id: page.id.map(cut_repeated),
            image: page.image.map(cut_repeated),
            ..page
        });
    }

    /// Counts a block or line, and stores its position in the scope of the element.
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

    /// Like [`start`](Self::start), for levels with few elements.
    #[inline(never)]
    pub fn start_large(&mut self, level: Level, element: &mut Element<'a>, scope: &mut Scope<'a>) {
        self.start(level, element, true, scope);
    }

    /// Starts an element of a wanted level. `is_complete`: only its text is missing. The element is
    /// moved out of `element` if it has to wait.
    #[inline(always)]
    pub fn start(
        &mut self,
        level: Level,
        element: &mut Element<'a>,
        is_complete: bool,
        scope: &mut Scope<'a>,
    ) {
        let place = |number: usize| (number > 0).then_some(number);
        // Blocks are not counted if only pages are wanted.
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
        let is_ready = is_complete && !self.selection.text;
        if is_ready && queue.waiting.is_empty() {
            queue.emitted += 1;
            (self.emit)(Row {
                level,
                element,
                page: self.pages.last(),
                text: None,
                division: division_of(&self.divisions, level, element.position),
            });
            return;
        }
        if !is_ready {
            scope.row = Some((level, element.position));
            scope.around = element.position;
        }
        if self.selection.text {
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

    /// Marks the next word, which is about to start, as a part of a divided word.
    pub fn divide_next(&mut self, division: Division<'a>) {
        let started = self.queues.get(Level::Word as usize).map(|q| q.started);
        self.divisions.insert(started.unwrap_or(0) + 1, division);
    }

    /// Marks a waiting word as a part of a divided word, unless it already is one.
    pub fn divide(&mut self, scope: &Scope<'a>, division: Division<'a>) {
        if let Some((Level::Word, position)) = scope.row {
            self.divisions.entry(position).or_insert(division);
        }
    }

    /// Merges a word into the enclosing word if both are the same word; otherwise returns `false`.
    ///
    /// Tesseract 3.00 writes the box in an `ocr_word`, and the confidence and text in an
    /// `xocr_word` inside it. If both have boxes, the first inner word with another class is merged
    /// as well: the outer word has no other text, and gets the inner box.
    #[inline]
    pub fn merge_word(&mut self, word: &mut Element<'a>, scope: &Scope<'a>) -> bool {
        let Some(outer) = self.waiting_at(Level::Word, scope.around) else {
            return false;
        };
        let is_in = |of: Option<usize>, number: usize| of.unwrap_or(0) == number;
        let (known, is_first) = (&mut outer.element, !outer.has_inner_box);
        let is_same = if known.class == word.class {
            // The end tag of the outer word may be missing, unless both have the same box.
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

    /// A waiting element that is still incomplete.
    pub fn waiting(&mut self, scope: &Scope<'a>) -> Option<&mut Element<'a>> {
        let (level, position) = scope.row?;
        self.waiting_at(level, position).map(|row| &mut row.element)
    }

    fn waiting_at(&mut self, level: Level, position: usize) -> Option<&mut Waiting<'a>> {
        let queue = self.queues.get_mut(level as usize)?;
        queue.waiting.get_mut(queue.index(position)?)
    }

    /// Ends an element.
    #[inline]
    pub fn end(&mut self, scope: &Scope<'a>) {
        if let Some((level, position)) = scope.row {
            self.end_row(level, position, scope.mark);
        }
    }

    fn end_row(&mut self, level: Level, position: usize, mark: Checkpoint) {
        let Some(queue) = self.queues.get_mut(level as usize) else {
            return;
        };
        let Some(index) = queue.index(position) else {
            return;
        };
        let Some(row) = queue.waiting.get_mut(index) else {
            return;
        };
        row.is_complete = true;
        let text = self.selection.text.then(|| self.text.current());
        if index == 0 {
            let division = division_of(&self.divisions, level, position);
            row.emit(level, &self.pages, text, division, &mut self.emit);
            queue.waiting.pop_front();
            queue.emitted += 1;
            while let Some(row) = queue.waiting.pop_front_if(|row| row.is_complete) {
                let text = self.selection.text.then_some(row.text.as_str());
                queue.emitted += 1;
                let division = division_of(&self.divisions, level, queue.emitted);
                row.emit(level, &self.pages, text, division, &mut self.emit);
            }
        } else {
            row.text.push_str(text.unwrap_or_default());
        }
        if self.selection.text {
            self.text.back_to(mark);
        }
    }
}

/// The data of an element that is a part of a divided word.
#[inline]
fn division_of<'r, 'a>(
    divisions: &'r BTreeMap<usize, Division<'a>>,
    level: Level,
    position: usize,
) -> Option<&'r Division<'a>> {
    if divisions.is_empty() || level != Level::Word {
        return None;
    }
    divisions.get(&position)
}

impl Queue<'_> {
    /// The index of an element among the waiting ones.
    fn index(&self, position: usize) -> Option<usize> {
        position.checked_sub(self.emitted + 1)
    }
}

impl<'a> Waiting<'a> {
    fn emit(
        &self,
        level: Level,
        pages: &[Page<'a>],
        text: Option<&str>,
        division: Option<&Division<'a>>,
        emit: &mut impl FnMut(Row<'_, 'a>),
    ) {
        let page = self.page.checked_sub(1);
        emit(Row {
            level,
            element: &self.element,
            page: page.and_then(|index| pages.get(index)),
            text,
            division,
        });
    }
}
