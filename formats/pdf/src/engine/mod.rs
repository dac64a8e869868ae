//! Reads a PDF: opens it, then reads one page after another.

use std::ops::ControlFlow;

use super::budget::{Budget, Stop};
use super::content::{self, Layers};
use super::fonts::Fonts;
use super::geometry::PageBox;
use super::layout::{Wanted, lay_out};
use super::model::{Failure, FailureKind, Page, Part, Request, Stage};
use super::open::open;
use super::pages::{Page as SyntaxPage, Pages};
use super::panics::without_panic;
use super::structure::Structure;
use super::unreadable;

/// Reads a document and passes each part to `emit` until that returns `Break`.
///
/// An error means that the rest of the document cannot be read; the parts emitted before it are
/// valid.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use corpus_pdf::{Part, Request, engine};
///
/// let file = std::fs::read("../../data-samples/pdf/article.pdf").unwrap();
/// let mut pages = Vec::new();
/// engine::read(file, &Request::text(), &mut |part| {
///     if let Part::Page(page) = part {
///         pages.push(page.text);
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(pages.len(), 3);
/// # Ok::<(), corpus_pdf::Failure>(())
/// ```
pub fn read(
    data: Vec<u8>,
    request: &Request,
    emit: &mut dyn FnMut(Part) -> ControlFlow<()>,
) -> Result<(), Failure> {
    // The budget covers opening, too: repairing a file can take long.
    let mut budget = Budget::new(&request.limits);
    let opened = open(data, request)?;
    let pages = Pages::of(&opened.pdf);
    let repaired = unreadable::repaired(&opened, &pages, request, &budget)
        .map_err(|stop| failure(stop, None))?;
    let (opened, pages) = match &repaired {
        Some(repaired) => (repaired, Pages::of(&repaired.pdf)),
        None => (&opened, pages),
    };
    let pdf = &opened.pdf;
    let structure = Structure::of(pdf, &pages);
    let mut info = structure.info(request);
    info.encrypted |= opened.is_encrypted;
    if emit(Part::Opened(info)).is_break() {
        return Ok(());
    }
    let incomplete = |kind, stage, message: &str| Failure {
        kind,
        stage,
        page: None,
        message: message.to_owned(),
    };
    if pages.count() == 0 {
        let (kind, message) = if opened.has_end {
            (FailureKind::Invalid, "the document has no pages")
        } else {
            (FailureKind::Truncated, "the end of the file is missing")
        };
        return Err(incomplete(kind, Stage::Open, message));
    }
    let layers = Layers::new(pdf, request.options.hidden_layers);
    let mut fonts = Fonts::new(request.options.keep_ligatures);
    for (page, number) in pages.iter().zip(1..) {
        if number > request.limits.pages {
            return Err(failure(Stop::Limit("pages"), Some(number)));
        }
        let Some(page) = page else {
            if emit(Part::Page(unreadable(number))).is_break() {
                return Ok(());
            }
            continue;
        };
        let read = || {
            read_page(
                page,
                number,
                request,
                &structure,
                &layers,
                &mut fonts,
                &mut budget,
            )
        };
        // A panic on one page must not affect the others. At worst, it leaves a partly read font.
        let (page, result) =
            without_panic(read).unwrap_or_else(|message| (panicked(number, message), Ok(())));
        if emit(Part::Page(page)).is_break() {
            return Ok(());
        }
        result.map_err(|stop| failure(stop, Some(number)))?;
    }
    if !opened.has_end {
        let message = "the end of the file is missing";
        return Err(incomplete(FailureKind::Truncated, Stage::Open, message));
    }
    if pages.is_cut() {
        let message = "the page tree repeats too many branches";
        return Err(incomplete(FailureKind::Limit, Stage::Open, message));
    }
    if structure.is_exhausted() {
        let message = "the outline, links or form fields are too large for a file of this size";
        return Err(incomplete(FailureKind::Limit, Stage::Info, message));
    }
    Ok(())
}

fn failure(stop: Stop, page: Option<u32>) -> Failure {
    Failure {
        kind: stop.kind(),
        stage: Stage::Page,
        page,
        message: stop.message(),
    }
}

fn panicked(number: u32, message: String) -> Page {
    failed(number, FailureKind::Panic, message)
}

fn unreadable(number: u32) -> Page {
    let message = "the object of the page is missing or cannot be parsed";
    failed(number, FailureKind::Invalid, message.to_owned())
}

fn failed(number: u32, kind: FailureKind, message: String) -> Page {
    let failure = Failure {
        kind,
        stage: Stage::Page,
        page: Some(number),
        message,
    };
    Page {
        number,
        failure: Some(failure),
        ..Page::default()
    }
}

fn read_page<'a>(
    page: &SyntaxPage<'a>,
    number: u32,
    request: &Request,
    structure: &Structure<'_, 'a>,
    layers: &Layers,
    fonts: &mut Fonts<'a>,
    budget: &mut Budget,
) -> (Page, Result<(), Stop>) {
    let page_box = PageBox::new(page);
    let mut out = Page {
        number,
        width: page_box.width as f32,
        height: page_box.height as f32,
        rotation: page_box.rotation,
        ..Page::default()
    };
    if request.links {
        out.links = structure.links(page);
    }
    if !request.text && !request.words {
        return (out, budget.check_clock());
    }
    let (drawn, result) = content::draw(page, page_box, layers, &request.options, fonts, budget);
    let wanted = Wanted {
        text: request.text,
        words: request.words,
    };
    let layout = lay_out(&drawn.glyphs, wanted, &request.options);
    out.text = layout.text;
    out.words = layout.words;
    out.lines = layout.lines;
    out.blocks = layout.blocks;
    if request.words {
        out.styles = drawn
            .glyphs
            .styles
            .into_iter()
            .map(|style| style.style)
            .collect();
    }
    out.characters = drawn.glyphs.glyphs.len() as u32;
    out.unmapped = drawn.unmapped;
    out.inferred = drawn.inferred;
    out.invisible = drawn.invisible;
    out.image_cover = drawn.image_cover;
    out.failure = match result {
        Err(stop) => Some(failure(stop, Some(number))),
        Ok(()) => drawn.losses.map(|message| Failure {
            kind: FailureKind::Damaged,
            stage: Stage::Page,
            page: Some(number),
            message,
        }),
    };
    (out, result)
}

#[cfg(test)]
mod tests;
