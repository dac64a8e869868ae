//! The numbers of pages, from 1.

use std::collections::HashMap;

use hayro_syntax::object::{ObjRef, ObjectIdentifier};

use crate::pages::Pages;

/// Maps objects to page numbers.
pub(super) struct PageNumbers {
    numbers: HashMap<ObjectIdentifier, u32>,
    count: u32,
}

impl PageNumbers {
    pub(super) fn of(pages: &Pages<'_>) -> Self {
        let mut numbers = HashMap::new();
        for (number, page) in pages.numbered() {
            // The first number wins for a page that is listed repeatedly, and for direct pages,
            // which share the object number of their parent.
            if let Some(id) = page.raw().obj_id() {
                numbers.entry(id).or_insert(number);
            }
        }
        let count = u32::try_from(pages.count()).unwrap_or(u32::MAX);
        Self { numbers, count }
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn of_object(&self, reference: ObjRef) -> Option<u32> {
        self.numbers.get(&reference.into()).copied()
    }

    /// The number of the page with this index, from 0.
    pub(super) fn of_index(&self, index: i64) -> Option<u32> {
        let number = u32::try_from(index.checked_add(1)?).ok()?;
        (1..=self.count).contains(&number).then_some(number)
    }
}
