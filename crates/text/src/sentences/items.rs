//! Markers of list items that follow each other within a line, such as `1. One 2. Two`.

/// The number and the form of a marker: `2.`, `2.)`, `b)` or `• 2.`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    number: u32,
    is_letter: bool,
    closing: &'static str,
    /// The number of bytes of the marker.
    pub bytes: usize,
}

impl Marker {
    /// The marker at the start of a text, if an item follows it.
    pub fn at_start(text: &str) -> Option<Self> {
        let marked = text.strip_prefix(['•', '⁃', '‣', '◦']);
        let marked = marked.map_or(text, |marked| marked.trim_start_matches(' '));
        let first = marked.bytes().next()?;
        let digits = marked.bytes().take_while(u8::is_ascii_digit).count();
        let (number, length) = match first {
            b'0'..=b'9' if digits <= 3 => (marked[..digits].parse().ok()?, digits),
            b'a'..=b'z' => (u32::from(first), 1),
            _ => return None,
        };
        let after = &marked[length..];
        let closing = [".)", ".", ")"]
            .into_iter()
            .find(|end| after.starts_with(end))?;
        let item = &after[closing.len()..];
        let content = item.trim_start();
        let is_item = content.len() < item.len()
            && content.starts_with(|c: char| c.is_alphanumeric() && !c.is_lowercase());
        is_item.then_some(Self {
            number,
            is_letter: digits == 0,
            closing,
            bytes: text.len() - item.len(),
        })
    }

    /// Whether this marker continues a list after `other`, as `2.` does after `1.`.
    pub fn follows(&self, other: &Self) -> bool {
        self.number == other.number + 1
            && (self.is_letter, self.closing) == (other.is_letter, other.closing)
    }
}
