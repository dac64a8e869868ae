//! Tables as HTML, without blank lines, which would end the HTML in Markdown.

use std::fmt::Write;

use super::Options;
use crate::block::{Block, Kind, Table};
use crate::text::{Mark, MarkKind, Text};

/// Maximum nesting depth of lists. Deeper ones are written at this level.
const MAX_LISTS: u16 = 16;

/// Appends a table as HTML.
pub fn push_table(table: &Table, options: &Options, written: &mut String) {
    written.push_str("<table>\n");
    if let Some(caption) = &table.caption {
        written.push_str("<caption>");
        push_text(caption, options, written);
        written.push_str("</caption>\n");
    }
    for (index, row) in table.rows.iter().enumerate() {
        written.push_str("<tr>");
        for cell in row {
            let is_header = cell.is_header || index < table.header_rows;
            let tag = if is_header { "th" } else { "td" };
            written.push('<');
            written.push_str(tag);
            for (name, span) in [("colspan", cell.columns), ("rowspan", cell.rows)] {
                if span > 1 {
                    // Writing to a string cannot fail.
                    let _ = write!(written, " {name}=\"{span}\"");
                }
            }
            written.push('>');
            push_cell(&cell.blocks, options, written);
            written.extend(["</", tag, ">"]);
        }
        written.push_str("</tr>\n");
    }
    written.push_str("</table>");
}

/// Appends the blocks of a cell. One paragraph needs no element.
fn push_cell(blocks: &[Block], options: &Options, written: &mut String) {
    if let [block] = blocks
        && matches!(
            block.kind,
            Kind::Paragraph | Kind::Heading(_) | Kind::Term | Kind::Definition
        )
    {
        return push_text(&block.text, options, written);
    }
    let mut lists: Vec<&'static str> = Vec::new();
    for block in blocks {
        let level = usize::from(block.level.min(MAX_LISTS));
        let is_item = matches!(block.kind, Kind::Item(_));
        while lists.len() > level {
            close_list(&mut lists, written);
        }
        if let Kind::Item(item) = block.kind {
            if item.is_first && lists.len() == level {
                close_list(&mut lists, written);
            }
            if lists.len() < level {
                let list = if item.number.is_some() { "ol" } else { "ul" };
                written.extend(["<", list]);
                if let Some(number) = item.number.filter(|number| *number != 1) {
                    // Writing to a string cannot fail.
                    let _ = write!(written, " start=\"{number}\"");
                }
                written.push('>');
                lists.push(list);
            } else {
                written.push_str("</li>");
            }
            written.push_str("<li>");
        }
        push_block(block, is_item, options, written);
    }
    while !lists.is_empty() {
        close_list(&mut lists, written);
    }
}

fn close_list(lists: &mut Vec<&'static str>, written: &mut String) {
    if let Some(list) = lists.pop() {
        written.extend(["</li></", list, ">"]);
    }
}

fn push_block(block: &Block, is_item: bool, options: &Options, written: &mut String) {
    let (opening, closing) = match &block.kind {
        _ if is_item => ("", ""),
        Kind::Table(table) => return push_table(table, options, written),
        Kind::Code { language } => {
            written.push_str("<pre><code");
            if let Some(language) = language {
                written.push_str(" class=\"language-");
                escape(language, written);
                written.push('"');
            }
            written.push('>');
            // A blank line would end the HTML, so it is written as a reference.
            let mut was_newline = false;
            for line in block.text.text.split_inclusive('\n') {
                match line {
                    "\n" if was_newline => written.push_str("&#10;"),
                    line => escape(line, written),
                }
                was_newline = line.ends_with('\n');
            }
            written.push_str("</code></pre>");
            return;
        }
        Kind::Formula => ("$$", "$$"),
        Kind::Figure(picture) => {
            if let Some(picture) = picture
                && options.pictures
            {
                push_image(&picture.address, &picture.alternative, written);
            }
            ("<p>", "</p>")
        }
        _ if block.quotes > 0 => ("<blockquote>", "</blockquote>"),
        Kind::Heading(_) => ("<p><strong>", "</strong></p>"),
        _ => ("<p>", "</p>"),
    };
    if block.text.is_empty() {
        return;
    }
    written.push_str(opening);
    push_text(&block.text, options, written);
    written.push_str(closing);
}

