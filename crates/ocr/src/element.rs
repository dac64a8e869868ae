//! The elements of a document.

use std::borrow::Cow;

/// Maximum length of a value that is repeated with every element. Longer values are truncated,
/// because the output would otherwise grow quadratically. Image names are shorter.
pub const MAX_REPEATED_BYTES: usize = 1000;

/// Truncates a repeated value, and marks the cut with an ellipsis.
pub(super) fn cut_repeated(value: Cow<'_, str>) -> Cow<'_, str> {
    if value.len() <= MAX_REPEATED_BYTES {
        return value;
    }
    let kept = value.get(..value.floor_char_boundary(MAX_REPEATED_BYTES));
    Cow::Owned(format!("{}…", kept.unwrap_or_default()))
}

/// An element of the requested level.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Element<'a> {
    /// The number of the element, starting with 1, in the order of the start tags.
    pub position: usize,
    /// The number of elements of the same level around it.
    pub depth: usize,
    /// The position of the block around it.
    pub block: Option<usize>,
    /// The position of the line around it.
    pub line: Option<usize>,
    /// The name of the element: in lower case for hOCR, otherwise as written, without a prefix.
    pub tag: Cow<'a, str>,
    /// The attribute as written: `ocrx_block`, ` ocrx_block` and `ocrx_block wide` are different.
    /// In ALTO and PAGE XML, the type.
    pub class: Option<Cow<'a, str>>,
    /// The identifier.
    pub id: Option<Cow<'a, str>>,
    /// The bounding box.
    pub bbox: Option<BBox>,
    /// The unit of the box: `pixel`, or the unit declared by ALTO.
    pub unit: &'a str,
    /// The confidence of the recognition.
    pub confidence: Option<Confidence>,
    /// The baseline of the text.
    pub baseline: Option<Baseline>,
    /// The angle of the text in degrees, counter-clockwise.
    pub angle: Option<f64>,
    /// The language of the element, or of the nearest one around it, up to the page.
    pub language: Option<&'a str>,
    /// The `title` attribute of hOCR.
    pub title: Option<Cow<'a, str>>,
    /// The first value that could not be parsed, and why.
    pub error: Option<String>,
}

/// The data of a part of a divided word. It is not in [`Element`], which is moved often, because
/// few words have it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Division<'a> {
    pub part: WordPart,
    pub whole: Option<Cow<'a, str>>,
}

/// A part of a word that is divided at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordPart {
    First = 1,
    Second,
}

impl Element<'_> {
    /// Returns the value, or records the error.
    pub(super) fn keep<T>(&mut self, name: &str, value: Result<T, String>) -> Option<T> {
        keep(&mut self.error, name, value)
    }

    /// Adopts the values of an inner element that describes the same word.
    pub(super) fn merge(&mut self, inner: Self) {
        self.bbox = inner.bbox.or(self.bbox);
        self.confidence = inner.confidence.or(self.confidence);
        self.baseline = self.baseline.or(inner.baseline);
        self.angle = self.angle.or(inner.angle);
        self.id = self.id.take().or(inner.id);
        self.error = self.error.take().or(inner.error);
        match (&mut self.title, inner.title) {
            (Some(title), Some(more)) if *title != more && !more.is_empty() => {
                let title = title.to_mut();
                if !title.is_empty() {
                    title.push_str("; ");
                }
                title.push_str(&more);
            }
            (Some(_), _) => {}
            (title, more) => *title = more,
        }
    }

    /// The classes, one by one.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.class
            .as_deref()
            .unwrap_or_default()
            .split_ascii_whitespace()
    }
}

/// Returns the value, or records the error if it is the first one.
pub(super) fn keep<T>(
    error: &mut Option<String>,
    name: &str,
    value: Result<T, String>,
) -> Option<T> {
    match value {
        Ok(value) => Some(value),
        Err(problem) => {
            error.get_or_insert_with(|| format!("{name}: {problem}"));
            None
        }
    }
}

/// The page of an element.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Page<'a> {
    /// The number of the page, starting with 1, in document order.
    pub position: usize,
    /// The page number that the document declares.
    pub number: Option<i64>,
    /// The identifier of the page.
    pub id: Option<Cow<'a, str>>,
    /// The bounding box.
    pub bbox: Option<BBox>,
    /// The name of the page's image.
    pub image: Option<Cow<'a, str>>,
    /// The language of the page.
    pub language: Option<&'a str>,
}

/// A bounding box as declared. It may be empty, inverted or outside the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BBox {
    pub x1: f64,
    pub y1: f64,
    pub x2: f64,
    pub y2: f64,
}

impl BBox {
    pub fn width(&self) -> f64 {
        self.x2 - self.x1
    }

    /// The smallest box around a box and a point.
    pub(super) fn around(bbox: Option<Self>, x: f64, y: f64) -> Self {
        let bbox = bbox.unwrap_or(Self {
            x1: x,
            y1: y,
            x2: x,
            y2: y,
        });
        Self {
            x1: bbox.x1.min(x),
            y1: bbox.y1.min(y),
            x2: bbox.x2.max(x),
            y2: bbox.y2.max(y),
        }
    }

    pub fn height(&self) -> f64 {
        self.y2 - self.y1
    }
}

/// The confidence of a recognition. Its scale depends on the program that declares it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    pub value: f64,
    /// The property or attribute that declares it.
    pub kind: &'static str,
}

/// The baseline of the letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Baseline {
    pub slope: Option<f64>,
    /// The distance from the lower left corner of the box down to the start; negative above it.
    pub offset: Option<f64>,
}
