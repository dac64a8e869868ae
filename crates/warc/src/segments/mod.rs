//! The text of a file in *segments*: no record extends from one segment into the next.
//!
//! An uncompressed file is one segment. In a compressed file a segment is a unit whose text
//! starts with the first line of a record, and the units after it that do not: usually one
//! member with one record. A segment ends before the next unit that starts a record, at a gap,
//! after a damaged unit, or with the file.
//!
//! **Damage.** A checksum covers a whole unit, so every record in a damaged one is suspect. A unit
//! with several records is decompressed ahead of them: [`CHECKED_START_BYTES`] from its start, and
//! [`CHECKED_AHEAD_BYTES`] from each record. Records emitted before damage was detected are
//! counted, and an error row reports their number.

use std::collections::VecDeque;
use std::mem;

mod peek;

use crate::buffer::Buffer;
use crate::plain_file::PlainFile;
use crate::reasons;
use crate::record_start;
use crate::units::{Gap, UnitStart, Units};
use corpus_bytes::record::RecordError;

/// Number of bytes of a unit with several records that are decompressed before its first record is
/// emitted.
const CHECKED_START_BYTES: u64 = 16 << 20;
/// Number of bytes after a record that are decompressed before it is emitted. A deflate block is
/// about half as long, and damage is usually detected by the start of the next block.
const CHECKED_AHEAD_BYTES: u64 = 128 << 10;

pub enum TextSource {
    Plain(PlainFile),
    Units(Box<Units>),
}

pub enum Segment {
    Text {
        /// Whether the text follows damage or a gap, so that it need not start with a record.
        resumed: bool,
    },
    Gap(Gap),
}

enum AfterUnit {
    /// The next unit starts a record. Its first text is already in the buffer.
    Record,
    Gap(Gap),
    /// The next unit has not been read yet.
    Unknown {
        resumed: bool,
    },
    End,
}

/// The damage of a unit.
pub struct Damage {
    /// The text positions of the unit.
    start: u64,
    end: u64,
    /// Its offset in the file.
    pub offset: u64,
    pub error: RecordError,
    /// Whether a row has the error.
    reported: bool,
}

impl Damage {
    /// Whether all text of the unit may be wrong. The text of a truncated unit is correct.
    fn spoils_unit(&self) -> bool {
        matches!(self.error.reason, reasons::DAMAGED | reasons::CRC_MISMATCH)
    }
}

/// Returns the text position up to which a unit is decompressed before a record that ends at
/// `position` is emitted. It depends on nothing else, so that all ranges report the same errors.
fn checked_end(unit_start: u64, position: u64) -> u64 {
    (unit_start + CHECKED_START_BYTES).max(position + CHECKED_AHEAD_BYTES)
}

/// A unit (or the uncompressed file) that has text in the buffer.
struct BufferedUnit {
    /// The text position at which it starts.
    start: u64,
    offset: u64,
    /// Text position and file offset of its end, once it has been reached.
    end: Option<(u64, u64)>,
}

pub struct Segments {
    source: TextSource,
    buffer: Buffer,
    /// The text position of the first unread byte; in an uncompressed file, its offset.
    position: u64,
    /// The text position at which the segment ends, if it ends within the buffer.
    segment_end: Option<u64>,
    spans: VecDeque<BufferedUnit>,
    in_unit: bool,
    stop: Option<AfterUnit>,
    damage: Option<Damage>,
    /// Number of records of the current unit that were emitted without an error before its end.
    unchecked: u64,
    /// Whether a record of the current unit has a wrong length.
    contradicted: bool,
    /// The end of the unit after a [`AfterUnit::Record`], if it is already known.
    next: Option<(Option<AfterUnit>, Option<Damage>)>,
    /// Units that start a record at or after this offset belong to other ranges.
    range_end: u64,
}

impl Segments {
    pub fn new(source: TextSource, range_end: u64) -> Self {
        Self {
            source,
            buffer: Buffer::default(),
            position: 0,
            segment_end: None,
            spans: VecDeque::new(),
            in_unit: false,
            stop: Some(AfterUnit::Unknown { resumed: false }),
            damage: None,
            unchecked: 0,
            contradicted: false,
            next: None,
            range_end,
        }
    }

    /// The text of a source that starts at this position instead of its start.
    pub fn at(self, position: u64) -> Self {
        Self { position, ..self }
    }

    pub fn plain(&mut self) -> Option<&mut PlainFile> {
        match &mut self.source {
            TextSource::Plain(plain) => Some(plain),
            TextSource::Units(_) => None,
        }
    }

    /// The unread text of the segment in the buffer.
    pub fn bytes(&self) -> &[u8] {
        let bytes = self.buffer.unread();
        match self.segment_end {
            Some(end) => &bytes[..bytes.len().min((end - self.position) as usize)],
            None => bytes,
        }
    }

    pub fn part(&self, start: usize, length: usize) -> &[u8] {
        self.buffer.part(start, length)
    }

    pub fn buffer_start(&self) -> usize {
        self.buffer.start()
    }

