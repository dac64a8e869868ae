//! The part of the graphics state that affects text.

use std::rc::Rc;

use crate::fonts::Font;
use crate::geometry::Matrix;

/// The maximum number of saved states, so that a stream of `q` operators uses no memory.
const MAX_SAVED_STATES: usize = 1 << 10;

#[derive(Clone)]
pub struct State<'a> {
    /// From content coordinates to points from the top left of the page.
    pub matrix: Matrix,
    pub font: Option<Rc<Font<'a>>>,
    pub size: f64,
    pub character_spacing: f64,
    pub word_spacing: f64,
    /// The horizontal scaling; 1 is normal.
    pub stretch: f64,
    pub leading: f64,
    pub rise: f64,
    pub render_mode: u8,
    /// The fill color 0xRRGGBB, if known.
    pub color: Option<u32>,
    pub color_space: ColorSpace,
    pub line_width: f64,
}

impl State<'_> {
    pub fn new(matrix: Matrix) -> Self {
        Self {
            matrix,
            font: None,
            size: 0.0,
            character_spacing: 0.0,
            word_spacing: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            render_mode: 0,
            color: Some(0),
            color_space: ColorSpace::Gray,
            line_width: 1.0,
        }
    }

    /// Whether nothing is drawn, as in modes 3 and 7.
    pub fn is_invisible(&self) -> bool {
        matches!(self.render_mode, 3 | 7)
    }
}

/// The states saved by `q`.
#[derive(Default)]
pub struct SavedStates<'a> {
    saved: Vec<State<'a>>,
    /// The number of states that exceeded the maximum.
    dropped: usize,
}

impl<'a> SavedStates<'a> {
    pub fn save(&mut self, state: &State<'a>) {
        if self.saved.len() < MAX_SAVED_STATES {
            self.saved.push(state.clone());
        } else {
            self.dropped += 1;
        }
    }

    pub fn restore(&mut self, state: &mut State<'a>) {
        if self.dropped > 0 {
            self.dropped -= 1;
        } else if let Some(saved) = self.saved.pop() {
            *state = saved;
        }
    }
}

/// How the components of a color are interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorSpace {
    Gray,
    Rgb,
    Cmyk,
    /// Patterns, separations and others, whose colors are not resolved.
    Other,
}

impl ColorSpace {
    pub fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"DeviceGray" | b"CalGray" | b"G" => Some(Self::Gray),
            b"DeviceRGB" | b"CalRGB" | b"RGB" => Some(Self::Rgb),
            b"DeviceCMYK" | b"CMYK" => Some(Self::Cmyk),
            _ => None,
        }
    }

    pub fn with_components(count: i32) -> Self {
        match count {
            1 => Self::Gray,
            3 => Self::Rgb,
            4 => Self::Cmyk,
            _ => Self::Other,
        }
    }

    /// The initial color of the space.
    pub fn initial(self) -> Option<u32> {
        (self != Self::Other).then_some(0)
    }

    pub fn color(self, components: &[f64]) -> Option<u32> {
        match (self, components) {
            (Self::Gray, &[gray]) => Some(rgb(gray, gray, gray)),
            (Self::Rgb, &[r, g, b]) => Some(rgb(r, g, b)),
            (Self::Cmyk, &[c, m, y, k]) => Some(rgb(
                (1.0 - c) * (1.0 - k),
                (1.0 - m) * (1.0 - k),
                (1.0 - y) * (1.0 - k),
            )),
            _ => None,
        }
    }
}

fn rgb(r: f64, g: f64, b: f64) -> u32 {
    let byte = |share: f64| (share.clamp(0.0, 1.0) * 255.0).round() as u32;
    byte(r) << 16 | byte(g) << 8 | byte(b)
}
