mod annotations;
mod attachments;
mod form_fields;
mod hostile;
mod links;
mod metadata;
mod outline;

use hayro_syntax::Pdf as Syntax;

use super::Structure;
use crate::model::{Info, Link, Rect, Request};
use crate::pages::Pages;
use crate::testing::{Page, Pdf};

/// The information about a file with everything requested.
fn info(file: Vec<u8>) -> Info {
    let pdf = Syntax::new(file).unwrap();
    let pages = Pages::of(&pdf);
    Structure::of(&pdf, &pages).info(&everything())
}

/// The links of each page.
fn links(file: Vec<u8>) -> Vec<Vec<Link>> {
    let pdf = Syntax::new(file).unwrap();
    let pages = Pages::of(&pdf);
    let structure = Structure::of(&pdf, &pages);
    pages
        .numbered()
        .map(|(_, page)| structure.links(page))
        .collect()
}

fn everything() -> Request {
    Request {
        text: true,
        words: true,
        links: true,
        outline: true,
        form_fields: true,
        ..Request::default()
    }
}

fn rect(x1: f32, y1: f32, x2: f32, y2: f32) -> Rect {
    Rect { x1, y1, x2, y2 }
}

/// A file with one page and the objects that `make` adds.
fn with(make: impl FnOnce(&mut Pdf)) -> Vec<u8> {
    let mut pdf = Pdf::new();
    make(&mut pdf);
    pdf.page(Page::new(""));
    pdf.build()
}
