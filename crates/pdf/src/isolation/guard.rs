//! Turns a panic of the engine into a failure that names the page.

use std::ops::ControlFlow;

use super::Engine;
use crate::model::{DocumentPart, Failure, FailureKind, Request, Stage};
use crate::panics::without_panic;

/// How much of a document has been read, derived from its parts.
#[derive(Debug, Default)]
pub struct Progress {
    page_count: Option<u32>,
    last_page: u32,
}

impl Progress {
    pub fn record(&mut self, part: &DocumentPart) {
        match part {
            DocumentPart::Opened(info) => self.page_count = Some(info.page_count),
            DocumentPart::Attachment(_) => {}
            DocumentPart::Page(page) => self.last_page = page.number,
        }
    }

    pub fn stage(&self) -> Stage {
        match self.page_count {
            None => Stage::Open,
            Some(_) => Stage::Page,
        }
    }

    /// The page being read.
    pub fn page(&self) -> Option<u32> {
        let next = self.last_page.checked_add(1)?;
        (next <= self.page_count?).then_some(next)
    }
}

/// Runs the engine and catches its panics.
pub fn run(
    engine: Engine,
    data: Vec<u8>,
    request: &Request,
    emit: &mut dyn FnMut(DocumentPart) -> ControlFlow<()>,
) -> Result<(), Failure> {
    let mut progress = Progress::default();
    let result = without_panic(|| {
        engine(data, request, &mut |part| {
            progress.record(&part);
            emit(part)
        })
    });
    result.unwrap_or_else(|message| {
        Err(Failure {
            kind: FailureKind::Panic,
            stage: progress.stage(),
            page: progress.page(),
            message,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Info, Page};

    #[test]
    fn reports_the_page_being_read() {
        let mut progress = Progress::default();
        assert_eq!((progress.stage(), progress.page()), (Stage::Open, None));
        progress.record(&DocumentPart::Opened(Info {
            page_count: 2,
            ..Info::default()
        }));
        assert_eq!((progress.stage(), progress.page()), (Stage::Page, Some(1)));
        for (number, next) in [(1, Some(2)), (2, None), (u32::MAX, None)] {
            progress.record(&DocumentPart::Page(Page {
                number,
                ..Page::default()
            }));
            assert_eq!(progress.page(), next);
        }
    }
}
