//! Peeks at another position of an uncompressed file.

use std::mem;

use super::{AfterUnit, Damage, Segments, TextSource};
use crate::buffer::Buffer;
use crate::plain_file;

/// The state to return to after peeking.
pub struct Peek {
    plain: Option<plain_file::PlainFileState>,
    buffer: Buffer,
    position: u64,
    stop: Option<AfterUnit>,
    in_unit: bool,
    damage: Option<Damage>,
}

impl Segments {
    /// Moves to any position of an uncompressed file, and reads only a few bytes there: many
    /// records may declare lengths that lead far away. The buffered text is kept for
    /// [`undo_peek`](Self::undo_peek).
    pub fn peek_at(&mut self, position: u64) -> Peek {
        let plain = match &mut self.source {
            TextSource::Plain(plain) => Some(plain.peek_at(position)),
            TextSource::Units(_) => None,
        };
        let peek = Peek {
            plain,
            buffer: mem::take(&mut self.buffer),
            position: self.position,
            stop: self.stop.take(),
            in_unit: self.in_unit,
            damage: self.damage.take(),
        };
        self.position = position;
        self.in_unit = true;
        peek
    }

    /// Continues from the position of the peek.
    pub fn accept_peek(&mut self) {
        if let TextSource::Plain(plain) = &mut self.source {
            plain.accept_peek();
        }
    }

    pub fn undo_peek(&mut self, peek: Peek) {
        if let (TextSource::Plain(plain), Some(plain_peek)) = (&mut self.source, peek.plain) {
            plain.undo_peek(plain_peek);
        }
        self.buffer = peek.buffer;
        self.position = peek.position;
        self.stop = peek.stop;
        self.in_unit = peek.in_unit;
        self.damage = peek.damage;
    }
}
