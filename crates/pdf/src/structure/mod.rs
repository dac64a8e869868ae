//! The structure of a document, apart from the content of its pages: metadata, outline, links, form
//! fields, annotations, embedded files.
//!
//! Trees and chains of objects are walked without recursion, and each object is visited once. All
//! walks of a file share one budget: see [`objects`].
//!
//! ```text
//! objects       access to objects within the budget
//! streams       streams of text
//! trailer       the trailer and the version
//! metadata      title, author and others
//! xmp           metadata in XMP
//! dates         dates
//! outline       the outline
//! destinations  the target pages of links and the outline
//! pages         page numbers
//! links         links
//! form_fields   form fields
//! annotations   other annotations
//! attachments   embedded files
//! tags          the structure tree of tagged files
//! coordinates   positions on the displayed page
//! ```

mod annotations;
mod attachments;
mod coordinates;
mod dates;
mod destinations;
mod form_fields;
mod links;
mod metadata;
mod objects;
mod outline;
mod pages;
mod streams;
mod tags;
mod trailer;
mod xmp;

#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, Object};
use url::Url;

pub use self::annotations::FoundAnnotation;
pub use self::attachments::Embedded;
use self::destinations::{Destinations, Names};
use self::objects::Objects;
use self::pages::PageNumbers;
pub use self::tags::{Tag, Tags};
pub use self::trailer::{trailer, trailer_of_file};
use super::model::{Info, Link, Request};
use super::pages::{Page, Pages};
use super::text_string;

/// The maximum size of a text in a stream.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Access to the structure of a file. Shared data is read once.
pub struct Structure<'s, 'a> {
    pdf: &'a Pdf,
    list: &'s Pages<'a>,
    objects: Objects<'a>,
    catalog: Dict<'a>,
    pages: PageNumbers,
    names: Names<'a>,
    tags: OnceCell<Tags>,
    /// The base of relative URLs.
    base: Option<Url>,
}

impl<'s, 'a> Structure<'s, 'a> {
    pub fn of(pdf: &'a Pdf, pages: &'s Pages<'a>) -> Self {
        let objects = Objects::of(pdf);
        let xref = pdf.xref();
        let catalog = xref.get::<Dict<'a>>(xref.root_id()).unwrap_or_default();
        let base = objects.dict(&catalog, "URI").and_then(|uri| {
            let base = links::uri_text(&objects.string(&uri, "Base")?)?;
            Url::parse(&base).ok()
        });
        Self {
            pdf,
            list: pages,
            pages: PageNumbers::of(pages),
            names: Names::default(),
            tags: OnceCell::new(),
            objects,
            catalog,
            base,
        }
    }

    /// The information about the document as a whole, as far as it is requested.
    pub fn info(&self, request: &Request) -> Info {
        let trailer = trailer(self.pdf);
        let mut info = Info {
            page_count: self.pages.count(),
            version: trailer::version(self.pdf, &self.catalog, &self.objects),
            encrypted: trailer.contains_key("Encrypt"),
            ..Info::default()
        };
        metadata::fill(&mut info, &trailer, &self.catalog, &self.objects);
        if request.outline || request.structure {
            info.outline = outline::outline(&self.destinations());
        }
        if request.form_fields {
            let (list, catalog) = (self.list, &self.catalog);
            info.form_fields = form_fields::form_fields(list, catalog, &self.objects, &self.pages);
        }
        info
    }

    /// The links of a page to a page of the document or to a URI.
    pub fn links(&self, page: &Page<'a>) -> Vec<Link> {
        links::links(page, &self.destinations(), self.base.as_ref())
    }

    /// The annotations of a page, other than links and form fields.
    pub fn annotations(&self, page: &Page<'a>) -> Vec<FoundAnnotation> {
        annotations::annotations(page, &self.objects)
    }

    /// The embedded files.
    pub fn attachments(&self) -> Vec<Embedded<'a>> {
        attachments::attachments(self.list, &self.catalog, &self.objects)
    }

    /// Charges the budget of the file for work on its structure. Returns whether anything is left.
    pub fn spend(&self, bytes: usize) -> bool {
        self.objects.spend(bytes)
    }

    /// The blocks that the structure tree declares.
    pub fn tags(&self) -> &Tags {
        self.tags
            .get_or_init(|| tags::tags(&self.objects, &self.catalog, &self.pages))
    }

    /// Whether the document is a form whose pages only exist once a viewer has rendered it.
    pub fn is_dynamic_form(&self) -> bool {
        let form = self.objects.dict(&self.catalog, "AcroForm");
        self.catalog.get::<bool>(b"NeedsRendering") == Some(true)
            && form.is_some_and(|form| form.contains_key(b"XFA"))
    }

    /// Whether the file exhausted its budget, so that something is missing.
    pub fn is_exhausted(&self) -> bool {
        self.objects.is_exhausted()
    }

    fn destinations(&self) -> Destinations<'_, 'a> {
        Destinations {
            objects: &self.objects,
            catalog: &self.catalog,
            pages: &self.pages,
            names: &self.names,
        }
    }
}

/// The text of an entry; `None` if it is missing or blank.
fn text_of<'a>(objects: &Objects<'a>, dict: &Dict<'a>, key: &str) -> Option<String> {
    let text = match objects.get(dict, key)? {
        Object::String(text) => text_string::decode(&text),
        Object::Stream(stream) => text_string::decode(&streams::decode(&stream, MAX_TEXT_BYTES)?),
        _ => return None,
    };
    (objects.spend(text.len()) && !text.trim().is_empty()).then_some(text)
}
