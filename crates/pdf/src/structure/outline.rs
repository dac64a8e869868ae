//! The outline, which viewers show as bookmarks.

use hayro_syntax::object::{Dict, Object};

use super::destinations::Destinations;
use super::objects::Visited;
use crate::model::OutlineItem;
use crate::text_string;

const MAX_ITEMS: usize = 100_000;
const MAX_LEVEL: u32 = 256;

/// The items of the outline, in the order of display.
pub(super) fn outline<'a>(destinations: &Destinations<'_, 'a>) -> Vec<OutlineItem> {
    let objects = destinations.objects;
    let mut items = Vec::new();
    let mut visited = Visited::default();
    let mut pending = Vec::new();
    if let Some(root) = objects.dict(destinations.catalog, "Outlines") {
        pending.extend(root.get_raw::<Object<'a>>("First").map(|item| (1, item)));
    }
    while let Some((level, item)) = pending.pop() {
        if items.len() >= MAX_ITEMS || !visited.is_new(&item) {
            continue;
        }
        let Some(item) = objects.resolve(item).and_then(Object::into_dict) else {
            continue;
        };
        items.push(OutlineItem {
            level,
            title: title(destinations, &item),
            page: destinations.page(&item, None),
        });
        // This is a stack: push the next item first, so that the children of this one come before
        // it.
        pending.extend(item.get_raw::<Object<'a>>("Next").map(|next| (level, next)));
        if level < MAX_LEVEL {
            pending.extend(
                item.get_raw::<Object<'a>>("First")
                    .map(|first| (level + 1, first)),
            );
        }
    }
    items
}

fn title<'a>(destinations: &Destinations<'_, 'a>, item: &Dict<'a>) -> String {
    let title = destinations.objects.string(item, "Title");
    title
        .and_then(|title| text_string::decode_line(&title))
        .unwrap_or_default()
}
