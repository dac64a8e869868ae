//! The tree of a query, before the index is known.

use std::ops::Bound;

/// How a part of a query contributes to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occur {
    Must,
    Should,
    Not,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    Clauses(Vec<(Occur, Node)>),
    Boost(Box<Node>, f32),
    Leaf(Leaf),
    /// `*`: every document.
    All,
}

/// A word, a phrase, a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// The number of the character where it starts, from 1.
    pub position: usize,
    pub field: Option<String>,
    pub looked_for: LookedFor,
}

#[derive(Debug, Clone, PartialEq)]
pub enum LookedFor {
    Word {
        text: String,
        ending: Ending,
    },
    Phrase {
        text: String,
        slop: u32,
        prefix: bool,
    },
    Range {
        lower: Bound<String>,
        upper: Bound<String>,
    },
    /// `field:*`: any value.
    Anything,
}

/// The sign after a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    None,
    /// `*`
    Prefix,
    /// `~`, with the number of letters that may differ.
    Fuzzy(u8),
}
