//! Writes blocks as Markdown, in the flavor of GitHub. Parsing it returns the same text.
//!
//! ```text
//! inline  text with marks
//! escape  the characters that need a backslash
//! table   tables between vertical bars
//! html    tables as HTML
//! ```

mod escape;
mod html;
mod inline;
mod table;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::block::{Block, Item, Kind, Picture, task_sign};
use crate::text::{MarkKind, Text};
use escape::Context;
use inline::{inline, longest_run, push_address, push_alternative};

/// Maximum nesting depth of items and quotations. Deeper ones are written at this depth, because
/// indentation would multiply the size of hostile documents.
const MAX_CONTAINERS: usize = 32;
/// The largest item number that Markdown accepts.
const MAX_NUMBER: i64 = 999_999_999;

/// The content to write in addition to text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Links with their addresses. Otherwise only their text.
    pub links: bool,
    /// Pictures with their addresses. Otherwise only their captions.
    pub pictures: bool,
    /// Running heads and feet, and numbers of pages.
    pub running_lines: bool,
}

/// Writes blocks as Markdown.
pub fn markdown(blocks: &[Block], options: &Options) -> String {
    let mut writer = Writer {
        options,
        written: String::new(),
        containers: Vec::new(),
        last: Last::Nothing,
        first_line: String::new(),
    };
    for (index, block) in blocks.iter().enumerate() {
        if !is_label(block, blocks.get(index + 1)) {
            writer.block(block);
        }
    }
    writer.written
}

/// Whether a paragraph only repeats the language of the code after it, which its fence already has.
fn is_label(block: &Block, next: Option<&Block>) -> bool {
    let language = match next.map(|next| &next.kind) {
        Some(Kind::Code { language }) => language.as_deref(),
        _ => None,
    };
    let text = block.text.text.trim();
    block.kind == Kind::Paragraph
        && language.is_some_and(|language| language.eq_ignore_ascii_case(text))
}

/// An open quotation or item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Quote,
    Item {
        /// The width of its marker with the space after it.
        width: usize,
        number: Option<i64>,
        /// Whether its list uses the alternative marker, because it follows a list of the same
        /// kind.
        has_other_marker: bool,
    },
}

/// The last block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    /// An item without text so far.
    EmptyItem,
    /// The first line of an item.
    Item,
    Term,
    Definition,
    Other,
}

struct Writer<'a> {
    options: &'a Options,
    written: String,
    containers: Vec<Container>,
    last: Last,
    /// The marks of quotations and items that were opened since the last line.
    first_line: String,
}

