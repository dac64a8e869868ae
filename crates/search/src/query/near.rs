//! Compiles words near each other, such as `fraud* w/10 (loan OR credit)`.

use std::sync::Arc;

use tantivy::Term;
use tantivy::query::{BooleanQuery, BoostQuery, FuzzyTermQuery, Occur as TantivyOccur, Query};

use super::ast::{Ending, Leaf, Near, Node, Occur, Relation};
use super::compile::{Compiler, Maybe};
use super::expand::{MAX_ALL_NEAR_TERMS, MAX_NEAR_TERMS, similar_to, starting_with};
use super::lexer::error;
use super::spans::{NearQuery, Spans};
use super::terms::Terms;
use super::words::{fuzzy_word, too_many_terms};
use crate::error::{Result, SearchError};
use crate::settings::{Searched, field};

/// A query for documents that may match, and the positions to compare in them.
type Operand = (Box<dyn Query>, Spans);

impl Compiler<'_> {
    pub(super) fn near(&mut self, near: &Near) -> Result<Maybe> {
        let columns = match field_of(near)? {
            None => self.settings.texts.clone(),
            Some((position, name)) => {
                let column = self.column(position, name)?;
                if self.settings.columns[column].searched != Searched::Words {
                    return Err(error(
                        near.position,
                        format!("the field '{name}' is searched as a whole value, without {NEAR}"),
                    ));
                }
                vec![column]
            }
        };
        let mut queries: Vec<Box<dyn Query>> = Vec::new();
        for column in columns {
            let (candidates, spans) = self.near_in(column, near)?;
            queries.push(Box::new(NearQuery {
                candidates,
                field: field(column),
                spans: Arc::new(spans),
            }));
        }
        Ok(match queries.len() {
            0 | 1 => queries.pop(),
            _ => Some(Box::new(BooleanQuery::union(queries))),
        })
    }

    fn near_in(&mut self, column: usize, near: &Near) -> Result<Operand> {
        let position = near.position;
        let is_not_near = |at: usize| near.rest[at].0.relation == Relation::NotNear;
        if near.rest.len() > 1 && (0..near.rest.len()).any(is_not_near) {
            let message = "NOT w/n needs parentheses beside other operators of this kind";
            return Err(error(position, message));
        }
        let (query, first) = self.operand(column, &near.first, position)?;
        let mut candidates = vec![(TantivyOccur::Must, query)];
        let mut rest = Vec::new();
        for (proximity, node) in &near.rest {
            let is_excluded = proximity.relation == Relation::NotNear;
            let before = self.excluded;
            self.excluded ^= is_excluded;
            let operand = self.operand(column, node, position);
            self.excluded = before;
            let (query, spans) = operand?;
            if !is_excluded {
                candidates.push((TantivyOccur::Must, query));
            }
            rest.push((*proximity, spans));
        }
        let spans = Spans::Near {
            first: Box::new(first),
            rest,
        };
        Ok((Box::new(BooleanQuery::new(candidates)), spans))
    }

    /// Compiles one side. `position` is the position of the operator.
    fn operand(&mut self, column: usize, node: &Node, position: usize) -> Result<Operand> {
        match node {
            Node::Leaf(leaf) => {
                let query = self.words(column, leaf)?;
                let spans = self.sequence(column, leaf)?;
                let message = "the words beside w/n must be words of the index: signs are not \
                               indexed, nor are stop words where the index leaves them out";
                query
                    .zip(spans)
                    .ok_or_else(|| error(leaf.position, message))
            }
            Node::Boost(inner, boost) => {
                let (query, spans) = self.operand(column, inner, position)?;
                Ok((Box::new(BoostQuery::new(query, *boost)), spans))
            }
            Node::Near(near) => self.near_in(column, near),
            Node::Clauses(clauses) => match clauses.as_slice() {
                [(Occur::Must | Occur::Should, only)] => self.operand(column, only, position),
                clauses if clauses.iter().all(|(occur, _)| *occur == Occur::Should) => {
                    let operands = clauses.iter();
                    let operands = operands.map(|(_, node)| self.operand(column, node, position));
                    let operands: Result<Vec<_>> = operands.collect();
                    let (queries, spans) = operands?.into_iter().unzip();
                    let query = Box::new(BooleanQuery::union(queries));
                    Ok((query, Spans::AnyOf(spans)))
                }
                _ => Err(error(
                    position,
                    "in parentheses beside w/n, only OR and w/n are allowed: write \"a b\" for a \
                     phrase, or (a w/5 c) AND (b w/5 c)",
                )),
            },
            Node::All => Err(error(position, "w/n needs a word or a phrase on each side")),
        }
    }

    /// Returns the terms of a word or phrase, with their distances; `None` for signs.
    fn sequence(&mut self, column: usize, leaf: &Leaf) -> Result<Option<Spans>> {
        let at = leaf.position;
        let (terms, ending, slop) = self.terms(column, leaf)?;
        if slop > 0 {
            let message = "a phrase with ~ is not allowed beside w/n: write (a w/3 b) w/5 c";
            return Err(error(at, message));
        }
        if let Ending::Fuzzy(distance) = ending {
            let Some(word) = fuzzy_word(&terms, at)? else {
                return Ok(None);
            };
            let term = Term::from_field_text(field(column), word);
            let query = FuzzyTermQuery::new(term, distance, true);
            let found = similar_to(self.searchers, &query, field(column), MAX_NEAR_TERMS);
            let (similar, complete) = found.map_err(SearchError::damaged(self.path))?;
            if !complete {
                return Err(too_many_terms(
                    &format!("{word}~{distance}"),
                    MAX_NEAR_TERMS,
                    at,
                ));
            }
            let terms = self.of_column(column, similar, at)?;
            return Ok(Some(Spans::Sequence(vec![(0, terms)])));
        }
        let words = self.alternatives(column, &terms, at)?;
        Ok((!words.is_empty()).then_some(Spans::Sequence(words)))
    }

    fn of_column(
        &mut self,
        column: usize,
        terms: impl IntoIterator<Item = String>,
        at: usize,
    ) -> Result<Vec<Term>> {
        let terms = terms.into_iter();
        let terms = terms.map(|term| Term::from_field_text(field(column), &term));
        let terms: Vec<_> = terms.collect();
        self.near_terms += terms.len();
        if self.near_terms <= MAX_ALL_NEAR_TERMS {
            Ok(terms)
        } else {
            Err(error(
                at,
                format!(
                    "more than {MAX_ALL_NEAR_TERMS} words of the index match the words beside \
                 {NEAR}: write more of the words with * or ?"
                ),
            ))
        }
    }

    /// Returns the terms that match each word of a phrase, in the order of the words.
    fn alternatives(
        &mut self,
        column: usize,
        terms: &Terms,
        at: usize,
    ) -> Result<Vec<(u32, Vec<Term>)>> {
        let distance = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let mut words = Vec::new();
        for (place, term) in &terms.exact {
            words.push((
                distance(*place),
                self.of_column(column, [term.clone()], at)?,
            ));
        }
        if let Some((place, prefix)) = &terms.prefix {
            let found = starting_with(self.searchers, field(column), prefix, MAX_NEAR_TERMS);
            let (mut ends, complete) = found.map_err(SearchError::damaged(self.path))?;
            if !complete {
                return Err(too_many_terms(&format!("{prefix}*"), MAX_NEAR_TERMS, at));
            }
            if !terms.character {
                ends.extend(self.analyzers.stem(prefix));
            }
            words.push((distance(*place), self.of_column(column, ends, at)?));
        }
        for (place, pattern) in &terms.patterns {
            let found = self.terms_of_pattern(column, pattern, MAX_NEAR_TERMS, at)?;
            words.push((distance(*place), self.of_column(column, found, at)?));
        }
        words.sort_by_key(|(place, _)| *place);
        Ok(words)
    }

    /// Compiles a word that becomes a phrase with wildcards, such as `e-m?il`.
    pub(super) fn phrase_with_patterns(
        &mut self,
        column: usize,
        terms: &Terms,
        at: usize,
    ) -> Result<Maybe> {
        let words = self.alternatives(column, terms, at)?;
        let mut candidates = Vec::new();
        let mut highlighted = Vec::new();
        for (place, alternatives) in &words {
            let terms = alternatives
                .iter()
                .filter_map(|term| term.value().as_str().map(str::to_owned));
            let terms = terms.collect();
            candidates.push((TantivyOccur::Must, self.any_of(column, &terms, None)?));
            highlighted.push((*place as usize, super::compile::Pattern::AnyOf(terms)));
        }
        self.highlight(column, highlighted, false);
        Ok(Some(Box::new(NearQuery {
            candidates: Box::new(BooleanQuery::new(candidates)),
            field: field(column),
            spans: Arc::new(Spans::Sequence(words)),
        })))
    }
}

/// The operators, in messages.
const NEAR: &str = "w/n";

/// Returns the field of all words, with its position; `None` for the columns that are searched
/// without a field.
fn field_of(near: &Near) -> Result<Option<(usize, &str)>> {
    let mut found: Option<&Leaf> = None;
    let mut nodes: Vec<&Node> = vec![&near.first];
    nodes.extend(near.rest.iter().map(|(_, node)| node));
    while let Some(node) = nodes.pop() {
        match node {
            Node::Leaf(leaf) => {
                if found.is_some_and(|first| first.field != leaf.field) {
                    return Err(error(
                        near.position,
                        format!(
                            "the words beside {NEAR} must be in one field: write title:(a w/5 b)"
                        ),
                    ));
                }
                found = Some(leaf);
            }
            Node::Boost(inner, _) => nodes.push(inner),
            Node::Clauses(clauses) => nodes.extend(clauses.iter().map(|(_, node)| node)),
            Node::Near(inner) => {
                nodes.push(&inner.first);
                nodes.extend(inner.rest.iter().map(|(_, node)| node));
            }
            Node::All => {}
        }
    }
    Ok(found.and_then(|leaf| Some((leaf.position, leaf.field.as_deref()?))))
}
