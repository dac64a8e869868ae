//! A picture of a page's layout, for a person to look at: the page, its blocks coloured by
//! confidence, its lines, and the margins around all blocks.
//!
//! `layout` collects what is on a page, `picture` draws it, `writing` is the text around it, and
//! `markup` is how numbers, boxes and text stand in SVG.

mod colours;
mod layout;
mod markup;
mod picture;
#[cfg(test)]
mod tests;
mod writing;

use layout::Layout;
use picture::Picture;
use writing::name_of;

use super::read::Unreadable;

/// An SVG picture of a page of a document, from 1; none if there is no such page.
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