impl Writer<'_> {
    fn block(&mut self, block: &Block) {
        let is_running = matches!(
            block.kind,
            Kind::RunningHead | Kind::RunningFoot | Kind::PageNumber
        );
        if is_running && !self.options.running_lines {
            return;
        }
        if let Kind::Item(item) = block.kind {
            return self.item(block, item);
        }
        let lines = self.lines(block);
        if lines.is_empty() {
            return;
        }
        self.close_quotes(block);
        self.close_for(block.quotes, block.level);
        self.separate(&block.kind, false);
        self.open_quotes(block.quotes);
        self.push_lines(&lines);
        self.last = match block.kind {
            Kind::Term => Last::Term,
            Kind::Definition => Last::Definition,
            _ => Last::Other,
        };
    }

    fn item(&mut self, block: &Block, item: Item) {
        let level = block.level.max(1);
        let is_in_new_quote = self.close_quotes(block);
        let sibling = self.close_for(block.quotes, level - 1);
        let last = match sibling {
            Some(Container::Item { number, .. }) => Some(number),
            _ => None,
        };
        let continues = last.is_some_and(|last| last.is_some() == item.number.is_some());
        // Some generators write each item into a list that starts with its number.
        let next = last.flatten().and_then(|last| last.checked_add(1));
        let is_first = item.is_first && !(next.is_some() && next == item.number);
        let has_other_marker = match sibling {
            Some(Container::Item {
                has_other_marker, ..
            }) if continues => has_other_marker != is_first,
            _ => false,
        };
        let context = Context {
            in_item: true,
            ..Context::default()
        };
        let task = block.is_done.and_then(|_| task_sign(&block.text.text));
        let mut text = match task {
            Some((_, sign)) => self.text(&block.text.part(sign..block.text.text.len()), context),
            None => self.text(&block.text, context),
        };
        if let Some(is_done) = block.is_done {
            text.insert_str(0, if is_done { "[x] " } else { "[ ] " });
        }
        // Neither an empty item nor a list that starts with another number can interrupt a
        // paragraph.
        let can_interrupt = !text.is_empty() && item.number.is_none_or(|number| number == 1);
        let is_tight = match sibling {
            Some(_) => continues && !is_first,
            None => can_interrupt && !is_in_new_quote,
        };
        self.separate(&block.kind, is_tight);
        self.open_quotes(block.quotes);
        let (marker, text) = match item.number {
            Some(number) if (0..=MAX_NUMBER).contains(&number) => {
                let sign = if has_other_marker { ')' } else { '.' };
                (format!("{number}{sign} "), text)
            }
            Some(number) => (
                marker(has_other_marker).to_owned(),
                format!("{number}\\. {text}"),
            ),
            None => (marker(has_other_marker).to_owned(), text),
        };
        if self.containers.len() >= MAX_CONTAINERS {
            self.containers.pop();
        }
        self.containers.push(Container::Item {
            width: marker.len(),
            number: item.number,
            has_other_marker,
        });
        self.first_line.push_str(&marker);
        if text.is_empty() {
            // The next block may follow on the same line.
            self.last = Last::EmptyItem;
        } else {
            self.push_lines(&text);
            self.last = Last::Item;
        }
    }

    /// Closes the quotations that end before the block's new quotations start. Returns whether
    /// there were any.
    fn close_quotes(&mut self, block: &Block) -> bool {
        let open = self.containers.len();
        if block.new_quotes > 0 {
            self.close_for(block.quotes.saturating_sub(block.new_quotes), u16::MAX);
        }
        self.containers.len() < open
    }

    /// Closes the containers that do not contain the next block. Returns the last one closed: if
    /// the next block is an item, the item before it.
    fn close_for(&mut self, quotes: u16, items: u16) -> Option<Container> {
        let is_item = |container: &&Container| matches!(container, Container::Item { .. });
        let mut closed = None;
        loop {
            let open_items = self.containers.iter().filter(is_item).count();
            let open_quotes = self.containers.len() - open_items;
            if open_items <= usize::from(items) && open_quotes <= usize::from(quotes) {
                return closed;
            }
            self.end_empty_item();
            closed = self.containers.pop();
        }
    }

    /// Writes the marker of an item that has no content.
    fn end_empty_item(&mut self) {
        if self.last == Last::EmptyItem {
            let marker = std::mem::take(&mut self.first_line);
            self.written.push_str(marker.trim_end());
            self.last = Last::Item;
        }
    }

    fn open_quotes(&mut self, quotes: u16) {
        let is_quote = |container: &&Container| **container == Container::Quote;
        let open = self.containers.iter().filter(is_quote).count();
        for _ in open..usize::from(quotes) {
            if self.containers.len() >= MAX_CONTAINERS {
                return;
            }
            self.containers.push(Container::Quote);
            self.first_line.push_str("> ");
        }
    }

    /// Ends the last line, and writes a blank line if it is needed to separate the blocks.
    fn separate(&mut self, kind: &Kind, is_tight: bool) {
        let follows_term =
            *kind == Kind::Definition && matches!(self.last, Last::Term | Last::Definition);
        let separator = match self.last {
            Last::Nothing | Last::EmptyItem => return,
            Last::Item if is_tight => "\n",
            Last::Term | Last::Definition if follows_term => "  \n",
            Last::Term if *kind == Kind::Term => "  \n",
            _ => "\n\n",
        };
        self.written.push_str(separator.trim_end_matches('\n'));
        self.written.push('\n');
        let prefix = self.prefix();
        if separator == "\n\n" {
            self.written.push_str(prefix.trim_end());
            self.written.push('\n');
        }
        self.first_line.push_str(&prefix);
    }

    /// The start of further lines in the open containers.
    fn prefix(&self) -> String {
        let mut prefix = String::new();
        for container in &self.containers {
            match container {
                Container::Quote => prefix.push_str("> "),
                Container::Item { width, .. } => prefix.extend(std::iter::repeat_n(' ', *width)),
            }
        }
        prefix
    }

    fn push_lines(&mut self, lines: &str) {
        self.written.push_str(&std::mem::take(&mut self.first_line));
        if !lines.contains('\n') {
            self.written.push_str(lines);
            return;
        }
        let prefix = self.prefix();
        for (index, line) in lines.split('\n').enumerate() {
            if index > 0 {
                self.written.push('\n');
                self.written.push_str(if line.is_empty() {
                    prefix.trim_end()
                } else {
                    &prefix
                });
            }
            self.written.push_str(line);
        }
    }

    /// The lines of a block outside of containers; empty if nothing is written for it.
    fn lines(&self, block: &Block) -> String {
        match &block.kind {
            Kind::Heading(level) => self.heading(*level, &block.text),
            Kind::Code { language } => code(language.as_deref(), &block.text.text),
            Kind::Formula => format!("$$\n{}\n$$", block.text.text.trim()),
            Kind::Table(table) => {
                let lines = table::table(table, self.options);
                match &table.caption {
                    Some(caption) if table::is_simple(table) => {
                        format!("{}\n\n{lines}", self.text(caption, Context::default()))
                    }
                    _ => lines,
                }
            }
            Kind::Figure(picture) => {
                let mut lines = String::new();
                if let Some(picture) = picture
                    && self.options.pictures
                {
                    push_picture(&mut lines, picture, Context::default());
                }
                let caption = self.text(&block.text, Context::default());
                if !lines.is_empty() && !caption.is_empty() {
                    lines.push_str("  \n");
                }
                lines + &caption
            }
            Kind::Footnote { label } => {
                let text = self.text(&block.text, Context::default());
                format!("[^{label}]: {}", indent(&text, 4))
            }
            _ => self.text(&block.text, Context::default()),
        }
    }

    /// Paragraphs separated by blank lines, with spaces before the line breaks inside them.
    fn text(&self, text: &Text, context: Context) -> String {
        let mut written = String::new();
        let parts = if text.text.contains("\n\n") {
            Cow::Owned(text.paragraphs())
        } else {
            Cow::Borrowed(std::slice::from_ref(text))
        };
        for part in parts.iter().filter(|part| !part.is_empty()) {
            let paragraph = inline(part, context, self.options);
            if !written.is_empty() {
                written.push_str("\n\n");
            }
            for (index, line) in paragraph.split('\n').enumerate() {
                if index > 0 {
                    written.push_str("  \n");
                }
                written.push_str(line.trim_matches([' ', '\t']));
            }
        }
        written
    }

    fn heading(&self, level: u8, text: &Text) -> String {
        let mut text = text.clone();
        let whole = 0..text.text.len();
        // Headings are already bold.
        text.marks
            .retain(|mark| mark.kind != MarkKind::Strong || mark.range != whole);
        let context = Context {
            in_heading: true,
            ..Context::default()
        };
        let line = inline(&text, context, self.options).replace('\n', " ");
        let line = line.trim();
        if line.is_empty() {
            return String::new();
        }
        let mut written = "#".repeat(usize::from(level.clamp(1, 6)));
        written.push(' ');
        // A trailing run of # would be dropped as a closing sequence.
        let without = line.trim_end_matches('#');
        if without.len() < line.len() && (without.is_empty() || without.ends_with(' ')) {
            written.push_str(without);
            written.push('\\');
            written.push_str(line.get(without.len()..).unwrap_or_default());
        } else {
            written.push_str(line);
        }
        written
    }
}

/// The bullet of an item.
const fn marker(has_other_marker: bool) -> &'static str {
    if has_other_marker { "* " } else { "- " }
}

fn code(language: Option<&str>, code: &str) -> String {
    let fence = "`".repeat(usize::max(longest_run(code, '`') + 1, 3));
    let language = language.unwrap_or_default();
    format!("{fence}{language}\n{code}\n{fence}")
}

fn push_picture(written: &mut String, picture: &Picture, context: Context) {
    written.push_str("![");
    push_alternative(written, &picture.alternative);
    written.push_str("](");
    push_address(written, &picture.address, context);
    written.push(')');
}

/// Indents all lines except the first one.
fn indent(text: &str, spaces: usize) -> String {
    let indent = " ".repeat(spaces);
    let mut written = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            written.push('\n');
            if !line.is_empty() {
                written.push_str(&indent);
            }
        }
        written.push_str(line);
    }
    written
}
