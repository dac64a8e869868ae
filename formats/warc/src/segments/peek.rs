//! A look at another position of an uncompressed file.

use std::mem;

use super::{Damage, Segments, Source, Stop};
use crate::buffer::Buffer;
use crate::plain;

/// What a look at another position sets aside.
pub struct Aside {
    plain: Option<plain::Aside>,
    buffer: Buffer,
    position: u64,
    stop: Option<Stop>,
    in_unit: bool,
    damage: Option<Damage>,
}

impl Segments {
    /// Moves to any position of an uncompressed file, and reads only a few bytes there: many records
    /// may declare lengths that lead far away. What is buffered here is kept for
    /// [`come_back`](Self::come_back).
    pub fn look_at(&mut self, position: u64) -> Aside {
        let plain = match &mut self.source {
            Source::Plain(plain) => Some(plain.look_at(position)),
            Source::Units(_) => None,
        };
        let aside = Aside {
            plain,
            buffer: mem::take(&mut self.buffer),
            position: self.position,
            stop: self.stop.take(),
            in_unit: self.in_unit,
            damage: self.damage.take(),
        };
        self.position = position;
        self.in_unit = true;
        aside
    }

    /// Goes on from where it looks.
    pub fn stay(&mut self) {
        if let Source::Plain(plain) = &mut self.source {
            plain.stay();
        }
    }

    pub fn come_back(&mut self, aside: Aside) {
        if let (Source::Plain(plain), Some(aside)) = (&mut self.source, aside.plain) {
            plain.come_back(aside);
        }
        self.buffer = aside.buffer;
        self.position = aside.position;
        self.stop = aside.stop;
        self.in_unit = aside.in_unit;
        self.damage = aside.damage;
    }
}
