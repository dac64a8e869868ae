//! Reads the units of a compressed file one after the other, and finds the next one after damage.

use std::io;

use super::buffer::Buffer;
use super::codec::{Codec, MAGIC_BYTES, Pull};
use super::reasons;
use super::record_start;
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::record::RecordError;

/// Maximum text size of a valid unit that is accepted after damage although it does not start a
/// record.
const MAX_SOUND_TEXT_BYTES: usize = 1 << 20;
/// Maximum number of bytes decompressed to try such units after one damaged unit.
const MAX_TRIAL_BYTES: usize = 64 << 20;
/// Maximum number of damaged units that start within another damaged unit. Without a limit, a
/// hostile file could make the reader decompress the rest of the file from each of millions of
/// offsets.
const MAX_OVERLAPS: u32 = 256;

/// Maximum number of candidates inside a damaged unit that turn out to be part of its content.
/// After them, the rest of the unit is not searched.
const MAX_COPIES: u32 = 4;
/// Number of bytes compared to determine whether a candidate is part of a damaged unit's content.
const COMPARED_BYTES: usize = 64;

/// Bytes that do not belong to any unit.
#[derive(Debug)]
pub struct Gap {
    pub offset: u64,
    pub length: u64,
    pub error: RecordError,
}

pub enum UnitStart {
    /// A unit starts at this offset and can be pulled from.
    Unit(u64),
    Gap(Gap),
    End,
}

pub struct UnitEnd {
    /// The file offset of the end, if it is known.
    pub offset: Option<u64>,
    pub damage: Option<RecordError>,
}

enum NextUnit {
    /// The next unit starts where the last one ended, or after some padding.
    Adjacent,
    /// The unit at `unit` is damaged: the next one is searched for from `from`. Decompression
    /// stopped at `failed_at`; `ends` if the next unit appears to start there.
    Search {
        from: u64,
        unit: u64,
        failed_at: u64,
        ends: bool,
    },
    Found(u64),
    Nothing,
}

pub struct Units {
    input: BufferedFile,
    codec: Box<dyn Codec>,
    next: NextUnit,
    /// The offset of the current unit.
    offset: u64,
    /// The offset up to which damaged units have been read.
    horizon: u64,
    overlaps: u32,
    scratch: Buffer,
}

impl Units {
    pub fn new(input: BufferedFile, codec: Box<dyn Codec>) -> Self {
        Self {
            input,
            codec,
            next: NextUnit::Adjacent,
            offset: 0,
            horizon: 0,
            overlaps: 0,
            scratch: Buffer::default(),
        }
    }

    /// Upper bound for the size of the text of all units from `offset` on.
    pub fn max_text_from(&self, offset: u64) -> u64 {
        let left = self.input.file().size().saturating_sub(offset);
        left.saturating_mul(self.codec.max_ratio())
    }

    pub fn longest_verbatim_run(&self) -> u64 {
        self.codec.longest_verbatim_run()
    }

    /// Continues with the unit that starts at `offset`.
    pub fn restart(&mut self, offset: u64) {
        self.input.seek(offset);
        self.next = NextUnit::Found(offset);
    }

    pub fn restart_from_the_beginning(&mut self) {
        self.input.seek(0);
        self.next = NextUnit::Adjacent;
    }

    /// Finds the start of the next unit.
    pub fn begin(&mut self) -> UnitStart {
        match std::mem::replace(&mut self.next, NextUnit::Adjacent) {
            NextUnit::Adjacent => self.begin_adjacent(),
            NextUnit::Found(offset) => self.begin_at(offset),
            NextUnit::Search {
                from,
                unit,
                failed_at,
                ends,
            } => match self.search_damaged(from, unit, failed_at, ends) {
                Some(offset) => self.begin_at(offset),
                None if ends => {
                    self.input.seek(failed_at);
                    self.begin_adjacent()
                }
                None => match self.search(failed_at.max(from), u64::MAX, true) {
                    Some(offset) => self.begin_at(offset),
                    None => self.end(),
                },
            },
            NextUnit::Nothing => self.end(),
        }
    }

    fn end(&mut self) -> UnitStart {
        self.next = NextUnit::Nothing;
        let Some(error) = self.input.take_error() else {
            return UnitStart::End;
        };
        UnitStart::Gap(Gap {
            offset: self.input.position(),
            length: 0,
            error: RecordError::io(&error),
        })
    }

