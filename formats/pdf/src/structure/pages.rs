//! The numbers of pages, from 1.

use std::collections::HashMap;

use hayro_syntax::object::{ObjRef, ObjectIdentifier};

use crate::pages::Pages;

/// Which page an object is.
pub(super) struct PageNumbers {
    numbers: HashMap<ObjectIdentifier, u32>,
    count: u32,
}

impl PageNumbers {
    pub(super) fn of(pages: &Pages<'_>) -> Self {
        let mut numbers = HashMap::new();
        for (number, page) in pages.numbered() {
            // The first counts: of a page that is listed again, and of those that stand in their parent directly
            // and have its number.
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

    /// Of the page that has so many before it.
    pub(super) fn of_index(&self, index: i64) -> Option<u32> {
        let number = u32::try_from(index.checked_add(1)?).ok()?;
        (1..=self.count).contains(&number).then_some(number)
    }
}
