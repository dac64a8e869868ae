//! What a picture of a page is drawn from: its boxes, as many as a person can look at.

use super::super::element::{BBox, Confidence, Element, Page};
use super::super::level::Level;
use super::super::numbers::excerpt;
use super::super::read::{Row, Unreadable, Wanted, read};

/// So many boxes of a level are drawn. Those behind them are counted.
const MOST: usize = 5000;

/// Coordinates beyond this are mistakes, and no picture has room for them.
const FURTHEST: f64 = 1e9;

/// A page and what is on it.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub position: usize,
    /// The number that the page states.
    pub number: Option<i64>,
    pub id: String,
    pub image: String,
    pub unit: String,
    /// The box that the page states, if it can be one.
    pub page: Option<BBox>,
    pub blocks: Boxes,
    pub lines: Boxes,
    pub words: Boxes,
    pub scale: Scale,
}

/// The boxes of one level.
#[derive(Debug, Default)]
pub(super) struct Boxes {
    /// The first of them.
    pub drawn: Vec<Drawn>,
    pub count: usize,
    /// How many have no box, or one that is empty or inside out.
    pub without_box: usize,
    pub extent: Option<Extent>,
}

/// An element that is drawn.
#[derive(Debug)]
pub(super) struct Drawn {
    pub position: usize,
    /// Its class, or what it is.
    pub kind: String,
    pub id: String,
    pub bbox: Option<BBox>,
    pub confidence: Option<f64>,
    pub words: Mean,
}

/// What boxes cover together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub left: Reach,
    pub top: Reach,
    pub right: Reach,
    pub bottom: Reach,
}

/// How far boxes reach on one side, and the middle of the first box that reaches so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    pub edge: f64,
    pub at: f64,
}

/// What the confidences on a page are.
#[derive(Debug, Default)]
pub(super) struct Scale {
    /// The property or attribute that stated the first one.
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

    /// A confidence in percent. Programs count up to 1 or up to 100, and do not say which.
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
    /// The layout of a page of a document, from 1. Of a document without pages all is on page 1.
    pub fn of(document: &str, page: usize) -> Result<Option<Self>, Unreadable> {
        let mut layout = Self {
            position: page,
            ..Self::default()
        };
        let mut is_there = false;
        for level in Level::ALL {
            let wanted = Wanted { level, text: false };
            read(document, wanted, |row| {
                if row.page.map_or(1, |page| page.position) == page {
                    is_there = true;
                    layout.add(level, row);
                }
            })?;
        }
        Ok(is_there.then_some(layout))
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

    /// What is drawn in colour: blocks, or what there is in place of them, since some programs
    /// tell lines only, or words.
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
        if self.drawn.len() < MOST {
            let kind = element.class.as_deref().unwrap_or(&element.tag);
            self.drawn.push(Drawn {
                position: element.position,
                kind: excerpt(kind).to_owned(),
                id: excerpt(element.id.as_deref().unwrap_or_default()).to_owned(),
                bbox,
                confidence,
                words: Mean::default(),
            });
        }
    }

    /// A word stands in the element of that position.
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
        let reach = |edge, at| Reach { edge, at };
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

impl Reach {
    fn replace_if(&mut self, is_further: fn(&f64, &f64) -> bool, other: Self) {
        if is_further(&other.edge, &self.edge) {
            *self = other;
        }
    }
}

fn middle(bbox: &BBox) -> (f64, f64) {
    ((bbox.x1 + bbox.x2) / 2.0, (bbox.y1 + bbox.y2) / 2.0)
}

fn can_be_drawn(bbox: &BBox) -> bool {
    let corners = [bbox.x1, bbox.y1, bbox.x2, bbox.y2];
    let is_near = |corner: &f64| corner.abs() <= FURTHEST;
    bbox.width() > 0.0 && bbox.height() > 0.0 && corners.iter().all(is_near)
}
