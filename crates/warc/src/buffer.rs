//! A buffer of text (decompressed bytes) that is filled at the end and consumed at the front.

use corpus_bytes::step_counter::count_steps;

/// Bytes do not move until [`Buffer::release`], so that a body can be handed out as a range of the
/// buffer, without a copy.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// The position of the unread bytes, as [`part`](Self::part) takes it.
    pub fn start(&self) -> usize {
        self.start
    }

    pub fn part(&self, start: usize, length: usize) -> &[u8] {
        let end = start.saturating_add(length).min(self.end);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns space for `count` bytes after the end, to be filled and then
    /// [committed](Self::commit).
    pub fn space(&mut self, count: usize) -> &mut [u8] {
        if self.bytes.is_empty() {
            // Memory that the system has zeroed. Most texts use only the start of it.
            self.bytes = vec![0; count];
        } else if self.bytes.len() < self.end + count {
            self.bytes.resize(self.end + count, 0);
        }
        &mut self.bytes[self.end..self.end + count]
    }

    pub fn commit(&mut self, count: usize) {
        self.end = (self.end + count).min(self.bytes.len());
    }

    pub fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Drops the unread bytes after the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.end = self.end.min(self.start + count);
    }

    /// Frees the consumed bytes. Parts handed out before become invalid.
    pub fn release(&mut self) {
        // Moving a long tail to free a few bytes would make many small steps quadratic.
        if self.start == self.end || self.start >= self.len() {
            count_steps(self.len());
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
    }

    pub fn clear(&mut self) {
        self.start = 0;
        self.end = 0;
    }
}
