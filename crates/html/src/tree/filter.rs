//! A filter between html5ever's tokenizer and its tree builder, which prevents quadratic time and
//! memory in the tree builder. It does not change the result for real pages.
//!
//! The tree builder searches its stack of open elements for nearly every tag, and its list of
//! formatting elements for many tags. So their length is limited here; limits in the tree would
//! come too late. Only tags are dropped; text is always kept.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, local_name};

use super::Losses;
use super::arena::Tree;
use super::names::{ElementRole, formatting_names, role};
use super::sink::{Census, Handle, Names, Sink};
use crate::events::Options;

/// Maximum number of attributes of a formatting element. These elements are compared with each
/// other, attribute by attribute, and copied into every following block. Further attributes are
/// dropped.
const MAX_FORMATTING_ATTRIBUTES: usize = 64;

/// Maximum number of open object, applet and marquee elements. html5ever stores each in a list,
/// even after the element around it has ended.
const MAX_OPEN_OBJECTS: usize = 512;

/// Maximum number of unknown names, which html5ever keeps in a global table that becomes slow with
/// many. Elements with further names are dropped.
const MAX_UNKNOWN_NAMES: usize = 4096;

/// Number of formatting elements that html5ever may add by reopening them, in addition to one per
/// 16 bytes of the page. Unclosed formatting elements are reopened in every block, so a page of 10
/// MB could require gigabytes.
const FORMATTING_ALLOWANCE: usize = 16 * 1024;

/// Minimum depth: the implied elements html, head, body and those of a table are always open.
const MIN_DEPTH: usize = 8;

/// Number of times the tree builder may visit an open element, on any page and per byte of the
/// page. Real pages need about one visit per byte.
const BASE_EFFORT: usize = 1 << 20;
const EFFORT_PER_BYTE: usize = 16;
const TAGS_PER_COUNT: usize = 128;

/// Maximum depth after that effort is spent.
const REDUCED_MAX_DEPTH: usize = 64;

pub struct Filter {
    builder: TreeBuilder<Handle, Sink>,
    scripting: bool,
    max_depth: Cell<usize>,
    /// The remaining effort. Each tag costs one per open element.
    effort: Cell<usize>,
    /// The number of tags since the open elements were last counted regularly.
    tags: Cell<usize>,
    depth: Cell<Depth>,
    /// Text not yet passed to the tree builder, because the tokenizer emits it in many pieces.
    text: RefCell<StrTendril>,
    /// Whether the last element was closed because it was too deep, and no text followed yet.
    is_last_too_deep: Cell<bool>,
    /// The tokenizer state requested by the last start tag.
    raw: Cell<Option<Raw>>,
    /// The weight of the formatting elements in the page itself.
    formatting_weight: Cell<usize>,
    formatting_allowance: Cell<usize>,
    /// Whether formatting elements are dropped because the allowance is spent.
    drops_formatting: Cell<bool>,
    open_objects: Cell<usize>,
    unknown_names: RefCell<HashSet<LocalName>>,
    losses: Cell<Losses>,
}

/// The known number of open elements.
#[derive(Debug, Clone, Copy, Default)]
struct Depth {
    counted: usize,
    /// The number of elements created up to the count. At most `counted` plus the elements created
    /// since are open.
    created: usize,
    /// Whether an element may have closed since.
    is_stale: bool,
}

/// How the tokenizer continues after a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raw {
    /// Text up to the end tag.
    Text,
    /// Text up to the end tag, except for nested script tags in a comment.
    Script,
    /// Text up to the end of the page.
    Rest,
}

impl Filter {
    pub fn new(page: &str, options: &Options) -> Self {
        let builder_options = TreeBuilderOpts {
            scripting_enabled: options.scripting,
            drop_doctype: true,
            ..TreeBuilderOpts::default()
        };
        Self {
            builder: TreeBuilder::new(Sink::default(), builder_options),
            scripting: options.scripting,
            max_depth: Cell::new(options.max_depth.max(MIN_DEPTH)),
            effort: Cell::new(
                page.len()
                    .saturating_mul(EFFORT_PER_BYTE)
                    .saturating_add(BASE_EFFORT),
            ),
            tags: Cell::new(0),
            depth: Cell::default(),
            text: RefCell::default(),
            is_last_too_deep: Cell::new(false),
            raw: Cell::new(None),
            formatting_weight: Cell::new(0),
            formatting_allowance: Cell::new(FORMATTING_ALLOWANCE + page.len() / 16),
            drops_formatting: Cell::new(false),
            open_objects: Cell::new(0),
            unknown_names: RefCell::default(),
            losses: Cell::default(),
        }
    }

