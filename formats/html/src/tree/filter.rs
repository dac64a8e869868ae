//! Stands between html5ever's tokenizer and its tree builder, and keeps the tree builder from
//! taking quadratic time or memory. On pages as people write them it changes nothing.
//!
//! The tree builder looks through its stack of open elements for nearly every tag, and through
//! its list of formatting elements for many. So their length is bounded here: a bound in the tree
//! would come too late. What is dropped are tags; text is always kept.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, local_name};

use super::Losses;
use super::arena::Tree;
use super::names::{Role, formatting_names, role};
use super::sink::{Census, Handle, Names, Sink};
use crate::events::Options;

/// Formatting elements are compared with each other, attribute by attribute, and copied into
/// every block that follows. Further attributes of theirs are cut off.
const MAX_FORMATTING_ATTRIBUTES: usize = 64;

/// How many object, applet and marquee elements may be begun and not ended: html5ever remembers
/// each in a list, even after the element around it has ended.
const MAX_APART: usize = 512;

/// Unknown names that html5ever has no number for lie in a table of the whole program, which
/// gets slow with many. Elements with further ones are dropped.
const MAX_UNKNOWN_NAMES: usize = 4096;

/// What html5ever may add by opening formatting elements again, beside one for each 16 bytes of
/// the page. Unclosed formatting elements come back in every block: a page of 10 MB can ask for
/// gigabytes.
const FORMATTING_ALLOWANCE: usize = 16 * 1024;

/// The implied elements html, head, body and those of a table are open whatever the limit is.
const MIN_DEPTH: usize = 8;

/// How often the tree builder may look at an open element: so often on each page, and so often
/// for each byte of it. Pages of people take about one for each byte.
const EFFORT: usize = 1 << 20;
const EFFORT_PER_BYTE: usize = 16;
const TAGS_PER_COUNT: usize = 128;

/// How many elements may be open after that.
const TIRED_DEPTH: usize = 64;

pub struct Filter {
    builder: TreeBuilder<Handle, Sink>,
    scripting: bool,
    max_depth: Cell<usize>,
    /// How many open elements the tree builder may still look at, one for each tag and level.
    effort: Cell<usize>,
    /// Tags since open elements were last counted for their own sake.
    tags: Cell<usize>,
    depth: Cell<Depth>,
    /// Text that the tree builder has not got yet: the tokenizer gives it in many pieces.
    text: RefCell<StrTendril>,
    /// No text was read since an element that was too deep was closed again.
    is_closed_again: Cell<bool>,
    /// The tokenizer was told to read text up to an end tag.
    raw: Cell<Option<Raw>>,
    /// The weight of formatting elements in the page itself.
    formatting_weight: Cell<usize>,
    formatting_allowance: Cell<usize>,
    /// Formatting elements are no longer let through: the allowance was used up.
    is_plain: Cell<bool>,
    apart: Cell<usize>,
    unknown_names: RefCell<HashSet<LocalName>>,
    losses: Cell<Losses>,
}

/// What is known of the number of open elements.
#[derive(Debug, Clone, Copy, Default)]
struct Depth {
    counted: usize,
    /// How many elements were made when they were counted: there cannot be more open ones than
    /// those counted and those made since.
    made: usize,
    /// An element may have been closed since.
    is_stale: bool,
}

