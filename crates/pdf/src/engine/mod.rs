//! Reads a PDF: opens it, then reads one page after another.

mod page;

use std::ops::ControlFlow;

use super::budget::{Budget, Stop};
use super::model::{Attachment, DocumentPart, Failure, FailureKind, Page, Request, Stage};
use super::object_streams;
use super::open::{Opened, open};
use super::pages::Pages;
use super::panics::without_panic;
use super::streams::{self, Damage};
use super::structure::{Embedded, Structure};
use super::unreadable;
use page::{PageReader, page_failure};

/// Reads a document and passes each part to `emit` until `emit` returns `Break`.
///
/// An error means that the rest of the document cannot be read; the parts emitted before it are
/// valid.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use corpus_pdf::{DocumentPart, Request, engine};
///
/// let file = std::fs::read("../../data-samples/pdf/article.pdf").unwrap();
/// let mut pages = Vec::new();
/// engine::read(file, &Request::text(), &mut |part| {
///     if let DocumentPart::Page(page) = part {
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
    emit: &mut dyn FnMut(DocumentPart) -> ControlFlow<()>,
) -> Result<(), Failure> {
    // The budget covers opening, too: repairing a file can take long.
    let mut budget = Budget::new(&request.limits);
    let mut opened = open(data, request)?;
    let mut reading = DocumentReader {
        request,
        next: 0,
        may_repair: true,
        has_damaged_objects: opened.has_object_streams
            && object_streams::are_damaged(&opened.pdf, request.limits.decoded_bytes),
    };
    while let Next::Repair = reading.read_on(&opened, &mut budget, emit)? {
        reading.may_repair = false;
        let repaired = unreadable::repair(&opened, request, &budget);
        if let Some(repaired) = repaired.map_err(|stop| page_failure(stop, None))? {
            opened = repaired;
        }
    }
    Ok(())
}

/// A document that is being read.
struct DocumentReader<'r> {
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

impl DocumentReader<'_> {
    /// Emits the remaining parts, until an object is missing that a repair may find.
    fn read_on(
        &mut self,
        opened: &Opened,
        budget: &mut Budget,
        emit: &mut dyn FnMut(DocumentPart) -> ControlFlow<()>,
    ) -> Result<Next, Failure> {
        let pdf = &opened.pdf;
        let pages = Pages::of(pdf);
        let needs_repair = || self.has_damaged_objects || unreadable::needs_repair(opened, &pages);
        if self.may_repair && needs_repair() {
            return Ok(Next::Repair);
        }
        let structure = Structure::of(pdf, &pages);
        if self.next == 0 {
            self.next = 1;
            if emit_head(opened, &structure, self.request, budget, emit)?.is_break() {
                return Ok(Next::End);
            }
        }
        if pages.count() == 0 {
            return Err(if opened.has_end {
                incomplete(FailureKind::Invalid, "the document has no pages")
            } else {
                without_end()
            });
        }
        let mut reader = PageReader::new(pdf, &structure, self.request, budget);
        for (page, number) in pages.iter().zip(1..).skip(self.next as usize - 1) {
            self.next = number;
            if number > self.request.limits.pages {
                return Err(page_failure(Stop::Limit("pages"), Some(number)));
            }
            let Some(page) = page else {
                if emit(DocumentPart::Page(unreadable_page(number))).is_break() {
                    return Ok(Next::End);
                }
                continue;
            };
            // A panic on one page must not affect the others. At worst, it leaves a partly read
            // font.
            let (page, result, lacks_objects) = without_panic(|| reader.read(page, number))
                .unwrap_or_else(|message| (page_of_panic(number, message), Ok(()), false));
            if lacks_objects && self.may_repair {
                return Ok(Next::Repair);
            }
            if emit(DocumentPart::Page(page)).is_break() {
                return Ok(Next::End);
            }
            result.map_err(|stop| page_failure(stop, Some(number)))?;
        }
        self.check_whole(opened, &pages, &structure)?;
        Ok(Next::End)
    }

    /// Returns an error after the last page if parts of the document are known to be missing.
    fn check_whole(
        &self,
        opened: &Opened,
        pages: &Pages<'_>,
        structure: &Structure<'_, '_>,
    ) -> Result<(), Failure> {
        if !opened.has_end {
            return Err(without_end());
        }
        if self.has_damaged_objects {
            let message = "an object stream is damaged, so that objects may be missing or wrong";
            return Err(incomplete(FailureKind::Damaged, message));
        }
        if structure.is_dynamic_form() {
            let message = "the document is a dynamic XFA form, which is not read";
            return Err(incomplete(FailureKind::XfaForm, message));
        }
        if pages.is_cut() {
            let message = "the page tree repeats too many branches";
            return Err(incomplete(FailureKind::Limit, message));
        }
        if let Some(declared) = pages.declared() {
            let message = format!(
                "the page tree declares {declared} pages, and only {} can be found",
                pages.count()
            );
            return Err(incomplete(FailureKind::Damaged, message));
        }
        if structure.is_exhausted() {
            let message = "the outline, links, form fields, annotations, structure tree or names of \
                           attachments are too large for a file of this size";
            return Err(Failure {
                stage: Stage::Info,
                ..incomplete(FailureKind::Limit, message)
            });
        }
        Ok(())
    }
}

/// Emits the metadata and the attachments.
fn emit_head(
    opened: &Opened,
    structure: &Structure<'_, '_>,
    request: &Request,
    budget: &mut Budget,
    emit: &mut dyn FnMut(DocumentPart) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Failure> {
    let mut info = structure.info(request);
    info.encrypted |= opened.is_encrypted;
    if emit(DocumentPart::Opened(info)).is_break() {
        return Ok(ControlFlow::Break(()));
    }
    if request.attachments {
        for embedded in structure.attachments() {
            let attachment = with_content(embedded, budget);
            let attachment = attachment.map_err(|stop| page_failure(stop, None))?;
            if emit(DocumentPart::Attachment(attachment)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// A failure of the document.
fn incomplete(kind: FailureKind, message: impl Into<String>) -> Failure {
    Failure {
        kind,
        stage: Stage::Open,
        page: None,
        message: message.into(),
    }
}

fn without_end() -> Failure {
    incomplete(FailureKind::Truncated, "the end of the file is missing")
}

fn page_of_panic(number: u32, message: String) -> Page {
    failed_page(number, FailureKind::Panic, message)
}

fn unreadable_page(number: u32) -> Page {
    let message = "the object of the page is missing or cannot be parsed";
    failed_page(number, FailureKind::Invalid, message.to_owned())
}

fn failed_page(number: u32, kind: FailureKind, message: String) -> Page {
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
            attachment.error = decoded.damage.map(describe_damage);
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

fn describe_damage(damage: Damage) -> String {
    let share = (100.0 * damage.share).floor();
    format!(
        "damaged: {} ({share} % of the attachment could be decoded)",
        damage.cause
    )
}

#[cfg(test)]
mod tests;
