//! Reads a PDF: opens it, and goes from page to page.

use std::ops::ControlFlow;

use hayro_syntax::page::Page as SyntaxPage;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};

use super::budget::{Budget, Stop};
use super::content::{self, Layers, PageBox};
use super::fonts::Fonts;
use super::layout::{Wanted, lay_out};
use super::model::{Failure, FailureKind, Page, Part, Request, Stage};
use super::panics::without_panic;
use super::structure::Structure;
use crate::containers;

/// Reads a document and hands out its parts, as long as they are wanted.
///
/// An error means that nothing more can be read; the parts until then are valid.
pub fn read(
    data: Vec<u8>,
    request: &Request,
    emit: &mut dyn FnMut(Part) -> ControlFlow<()>,
) -> Result<(), Failure> {
    // Opening counts, too: repairing a file can take long.
    let mut budget = Budget::new(&request.limits);
    let has_end = has_end(&data);
    let pdf = open(data, request.options.password.as_deref(), has_end)?;
    let structure = Structure::of(&pdf);
    if emit(Part::Opened(structure.info(request))).is_break() {
        return Ok(());
    }
    let layers = Layers::new(&pdf, request.options.hidden_layers);
    let mut fonts = Fonts::new(request.options.keep_ligatures);
    for (page, number) in pdf.pages().iter().zip(1..) {
        if number > request.limits.pages {
            return Err(failure(Stop::Limit("pages"), Some(number)));
        }
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
        // A panic on one page must not cost the others. What it leaves behind is at worst a font that is half read.
        let (page, result) =
            without_panic(read).unwrap_or_else(|message| (panicked(number, message), Ok(())));
        if emit(Part::Page(page)).is_break() {
            return Ok(());
        }
        result.map_err(|stop| failure(stop, Some(number)))?;
    }
    let incomplete = |kind, stage, message: &str| Failure {
        kind,
        stage,
        page: None,
        message: message.to_owned(),
    };
    if !has_end {
        let message = "the end of the file is missing";
        return Err(incomplete(FailureKind::Truncated, Stage::Open, message));
    }
    if structure.is_exhausted() {
        let message = "the outline, links or form fields are larger than the file allows for";
        return Err(incomplete(FailureKind::Limit, Stage::Info, message));
    }
    Ok(())
}

fn open(data: Vec<u8>, password: Option<&str>, has_end: bool) -> Result<Pdf, Failure> {
    // Otherwise a PDF inside of it would be repaired, and the others lost.
    if let Some(message) = containers::advice(&data) {
        return Err(Failure {
            kind: FailureKind::Invalid,
            stage: Stage::Open,
            page: None,
            message: message.to_owned(),
        });
    }
    let data = PdfData::from(data);
    let mut opened = Pdf::new(data.clone());
    if let (Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)), Some(password)) =
        (&opened, password)
    {
        opened = Pdf::new_with_password(data, password);
    }
    opened.map_err(|error| {
        let (kind, message) = match error {
            LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
                (FailureKind::Password, "the document needs a password")
            }
            LoadPdfError::Decryption(_) => (
                FailureKind::UnsupportedCrypto,
                "the encryption is unknown or damaged",
            ),
            LoadPdfError::Invalid if has_end => {
                (FailureKind::Invalid, "this is no PDF, or one beyond repair")
            }
            LoadPdfError::Invalid => (FailureKind::Truncated, "the end of the file is missing"),
        };
        Failure {
            kind,
            stage: Stage::Open,
            page: None,
            message: message.to_owned(),
        }
    })
}

/// Whether the file ends as one should: with `startxref` and `%%EOF`, perhaps with something appended.
fn has_end(data: &[u8]) -> bool {
    const APPENDED: usize = 4 << 10;
    let tail = data
        .get(data.len().saturating_sub(APPENDED)..)
        .unwrap_or_default();
    if memchr::memmem::find(tail, b"%%EOF").is_some()
        || memchr::memmem::find(tail, b"startxref").is_some()
    {
        return true;
    }
    if memchr::memmem::find(
        data.get(..APPENDED.min(data.len())).unwrap_or_default(),
        b"%PDF-",
    )
    .is_none()
    {
        // No PDF at all, so nothing is missing from it.
        return true;
    }
    // What is appended can be long. The 0 of a file that is arranged for the web stands near its start, not at its
    // end.
    let Some(at) = memchr::memmem::rfind(data, b"startxref") else {
        return false;
    };
    let after = data.get(at + 9..).unwrap_or_default().trim_ascii_start();
    matches!(after.first(), Some(b'1'..=b'9'))
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
    let failure = Failure {
        kind: FailureKind::Panic,
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
    structure: &Structure<'a>,
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
        return (out, budget.look_at_clock());
    }
    let (drawn, result) = content::draw(page, page_box, layers, &request.options, fonts, budget);
    let wanted = Wanted {
        text: request.text,
        words: request.words,
    };
    let laid = lay_out(&drawn.glyphs, wanted, &request.options);
    out.text = laid.text;
    out.words = laid.words;
    out.lines = laid.lines;
    out.blocks = laid.blocks;
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
    out.invisible = drawn.invisible;
    out.image_cover = drawn.image_cover;
    out.failure = match result {
        Err(stop) => Some(failure(stop, Some(number))),
        Ok(()) if drawn.damaged => Some(Failure {
            kind: FailureKind::Invalid,
            stage: Stage::Page,
            page: Some(number),
            message: "content of the page cannot be decoded".to_owned(),
        }),
        Ok(()) => None,
    };
    (out, result)
}

#[cfg(test)]
mod tests;
