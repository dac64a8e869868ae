//! Finds objects that text depends on and that cannot be read, to decide whether repairing the file
//! is worth its time.

use std::collections::HashSet;

use hayro_syntax::object::{Array, Dict, Name, ObjRef, Object, ObjectIdentifier, Stream};
use hayro_syntax::xref::XRef;

use super::budget::{Budget, Stop};
use super::model::Request;
use super::open::Opened;
use super::pages::{Page, Pages};
use super::structure;

/// The maximum number of objects to check.
const MAX_OBJECTS: usize = 100_000;

/// A repair may reveal further objects: those in a page, then those in its resources.
const MAX_REPAIRS: usize = 4;

/// Font entries whose loss costs text. Lists of widths are left out: parsing them again takes
/// longer than all the rest.
const FONT_ENTRIES: [&str; 4] = ["Encoding", "FontDescriptor", "DescendantFonts", "ToUnicode"];

/// The kinds of resources whose loss costs text.
const RESOURCES: [&[u8]; 3] = [b"Font", b"XObject", b"ExtGState"];

/// Catalog entries that are used.
const CATALOG_ENTRIES: [&str; 5] = ["AcroForm", "Dests", "Names", "OCProperties", "Outlines"];

/// Opens the file again with the objects that its pages lack, if they are in the file. `None` if
/// there is nothing to repair.
pub fn repaired<'a>(
    opened: &'a Opened,
    pages: &Pages<'a>,
    request: &Request,
    budget: &Budget,
) -> Result<Option<Opened>, Stop> {
    let mut missing = unreadable_objects(opened, pages, budget)?;
    let mut repaired: Option<Opened> = None;
    for _ in 0..MAX_REPAIRS {
        if missing.is_empty() {
            break;
        }
        let latest = repaired.as_ref().unwrap_or(opened);
        let Some(next) = latest.repaired(&missing, request) else {
            break;
        };
        let still_missing = unreadable_objects(&next, &Pages::of(&next.pdf), budget)?;
        let is_better = still_missing != missing;
        missing = still_missing;
        repaired = Some(next);
        if !is_better {
            break;
        }
    }
    Ok(repaired)
}

/// The objects that pages need and that cannot be read. In a file with object streams, also the
/// entries of the catalog and the metadata.
fn unreadable_objects<'a>(
    opened: &'a Opened,
    pages: &Pages<'a>,
    budget: &Budget,
) -> Result<Vec<ObjectIdentifier>, Stop> {
    let pdf = &opened.pdf;
    let mut search = Search {
        xref: pdf.xref(),
        visited: HashSet::new(),
        unreadable: pages.unreadable().to_vec(),
        forms: Vec::new(),
    };
    for (_, page) in pages.numbered() {
        search.visit_page(page);
        while let Some(form) = search.forms.pop() {
            if search.visit_part(&form, b"Resources").is_some()
                || form.get_ref(b"Resources").is_none()
            {
                search.visit_resources(&form.get::<Dict<'_>>(b"Resources").unwrap_or_default());
            }
            budget.check_clock()?;
        }
    }
    if opened.has_object_streams {
        if let Some(catalog) = search.xref.get::<Dict<'_>>(search.xref.root_id()) {
            search.visit_parts(&catalog, &CATALOG_ENTRIES);
        }
        search.visit_parts(&structure::trailer(pdf), &["Info"]);
    }
    Ok(search.unreadable)
}

struct Search<'a> {
    xref: &'a XRef,
    visited: HashSet<ObjectIdentifier>,
    unreadable: Vec<ObjectIdentifier>,
    /// The dictionaries of forms that are still to be visited.
    forms: Vec<Dict<'a>>,
}

impl<'a> Search<'a> {
    fn visit_page(&mut self, page: &Page<'a>) {
        if let Some(Object::Array(streams)) = page.raw().get::<Object<'a>>(b"Contents") {
            for stream in streams.raw_iter() {
                stream.as_obj_ref().and_then(|stream| self.visit(stream));
            }
        } else {
            self.visit_part(page.raw(), b"Contents");
        }
        match page.raw().get_ref(b"Resources") {
            // Resources that are shared are visited once.
            Some(reference) => {
                if let Some(Object::Dict(resources)) = self.visit(reference) {
                    self.visit_resources(&resources);
                }
            }
            None => self.visit_resources(&page.resources_dict()),
        }
    }

    fn visit_resources(&mut self, resources: &Dict<'a>) {
        for kind in RESOURCES {
            if resources.get_ref(kind).is_some() && self.visit_part(resources, kind).is_none() {
                continue;
            }
            let all = resources.get::<Dict<'a>>(kind).unwrap_or_default();
            for name in all.keys() {
                match self.visit_part(&all, &name) {
                    Some(Object::Dict(font)) if kind == b"Font" => self.visit_font(&font),
                    Some(Object::Stream(stream)) if is_form(&stream) => {
                        self.forms.push(stream.dict().clone());
                    }
                    _ => {}
                }
            }
        }
    }

    fn visit_font(&mut self, font: &Dict<'a>) {
        self.visit_parts(font, &FONT_ENTRIES);
        let descendants = font.get::<Array<'a>>(b"DescendantFonts");
        for descendant in descendants.iter().flat_map(Array::raw_iter) {
            if let Some(reference) = descendant.as_obj_ref()
                && let Some(Object::Dict(descendant)) = self.visit(reference)
            {
                self.visit_parts(&descendant, &FONT_ENTRIES);
            }
        }
    }

    fn visit_parts(&mut self, dict: &Dict<'_>, keys: &[&str]) {
        for key in keys {
            self.visit_part(dict, key.as_bytes());
        }
    }

    fn visit_part(&mut self, dict: &Dict<'_>, key: &[u8]) -> Option<Object<'a>> {
        self.visit(dict.get_ref(key)?)
    }

    /// Returns the object on its first visit, `None` on later ones.
    fn visit(&mut self, reference: ObjRef) -> Option<Object<'a>> {
        let id = reference.into();
        if self.visited.len() >= MAX_OBJECTS || !self.visited.insert(id) {
            return None;
        }
        let object = self.xref.get::<Object<'a>>(id);
        if object.is_none() {
            self.unreadable.push(id);
        }
        object
    }
}

fn is_form(stream: &Stream<'_>) -> bool {
    let kind = stream.dict().get::<Name<'_>>(b"Subtype");
    kind.is_some_and(|kind| &*kind == b"Form")
}
