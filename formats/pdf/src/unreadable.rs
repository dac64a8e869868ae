//! Finds referenced objects that cannot be parsed, to decide whether repairing the file is worth
//! its time.

use std::collections::HashSet;

use hayro_syntax::object::{Array, Dict, ObjRef, Object, ObjectIdentifier};
use hayro_syntax::xref::XRef;

use super::open::Opened;
use super::pages::Pages;
use super::structure;

/// The maximum number of objects to check.
const MAX_OBJECTS: usize = 100_000;

/// Font entries whose loss costs text. Lists of widths are left out: parsing them again takes
/// longer than all the rest.
const FONT_ENTRIES: [&str; 2] = ["Encoding", "FontDescriptor"];

/// Catalog entries that are used.
const CATALOG_ENTRIES: [&str; 5] = ["AcroForm", "Dests", "Names", "OCProperties", "Outlines"];

/// Whether a page is unreadable. In a file with object streams, also whether a font, a catalog
/// entry or the metadata is. Outside of object streams, odd tokens are repaired before the file is
/// opened.
pub fn has_unreadable_objects(opened: &Opened, pages: &Pages<'_>) -> bool {
    if pages.iter().any(|page| page.is_none()) {
        return true;
    }
    if !opened.has_object_streams {
        return false;
    }
    let pdf = &opened.pdf;
    let mut search = Search {
        xref: pdf.xref(),
        visited: HashSet::new(),
        has_unreadable: false,
    };
    for (_, page) in pages.numbered() {
        search.visit_parts(page.raw(), &["Resources"]);
        let resources = page.resources();
        for name in resources.fonts.keys() {
            if let Some(font) = search.visit_part(&resources.fonts, &name) {
                search.visit_font(&font);
            }
        }
        for name in resources.ext_g_states.keys() {
            search.visit_part(&resources.ext_g_states, &name);
        }
        if search.has_unreadable {
            return true;
        }
    }
    if let Some(catalog) = search.xref.get::<Dict<'_>>(search.xref.root_id()) {
        search.visit_parts(&catalog, &CATALOG_ENTRIES);
    }
    search.visit_parts(&structure::trailer(pdf), &["Info"]);
    search.has_unreadable
}

struct Search<'a> {
    xref: &'a XRef,
    visited: HashSet<ObjectIdentifier>,
    has_unreadable: bool,
}

impl<'a> Search<'a> {
    fn visit_font(&mut self, font: &Object<'a>) {
        let Object::Dict(font) = font else {
            return;
        };
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
        self.has_unreadable |= object.is_none();
        object
    }
}
