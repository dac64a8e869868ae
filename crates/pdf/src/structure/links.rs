//! The links of a page.

use hayro_syntax::object::Dict;
use url::Url;

use super::coordinates::Coordinates;
use super::destinations::Destinations;
use super::objects::Objects;
use crate::model::{Link, Rect};
use crate::pages::Page;
use crate::text_string;

const MAX_ANNOTATIONS: usize = 100_000;

/// The maximum number of coordinates in `QuadPoints`: 8 for each quadrilateral.
const MAX_QUAD_NUMBERS: usize = 8 * 1_000;

/// How far `QuadPoints` may extend beyond the rectangle, in points.
const TOLERANCE_POINTS: f64 = 1.0;

/// The links of a page to a page of the document or to a URI.
pub(super) fn links<'a>(
    page: &Page<'a>,
    destinations: &Destinations<'_, 'a>,
    base: Option<&Url>,
) -> Vec<Link> {
    let objects = destinations.objects;
    let coordinates = Coordinates::on(page);
    let number = page
        .raw()
        .obj_id()
        .and_then(|id| destinations.pages.of_object(id.into()));
    let Some(annotations) = objects.array(page.raw(), "Annots") else {
        return Vec::new();
    };
    let annotations = annotations.raw_iter().take(MAX_ANNOTATIONS);
    let link = |annotation| {
        let annotation = objects.resolve(annotation)?.into_dict()?;
        if &*objects.name(&annotation, "Subtype")? != b"Link" {
            return None;
        }
        let link = Link {
            bbox: area(&annotation, objects, &coordinates).unwrap_or_default(),
            uri: address(&annotation, objects, base),
            page: destinations.page(&annotation, number),
        };
        (link.uri.is_some() || link.page.is_some()).then_some(link)
    };
    annotations.filter_map(link).collect()
}

/// The bounding box of the parts of a link; a link that spans lines has several. As in viewers,
/// parts count only if they are inside the rectangle.
fn area<'a>(
    annotation: &Dict<'a>,
    objects: &Objects<'a>,
    coordinates: &Coordinates,
) -> Option<Rect> {
    let corners = objects.numbers(&objects.array(annotation, "Rect")?, 4);
    let &[x1, y1, x2, y2] = corners.as_slice() else {
        return None;
    };
    let quads = objects
        .array(annotation, "QuadPoints")
        .map(|points| objects.numbers(&points, MAX_QUAD_NUMBERS))
        .unwrap_or_default();
    let is_within = |&[x, y]: &[f64; 2]| {
        let between = |value: f64, a: f64, b: f64| {
            (a.min(b) - TOLERANCE_POINTS..=a.max(b) + TOLERANCE_POINTS).contains(&value)
        };
        between(x, x1, x2) && between(y, y1, y2)
    };
    let are_parts = quads.len() >= 8 && quads.len().is_multiple_of(8);
    if are_parts && quads.as_chunks().0.iter().all(is_within) {
        return coordinates.around(&quads);
    }
    coordinates.around(&corners)
}

/// The URI that the link's action opens.
fn address<'a>(annotation: &Dict<'a>, objects: &Objects<'a>, base: Option<&Url>) -> Option<String> {
    let action = objects.dict(annotation, "A")?;
    if &*objects.name(&action, "S")? != b"URI" {
        return None;
    }
    let written = uri_text(&objects.string(&action, "URI")?)?;
    if !objects.spend(written.len()) {
        return None;
    }
    match (Url::parse(&written), base) {
        (Err(url::ParseError::RelativeUrlWithoutBase), Some(base)) => {
            Some(base.join(&written).map_or(written, String::from))
        }
        _ => Some(written),
    }
}

/// Decodes a URI, which should be ASCII. Like browsers, it drops controls and decodes other bytes
/// as UTF-8.
pub(super) fn uri_text(bytes: &[u8]) -> Option<String> {
    let text = match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => text_string::decode(bytes),
    };
    let is_wanted = |c: &char| !c.is_control() && *c != '\u{FEFF}';
    let text: String = text.trim().chars().filter(is_wanted).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
