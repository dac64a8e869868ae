//! Draws the boxes and margins of a page.

use super::colors::{NO_CONFIDENCE, color, percent};
use super::layout::{Boxes, DrawnElement, Extent, Layout};
use super::markup::{escape, intersection, place, short, tenths, union};
use crate::BBox;

/// A margin smaller than this share of the page means that the text touches the edge.
const MIN_MARGIN_SHARE: f64 = 0.01;

/// The page that is drawn if its size is unknown.
const DEFAULT_PAGE: BBox = BBox {
    x1: 0.0,
    y1: 0.0,
    x2: 1000.0,
    y2: 1414.0,
};

/// Sizes that depend on the page are set on the elements.
const STYLE: &str = "text{font-family:system-ui,sans-serif;fill:#222}\
     .page{fill:#fff;stroke:#555}\
     .lines{fill:none;stroke:#000;stroke-opacity:.3}\
     .all{fill:none;stroke:#222}\
     .margin{stroke:#222}.margin circle{fill:#222}\
     .edge{stroke:#d55e00}.edge circle{fill:#d55e00}.edge text{fill:#b34700;font-weight:bold;stroke:none}\
     .margin text{stroke:none}";

/// A picture under construction, in the units of the page.
pub(super) struct Picture {
    page: BBox,
    /// The page plus a limited area around it for boxes outside the page.
    canvas: BBox,
    /// The font size, which determines the size of everything outside the page.
    pub em: f64,
    /// The edges and width of the picture, including the labels around the canvas.
    pub left: f64,
    pub width: f64,
    pub top: f64,
    pub bottom: f64,
    /// The number of boxes too far out to be drawn.
    pub outside: usize,
    content: String,
}

