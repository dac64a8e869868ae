//! Draws the layout of a page for people: the page, its blocks colored by confidence, its lines,
//! and the margins around all blocks.
//!
//! `layout` collects the elements of a page, `picture` draws them, `labels` adds text around the
//! page, `colors` shows confidences, and `markup` formats numbers, boxes and text.

mod colors;
mod labels;
mod layout;
mod markup;
mod picture;
#[cfg(test)]
mod tests;

use labels::name_of;
use layout::Layout;
use picture::Picture;

use super::read::Unreadable;

/// Draws a page of a document as SVG. Pages are counted from 1; `None` if there is no such page.
pub fn svg(document: &str, page: usize) -> Result<Option<String>, Unreadable> {
    Ok(Layout::of(document, page)?.map(|layout| draw(&layout)))
}

fn draw(layout: &Layout) -> String {
    let (name, boxes) = layout.largest();
    let mut picture = Picture::new(layout.page, boxes.extent);
    picture.boxes(layout, name, boxes);
    if name == "block" {
        picture.lines(&layout.lines);
    }
    if let Some(extent) = boxes.extent {
        picture.outline(&extent);
        if layout.page.is_some() {
            picture.margins(&extent);
        }
    }
    picture.head(layout);
    picture.legend(layout, name);
    picture.notes(layout, name, boxes);
    picture.finish(&name_of(layout))
}
