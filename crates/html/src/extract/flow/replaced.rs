//! Elements whose content is shown in another form, or only if the page has little other text:
//! formulas, pages in attributes, and content for browsers without scripts.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{Document, Flow, Observer, crossed};
use crate::engine::read_fragment;
use crate::events::{Attributes, Element, Events, Options};
use crate::extract::effect::Effect;
use crate::extract::formula::{Formula, Written, tex};
use corpus_markup::Name;

/// Finds the types of scripts that contain formulas.
static FORMULA_TYPES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("math/"));
/// Finds the class of the preview that MathJax shows until it has set the formula of the next
/// script.
static PREVIEW_CLASS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("MathJax_Preview"));
/// Finds the attribute of formulas in GitLab.
static MATH_STYLE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("data-math-style"));
/// Finds the classes of notes in LaTeXML.
static NOTE_CLASS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("ltx_note_"));
/// Finds the class of cells with a line of code on GitHub, which style sheets show as preformatted.
static LINE_CLASS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("blob-code"));
/// Maximum depth of pages inside attributes.
const MAX_NESTED_PAGES: usize = 3;
/// Maximum length, in bytes, of the text of a page that depends on scripts.
const MAX_EMPTY_PAGE_TEXT_BYTES: usize = 1000;
/// Minimum length of a text without scripts that is more than a message, in characters, ...
const MIN_TEXT_WITHOUT_SCRIPTS: usize = 400;
/// ... and its minimum length compared with the other text of the page.
const MIN_RATIO_WITHOUT_SCRIPTS: usize = 4;

/// The content of a hidden element.
#[derive(Debug)]
pub(super) enum Captured {
    Formula(Formula),
    Tex {
        source: String,
        is_display: bool,
    },
    AsciiMath(String),
    /// Markup to parse.
    MathMl(String),
    /// Content for browsers without scripts, or without frames.
    WithoutScripts(String),
}

/// The last formula in MathML. A picture or a script after it may repeat it.
#[derive(Debug)]
pub(super) struct LastFormula {
    start: usize,
    end: usize,
    is_tex: bool,
}

impl LastFormula {
    pub(super) fn move_text(&mut self, moved: impl Fn(usize) -> usize) {
        self.start = moved(self.start);
        self.end = moved(self.end);
    }
}

impl Captured {
    fn of(element: &Element<'_>, is_empty_page: bool) -> Option<Self> {
        match element.name {
            Name::MATH => Some(Captured::Formula(Formula::new(element))),
            Name::SCRIPT if element.may_contain("type", &FORMULA_TYPES) => {
                Self::of_script(&element.attribute("type")?)
            }
            Name::NOSCRIPT | Name::NOFRAMES if is_empty_page => {
                Some(Captured::WithoutScripts(String::new()))
            }
            _ => None,
        }
    }

    /// Scripts that contain formulas for MathJax.
    fn of_script(media_type: &str) -> Option<Self> {
        let mut parts = media_type.split(';').map(str::trim);
        let subtype = parts.next()?.strip_prefix("math/")?;
        let source = String::new();
        match subtype {
            "tex" | "latex" => {
                let is_display = parts.any(|part| {
                    let mut words = part.split('=').map(str::trim);
                    words.next() == Some("mode") && words.next() == Some("display")
                });
                Some(Captured::Tex { source, is_display })
            }
            "asciimath" => Some(Captured::AsciiMath(source)),
            "mml" | "mathml" => Some(Captured::MathMl(source)),
            _ => None,
        }
    }

    pub(super) fn open(&mut self, element: &Element<'_>) {
        if let Captured::Formula(formula) = self {
            formula.open(element);
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        match self {
            Captured::Formula(formula) => formula.text(text),
            Captured::Tex { source, .. }
            | Captured::AsciiMath(source)
            | Captured::MathMl(source)
            | Captured::WithoutScripts(source) => source.push_str(text),
        }
    }
}

impl<M: Observer> Flow<M> {
    /// Starts a hidden element whose content is shown in another form, if at all.
    pub(super) fn replace(&mut self, element: &Element<'_>) {
        if element.name == Name::IFRAME {
            if self.nesting < MAX_NESTED_PAGES
                && let Some(page) = element.attribute("srcdoc")
            {
                self.read_page(element, &page);
            }
            return;
        }
        let is_empty_page = self.nesting == 0 && self.text.len() <= MAX_EMPTY_PAGE_TEXT_BYTES;
        self.captured = Captured::of(element, is_empty_page).map(Box::new);
        if self.observer.wants_tex()
            && let Some(Captured::Formula(formula)) = self.captured.as_deref_mut()
        {
            formula.make_tex();
        }
    }

    #[inline]
    pub(super) fn close_hidden(&mut self, name: Name) {
        self.hidden.close(name);
        if self.captured.is_some() {
            self.close_captured(name);
        }
    }

