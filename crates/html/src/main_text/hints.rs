//! Hints from the names, classes and ids of elements about their content.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::parts::{NamedPart, Parts, WORDS};
use super::words::Words;
use corpus_markup::Name;

/// A hint about the content of an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hint {
    /// An article, or a container of one.
    Main,
    #[default]
    Neutral,
    /// Surroundings of the main content: menus, teasers, comments.
    Boilerplate,
}

/// Substrings that indicate main content, even next to boilerplate substrings.
const CLEARLY_MAIN: &[&str] = &["article", "body", "content", "main"];

/// Substrings that indicate main content.
const MAIN: &[&str] = &[
    "blog", "entry", "honbun", "kiji", "page", "post", "story", "text",
];

/// Notices that cover a page.
const NOTICES: &[&str] = &["consent", "cookie", "dialog", "gdpr", "privacy"];

/// Sections that most pages have. They are also names of elements ([`element_word`]).
const FRAME: &[&str] = &["footer", "menu", "nav"];

/// Other substrings that indicate boilerplate and have few other meanings.
const CLEAR: &[&str] = &[
    "ad-break",
    "advert",
    "agegate",
    "author-info",
    "bookmark",
    "breadcrumb",
    "byline",
    "copyright",
    "disqus",
    "dropdown",
    "entry-tags",
    "login",
    "masthead",
    "modal",
    "newsletter",
    "outbrain",
    "pager",
    "popup",
    "post-tags",
    "recommend",
    "register",
    "rss",
    "signup",
    "skyscraper",
    "social",
    "subscribe",
    "taboola",
    "tag-list",
    "taglist",
    "toolbar",
];

/// Substrings that indicate boilerplate, but also layouts ("has-sidebar"), building blocks of pages
/// ("elementor-widget") or a kind of content ("search-results").
const UNCLEAR: &[&str] = &[
    "-ad-",
    "banner",
    "caption",
    "combx",
    "credit",
    "infobox",
    "meta-",
    "overlay",
    "pagination",
    "pr_area",
    "promo",
    "search",
    "share",
    "shoutbox",
    "sidebar",
    "skip",
    "sponsor",
    "supplemental",
    "syndication",
    "teaser",
    "trending",
    "tweet",
    "widget",
];

/// An unclear substring for boilerplate that may be longer than the article next to it. Without an
/// article, it is the main content.
const LONG: &[&str] = &["related"];

/// Like `LONG`, for comments. In a discussion, they are the main content.
const COMMENTS: &[&str] = &["comment", "remark", "replies"];

/// A substring that indicates boilerplate on the page of a product. Elsewhere, a review is an
/// article.
const REVIEWS: &[&str] = &["review"];

/// A substring that indicates boilerplate in a discussion: the text that an author adds to each
/// post. Elsewhere, it may be a function signature.
const SIGNATURES: &[&str] = &["signature"];

/// A substring that indicates boilerplate on the page of a product, where it shows other products.
const CAROUSELS: &[&str] = &["carousel"];

/// Collapsible sections. They are drop-downs, but not menus.
const ACCORDION: &[&str] = &["accordion"];

/// Substrings that contain another substring, but mean something else.
const OTHERS: &[&str] = &["accredit", "no_credit", "nocredit", "preview", "tax-credit"];

/// All substrings that indicate boilerplate on pages of every kind.
#[cfg(test)]
pub const BOILERPLATE: [&[&str]; 6] = [NOTICES, FRAME, CLEAR, UNCLEAR, LONG, COMMENTS];

/// The lists of substrings, in the order of the automaton. A word of boilerplate is identified by
/// its index in all of them.
const LISTS: [&[&str]; 13] = [
    NOTICES,
    FRAME,
    CLEAR,
    UNCLEAR,
    LONG,
    COMMENTS,
    REVIEWS,
    SIGNATURES,
    CAROUSELS,
    MAIN,
    CLEARLY_MAIN,
    ACCORDION,
    OTHERS,
];

