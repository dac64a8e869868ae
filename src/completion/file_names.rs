//! Completion of file names in quotes.

use std::fs;
use std::path::PathBuf;

/// The maximum number of entries of a folder that are examined.
const MAX_ENTRIES: usize = 10_000;

/// Returns the offset of the single-quoted text that is still open at the end of `text`.
pub fn open_quote(text: &str) -> Option<usize> {
    enum State {
        Code,
        Text(usize),
        /// After a quote in a text: the end of the text, or the first quote of an escaped one.
        QuoteInText(usize),
        Name,
        Line,
        Block,
    }
    let mut state = State::Code;
    let mut previous = '\0';
    for (at, character) in text.char_indices() {
        state = match (state, previous, character) {
            (State::QuoteInText(start), _, '\'') => State::Text(start),
            (State::Code, _, '\'') => State::Text(at + 1),
            (State::Code | State::QuoteInText(_), _, '"') => State::Name,
            (State::Code, '-', '-') => State::Line,
            (State::Code, '/', '*') => State::Block,
            (State::QuoteInText(_), ..) => State::Code,
            (State::Text(start), _, '\'') => State::QuoteInText(start),
            (State::Name, _, '"') | (State::Line, _, '\n') | (State::Block, '*', '/') => {
                State::Code
            }
            (state, ..) => state,
        };
        previous = character;
    }
    match state {
        State::Text(start) => Some(start),
        _ => None,
    }
}

/// Whether the quote at the end of a text begins the name of a field, as in `value['`.
pub fn is_subscript(before: &str) -> bool {
    let value = before.strip_suffix("['").unwrap_or_default();
    value.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ']' | ')' | '"'))
}

/// Returns the files and folders whose path begins with `path`, and the offset in it that they
/// replace. `path` is a part of a text in SQL, and so are the names.
pub fn matching(path: &str) -> (usize, Vec<String>) {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    if path.contains("://") {
        return (start, Vec::new());
    }
    let path = path.replace("''", "'");
    let (folder, beginning) = match path.rsplit_once('/') {
        Some((folder, beginning)) => (format!("{folder}/"), beginning),
        None => (String::new(), path.as_str()),
    };
    let folder = match (folder.as_str(), folder.strip_prefix("~/"), dirs::home_dir()) {
        ("", ..) => PathBuf::from("."),
        (_, Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(&folder),
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return (start, Vec::new());
    };
    let mut names = Vec::new();
    for entry in entries.take(MAX_ENTRIES).flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let is_hidden = name.starts_with('.') && !beginning.starts_with('.');
        if is_hidden || !name.starts_with(beginning) {
            continue;
        }
        // The metadata of the target of a link.
        let is_folder = fs::metadata(entry.path()).is_ok_and(|metadata| metadata.is_dir());
        let slash = if is_folder { "/" } else { "" };
        names.push(format!("{}{slash}", name.replace('\'', "''")));
    }
    names.sort_unstable();
    (start, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quote_that_is_open_is_found() {
        for (text, path) in [
            ("SELECT * FROM 'da", Some("da")),
            ("SELECT '", Some("")),
            ("SELECT 'a', 'b/", Some("b/")),
            ("SELECT 'it''s/", Some("it''s/")),
            ("SELECT '''", Some("''")),
            ("SELECT \"it's\", 'b", Some("b")),
            ("-- it's\nSELECT 'b", Some("b")),
            ("/* it's */ SELECT 'b", Some("b")),
            ("SELECT 'a'", None),
            ("SELECT 'a''b'", None),
            ("SELECT \"a", None),
            ("SELECT 1 -- it's", None),
            ("SELECT '日本' || '本/", Some("本/")),
        ] {
            assert_eq!(open_quote(text).map(|at| &text[at..]), path, "{text}");
        }
    }

    #[test]
    fn names_of_fields_are_not_names_of_files() {
        for (text, expected) in [
            ("p['", true),
            ("p['a']['", true),
            ("f(x)['", true),
            ("read_warc(['", false),
            ("IN ('", false),
            ("SELECT '", false),
        ] {
            assert_eq!(is_subscript(text), expected, "{text}");
        }
    }

    #[test]
    fn files_and_folders_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["page one.html", "page's.html", ".page", "other"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("pages")).unwrap();
        let path = |end: &str| format!("{}/{end}", folder.path().display());
        let names = |end: &str| matching(&path(end)).1;
        assert_eq!(names("pa"), ["page one.html", "page''s.html", "pages/"]);
        assert_eq!(names("page''"), ["page''s.html"]);
        assert_eq!(names(".p"), [".page"]);
        assert_eq!(names("none"), Vec::<String>::new());
        assert_eq!(matching(&path("pa")).0, path("").len());
        assert_eq!(matching("s3://bucket/a").1, Vec::<String>::new());
    }
}
