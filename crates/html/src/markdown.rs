//! Paragraphs as one text with the marks of Markdown.

use crate::extract::Kind;

/// Writes paragraphs as one text, with blank lines between them and the marks of Markdown for
/// headings, list items, quotes and preformatted text. Nothing is escaped: the text is for corpora,
/// in which a backslash would be noise.
///
/// ```
/// use corpus_html::extract::Kind;
/// use corpus_html::markdown::Markdown;
///
/// let mut markdown = Markdown::default();
/// markdown.push(Kind::Heading(2), "body>h2", "Fruit");
/// markdown.push(Kind::List, "body>ul", "apples\npears");
/// assert_eq!(markdown.finish(), "## Fruit\n\n- apples\n- pears");
/// ```
#[derive(Debug, Default)]
pub struct Markdown {
    text: String,
    /// The path of the list that the last paragraph belongs to; empty if it is not a list.
    list: String,
    /// Whether items of that list have bullets or numbers.
    has_markers: bool,
}

impl Markdown {
    /// Appends a paragraph with the path of its element. Paragraphs without text are left out.
    pub fn push(&mut self, kind: Kind, path: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let list = match kind {
            Kind::List => list_of(path),
            _ => "",
        };
        // Items that contain blocks are separate paragraphs of the same list.
        let is_same_list = !list.is_empty() && list == self.list;
        if !self.text.is_empty() {
            self.text.push_str(if is_same_list { "\n" } else { "\n\n" });
        }
        if !is_same_list {
            list.clone_into(&mut self.list);
            self.has_markers = false;
        }
        match kind {
            Kind::Heading(level) => {
                self.text.extend((0..level).map(|_| '#'));
                for line in text.lines() {
                    self.text.push(' ');
                    self.text.push_str(line);
                }
            }
            Kind::List if !is_definition_list(list) => self.push_items(text),
            Kind::Quote => self.push_lines(text, |line| ("> ", line)),
            Kind::Preformatted => {
                let fence = fence_for(text);
                self.text.push_str(&fence);
                self.text.push('\n');
                self.text.push_str(text);
                self.text.push('\n');
                self.text.push_str(&fence);
            }
            _ => self.text.push_str(text),
        }
    }

    /// Appends the lines of a list. If items have bullets or numbers, a line without one continues
    /// the previous item. Otherwise, each line is an item.
    fn push_items(&mut self, text: &str) {
        self.has_markers |= text.starts_with(BULLET) || is_numbered(text);
        let has_markers = self.has_markers;
        self.push_lines(text, |line| match line.strip_prefix(BULLET) {
            Some(rest) => ("- ", rest),
            None if !has_markers => ("- ", line),
            None if is_numbered(line) => ("", line),
            None => ("  ", line),
        });
    }

    /// Appends the lines of a paragraph. `mark` splits each into a mark and the rest.
    fn push_lines<'a>(&mut self, text: &'a str, mark: impl Fn(&'a str) -> (&'static str, &'a str)) {
        for (index, line) in text.lines().enumerate() {
            if index > 0 {
                self.text.push('\n');
            }
            let (mark, rest) = mark(line);
            self.text.push_str(mark);
            self.text.push_str(rest);
        }
    }

    /// The text of all paragraphs.
    pub fn finish(self) -> String {
        self.text
    }
}

/// The bullet that the extraction writes with `Keep::bullets`.
const BULLET: &str = "• ";

/// Whether a line starts with a number, a period and a space.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(". ")
}

/// The path of the innermost list; the whole path if it has none.
fn list_of(path: &str) -> &str {
    let mut end = None;
    let mut start = 0;
    for segment in path.split('>') {
        if matches!(tag(segment), "ul" | "ol" | "menu" | "dir" | "dl") {
            end = Some(start + segment.len());
        }
        start += segment.len() + 1;
    }
    end.and_then(|end| path.get(..end)).unwrap_or(path)
}

/// Whether the path of a list ends with `dl`, whose terms and definitions are not items.
fn is_definition_list(list: &str) -> bool {
    matches!(list.rsplit('>').next().map(tag), Some("dl" | "dt" | "dd"))
}

/// The tag of a segment of a path, without classes and id.
fn tag(segment: &str) -> &str {
    segment.split(['.', '#']).next().unwrap_or(segment)
}

/// A fence that does not occur in a text: at least three backticks.
fn fence_for(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(usize::max(longest + 1, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(paragraphs: &[(Kind, &str, &str)]) -> String {
        let mut markdown = Markdown::default();
        for (kind, path, text) in paragraphs {
            markdown.push(*kind, path, text);
        }
        markdown.finish()
    }

    #[test]
    fn headings_have_as_many_marks_as_their_level() {
        for level in 1..=6 {
            let marks = "#".repeat(usize::from(level));
            let path = format!("body>h{level}.text");
            let heading = markdown(&[(Kind::Heading(level), &path, "test")]);
            assert_eq!(heading, format!("{marks} test"));
        }
        assert_eq!(markdown(&[(Kind::Text, "body>p", "test")]), "test");
        assert_eq!(markdown(&[(Kind::Heading(1), "body>h1", "")]), "");
        assert_eq!(markdown(&[(Kind::Heading(1), "body>h1", "a\nb")]), "# a b");
    }

    #[test]
    fn items_of_a_list_are_merged() {
        let item = |text| (Kind::List, "body>li.text", text);
        let items = markdown(&[item("test"), item("test2"), item("test3")]);
        assert_eq!(items, "- test\n- test2\n- test3");
        let items = markdown(&[
            (Kind::List, "body>ul.a>li>p", "one"),
            (Kind::List, "body>ul.a", "two\nthree"),
            (Kind::List, "body>ul.b", "other list"),
            (Kind::Text, "body>p", "end"),
            (Kind::List, "body>ul.b", "again"),
        ]);
        assert_eq!(
            items,
            "- one\n- two\n- three\n\n- other list\n\nend\n\n- again"
        );
    }

    #[test]
    fn lines_without_a_bullet_continue_an_item_that_has_one() {
        let list = |text| markdown(&[(Kind::List, "body>ul", text)]);
        assert_eq!(list("• a\nmore\n• b\n1. c"), "- a\n  more\n- b\n1. c");
        assert_eq!(list("1. a\nmore\n2. b"), "1. a\n  more\n2. b");
        assert_eq!(list("1.5 a\n• b"), "- 1.5 a\n- b");
        let items = ["• a", "more", "• b"].map(|text| (Kind::List, "body>ul>li>p", text));
        assert_eq!(markdown(&items), "- a\n  more\n- b");
        let lists = [("body>ul.a", "• a"), ("body>ul.b", "b")];
        let lists = lists.map(|(path, text)| (Kind::List, path, text));
        assert_eq!(markdown(&lists), "- a\n\n- b");
        let terms = markdown(&[(Kind::List, "body>ul>li>dl.x", "term\nmeaning")]);
        assert_eq!(terms, "term\nmeaning");
    }

    #[test]
    fn quotes_and_preformatted_text_are_marked() {
        assert_eq!(
            markdown(&[(Kind::Quote, "body>blockquote", "a\n• b")]),
            "> a\n> • b"
        );
        let pre = |text| markdown(&[(Kind::Preformatted, "body>pre", text)]);
        assert_eq!(pre("  x\n\ny"), "```\n  x\n\ny\n```");
        assert_eq!(pre("a ````"), "`````\na ````\n`````");
    }
}
