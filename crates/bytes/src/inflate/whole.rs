//! Inflates data in one call of libdeflate, which is a third faster than any streaming inflater.

use std::mem;

use libdeflater::{DecompressionError, Decompressor};

use crate::gzip;

const FIRST_ROOM_BYTES: usize = 64 << 10;

/// Inflates data whose end is known, in one call each.
///
/// `None` means that the data is too large, damaged or not provably complete. A streaming inflater
/// then determines the error, and saves as much data as possible.
pub struct WholeInflater(Decompressor);

impl Default for WholeInflater {
    fn default() -> Self {
        Self::new()
    }
}

impl WholeInflater {
    pub fn new() -> Self {
        Self(Decompressor::new())
    }

    /// Inflates one gzip member that ends where `member` ends, if its text has at most `max_bytes`.
    ///
    /// `room` is called with the size of the text, and returns a buffer of exactly that size.
    /// libdeflate does not report where a member ended. So the result is accepted only if the
    /// size field at the end occurs nowhere earlier: then the member cannot have ended earlier.
    pub fn gzip_member<'a>(
        &mut self,
        member: &[u8],
        max_bytes: usize,
        room: impl FnOnce(usize) -> &'a mut [u8],
    ) -> Option<usize> {
        let size = gzip::declared_size(member)?;
        if size > max_bytes || !gzip::has_unique_size_field(member) {
            return None;
        }
        let inflated = self.0.gzip_decompress(member, room(size));
        (inflated == Ok(size)).then_some(size)
    }

    /// Inflates a zlib stream into `room`, which grows up to `max_bytes`. Returns the text's size.
    pub fn zlib(&mut self, data: &[u8], room: &mut Vec<u8>, max_bytes: usize) -> Option<usize> {
        let likely = Self::likely_size(data).min(max_bytes);
        if room.len() < likely {
            renew(room, likely);
        }
        self.zlib_into(data, room, max_bytes)
    }

    /// Like [`Self::zlib`], but the room grows only if the text does not fit.
    pub fn zlib_into(
        &mut self,
        data: &[u8],
        room: &mut Vec<u8>,
        max_bytes: usize,
    ) -> Option<usize> {
        loop {
            match self.0.zlib_decompress(data, room) {
                Ok(size) => return Some(size),
                Err(DecompressionError::InsufficientSpace) if room.len() < max_bytes => {
                    let larger = (room.len() * 4).max(FIRST_ROOM_BYTES);
                    renew(room, larger.min(max_bytes));
                }
                Err(_) => return None,
            }
        }
    }

    /// Returns a size that is enough for most texts: a few times that of their compressed data.
    pub fn likely_size(data: &[u8]) -> usize {
        (4 * data.len()).max(FIRST_ROOM_BYTES)
    }
}

/// Replaces a buffer by one of another size. The system provides new memory with zeros; a resized
/// buffer would have to be filled, and its content copied.
pub fn renew(room: &mut Vec<u8>, size: usize) {
    drop(mem::take(room));
    *room = vec![0; size];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::{gzip, zlib};

    fn whole(data: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let room = &mut text;
        let size = WholeInflater::new().gzip_member(data, max_bytes, move |size| {
            room.resize(size, 0);
            room
        })?;
        assert_eq!(size, text.len());
        Some(text)
    }

    #[test]
    fn only_single_sound_members_are_accepted() {
        let data = gzip(b"hello");
        assert_eq!(whole(&data, 5).as_deref(), Some(&b"hello"[..]));
        assert_eq!(whole(&data, 4), None);
        assert_eq!(whole(&data[..data.len() - 1], 1 << 20), None);
        let twice = [&data[..], &data].concat();
        assert_eq!(whole(&twice, 1 << 20), None);
        let different = [&data[..], &gzip(b"longer text")].concat();
        assert_eq!(whole(&different, 1 << 20), None);
    }

    #[test]
    fn room_grows_up_to_its_maximum() {
        let text = vec![b'a'; 1 << 20];
        let data = zlib(&text);
        let (mut inflater, mut room) = (WholeInflater::new(), Vec::new());
        let size = inflater.zlib(&data, &mut room, 2 << 20);
        assert_eq!(size, Some(text.len()));
        assert!(room[..text.len()] == text);
        let mut room = Vec::new();
        assert_eq!(inflater.zlib(&data, &mut room, text.len() - 1), None);
        assert!(room.len() < text.len());
        assert_eq!(
            inflater.zlib(&data[..data.len() - 1], &mut room, 2 << 20),
            None
        );
    }
}