    #[cold]
    fn close_captured(&mut self, name: Name) {
        if self.hidden.is_inside() {
            if let Some(Captured::Formula(formula)) = self.captured.as_deref_mut() {
                formula.close(name);
            }
            return;
        }
        let Some(captured) = self.captured.take() else {
            return;
        };
        let is_formula = !matches!(*captured, Captured::WithoutScripts(_));
        match *captured {
            Captured::Formula(formula) => {
                let is_display = formula.is_display;
                let Written { text, is_tex, tex } = formula.finish();
                self.write_formula(&text, is_display, is_tex, tex.as_deref());
                let end = self.text.len();
                let start = end.saturating_sub(text.len());
                self.last_formula =
                    self.text
                        .ends_with(&text)
                        .then_some(LastFormula { start, end, is_tex });
            }
            Captured::Tex { source, is_display } => {
                self.write_tex(&source, is_display, false);
            }
            Captured::AsciiMath(source) => self.write_formula(&source, false, false, None),
            Captured::MathMl(source) => self.read_markup(&source, true),
            Captured::WithoutScripts(markup) => {
                let tag = if name == Name::NOSCRIPT {
                    "noscript"
                } else {
                    "div"
                };
                if self.without_scripts.is_empty() {
                    self.without_scripts.push_str("<body>");
                }
                self.without_scripts
                    .extend(["<", tag, ">", &markup, "</", tag, ">"]);
            }
        }
        if is_formula {
            self.formula_end = self.text.len();
        }
    }

    /// Starts an element whose text is a formula in TeX.
    #[cold]
    pub(super) fn hide_tex(&mut self, element: &Element<'_>) {
        let style = element.attribute("data-math-style");
        self.captured = Some(Box::new(Captured::Tex {
            source: String::new(),
            is_display: style.is_some_and(|style| style == "display"),
        }));
        self.hidden.enter(element.name);
    }

    /// Whether a hidden element is the only form of a formula of KaTeX: no MathML precedes it.
    #[cold]
    pub(super) fn shows_only_formula(&self, element: &Element<'_>) -> bool {
        element.name == Name::SPAN
            && self.formula_end != self.text.len()
            && has_class(element, "katex-html")
    }

    /// Writes a formula in TeX, unless it repeats the one before it.
    pub(super) fn write_tex(&mut self, source: &str, is_display: bool, is_picture: bool) {
        let text = tex(source, is_display);
        let end = self.text.len();
        let last = self.last_formula.take().filter(|last| last.end == end);
        let Some(last) = last else {
            return self.write_formula(&text, is_display, true, None);
        };
        let spaces = crossed::SPACE | crossed::WRAP | crossed::HARD_SPACE;
        let is_adjacent = self.crossed & spaces == 0;
        // The end of a displayed formula does not end a block.
        let is_beside = self.crossed & !(crossed::MARK | crossed::BLANK_LINE) == 0;
        let inner = |text: &str| text.trim_matches('$').trim().to_owned();
        let is_same = inner(self.text.get(last.start..).unwrap_or_default()) == inner(&text);
        if is_same || (is_beside && is_picture) {
            return;
        }
        if last.is_tex || !is_adjacent {
            return self.write_formula(&text, is_display, true, None);
        }
        self.text.truncate(last.start);
        self.text.push_str(&text);
        self.observer.rewritten(last.start, &self.text);
    }

    fn write_formula(&mut self, text: &str, is_display: bool, is_tex: bool, tex: Option<&str>) {
        if text.trim().is_empty() {
            return;
        }
        if is_display {
            self.crossed |= crossed::BLOCK;
        }
        self.observer.open_formula(is_tex, tex);
        self.words(text);
        self.observer.close_formula();
        if is_display {
            self.crossed |= crossed::BLANK_LINE;
        }
    }

    /// Reads the page in the attribute of a frame.
    #[cold]
    fn read_page(&mut self, frame: &Element<'_>, page: &str) {
        self.crossed |= crossed::BLOCK;
        self.observer.open(frame, Effect::Block);
        self.read_markup(page, true);
        self.observer.close(frame.name);
        self.crossed |= crossed::BLOCK;
    }

    fn read_markup(&mut self, markup: &str, scripting: bool) {
        if self.nesting >= MAX_NESTED_PAGES {
            return;
        }
        self.nesting += 1;
        let options = Options {
            scripting,
            ..Options::default()
        };
        let mut nested = Nested {
            flow: self,
            scripting,
        };
        read_fragment(markup, &options, &mut nested);
        self.nesting -= 1;
    }

    /// Parses the content for browsers without scripts, if the page has hardly any other text.
    #[cold]
    pub(super) fn read_without_scripts(&mut self) {
        let markup = std::mem::take(&mut self.without_scripts);
        if self.text.len() > MAX_EMPTY_PAGE_TEXT_BYTES {
            return;
        }
        let written = visible_characters(&self.text);
        let mut trial = Document::keeping(self.keeps_hidden, None);
        trial.read_in_body(&markup);
        let other = visible_characters(&trial.finish());
        let is_message = other < MIN_TEXT_WITHOUT_SCRIPTS;
        let is_more = other / MIN_RATIO_WITHOUT_SCRIPTS >= written;
        if written == 0 || (is_more && !is_message) {
            self.read_in_body(&markup);
        }
    }

