//! The pages of the documentation: Markdown files, their fenced blocks and generated parts.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::support::root;

/// The start of a generated part, followed by its name and ` -->`.
const GENERATED: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// One Markdown file.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

/// A fenced block of code.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// The first word after the fence.
    pub language: String,
    /// The other words after the fence.
    pub flags: String,
    /// The byte range of the content in the page.
    pub range: Range<usize>,
    /// Whether only blank lines separate it from the block before.
    pub follows_block: bool,
}

/// Keeps tests that update pages from overwriting each other's changes.
pub fn lock_pages() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// README.md and all pages below docs/.
pub fn pages() -> Vec<Page> {
    let mut paths = vec![root().join("README.md")];
    add_pages(&root().join("docs"), &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| Page {
            text: fs::read_to_string(&path).unwrap(),
            path,
        })
        .collect()
}

fn add_pages(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_pages(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}

impl Page {
    /// The path below the root of the project.
    pub fn name(&self) -> String {
        let path = self.path.strip_prefix(root()).unwrap();
        path.to_string_lossy().into_owned()
    }

    /// Compares the page with its updated text. `UPDATE_EXPECTED=1` writes the updated text
    /// instead.
    #[track_caller]
    pub fn check(&self, updated: &str) {
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            if updated != self.text {
                fs::write(&self.path, updated).unwrap();
            }
            return;
        }
        assert_eq!(
            self.text,
            updated,
            "UPDATE_EXPECTED=1 cargo test documentation rewrites {}",
            self.name()
        );
    }

    /// The names of the generated parts, with the byte ranges of their text.
    pub fn generated_parts(&self) -> Vec<(&str, Range<usize>)> {
        let mut parts = Vec::new();
        let mut from = 0;
        while let Some(found) = self.text[from..].find(GENERATED) {
            let name = from + found + GENERATED.len();
            let name_end = name + self.text[name..].find(" -->\n").unwrap();
            let start = name_end + " -->\n".len();
            let length = self.text[start..].find(END);
            let end = start + length.unwrap_or_else(|| panic!("{} has no {END}", self.name()));
            parts.push((&self.text[name..name_end], start..end));
            from = end;
        }
        parts
    }

    /// The fenced blocks outside of generated parts.
    pub fn blocks(&self) -> Vec<Block> {
        let generated = self.generated_parts();
        let mut blocks: Vec<Block> = Vec::new();
        let mut open: Option<(String, usize)> = None;
        let mut follows_block = false;
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            match (&open, line.strip_prefix("```")) {
                (None, Some(info)) => open = Some((info.trim().to_owned(), at)),
                (Some((info, content)), Some(_)) => {
                    let (language, flags) = info.split_once(' ').unwrap_or((info, ""));
                    blocks.push(Block {
                        language: language.to_owned(),
                        flags: flags.to_owned(),
                        range: *content..start,
                        follows_block,
                    });
                    open = None;
                    follows_block = true;
                }
                (None, None) => follows_block &= line.trim().is_empty(),
                (Some(_), None) => {}
            }
        }
        assert!(open.is_none(), "{} has an open fence", self.name());
        blocks.retain(|block| {
            let inside = |part: &Range<usize>| part.contains(&block.range.start);
            !generated.iter().any(|(_, part)| inside(part))
        });
        blocks
    }

    /// The targets of links to files.
    pub fn linked_files(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().unwrap();
        let targets = self.text.split("](").skip(1);
        targets
            .filter_map(|rest| rest.split([')', '#']).next())
            .filter(|target| !target.is_empty() && !target.contains("://"))
            .map(|target| folder.join(target))
            .collect()
    }
}

#[test]
fn blocks_of_a_page_are_found() {
    let page = Page {
        path: root().join("README.md"),
        text: "a\n```sh fails\nx\n```\n\n```text\ny\n```\nb\n```sql\n```\n\
               <!-- generated: t -->\n```sh\nz\n```\n<!-- end -->\n"
            .to_owned(),
    };
    let blocks = page.blocks();
    let shown: Vec<_> = blocks
        .iter()
        .map(|block| {
            let text = &page.text[block.range.clone()];
            (&*block.language, &*block.flags, text, block.follows_block)
        })
        .collect();
    let expected = [
        ("sh", "fails", "x\n", false),
        ("text", "", "y\n", true),
        ("sql", "", "", false),
    ];
    assert_eq!(shown, expected);
}
