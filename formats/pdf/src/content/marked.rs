//! Marked content: what is hidden, decoration, or means another text than its glyphs.

/// A `BMC` or `BDC` that is open.
#[derive(Debug)]
struct Mark {
    hidden: bool,
    artifact: bool,
    replaces: bool,
}

/// What the open marks mean together.
#[derive(Debug, Default)]
pub struct Marks {
    open: Vec<Mark>,
    hidden: usize,
    artifacts: usize,
    replacement: Option<Replacement>,
}

/// An `ActualText` that is open: the text of the glyphs that are drawn until it closes.
#[derive(Debug)]
pub struct Replacement {
    pub text: String,
    /// How many glyphs the page had before.
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
        // The outermost text stands for everything in it.
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

    /// Closes the latest mark; gives the text that its glyphs are to have.
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