    fn read_in_body(&mut self, markup: &str) {
        let body = Element {
            name: Name::BODY,
            foreign: false,
            attributes: Attributes::Parsed(&[]),
        };
        self.open(&body);
        self.read_markup(markup, false);
        self.close(Name::BODY);
    }
}

fn visible_characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Passes the events of a page inside another one.
struct Nested<'f, M> {
    flow: &'f mut Flow<M>,
    scripting: bool,
}

impl<M> Nested<'_, M> {
    /// Whether an element is shown although a page with scripts hides it.
    fn shows(&self, name: Name) -> bool {
        name == Name::NOSCRIPT && !self.scripting && !self.flow.hidden.is_inside()
    }
}

impl<M: Observer> Events for Nested<'_, M> {
    fn open(&mut self, element: &Element<'_>) {
        match element.name {
            Name::HTML | Name::BODY => {}
            name if self.shows(name) => {
                self.flow.crossed |= crossed::BLOCK;
                self.flow.observer.open(element, Effect::Block);
            }
            _ => self.flow.open(element),
        }
    }

    fn close(&mut self, name: Name) {
        match name {
            Name::HTML | Name::BODY => {}
            name if self.shows(name) => {
                self.flow.observer.close(name);
                self.flow.crossed |= crossed::BLOCK;
            }
            _ => self.flow.close(name),
        }
    }

    fn text(&mut self, text: &str) {
        self.flow.text(text);
    }

    fn wants_text(&self) -> bool {
        self.flow.wants_text()
    }
}

/// Whether an element is the mark of a note that follows it in the text, as in LaTeXML.
pub(super) fn is_note_mark(element: &Element<'_>) -> bool {
    element.may_contain("class", &NOTE_CLASS) && has_class(element, "ltx_note_mark")
}

/// Whether an element is a LaTeXML note inside the text, which browsers show only on demand.
pub(super) fn is_inline_note(element: &Element<'_>) -> bool {
    element.may_contain("class", &NOTE_CLASS) && has_class(element, "ltx_note_outer")
}

/// Whether an element repeats the mark of a note inside it.
pub(super) fn is_repeated_mark(element: &Element<'_>) -> bool {
    has_class(element, "ltx_note_mark") || has_class(element, "ltx_tag_note")
}

fn has_class(element: &Element<'_>, class: &str) -> bool {
    element.attribute("class").is_some_and(|classes| {
        let mut words = classes.split_ascii_whitespace();
        words.any(|word| word == class)
    })
}

/// Whether a cell contains a line of code, whose white space is kept.
#[inline]
pub(super) fn is_line_of_code(cell: &Element<'_>) -> bool {
    cell.may_contain("class", &LINE_CLASS) && has_class(cell, "blob-code")
}

/// Whether a template is the content of its parent element (declarative shadow DOM).
pub(super) fn is_shadow_root(element: &Element<'_>) -> bool {
    element.name == Name::TEMPLATE
        && element.attribute("shadowrootmode").is_some_and(|mode| {
            mode.eq_ignore_ascii_case("open") || mode.eq_ignore_ascii_case("closed")
        })
}

/// Whether a hidden element contains a formula in MathML, for screen readers, or shows one.
#[cold]
pub(super) fn shows_formula(element: &Element<'_>) -> bool {
    let may_show = matches!(element.name, Name::SPAN | Name::IMG);
    let classes = may_show.then(|| element.attribute("class")).flatten();
    classes.is_some_and(|classes| match element.name {
        Name::IMG => is_formula_picture(&classes),
        _ => classes.to_ascii_lowercase().contains("mathml"),
    })
}

/// Whether the text of an element is a formula in TeX, as in GitLab.
#[inline]
pub(super) fn is_tex(element: &Element<'_>) -> bool {
    matches!(element.name, Name::CODE | Name::PRE)
        && element.may_contain("data-math-style", &MATH_STYLE)
        && element.attribute("data-math-style").is_some()
}

/// Whether a button is the label of a tab.
pub(super) fn is_tab(button: &Element<'_>) -> bool {
    let role = button.attribute("role");
    role.is_some_and(|role| role.trim().eq_ignore_ascii_case("tab"))
}

/// Whether an element is MathJax's preview of a formula, which repeats the script after it.
#[inline(always)]
pub(super) fn is_preview(element: &Element<'_>) -> bool {
    element.name == Name::SPAN && is_preview_span(element)
}

fn is_preview_span(element: &Element<'_>) -> bool {
    element.may_contain("class", &PREVIEW_CLASS) && has_class(element, "MathJax_Preview")
}

/// Whether a picture with these classes shows a formula in TeX, as in MediaWiki, WordPress,
/// Sphinx (`math`) and QuickLaTeX.
pub(super) fn is_formula_picture(classes: &str) -> bool {
    let mut words = classes.split_ascii_whitespace();
    words.any(|word| {
        word.eq_ignore_ascii_case("tex")
            || word.eq_ignore_ascii_case("latex")
            || word.eq_ignore_ascii_case("math")
            || word.starts_with("ql-img-")
            || word.starts_with("mwe-math-fallback-image")
    })
}