/// The number of substrings in a list and all lists before it.
const fn end_of(list: usize) -> usize {
    let mut count = 0;
    let mut index = 0;
    while index <= list {
        count += LISTS[index].len();
        index += 1;
    }
    count
}

const FRAME_END: usize = end_of(1);
const CLEAR_END: usize = end_of(2);
const UNCLEAR_END: usize = end_of(3);
const LONG_END: usize = end_of(4);
const COMMENTS_END: usize = end_of(5);
const REVIEWS_END: usize = end_of(6);
const SIGNATURES_END: usize = end_of(7);
const BOILERPLATE_END: usize = end_of(8);
const MAIN_END: usize = end_of(9);
const CLEARLY_MAIN_END: usize = end_of(10);
const ACCORDION_END: usize = end_of(11);
/// Indexes of two pseudo-words: elements for surroundings (aside, …) and for input.
const ASIDE: usize = BOILERPLATE_END;
const FORM: usize = BOILERPLATE_END + 1;

impl Words {
    pub const NOTICES: Self = Self::range(0, NOTICES.len());
    /// Words that are also names of elements.
    pub const FRAME: Self = Self::range(NOTICES.len(), FRAME_END).with(ASIDE);
    /// Words with few other meanings.
    pub const CLEAR: Self = Self::range(0, CLEAR_END).with(ASIDE);
    /// Words that have other meanings, too.
    pub const UNCLEAR: Self = Self::range(CLEAR_END, BOILERPLATE_END);
    /// Words for boilerplate that may be longer than the article.
    pub const LONG: Self = Self::range(UNCLEAR_END, COMMENTS_END);
    /// Words that indicate boilerplate except in discussions.
    pub const COMMENTS: Self = Self::range(LONG_END, COMMENTS_END);
    /// Words that indicate boilerplate only on pages of products.
    pub const REVIEWS: Self = Self::range(COMMENTS_END, REVIEWS_END);
    /// Words that indicate boilerplate only in discussions.
    pub const SIGNATURES: Self = Self::range(REVIEWS_END, SIGNATURES_END);
    /// Words of parts with other products. They count only once a page is known to be a product's.
    pub const CAROUSELS: Self = Self::range(SIGNATURES_END, BOILERPLATE_END);
}

/// The hints of one element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hints {
    /// The words that indicate boilerplate.
    pub boilerplate: Words,
    /// Whether main content is indicated, and boilerplate only on pages of certain kinds, if at
    /// all.
    is_main: bool,
}

impl Hints {
    /// The words that indicate boilerplate only on pages of certain kinds.
    const DEPENDENT: Words = Words::range(COMMENTS_END, BOILERPLATE_END);

