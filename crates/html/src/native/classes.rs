//! The classes of elements in the standard: special, formatting, scope boundaries, optional end
//! tags.

use corpus_markup::{KNOWN, Name};

/// A set of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Classes(u16);

impl Classes {
    pub(super) const NONE: Self = Self(0);
    /// Ends the search for the element that an end tag without special rules closes.
    pub(super) const SPECIAL: Self = Self(1);
    /// Ends the search for an element in scope.
    pub(super) const SCOPE: Self = Self(1 << 1);
    /// Also ends the search in list item scope.
    pub(super) const LIST_SCOPE: Self = Self(1 << 2);
    /// Also ends the search in button scope.
    pub(super) const BUTTON_SCOPE: Self = Self(1 << 3);
    /// Ends the search in table scope.
    pub(super) const TABLE_SCOPE: Self = Self(1 << 4);
    /// The end tag is optional.
    pub(super) const IMPLIED_END: Self = Self(1 << 5);
    /// The end tag is optional before the end of a template.
    pub(super) const THOROUGH_END: Self = Self(1 << 6);
    pub(super) const HEADING: Self = Self(1 << 7);
    pub(super) const FORMATTING: Self = Self(1 << 8);
    /// Misplaced content inside it is moved before the table.
    pub(super) const TABLE_PART: Self = Self(1 << 9);
    pub(super) const CELL: Self = Self(1 << 10);
    pub(super) const ROW_GROUP: Self = Self(1 << 11);

    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub(super) const fn any(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// The classes of an HTML element with this name.
    #[inline]
    pub(super) fn of(name: Name) -> Self {
        TABLE.get(name.index()).copied().unwrap_or(Self::NONE)
    }
}

static TABLE: [Classes; KNOWN] = {
    let mut table = [Classes::NONE; KNOWN];
    let mut row = 0;
    while row < MEMBERS.len() {
        let (class, names) = MEMBERS[row];
        let mut column = 0;
        while column < names.len() {
            let index = names[column].index();
            table[index] = table[index].with(class);
            column += 1;
        }
        row += 1;
    }
    table
};

/// The same lists as in html5ever 0.39, so that both engines agree.
const MEMBERS: &[(Classes, &[Name])] = &[
    (Classes::SPECIAL, SPECIAL),
    (
        Classes::SCOPE,
        &[
            Name::APPLET,
            Name::CAPTION,
            Name::HTML,
            Name::TABLE,
            Name::TD,
            Name::TH,
            Name::MARQUEE,
            Name::OBJECT,
            Name::SELECT,
            Name::TEMPLATE,
        ],
    ),
    (Classes::LIST_SCOPE, &[Name::OL, Name::UL]),
    (Classes::BUTTON_SCOPE, &[Name::BUTTON]),
    (
        Classes::TABLE_SCOPE,
        &[Name::HTML, Name::TABLE, Name::TEMPLATE],
    ),
    (
        Classes::IMPLIED_END.with(Classes::THOROUGH_END),
        &[
            Name::DD,
            Name::DT,
            Name::LI,
            Name::OPTION,
            Name::OPTGROUP,
            Name::P,
            Name::RB,
            Name::RP,
            Name::RT,
            Name::RTC,
        ],
    ),
    (
        Classes::THOROUGH_END,
        &[
            Name::CAPTION,
            Name::COLGROUP,
            Name::TBODY,
            Name::TD,
            Name::TFOOT,
            Name::TH,
            Name::THEAD,
            Name::TR,
        ],
    ),
    (
        Classes::HEADING,
        &[Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6],
    ),
    (
        Classes::FORMATTING,
        &[
            Name::A,
            Name::B,
            Name::BIG,
            Name::CODE,
            Name::EM,
            Name::FONT,
            Name::I,
            Name::NOBR,
            Name::S,
            Name::SMALL,
            Name::STRIKE,
            Name::STRONG,
            Name::TT,
            Name::U,
        ],
    ),
    (
        Classes::TABLE_PART,
        &[Name::TABLE, Name::TBODY, Name::TFOOT, Name::THEAD, Name::TR],
    ),
    (Classes::CELL, &[Name::TD, Name::TH]),
    (Classes::ROW_GROUP, &[Name::TBODY, Name::TFOOT, Name::THEAD]),
];

#[rustfmt::skip]
const SPECIAL: &[Name] = &[
    Name::ADDRESS, Name::APPLET, Name::AREA, Name::ARTICLE, Name::ASIDE, Name::BASE,
    Name::BASEFONT, Name::BGSOUND, Name::BLOCKQUOTE, Name::BODY, Name::BR, Name::BUTTON,
    Name::CAPTION, Name::CENTER, Name::COL, Name::COLGROUP, Name::DD, Name::DETAILS, Name::DIR,
    Name::DIV, Name::DL, Name::DT, Name::EMBED, Name::FIELDSET, Name::FIGCAPTION, Name::FIGURE,
    Name::FOOTER, Name::FORM, Name::FRAME, Name::FRAMESET, Name::H1, Name::H2, Name::H3, Name::H4,
    Name::H5, Name::H6, Name::HEAD, Name::HEADER, Name::HGROUP, Name::HR, Name::HTML, Name::IFRAME,
    Name::IMG, Name::INPUT, Name::ISINDEX, Name::LI, Name::LINK, Name::LISTING, Name::MAIN,
    Name::MARQUEE, Name::MENU, Name::META, Name::NAV, Name::NOEMBED, Name::NOFRAMES,
    Name::NOSCRIPT, Name::OBJECT, Name::OL, Name::P, Name::PARAM, Name::PLAINTEXT, Name::PRE,
    Name::SCRIPT, Name::SECTION, Name::SELECT, Name::SOURCE, Name::STYLE, Name::SUMMARY,
    Name::TABLE, Name::TBODY, Name::TD, Name::TEMPLATE, Name::TEXTAREA, Name::TFOOT, Name::TH,
    Name::THEAD, Name::TITLE, Name::TR, Name::TRACK, Name::UL, Name::WBR, Name::XMP,
];
