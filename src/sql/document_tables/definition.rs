//! The definitions of the tables of documents: SQL files whose comments document the columns.

use std::sync::LazyLock;

use crate::options::FormatOption;

/// The statement of each table: its name, its reader, and the columns with their comments.
const FILES: &[&str] = &[
    include_str!("web_pages.sql"),
    include_str!("web_tables.sql"),
    include_str!("pdf_documents.sql"),
    include_str!("pdf_document_pages.sql"),
    include_str!("pdf_document_tables.sql"),
    include_str!("ocr_pages.sql"),
    include_str!("document_parts.sql"),
    include_str!("documents.sql"),
];

/// The last column of each statement: the names of folders.
pub const FOLDER_COLUMNS: &str = "    *\nFROM records";

/// A table function over the records of a source.
#[derive(Debug)]
pub struct DocumentTable {
    pub name: &'static str,
    /// The meaning of a row.
    pub about: String,
    /// The table function that reads the records. It takes the same arguments.
    pub reader: &'static str,
    /// Options that the reader does not have, as parameters of the macro.
    pub options: Vec<FormatOption>,
    /// The columns of the inner query, from which the others are computed.
    pub steps: Vec<&'static str>,
    pub columns: Vec<DocumentColumn>,
    /// `CREATE MACRO … AS TABLE …`
    pub statement: &'static str,
}

/// A column of a table of documents.
#[derive(Debug)]
pub struct DocumentColumn {
    pub name: &'static str,
    pub about: String,
}

/// Returns all tables of documents.
pub fn tables() -> &'static [DocumentTable] {
    static TABLES: LazyLock<Vec<DocumentTable>> = LazyLock::new(|| {
        FILES
            .iter()
            .copied()
            .filter_map(DocumentTable::parse)
            .collect()
    });
    &TABLES
}

impl DocumentTable {
    /// Reads a file of this folder. `None` if it has another form, which a test excludes.
    fn parse(file: &'static str) -> Option<Self> {
        let at = file.find("CREATE MACRO ")?;
        let (head, statement) = file.split_at(at);
        let (name, rest) = statement.strip_prefix("CREATE MACRO ")?.split_once('(')?;
        let (records, columns) = rest.split_once("\n)\nSELECT\n")?;
        let (_, source) = records.split_once("\n    FROM ")?;
        // The steps may need several SELECTs.
        let steps = items(records.split_once("*,\n")?.1).map(|(name, _)| name);
        let (about, options) = head.split_once("--\n").unwrap_or((head, ""));
        let option = |line: &'static str| {
            let (name, help) = line.strip_prefix("-- ")?.split_once("  ")?;
            Some(FormatOption::text(name, help))
        };
        Some(Self {
            name,
            about: comment(about.lines()),
            reader: source.split_once('(')?.0,
            options: options.lines().filter_map(option).collect(),
            steps: steps.filter(|name| *name != "SELECT").collect(),
            columns: items(columns.split_once("\n    *\n")?.0)
                .map(|(name, about)| DocumentColumn { name, about })
                .collect(),
            statement,
        })
    }
}

/// The columns of a SELECT, one per line or more, and the comments above them.
fn items(text: &'static str) -> impl Iterator<Item = (&'static str, String)> {
    let mut above = Vec::new();
    text.lines().filter_map(move |line| {
        let line = line.trim();
        if line.starts_with("--") {
            above.push(line);
            return None;
        }
        // An expression may continue on the next line, and only its last line has the name.
        let item = line.strip_suffix(',').unwrap_or(line);
        let name = match item.rsplit_once(" AS ") {
            Some((_, name)) => name,
            None => item,
        };
        let name = name.trim_matches('"');
        let is_name = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        is_name.then(|| (name, comment(above.drain(..))))
    })
}

/// The text of comment lines.
fn comment<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines = lines.map(|line| line.trim_start_matches('-').trim());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_read() {
        assert_eq!(tables().len(), FILES.len());
        for table in tables() {
            assert!(table.statement.contains(FOLDER_COLUMNS), "{}", table.name);
            assert!(table.about.ends_with('.'), "{}", table.about);
            for column in &table.columns {
                assert!(!column.about.is_empty(), "{}.{}", table.name, column.name);
            }
        }
    }

    #[test]
    fn names_and_comments_are_found() {
        let pages = &tables()[0];
        assert_eq!((pages.name, pages.reader), ("web_pages", "read_warc"));
        assert_eq!(pages.options[0].name, "mode");
        assert_eq!(pages.steps, ["http", "page_"]);
        let names: Vec<&str> = pages.columns.iter().map(|column| column.name).collect();
        assert_eq!(names[..4], ["source_file", "offset", "url", "date"]);
        assert_eq!(pages.columns[2].about, "The address of the page");
        let documents = tables().last().unwrap();
        let names: Vec<&str> = documents.columns.iter().map(|column| column.name).collect();
        assert_eq!(names.last(), Some(&"error"));
        assert_eq!(documents.steps.first(), Some(&"response_"));
        assert_eq!(documents.steps.len(), 17);
    }
}
