//! What a query says, before it is known which index it is for.

use std::ops::Bound;

/// How a part of a query takes part in it.
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
    /// The character of the query where it begins; the first is 1.
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

/// What stands behind a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    None,
    /// `*`
    Prefix,
    /// `~`, with the number of letters that may differ.
    Fuzzy(u8),
}