fn push_image(address: &str, alternative: &str, written: &mut String) {
    written.push_str("<img src=\"");
    escape(address, written);
    written.push_str("\" alt=\"");
    escape(alternative, written);
    written.push_str("\">");
}

/// Appends a text with its marks.
fn push_text(text: &Text, options: &Options, written: &mut String) {
    let mut marks: Vec<&Mark> = text.marks.iter().collect();
    marks.sort_by(|a, b| {
        let by_start = a.range.start.cmp(&b.range.start);
        by_start
            .then(b.range.end.cmp(&a.range.end))
            .then(a.kind.cmp(&b.kind))
    });
    let mut open: Vec<&Mark> = Vec::new();
    let mut at = 0;
    let push = |from: usize, to: usize, written: &mut String| {
        for (index, line) in text
            .text
            .get(from..to)
            .unwrap_or_default()
            .split('\n')
            .enumerate()
        {
            if index > 0 {
                written.push_str("<br>");
            }
            escape(line, written);
        }
    };
    let close = |open: &mut Vec<&Mark>, until: usize, at: &mut usize, written: &mut String| {
        while let Some(mark) = open.pop_if(|mark| mark.range.end <= until) {
            push(*at, mark.range.end, written);
            *at = (*at).max(mark.range.end);
            written.push_str(tags(&mark.kind).1);
        }
    };
    for mark in marks {
        if mark.range.start < at {
            // It is inside a formula or note that is already written.
            continue;
        }
        close(&mut open, mark.range.start, &mut at, written);
        // Overlapping marks cannot be written as elements.
        if open
            .last()
            .is_some_and(|outer| outer.range.end < mark.range.end)
        {
            continue;
        }
        push(at, mark.range.start, written);
        at = at.max(mark.range.start);
        match &mark.kind {
            MarkKind::Picture {
                address,
                alternative,
            } => {
                if options.pictures {
                    push_image(address, alternative, written);
                    at = at.max(mark.range.end);
                }
                continue;
            }
            MarkKind::Note(label) => {
                written.push_str("[^");
                escape(label, written);
                written.push(']');
                at = at.max(mark.range.end);
                continue;
            }
            MarkKind::LinearFormula(tex) => {
                escape(tex, written);
                at = at.max(mark.range.end);
                continue;
            }
            MarkKind::Link(_) if !options.links => continue,
            MarkKind::Link(address) => {
                written.push_str("<a href=\"");
                escape(address, written);
                written.push_str("\">");
            }
            kind => written.push_str(tags(kind).0),
        }
        open.push(mark);
    }
    let end = text.text.len();
    close(&mut open, end, &mut at, written);
    push(at, end, written);
}

/// The tags of a mark.
const fn tags(kind: &MarkKind) -> (&'static str, &'static str) {
    match kind {
        MarkKind::Strong => ("<strong>", "</strong>"),
        MarkKind::Emphasis => ("<em>", "</em>"),
        MarkKind::Deleted => ("<del>", "</del>"),
        MarkKind::Superscript => ("<sup>", "</sup>"),
        MarkKind::Subscript => ("<sub>", "</sub>"),
        MarkKind::Code => ("<code>", "</code>"),
        MarkKind::Link(_) => ("", "</a>"),
        MarkKind::Formula
        | MarkKind::LinearFormula(_)
        | MarkKind::Note(_)
        | MarkKind::Picture { .. } => ("", ""),
    }
}

/// Appends a text with references for the characters of markup.
fn escape(text: &str, written: &mut String) {
    for character in text.chars() {
        match character {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            character => written.push(character),
        }
    }
}
