//! Parses words and tokens into a tree.
//!
//! `OR` binds weakest, then adjacent words, then `AND`, then `NOT`, `-` and `+`, then `w/5`. Other
//! systems bind `w/5` weaker than `OR` and adjacent words, so these need parentheses next to it.
//! The tree is built without recursion, and its depth is bounded, so that code that walks it may
//! use recursion.

use std::borrow::Cow;

use super::ast::{Ending, Leaf, Near, Node, Occur, Operand, Proximity};
use super::lexer::{Lexer, Token, error};
use crate::error::{Result, SearchError};

/// The maximum number of characters in a query. People write hundreds, programs write thousands.
const MAX_QUERY_CHARS: usize = 32_768;

/// The maximum depth of nested parentheses.
const MAX_DEPTH: usize = 50;

/// The maximum number of words, phrases and ranges. Each costs a lookup in the index.
const MAX_LEAVES: usize = 1024;

/// The meaning of adjacent words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Operator {
    /// All of them must be in the document, as in search boxes: each further word narrows the
    /// result. The hits are joined and counted in SQL, where documents with any of the words would
    /// not help.
    #[default]
    And,
    /// At least one of them; more of them score higher.
    Or,
}

/// Parses a query. `None` if it is empty.
pub fn parse(query: &str, operator: Operator) -> Result<Option<Node>> {
    if query.chars().nth(MAX_QUERY_CHARS).is_some() {
        let message = format!("a query has at most {MAX_QUERY_CHARS} characters");
        return Err(error(MAX_QUERY_CHARS + 1, message));
    }
    let mut parser = Parser {
        operator,
        frames: vec![Frame::new(0, None)],
        leaves: 0,
    };
    let mut lexer = Lexer::new(query);
    while let Some((position, token)) = lexer.next_token()? {
        parser.token(position, token)?;
    }
    parser.end()
}

struct Parser {
    operator: Operator,
    /// Open parentheses; the first is the query itself.
    frames: Vec<Frame>,
    leaves: usize,
}

/// The state between two parentheses.
struct Frame {
    opened_at: usize,
    /// `field:(…)`
    field: Option<String>,
    /// The operands of OR.
    alternatives: Vec<Node>,
    /// The adjacent operands since the last OR.
    sequence: Vec<(Occur, Node)>,
    /// The operands joined by AND, at the end of the sequence.
    chain: Vec<(Prefix, Node)>,
    /// An operator whose right side has not been read yet.
    waiting: Option<(usize, Cow<'static, str>)>,
    /// An operator such as `w/5` whose right side has not been read yet.
    pending_near: Option<Proximity>,
    /// The last operator such as `w/5`.
    near: Option<Proximity>,
    prefix: Prefix,
    /// `field:` with its position, until its value has been read.
    pending_field: Option<(usize, String)>,
    /// The token before the parenthesis.
    outer_prefix: Prefix,
}

/// The token before an operand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Prefix {
    #[default]
    None,
    Required,
    Excluded,
}

impl Frame {
    fn new(opened_at: usize, field: Option<String>) -> Self {
        Self {
            opened_at,
            field,
            alternatives: Vec::new(),
            sequence: Vec::new(),
            chain: Vec::new(),
            waiting: None,
            pending_near: None,
            near: None,
            prefix: Prefix::None,
            pending_field: None,
            outer_prefix: Prefix::None,
        }
    }

    fn has_left_side(&self) -> bool {
        !self.chain.is_empty()
    }

    /// Returns an error if something is incomplete.
    fn check_complete(&self) -> Result<()> {
        if let Some((position, field)) = &self.pending_field {
            return Err(error(
                *position,
                format!("expected a word, a \"phrase\", a range or ( after '{field}:'"),
            ));
        }
        match &self.waiting {
            Some((position, operator)) => Err(error(
                *position,
                format!(
                    "expected a word after {operator}; to search for the word itself, write \
                     \"{operator}\""
                ),
            )),
            None => Ok(()),
        }
    }

    /// Returns the error for an operand that is missing before an operator.
    fn missing_left_side(position: usize, operator: &str) -> SearchError {
        error(
            position,
            format!(
                "expected a word before {operator}; to search for the word itself, write \
                 \"{operator}\""
            ),
        )
    }

