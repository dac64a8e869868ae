//! Makes snippets: the part of a text with the best matches.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use tantivy::tokenizer::TextAnalyzer;

use super::query::{Highlight, Pattern};
use super::words::scripts::first_character_len;

/// Maximum number of bytes of a text to scan. If the first match is beyond them, the start of the
/// text is shown.
const MAX_SCANNED_BYTES: usize = 1 << 20;

/// The maximum number of matches compared to find the best part.
const MAX_MATCHES: usize = 10_000;

/// Maximum number of terms in a phrase that is highlighted as a whole. Longer phrases are
/// highlighted word by word.
const MAX_PHRASE_TERMS: usize = 32;

/// The maximum number of characters dropped to avoid cutting a word.
const MAX_WORD_CUT_CHARS: usize = 20;

/// The format of a snippet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SnippetFormat {
    /// Escaped, with `<b>…</b>` around matches.
    #[default]
    Html,
    /// The text, unchanged.
    Text,
    /// An object with the `column`, the `offset` and the `text` of the part, unchanged, and the
    /// `matches`, which are pairs of start and end. Positions count characters of the whole text.
    Json,
}

/// Makes snippets for the hits of one query.
pub struct SnippetMaker {
    analyzer: TextAnalyzer,
    highlights: Vec<Highlight>,
    format: SnippetFormat,
    /// In characters.
    length: usize,
}

/// A text of a document.
#[derive(Clone, Copy)]
pub struct ColumnText<'a> {
    pub column: usize,
    /// The name of the column.
    pub name: &'a str,
    pub text: &'a str,
}

/// A place in the text that matches the query.
#[derive(Debug, Clone)]
struct Match {
    bytes: Range<usize>,
    /// The number of the first character.
    at: usize,
    chars: usize,
    highlight: usize,
}

/// The best part of a text.
struct Window {
    matches: Range<usize>,
    /// The number of different words and phrases in it, then the number of all matches.
    worth: (usize, usize),
}

impl SnippetMaker {
    pub fn new(
        analyzer: TextAnalyzer,
        highlights: Vec<Highlight>,
        format: SnippetFormat,
        length: usize,
    ) -> Self {
        Self {
            analyzer,
            highlights,
            format,
            length,
        }
    }

