//! Content streams: from the operators of a page to its glyphs.
//!
//! `lexer` splits a stream, `interpreter` runs the operators on a `state`, `painter` places the glyphs.

mod annotations;
mod geometry;
mod images;
mod inferred;
mod inline_image;
mod interpreter;
mod layers;
mod lexer;
mod marked;
mod painter;
mod resources;
mod state;
pub mod streams;
#[cfg(test)]
mod tests;

use hayro_syntax::object::{Array, Object, Stream};

use super::budget::{Budget, Stop};
use super::fonts::Fonts;
use super::glyphs::Glyphs;
use super::model::Options;
use super::pages::Page;
pub use geometry::{Matrix, PageBox};
pub use inferred::Habits;
pub use layers::Layers;

/// What a page draws.
#[derive(Debug, Default)]
pub struct Drawn {
    pub glyphs: Glyphs,
    /// Glyphs whose meaning is unknown.
    pub unmapped: u32,
    /// Glyphs whose meaning is inferred.
    pub inferred: u32,
    /// Glyphs that are drawn invisibly.
    pub invisible: u32,
    pub image_cover: f32,
    /// The page has content that could not be decoded.
    pub damaged: bool,
}

/// Runs the content and the annotations of a page. Reaching a limit ends it; what was drawn until then stays.
pub fn draw<'a>(
    page: &Page<'a>,
    page_box: PageBox,
    layers: &Layers,
    options: &Options,
    fonts: &mut Fonts<'a>,
    budget: &mut Budget,
) -> (Drawn, Result<(), Stop>) {
    let mut interpreter =
        interpreter::Interpreter::new(page, page_box, layers, options, fonts, budget);
    let mut damaged = false;
    let result = match content(page, interpreter.budget) {
        Ok((content, complete)) => {
            damaged = !complete;
            interpreter.run_page(&content)
        }
        Err(stop) => Err(stop),
    };
    let result = result.and_then(|()| annotations::draw(page, &mut interpreter));
    (
        Drawn {
            damaged,
            ..interpreter.finish()
        },
        result,
    )
}

/// The content streams of a page as one, and whether all of them could be decoded.
fn content(page: &Page<'_>, budget: &mut Budget) -> Result<(Vec<u8>, bool), Stop> {
    let mut content = Vec::new();
    let mut complete = true;
    let mut add = |stream: Stream<'_>| -> Result<(), Stop> {
        match streams::decode(&stream, budget)? {
            Some(data) if content.is_empty() => content = data.into_owned(),
            Some(data) => {
                // A token does not reach across two streams.
                content.push(b' ');
                content.extend_from_slice(&data);
            }
            None => complete = false,
        }
        Ok(())
    };
    match page.raw().get::<Object<'_>>(b"Contents") {
        Some(Object::Stream(stream)) => add(stream)?,
        Some(Object::Array(array)) => {
            for stream in streams_of(&array, page) {
                add(stream)?;
            }
        }
        _ => {}
    }
    Ok((content, complete))
}

fn streams_of<'a>(array: &Array<'a>, page: &Page<'a>) -> impl Iterator<Item = Stream<'a>> {
    let xref = page.xref();
    array
        .raw_iter()
        .filter_map(move |item| xref.get::<Stream<'a>>(item.as_obj_ref()?.into()))
}