    /// Begins or continues a chain of words near each other.
    fn proximity(&mut self, position: usize, proximity: Proximity) -> Result<()> {
        self.check_complete()?;
        let name = proximity.to_string();
        if self.prefix != Prefix::None || !self.has_left_side() {
            return Err(Self::missing_left_side(position, &name));
        }
        if !self.alternatives.is_empty() {
            return Err(mixed_with_or(position, proximity));
        }
        if self.sequence.iter().any(|(occur, _)| *occur != Occur::Not) {
            return Err(adjacent_to_near(position, proximity));
        }
        if let Some((prefix, left)) = self.chain.pop() {
            let near = match left {
                Node::Near(near) => near,
                left => Near {
                    position,
                    first: Box::new(left),
                    rest: Vec::new(),
                },
            };
            self.chain.push((prefix, Node::Near(near)));
        }
        self.pending_near = Some(proximity);
        self.near = Some(proximity);
        self.waiting = Some((position, name.into()));
        Ok(())
    }

    fn end_chain(&mut self, operator: Operator) {
        let mut chain = std::mem::take(&mut self.chain);
        let together = match operator {
            Operator::And => Occur::Must,
            Operator::Or => Occur::Should,
        };
        let clause = match chain.pop() {
            None => return,
            Some((prefix, node)) if chain.is_empty() => match prefix {
                Prefix::None => (together, node),
                Prefix::Required => (Occur::Must, node),
                Prefix::Excluded => (Occur::Not, node),
            },
            Some(last) => {
                chain.push(last);
                let all = chain.into_iter().map(|(prefix, node)| match prefix {
                    Prefix::Excluded => (Occur::Not, node),
                    _ => (Occur::Must, node),
                });
                (together, Node::Clauses(all.collect()))
            }
        };
        self.sequence.push(clause);
    }

    fn end_alternative(&mut self, operator: Operator) -> Result<()> {
        self.end_chain(operator);
        let sequence = std::mem::take(&mut self.sequence);
        if operator == Operator::And
            && let Some(position) = self.lower_case_or(&sequence)
        {
            return Err(error(
                position,
                "every word is required, this one too: write OR in upper case for documents with \
                 either word; to search for the word itself, write \"or\"",
            ));
        }
        if !sequence.is_empty() {
            self.alternatives.push(clauses(sequence));
        }
        Ok(())
    }

    /// Returns the position of the first `or`, if it is every second operand, as in `a or b or c`.
    /// In other sequences of words it is a word of the text.
    fn lower_case_or(&self, sequence: &[(Occur, Node)]) -> Option<usize> {
        if sequence.len() < 3 || sequence.len().is_multiple_of(2) {
            return None;
        }
        let position = |(occur, node): &(Occur, Node)| match (occur, node) {
            (Occur::Must, Node::Leaf(leaf)) if leaf.field == self.field => match &leaf.operand {
                Operand::Word {
                    text,
                    ending: Ending::None,
                } if text == "or" => Some(leaf.position),
                _ => None,
            },
            _ => None,
        };
        let mut operators = sequence.iter().skip(1).step_by(2).map(position);
        let first = operators.next().flatten()?;
        operators.all(|at| at.is_some()).then_some(first)
    }

    fn end(mut self, operator: Operator) -> Result<Option<Node>> {
        self.end_alternative(operator)?;
        Ok(match self.alternatives.len() {
            0 | 1 => self.alternatives.pop(),
            _ => {
                let any = self.alternatives.into_iter();
                Some(Node::Clauses(
                    any.map(|node| (Occur::Should, node)).collect(),
                ))
            }
        })
    }
}

fn mixed_with_or(position: usize, near: Proximity) -> SearchError {
    error(
        position,
        format!("OR and {near} need parentheses: write (a OR b) {near} c, or a OR (b {near} c)"),
    )
}

fn adjacent_to_near(position: usize, near: Proximity) -> SearchError {
    error(
        position,
        format!(
            "adjacent words and {near} need quotation marks or AND: write \"a b\" {near} c for a \
             phrase, or a AND b {near} c"
        ),
    )
}

/// A single clause needs no list.
fn clauses(mut sequence: Vec<(Occur, Node)>) -> Node {
    match sequence.pop() {
        Some((Occur::Must | Occur::Should, only)) if sequence.is_empty() => only,
        Some(last) => {
            sequence.push(last);
            Node::Clauses(sequence)
        }
        None => Node::Clauses(sequence),
    }
}

