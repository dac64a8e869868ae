//! The native engine: the tree construction rules of the HTML standard on a stack of open
//! elements, without a tree. What it tells goes to the listener at once, in document order.
//!
//! A stream cannot put content before what was already told. Where the standard does that (text
//! that stands between the rows of a table belongs before the table; a frameset replaces a body),
//! the engine says so and the page is to be read with a tree. It is rare: a table waits until its
//! first cell before it is told, so that what is misplaced at its beginning is not.

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
use stack::{Space, Stack};

/// The page has content that belongs before what was already told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeedsTree;

impl std::fmt::Display for NeedsTree {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the page has content that belongs before what was already told")
    }
}

impl std::error::Error for NeedsTree {}

/// Reads a page and tells what is in it.
///
/// After [`NeedsTree`] what was told is to be forgotten.
pub fn read<E: Events>(page: &str, options: &Options, events: &mut E) -> Result<(), NeedsTree> {
    Engine::new(page, options, events).run()
}

/// The insertion modes of the standard. ("text" and "in table text" are not needed: raw text is
/// read at once.)
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

/// What becomes of a token after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Done,
    /// It is to be read again, in the mode that was set.
    Again,
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
    /// Was there a head?
    had_head: bool,
    /// The head was left but not told as closed: what comes before the body may go into it.
    head_waits: bool,
    quirks: bool,
    frameset_ok: bool,
    /// Content that does not fit into a table goes before it.
    fostering: bool,
    /// A newline at the beginning of pre, listing and textarea is none.
    skip_newline: bool,
    dropped: Dropped,
    last_serial: u32,
    /// How many bytes of markup may still be read again, with formatting elements that are opened
    /// again: a bound for hostile pages.
    reopening_budget: usize,
    needs_tree: bool,
}

impl<'a, 'e, E: Events> Engine<'a, 'e, E> {
    fn new(page: &'a str, options: &Options, events: &'e mut E) -> Self {
        Self {
            tokenizer: Tokenizer::new(page, Syntax::Html),
            events,
            scripting: options.scripting,
            // html, head or body, and something in it.
            max_depth: options.max_depth.max(3),
            stack: Stack::new(),
            formatting: Formatting::default(),
            mode: Mode::Initial,
            template_modes: Vec::new(),
            form: None,
            had_head: false,
            head_waits: false,
            quirks: false,
            frameset_ok: true,
            fostering: false,
            skip_newline: false,
            dropped: Dropped::default(),
            last_serial: 0,
            reopening_budget: (160 << 10) + 8 * page.len(),
            needs_tree: false,
        }
    }

    fn run(mut self) -> Result<(), NeedsTree> {
        while !self.needs_tree {
            let foreign = self.stack.top().is_some_and(|top| top.space != Space::Html);
            self.tokenizer.allow_cdata(foreign);
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
            } else {
                self.end_in(self.mode, tag)
            };
            if next == Next::Done {
                return;
            }
        }
    }

    /// The rules of a mode for a start tag.
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

    /// The rules of a mode for an end tag.
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

    /// The end of the page: what every page has is opened, and everything is closed.
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
        while self.pop().is_some() {}
    }
}
