//! Reads a PDF: opens it, then reads one page after another.

use std::ops::ControlFlow;

use super::blocks;
use super::budget::{Budget, Stop};
use super::content::{self, DocumentResources, Layers};
use super::geometry::PageBox;
use super::layout::{Wanted, boxed_characters, lay_out};
use super::letterforms::Letterforms;
use super::marked_words;
use super::model::{Attachment, Failure, FailureKind, Page, Part, Request, Stage};
use super::object_streams;
use super::open::{Opened, open};
use super::pages::{Page as SyntaxPage, Pages};
use super::panics::without_panic;
use super::streams::{self, Damage};
use super::structure::{Embedded, Structure};
use super::tables;
use super::unreadable;

const TOO_MANY_CELLS: &str =
    "the tables of the document have too many cells, so that those of this page are text";

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
    let mut opened = open(data, request)?;
    let mut reading = Reading {
        request,
        next: 0,
        may_repair: true,
        has_damaged_objects: opened.has_object_streams
            && object_streams::are_damaged(&opened.pdf, request.limits.decoded_bytes),
    };
    while let Next::Repair = reading.read_on(&opened, &mut budget, emit)? {
        reading.may_repair = false;
        let repaired = unreadable::repaired(&opened, request, &budget);
        if let Some(repaired) = repaired.map_err(|stop| failure(stop, None))? {
            opened = repaired;
        }
    }
    Ok(())
}

/// A document that is being read.
struct Reading<'r> {
    request: &'r Request,
    /// The number of the next page; 0 before the first part.
    next: u32,
    may_repair: bool,
    has_damaged_objects: bool,
}

enum Next {
    /// Repair the file and read on.
    Repair,
    End,
}