    /// Returns the snippet of a document, from the column with the best matches.
    pub fn snippet(&mut self, texts: &[ColumnText<'_>]) -> Option<String> {
        let mut best: Option<((usize, usize), ColumnText<'_>, Vec<Match>)> = None;
        for text in texts {
            let scanned = &text.text[..text.text.floor_char_boundary(MAX_SCANNED_BYTES)];
            let matches = self.matches(text.column, scanned);
            if let Some(window) = self.best_window(&matches)
                && best
                    .as_ref()
                    .is_none_or(|(worth, ..)| window.worth > *worth)
            {
                best = Some((window.worth, *text, matches[window.matches].to_vec()));
            }
        }
        let (text, matches) = match best {
            Some((_, text, matches)) => (text, matches),
            None => {
                let shown = texts.iter().find(|text| !text.text.trim().is_empty())?;
                (*shown, Vec::new())
            }
        };
        Some(match self.format {
            SnippetFormat::Json => self.positions(text, &matches),
            SnippetFormat::Html | SnippetFormat::Text => self.render(text.text, &matches),
        })
    }

    fn matches(&mut self, column: usize, text: &str) -> Vec<Match> {
        let mut finder = Finder::new(&self.highlights, column, text);
        if !finder.is_empty() {
            let mut stream = self.analyzer.token_stream(text);
            while stream.advance() && finder.matches.len() < MAX_MATCHES {
                let token = stream.token();
                finder.token(
                    &token.text,
                    token.position,
                    token.offset_from..token.offset_to,
                );
            }
        }
        let mut matches = finder.matches;
        matches.sort_by_key(|found| (found.bytes.start, found.bytes.end));
        matches
    }

    /// Returns the most valuable matches that fit into one snippet; on a tie, the first ones.
    fn best_window(&self, matches: &[Match]) -> Option<Window> {
        let mut best: Option<Window> = None;
        let mut inside: HashMap<usize, usize> = HashMap::new();
        let mut end = 0;
        for start in 0..matches.len() {
            while end < matches.len()
                && (end == start
                    || matches[end].at + matches[end].chars - matches[start].at <= self.length)
            {
                *inside.entry(matches[end].highlight).or_default() += 1;
                end += 1;
            }
            let worth = (inside.len(), end - start);
            if best.as_ref().is_none_or(|best| worth > best.worth) {
                best = Some(Window {
                    matches: start..end,
                    worth,
                });
            }
            if let Some(count) = inside.get_mut(&matches[start].highlight) {
                *count -= 1;
                if *count == 0 {
                    inside.remove(&matches[start].highlight);
                }
            }
        }
        best
    }

    fn render(&self, text: &str, matches: &[Match]) -> String {
        let part = self.part(text, matches);
        let mut out = Writer::new(self.format);
        if !text[..part.start].trim().is_empty() {
            out.text.push('…');
        }
        let mut at = part.start;
        for marked in runs(matches) {
            let marked = marked.start.max(at)..marked.end.min(part.end);
            if marked.is_empty() {
                continue;
            }
            out.plain(&text[at..marked.start]);
            out.marked(&text[marked.clone()]);
            at = marked.end;
        }
        out.plain(&text[at.min(part.end)..part.end]);
        let mut snippet = out.text;
        if !text[part.end..].trim().is_empty() {
            snippet.push('…');
        }
        snippet
    }

    /// Returns a snippet as JSON.
    fn positions(
        &self,
        ColumnText { name, text, .. }: ColumnText<'_>,
        matches: &[Match],
    ) -> String {
        let part = self.part(text, matches);
        let position = |byte: usize| text[..byte].chars().count();
        let shown = runs(matches).into_iter().filter_map(|marked| {
            let marked = marked.start.max(part.start)..marked.end.min(part.end);
            (!marked.is_empty()).then(|| [position(marked.start), position(marked.end)])
        });
        serde_json::json!({
            "column": name,
            "offset": position(part.start),
            "text": &text[part.clone()],
            "matches": shown.collect::<Vec<_>>(),
        })
        .to_string()
    }

    /// Returns the range of the text to show: the matches, and text around them, a third of it
    /// before the first match.
    fn part(&self, text: &str, matches: &[Match]) -> Range<usize> {
        let (Some(first), Some(last)) = (matches.first(), matches.last()) else {
            let from = text.len() - text.trim_start().len();
            return from..self.end_of_part(text, from, self.length);
        };
        let used = last.at + last.chars - first.at;
        let room = self.length.saturating_sub(used);
        let (mut from, before) = back(text, first.bytes.start, room / 3);
        if from > 0 {
            from = word_begin(text, from, first.bytes.start);
        }
        let to = self.end_of_part(text, last.bytes.end, room - before);
        // At the end of the text, more fits before the matches.
        let after = text[last.bytes.end..to].chars().count();
        if to == text.len() && after + before < room {
            (from, _) = back(text, first.bytes.start, room - after);
            if from > 0 {
                from = word_begin(text, from, first.bytes.start);
            }
        }
        let first_of_long = first.bytes.start..first.bytes.end;
        if used > self.length {
            let to = forward(text, first_of_long.start, self.length);
            return first_of_long.start..to;
        }
        from..to
    }

    /// Returns the end of this many characters, without the start of a word that does not fit.
    fn end_of_part(&self, text: &str, from: usize, chars: usize) -> usize {
        let to = forward(text, from, chars);
        if to == text.len() || text[to..].starts_with(|c: char| !c.is_alphanumeric()) {
            return to;
        }
        let tail = text[from..to].char_indices().rev().take(MAX_WORD_CUT_CHARS);
        let mut space = None;
        for (at, c) in tail {
            if c.is_whitespace() {
                space = Some(from + at);
                break;
            }
        }
        space.unwrap_or(to)
    }
}

/// Goes back by up to this many characters. Returns the new position and the number of characters.
fn back(text: &str, from: usize, chars: usize) -> (usize, usize) {
    let mut at = from;
    let mut count = 0;
    for (before, _) in text[..from].char_indices().rev().take(chars) {
        at = before;
        count += 1;
    }
    (at, count)
}

fn forward(text: &str, from: usize, chars: usize) -> usize {
    let found = text[from..].char_indices().nth(chars);
    found.map_or(text.len(), |(at, _)| from + at)
}

/// Returns the start of the first whole word, if it is near.
fn word_begin(text: &str, from: usize, until: usize) -> usize {
    if text[..from].ends_with(char::is_whitespace) {
        return from;
    }
    let mut head = text[from..until].char_indices().take(MAX_WORD_CUT_CHARS);
    match head.find(|(_, c)| c.is_whitespace()) {
        Some((at, c)) => from + at + c.len_utf8(),
        None => from,
    }
}

/// Merges overlapping and touching matches.
fn runs(matches: &[Match]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for found in matches {
        match runs.last_mut() {
            Some(last) if last.end >= found.bytes.start => {
                last.end = last.end.max(found.bytes.end);
            }
            _ => runs.push(found.bytes.clone()),
        }
    }
    runs
}

/// Writes text, with white space collapsed.
struct Writer {
    format: SnippetFormat,
    text: String,
    /// Whether white space is written before the next character.
    space: bool,
    /// Whether anything has been written.
    begun: bool,
}

impl Writer {
    fn new(format: SnippetFormat) -> Self {
        Self {
            format,
            text: String::new(),
            space: false,
            begun: false,
        }
    }

    fn plain(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() || c.is_control() {
                self.space = self.begun;
                continue;
            }
            self.write_space();
            match (c, self.format) {
                ('&', SnippetFormat::Html) => self.text.push_str("&amp;"),
                ('<', SnippetFormat::Html) => self.text.push_str("&lt;"),
                ('>', SnippetFormat::Html) => self.text.push_str("&gt;"),
                ('"', SnippetFormat::Html) => self.text.push_str("&quot;"),
                _ => self.text.push(c),
            }
        }
    }

    fn write_space(&mut self) {
        if std::mem::take(&mut self.space) {
            self.text.push(' ');
        }
        self.begun = true;
    }

    fn marked(&mut self, text: &str) {
        if self.format == SnippetFormat::Text {
            return self.plain(text);
        }
        self.write_space();
        self.text.push_str("<b>");
        self.plain(text);
        self.text.push_str("</b>");
    }
}

/// Finds the patterns of a query among the tokens of a text.
struct Finder<'a> {
    highlights: Vec<(usize, &'a Highlight)>,
    /// The patterns that are a single term, by that term.
    terms: HashMap<&'a str, Vec<(usize, usize)>>,
    /// All other patterns.
    open: Vec<(usize, usize, &'a Pattern)>,
    /// The phrases of each highlight that have begun.
    begun: Vec<VecDeque<PartialPhrase>>,
    text: &'a str,
    counted: (usize, usize),
    matches: Vec<Match>,
}

/// A phrase whose first words have been found.
struct PartialPhrase {
    position: usize,
    matches: Vec<Match>,
}

impl<'a> Finder<'a> {
    fn new(highlights: &'a [Highlight], column: usize, text: &'a str) -> Self {
        let highlights: Vec<_> = highlights
            .iter()
            .enumerate()
            .filter(|(_, highlight)| highlight.column == column)
            .collect();
        let mut terms: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        let mut open = Vec::new();
        for (at, (_, highlight)) in highlights.iter().enumerate() {
            for (step, (_, pattern)) in highlight.patterns.iter().enumerate() {
                match pattern {
                    Pattern::Term(term) => terms.entry(term).or_default().push((at, step)),
                    Pattern::AnyOf(any) => {
                        for term in any {
                            terms.entry(term).or_default().push((at, step));
                        }
                    }
                    Pattern::Prefix(_) | Pattern::Character(_) => open.push((at, step, pattern)),
                }
            }
        }
        Self {
            begun: highlights.iter().map(|_| VecDeque::new()).collect(),
            highlights,
            terms,
            open,
            text,
            counted: (0, 0),
            matches: Vec::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.highlights.is_empty()
    }

    fn token(&mut self, term: &str, position: usize, bytes: Range<usize>) {
        let mut found: Vec<(usize, usize, Range<usize>)> = Vec::new();
        if let Some(places) = self.terms.get(term) {
            let places = places.iter();
            found.extend(places.map(|(at, step)| (*at, *step, bytes.clone())));
        }
        for (at, step, pattern) in &self.open {
            match pattern {
                Pattern::Prefix(prefix) if term.starts_with(prefix) => {
                    found.push((*at, *step, bytes.clone()));
                }
                Pattern::Character(first) if term.starts_with(first) => {
                    let length = first_character_len(&self.text[bytes.clone()]);
                    found.push((*at, *step, bytes.start..bytes.start + length));
                }
                _ => {}
            }
        }
        for (at, step, bytes) in found {
            let found = self.locate_match(bytes, at);
            self.step(at, step, position, found);
        }
    }

    /// Counts the characters up to the match. Tokens come in the order of the text.
    fn locate_match(&mut self, bytes: Range<usize>, at: usize) -> Match {
        let (counted_to, chars) = self.counted;
        let chars = chars + self.text[counted_to..bytes.start].chars().count();
        self.counted = (bytes.start, chars);
        Match {
            at: chars,
            chars: self.text[bytes.clone()].chars().count(),
            bytes,
            highlight: self.highlights[at].0,
        }
    }

    fn step(&mut self, at: usize, step: usize, position: usize, found: Match) {
        let highlight = self.highlights[at].1;
        let patterns = &highlight.patterns;
        if patterns.len() == 1 || patterns.len() > MAX_PHRASE_TERMS || highlight.anywhere {
            self.matches.push(found);
            return;
        }
        let begun = &mut self.begun[at];
        let length = patterns.last().map_or(0, |(distance, _)| *distance);
        while begun
            .front()
            .is_some_and(|first| first.position + length < position)
        {
            begun.pop_front();
        }
        if step == 0 {
            begun.push_back(PartialPhrase {
                position,
                matches: vec![found],
            });
            return;
        }
        let distance = patterns[step].0;
        let phrase = begun
            .iter_mut()
            .find(|phrase| phrase.position + distance == position && phrase.matches.len() == step);
        if let Some(phrase) = phrase {
            phrase.matches.push(found);
            if phrase.matches.len() == patterns.len() {
                self.matches.append(&mut phrase.matches);
            }
        }
    }
}
