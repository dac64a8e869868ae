//! The native engine: the tree construction rules of the HTML standard on a stack of open elements,
//! without a tree. It emits events immediately, in document order.
//!
//! A stream cannot insert content before events that were already emitted. If the standard requires
//! that (text between the rows of a table belongs before the table; a frameset replaces a body),
//! the engine returns an error, and the page has to be parsed with a tree. This is rare, because a
//! table is emitted only at its first cell: content misplaced before that can still precede the
//! table.
//!
//! ```text
//! stack        the stack of open elements
//! insertion    opens and closes elements
//! before_body  rules before the body
//! body_start   rules for start tags in the body
//! body_end     rules for end tags in the body
//! after_body   rules after the body and for frames
//! text         rules for text
//! table        rules for tables
//! template     rules for templates
//! foreign      rules for svg and math
//! formatting   the list of active formatting elements
//! adoption     the adoption agency algorithm
//! classes      classes of elements
//! quirks       doctypes of quirks mode
//! depth        elements beyond the maximum depth
//! ```

mod adoption;
mod after_body;
mod before_body;
mod body_end;
mod body_start;
mod classes;
mod depth;
mod foreign;
mod formatting;
mod insertion;
mod quirks;
mod stack;
mod table;
mod template;
#[cfg(test)]
mod tests;
mod text;

use crate::{Events, Options};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};
use depth::Dropped;
use formatting::Formatting;
use stack::Stack;

/// Budget for reopening formatting elements on any page, in bytes of markup, ...
const REOPENING_BUDGET_BYTES: usize = 160 << 10;
/// ... and per byte of the page.
const REOPENING_BUDGET_PER_BYTE: usize = 8;
/// The error for a page with content that belongs before elements that were already emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeedsTree;

impl std::fmt::Display for NeedsTree {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(
            "the page has content that belongs before elements that were already emitted",
        )
    }
}

impl std::error::Error for NeedsTree {}

/// Parses a page and emits its events.
///
/// After [`NeedsTree`], the emitted events are invalid.
pub fn read<E: Events>(page: &str, options: &Options, events: &mut E) -> Result<(), NeedsTree> {
    Engine::new(page, options, events).run()
}

/// The insertion modes of the standard. ("text" and "in table text" are not needed, because raw
/// text is read in one step.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// The next action after a step on a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Done,
    /// Process it again in the new mode.
    Again,
}

impl Next {
    fn again_if(mode_changed: bool) -> Self {
        if mode_changed {
            Self::Again
        } else {
            Self::Done
        }
    }
}

struct Engine<'a, 'e, E> {
    tokenizer: Tokenizer<'a>,
    events: &'e mut E,
    scripting: bool,
    max_depth: usize,
    stack: Stack<'a>,
    formatting: Formatting<'a>,
    mode: Mode,
    template_modes: Vec<Mode>,
    /// The serial number of the open form.
    form: Option<u32>,
    /// Whether there was a head.
    had_head: bool,
    /// Whether the head was left but not yet emitted as closed, because further tags may belong to
    /// it.
    is_head_pending: bool,
    quirks: bool,
    frameset_ok: bool,
    /// Whether content that is not allowed in a table is moved before it ("foster parenting").
    fostering: bool,
    /// Whether to drop a newline at the start of pre, listing or textarea.
    skip_newline: bool,
    dropped: Dropped,
    last_serial: u32,
    /// The number of bytes of markup that reopened formatting elements may still cost, which bounds
    /// the time on hostile pages.
    reopening_budget: usize,
    needs_tree: bool,
}

impl<'a, 'e, E: Events> Engine<'a, 'e, E> {
    fn new(page: &'a str, options: &Options, events: &'e mut E) -> Self {
        Self {
            tokenizer: Tokenizer::new(page, Syntax::Html),
            events,
            scripting: options.scripting,
            // html, head or body, and something inside it.
            max_depth: options.max_depth.max(3),
            stack: Stack::new(),
            formatting: Formatting::default(),
            mode: Mode::Initial,
            template_modes: Vec::new(),
            form: None,
            had_head: false,
            is_head_pending: false,
            quirks: false,
            frameset_ok: true,
            fostering: false,
            skip_newline: false,
            dropped: Dropped::default(),
            last_serial: 0,
            reopening_budget: REOPENING_BUDGET_BYTES + REOPENING_BUDGET_PER_BYTE * page.len(),
            needs_tree: false,
        }
    }

