//! The images of a page: how much of it they cover and, on request, their data.

use std::collections::HashSet;

use hayro_syntax::object::{Array, Dict, FromBytes, Name, Object, ObjectIdentifier, Stream};

use super::inline_image;
use crate::budget::Budget;
use crate::geometry::Matrix;
use crate::model::{Image, Rect};
use crate::streams;

/// Maximum number of images kept per page.
const MAX_IMAGES: usize = 10_000;

/// The number of grid cells along each side of the page.
const CELLS: usize = 64;

/// A coarse grid over the page. A cell is covered if an image covers its center.
#[derive(Clone, Debug)]
pub struct ImageCover {
    width: f64,
    height: f64,
    /// One bit per cell, one integer per row.
    rows: [u64; CELLS],
}

impl ImageCover {
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            rows: [0; CELLS],
        }
    }

    /// Adds an image, which `matrix` maps from the unit square. For a rotated image, its bounding
    /// box counts.
    pub fn add(&mut self, matrix: Matrix) {
        let [x1, y1, x2, y2] = matrix.bounds([0.0, 0.0, 1.0, 1.0]);
        let columns = cells_between(x1 / self.width, x2 / self.width);
        let rows = cells_between(y1 / self.height, y2 / self.height);
        let mask = columns.fold(0_u64, |mask, column| mask | 1 << column);
        for row in self.rows.iter_mut().take(rows.end).skip(rows.start) {
            *row |= mask;
        }
    }

    /// The covered share of the page, from 0 to 1.
    pub fn share(&self) -> f32 {
        let covered: u32 = self.rows.iter().map(|row| row.count_ones()).sum();
        covered as f32 / (CELLS * CELLS) as f32
    }
}

/// The cells whose centers lie between two positions, given as shares of a side. Empty for NaN,
/// which `as` converts to 0.
fn cells_between(from: f64, to: f64) -> std::ops::Range<usize> {
    let place = |share: f64| {
        (share * CELLS as f64 + 0.5)
            .floor()
            .clamp(0.0, CELLS as f64) as usize
    };
    place(from)..place(to)
}

/// The images of a document whose data has already been returned.
pub type SeenImages = HashSet<ObjectIdentifier>;

/// The images of a page, in drawing order.
#[derive(Debug, Default)]
pub struct Images {
    pub images: Vec<Image>,
    /// The limit that was reached, if images or their data are missing.
    pub cut: Option<&'static str>,
}

impl Images {
    /// Adds an image, which `matrix` maps from the unit square.
    pub fn add(
        &mut self,
        stream: &Stream<'_>,
        matrix: Matrix,
        seen: &mut SeenImages,
        budget: &mut Budget,
    ) {
        let Some(bbox) = self.place(matrix) else {
            return;
        };
        let id = stream.obj_id();
        let mut image = describe(stream.dict());
        image.bbox = bbox;
        image.object = Some(id.obj_number);
        if let Ok(names) = streams::filter_names(stream.dict()) {
            image.filters = names.join(" ");
        }
        if seen.insert(id) {
            match streams::image_data(stream, budget) {
                Ok(Some(found)) => {
                    image.data = Some(found.data);
                    image.filters = found.filters.join(" ");
                }
                Ok(None) => {}
                Err(_) => self.cut = Some("the images exceed the limit for decoded bytes"),
            }
        }
        self.images.push(image);
    }

    /// Adds an inline image, given the bytes after its `BI`.
    pub fn add_inline(&mut self, written: &[u8], matrix: Matrix, budget: &mut Budget) {
        let Some(bbox) = self.place(matrix) else {
            return;
        };
        let Some(mut image) = inline(written) else {
            return;
        };
        image.bbox = bbox;
        let bytes = image.data.as_ref().map_or(0, Vec::len);
        if budget.count_decoded(bytes).is_err() {
            image.data = None;
            self.cut = Some("the images exceed the limit for decoded bytes");
        }
        self.images.push(image);
    }

    /// The box of an image; `None` if it is not finite, or there are too many images.
    fn place(&mut self, matrix: Matrix) -> Option<Rect> {
        if self.images.len() >= MAX_IMAGES {
            self.cut = Some("the page has too many images to keep all of them");
            return None;
        }
        let bounds = matrix.bounds([0.0, 0.0, 1.0, 1.0]).map(|edge| edge as f32);
        let [x1, y1, x2, y2] = bounds;
        let is_finite = bounds.iter().all(|edge| edge.is_finite());
        is_finite.then_some(Rect { x1, y1, x2, y2 })
    }
}

/// Parses an inline image with its data.
fn inline(written: &[u8]) -> Option<Image> {
    let (entries, data) = inline_image::parts(written)?;
    let entries = [b"<<".as_slice(), entries, b">>"].concat();
    let dict = Dict::from_bytes(&entries)?;
    Some(Image {
        filters: streams::filter_names(&dict).unwrap_or_default().join(" "),
        data: Some(data.to_vec()),
        ..describe(&dict)
    })
}

/// The declared properties of an image.
fn describe(dict: &Dict<'_>) -> Image {
    let number = |long: &[u8], short: &[u8]| {
        let value = dict.get::<i64>(long).or_else(|| dict.get::<i64>(short));
        value.and_then(|value| u32::try_from(value).ok())
    };
    let is_mask = dict
        .get::<bool>(b"ImageMask")
        .or_else(|| dict.get::<bool>(b"IM"));
    let space = dict
        .get::<Object<'_>>(b"ColorSpace")
        .or_else(|| dict.get::<Object<'_>>(b"CS"));
    Image {
        width: number(b"Width", b"W"),
        height: number(b"Height", b"H"),
        bits: match is_mask {
            Some(true) => Some(1),
            _ => number(b"BitsPerComponent", b"BPC"),
        },
        color_space: space.and_then(|space| space_name(&space)),
        ..Image::default()
    }
}

/// The name of a color space, in full.
fn space_name(space: &Object<'_>) -> Option<String> {
    let name = match space {
        Object::Name(name) => name.clone(),
        Object::Array(array) => first_name(array)?,
        _ => return None,
    };
    Some(match &*name {
        b"G" => "DeviceGray".to_owned(),
        b"RGB" => "DeviceRGB".to_owned(),
        b"CMYK" => "DeviceCMYK".to_owned(),
        b"I" => "Indexed".to_owned(),
        other => String::from_utf8_lossy(other).into_owned(),
    })
}

fn first_name<'a>(array: &Array<'a>) -> Option<Name<'a>> {
    array.flex_iter().next::<Name<'a>>()
}

#[cfg(test)]
mod tests {
    use super::{ImageCover, Matrix};

    #[test]
    fn overlaps_count_once_and_images_off_the_page_not_at_all() {
        let mut cover = ImageCover::new(200.0, 100.0);
        assert_eq!(cover.share(), 0.0);
        for _ in 0..2 {
            cover.add(Matrix::new([100.0, 0.0, 0.0, 100.0, 0.0, 0.0]));
        }
        assert_eq!(cover.share(), 0.5);
        cover.add(Matrix::new([100.0, 0.0, 0.0, 100.0, 500.0, 0.0]));
        cover.add(Matrix::new([f64::NAN; 6]));
        assert_eq!(cover.share(), 0.5);
        cover.add(Matrix::new([1e30, 0.0, 0.0, -1e30, -1e29, 1e29]));
        assert_eq!(cover.share(), 1.0);
    }
}
