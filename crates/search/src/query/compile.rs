//! Compiles the tree of a query for the fields of an index.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::path::Path;

use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, ExistsQuery, FastFieldRangeQuery,
    Occur as TantivyOccur, Query, TermQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::ast::{Ending, Leaf, Node, Occur, Operand};
use super::lexer::error;
use super::parser::{Operator, parse};
use super::terms::Analyzers;
use super::value;
use super::wildcard::{ANY, as_written};
use crate::error::Result;
use crate::settings::{IndexSettings, Searched, field, field_name};
use crate::value::ColumnType;

/// The expected value of a field whose values are searched as a whole, for messages.
const INNER_STAR: &str = "a value in which * is only at the end, for any ending; as a character of \
                          the value it is written \\*";

/// A query that is ready to run.
pub struct Compiled {
    pub query: Box<dyn Query>,
    /// The document frequencies that scoring assumes for terms that match one word of the query.
    pub frequencies: HashMap<Term, u64>,
    pub highlights: Vec<Highlight>,
}

/// Highlighted terms in the text of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Highlight {
    pub column: usize,
    /// The patterns of terms, with their distances from the first one.
    pub patterns: Vec<(usize, Pattern)>,
    /// Whether they are highlighted everywhere, not only at these distances.
    pub anywhere: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    Term(String),
    Prefix(String),
    /// The first character of a pair.
    Character(String),
    AnyOf(BTreeSet<String>),
}

/// Parses and compiles a query. `searchers` belong to the indexes with these settings; errors name
/// the first index.
pub fn compile(
    query: &str,
    operator: Operator,
    settings: &IndexSettings,
    searchers: &[Searcher],
    path: &Path,
) -> Result<Compiled> {
    let Some(node) = parse(query, operator)? else {
        let message = "the query is empty: write words, or * for every document";
        return Err(error(1, message));
    };
    let mut compiler = Compiler {
        settings,
        searchers,
        path,
        analyzers: Analyzers::new(settings.words),
        frequencies: HashMap::new(),
        highlights: Vec::new(),
        terms: 0,
        patterns: 0,
        near_terms: 0,
        excluded: false,
    };
    let Some(query) = compiler.node(&node)? else {
        let message = "the query has no word to search for: signs are not indexed, nor are stop words \
                       where the index leaves them out";
        return Err(error(1, message));
    };
    Ok(Compiled {
        query,
        frequencies: compiler.frequencies,
        highlights: compiler.highlights,
    })
}

pub(super) struct Compiler<'a> {
    pub settings: &'a IndexSettings,
    pub searchers: &'a [Searcher],
    pub path: &'a Path,
    pub analyzers: Analyzers,
    pub frequencies: HashMap<Term, u64>,
    highlights: Vec<Highlight>,
    pub terms: usize,
    pub patterns: usize,
    /// The number of terms whose positions are compared.
    pub near_terms: usize,
    /// Whether this is inside of NOT, where nothing is highlighted.
    pub excluded: bool,
}

pub(super) type Maybe = Option<Box<dyn Query>>;