    fn run(mut self) -> Result<(), NeedsTree> {
        while !self.needs_tree {
            self.tokenizer.allow_cdata(self.is_foreign());
            let Some(token) = self.tokenizer.next_token() else {
                self.end();
                break;
            };
            let skip_newline = std::mem::take(&mut self.skip_newline);
            match token {
                Token::Text(text) => self.text(text, skip_newline),
                Token::Start(tag) => self.start_tag(&tag),
                Token::End(tag) => self.end_tag(&tag),
                Token::CData(text) => self.cdata(text),
                Token::Doctype { content, complete } => self.doctype(content, complete),
                Token::Comment(_) | Token::Instruction(_) => {}
            }
        }
        if self.needs_tree {
            Err(NeedsTree)
        } else {
            Ok(())
        }
    }

    fn start_tag(&mut self, tag: &Tag<'a>) {
        if !self.dropped.is_empty() && self.drops_table_part(tag) {
            return;
        }
        loop {
            let next = if self.is_foreign_start(tag.name) {
                self.foreign_start(tag)
            } else if self.mode == Mode::InBody {
                self.start_in_body(tag)
            } else {
                self.start_in(self.mode, tag)
            };
            if next == Next::Done {
                return;
            }
        }
    }

    fn end_tag(&mut self, tag: &Tag<'a>) {
        if !self.dropped.is_empty() && self.dropped.ends(tag.name) {
            return;
        }
        loop {
            let next = if self.is_foreign() {
                self.foreign_end(tag)
            } else if self.mode == Mode::InBody {
                self.end_in_body(tag)
            } else {
                self.end_in(self.mode, tag)
            };
            if next == Next::Done {
                return;
            }
        }
    }

    /// Applies the rules of a mode to a start tag.
    #[inline]
    fn start_in(&mut self, mode: Mode, tag: &Tag<'a>) -> Next {
        match mode {
            Mode::InBody => self.start_in_body(tag),
            Mode::InCell => self.start_in_cell(tag),
            Mode::InTable => self.start_in_table(tag),
            Mode::InTableBody => self.start_in_table_body(tag),
            Mode::InRow => self.start_in_row(tag),
            Mode::InCaption => self.start_in_caption(tag),
            Mode::InColumnGroup => self.start_in_column_group(tag),
            Mode::InTemplate => self.start_in_template(tag),
            Mode::Initial => self.start_initial(),
            Mode::BeforeHtml => self.start_before_html(tag),
            Mode::BeforeHead => self.start_before_head(tag),
            Mode::InHead => self.start_in_head(tag),
            Mode::InHeadNoscript => self.start_in_head_noscript(tag),
            Mode::AfterHead => self.start_after_head(tag),
            Mode::AfterBody | Mode::AfterAfterBody => self.start_after_body(tag),
            Mode::InFrameset => self.start_in_frameset(tag),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.start_after_frameset(tag),
        }
    }

    /// Applies the rules of a mode to an end tag.
    #[inline]
    fn end_in(&mut self, mode: Mode, tag: &Tag<'a>) -> Next {
        match mode {
            Mode::InBody => self.end_in_body(tag),
            Mode::InCell => self.end_in_cell(tag),
            Mode::InTable => self.end_in_table(tag),
            Mode::InTableBody => self.end_in_table_body(tag),
            Mode::InRow => self.end_in_row(tag),
            Mode::InCaption => self.end_in_caption(tag),
            Mode::InColumnGroup => self.end_in_column_group(tag),
            Mode::InTemplate => self.end_in_template(tag),
            Mode::Initial => self.start_initial(),
            Mode::BeforeHtml => self.end_before_html(tag),
            Mode::BeforeHead => self.end_before_head(tag),
            Mode::InHead => self.end_in_head(tag),
            Mode::InHeadNoscript => self.end_in_head_noscript(tag),
            Mode::AfterHead => self.end_after_head(tag),
            Mode::AfterBody | Mode::AfterAfterBody => self.end_after_body(mode, tag),
            Mode::InFrameset => self.end_in_frameset(tag),
            Mode::AfterFrameset => self.end_after_frameset(tag),
            Mode::AfterAfterFrameset => Next::Done,
        }
    }

    /// Ends the page: opens the implied elements that are missing, and closes everything.
    fn end(&mut self) {
        loop {
            match self.mode {
                Mode::Initial
                | Mode::BeforeHtml
                | Mode::BeforeHead
                | Mode::InHead
                | Mode::InHeadNoscript
                | Mode::AfterHead => self.towards_body(),
                _ if !self.template_modes.is_empty() => self.close_template(),
                _ => break,
            }
        }
        self.pop_to(0);
    }
}
