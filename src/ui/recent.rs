//! A cache of the newest values.

use std::collections::VecDeque;

use parking_lot::Mutex;

/// Values by their keys, up to a number and a size. The least recently used one makes room.
pub struct Recent<V> {
    max_values: usize,
    max_bytes: usize,
    /// With their sizes, the last used one at the end.
    values: Mutex<VecDeque<(String, usize, V)>>,
}

impl<V: Clone> Recent<V> {
    pub fn new(max_values: usize, max_bytes: usize) -> Self {
        Self {
            max_values,
            max_bytes,
            values: Mutex::default(),
        }
    }

    pub fn find(&self, key: &str) -> Option<V> {
        let mut values = self.values.lock();
        let at = values.iter().position(|(known, ..)| known == key)?;
        let found = values.remove(at)?;
        values.push_back(found.clone());
        Some(found.2)
    }

    /// Keeps a value, unless it is too large.
    pub fn keep(&self, key: String, bytes: usize, value: V) {
        let mut values = self.values.lock();
        values.retain(|(known, ..)| *known != key);
        values.push_back((key, bytes, value));
        let mut all: usize = values.iter().map(|(_, bytes, _)| bytes).sum();
        while all > self.max_bytes || values.len() > self.max_values {
            let Some((_, bytes, _)) = values.pop_front() else {
                return;
            };
            all -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_values_are_kept() {
        let recent = Recent::new(2, 10);
        recent.keep("a".to_owned(), 1, 'a');
        recent.keep("b".to_owned(), 1, 'b');
        assert_eq!(recent.find("a"), Some('a'));
        recent.keep("c".to_owned(), 1, 'c');
        assert_eq!((recent.find("a"), recent.find("b")), (Some('a'), None));
        recent.keep("large".to_owned(), 11, 'd');
        assert!(recent.values.lock().is_empty());
    }
}
