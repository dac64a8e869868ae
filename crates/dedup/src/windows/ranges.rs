//! Computes the parts of a text that windows cover.

use std::borrow::Cow;

use super::Windows;

/// The windows that also occur elsewhere, among 64 consecutive ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The position of the first of the 64 windows.
    pub position: i64,
    /// A bit for each of the 64 windows, the lowest for the first.
    pub windows: u64,
    /// The number of words or characters at the start of each window that are excluded from its
    /// range, because they also belong to the equal window.
    pub overlap: i64,
    /// A number that identifies the place of the equal windows.
    pub source: Option<i64>,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRange {
    /// The number of characters before it.
    pub start: usize,
    /// The number of characters before its end.
    pub end: usize,
    /// The source of its windows.
    pub source: Option<i64>,
}

/// A range in words or characters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TokenRange {
    start: usize,
    end: usize,
    source: Option<i64>,
}

impl Windows {
    /// Returns the parts of a text that windows cover, in their order and without overlaps. Parts
    /// with different sources are separate, even if they touch. White space and other characters
    /// that windows do not count belong to the preceding word or character.
    ///
    /// ```
    /// use corpus_dedup::windows::{Block, TextRange, Windows};
    ///
    /// let windows: Windows = "2 words".parse()?;
    /// let block = Block { position: 0, windows: 0b110, overlap: 0, source: Some(7) };
    /// let range = TextRange { start: 2, end: 8, source: Some(7) };
    /// assert_eq!(windows.ranges("a b c d e", &[block]), [range]);
    /// # Ok::<(), corpus_dedup::ParameterError>(())
    /// ```
    pub fn ranges(self, text: &str, blocks: &[Block]) -> Vec<TextRange> {
        place(self, text, &self.token_ranges(blocks))
    }

    fn token_ranges(self, blocks: &[Block]) -> Vec<TokenRange> {
        let mut windows: Vec<TokenRange> = Vec::new();
        for block in blocks {
            let overlap = usize::try_from(block.overlap).unwrap_or(0);
            let bits = (0..64).filter(|bit| block.windows >> bit & 1 == 1);
            let positions = bits.filter_map(|bit| block.position.checked_add(bit));
            let positions = positions.filter_map(|position| usize::try_from(position).ok());
            windows.extend(positions.map(|position| TokenRange {
                start: position.saturating_add(overlap),
                end: position.saturating_add(self.length),
                source: block.source,
            }));
        }
        // Blocks from the groups of a query are in any order.
        windows.sort_unstable();
        let mut ranges: Vec<TokenRange> = Vec::new();
        for window in windows {
            let covered = ranges.last().map_or(0, |range| range.end);
            let start = covered.max(window.start);
            match ranges.last_mut() {
                _ if start >= window.end => {}
                Some(last) if last.end == start && last.source == window.source => {
                    last.end = window.end;
                }
                _ => ranges.push(TokenRange { start, ..window }),
            }
        }
        ranges
    }
}

/// Converts ranges to characters. Ranges beyond the end of the text are ignored.
fn place(windows: Windows, text: &str, ranges: &[TokenRange]) -> Vec<TextRange> {
    let mut found: Vec<TextRange> = Vec::with_capacity(ranges.len());
    let mut starts = ranges.iter().map(|range| range.start).peekable();
    let mut ends = ranges.iter().map(|range| range.end).peekable();
    let (mut position, mut counted_bytes, mut characters) = (0, 0, 0);
    windows.unit.for_each(text, |token| {
        let is_start = starts.next_if_eq(&position).is_some();
        let is_end = ends.next_if_eq(&position).is_some();
        if is_start || is_end {
            characters += text[counted_bytes..token.start].chars().count();
            counted_bytes = token.start;
        }
        if is_end && let Some(last) = found.last_mut() {
            last.end = characters;
        }
        if is_start {
            found.push(TextRange {
                start: characters,
                end: usize::MAX,
                source: ranges[found.len()].source,
            });
        }
        position += 1;
    });
    if let Some(last) = found.last_mut()
        && last.end == usize::MAX
    {
        last.end = characters + text[counted_bytes..].chars().count();
    }
    found
}

/// Returns a text without the characters in ranges, which may overlap and be in any order. A range
/// is the number of characters before its start and the number before its end.
///
/// ```
/// use corpus_dedup::windows::remove_ranges;
///
/// assert_eq!(remove_ranges("日本語の文書", vec![(3, 4), (0, 2)]), "語文書");
/// ```
pub fn remove_ranges(text: &str, mut ranges: Vec<(i64, i64)>) -> Cow<'_, str> {
    ranges.retain(|(start, end)| start < end);
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    ranges.sort_unstable();
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars();
    let mut done = 0;
    for (start, end) in ranges {
        let before = rest.as_str();
        advance(&mut rest, &mut done, start);
        kept.push_str(&before[..before.len() - rest.as_str().len()]);
        advance(&mut rest, &mut done, end);
    }
    kept.push_str(rest.as_str());
    Cow::Owned(kept)
}

/// Returns the characters of a text in each of some ranges, which may overlap and be in any order.
/// A range is the number of characters before its start and the number before its end.
///
/// ```
/// use corpus_dedup::windows::extract_ranges;
///
/// assert_eq!(extract_ranges("日本語の文書", &[(3, 4), (0, 2)]), ["の", "日本"]);
/// ```
pub fn extract_ranges<'text>(text: &'text str, ranges: &[(i64, i64)]) -> Vec<&'text str> {
    let mut places: Vec<i64> = ranges
        .iter()
        .flat_map(|&(start, end)| [start, end])
        .collect();
    places.sort_unstable();
    places.dedup();
    let mut rest = text.chars();
    let mut done = 0;
    let mut offsets = Vec::with_capacity(places.len());
    for &place in &places {
        advance(&mut rest, &mut done, place);
        offsets.push(text.len() - rest.as_str().len());
    }
    let offset = |place: i64| offsets[places.partition_point(|&other| other < place)];
    let extracted = ranges.iter().map(|&(start, end)| {
        if start < end {
            &text[offset(start)..offset(end)]
        } else {
            ""
        }
    });
    extracted.collect()
}

/// Skips characters until `done` reaches `until`.
fn advance(rest: &mut std::str::Chars<'_>, done: &mut i64, until: i64) {
    while *done < until && rest.next().is_some() {
        *done += 1;
    }
}
