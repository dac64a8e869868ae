//! Compiles the tree of a query for the fields of an index.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::path::Path;

use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, ExistsQuery,
    FastFieldRangeQuery, FuzzyTermQuery, InvertedIndexRangeQuery, Occur as TantivyOccur,
    PhraseQuery, Query, RegexPhraseQuery, TermQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::ast::{Ending, Leaf, LookedFor, Node, Occur};
use super::expand::{MAX_PHRASE_ENDS, MAX_SCORED_TERMS, prefix_range, similar_to, starting_with};
use super::lexer::error;
use super::parser::{Operator, parse};
use super::terms::{Analyzers, Terms};
use super::value;
use crate::error::{Result, SearchError};
use crate::settings::{IndexSettings, Searched, field, field_name};
use crate::value::ColumnType;
use crate::words::scripts;

/// The maximum number of terms of all words and phrases together.
const MAX_TERMS: usize = 4096;

/// The maximum number of words with `*` or `~`. Each is compared with the terms of the index.
const MAX_PATTERNS: usize = 64;

/// The maximum length of a word with `~`.
const MAX_FUZZY_CHARS: usize = 64;

/// The weight of a term that only resembles the word, relative to the word itself.
const SIMILAR_WEIGHT: f32 = 0.5;

/// A query that is ready to run.
pub struct Compiled {
    pub query: Box<dyn Query>,
    /// The document frequencies of terms that match one word of the query, as scoring assumes them.
    pub frequencies: HashMap<Term, u64>,
    pub highlights: Vec<Highlight>,
}

/// Highlighted terms in the text of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Highlight {
    pub column: usize,
    /// The patterns of terms, with their distances from the first one.
    pub patterns: Vec<(usize, Pattern)>,
    /// Whether they are highlighted everywhere, and not only at these distances.
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

/// Parses and compiles a query. `searchers` are those of the indexes with these settings; errors
/// name the first of these.
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

struct Compiler<'a> {
    settings: &'a IndexSettings,
    searchers: &'a [Searcher],
    path: &'a Path,
    analyzers: Analyzers,
    frequencies: HashMap<Term, u64>,
    highlights: Vec<Highlight>,
    terms: usize,
    patterns: usize,
    /// Whether this is inside of NOT, where nothing is highlighted.
    excluded: bool,
}

type Maybe = Option<Box<dyn Query>>;

