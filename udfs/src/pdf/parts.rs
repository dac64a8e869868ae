//! Annotations, attachments and images. Each function returns a list of structs.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;

use super::listing::{edges, elements, listing, page_listing};
use super::{DATA, OPTIONS, PASSWORDS, SECTION};
use crate::attachment::AttachmentRow;
use crate::function::{Returns, functions};
use crate::settings::CorpusSettings;
use corpus_columns::{ListOf, Timestamp, row};
use corpus_pdf::model::{Annotation, Attachment, Image, Page, Request};

elements!(AnnotationRow, AttachmentRow, ImageRow);

row! {
    /// An annotation.
    #[derive(Default)]
    pub struct AnnotationRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// The number of the annotation on the page, from 1
        position: Option<usize>,
        /// 'Text' (a note), 'FreeText', 'Highlight', 'Underline', 'StrikeOut', 'Stamp' or another
        /// name from the standard
        #[short]
        kind: Option<&'a str>,
        /// The text of the note
        contents: Option<&'a str>,
        /// The words that it highlights, underlines or strikes out
        marked: Option<&'a str>,
        /// The author
        author: Option<&'a str>,
        /// The subject
        subject: Option<&'a str>,
        /// When it was created
        created: Option<Timestamp>,
        /// When it was modified
        modified: Option<Timestamp>,
        /// The `position` of the annotation that it answers
        reply_to: Option<u32>,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

row! {
    /// An image.
    #[derive(Default)]
    pub struct ImageRow<'a> {
        /// The page, from 1
        page: Option<u32>,
        /// The left edge, in points from the left of the displayed page
        x1: Option<f32>,
        /// The top edge, in points from its top
        y1: Option<f32>,
        /// The right edge
        x2: Option<f32>,
        /// The bottom edge
        y2: Option<f32>,
        /// The width in pixels
        width: Option<u32>,
        /// The height in pixels
        height: Option<u32>,
        /// The bits per color component
        bits: Option<u32>,
        /// The color space, such as 'DeviceRGB' or 'ICCBased'
        #[short]
        color_space: Option<&'a str>,
        /// The filters of `content`, such as 'DCTDecode' (JPEG) or 'FlateDecode' (compressed
        /// samples); empty for plain samples
        #[short]
        filters: Option<&'a str>,
        /// 'image/jpeg' or 'image/jp2' if `content` is such a file; otherwise NULL
        #[short]
        media_type: Option<&'a str>,
        /// The number of its object in the file; NULL if it is part of the page's content
        object: Option<u32>,
        /// The bytes as in the file; NULL if an earlier image is the same object
        content: Option<&'a [u8]>,
        /// Why the page or document could not be read, or only in part; elements before it stay
        #[short]
        error: Option<&'a str>,
    }
}

functions! {
    SECTION;

    /// The annotations of a PDF: notes, text boxes, highlights with the words under them, stamps.
    /// Links are in pdf_links, form fields in pdf_form_fields.
    ///
    /// > SELECT pdf_annotations(content)[1]['kind'], pdf_annotations(content)[1]['contents']
    ///   FROM read_pdf('data-samples/pdf-parts/survey.pdf');
    /// Text, Which river?
    pdf_annotations(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<AnnotationRow>>(), costly;

    /// The files that are embedded in a PDF.
    ///
    /// > SELECT pdf_attachments(content)[1]['name'], pdf_attachments(content)[1]['media_type']
    ///   FROM read_pdf('data-samples/pdf-parts/survey.pdf');
    /// stations.csv, text/csv
    pdf_attachments(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<AttachmentRow>>(), costly;

    /// The images of a PDF, in drawing order.
    ///
    /// > SELECT pdf_images(content)[1]['width'], pdf_images(content)[1]['height']
    ///   FROM read_pdf('data-samples/pdf-parts/survey.pdf');
    /// 6, 8
    pdf_images(DATA, OPTIONS, PASSWORDS) -> Returns::of::<ListOf<ImageRow>>(), costly;
}

fn pdf_annotations(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        annotations: true,
        ..Request::default()
    };
    page_listing(args, settings, wanted, append_annotations)
}

fn append_annotations(page: &Page, list: &mut ListOf<AnnotationRow>) {
    for (position, annotation) in (1..).zip(&page.annotations) {
        list.push(AnnotationRow {
            page: Some(page.number),
            position: Some(position),
            ..AnnotationRow::from(annotation)
        });
    }
}

impl<'a> From<&'a Annotation> for AnnotationRow<'a> {
    fn from(annotation: &'a Annotation) -> Self {
        let [x1, y1, x2, y2] = annotation.bbox.map_or([None; 4], edges);
        Self {
            page: None,
            position: None,
            kind: Some(&annotation.kind),
            contents: annotation.contents.as_deref(),
            marked: annotation.marked.as_deref(),
            author: annotation.author.as_deref(),
            subject: annotation.subject.as_deref(),
            created: annotation.created.map(Timestamp),
            modified: annotation.modified.map(Timestamp),
            reply_to: annotation.reply_to.map(|place| place.saturating_add(1)),
            x1,
            y1,
            x2,
            y2,
            error: None,
        }
    }
}

fn pdf_attachments(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        attachments: true,
        ..Request::default()
    };
    listing(
        args,
        settings,
        wanted,
        |outcome, list: &mut ListOf<AttachmentRow>| {
            for (position, attachment) in (1..).zip(&outcome.attachments) {
                list.push(AttachmentRow {
                    position: Some(position),
                    ..AttachmentRow::from(attachment)
                });
            }
        },
    )
}

impl<'a> From<&'a Attachment> for AttachmentRow<'a> {
    fn from(attachment: &'a Attachment) -> Self {
        let content = attachment.data.as_deref();
        Self {
            position: None,
            name: attachment.name.as_deref(),
            media_type: attachment.media_type.as_deref(),
            description: attachment.description.as_deref(),
            created: attachment.created.map(Timestamp),
            modified: attachment.modified.map(Timestamp),
            page: attachment.page,
            size: content.map(|content| i64::try_from(content.len()).unwrap_or(i64::MAX)),
            content,
            error: attachment.error.as_deref(),
        }
    }
}

fn pdf_images(args: &[ArrayRef], settings: &CorpusSettings) -> Result<ArrayRef> {
    let wanted = Request {
        images: true,
        ..Request::default()
    };
    page_listing(args, settings, wanted, append_images)
}

fn append_images(page: &Page, list: &mut ListOf<ImageRow>) {
    for image in &page.images {
        list.push(ImageRow {
            page: Some(page.number),
            ..ImageRow::from(image)
        });
    }
}

impl<'a> From<&'a Image> for ImageRow<'a> {
    fn from(image: &'a Image) -> Self {
        let [x1, y1, x2, y2] = edges(image.bbox);
        Self {
            page: None,
            x1,
            y1,
            x2,
            y2,
            width: image.width,
            height: image.height,
            bits: image.bits,
            color_space: image.color_space.as_deref(),
            filters: Some(&image.filters),
            media_type: image.media_type(),
            object: image.object,
            content: image.data.as_deref(),
            error: None,
        }
    }
}