    pub fn position(&self) -> u64 {
        self.position
    }

    pub fn consume(&mut self, count: usize) {
        let count = count.min(self.bytes().len());
        self.buffer.consume(count);
        self.position += count as u64;
        while let Some(next) = self.spans.get(1)
            && next.start < self.position
        {
            self.spans.pop_front();
        }
    }

    /// Frees consumed text. Parts of the buffer that were handed out become invalid.
    pub fn release(&mut self) {
        self.buffer.release();
    }

    /// The offset of the unread text in an uncompressed file; otherwise the offset of its unit.
    pub fn offset(&self) -> u64 {
        match self.source {
            TextSource::Plain(_) => self.position,
            TextSource::Units(_) => self.span_here().map_or(0, |span| span.offset),
        }
    }

    pub fn starts_unit(&self) -> bool {
        match self.source {
            TextSource::Plain(_) => true,
            TextSource::Units(_) => self
                .span_here()
                .is_some_and(|span| span.start == self.position),
        }
    }

    /// The file offset of the end of the consumed units, if the last one ends here.
    pub fn end_offset(&self) -> Option<u64> {
        self.spans
            .iter()
            .filter_map(|span| span.end)
            .find(|(position, _)| *position == self.position)
            .map(|(_, offset)| offset)
    }

    fn span_here(&self) -> Option<&BufferedUnit> {
        self.spans
            .iter()
            .rev()
            .find(|span| span.start <= self.position)
    }

    /// Upper bound for the number of bytes that follow. Larger declared lengths are wrong.
    pub fn max_remaining_bytes(&self) -> u64 {
        match &self.source {
            TextSource::Plain(plain) => plain.bytes_after(self.position),
            TextSource::Units(units) => units.max_text_from(self.offset()),
        }
    }

    /// Decompresses more of a unit that holds further records, to know whether it is damaged
    /// before the record that ends here is emitted.
    pub fn check_ahead(&mut self) {
        let (TextSource::Units(_), Some(span)) = (&self.source, self.spans.back()) else {
            return;
        };
        let end = checked_end(span.start, self.position);
        while self.stop.is_none()
            && self.in_unit
            && self.position + (self.buffer.len() as u64) < end
        {
            self.pull();
        }
    }

    /// The error of the record that ends here, if it is in a damaged unit. A truncated record
    /// always has the damage that ended its segment. `error` is the error found by the parser.
    pub fn damage_of_record(&mut self, error: Option<&RecordError>) -> Option<RecordError> {
        let (position, is_last) = (self.position, self.bytes().is_empty());
        let short = error.is_some_and(|error| error.reason == reasons::TRUNCATED);
        self.contradicted |= error.is_some_and(|error| error.reason == reasons::BAD_LENGTH);
        let contradicted = self.contradicted;
        let hit = self.damage.as_ref().is_some_and(|damage| {
            let touches = damage.start < position;
            let known = damage.end <= checked_end(damage.start, position);
            let spoilt = damage.spoils_unit() || contradicted;
            short || touches && (is_last || known && spoilt)
        });
        if !hit {
            self.unchecked += u64::from(self.in_unit || self.damage.is_some());
            return None;
        }
        let damage = self.damage.as_mut()?;
        damage.reported = true;
        Some(damage.error.clone())
    }

    /// The damage that ended the segment, unless its rows already report it completely.
    pub fn take_damage(&mut self) -> Option<Damage> {
        let unchecked = mem::take(&mut self.unchecked);
        let mut damage = self.damage.take()?;
        let silent = if damage.spoils_unit() { unchecked } else { 0 };
        if silent > 0 {
            let note =
                format!("; {silent} records in it, returned before this was known, may be wrong");
            damage.error.detail.push_str(&note);
        }
        (!damage.reported || silent > 0).then_some(damage)
    }

    pub fn is_damaged(&self) -> bool {
        self.damage.is_some()
    }

    /// Appends text of the segment to the buffer; `false` when it has no more.
    pub fn fill(&mut self) -> bool {
        while self.stop.is_none() {
            if self.in_unit {
                if self.fill_unit() {
                    return true;
                }
            } else {
                let before = self.buffer.len();
                match self.begin_unit() {
                    Some(AfterUnit::Record) => {
                        self.segment_end = Some(self.position + before as u64);
                        self.next = Some((self.stop.take(), self.damage.take()));
                        self.stop = Some(AfterUnit::Record);
                    }
                    Some(stop) => self.stop = Some(stop),
                    None if self.buffer.len() > before => return true,
                    None => {}
                }
            }
        }
        false
    }

    /// Like [`fill`](Self::fill), but only to the end of the current unit.
    pub fn fill_unit(&mut self) -> bool {
        let before = self.buffer.len();
        while self.stop.is_none() && self.in_unit && self.buffer.len() == before {
            self.pull();
        }
        self.buffer.len() > before
    }

    pub fn ensure(&mut self, count: usize) -> bool {
        while self.bytes().len() < count && self.fill() {}
        self.bytes().len() >= count
    }

