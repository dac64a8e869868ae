//! The warnings of the program, which the page shows beside the statement that ran meanwhile.

use std::collections::VecDeque;

use parking_lot::Mutex;

/// The maximum number of warnings that are kept.
const MAX_WARNINGS: usize = 100;

/// The newest warnings.
#[derive(Default)]
pub struct Warnings(Mutex<Newest>);

#[derive(Default)]
struct Newest {
    texts: VecDeque<String>,
    /// The number of all warnings so far.
    count: u64,
}

impl Warnings {
    pub fn add(&self, text: &str) {
        let mut newest = self.0.lock();
        newest.count += 1;
        newest.texts.push_back(text.to_owned());
        if newest.texts.len() > MAX_WARNINGS {
            newest.texts.pop_front();
        }
    }

    /// The number of all warnings so far.
    pub fn count(&self) -> u64 {
        self.0.lock().count
    }

    /// Returns each text after the first `count` warnings once.
    pub fn after(&self, count: u64) -> Vec<String> {
        let newest = self.0.lock();
        let wanted = usize::try_from(newest.count - count).unwrap_or(usize::MAX);
        let skipped = newest.texts.len().saturating_sub(wanted);
        let mut texts: Vec<String> = Vec::new();
        for text in newest.texts.iter().skip(skipped) {
            if !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_after_a_number_of_warnings_are_returned_once() {
        let warnings = Warnings::default();
        warnings.add("a");
        let count = warnings.count();
        assert!(warnings.after(count).is_empty());
        for text in ["b", "c", "b"] {
            warnings.add(text);
        }
        assert_eq!(warnings.after(count), ["b", "c"]);
        for number in 0..MAX_WARNINGS {
            warnings.add(&number.to_string());
        }
        assert_eq!(warnings.after(count).len(), MAX_WARNINGS);
    }
}
