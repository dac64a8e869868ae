//! Links of a page.

use hayro_syntax::object::Dict;
use url::Url;

use super::destinations::Destinations;
use super::objects::Objects;
use super::place::Place;
use super::text_string;
use crate::model::{Link, Rect};
use crate::pages::Page;

const MOST_ANNOTATIONS: usize = 100_000;

/// Four points each.
const MOST_NUMBERS_OF_QUADS: usize = 8 * 1_000;

/// A rectangle and what is drawn within it may differ by this much, in points.
const TOLERANCE: f64 = 1.0;

/// The links of a page that lead to a page of the file or to an address.
pub(super) fn links<'a>(
    page: &Page<'a>,
    destinations: &Destinations<'_, 'a>,
    base: Option<&Url>,
) -> Vec<Link> {
    let objects = destinations.objects;
    let place = Place::on(page);
    let number = page
        .raw()
        .obj_id()
        .and_then(|id| destinations.pages.of_object(id.into()));
    let Some(annotations) = objects.array(page.raw(), "Annots") else {
        return Vec::new();
    };
    let annotations = annotations.raw_iter().take(MOST_ANNOTATIONS);
    let link = |annotation| {
        let annotation = objects.resolve(annotation)?.into_dict()?;
        if &*objects.name(&annotation, "Subtype")? != b"Link" {
            return None;
        }
        let link = Link {
            bbox: area(&annotation, objects, &place).unwrap_or_default(),
            uri: address(&annotation, objects, base),
            page: destinations.page(&annotation, number),
        };
        (link.uri.is_some() || link.page.is_some()).then_some(link)
    };
    annotations.filter_map(link).collect()
}

/// The union of the parts of the link, for a link that is broken over lines has several. They
/// count only within the rectangle, as in viewers.
fn area<'a>(annotation: &Dict<'a>, objects: &Objects<'a>, place: &Place) -> Option<Rect> {
    let corners = objects.numbers(&objects.array(annotation, "Rect")?, 4);
    let &[x1, y1, x2, y2] = corners.as_slice() else {
        return None;
    };
    let quads = objects
        .array(annotation, "QuadPoints")
        .map(|points| objects.numbers(&points, MOST_NUMBERS_OF_QUADS))
        .unwrap_or_default();
    let is_within = |&[x, y]: &[f64; 2]| {
        let between = |value: f64, a: f64, b: f64| {
            (a.min(b) - TOLERANCE..=a.max(b) + TOLERANCE).contains(&value)
        };
        between(x, x1, x2) && between(y, y1, y2)
    };
    let are_parts = quads.len() >= 8 && quads.len().is_multiple_of(8);
    if are_parts && quads.as_chunks().0.iter().all(is_within) {
        return place.around(&quads);
    }
    place.around(&corners)
}

/// The address that the link's action opens.
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

/// The text of an address: it should be ASCII. Browsers leave out controls and take bytes beyond
/// for UTF-8.
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