    /// Skips up to `count` bytes of the segment. Returns their number.
    pub fn skip(&mut self, count: u64) -> u64 {
        let mut left = count;
        while left > 0 {
            let here = self.bytes().len();
            if here == 0 {
                if let TextSource::Plain(plain) = &mut self.source
                    && plain.should_jump(left)
                {
                    let step = left.min(plain.bytes_after(self.position));
                    self.jump(self.position + step);
                    return count - left + step;
                }
                self.release();
                if !self.fill() {
                    break;
                }
            }
            let step = (here as u64).min(left);
            self.consume(step as usize);
            left -= step;
        }
        count - left
    }

    /// Whether [`jump`](Self::jump) works.
    pub fn can_jump(&self) -> bool {
        matches!(&self.source, TextSource::Plain(plain) if plain.can_jump())
    }

    /// Moves to any position of an uncompressed file.
    pub fn jump(&mut self, position: u64) {
        if let TextSource::Plain(plain) = &mut self.source {
            let buffered = self.buffer.len() as u64;
            if (self.position..=self.position + buffered).contains(&position) {
                self.buffer.consume((position - self.position) as usize);
            } else {
                plain.jump(position);
                self.buffer.clear();
                self.stop = None;
                self.in_unit = true;
            }
            self.position = position;
        }
    }

    /// Skips the rest of the segment and moves to the next one.
    pub fn next_segment(&mut self) -> Option<Segment> {
        while self.fill() || !self.bytes().is_empty() {
            self.consume(self.bytes().len());
            self.release();
        }
        self.consume(self.bytes().len());
        self.segment_end = None;
        match self.stop.take() {
            Some(AfterUnit::Record) => {
                self.spans.drain(..self.spans.len().saturating_sub(1));
                (self.stop, self.damage) = self.next.take().unwrap_or_default();
                Some(Segment::Text { resumed: false })
            }
            Some(AfterUnit::End) => {
                self.stop = Some(AfterUnit::End);
                None
            }
            Some(AfterUnit::Gap(gap)) => self.leave_gap(gap),
            Some(AfterUnit::Unknown { resumed }) => self.first_unit(resumed),
            None => self.first_unit(true),
        }
    }

    fn leave_gap(&mut self, gap: Gap) -> Option<Segment> {
        self.stop = Some(AfterUnit::Unknown { resumed: true });
        Some(Segment::Gap(gap))
    }

    fn first_unit(&mut self, resumed: bool) -> Option<Segment> {
        self.buffer.clear();
        self.spans.clear();
        match self.begin_unit() {
            Some(AfterUnit::Record) => Some(Segment::Text { resumed: false }),
            Some(AfterUnit::Gap(gap)) => self.leave_gap(gap),
            Some(stop) => {
                self.stop = Some(stop);
                None
            }
            None => Some(Segment::Text { resumed }),
        }
    }

    /// Starts the next unit and decompresses enough of it to determine whether it starts a record.
    /// `None` if it does not.
    fn begin_unit(&mut self) -> Option<AfterUnit> {
        let start = self.position + self.buffer.len() as u64;
        let before = self.buffer.len();
        let offset = match &mut self.source {
            TextSource::Plain(plain) => plain.position(),
            TextSource::Units(units) => match units.begin() {
                UnitStart::Unit(offset) => offset,
                UnitStart::Gap(gap) => return Some(AfterUnit::Gap(gap)),
                UnitStart::End => return Some(AfterUnit::End),
            },
        };
        self.spans.push_back(BufferedUnit {
            start,
            offset,
            end: None,
        });
        self.in_unit = true;
        self.unchecked = 0;
        self.contradicted = false;
        if let TextSource::Plain(_) = self.source {
            return None;
        }
        while self.in_unit && self.buffer.len() - before < record_start::PROBE_BYTES {
            self.pull();
        }
        record_start::at(&self.buffer.unread()[before..])?;
        Some(if offset < self.range_end {
            AfterUnit::Record
        } else {
            self.buffer.truncate(before);
            self.in_unit = false;
            self.damage = None;
            AfterUnit::End
        })
    }

    fn pull(&mut self) {
        let (end, damage, stop) = match &mut self.source {
            TextSource::Plain(plain) => match plain.pull(&mut self.buffer) {
                Ok(true) => return,
                Ok(false) => (Some(plain.position()), None, AfterUnit::End),
                Err(error) => (None, Some(error), AfterUnit::End),
            },
            TextSource::Units(units) => match units.pull(&mut self.buffer) {
                None => return,
                Some(end) => (end.offset, end.damage, AfterUnit::Unknown { resumed: true }),
            },
        };
        self.in_unit = false;
        let ends_segment = damage.is_some() || matches!(stop, AfterUnit::End);
        if let Some(span) = self.spans.back_mut() {
            let position = self.position + self.buffer.len() as u64;
            span.end = end.map(|offset| (position, offset));
            self.damage = damage.map(|error| Damage {
                start: span.start,
                end: position,
                offset: span.offset,
                error,
                reported: false,
            });
        }
        if ends_segment {
            self.stop = Some(stop);
        }
    }
}
