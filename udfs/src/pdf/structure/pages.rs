//! The numbers of pages, from 1.

use std::collections::HashMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{ObjRef, ObjectIdentifier};

/// Which page an object is.
pub(super) struct PageNumbers {
    numbers: HashMap<ObjectIdentifier, u32>,
    count: u32,
}

impl PageNumbers {
    pub(super) fn of(pdf: &Pdf) -> Self {
        let mut numbers = HashMap::new();
        let mut count = 0;
        for page in pdf.pages().iter() {
            count += 1;
            // A page that stands in its parent directly has the parent's number: the first counts.
            if let Some(id) = page.raw().obj_id() {
                numbers.entry(id).or_insert(count);
            }
        }
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
