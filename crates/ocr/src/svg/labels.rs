//! The labels around a page.

use super::colors::{COLORS, NO_CONFIDENCE};
use super::layout::{Boxes, Layout};
use super::markup::{place, short};
use super::picture::{Anchor, Picture};
use crate::BBox;

impl Picture {
    pub fn head(&mut self, layout: &Layout) {
        let (left, em) = (self.left + self.em, self.em);
        let name = self.fitting(&name_of(layout), 1.3);
        self.text(left, self.top + 1.9 * em, Anchor::Start, 1.3, &name);
        let facts = self.fitting(&facts(layout), 0.9);
        self.text(left, self.top + 3.3 * em, Anchor::Start, 0.9, &facts);
    }

    /// The part of a text that fits into the picture.
    pub fn fitting(&self, text: &str, size: f64) -> String {
        /// From here on, characters are full-width.
        const FIRST_WIDE: char = '\u{2E80}';
        let mut space = self.width / (self.em * size) - 4.0;
        let mut fitting = String::new();
        for c in text.chars() {
            space -= if c < FIRST_WIDE { 0.6 } else { 1.1 };
            if space < 0.0 {
                fitting.push('…');
                break;
            }
            fitting.push(c);
        }
        fitting
    }

    pub fn legend(&mut self, layout: &Layout, name: &str) {
        let (left, top, em) = (self.left + self.em, self.bottom, self.em);
        let mut keys = left;
        if let Some(kind) = layout.scale.kind {
            keys += 18.0 * em;
            self.text(
                left,
                top + 0.8 * em,
                Anchor::Start,
                0.8,
                &format!("confidence ({kind})"),
            );
            let mut x = left;
            for (from, color) in COLORS {
                self.swatch(x, top + 1.3 * em, 3.0, color);
                self.text(x, top + 3.2 * em, Anchor::Middle, 0.8, &short(from));
                x += 3.0 * em;
            }
            self.text(x, top + 3.2 * em, Anchor::Middle, 0.8, "100");
        }
        self.swatch(keys, top, 2.0, NO_CONFIDENCE);
        let names = keys + 2.6 * em;
        self.text(names, top + 0.8 * em, Anchor::Start, 0.8, "no confidence");
        let markup = format!(
            "<path class=\"all\" {} d=\"M{} {}h{}\"/>",
            self.dashes(),
            short(keys),
            short(top + 1.9 * em),
            short(2.0 * em)
        );
        self.push(&markup);
        let text = format!("around all {name}s, and its margins");
        self.text(names, top + 2.1 * em, Anchor::Start, 0.8, &text);
        if name == "block" && layout.lines.extent.is_some() {
            let markup = format!(
                "<path class=\"lines\" stroke-width=\"{}\" d=\"M{} {}h{}v{}h-{}z\"/>",
                short(em / 16.0),
                short(keys),
                short(top + 2.6 * em),
                short(2.0 * em),
                short(0.8 * em),
                short(2.0 * em)
            );
            self.push(&markup);
            self.text(names, top + 3.4 * em, Anchor::Start, 0.8, "lines");
        }
        self.bottom += 5.0 * em;
    }

    pub fn swatch(&mut self, x: f64, y: f64, width: f64, color: &str) {
        let em = self.em;
        let swatch = BBox {
            x1: x,
            y1: y,
            x2: x + width * em,
            y2: y + em,
        };
        let stroke = short(em / 16.0);
        self.push(&format!(
            "<rect {} fill=\"{color}\" fill-opacity=\".6\" stroke=\"#444\" stroke-width=\"{stroke}\"/>",
            place(&swatch)
        ));
    }

    /// Adds notes on what the picture does not show.
    pub fn notes(&mut self, layout: &Layout, name: &str, boxes: &Boxes) {
        let mut notes = Vec::new();
        if layout.page.is_none() {
            notes.push("The page has no valid box, so margins are not shown.".to_owned());
        }
        let mut count = |count: usize, what: String| {
            if count > 0 {
                notes.push(format!("… {count} more {what}"));
            }
        };
        let levels = [(name, boxes), ("line", &layout.lines)];
        let shown = if name == "block" { 2 } else { 1 };
        for (name, boxes) in levels.into_iter().take(shown) {
            count(
                boxes.without_box,
                format!("{name}s have a missing, empty or inverted box"),
            );
            count(
                boxes.count - boxes.drawn.len(),
                format!("{name}s are not drawn"),
            );
        }
        count(self.outside, format!("{name}s are outside the picture"));
        for note in notes {
            let left = self.left + self.em;
            self.text(left, self.bottom, Anchor::Start, 0.8, &note);
            self.bottom += 1.2 * self.em;
        }
    }
}

pub(super) fn name_of(layout: &Layout) -> String {
    // The end of a path is the most informative part.
    let image = layout.image.rsplit(['/', '\\']).next();
    let names = [image.unwrap_or_default(), &layout.id];
    let named = names.into_iter().find(|name| !name.is_empty());
    named.map_or_else(|| format!("Page {}", layout.position), str::to_owned)
}

pub(super) fn facts(layout: &Layout) -> String {
    let mut facts = vec![format!("page {}", layout.position)];
    if let Some(number) = layout.number {
        facts.push(format!("numbered {number}"));
    }
    if !layout.id.is_empty() && !layout.image.is_empty() {
        facts.push(layout.id.clone());
    }
    if let Some(page) = layout.page {
        let [width, height] = [page.width(), page.height()].map(short);
        facts.push(format!("{width} × {height} {}", layout.unit));
    }
    let levels = [
        ("blocks", &layout.blocks),
        ("lines", &layout.lines),
        ("words", &layout.words),
    ];
    facts.extend(levels.map(|(name, boxes)| format!("{} {name}", boxes.count)));
    facts.join(" · ")
}
