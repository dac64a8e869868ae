//! Content streams: turns the operators of a page into glyphs.
//!
//! `lexer` splits a stream into tokens, `interpreter` runs the operators on a `state`, and
//! `painter` places the glyphs.

mod annotations;
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
#[cfg(test)]
mod tests;

use hayro_syntax::object::{Array, Object, Stream};

use super::budget::{Budget, Stop};
use super::fonts::Fonts;
use super::geometry::PageBox;
use super::glyphs::Glyphs;
use super::model::Options;
use super::pages::Page;
use super::streams;
pub use inferred::Habits;
pub use layers::Layers;

/// The result of drawing a page.
#[derive(Debug, Default)]
pub struct Drawn {
    pub glyphs: Glyphs,
    /// The number of glyphs with unknown meaning.
    pub unmapped: u32,
    /// The number of glyphs with inferred meaning.
    pub inferred: u32,
    /// The number of glyphs drawn invisibly.
    pub invisible: u32,
    pub image_cover: f32,
    /// Whether some content could not be decoded.
    pub damaged: bool,
}

/// Runs the content and the annotations of a page. When a limit is reached, the glyphs drawn so far
/// are kept.
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

/// The concatenated content streams of a page, and whether all of them could be decoded.
fn content(page: &Page<'_>, budget: &mut Budget) -> Result<(Vec<u8>, bool), Stop> {
    let mut content = Vec::new();
    let mut complete = true;
    let mut add = |stream: Stream<'_>| -> Result<(), Stop> {
        match streams::decode(&stream, budget)? {
            Some(data) if content.is_empty() => content = data.into_owned(),
            Some(data) => {
                // A token never spans two streams.
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
