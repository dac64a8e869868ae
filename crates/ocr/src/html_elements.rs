//! The effects of HTML elements on the text inside them and on the elements around them.

use super::level::Levels;
use super::text::Gap;
use corpus_markup::{KNOWN, Name};

/// The gap between an element's text and the text around it.
#[inline]
pub(super) fn gap_of(name: Name, levels: Levels) -> Gap {
    let blocks = Levels::PAGE.union(Levels::BLOCK).union(Levels::PARAGRAPH);
    if levels.has(blocks) {
        return Gap::Paragraph;
    }
    if levels.has(Levels::LINE) {
        return Gap::Line;
    }
    match name {
        Name::P => Gap::Paragraph,
        Name::BR => Gap::Line,
        Name::TD | Name::TH => Gap::Word,
        _ if Traits::of(name).is_block => Gap::Line,
        _ if levels.has(Levels::WORD) => Gap::Word,
        _ => Gap::None,
    }
}

/// Properties of the elements with a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    /// They have no end tag.
    pub is_void: bool,
    /// Inline end tags do not close anything outside them. These are the standard's special
    /// elements that a page may contain.
    pub is_block: bool,
}

impl Traits {
    #[inline]
    pub fn of(name: Name) -> Self {
        let bits = TRAITS.get(name.index()).copied().unwrap_or(0);
        Self {
            is_void: bits & IS_VOID != 0,
            is_block: bits & IS_BLOCK != 0,
        }
    }
}

const IS_VOID: u8 = 1;
const IS_BLOCK: u8 = 1 << 1;

const VOID: [Name; 18] = [
    Name::AREA,
    Name::BASE,
    Name::BASEFONT,
    Name::BGSOUND,
    Name::BR,
    Name::COL,
    Name::EMBED,
    Name::FRAME,
    Name::HR,
    Name::IMG,
    Name::INPUT,
    Name::KEYGEN,
    Name::LINK,
    Name::META,
    Name::PARAM,
    Name::SOURCE,
    Name::TRACK,
    Name::WBR,
];

const BLOCKS: [Name; 44] = [
    Name::ADDRESS,
    Name::ARTICLE,
    Name::ASIDE,
    Name::BLOCKQUOTE,
    Name::BODY,
    Name::CAPTION,
    Name::CENTER,
    Name::DD,
    Name::DETAILS,
    Name::DIR,
    Name::DIV,
    Name::DL,
    Name::DT,
    Name::FIELDSET,
    Name::FIGCAPTION,
    Name::FIGURE,
    Name::FOOTER,
    Name::FORM,
    Name::H1,
    Name::H2,
    Name::H3,
    Name::H4,
    Name::H5,
    Name::H6,
    Name::HEAD,
    Name::HEADER,
    Name::HTML,
    Name::LI,
    Name::MAIN,
    Name::MENU,
    Name::NAV,
    Name::OL,
    Name::P,
    Name::PRE,
    Name::SECTION,
    Name::SUMMARY,
    Name::TABLE,
    Name::TBODY,
    Name::TD,
    Name::TFOOT,
    Name::TH,
    Name::THEAD,
    Name::TR,
    Name::UL,
];

/// Indexed by the numbers of names.
static TRAITS: [u8; KNOWN] = {
    let mut traits = [0; KNOWN];
    let mut at = 0;
    while at < VOID.len() {
        traits[VOID[at].index()] |= IS_VOID;
        at += 1;
    }
    at = 0;
    while at < BLOCKS.len() {
        traits[BLOCKS[at].index()] |= IS_BLOCK;
        at += 1;
    }
    traits
};
