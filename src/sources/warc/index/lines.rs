//! The lines of an index: all of them, or by bisection those in ranges of a sorted file.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use super::filters::KeyRanges;
use crate::sources::compression::{Compression, MAGIC_LENGTH};
use crate::sources::record::FileBytes;

/// Longer lines are no lines of an index.
const MAX_LINE: u64 = 1 << 20;
/// A stretch that is read through rather than halved again.
const STRETCH: u64 = 64 << 10;

/// Calls `visit` for the lines in the ranges, or for all lines. An error tells its place.
pub fn visit_lines(
    file: &Arc<dyn FileBytes>,
    ranges: Option<KeyRanges>,
    mut visit: impl FnMut(&[u8]) -> Result<(), String>,
) -> Result<(), String> {
    let mut magic = [0; MAGIC_LENGTH];
    let count = file
        .read_at(0, &mut magic)
        .map_err(|error| error.to_string())?;
    if let Some(compression) = Compression::detect(&magic[..count]) {
        // It cannot be bisected, so it need not be sorted either.
        let stream = file
            .stream(0)
            .and_then(|stream| compression.decoder(stream));
        let mut lines = Lines::new(stream.map_err(|error| error.to_string())?, 0);
        return lines.each(|line| {
            let wanted = ranges
                .as_ref()
                .is_none_or(|ranges| ranges.iter().any(|range| range.contains(&line.to_vec())));
            if wanted {
                visit(line)?
            }
            Ok(true)
        });
    }
    let Some(ranges) = ranges else {
        return lines_from(file, 0)?.each(|line| visit(line).map(|()| true));
    };
    for range in ranges {
        let start = bisect(file, &range.start)?;
        let mut last = Vec::new();
        lines_from(file, start)?.each(|line| {
            if line < last.as_slice() {
                return Err(not_sorted());
            }
            last.clear();
            last.extend_from_slice(line);
            if line >= range.end.as_slice() {
                return Ok(false);
            }
            if line >= range.start.as_slice() {
                visit(line)?;
            }
            Ok(true)
        })?;
    }
    Ok(())
}

fn not_sorted() -> String {
    "the lines are not sorted by their bytes (as by LC_ALL=C sort)".to_owned()
}

/// The start of a line from which on no line that is not less than `key` is missed.
fn bisect(file: &Arc<dyn FileBytes>, key: &[u8]) -> Result<u64, String> {
    let (mut low, mut high) = (0, file.size());
    // The lines that were seen at both ends: what lies between must be between them.
    let (mut least, mut most): (Vec<u8>, Option<Vec<u8>>) = (Vec::new(), None);
    while high - low > STRETCH {
        let middle = low + (high - low) / 2;
        let mut lines = lines_from(file, middle)?;
        // The rest of the line that lies across the middle.
        lines.next()?;
        let start = lines.offset;
        let line = match lines.next()? {
            Some(line) if start < high => line,
            _ => {
                high = middle;
                continue;
            }
        };
        if line < least.as_slice() || most.as_ref().is_some_and(|most| line > most.as_slice()) {
            return Err(format!("{} at byte {start}", not_sorted()));
        }
        if line < key {
            low = start;
            least = line.to_vec();
        } else {
            high = middle;
            most = Some(line.to_vec());
        }
    }
    Ok(low)
}

fn lines_from(file: &Arc<dyn FileBytes>, offset: u64) -> Result<Lines<Chunks>, String> {
    let chunks = Chunks {
        file: Arc::clone(file),
        position: offset,
        size: 4 << 10,
    };
    Ok(Lines::new(chunks, offset))
}

/// Reads by positions, little at first: bisection looks at one line in each place.
struct Chunks {
    file: Arc<dyn FileBytes>,
    position: u64,
    size: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.size.min(buffer.len());
        let count = self.file.read_at(self.position, &mut buffer[..size])?;
        self.position += count as u64;
        self.size = (self.size * 4).min(1 << 20);
        Ok(count)
    }
}

struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Where the next line starts.
    offset: u64,
}