    /// The tree, and whether the page is in quirks mode.
    pub fn into_tree(self) -> (Tree, bool) {
        let sink = self.builder.sink;
        (sink.tree.into_inner(), sink.is_quirky.get())
    }

    /// The markup kept out of the tree so far.
    pub fn losses(&self) -> Losses {
        let mut losses = self.losses.get();
        losses.attributes += self.sink().cut_attributes.get();
        losses
    }

    /// Counts a start tag that lost attributes.
    pub fn count_cut_attributes(&self) {
        let mut losses = self.losses.get();
        losses.attributes += 1;
        self.losses.set(losses);
    }

    fn count_lost_tag(&self, is_too_deep: bool) {
        let mut losses = self.losses.get();
        if is_too_deep {
            losses.deep_tags += 1;
        } else {
            losses.tags += 1;
        }
        self.losses.set(losses);
    }

    /// Returns the requested tokenizer state, and resets it.
    pub fn take_raw(&self) -> Option<Raw> {
        self.raw.take()
    }

    fn sink(&self) -> &Sink {
        &self.builder.sink
    }

    fn pass(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        self.pass_text(line);
        match self.builder.process_token(token, line) {
            TokenSinkResult::Plaintext => {
                self.raw.set(Some(Raw::Rest));
                TokenSinkResult::Plaintext
            }
            TokenSinkResult::RawData(kind) => {
                self.raw.set(Some(match kind {
                    RawKind::ScriptData => Raw::Script,
                    _ => Raw::Text,
                }));
                TokenSinkResult::RawData(kind)
            }
            // Scripts are not run, and the page is already decoded.
            _ => TokenSinkResult::Continue,
        }
    }

    fn pass_text(&self, line: u64) {
        let text = self.text.take();
        if !text.is_empty() {
            let token = Token::CharacterTokens(text);
            // Text and the end tags below never change the tokenizer's state.
            let _ = self.builder.process_token(token, line);
        }
    }