    fn begin_at(&mut self, offset: u64) -> UnitStart {
        self.input.seek(offset);
        self.offset = offset;
        self.codec.start(true);
        UnitStart::Unit(offset)
    }

    fn begin_adjacent(&mut self) -> UnitStart {
        self.skip_padding();
        if self.input.at_end() {
            return self.end();
        }
        let offset = self.input.position();
        let whole_magic = self.input.ensure(MAGIC_BYTES);
        if self.codec.is_magic(self.input.unread()) {
            return self.begin_at(offset);
        }
        let half_magic = !whole_magic && self.codec.is_magic_start(self.input.unread());
        let found = self.search(offset + 1, u64::MAX, true);
        self.next = found.map_or(NextUnit::Nothing, NextUnit::Found);
        let length = self.input.position() - offset;
        let reason = match found {
            Some(_) => reasons::JUNK,
            None if half_magic => reasons::TRUNCATED,
            None => reasons::TRAILING_GARBAGE,
        };
        let detail = format!("{length} bytes that are not a {}", self.codec.name());
        UnitStart::Gap(Gap {
            offset,
            length,
            error: RecordError::new(reason, detail),
        })
    }

    /// Skips zeros (tape blocks, preallocated files) and blank lines.
    fn skip_padding(&mut self) {
        while !self.input.at_end() {
            let bytes = self.input.unread();
            let padding = bytes
                .iter()
                .take_while(|b| matches!(b, 0 | b'\r' | b'\n'))
                .count();
            let done = padding < bytes.len();
            self.input.consume(padding);
            if done {
                return;
            }
        }
    }

    /// Appends more text of the current unit to `text`. Returns its end when it is reached.
    pub fn pull(&mut self, text: &mut Buffer) -> Option<UnitEnd> {
        match self.codec.pull(&mut self.input, text) {
            Pull::Text => None,
            Pull::End => Some(UnitEnd {
                offset: Some(self.input.position()),
                damage: None,
            }),
            Pull::Damage { error, at_end } => {
                let end = self.input.position();
                let error = self.note_damage(error, at_end);
                let known = at_end || error.reason == reasons::TRUNCATED;
                Some(UnitEnd {
                    offset: known.then_some(end),
                    damage: Some(error),
                })
            }
        }
    }

    fn note_damage(&mut self, error: RecordError, at_end: bool) -> RecordError {
        if let Some(error) = self.input.take_error() {
            self.next = NextUnit::Nothing;
            return RecordError::io(&error);
        }
        self.input.ensure(MAGIC_BYTES);
        let ends =
            at_end && (self.input.unread().is_empty() || self.codec.is_magic(self.input.unread()));
        let failed_at = self.input.position();
        self.overlaps = if self.offset < self.horizon {
            self.overlaps + 1
        } else {
            0
        };
        self.horizon = self.horizon.max(failed_at);
        let from = if self.overlaps > MAX_OVERLAPS {
            self.horizon
        } else {
            self.offset + 1
        };
        let mut reason = error.reason;
        self.next = match reason {
            // Either the file was cut, or damage made the decoder read all units to the file's end.
            reasons::TRUNCATED => match self.search_damaged(from, self.offset, failed_at, false) {
                Some(offset) => {
                    reason = reasons::DAMAGED;
                    NextUnit::Found(offset)
                }
                None => NextUnit::Nothing,
            },
            _ => NextUnit::Search {
                from,
                unit: self.offset,
                failed_at,
                ends,
            },
        };
        let detail = format!("{} at {}: {}", self.codec.name(), self.offset, error.detail);
        RecordError::new(reason, detail)
    }

    /// Finds the first unit that starts inside a damaged unit: the decoder may have continued
    /// through the damage into valid units. If the damaged unit seems to end where it should
    /// (`careful`), a candidate can also be part of an archive that it contains verbatim.
    fn search_damaged(
        &mut self,
        mut from: u64,
        unit: u64,
        failed_at: u64,
        careful: bool,
    ) -> Option<u64> {
        for _ in 0..MAX_COPIES {
            let candidate = self.search(from, failed_at, true)?;
            if !careful
                || self.unbroken_from(candidate)
                || !self.is_content(unit, candidate, failed_at)
            {
                return Some(candidate);
            }
            from = candidate + 1;
        }
        None
    }