/// How the tokenizer goes on after a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raw {
    /// Text up to the end tag.
    Text,
    /// Text up to the end tag, but for nested script tags in a comment.
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
                    .saturating_add(EFFORT),
            ),
            tags: Cell::new(0),
            depth: Cell::default(),
            text: RefCell::default(),
            is_closed_again: Cell::new(false),
            raw: Cell::new(None),
            formatting_weight: Cell::new(0),
            formatting_allowance: Cell::new(FORMATTING_ALLOWANCE + page.len() / 16),
            is_plain: Cell::new(false),
            apart: Cell::new(0),
            unknown_names: RefCell::default(),
            losses: Cell::default(),
        }
    }

    /// The tree, and whether the page is to be shown in quirks mode.
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

    /// Counts a start tag that loses attributes.
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

    /// How the tokenizer was told to go on, once.
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
            // Scripts are not run, and the page is decoded already.
            _ => TokenSinkResult::Continue,
        }
    }

    fn pass_text(&self, line: u64) {
        let text = self.text.take();
        if !text.is_empty() {
            let token = Token::CharacterTokens(text);
            // Text never changes how the tokenizer goes on, nor do end tags below.
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
        self.is_closed_again.set(false);
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
            Role::Inline if tag.name == local_name!("noscript") && self.scripting => Role::Raw,
            role => role,
        };
        let is_one_too_many = match role {
            Role::Formatting => self.is_plain(line),
            Role::Inline => self.is_name_too_many(&tag.name),
            Role::Apart => self.apart.get() >= MAX_APART,
            Role::Block | Role::Flat | Role::Raw => false,
        };
        let is_dropped = match role {
            Role::Formatting | Role::Inline | Role::Apart => is_one_too_many || self.is_full(line),
            Role::Block => self.is_closed_again.get() && self.is_full(line),
            Role::Flat | Role::Raw => false,
        };
        if is_dropped {
            self.count_lost_tag(!is_one_too_many);
            return TokenSinkResult::Continue;
        }
        match role {
            Role::Formatting => {
                if tag.attrs.len() > MAX_FORMATTING_ATTRIBUTES {
                    self.count_cut_attributes();
                }
                tag.attrs.truncate(MAX_FORMATTING_ATTRIBUTES);
                let weight = self.formatting_weight.get() + 1 + tag.attrs.len();
                self.formatting_weight.set(weight);
            }
            Role::Apart => self.apart.set(self.apart.get() + 1),
            _ => {}
        }
        let name = tag.name.clone();
        // Within svg or math there are no void elements.
        let may_nest =
            role != Role::Flat || self.adjusted_current_node_present_but_not_in_html_namespace();
        self.mark_stale();
        let result = self.pass(Token::TagToken(tag), line);
        // An element that closes others before may not be too deep, so only now is it known. If
        // it is, it stays as an empty element that separates the text before from that behind.
        let is_too_deep =
            may_nest && matches!(result, TokenSinkResult::Continue) && self.is_too_deep(line);
        if is_too_deep {
            self.count_lost_tag(true);
            self.pass_end_tag(name, line);
            // Saves counting them. At worst it is too high, up to the next tag that is passed.
            let depth = self.depth.get();
            let counted = depth.counted.saturating_sub(1);
            self.depth.set(Depth { counted, ..depth });
        }
        self.is_closed_again.set(is_too_deep);
        result
    }

    fn end(&self, tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        self.spend_effort(line);
        match role(&tag.name) {
            // Those that matter are closed already.
            Role::Formatting if self.is_plain(line) => return TokenSinkResult::Continue,
            Role::Apart => self.apart.set(self.apart.get().saturating_sub(1)),
            _ => {}
        }
        self.is_closed_again.set(false);
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

    /// Whether that many elements are open. They are counted only when it may be so.
    fn is_depth_at_least(&self, limit: usize, line: u64) -> bool {
        let depth = self.depth.get();
        let made = self.sink().made.get();
        if depth.counted + (made - depth.made) < limit {
            return false;
        }
        if !depth.is_stale && made == depth.made {
            return depth.counted >= limit;
        }
        self.count_depth(line) >= limit
    }

    fn count_depth(&self, line: u64) -> usize {
        self.pass_text(line);
        // But for the document and the head, which are held, too.
        let counted = self.count(None).saturating_sub(2);
        self.depth.set(Depth {
            counted,
            made: self.sink().made.get(),
            is_stale: false,
        });
        counted
    }

    fn count(&self, only: Option<&LocalName>) -> usize {
        let census = Census::new(self.sink(), only);
        self.builder.trace_handles(&census);
        census.elements.get()
    }

    /// Where most tags are very deep, elements are closed until few are open, and no more opened.
    fn spend_effort(&self, line: u64) {
        let tags = self.tags.get() + 1;
        self.tags.set(tags % TAGS_PER_COUNT);
        if tags == TAGS_PER_COUNT {
            self.count_depth(line);
        }
        let depth = self.depth.get().counted;
        if let Some(effort) = self.effort.get().checked_sub(depth) {
            self.effort.set(effort);
        } else if self.max_depth.get() > TIRED_DEPTH {
            self.max_depth.set(TIRED_DEPTH);
            self.pass_text(line);
            let names = Names::default();
            self.builder.trace_handles(&names);
            for name in names.0.into_inner().into_iter().skip(TIRED_DEPTH).rev() {
                self.pass_end_tag(name, line);
            }
            self.mark_stale();
        }
    }

    /// Whether the page goes on without formatting elements. Those that are open when that is
    /// decided are closed.
    fn is_plain(&self, line: u64) -> bool {
        let made = self.sink().formatting_weight.get();
        let added = made.saturating_sub(self.formatting_weight.get());
        if added > self.formatting_allowance.get() {
            self.is_plain.set(true);
            for name in formatting_names() {
                // An end tag closes at least one, but for those outside of a cell or the like.
                for _ in 0..self.count(Some(&name)) {
                    self.pass_end_tag(name.clone(), line);
                }
            }
            self.mark_stale();
            // Those left may use up as much again before the next try.
            let made = self.sink().formatting_weight.get();
            let added = made.saturating_sub(self.formatting_weight.get());
            let allowance = self.formatting_allowance.get();
            self.formatting_allowance.set(added + allowance / 8);
        }
        self.is_plain.get()
    }

    fn is_name_too_many(&self, name: &LocalName) -> bool {
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