#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Picture {
    pub fn new(page: Option<BBox>, extent: Option<Extent>) -> Self {
        let covered = extent.map(|extent| extent.bbox());
        let page = page.or(covered).unwrap_or(DEFAULT_PAGE);
        let (width, height) = (page.width() / 2.0, page.height() / 2.0);
        let limit = BBox {
            x1: page.x1 - width,
            y1: page.y1 - height,
            x2: page.x2 + width,
            y2: page.y2 + height,
        };
        let canvas = covered
            .and_then(|covered| intersection(&limit, &covered))
            .map_or(page, |covered| union(&page, &covered));
        let em = (canvas.width() + canvas.height()) / 110.0;
        let width = (canvas.width() + 13.0 * em).max(38.0 * em);
        let mut picture = Self {
            page,
            canvas,
            em,
            left: (canvas.x1 + canvas.x2 - width) / 2.0,
            width,
            top: canvas.y1 - 7.0 * em,
            bottom: canvas.y2 + 3.5 * em,
            outside: 0,
            content: String::new(),
        };
        let (place, stroke) = (place(&page), short(em / 16.0));
        picture.push(&format!(
            "<rect {place} class=\"page\" stroke-width=\"{stroke}\"/>"
        ));
        picture
    }

    pub fn push(&mut self, markup: &str) {
        self.content.push_str(markup);
        self.content.push('\n');
    }

    /// Adds text at a position, with its font size in em.
    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, size: f64, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let markup = format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor}>{}</text>",
            short(x),
            short(y),
            short(size * self.em),
            escape(text)
        );
        self.push(&markup);
    }

    /// Draws the colored boxes.
    pub fn boxes(&mut self, layout: &Layout, name: &str, boxes: &Boxes) {
        let stroke = short(self.em / 16.0);
        self.push(&format!(
            "<g stroke=\"#444\" stroke-width=\"{stroke}\" fill-opacity=\".6\">"
        ));
        for drawn in &boxes.drawn {
            let Some(bbox) = drawn.bbox else { continue };
            let Some(seen) = intersection(&self.canvas, &bbox) else {
                self.outside += 1;
                continue;
            };
            let percent = percent(layout, drawn);
            let markup = format!(
                "<rect {} fill=\"{}\"><title>{}</title></rect>",
                place(&seen),
                percent.map_or(NO_CONFIDENCE, color),
                escape(&description(name, drawn, &bbox, percent))
            );
            self.push(&markup);
        }
        self.push("</g>");
    }

    pub fn lines(&mut self, lines: &Boxes) {
        let mut path = String::new();
        let seen = lines.drawn.iter().filter_map(|line| line.bbox);
        for line in seen.filter_map(|line| intersection(&self.canvas, &line)) {
            let [x, y, width, height] = [line.x1, line.y1, line.width(), line.height()].map(short);
            path.push_str(&format!("M{x} {y}h{width}v{height}h-{width}z"));
        }
        if !path.is_empty() {
            let stroke = short(self.em / 16.0);
            self.push(&format!(
                "<path class=\"lines\" stroke-width=\"{stroke}\" d=\"{path}\"/>"
            ));
        }
    }

    /// Draws the area that the boxes cover together.
    pub fn outline(&mut self, extent: &Extent) {
        if let Some(seen) = intersection(&self.canvas, &extent.bbox()) {
            let markup = format!("<rect class=\"all\" {} {}/>", place(&seen), self.dashes());
            self.push(&markup);
        }
    }

    pub fn dashes(&self) -> String {
        let (stroke, dash) = (short(self.em / 10.0), short(self.em / 2.0));
        format!("stroke-width=\"{stroke}\" stroke-dasharray=\"{dash}\"")
    }

    /// Draws the distances from the edges of the page to the area of the boxes.
    pub fn margins(&mut self, extent: &Extent) {
        let (page, canvas, em) = (self.page, self.canvas, self.em);
        let across = |at: f64| at.clamp(canvas.x1, canvas.x2);
        let down = |at: f64| at.clamp(canvas.y1, canvas.y2);
        let Extent {
            left,
            top,
            right,
            bottom,
        } = *extent;
        let (width, height) = (page.width(), page.height());
        self.margin(Margin {
            size: left.edge - page.x1,
            page: width,
            ends: [(page.x1, down(left.at)), (across(left.edge), down(left.at))],
            edge: [(page.x1, page.y1), (page.x1, page.y2)],
            label: (canvas.x1 - 0.8 * em, down(left.at)),
            anchor: Anchor::End,
        });
        self.margin(Margin {
            size: page.x2 - right.edge,
            page: width,
            ends: [
                (page.x2, down(right.at)),
                (across(right.edge), down(right.at)),
            ],
            edge: [(page.x2, page.y1), (page.x2, page.y2)],
            label: (canvas.x2 + 0.8 * em, down(right.at)),
            anchor: Anchor::Start,
        });
        self.margin(Margin {
            size: top.edge - page.y1,
            page: height,
            ends: [(across(top.at), page.y1), (across(top.at), down(top.edge))],
            edge: [(page.x1, page.y1), (page.x2, page.y1)],
            label: (across(top.at), canvas.y1 - 1.6 * em),
            anchor: Anchor::Middle,
        });
        self.margin(Margin {
            size: page.y2 - bottom.edge,
            page: height,
            ends: [
                (across(bottom.at), page.y2),
                (across(bottom.at), down(bottom.edge)),
            ],
            edge: [(page.x1, page.y2), (page.x2, page.y2)],
            label: (across(bottom.at), canvas.y2 + 1.3 * em),
            anchor: Anchor::Middle,
        });
    }

    fn margin(&mut self, margin: Margin) {
        let is_at_edge = margin.size < MIN_MARGIN_SHARE * margin.page;
        let class = if is_at_edge { "margin edge" } else { "margin" };
        let stroke = short(self.em / 8.0);
        self.push(&format!("<g class=\"{class}\" stroke-width=\"{stroke}\">"));
        if is_at_edge {
            let thick = short(self.em / 2.5);
            let [(x1, y1), (x2, y2)] = margin.edge.map(|(x, y)| (short(x), short(y)));
            self.push(&format!(
                "<path stroke-width=\"{thick}\" d=\"M{x1} {y1}L{x2} {y2}\"/>"
            ));
        }
        let [(x1, y1), (x2, y2)] = margin.ends.map(|(x, y)| (short(x), short(y)));
        let dot = short(self.em / 5.0);
        self.push(&format!(
            "<path d=\"M{x1} {y1}L{x2} {y2}\"/><circle cx=\"{x1}\" cy=\"{y1}\" r=\"{dot}\"/><circle cx=\"{x2}\" cy=\"{y2}\" r=\"{dot}\"/>"
        ));
        let (x, y) = margin.label;
        self.text(x, y, margin.anchor, 1.0, &short(margin.size));
        let remark = if margin.size < 0.0 {
            "outside".to_owned()
        } else if is_at_edge {
            "at the edge".to_owned()
        } else {
            format!("{} %", tenths(100.0 * margin.size / margin.page))
        };
        self.text(x, y + self.em, margin.anchor, 0.8, &remark);
        self.push("</g>");
    }

    pub fn finish(self, title: &str) -> String {
        let view = [self.left, self.top, self.width, self.bottom - self.top].map(short);
        let all = BBox {
            x1: self.left,
            y1: self.top,
            x2: self.left + self.width,
            y2: self.bottom,
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{}\" role=\"img\">\n\
             <title>{}</title>\n<style>{STYLE}</style>\n<rect {} fill=\"#ededed\"/>\n{}</svg>\n",
            view.join(" "),
            escape(title),
            place(&all),
            self.content
        )
    }
}

/// One of the four margins.
struct Margin {
    size: f64,
    /// The size of the page in the same direction.
    page: f64,
    /// The ends of the line that shows the margin.
    ends: [(f64, f64); 2],
    /// The ends of the edge of the page.
    edge: [(f64, f64); 2],
    label: (f64, f64),
    anchor: Anchor,
}

/// The tooltip of a box.
fn description(name: &str, drawn: &DrawnElement, bbox: &BBox, percent: Option<f64>) -> String {
    let mut parts = vec![format!("{name} {}", drawn.position), drawn.kind.clone()];
    if !drawn.id.is_empty() {
        parts.push(drawn.id.clone());
    }
    parts.push([bbox.x1, bbox.y1, bbox.x2, bbox.y2].map(short).join(" "));
    let [width, height] = [bbox.width(), bbox.height()].map(short);
    parts.push(format!("{width} × {height}"));
    if let Some(percent) = percent {
        parts.push(format!("confidence {} %", tenths(percent)));
    }
    if drawn.confidence.is_none() && drawn.words.count > 0 {
        parts.push(format!("mean of {} words", drawn.words.count));
    }
    parts.join(" · ")
}