impl Compiler<'_> {
    /// Compiles a node. Returns `None` if nothing is left to search for: signs and stop words are
    /// skipped.
    fn node(&mut self, node: &Node) -> Result<Maybe> {
        match node {
            Node::All => Ok(Some(every_document())),
            Node::Leaf(leaf) => self.leaf(leaf),
            Node::Boost(inner, boost) => {
                let inner = self.node(inner)?;
                Ok(inner.map(|inner| Box::new(BoostQuery::new(inner, *boost)) as _))
            }
            Node::Clauses(clauses) => self.clauses(clauses),
            Node::Near(near) => self.near(near),
        }
    }

    fn clauses(&mut self, clauses: &[(Occur, Node)]) -> Result<Maybe> {
        let mut parts: Vec<(TantivyOccur, Box<dyn Query>)> = Vec::new();
        for (occur, node) in clauses {
            let before = self.excluded;
            self.excluded ^= *occur == Occur::Not;
            let compiled = self.node(node);
            self.excluded = before;
            if let Some(query) = compiled? {
                let occur = match occur {
                    Occur::Must => TantivyOccur::Must,
                    Occur::Should => TantivyOccur::Should,
                    Occur::Not => TantivyOccur::MustNot,
                };
                parts.push((occur, query));
            }
        }
        if parts.is_empty() {
            return Ok(None);
        }
        // If nothing else is searched for, the result is all documents except the excluded ones.
        if parts
            .iter()
            .all(|(occur, _)| *occur == TantivyOccur::MustNot)
        {
            parts.push((TantivyOccur::Must, every_document()));
        }
        Ok(Some(Box::new(BooleanQuery::new(parts))))
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<Maybe> {
        let columns = match &leaf.field {
            None => self.settings.texts.clone(),
            Some(name) => vec![self.column(leaf.position, name)?],
        };
        let mut queries: Vec<Box<dyn Query>> = Vec::new();
        for column in columns {
            let query = match self.settings.columns[column].searched {
                Searched::Words => self.words(column, leaf)?,
                _ => Some(self.value(column, leaf)?),
            };
            queries.extend(query);
        }
        Ok(match queries.len() {
            0 | 1 => queries.pop(),
            _ => Some(Box::new(BooleanQuery::union(queries))),
        })
    }

    pub(super) fn column(&self, position: usize, name: &str) -> Result<usize> {
        let Some(at) = self.settings.find(name) else {
            return Err(error(
                position,
                format!(
                    "the index has no field '{name}'; its fields are {}. A : of the text is written \\:",
                    self.settings.searchable()
                ),
            ));
        };
        if self.settings.columns[at].searched == Searched::No {
            return Err(error(
                position,
                format!(
                    "the field '{name}' is stored, but not searched; searched fields are {}",
                    self.settings.searchable()
                ),
            ));
        }
        Ok(at)
    }

    /// Compiles a value, a prefix, or a range of a column that is searched as a whole value.
    fn value(&mut self, column: usize, leaf: &Leaf) -> Result<Box<dyn Query>> {
        let at = leaf.position;
        let kind = self.settings.columns[column].kind;
        let name = &self.settings.columns[column].name;
        let wrong = |expected: &str| error(at, format!("the field '{name}' expects {expected}"));
        let text = kind == ColumnType::Text;
        let range = match &leaf.operand {
            Operand::Word { text: word, ending } => match ending {
                Ending::None => value::equal_to(field(column), kind, word),
                Ending::Prefix if text => Ok(value::starting_with(field(column), word)),
                Ending::Prefix => Err("a whole value, without *"),
                // In values, such as URLs, ? is an ordinary character.
                Ending::Pattern => match word.strip_suffix(ANY) {
                    Some(start) if start.contains(ANY) => Err(INNER_STAR),
                    Some(start) if text => {
                        Ok(value::starting_with(field(column), &as_written(start)))
                    }
                    Some(_) => Err("a whole value, without *"),
                    None if word.contains(ANY) => Err(INNER_STAR),
                    None => value::equal_to(field(column), kind, &as_written(word)),
                },
                Ending::Fuzzy(_) => Err("a value without ~"),
            },
            Operand::Phrase {
                text: value,
                prefix: true,
                ..
            } if text => Ok(value::starting_with(field(column), value)),
            Operand::Phrase { prefix: true, .. } => Err("a whole value, without *"),
            Operand::Phrase { text, .. } => value::equal_to(field(column), kind, text),
            Operand::Range { lower, upper } => value::between(field(column), kind, lower, upper),
            Operand::Anything => Ok((Bound::Unbounded, Bound::Unbounded)),
        };
        let query: Box<dyn Query> = match range.map_err(wrong)? {
            (Bound::Unbounded, Bound::Unbounded) => {
                Box::new(ExistsQuery::new(field_name(column), false))
            }
            (lower, upper) => Box::new(FastFieldRangeQuery::new(lower, upper)),
        };
        // It selects documents but does not contribute to their scores.
        Ok(Box::new(ConstScoreQuery::new(query, 0.0)))
    }

    pub(super) fn highlight(
        &mut self,
        column: usize,
        patterns: Vec<(usize, Pattern)>,
        anywhere: bool,
    ) {
        if !self.excluded {
            self.highlights.push(Highlight {
                column,
                patterns,
                anywhere,
            });
        }
    }
}

pub(super) fn open_pattern(prefix: &str, character: bool) -> Pattern {
    if character {
        Pattern::Character(prefix.to_owned())
    } else {
        Pattern::Prefix(prefix.to_owned())
    }
}

pub(super) fn term_query(column: usize, word: &str) -> Box<dyn Query> {
    let term = Term::from_field_text(field(column), word);
    Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
}

fn every_document() -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(Box::new(AllQuery), 0.0))
}