    fn pass_end_tag(&self, name: LocalName, line: u64) {
        let tag = Tag {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        let _ = self.pass(Token::TagToken(tag), line);
    }

    fn keep_text(&self, text: StrTendril) {
        self.is_last_too_deep.set(false);
        let mut known = self.text.borrow_mut();
        if known.is_empty() {
            *known = text;
        } else {
            known.push_tendril(&text);
        }
    }

    fn start(&self, mut tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        self.spend_effort(line);
        let role = match role(&tag.name) {
            ElementRole::Inline if tag.name == local_name!("noscript") && self.scripting => {
                ElementRole::Raw
            }
            role => role,
        };
        let exceeds_limit = match role {
            ElementRole::Formatting => self.must_drop_formatting(line),
            ElementRole::Inline => self.is_surplus_name(&tag.name),
            ElementRole::Object => self.open_objects.get() >= MAX_OPEN_OBJECTS,
            ElementRole::Block | ElementRole::Flat | ElementRole::Raw => false,
        };
        let is_dropped = match role {
            ElementRole::Formatting | ElementRole::Inline | ElementRole::Object => {
                exceeds_limit || self.is_full(line)
            }
            ElementRole::Block => self.is_last_too_deep.get() && self.is_full(line),
            ElementRole::Flat | ElementRole::Raw => false,
        };
        if is_dropped {
            self.count_lost_tag(!exceeds_limit);
            return TokenSinkResult::Continue;
        }
        match role {
            ElementRole::Formatting => {
                if tag.attrs.len() > MAX_FORMATTING_ATTRIBUTES {
                    self.count_cut_attributes();
                }
                tag.attrs.truncate(MAX_FORMATTING_ATTRIBUTES);
                let weight = self.formatting_weight.get() + 1 + tag.attrs.len();
                self.formatting_weight.set(weight);
            }
            ElementRole::Object => self.open_objects.set(self.open_objects.get() + 1),
            _ => {}
        }
        let name = tag.name.clone();
        // There are no void elements in svg or math.
        let may_nest = role != ElementRole::Flat
            || self.adjusted_current_node_present_but_not_in_html_namespace();
        self.mark_stale();
        let result = self.pass(Token::TagToken(tag), line);
        // The depth is only known after the tag has closed other elements. An element that is too
        // deep remains as an empty element, which separates the text before and after it.
        let is_too_deep =
            may_nest && matches!(result, TokenSinkResult::Continue) && self.is_too_deep(line);
        if is_too_deep {
            self.count_lost_tag(true);
            self.pass_end_tag(name, line);
            // Avoids counting. At worst it is too high until the next tag.
            let depth = self.depth.get();
            let counted = depth.counted.saturating_sub(1);
            self.depth.set(Depth { counted, ..depth });
        }
        self.is_last_too_deep.set(is_too_deep);
        result
    }

    fn end(&self, tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        self.spend_effort(line);
        match role(&tag.name) {
            // The relevant ones are already closed.
            ElementRole::Formatting if self.must_drop_formatting(line) => {
                return TokenSinkResult::Continue;
            }
            ElementRole::Object => self
                .open_objects
                .set(self.open_objects.get().saturating_sub(1)),
            _ => {}
        }
        self.is_last_too_deep.set(false);
        self.mark_stale();
        self.pass(Token::TagToken(tag), line)
    }

    fn mark_stale(&self) {
        let depth = self.depth.get();
        let is_stale = true;
        self.depth.set(Depth { is_stale, ..depth });
    }

    /// Whether no further element may be open.
    fn is_full(&self, line: u64) -> bool {
        self.is_depth_at_least(self.max_depth.get(), line)
    }

    fn is_too_deep(&self, line: u64) -> bool {
        self.is_depth_at_least(self.max_depth.get() + 1, line)
    }

    /// Whether this many elements are open. Counts them only if that is possible.
    fn is_depth_at_least(&self, limit: usize, line: u64) -> bool {
        let depth = self.depth.get();
        let created = self.sink().created.get();
        if depth.counted + (created - depth.created) < limit {
            return false;
        }
        if !depth.is_stale && created == depth.created {
            return depth.counted >= limit;
        }
        self.count_depth(line) >= limit
    }

    fn count_depth(&self, line: u64) -> usize {
        self.pass_text(line);
        // The document and the head are held as well, but not open.
        let counted = self.count(None).saturating_sub(2);
        self.depth.set(Depth {
            counted,
            created: self.sink().created.get(),
            is_stale: false,
        });
        counted
    }

    fn count(&self, only: Option<&LocalName>) -> usize {
        let census = Census::new(self.sink(), only);
        self.builder.trace_handles(&census);
        census.elements.get()
    }

    /// Spends effort for a tag. If it is exhausted because most tags are very deep, closes elements
    /// down to a reduced maximum depth.
    fn spend_effort(&self, line: u64) {
        let tags = self.tags.get() + 1;
        self.tags.set(tags % TAGS_PER_COUNT);
        if tags == TAGS_PER_COUNT {
            self.count_depth(line);
        }
        let depth = self.depth.get().counted;
        if let Some(effort) = self.effort.get().checked_sub(depth) {
            self.effort.set(effort);
        } else if self.max_depth.get() > REDUCED_MAX_DEPTH {
            self.max_depth.set(REDUCED_MAX_DEPTH);
            self.pass_text(line);
            let names = Names::default();
            self.builder.trace_handles(&names);
            for name in names
                .0
                .into_inner()
                .into_iter()
                .skip(REDUCED_MAX_DEPTH)
                .rev()
            {
                self.pass_end_tag(name, line);
            }
            self.mark_stale();
        }
    }

    /// Whether formatting elements must be dropped. The first time, closes the open ones.
    fn must_drop_formatting(&self, line: u64) -> bool {
        let created = self.sink().formatting_weight.get();
        let added = created.saturating_sub(self.formatting_weight.get());
        if added > self.formatting_allowance.get() {
            self.drops_formatting.set(true);
            for name in formatting_names() {
                // An end tag closes at least one of them, except outside a cell or the like.
                for _ in 0..self.count(Some(&name)) {
                    self.pass_end_tag(name.clone(), line);
                }
            }
            self.mark_stale();
            // The remaining formatting elements may use the same allowance again before the next
            // attempt.
            let created = self.sink().formatting_weight.get();
            let added = created.saturating_sub(self.formatting_weight.get());
            let allowance = self.formatting_allowance.get();
            self.formatting_allowance.set(added + allowance / 8);
        }
        self.drops_formatting.get()
    }

    fn is_surplus_name(&self, name: &LocalName) -> bool {
        if !name.is_dynamic() {
            return false;
        }
        let mut known = self.unknown_names.borrow_mut();
        if known.len() >= MAX_UNKNOWN_NAMES {
            return !known.contains(name);
        }
        known.insert(name.clone());
        false
    }
}

impl TokenSink for Filter {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        match token {
            Token::ParseError(_) => TokenSinkResult::Continue,
            Token::CharacterTokens(text) => {
                self.keep_text(text);
                TokenSinkResult::Continue
            }
            Token::TagToken(tag) => match tag.kind {
                TagKind::StartTag => self.start(tag, line),
                TagKind::EndTag => self.end(tag, line),
            },
            token => self.pass(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}