impl Parser {
    fn token(&mut self, position: usize, token: Token) -> Result<()> {
        let operator = self.operator;
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        if frame.pending_field.is_some()
            && !matches!(token, Token::Open | Token::Operand(..) | Token::All)
        {
            return frame.check_complete();
        }
        match token {
            Token::And | Token::Or => {
                let name = if token == Token::And { "AND" } else { "OR" };
                frame.check_complete()?;
                if !frame.has_left_side() || frame.prefix != Prefix::None {
                    return Err(Frame::missing_left_side(position, name));
                }
                if token == Token::Or {
                    if let Some(proximity) = frame.near {
                        return Err(mixed_with_or(position, proximity));
                    }
                    frame.end_alternative(operator)?;
                }
                frame.waiting = Some((position, name.into()));
            }
            Token::Near(proximity) => frame.proximity(position, proximity)?,
            Token::Not | Token::Minus => {
                self.begin_operand();
                if let Some(frame) = self.frames.last_mut() {
                    frame.prefix = match frame.prefix {
                        Prefix::Excluded => Prefix::None,
                        _ => Prefix::Excluded,
                    };
                    let name = if token == Token::Not { "NOT" } else { "-" };
                    frame.waiting = Some((position, name.into()));
                }
            }
            Token::Plus => {
                self.begin_operand();
                if let Some(frame) = self.frames.last_mut() {
                    if frame.prefix == Prefix::None {
                        frame.prefix = Prefix::Required;
                    }
                    frame.waiting = Some((position, "+".into()));
                }
            }
            Token::Field(name) => frame.pending_field = Some((position, name)),
            Token::Open => self.open(position)?,
            Token::Close(boost) => self.close(position, boost)?,
            Token::All => self.operand(position, Node::All, None)?,
            Token::Operand(operand, boost) => self.leaf(position, operand, boost)?,
        }
        Ok(())
    }

    /// Starts an operand. It is adjacent to the previous operand, unless AND joins them.
    fn begin_operand(&mut self) {
        let operator = self.operator;
        if let Some(frame) = self.frames.last_mut()
            && frame.waiting.is_none()
        {
            frame.end_chain(operator);
        }
    }

    fn operand(&mut self, position: usize, node: Node, boost: Option<f32>) -> Result<()> {
        if let Some(frame) = self.frames.last()
            && let Some(proximity) = frame.near
            && frame.waiting.is_none()
        {
            return Err(adjacent_to_near(position, proximity));
        }
        self.begin_operand();
        let node = match boost {
            Some(boost) => Node::Boost(Box::new(node), boost),
            None => node,
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.waiting = None;
            let prefix = std::mem::take(&mut frame.prefix);
            match (frame.pending_near.take(), frame.chain.last_mut()) {
                (Some(proximity), _) if prefix != Prefix::None => {
                    return Err(error(
                        position,
                        format!("NOT, - and + are not allowed after {proximity}"),
                    ));
                }
                (Some(proximity), Some((_, Node::Near(near)))) => {
                    near.rest.push((proximity, node));
                }
                _ => frame.chain.push((prefix, node)),
            }
        }
        Ok(())
    }

    fn leaf(&mut self, position: usize, operand: Operand, boost: Option<f32>) -> Result<()> {
        self.leaves += 1;
        if self.leaves > MAX_LEAVES {
            let message = format!("a query has at most {MAX_LEAVES} words and phrases");
            return Err(error(position, message));
        }
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let (position, field) = match frame.pending_field.take() {
            Some((position, field)) => (position, Some(field)),
            None => (position, frame.field.clone()),
        };
        let leaf = Leaf {
            position,
            field,
            operand,
        };
        self.operand(position, Node::Leaf(leaf), boost)
    }

    fn open(&mut self, position: usize) -> Result<()> {
        if self.frames.len() > MAX_DEPTH {
            let message = format!("a query has at most {MAX_DEPTH} nested parentheses");
            return Err(error(position, message));
        }
        self.begin_operand();
        if let Some(frame) = self.frames.last_mut() {
            let field = match frame.pending_field.take() {
                Some((_, field)) => Some(field),
                None => frame.field.clone(),
            };
            let mut inner = Frame::new(position, field);
            inner.outer_prefix = std::mem::take(&mut frame.prefix);
            self.frames.push(inner);
        }
        Ok(())
    }

    fn close(&mut self, position: usize, boost: Option<f32>) -> Result<()> {
        if self.frames.len() < 2 {
            let message = "this ) has no opening (; as a character of the text it is written \\)";
            return Err(error(position, message));
        }
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        frame.check_complete()?;
        let opened_at = frame.opened_at;
        let prefix = frame.outer_prefix;
        let Some(node) = frame.end(self.operator)? else {
            return Err(error(opened_at, "there is nothing between ( and )"));
        };
        if let Some(outer) = self.frames.last_mut() {
            outer.prefix = prefix;
        }
        // A chain in parentheses ends at the closing parenthesis.
        let node = match node {
            Node::Near(near) => Node::Clauses(vec![(Occur::Must, Node::Near(near))]),
            node => node,
        };
        self.operand(opened_at, node, boost)
    }

    fn end(mut self) -> Result<Option<Node>> {
        let Some(frame) = self.frames.pop() else {
            return Ok(None);
        };
        frame.check_complete()?;
        if !self.frames.is_empty() {
            return Err(error(
                frame.opened_at,
                "this ( is not closed; as a character of the text it is written \\(",
            ));
        }
        frame.end(self.operator)
    }
}
