//! Reads a page: interprets its content, lays out its text, and finds its tables and structure.

use hayro_syntax::Pdf;

use crate::blocks;
use crate::budget::{Budget, Stop};
use crate::content::{self, DocumentResources, Drawn, Layers};
use crate::font_kinds::FontKinds;
use crate::geometry::PageBox;
use crate::layout::{Layout, WantedLayout, boxed_characters, lay_out};
use crate::marked_words;
use crate::model::{Failure, FailureKind, Page, Request, Stage};
use crate::pages::Page as SyntaxPage;
use crate::structure::Structure;
use crate::tables;

const TOO_MANY_CELLS: &str =
    "the tables of the document have too many cells, so the tables of this page are plain text";

/// Reads the pages of a document.
pub(super) struct PageReader<'r, 'a> {
    structure: &'r Structure<'r, 'a>,
    request: &'r Request,
    layers: Layers,
    resources: DocumentResources<'a>,
    budget: &'r mut Budget,
}

impl<'r, 'a> PageReader<'r, 'a> {
    pub(super) fn new(
        pdf: &'a Pdf,
        structure: &'r Structure<'r, 'a>,
        request: &'r Request,
        budget: &'r mut Budget,
    ) -> Self {
        Self {
            structure,
            request,
            layers: Layers::new(pdf, request.options.hidden_layers),
            resources: DocumentResources::new(&request.options),
            budget,
        }
    }

    /// Reads a page. The last value is whether it refers to missing objects.
    pub(super) fn read(
        &mut self,
        page: &SyntaxPage<'a>,
        number: u32,
    ) -> (Page, Result<(), Stop>, bool) {
        let (request, structure) = (self.request, self.structure);
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
            return (out, self.budget.check_clock(), false);
        }
        let (mut drawn, result) = content::draw(
            page,
            page_box,
            &self.layers,
            request,
            &mut self.resources,
            self.budget,
        );
        let wanted = WantedLayout {
            text: request.text,
            words: request.words || request.tables || request.structure || marks_words,
        };
        let layout = lay_out(&drawn.glyphs, wanted, &request.options);
        out.annotations = marked_words::annotations(annotations, &layout, structure);
        let too_many_lines = "the page draws too many lines to keep all of them";
        let cut = (drawn.drawing.is_cut.then_some(too_many_lines)).or(drawn.images.cut);
        let cut = cut.or(self.find_tables(&layout, &drawn, &mut out));
        let lacks_objects = drawn.lacks_objects;
        out.failure = match result {
            Err(stop) => Some(page_failure(stop, Some(number))),
            Ok(()) => (drawn.losses.take())
                .map(|message| (FailureKind::Damaged, message))
                .or(cut.map(|message| (FailureKind::Limit, message.to_owned())))
                .map(|(kind, message)| Failure {
                    kind,
                    stage: Stage::Page,
                    page: Some(number),
                    message,
                }),
        };
        fill(&mut out, layout, drawn, request);
        (out, result, lacks_objects)
    }

    /// Finds the tables and the structure of a page. Returns a message if a limit left content out.
    fn find_tables(
        &mut self,
        layout: &Layout,
        drawn: &Drawn,
        out: &mut Page,
    ) -> Option<&'static str> {
        let request = self.request;
        if !request.tables && !request.structure {
            return None;
        }
        let fonts = FontKinds::of(&drawn.glyphs);
        let found = tables::find(layout, drawn, out, &fonts);
        out.tables = found.tables;
        let mut cut = found.cut;
        let cells = out.tables.iter().flat_map(|table| &table.rows);
        if !self.budget.table_cells(cells.map(Vec::len).sum()) {
            out.tables.clear();
            cut = cut.or(Some(TOO_MANY_CELLS));
        }
        if request.structure {
            let tags = self.structure.tags().on_page(out.number);
            out.structure = blocks::structure(layout, drawn, out, &fonts, tags);
        }
        cut
    }
}

/// Whether a request needs the content streams of pages.
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

/// Moves the requested results to the page.
fn fill(out: &mut Page, layout: Layout, drawn: Drawn, request: &Request) {
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
    out.characters = drawn.glyphs.glyphs.len() as u32;
    if request.words || request.characters {
        let styles = drawn.glyphs.styles.into_iter();
        out.styles = styles.map(|style| style.style).collect();
    }
    out.unmapped = drawn.unmapped;
    out.inferred = drawn.inferred;
    out.invisible = drawn.invisible;
    out.off_page = drawn.off_page;
    out.image_cover = drawn.image_cover;
    out.fonts = drawn.fonts;
}

pub(super) fn page_failure(stop: Stop, page: Option<u32>) -> Failure {
    Failure {
        kind: stop.kind(),
        stage: Stage::Page,
        page,
        message: stop.message(),
    }
}