    /// Returns the hints in an element's name and in the values of class, id and role. Counts the
    /// parts named in them.
    pub fn of(name: Name, values: [Option<Cow<'_, str>>; 3], parts: &mut Parts) -> Self {
        if matches!(name, Name::ARTICLE | Name::MAIN) {
            return Self {
                is_main: true,
                ..Self::default()
            };
        }
        if let Some(word) = element_word(name) {
            return Self {
                boilerplate: Words::NONE.with(word),
                is_main: false,
            };
        }
        // The classes of a quotation describe its source.
        if matches!(name, Name::BODY | Name::BLOCKQUOTE) {
            return Self::default();
        }
        let [_, _, role] = &values;
        if let Some(word) = role.as_deref().and_then(landmark_word) {
            return Self {
                boilerplate: Words::NONE.with(word),
                is_main: false,
            };
        }
        Self::of_values(&values, parts)
    }

    fn of_values(values: &[Option<Cow<'_, str>>], parts: &mut Parts) -> Self {
        let mut boilerplate = Words::NONE;
        let mut has_main = false;
        let mut is_clearly_main = false;
        let mut is_accordion = false;
        for value in values.iter().flatten() {
            for word in AUTOMATON.find_iter(value) {
                let index = word.pattern().as_usize();
                if let Some(part) = AUTOMATON.part(index) {
                    parts.add(part);
                }
                match index {
                    index if index < BOILERPLATE_END => boilerplate = boilerplate.with(index),
                    index if index < MAIN_END => has_main = true,
                    index if index < CLEARLY_MAIN_END => is_clearly_main = true,
                    index if index < ACCORDION_END => is_accordion = true,
                    _ => {}
                }
            }
        }
        if is_accordion && let Some(index) = index_of("dropdown") {
            boilerplate = boilerplate.without(Words::NONE.with(index));
        }
        let depends_on_kind = boilerplate.is_within(Self::DEPENDENT);
        Self {
            is_main: (has_main || is_clearly_main) && depends_on_kind,
            boilerplate: if is_clearly_main {
                Words::NONE
            } else {
                boilerplate
            },
        }
    }

    /// Whether the element is a notice that covers the page. On a page that shows little, such
    /// notices may be most of the text.
    pub fn is_notice(self) -> bool {
        self.boilerplate.overlaps(Words::NOTICES)
    }

    /// The hint of the element, on a page on which some words are misleading.
    pub fn without(self, misleading: Words) -> Hint {
        if !self.boilerplate.without(misleading).is_empty() {
            Hint::Boilerplate
        } else if self.is_main {
            Hint::Main
        } else {
            Hint::Neutral
        }
    }
}

/// The index of the word for elements with this name, if it indicates boilerplate.
fn element_word(name: Name) -> Option<usize> {
    let word = match name {
        Name::ADDRESS | Name::ASIDE | Name::DIALOG => return Some(ASIDE),
        Name::FIELDSET | Name::FORM => return Some(FORM),
        Name::CAPTION | Name::FIGCAPTION => "caption",
        Name::FOOTER => "footer",
        Name::MENU => "menu",
        Name::NAV => "nav",
        _ => return None,
    };
    index_of(word)
}

/// The index of the word for a landmark role of WAI-ARIA that marks surroundings. Roles are
/// compared as a whole: "contentinfo" is a footer.
fn landmark_word(role: &str) -> Option<usize> {
    let is = |name: &str| role.trim().eq_ignore_ascii_case(name);
    if is("alertdialog") || is("dialog") {
        index_of("dialog")
    } else if is("complementary") {
        Some(ASIDE)
    } else if is("contentinfo") {
        index_of("footer")
    } else if is("navigation") {
        index_of("nav")
    } else {
        None
    }
}

/// The index of a word in the lists.
fn index_of(word: &str) -> Option<usize> {
    let mut words = LISTS.iter().copied().flatten();
    words.position(|other| *other == word)
}

static AUTOMATON: LazyLock<Automaton> = LazyLock::new(Automaton::new);

struct Automaton {
    words: Option<AhoCorasick>,
    /// The parts of the words.
    parts: Vec<Option<NamedPart>>,
}

impl Automaton {
    fn new() -> Self {
        let hints = LISTS.iter().copied().flatten().copied();
        let others = WORDS.iter().map(|(word, _)| *word);
        let words: Vec<&str> = hints.chain(others).collect();
        let part = |word: &&str| {
            let part = WORDS.iter().find(|(other, _)| other == word);
            part.map(|(_, part)| *part)
        };
        let parts = words.iter().map(part).collect();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            // The fastest kind, which is not the default for this number of words.
            .kind(Some(AhoCorasickKind::DFA))
            // Finds "post-tags" rather than "post".
            .match_kind(MatchKind::LeftmostLongest)
            .build(words);
        Self {
            words: automaton.ok(),
            parts,
        }
    }

    fn find_iter<'a>(&'a self, text: &'a str) -> impl Iterator<Item = aho_corasick::Match> + 'a {
        let words = self.words.iter();
        words.flat_map(move |words| words.find_iter(text))
    }

    fn part(&self, word: usize) -> Option<NamedPart> {
        self.parts.get(word).copied().flatten()
    }
}