    /// Whether the bytes from `offset` on are part of the text of this unit.
    fn is_content(&mut self, unit: u64, offset: u64, failed_at: u64) -> bool {
        self.input.seek(offset);
        self.input.ensure(COMPARED_BYTES);
        let length = self.input.unread().len().min(COMPARED_BYTES);
        let bytes = self.input.unread()[..length].to_vec();
        let finder = memchr::memmem::Finder::new(&bytes);
        self.input.seek(unit);
        self.codec.start(false);
        self.scratch.clear();
        loop {
            let pull = self.codec.pull(&mut self.input, &mut self.scratch);
            if finder.find(self.scratch.unread()).is_some() {
                return true;
            }
            if !matches!(pull, Pull::Text) || self.input.position() > failed_at {
                return false;
            }
            // The bytes may be split between two steps.
            let done = self.scratch.len().saturating_sub(length);
            self.scratch.consume(done);
            self.scratch.release();
        }
    }

    /// Finds the first unit in `from..to` whose text starts with a record; with `sound`, also any
    /// small unit that decompresses without an error.
    pub fn search(&mut self, from: u64, to: u64, sound: bool) -> Option<u64> {
        let mut budget = if sound { MAX_TRIAL_BYTES } else { 0 };
        self.input.seek(from.max(self.codec.opaque_start()));
        while self.input.position() < to {
            match self.codec.find_magic(self.input.unread()) {
                Some(at) => {
                    self.input.consume(at);
                    let candidate = self.input.position();
                    if candidate >= to {
                        return None;
                    }
                    let accepted = self.try_unit(&mut budget);
                    self.input.seek(candidate + u64::from(!accepted));
                    if accepted {
                        return Some(candidate);
                    }
                }
                None => {
                    let done = self.input.unread().len().saturating_sub(MAGIC_BYTES);
                    self.input.consume(done);
                    if !self.input.fill() {
                        let rest = self.input.unread().len();
                        self.input.consume(rest);
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Takes the error that ended a search, if bytes before `end` could not be read.
    pub fn take_error_before(&mut self, end: u64) -> Option<io::Error> {
        self.input
            .take_error()
            .filter(|_| self.input.position() < end)
    }

    fn try_unit(&mut self, budget: &mut usize) -> bool {
        self.codec.start(false);
        self.scratch.clear();
        let mut end = None;
        while end.is_none() && self.scratch.len() < record_start::PROBE_BYTES {
            end = Some(self.codec.pull(&mut self.input, &mut self.scratch))
                .filter(|pull| !matches!(pull, Pull::Text));
        }
        if record_start::at(self.scratch.unread()).is_some() {
            return true;
        }
        while end.is_none() && self.scratch.len() < MAX_SOUND_TEXT_BYTES.min(*budget) {
            end = Some(self.codec.pull(&mut self.input, &mut self.scratch))
                .filter(|pull| !matches!(pull, Pull::Text));
        }
        let within_budget = *budget > 0;
        *budget = budget.saturating_sub(self.scratch.len().max(1));
        within_budget && matches!(end, Some(Pull::End)) && self.scratch.len() > 0
    }

    /// Whether consecutive valid units start at `offset` and continue for more than the longest
    /// verbatim run, or to the end of the file (see `split`).
    pub fn unbroken_from(&mut self, offset: u64) -> bool {
        self.input.seek(offset);
        loop {
            self.codec.start(true);
            loop {
                self.scratch.clear();
                match self.codec.pull(&mut self.input, &mut self.scratch) {
                    Pull::Text => {}
                    Pull::End => break,
                    Pull::Damage { .. } => return false,
                }
            }
            if self.input.position() - offset > self.codec.longest_verbatim_run() {
                return true;
            }
            self.skip_padding();
            if self.input.at_end() {
                return true;
            }
            self.input.ensure(MAGIC_BYTES);
            if !self.codec.is_magic(self.input.unread()) {
                return false;
            }
        }
    }

    /// Skips everything before the first unit at or after `offset` that starts a record.
    pub fn walk_to(&mut self, offset: u64) {
        loop {
            match self.begin() {
                UnitStart::End => return,
                UnitStart::Gap(_) => {}
                UnitStart::Unit(start) => {
                    let mut text = std::mem::take(&mut self.scratch);
                    let mut end = None;
                    text.clear();
                    while end.is_none() && text.len() < record_start::PROBE_BYTES {
                        end = self.pull(&mut text);
                    }
                    let arrived = start >= offset && record_start::at(text.unread()).is_some();
                    while !arrived && end.is_none() {
                        text.clear();
                        end = self.pull(&mut text);
                    }
                    self.scratch = text;
                    if arrived {
                        return self.restart(start);
                    }
                }
            }
        }
    }
}
