//! Describes errors in a script, with the place in its text.

use std::io;

use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::dialect::Dialect;
use terminal_size::{Width, terminal_size_of};

use crate::errors::message;
use crate::statements::place::{self, Position};
use crate::statements::script::{Script, TYPED};
use crate::statements::split::Statement;
use crate::statements::variables::Substituted;

/// The width of excerpts if that of the terminal is not known.
const DEFAULT_WIDTH: usize = 100;

/// A script whose errors are described.
pub struct Source<'a> {
    pub script: &'a Script,
    pub substituted: Substituted,
    pub dialect: Box<dyn Dialect>,
}

impl Source<'_> {
    /// Describes an error of a statement, with its place if that is certain, or else the beginning
    /// of the statement.
    pub fn describe(&self, statement: &Statement, error: &DataFusionError) -> String {
        let text = message(error);
        match place::of(error, &text, &statement.in_place(), self.dialect.as_ref()) {
            Some(place) => self.at_place(place, &text),
            None => {
                let start = self.start(statement.line);
                let text = place::without_position(&text);
                format!("{start}{text}\n  in: {}", statement.summary())
            }
        }
    }

    /// Describes an error at a place in the SQL.
    pub fn at_place(&self, place: Position, text: &str) -> String {
        let script = &self.script.text;
        let shown = self.substituted.place_in(script, place).and_then(|place| {
            let excerpt = place::excerpt(script, place, excerpt_width())?;
            let text = place::without_position(text);
            Some(format!("{}{text}\n{excerpt}", self.start(place.line)))
        });
        shown.unwrap_or_else(|| format!("{}{text}", self.start(place.line)))
    }

    /// Returns the script and the line as a prefix; empty for statements that were just typed.
    fn start(&self, line: usize) -> String {
        match self.script.name.as_str() {
            TYPED => String::new(),
            name => format!("{name}:{line}: "),
        }
    }
}

/// Returns the width of the terminal that shows errors, or the default.
fn excerpt_width() -> usize {
    match terminal_size_of(io::stderr()) {
        Some((Width(width), _)) if width > 0 => usize::from(width),
        _ => DEFAULT_WIDTH,
    }
}