impl<R: Read> Lines<R> {
    fn new(input: R, offset: u64) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 20, input),
            line: Vec::new(),
            offset,
        }
    }

    fn next(&mut self) -> Result<Option<&[u8]>, String> {
        self.line.clear();
        let mut input = (&mut self.input).take(MAX_LINE);
        let count = input.read_until(b'\n', &mut self.line);
        let count = count.map_err(|error| format!("{error} at byte {}", self.offset))? as u64;
        if count == MAX_LINE {
            return Err(format!(
                "a line of more than a megabyte at byte {}",
                self.offset
            ));
        }
        self.offset += count;
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Ok((count > 0).then_some(line))
    }

    /// Calls `visit` for every line until it answers `false`.
    fn each(&mut self, mut visit: impl FnMut(&[u8]) -> Result<bool, String>) -> Result<(), String> {
        loop {
            let start = self.offset;
            let Some(line) = self.next()? else {
                return Ok(());
            };
            if !visit(line).map_err(|error| format!("{error} at byte {start}"))? {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::warc::testing::Memory;

    fn found(content: &[u8], ranges: Option<Vec<(&str, &str)>>) -> Result<Vec<String>, String> {
        let bytes = |text: &str| text.as_bytes().to_vec();
        let ranges = ranges.map(|ranges| {
            let ranges = ranges.into_iter();
            ranges.map(|(from, to)| bytes(from)..bytes(to)).collect()
        });
        let mut lines = Vec::new();
        let file: Arc<dyn FileBytes> = Arc::new(Memory(content.into()));
        visit_lines(&file, ranges, |line| {
            lines.push(String::from_utf8_lossy(line).into_owned());
            Ok(())
        })?;
        Ok(lines)
    }

    fn numbered(count: u32) -> String {
        let line = |n| format!("key{n:06} {}\n", "x".repeat(n as usize % 90));
        (0..count).map(line).collect()
    }

    #[test]
    fn every_line_of_a_large_file_is_found_by_bisection() {
        let content = numbered(40_000);
        for n in (0..40_000).step_by(611).chain([1, 39_999]) {
            let key = format!("key{n:06} ");
            let lines = found(
                content.as_bytes(),
                Some(vec![(&key, &format!("key{n:06}!"))]),
            );
            let expected = content.lines().nth(n).unwrap();
            assert_eq!(lines.unwrap(), [expected], "{n}");
        }
        for absent in ["a", "key000007a", "z"] {
            let lines = found(content.as_bytes(), Some(vec![(absent, "zz")])).unwrap();
            let expected = content.lines().filter(|line| *line >= absent).count();
            assert_eq!(lines.len(), expected, "{absent}");
        }
    }

    #[test]
    fn several_ranges_and_all_lines() {
        let content = numbered(10_000);
        let ranges = vec![("key000010", "key000013"), ("key009998", "z")];
        assert_eq!(found(content.as_bytes(), Some(ranges)).unwrap().len(), 5);
        assert_eq!(found(content.as_bytes(), None).unwrap().len(), 10_000);
    }

    #[test]
    fn a_compressed_index_is_read_through() {
        let content = zstd::encode_all(numbered(3000).as_bytes(), 1).unwrap();
        let lines = found(&content, Some(vec![("key000010", "key000013")]));
        assert_eq!(lines.unwrap().len(), 3);
    }

    #[test]
    fn an_unsorted_index_is_an_error_where_it_is_seen() {
        let mut lines: Vec<String> = numbered(20_000).lines().map(str::to_owned).collect();
        lines.reverse();
        let content = lines.join("\n");
        let error = found(content.as_bytes(), Some(vec![("key000500", "key000501")]));
        assert!(error.unwrap_err().contains("not sorted"));
        assert_eq!(found(content.as_bytes(), None).unwrap().len(), 20_000);
    }

    #[test]
    fn a_file_without_lines_is_an_error() {
        let error = found(&vec![b'x'; 3 << 20], Some(vec![("a", "b")])).unwrap_err();
        assert!(error.contains("megabyte"), "{error}");
    }
}
