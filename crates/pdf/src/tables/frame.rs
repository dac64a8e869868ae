//! Turns the page so that its text runs to the right.

use crate::model::Rect;

/// The coordinates in which text of one direction runs to the right.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The direction of the text, in quarter turns clockwise.
    pub turns: u8,
    width: f32,
    height: f32,
}

impl Frame {
    /// A frame of a page of this size.
    pub fn new(turns: u8, width: f32, height: f32) -> Self {
        Self {
            turns,
            width,
            height,
        }
    }

    pub fn point(self, (x, y): (f32, f32)) -> (f32, f32) {
        match self.turns {
            1 => (y, self.width - x),
            2 => (self.width - x, self.height - y),
            3 => (self.height - y, x),
            _ => (x, y),
        }
    }

    /// A box of the page in the frame.
    pub fn rect(self, rect: Rect) -> Rect {
        corners(
            self.point((rect.x1, rect.y1)),
            self.point((rect.x2, rect.y2)),
        )
    }

    /// A box of the frame on the page.
    pub fn on_page(self, rect: Rect) -> Rect {
        let point = |(x, y): (f32, f32)| match self.turns {
            1 => (self.width - y, x),
            2 => (self.width - x, self.height - y),
            3 => (y, self.height - x),
            _ => (x, y),
        };
        corners(point((rect.x1, rect.y1)), point((rect.x2, rect.y2)))
    }
}

fn corners(a: (f32, f32), b: (f32, f32)) -> Rect {
    Rect {
        x1: a.0.min(b.0),
        y1: a.1.min(b.1),
        x2: a.0.max(b.0),
        y2: a.1.max(b.1),
    }
}
