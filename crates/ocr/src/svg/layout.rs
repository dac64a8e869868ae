//! The data for a picture of a page: a bounded number of its boxes.

use super::super::element::{BBox, Confidence, Element, Page};
use super::super::level::Level;
use super::super::numbers::excerpt;
use super::super::read::{ReadOptions, Unreadable, read};
use super::super::row::Row;

/// Maximum number of boxes drawn per level. Further boxes are only counted.
const MAX_BOXES: usize = 5000;

/// Maximum coordinate. Larger coordinates are errors and would not fit into a picture.
const MAX_COORDINATE: f64 = 1e9;

/// A page and its elements.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub position: usize,
    /// The page number that the document declares.
    pub number: Option<i64>,
    pub id: String,
    pub image: String,
    pub unit: String,
    /// The declared box of the page, if it is valid.
    pub page: Option<BBox>,
    pub blocks: Boxes,
    pub lines: Boxes,
    pub words: Boxes,
    pub scale: Scale,
}

/// The boxes of one level.
#[derive(Debug, Default)]
pub(super) struct Boxes {
    /// The first [`MAX_BOXES`] boxes.
    pub drawn: Vec<DrawnElement>,
    pub count: usize,
    /// The number of elements whose box is missing, empty or inverted.
    pub without_box: usize,
    pub extent: Option<Extent>,
}

/// An element that is drawn.
#[derive(Debug)]
pub(super) struct DrawnElement {
    pub position: usize,
    /// The class, or else the name of the element.
    pub kind: String,
    pub id: String,
    pub bbox: Option<BBox>,
    pub confidence: Option<f64>,
    pub words: Mean,
}

/// The area that all boxes cover together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub left: OutermostEdge,
    pub top: OutermostEdge,
    pub right: OutermostEdge,
    pub bottom: OutermostEdge,
}

/// The outermost edge of all boxes on one side, and the middle of the first box that reaches it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OutermostEdge {
    pub edge: f64,
    pub at: f64,
}

/// The scale of the confidences on a page.
#[derive(Debug, Default)]
pub(super) struct Scale {
    /// The property or attribute that declared the first confidence.
    pub kind: Option<&'static str>,
    highest: f64,
}

impl Scale {
    fn add(&mut self, confidence: Option<Confidence>) -> Option<f64> {
        let Confidence { value, kind } = confidence?;
        self.kind = self.kind.or(Some(kind));
        self.highest = self.highest.max(value);
        Some(value)
    }

    /// A confidence in percent. Programs use scales up to 1 or up to 100 without declaring it.
    pub fn percent(&self, value: f64) -> f64 {
        if self.highest <= 1.0 {
            value * 100.0
        } else {
            value
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    sum: f64,
    pub count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    pub fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

impl Layout {
    /// The layout of a page, counted from 1. In a document without pages, everything is on page 1.
    pub fn of(document: &str, page: usize) -> Result<Option<Self>, Unreadable> {
        let mut layout = Self {
            position: page,
            ..Self::default()
        };
        let mut is_found = false;
        for level in Level::ALL {
            let options = ReadOptions { level, text: false };
            read(document, options, |row| {
                if row.page.map_or(1, |page| page.position) == page {
                    is_found = true;
                    layout.add(level, row);
                }
            })?;
        }
        Ok(is_found.then_some(layout))
    }

    fn add(&mut self, level: Level, row: Row<'_, '_>) {
        let element = row.element;
        if self.unit.is_empty() {
            self.unit = element.unit.to_owned();
        }
        let confidence = self.scale.add(element.confidence);
        match level {
            Level::Page => {
                if let Some(page) = row.page {
                    self.describe(page);
                }
            }
            Level::Block => self.blocks.add(element, confidence),
            Level::Line => self.lines.add(element, confidence),
            Level::Word => {
                self.words.add(element, confidence);
                self.blocks.add_word(element.block, confidence);
                self.lines.add_word(element.line, confidence);
            }
        }
    }

    fn describe(&mut self, page: &Page<'_>) {
        self.number = page.number;
        self.id = excerpt(page.id.as_deref().unwrap_or_default()).to_owned();
        self.image = page.image.as_deref().unwrap_or_default().to_owned();
        self.page = page.bbox.filter(can_be_drawn);
    }

    /// The level drawn in color: blocks, or lines or words for programs that only write those.
    pub fn largest(&self) -> (&'static str, &Boxes) {
        let levels = [("block", &self.blocks), ("line", &self.lines)];
        let has_boxes = |(_, boxes): &(_, &Boxes)| boxes.extent.is_some();
        levels
            .into_iter()
            .find(has_boxes)
            .unwrap_or(("word", &self.words))
    }
}

impl Boxes {
    fn add(&mut self, element: &Element<'_>, confidence: Option<f64>) {
        self.count += 1;
        let bbox = element.bbox.filter(can_be_drawn);
        match bbox {
            Some(bbox) => {
                let extent = Extent::of(bbox);
                self.extent.get_or_insert(extent).include(extent);
            }
            None => self.without_box += 1,
        }
        if self.drawn.len() < MAX_BOXES {
            let kind = element.class.as_deref().unwrap_or(&element.tag);
            self.drawn.push(DrawnElement {
                position: element.position,
                kind: excerpt(kind).to_owned(),
                id: excerpt(element.id.as_deref().unwrap_or_default()).to_owned(),
                bbox,
                confidence,
                words: Mean::default(),
            });
        }
    }

    /// Adds the confidence of a word to the element with this position.
    fn add_word(&mut self, position: Option<usize>, confidence: Option<f64>) {
        let Some((position, confidence)) = position.zip(confidence) else {
            return;
        };
        let found = self
            .drawn
            .binary_search_by_key(&position, |drawn| drawn.position);
        if let Some(drawn) = found.ok().and_then(|place| self.drawn.get_mut(place)) {
            drawn.words.add(confidence);
        }
    }
}

impl Extent {
    pub fn of(bbox: BBox) -> Self {
        let (x, y) = middle(&bbox);
        let reach = |edge, at| OutermostEdge { edge, at };
        Self {
            left: reach(bbox.x1, y),
            top: reach(bbox.y1, x),
            right: reach(bbox.x2, y),
            bottom: reach(bbox.y2, x),
        }
    }

    fn include(&mut self, other: Self) {
        self.left.replace_if(f64::lt, other.left);
        self.top.replace_if(f64::lt, other.top);
        self.right.replace_if(f64::gt, other.right);
        self.bottom.replace_if(f64::gt, other.bottom);
    }

    pub fn bbox(&self) -> BBox {
        BBox {
            x1: self.left.edge,
            y1: self.top.edge,
            x2: self.right.edge,
            y2: self.bottom.edge,
        }
    }
}

impl OutermostEdge {
    fn replace_if(&mut self, is_outer: fn(&f64, &f64) -> bool, other: Self) {
        if is_outer(&other.edge, &self.edge) {
            *self = other;
        }
    }
}

fn middle(bbox: &BBox) -> (f64, f64) {
    ((bbox.x1 + bbox.x2) / 2.0, (bbox.y1 + bbox.y2) / 2.0)
}

fn can_be_drawn(bbox: &BBox) -> bool {
    let corners = [bbox.x1, bbox.y1, bbox.x2, bbox.y2];
    let is_near = |corner: &f64| corner.abs() <= MAX_COORDINATE;
    bbox.width() > 0.0 && bbox.height() > 0.0 && corners.iter().all(is_near)
}
