//! The tree of a query, before the index is known.

use std::fmt;
use std::ops::Bound;

/// The contribution of a part of a query.
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
    Near(Near),
    /// `*`: every document.
    All,
}

/// Words, phrases or alternatives near each other. Each is compared with the previous one.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// The number of the character where the first operator starts, from 1.
    pub position: usize,
    pub first: Box<Node>,
    pub rest: Vec<(Proximity, Node)>,
}

/// An operator such as `w/5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proximity {
    /// The maximum distance; neighbors have the distance 1.
    pub words: u32,
    pub relation: Relation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `w/5`, `NEAR/5`
    Near,
    /// `PRE/5`: the left side comes first.
    Before,
    /// `NOT w/5`: the left side occurs without the right side near it.
    NotNear,
}

impl fmt::Display for Proximity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.relation {
            Relation::Near => "w",
            Relation::Before => "PRE",
            Relation::NotNear => "NOT w",
        };
        write!(f, "{name}/{}", self.words)
    }
}

/// A word, a phrase, a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// The number of the character where it starts, from 1.
    pub position: usize,
    pub field: Option<String>,
    pub operand: Operand,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    Word {
        text: String,
        ending: Ending,
    },
    Phrase {
        text: String,
        slop: u32,
        prefix: bool,
        /// The position, in characters, of a sign that would be a wildcard outside of a phrase.
        wildcard: Option<usize>,
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
    /// The word contains [`ANY`] or [`ONE`](super::wildcard::ONE).
    ///
    /// [`ANY`]: super::wildcard::ANY
    Pattern,
    /// `~`, with the number of letters that may differ.
    Fuzzy(u8),
}
