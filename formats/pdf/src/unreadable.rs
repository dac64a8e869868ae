//! Finds objects that a file refers to and that cannot be parsed, so that a mended file is worth its time.

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, ObjRef, Object, ObjectIdentifier};
use hayro_syntax::xref::XRef;
use memchr::memmem;

use super::pages::Pages;
use super::structure;

/// The number of objects that are looked at.
const MAX_OBJECTS: usize = 100_000;

/// The depth below a root: fonts, descendant fonts, their descriptors.
const MAX_DEPTH: u32 = 4;

/// Whether a page is unreadable, or, in a file with streams of objects, a font, a part of the catalog, or the
/// metadata. Outside of such streams, odd tokens are mended before a file is opened.
pub fn is_any(pdf: &Pdf, pages: &Pages<'_>) -> bool {
    if pages.iter().any(|page| page.is_none()) {
        return true;
    }
    if memmem::find(pdf.data().as_ref(), b"/ObjStm").is_none() {
        return false;
    }
    let mut walk = Walk {
        xref: pdf.xref(),
        visited: HashSet::new(),
        pending: Vec::new(),
        has_unreadable: false,
    };
    for (_, page) in pages.numbered() {
        for key in ["Resources", "Contents"] {
            walk.visit(page.raw().get_raw(key), MAX_DEPTH);
        }
        let resources = page.resources();
        walk.visit_entries(&resources.fonts, 0);
        walk.visit_entries(&resources.ext_g_states, 0);
        if walk.run() {
            return true;
        }
    }
    if let Some(catalog) = walk.xref.get::<Dict<'_>>(walk.xref.root_id()) {
        for key in ["AcroForm", "Dests", "Names", "OCProperties", "Outlines"] {
            walk.visit(catalog.get_raw(key), MAX_DEPTH);
        }
    }
    walk.visit(structure::trailer(pdf).get_raw("Info"), MAX_DEPTH);
    walk.run()
}

/// Keys of streams, which are never in a stream of objects.
const STREAMS: [&[u8]; 6] = [
    b"CIDSet",
    b"CIDToGIDMap",
    b"FontFile",
    b"FontFile2",
    b"FontFile3",
    b"ToUnicode",
];

struct Walk<'a> {
    xref: &'a XRef,
    visited: HashSet<ObjectIdentifier>,
    /// Objects whose references are still to be followed, and their depth.
    pending: Vec<(Object<'a>, u32)>,
    has_unreadable: bool,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, value: Option<MaybeRef<Object<'_>>>, depth: u32) {
        if let Some(MaybeRef::Ref(reference)) = value {
            self.visit_reference(reference, depth);
        }
    }

    fn visit_entries(&mut self, dict: &Dict<'_>, depth: u32) {
        for key in dict.keys() {
            if !STREAMS.contains(&&*key)
                && let Some(reference) = dict.get_ref(&*key)
            {
                self.visit_reference(reference, depth);
            }
        }
    }

    fn visit_reference(&mut self, reference: ObjRef, depth: u32) {
        let id = reference.into();
        if self.visited.len() >= MAX_OBJECTS || !self.visited.insert(id) {
            return;
        }
        match self.xref.get::<Object<'a>>(id) {
            Some(object) if depth < MAX_DEPTH => self.pending.push((object, depth + 1)),
            Some(_) => {}
            None => self.has_unreadable = true,
        }
    }

    /// Follows what is pending. Returns whether anything unreadable was found.
    fn run(&mut self) -> bool {
        while let Some((object, depth)) = self.pending.pop() {
            if self.has_unreadable {
                break;
            }
            match object {
                Object::Dict(dict) => self.visit_entries(&dict, depth),
                Object::Array(array) => self.visit_items(&array, depth),
                _ => {}
            }
        }
        self.has_unreadable
    }

    fn visit_items(&mut self, array: &Array<'_>, depth: u32) {
        for item in array.raw_iter() {
            self.visit(Some(item), depth);
        }
    }
}
