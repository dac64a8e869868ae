//! Shows the plans of `EXPLAIN` on a terminal: one line per step, with long parts shortened.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::error::Result;
use unicode_width::UnicodeWidthStr;

use super::ResultWriter;
use super::cells::{Detail, one_line, rows};
use super::fit::shrink;

/// The part of a step that is wrapped instead of shortened, because it is the purpose of `EXPLAIN
/// ANALYZE`.
const METRICS: &str = "metrics=[";

const INDENT: &str = "  ";

/// Writes the titles of plans as headings above them.
pub struct PlanWriter {
    width: usize,
}

impl PlanWriter {
    pub fn new(width: usize) -> Self {
        Self { width }
    }
}

impl ResultWriter for PlanWriter {
    fn begin(&mut self, _schema: &Schema, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
        for row in rows(batch, Detail::Whole)? {
            let Some((plan, titles)) = row.split_last() else {
                continue;
            };
            writeln!(out, "{}", titles.join(" "))?;
            for line in with_operators(plan).lines() {
                for line in step(line, self.width.saturating_sub(INDENT.len())) {
                    writeln!(out, "{INDENT}{line}")?;
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}

/// The functions of arithmetic that fails on overflow, and the operators that call them.
const OPERATORS: [(&str, &str); 3] = [
    ("checked_add(", " + "),
    ("checked_subtract(", " - "),
    ("checked_multiply(", " * "),
];

/// Writes calls of such functions as operators: `a + 1`.
fn with_operators(text: &str) -> String {
    let calls = OPERATORS.iter().filter_map(|(call, operator)| {
        let at = text.find(call)?;
        Some((at, at + call.len(), *operator))
    });
    let Some((at, start, operator)) = calls.min() else {
        return text.to_owned();
    };
    let Some(length) = closing(&text[start..]) else {
        return text.to_owned();
    };
    let operands = parts(&text[start..start + length]).into_iter();
    let operands = operands.map(|operand| {
        let shown = with_operators(operand);
        let is_call = OPERATORS.iter().any(|(call, _)| operand.starts_with(call));
        if is_call { format!("({shown})") } else { shown }
    });
    let operands: Vec<String> = operands.collect();
    let after = with_operators(&text[start + length + 1..]);
    format!("{}{}{after}", &text[..at], operands.join(operator))
}

/// Returns the offset of the parenthesis that closes one opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return Some(at),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The lines for one step of a plan.
fn step(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start();
    // Trees and JSON are not shortened.
    let is_step = text.starts_with(|c: char| c.is_ascii_uppercase());
    if !is_step || line.width() <= width {
        return vec![line.to_owned()];
    }
    let indent = line.len() - text.len();
    let room = width.saturating_sub(indent);
    let mut parts = parts(text);
    let metrics = match parts.last() {
        Some(last) if parts.len() > 1 && last.starts_with(METRICS) => parts.pop(),
        _ => None,
    };
    let mut lines = vec![format!("{:indent$}{}", "", shorten(&parts, room))];
    let metrics = metrics.and_then(|metrics| metrics.strip_prefix(METRICS)?.strip_suffix(']'));
    if let Some(metrics) = metrics {
        let indent = indent + 2 * INDENT.len();
        let mut current = String::new();
        for metric in metrics.split(", ") {
            let separator = if current.is_empty() { "" } else { ", " };
            let needed = indent + current.width() + separator.len() + metric.width();
            if !current.is_empty() && needed > width {
                lines.push(format!("{:indent$}{current}", ""));
                current.clear();
            } else {
                current.push_str(separator);
            }
            current.push_str(metric);
        }
        lines.push(format!("{:indent$}{current}", ""));
    }
    lines
}

/// The parts of a step between commas outside of brackets.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Joins the parts in one line, with the longest ones truncated. The name of the step is kept.
fn shorten(parts: &[&str], width: usize) -> String {
    let Some((first, rest)) = parts.split_first() else {
        return String::new();
    };
    let (name, first) = match first.split_once(": ") {
        Some((name, first)) => (format!("{name}: "), first),
        None => (String::new(), *first),
    };
    let parts: Vec<&str> = std::iter::once(first).chain(rest.iter().copied()).collect();
    let fixed = name.width() + 2 * rest.len();
    let natural: Vec<usize> = parts.iter().map(|part| part.width()).collect();
    let widths = shrink(&natural, width.saturating_sub(fixed));
    let parts = parts.iter().zip(widths);
    let parts: Vec<_> = parts.map(|(part, width)| beginning(part, width)).collect();
    one_line(&format!("{name}{}", parts.join(", ")), width)
}

/// The beginning of a part, with its closing brackets if they fit.
fn beginning(part: &str, width: usize) -> String {
    if part.width() <= width {
        return part.to_owned();
    }
    let brackets = part.trim_end_matches([')', ']', '}']);
    let end = &part[brackets.len()..];
    let room = width.saturating_sub(end.len() + 1);
    let mut used = 0;
    let start: String = part
        .chars()
        .take_while(|c| {
            used += unicode_width::UnicodeWidthChar::width(*c).unwrap_or(0);
            used <= room
        })
        .collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_long_step_is_shown() {
        let line = format!(
            "    DataSourceExec: file_groups={{1 group: [[{}]]}}, projection=[a, b], \
             filter=url LIKE \"a, b{}\"",
            "work/x.warc.gz, ".repeat(20),
            "%".repeat(100)
        );
        let lines = step(&line, 100);
        let [shown] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert!(shown.width() <= 100, "{shown}");
        assert!(
            shown.starts_with("    DataSourceExec: file_groups={1 group: [[w"),
            "{shown}"
        );
        assert!(
            shown.contains("…]]}, projection=[a, b], filter=url LIKE \"a, b%"),
            "{shown}"
        );
        for width in 0..60 {
            let longest = step(&line, width).iter().map(|line| line.width()).max();
            assert!(longest.unwrap() <= width.max(5), "{width}");
        }
    }

    #[test]
    fn arithmetic_is_shown_with_its_operators() {
        for (plan, shown) in [
            ("expr=[checked_add(a@0, 1)]", "expr=[a@0 + 1]"),
            (
                "checked_multiply(checked_add(a, f(b, c)), 2), checked_subtract(x, 1)",
                "(a + f(b, c)) * 2, x - 1",
            ),
            ("checked_add(')', \"(,\")", "')' + \"(,\""),
            ("checked_add(a", "checked_add(a"),
            ("Filter: a = 1", "Filter: a = 1"),
        ] {
            assert_eq!(with_operators(plan), shown);
        }
    }

    #[test]
    fn metrics_are_wrapped_and_other_lines_kept() {
        let line = format!(
            "  SortExec: expr=[{}], metrics=[output_rows=5, spilled=0]",
            "a".repeat(50)
        );
        assert_eq!(
            step(&line, 30),
            [
                "  SortExec: expr=[aaaaaaaaaa…]",
                "      output_rows=5, spilled=0"
            ]
        );
        assert_eq!(step("Filter: a", 30), ["Filter: a"]);
        let tree = format!("│ {} │", "x".repeat(50));
        assert_eq!(step(&tree, 30), [tree]);
    }
}
