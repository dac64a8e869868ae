//! The levels of a page.

/// A level of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Page,
    Block,
    Line,
    Word,
}

impl Level {
    /// All levels, from the page down.
    pub const ALL: [Self; 4] = [Self::Page, Self::Block, Self::Line, Self::Word];
}

/// The levels that an element belongs to: usually none or one, several if it has several classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Levels(u8);

impl Levels {
    pub const NONE: Self = Self(0);
    pub const PAGE: Self = Self(1);
    pub const BLOCK: Self = Self(1 << 1);
    pub const LINE: Self = Self(1 << 2);
    pub const WORD: Self = Self(1 << 3);
    /// A paragraph, which counts as a block if there is no block around it.
    pub const PARAGRAPH: Self = Self(1 << 4);

    pub const ALL: Self = Self(Self::PAGE.0 | Self::BLOCK.0 | Self::LINE.0 | Self::WORD.0);

    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The levels that are in both sets.
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub fn includes(self, level: Level) -> bool {
        self.has(Self::from(level))
    }
}

impl From<Level> for Levels {
    #[inline]
    fn from(level: Level) -> Self {
        match level {
            Level::Page => Self::PAGE,
            Level::Block => Self::BLOCK,
            Level::Line => Self::LINE,
            Level::Word => Self::WORD,
        }
    }
}
