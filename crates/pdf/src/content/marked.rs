//! Marked content: hidden text, artifacts, and replacement text (`ActualText`).

/// An open `BMC` or `BDC`.
#[derive(Debug)]
struct Mark {
    hidden: bool,
    artifact: bool,
    replaces: bool,
}

/// The combined effect of the open marks.
#[derive(Debug, Default)]
pub struct Marks {
    open: Vec<Mark>,
    hidden: usize,
    artifacts: usize,
    replacement: Option<Replacement>,
}

/// Where the identifier of the marked content changes.
#[derive(Debug, Default)]
pub struct Identifiers {
    open: Vec<Option<i32>>,
    /// The number of glyphs drawn before, and the identifier from there on.
    changes: Vec<(u32, Option<i32>)>,
}

impl Identifiers {
    /// Opens marked content. Without an identifier, it inherits the one of the content around it.
    pub fn open(&mut self, identifier: Option<i32>, glyphs: usize) {
        let current = self.open.last().copied().flatten();
        self.open.push(identifier.or(current));
        self.change(glyphs);
    }

    pub fn close(&mut self, glyphs: usize) {
        self.open.pop();
        self.change(glyphs);
    }

    fn change(&mut self, glyphs: usize) {
        let current = self.open.last().copied().flatten();
        let index = u32::try_from(glyphs).unwrap_or(u32::MAX);
        match self.changes.last_mut() {
            Some((last, identifier)) if *last == index => *identifier = current,
            Some((_, identifier)) if *identifier == current => {}
            _ => self.changes.push((index, current)),
        }
    }

    /// The identifier of a glyph.
    pub fn of_glyph(&self, glyph: u32) -> Option<i32> {
        let after = self.changes.partition_point(|change| change.0 <= glyph);
        self.changes.get(after.checked_sub(1)?)?.1
    }

    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

/// An open `ActualText`: the text of the glyphs drawn until it is closed.
#[derive(Debug)]
pub struct Replacement {
    pub text: String,
    /// The number of glyphs drawn before it.
    pub first_glyph: usize,
}

impl Marks {
    pub fn open(
        &mut self,
        artifact: bool,
        hidden: bool,
        actual_text: Option<String>,
        glyphs: usize,
    ) {
        // The outermost text replaces all inner ones.
        let replaces = actual_text.is_some() && self.replacement.is_none();
        if let Some(text) = actual_text.filter(|_| replaces) {
            self.replacement = Some(Replacement {
                text,
                first_glyph: glyphs,
            });
        }
        self.hidden += usize::from(hidden);
        self.artifacts += usize::from(artifact);
        self.open.push(Mark {
            hidden,
            artifact,
            replaces,
        });
    }

    /// Closes the latest mark. Returns the replacement for the text of its glyphs, if any.
    pub fn close(&mut self) -> Option<Replacement> {
        let mark = self.open.pop()?;
        self.hidden -= usize::from(mark.hidden);
        self.artifacts -= usize::from(mark.artifact);
        if mark.replaces {
            self.replacement.take()
        } else {
            None
        }
    }

    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    pub fn is_artifact(&self) -> bool {
        self.artifacts > 0
    }
}
