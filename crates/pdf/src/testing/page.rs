//! Pages.

use super::{Ref, Stream};

/// A page, by default 612 by 792 points.
#[derive(Clone, Debug)]
pub struct Page {
    pub(super) content: Stream,
    pub(super) media_box: String,
    pub(super) entries: String,
    pub(super) fonts: String,
    /// Kinds of resources with their entries, in the order of insertion.
    pub(super) resources: Vec<(&'static str, String)>,
    pub(super) annotations: Vec<Ref>,
}

impl Page {
    pub fn new(content: impl Into<Vec<u8>>) -> Self {
        Self::of(Stream::new(content))
    }

    /// A page with encoded or damaged content.
    pub fn of(content: Stream) -> Self {
        Self {
            content,
            media_box: "0 0 612 792".to_owned(),
            entries: String::new(),
            fonts: String::new(),
            resources: Vec::new(),
            annotations: Vec::new(),
        }
    }

    /// Left, bottom, right, top, as written.
    pub fn media_box(mut self, corners: &str) -> Self {
        corners.clone_into(&mut self.media_box);
        self
    }

    pub fn crop_box(self, corners: &str) -> Self {
        self.entries(&format!("/CropBox [{corners}]"))
    }

    pub fn rotate(self, degrees: i32) -> Self {
        self.entries(&format!("/Rotate {degrees}"))
    }

    /// Adds a font. If none is added, `/F1` is Helvetica.
    pub fn font(mut self, name: &str, font: Ref) -> Self {
        self.fonts.push_str(&format!("/{name} {font} "));
        self
    }

    /// `kind` is `XObject`, `Properties`, `ExtGState` …
    pub fn resource(mut self, kind: &'static str, name: &str, object: Ref) -> Self {
        let entry = format!("/{name} {object} ");
        match self.resources.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, entries)) => entries.push_str(&entry),
            None => self.resources.push((kind, entry)),
        }
        self
    }

    pub fn annotation(mut self, annotation: Ref) -> Self {
        self.annotations.push(annotation);
        self
    }

    /// Adds entries to the page's dictionary, as written.
    pub fn entries(mut self, entries: &str) -> Self {
        self.entries.push_str(entries);
        self.entries.push(' ');
        self
    }
}
