//! Lists as parsed by Tika: a list is closed before content that is not an item, and opened around
//! an item outside a list. Paragraphs end there.

use corpus_markup::Name;

/// The open lists with their depths.
#[derive(Debug, Default)]
pub struct Lists {
    open: Vec<Open>,
    /// A list that the parser opened implicitly, around items at this depth.
    implied: Option<(Items, usize)>,
}

#[derive(Debug)]
struct Open {
    items: Items,
    depth: usize,
    is_closed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Items {
    Items,
    Terms,
}

impl Items {
    fn of_list(name: Name) -> Option<Self> {
        match name {
            Name::DIR | Name::MENU | Name::OL | Name::UL => Some(Items::Items),
            Name::DL => Some(Items::Terms),
            _ => None,
        }
    }

    fn of_item(name: Name) -> Option<Self> {
        match name {
            Name::LI => Some(Items::Items),
            Name::DD | Name::DT => Some(Items::Terms),
            _ => None,
        }
    }
}

/// Elements that end a list when they appear between its items. Other elements end a paragraph
/// anyway, may appear everywhere, or are dropped by the parser.
fn is_inline(name: Name) -> bool {
    matches!(
        name,
        Name::A
            | Name::B
            | Name::BR
            | Name::BUTTON
            | Name::EM
            | Name::FONT
            | Name::I
            | Name::IMG
            | Name::INPUT
            | Name::LABEL
            | Name::SMALL
            | Name::SPAN
            | Name::STRONG
            | Name::U
    )
}

impl Lists {
    /// An element opens at this depth. Returns whether a list starts or ends before it.
    pub fn open(&mut self, name: Name, depth: usize) -> bool {
        if let Some(items) = Items::of_list(name) {
            self.implied = None;
            self.open.push(Open {
                items,
                depth,
                is_closed: false,
            });
            return false;
        }
        if let Some(items) = Items::of_item(name) {
            return self.open_item(items, depth);
        }
        is_inline(name) && self.content(depth)
    }

    fn open_item(&mut self, items: Items, depth: usize) -> bool {
        let is_in_list = self
            .open
            .iter()
            .any(|list| list.items == items && !list.is_closed);
        if is_in_list {
            return false;
        }
        let is_implied = self.implied.is_some_and(|(implied, _)| implied == items);
        self.implied = Some((items, depth));
        !is_implied
    }

    /// Text or an inline element appears at this depth. Returns whether it ends a list.
    pub fn content(&mut self, depth: usize) -> bool {
        if self.implied.is_some_and(|(_, implied)| depth <= implied) {
            self.implied = None;
            return true;
        }
        match self.open.last_mut() {
            Some(list) if !list.is_closed && list.depth + 1 == depth => {
                list.is_closed = true;
                true
            }
            _ => false,
        }
    }

    pub fn close(&mut self, name: Name) {
        if Items::of_list(name).is_some() {
            self.open.pop();
            self.implied = None;
        }
    }
}