impl Compiler<'_> {
    /// Returns `None` if nothing is searched for: signs and stop words are skipped.
    fn node(&mut self, node: &Node) -> Result<Maybe> {
        match node {
            Node::All => Ok(Some(every_document())),
            Node::Leaf(leaf) => self.leaf(leaf),
            Node::Boost(inner, boost) => {
                let inner = self.node(inner)?;
                Ok(inner.map(|inner| Box::new(BoostQuery::new(inner, *boost)) as _))
            }
            Node::Clauses(clauses) => self.clauses(clauses),
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
        // If nothing else is searched for, the excluded documents are excluded from all documents.
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

    fn column(&self, position: usize, name: &str) -> Result<usize> {
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
        let range = match &leaf.looked_for {
            LookedFor::Word { text: word, ending } => match ending {
                Ending::None => value::equal_to(field(column), kind, word),
                Ending::Prefix if text => Ok(value::starting_with(field(column), word)),
                Ending::Prefix => Err("a whole value, without *"),
                Ending::Fuzzy(_) => Err("a value without ~"),
            },
            LookedFor::Phrase {
                text: value,
                prefix: true,
                ..
            } if text => Ok(value::starting_with(field(column), value)),
            LookedFor::Phrase { prefix: true, .. } => Err("a whole value, without *"),
            LookedFor::Phrase { text, .. } => value::equal_to(field(column), kind, text),
            LookedFor::Range { lower, upper } => value::between(field(column), kind, lower, upper),
            LookedFor::Anything => Ok((Bound::Unbounded, Bound::Unbounded)),
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

    /// Compiles words or a phrase in a column of text.
    fn words(&mut self, column: usize, leaf: &Leaf) -> Result<Maybe> {
        let at = leaf.position;
        let (text, ending, slop) = match &leaf.looked_for {
            LookedFor::Word { text, ending } => (text, *ending, 0),
            LookedFor::Phrase {
                text,
                slop,
                prefix: false,
            } => (text, Ending::None, *slop),
            LookedFor::Phrase {
                text,
                slop,
                prefix: true,
            } => (text, Ending::Prefix, *slop),
            LookedFor::Range { .. } | LookedFor::Anything => {
                let name = &self.settings.columns[column].name;
                return Err(error(
                    at,
                    format!(
                        "the field '{name}' is text: it is searched by words and \"phrases\", not \
                         by ranges"
                    ),
                ));
            }
        };
        let terms = self
            .analyzers
            .terms_of(text, ending == Ending::Prefix, slop);
        self.terms += terms.exact.len() + usize::from(terms.prefix.is_some());
        if self.terms > MAX_TERMS {
            return Err(error(at, format!("a query has at most {MAX_TERMS} terms")));
        }
        if terms.prefix.is_some() || matches!(ending, Ending::Fuzzy(_)) {
            self.patterns += 1;
            if self.patterns > MAX_PATTERNS {
                let message = format!("a query has at most {MAX_PATTERNS} words with * or ~");
                return Err(error(at, message));
            }
        }
        if let Ending::Fuzzy(distance) = ending {
            return self.fuzzy(column, &terms, distance, at);
        }
        match (terms.exact.as_slice(), &terms.prefix) {
            ([], None) => Ok(None),
            ([], Some((_, prefix))) => self.prefix(column, prefix, terms.character).map(Some),
            ([(_, word)], None) => {
                self.highlight(column, vec![(0, Pattern::Term(word.clone()))], false);
                Ok(Some(term_query(column, word)))
            }
            (_, None) => Ok(Some(self.phrase(column, &terms, slop))),
            (_, Some(_)) => self.phrase_with_prefix(column, &terms, at).map(Some),
        }
    }

    fn phrase(&mut self, column: usize, terms: &Terms, slop: u32) -> Box<dyn Query> {
        let patterns = terms.exact.iter();
        let patterns = patterns.map(|(at, word)| (*at, Pattern::Term(word.clone())));
        self.highlight(column, patterns.collect(), slop > 0);
        let words = terms.exact.iter();
        let words = words.map(|(at, word)| (*at, Term::from_field_text(field(column), word)));
        Box::new(PhraseQuery::new_with_offset_and_slop(words.collect(), slop))
    }

    fn phrase_with_prefix(
        &mut self,
        column: usize,
        terms: &Terms,
        at: usize,
    ) -> Result<Box<dyn Query>> {
        let Some((end_at, end)) = &terms.prefix else {
            return Ok(self.phrase(column, terms, 0));
        };
        let found = starting_with(self.searchers, field(column), end, MAX_PHRASE_ENDS);
        let (ends, complete) = found.map_err(SearchError::damaged(self.path))?;
        if !complete {
            return Err(error(
                at,
                format!(
                    "more than {MAX_PHRASE_ENDS} words of the index start with '{end}': write \
                     more of the last word of the phrase"
                ),
            ));
        }
        let patterns = terms.exact.iter();
        let patterns = patterns.map(|(at, word)| (*at, Pattern::Term(word.clone())));
        let last = (*end_at, open_pattern(end, terms.character));
        self.highlight(column, patterns.chain([last]).collect(), false);
        // Terms are letters, digits and marks, which have no special meaning in a pattern.
        let open = format!("{end}.*");
        let count = self.most_frequent(column, &ends)?;
        self.frequencies
            .insert(Term::from_field_text(field(column), &open), count);
        let words = terms.exact.iter().cloned().chain([(*end_at, open)]);
        let words: Vec<_> = words.collect();
        let expansions = words.len() + ends.len();
        let mut query = RegexPhraseQuery::new_with_offset(field(column), words);
        query.set_max_expansions(u32::try_from(expansions).unwrap_or(u32::MAX));
        Ok(Box::new(query))
    }

    /// Returns the number of documents that contain the most frequent of the terms.
    fn most_frequent(&self, column: usize, terms: &BTreeSet<String>) -> Result<u64> {
        let mut most = 0;
        for term in terms {
            let term = Term::from_field_text(field(column), term);
            let documents = self
                .searchers
                .iter()
                .map(|searcher| searcher.doc_freq(&term));
            let documents: u64 = documents
                .sum::<tantivy::Result<u64>>()
                .map_err(SearchError::damaged(self.path))?;
            most = most.max(documents);
        }
        Ok(most)
    }

    fn prefix(&mut self, column: usize, prefix: &str, character: bool) -> Result<Box<dyn Query>> {
        self.highlight(column, vec![(0, open_pattern(prefix, character))], false);
        let found = starting_with(self.searchers, field(column), prefix, MAX_SCORED_TERMS);
        let (mut terms, complete) = found.map_err(SearchError::damaged(self.path))?;
        // If the index cuts endings off, the prefix may be longer than its terms.
        let stem = self.analyzers.stem(prefix);
        if complete {
            terms.extend(stem);
            return self.any_of(column, &terms, None);
        }
        let (from, to) = prefix_range(field(column), prefix);
        let range = Box::new(InvertedIndexRangeQuery::new(from, to));
        let all: Box<dyn Query> = Box::new(ConstScoreQuery::new(range, 1.0));
        Ok(match stem {
            Some(stem) => Box::new(BooleanQuery::union(vec![all, term_query(column, &stem)])),
            None => all,
        })
    }

    fn fuzzy(&mut self, column: usize, terms: &Terms, distance: u8, at: usize) -> Result<Maybe> {
        let word = match terms.exact.as_slice() {
            [] if terms.prefix.is_none() => return Ok(None),
            [(_, word)] if !word.starts_with(scripts::is_spaceless) => word,
            _ => {
                let message = "~ is only allowed after one word of letters, or after a \"phrase\"";
                return Err(error(at, message));
            }
        };
        if word.chars().count() > MAX_FUZZY_CHARS {
            let message = format!("a word with ~ has at most {MAX_FUZZY_CHARS} characters");
            return Err(error(at, message));
        }
        let term = Term::from_field_text(field(column), word);
        let query = FuzzyTermQuery::new(term, distance, true);
        let found = similar_to(self.searchers, &query, field(column), MAX_SCORED_TERMS);
        let (similar, complete) = found.map_err(SearchError::damaged(self.path))?;
        self.highlight(column, vec![(0, Pattern::AnyOf(similar.clone()))], false);
        if complete {
            return self.any_of(column, &similar, Some(word)).map(Some);
        }
        Ok(Some(Box::new(ConstScoreQuery::new(Box::new(query), 1.0))))
    }

    /// Matches any of the terms for one word. The best of them counts.
    fn any_of(
        &mut self,
        column: usize,
        terms: &BTreeSet<String>,
        exact: Option<&str>,
    ) -> Result<Box<dyn Query>> {
        let of = |term: &String| Term::from_field_text(field(column), term);
        let count = self.most_frequent(column, terms)?;
        let queries = terms.iter().map(|term| {
            let query = term_query(column, term);
            if exact.is_some_and(|exact| exact == term) {
                return query;
            }
            self.frequencies.insert(of(term), count);
            match exact {
                Some(_) => Box::new(BoostQuery::new(query, SIMILAR_WEIGHT)),
                None => query,
            }
        });
        Ok(Box::new(DisjunctionMaxQuery::new(queries.collect())))
    }

    fn highlight(&mut self, column: usize, patterns: Vec<(usize, Pattern)>, anywhere: bool) {
        if !self.excluded {
            self.highlights.push(Highlight {
                column,
                patterns,
                anywhere,
            });
        }
    }
}

fn open_pattern(prefix: &str, character: bool) -> Pattern {
    if character {
        Pattern::Character(prefix.to_owned())
    } else {
        Pattern::Prefix(prefix.to_owned())
    }
}

fn term_query(column: usize, word: &str) -> Box<dyn Query> {
    let term = Term::from_field_text(field(column), word);
    Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
}

fn every_document() -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(Box::new(AllQuery), 0.0))
}
