//! Content streams: turns the operators of a page into glyphs.
//!
//! ```text
//! lexer         splits a stream into tokens
//! inline_image  finds the ends of inline images
//! interpreter   runs the operators
//! state         the graphics state
//! resources     fonts, forms, images and properties by name
//! painter       places the glyphs
//! paths         lines and rectangles
//! images        images
//! marked        marked content
//! layers        hidden layers
//! annotations   annotations that draw text
//! field_texts   form fields and text boxes without an appearance
//! inferred      infers text that a font does not declare
//! font_uses     judges the text of each font
//! losses        records the lost content
//! ```

mod annotations;
mod field_texts;
mod font_uses;
mod images;
mod inferred;
mod inline_image;
mod interpreter;
mod layers;
mod lexer;
mod losses;
pub mod marked;
mod painter;
mod paths;
mod resources;
mod state;
#[cfg(test)]
mod tests;

use hayro_syntax::object::{MaybeRef, Object, Stream};

use super::budget::{Budget, Stop};
use super::drawing::Drawing;
use super::fonts::Fonts;
use super::geometry::PageBox;
use super::glyphs::Glyphs;
use super::misspelt::misspelt_key;
use super::model::{FontUse, Options, Request};
use super::pages::Page;
use super::streams;
use images::{Images, SeenImages};
use inferred::Habits;
pub use layers::Layers;
use losses::Losses;

/// The result of drawing a page.
#[derive(Debug, Default)]
pub struct Drawn {
    pub glyphs: Glyphs,
    /// The number of glyphs with unknown meaning.
    pub unmapped: u32,
    /// The number of glyphs with inferred meaning.
    pub inferred: u32,
    /// How far the text of each font can be trusted. Empty if it was not requested.
    pub fonts: Vec<FontUse>,
    /// The number of glyphs drawn invisibly.
    pub invisible: u32,
    /// The number of glyphs off the page, which are not in `glyphs`.
    pub off_page: u32,
    pub image_cover: f32,
    /// Empty if they were not requested.
    pub images: Images,
    /// Empty if it was not requested.
    pub drawing: Drawing,
    /// The identifiers of marked content. Empty if they were not requested.
    pub identifiers: marked::Identifiers,
    /// Describes lost content, if any.
    pub losses: Option<String>,
    /// Whether the content refers to objects that are missing.
    pub lacks_objects: bool,
}

/// The fonts of a document, the evidence about them from the pages so far, and the images so far.
#[derive(Debug)]
pub struct DocumentResources<'a> {
    fonts: Fonts<'a>,
    habits: Habits,
    images: SeenImages,
}

impl DocumentResources<'_> {
    pub fn new(options: &Options) -> Self {
        Self {
            fonts: Fonts::new(options.keep_ligatures),
            habits: Habits::default(),
            images: SeenImages::default(),
        }
    }
}

/// Runs the content and the annotations of a page. When a limit is reached, the glyphs drawn so far
/// are kept.
pub fn draw<'a>(
    page: &Page<'a>,
    page_box: PageBox,
    layers: &Layers,
    request: &Request,
    resources: &mut DocumentResources<'a>,
    budget: &mut Budget,
) -> (Drawn, Result<(), Stop>) {
    let mut interpreter =
        interpreter::Interpreter::new(page, page_box, layers, &request.options, resources, budget);
    if request.tables || request.structure || request.drawn_lines {
        interpreter.collect_lines();
    }
    if request.structure {
        interpreter.collect_identifiers();
    }
    if request.images {
        interpreter.collect_images();
    }
    if request.fonts {
        interpreter.judge_fonts();
    }
    let result = content(page, interpreter.budget, &mut interpreter.losses)
        .and_then(|content| interpreter.run_page(&content))
        .and_then(|()| annotations::draw(page, &mut interpreter));
    (interpreter.finish(), result)
}

/// The concatenated content streams of a page. A page without `/Contents` is blank.
fn content(page: &Page<'_>, budget: &mut Budget, losses: &mut Losses) -> Result<Vec<u8>, Stop> {
    const MISSING: &str = "a content stream is missing";
    let mut content = Vec::new();
    let mut add = |stream: Option<Stream<'_>>| -> Result<(), Stop> {
        let Some(stream) = stream else {
            losses.missing(MISSING);
            return Ok(());
        };
        let decoded = streams::decode(&stream, budget)?;
        losses.stream(&decoded);
        if content.is_empty() {
            content = decoded.data.into_owned();
        } else {
            // A token never spans two streams.
            content.push(b' ');
            content.extend_from_slice(&decoded.data);
        }
        Ok(())
    };
    match page.raw().get::<Object<'_>>(b"Contents") {
        Some(Object::Stream(stream)) => add(Some(stream))?,
        Some(Object::Array(array)) => {
            for item in array.raw_iter() {
                add(stream_of(&item, page))?;
            }
        }
        Some(Object::Null(_)) | None if page.raw().get_ref(b"Contents").is_none() => {
            if misspelt_key(page.raw(), b"Contents").is_some() {
                add(None)?;
            }
        }
        _ => add(None)?,
    }
    Ok(content)
}

fn stream_of<'a>(item: &MaybeRef<Object<'a>>, page: &Page<'a>) -> Option<Stream<'a>> {
    page.xref().get::<Stream<'a>>(item.as_obj_ref()?.into())
}
