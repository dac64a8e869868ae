//! Hints from the names, classes and ids of elements about their content.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::events::Element;
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

/// Substrings that indicate main content, even next to those that indicate boilerplate.
const CLEARLY_MAIN: &[&str] = &["article", "body", "content", "main"];

/// Substrings that indicate main content.
const MAIN: &[&str] = &[
    "blog", "entry", "honbun", "kiji", "page", "post", "story", "text",
];

/// Substrings that indicate boilerplate.
const BOILERPLATE: &[&str] = &[
    "-ad-",
    "ad-break",
    "advert",
    "agegate",
    "author-info",
    "banner",
    "bookmark",
    "breadcrumb",
    "byline",
    "caption",
    "combx",
    "comment",
    "consent",
    "cookie",
    "copyright",
    "disqus",
    "dropdown",
    "footer",
    "gdpr",
    "infobox",
    "login",
    "masthead",
    "menu",
    "meta-",
    "modal",
    "nav",
    "newsletter",
    "outbrain",
    "overlay",
    "pager",
    "pagination",
    "popup",
    "privacy",
    "promo",
    "pr_area",
    "recommend",
    "register",
    "related",
    "remark",
    "replies",
    "rss",
    "search",
    "share",
    "shoutbox",
    "sidebar",
    "signup",
    "skip",
    "skyscraper",
    "social",
    "sponsor",
    "subscribe",
    "supplemental",
    "syndication",
    "taboola",
    "tag-list",
    "taglist",
    "post-tags",
    "entry-tags",
    "teaser",
    "toolbar",
    "trending",
    "tweet",
    "widget",
];

impl Hint {
    pub fn of(element: &Element<'_>) -> Self {
        match element.name {
            Name::ARTICLE | Name::MAIN => return Hint::Main,
            Name::ADDRESS
            | Name::ASIDE
            | Name::CAPTION
            | Name::DIALOG
            | Name::FIELDSET
            | Name::FIGCAPTION
            | Name::FOOTER
            | Name::FORM
            | Name::MENU
            | Name::NAV => return Hint::Boilerplate,
            // The classes of a quotation describe its source.
            Name::BODY | Name::BLOCKQUOTE => return Hint::Neutral,
            _ => {}
        }
        let mut found = [false; 3];
        for name in ["class", "id", "role"] {
            let Some(value) = element.attribute(name) else {
                continue;
            };
            for word in WORDS.find_iter(&value) {
                let list = match word.pattern().as_usize() {
                    index if index < BOILERPLATE.len() => 0,
                    index if index < BOILERPLATE.len() + MAIN.len() => 1,
                    _ => 2,
                };
                found[list] = true;
            }
        }
        match found {
            [true, _, false] => Hint::Boilerplate,
            [false, true, _] | [false, _, true] => Hint::Main,
            _ => Hint::Neutral,
        }
    }
}

static WORDS: LazyLock<Words> = LazyLock::new(Words::new);

struct Words(Option<AhoCorasick>);

impl Words {
    fn new() -> Self {
        let words = BOILERPLATE.iter().chain(MAIN).chain(CLEARLY_MAIN);
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words);
        Self(automaton.ok())
    }

    fn find_iter<'a>(&'a self, text: &'a str) -> impl Iterator<Item = aho_corasick::Match> + 'a {
        self.0.iter().flat_map(move |words| words.find_iter(text))
    }
}