impl Reading<'_> {
    /// Emits the parts from the next one on, until an object is missing that a repair may find.
    fn read_on(
        &mut self,
        opened: &Opened,
        budget: &mut Budget,
        emit: &mut dyn FnMut(Part) -> ControlFlow<()>,
    ) -> Result<Next, Failure> {
        let request = self.request;
        let pdf = &opened.pdf;
        let pages = Pages::of(pdf);
        let needs_repair = || self.has_damaged_objects || unreadable::needs_repair(opened, &pages);
        if self.may_repair && needs_repair() {
            return Ok(Next::Repair);
        }
        let structure = Structure::of(pdf, &pages);
        if self.next == 0 {
            let mut info = structure.info(request);
            info.encrypted |= opened.is_encrypted;
            if emit(Part::Opened(info)).is_break() {
                return Ok(Next::End);
            }
            self.next = 1;
            if request.attachments {
                for embedded in structure.attachments() {
                    let attachment = with_content(embedded, budget);
                    let attachment = attachment.map_err(|stop| failure(stop, None))?;
                    if emit(Part::Attachment(attachment)).is_break() {
                        return Ok(Next::End);
                    }
                }
            }
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
        let mut resources = DocumentResources::new(&request.options);
        for (page, number) in pages.iter().zip(1..).skip(self.next as usize - 1) {
            self.next = number;
            if number > request.limits.pages {
                return Err(failure(Stop::Limit("pages"), Some(number)));
            }
            let Some(page) = page else {
                if emit(Part::Page(unreadable(number))).is_break() {
                    return Ok(Next::End);
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
                    &mut resources,
                    budget,
                )
            };
            // A panic on one page must not affect the others. At worst, it leaves a partly read
            // font.
            let (page, result, lacks_objects) = without_panic(read)
                .unwrap_or_else(|message| (panicked(number, message), Ok(()), false));
            if lacks_objects && self.may_repair {
                return Ok(Next::Repair);
            }
            if emit(Part::Page(page)).is_break() {
                return Ok(Next::End);
            }
            result.map_err(|stop| failure(stop, Some(number)))?;
        }
        if !opened.has_end {
            let message = "the end of the file is missing";
            return Err(incomplete(FailureKind::Truncated, Stage::Open, message));
        }
        if self.has_damaged_objects {
            let message = "an object stream is damaged, so that objects may be missing or wrong";
            return Err(incomplete(FailureKind::Damaged, Stage::Open, message));
        }
        if pages.is_cut() {
            let message = "the page tree repeats too many branches";
            return Err(incomplete(FailureKind::Limit, Stage::Open, message));
        }
        if let Some(declared) = pages.declared() {
            let message = format!(
                "the page tree declares {declared} pages, and only {} can be found",
                pages.count()
            );
            return Err(incomplete(FailureKind::Damaged, Stage::Open, &message));
        }
        if structure.is_exhausted() {
            let message = "the outline, links, form fields, annotations, structure tree or names of \
                           attachments are too large for a file of this size";
            return Err(incomplete(FailureKind::Limit, Stage::Info, message));
        }
        Ok(Next::End)
    }
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

/// Decodes an embedded file. Only the end of the CPU time is an error of the document.
fn with_content(embedded: Embedded<'_>, budget: &mut Budget) -> Result<Attachment, Stop> {
    let mut attachment = embedded.attachment;
    let Some(content) = embedded.content else {
        attachment.error = Some("the content of the attachment is missing".to_owned());
        return Ok(attachment);
    };
    match streams::decode(&content, budget) {
        Ok(decoded) => {
            attachment.error = decoded.damage.map(damaged);
            let is_lost = decoded.damage.is_some() && decoded.data.is_empty();
            attachment.data = (!is_lost).then(|| decoded.data.into_owned());
        }
        Err(Stop::Timeout) => return Err(Stop::Timeout),
        Err(Stop::Limit(what)) => {
            let message = format!("limit: the attachments exceed the limit for {what}");
            attachment.error = Some(message);
        }
    }
    Ok(attachment)
}

fn damaged(damage: Damage) -> String {
    let share = (100.0 * damage.share).floor();
    format!(
        "damaged: {} ({share} % of the attachment could be decoded)",
        damage.cause
    )
}

/// Whether a request needs what the pages draw.
fn needs_content(request: &Request) -> bool {
    request.text
        || request.words
        || request.tables
        || request.structure
        || request.drawn_lines
        || request.characters
        || request.fonts
        || request.images
}

/// Reads a page. The last value is whether it refers to objects that are missing.
fn read_page<'a>(
    page: &SyntaxPage<'a>,
    number: u32,
    request: &Request,
    structure: &Structure<'_, 'a>,
    layers: &Layers,
    resources: &mut DocumentResources<'a>,
    budget: &mut Budget,
) -> (Page, Result<(), Stop>, bool) {
    let page_box = PageBox::new(page);
    let mut out = Page {
        number,
        width: page_box.width as f32,
        height: page_box.height as f32,
        rotation: page_box.rotation,
        ..Page::default()
    };
    if request.links || request.structure {
        out.links = structure.links(page);
    }
    let annotations = if request.annotations {
        structure.annotations(page)
    } else {
        Vec::new()
    };
    let marks_words = annotations.iter().any(|found| !found.marked.is_empty());
    if !needs_content(request) && !marks_words {
        let annotations = annotations.into_iter();
        out.annotations = annotations.map(|found| found.annotation).collect();
        return (out, budget.check_clock(), false);
    }
    let (drawn, result) = content::draw(page, page_box, layers, request, resources, budget);
    let wanted = Wanted {
        text: request.text,
        words: request.words || request.tables || request.structure || marks_words,
    };
    let layout = lay_out(&drawn.glyphs, wanted, &request.options);
    let mut cut = drawn
        .drawing
        .is_cut
        .then_some("the page draws too many lines to keep all of them")
        .or(drawn.images.cut);
    out.annotations = marked_words::annotations(annotations, &layout, structure);
    if request.tables || request.structure {
        let forms = Letterforms::of(&drawn.glyphs);
        let found = tables::find(&layout, &drawn, &out, &forms);
        out.tables = found.tables;
        cut = cut.or(found.cut);
        let cells = out.tables.iter().flat_map(|table| &table.rows);
        if !budget.table_cells(cells.map(Vec::len).sum()) {
            out.tables.clear();
            cut = cut.or(Some(TOO_MANY_CELLS));
        }
        if request.structure {
            let tags = structure.tags().on_page(number);
            out.structure = blocks::structure(&layout, &drawn, &out, &forms, tags);
        }
    }
    out.images = drawn.images.images;
    out.text = layout.text;
    if request.words {
        out.words = layout.words;
        out.lines = layout.lines;
        out.blocks = layout.blocks;
    }
    if request.characters {
        out.drawn_characters = boxed_characters(&drawn.glyphs);
    }
    if request.drawn_lines {
        out.drawn_lines = drawn.drawing.lines;
        out.drawn_areas = drawn.drawing.areas;
    }
    if request.words || request.characters {
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
    out.fonts = drawn.fonts;
    out.failure = match result {
        Err(stop) => Some(failure(stop, Some(number))),
        Ok(()) => drawn
            .losses
            .map(|message| (FailureKind::Damaged, message))
            .or(cut.map(|message| (FailureKind::Limit, message.to_owned())))
            .map(|(kind, message)| Failure {
                kind,
                stage: Stage::Page,
                page: Some(number),
                message,
            }),
    };
    (out, result, drawn.lacks_objects)
}

#[cfg(test)]
mod tests;
