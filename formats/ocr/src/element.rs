//! What is told of an element.

use std::borrow::Cow;

/// A longer value that is repeated with each of many elements is cut, since the output would
/// otherwise grow with the square of the input. Names of images are shorter.
pub const REPEATED: usize = 1000;

/// Cuts such a value, and marks the cut with an ellipsis.
pub(super) fn cut_repeated(value: Cow<'_, str>) -> Cow<'_, str> {
    if value.len() <= REPEATED {
        return value;
    }
    let kept = value.get(..value.floor_char_boundary(REPEATED));
    Cow::Owned(format!("{}…", kept.unwrap_or_default()))
}

/// An element of the level that was asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Element<'a> {
    /// From 1, in the order of the start tags.
    pub position: usize,
    /// How many elements of the same level are around it.
    pub depth: usize,
    /// Which block it stands in: that one's position among blocks.
    pub block: Option<usize>,
    /// Which line it stands in: that one's position among lines.
    pub line: Option<usize>,
    /// In hOCR in lower case, otherwise as written, without a prefix.
    pub tag: Cow<'a, str>,
    /// The attribute as it is: `ocrx_block` does not equal ` ocrx_block` or `ocrx_block wide`.
    /// Of ALTO and PAGE XML the type.
    pub class: Option<Cow<'a, str>>,
    pub id: Option<Cow<'a, str>>,
    pub bbox: Option<BBox>,
    /// What the numbers of the box count: `pixel`, or what ALTO says.
    pub unit: &'a str,
    pub confidence: Option<Confidence>,
    pub baseline: Option<Baseline>,
    /// Of the text, in degrees, counter-clockwise.
    pub angle: Option<f64>,
    /// Its own, or of the nearest element around it that has one, up to the page.
    pub language: Option<&'a str>,
    /// Of hOCR.
    pub title: Option<Cow<'a, str>>,
    /// What could not be read.
    pub error: Option<String>,
}

impl Element<'_> {
    /// The value, or a note that it is wrong.
    pub(super) fn keep<T>(&mut self, name: &str, value: Result<T, String>) -> Option<T> {
        keep(&mut self.error, name, value)
    }

    /// Takes what an element inside of it declares of the same word.
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

    /// The single classes.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.class
            .as_deref()
            .unwrap_or_default()
            .split_ascii_whitespace()
    }
}

/// The value, or a note that it is wrong. Of several wrong things the first is noted.
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

/// The page that elements stand in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page<'a> {
    /// From 1, in the order of the document.
    pub position: usize,
    /// The number it states.
    pub number: Option<i64>,
    pub id: Option<Cow<'a, str>>,
    pub bbox: Option<BBox>,
    pub image: Option<Cow<'a, str>>,
    pub language: Option<&'a str>,
}

/// A box, as stated: it may be empty, inside out, or off the page.
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

    /// A box made to reach to a point.
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

/// How sure the program was, in the scale of the kind: programs differ in what they mean by it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    pub value: f64,
    /// The property or attribute that stated it.
    pub kind: &'static str,
}

/// The line that letters stand on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Baseline {
    pub slope: Option<f64>,
    /// How far below the lower left corner of the box it begins; negative above.
    pub offset: Option<f64>,
}
