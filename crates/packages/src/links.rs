//! Members that are links to other members.
//!
//! The target may be anywhere in the package, and a stream cannot go back. So links are remembered
//! until the end, and a second pass over the package reads their targets.

use std::collections::BTreeMap;

use corpus_bytes::record::RecordError;

/// Maximum number of bytes of names that are remembered.
const MAX_NAME_BYTES: usize = 32 << 20;

/// Maximum number of links from one link to the next.
const MAX_HOPS: usize = 16;

/// The reason for a link whose target cannot be read.
const LINK: &str = "link without a target";

/// The links of a package.
#[derive(Default)]
pub struct Links {
    /// Names and targets, by normalized names.
    by_name: BTreeMap<String, (String, String)>,
    bytes: usize,
}

impl Links {
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Remembers a link. An error if there are too many.
    pub fn add(&mut self, name: &str, target: String) -> Result<(), RecordError> {
        let bytes = 2 * name.len() + target.len();
        if self.bytes + bytes > MAX_NAME_BYTES {
            let detail = format!("a link to '{target}', after too many others: unpack the package");
            return Err(RecordError::new(LINK, detail));
        }
        self.bytes += bytes;
        let link = (name.to_owned(), target);
        self.by_name.insert(normalized(name), link);
        Ok(())
    }

    /// The links by the members that they lead to, also by way of other links.
    pub fn into_targets(self) -> Targets {
        let mut targets = Targets::default();
        for (name, first) in self.by_name.values() {
            let mut target = first;
            let mut hops = 0;
            while let Some((_, next)) = self.by_name.get(target)
                && hops < MAX_HOPS
            {
                target = next;
                hops += 1;
            }
            let links = targets.0.entry(target.clone()).or_default();
            links.names.push(name.clone());
        }
        targets
    }
}

/// The links that lead to each target.
#[derive(Default)]
pub struct Targets(BTreeMap<String, LinksToOne>);

#[derive(Default)]
struct LinksToOne {
    names: Vec<String>,
    /// Whether the target is in the package.
    is_found: bool,
}

impl Targets {
    /// Returns the names of the links to a member. Links to a folder that contains it are settled:
    /// its members have rows with their own names.
    pub fn links_to(&mut self, member: &str) -> Vec<String> {
        let member = normalized(member);
        let folders = memchr::memchr_iter(b'/', member.as_bytes());
        for end in std::iter::once(0).chain(folders) {
            let folder = member.get(..end).unwrap_or_default();
            if let Some(links) = self.0.get_mut(folder) {
                links.is_found = true;
            }
        }
        let Some(links) = self.0.get_mut(&member) else {
            return Vec::new();
        };
        links.is_found = true;
        links.names.clone()
    }

    /// Removes and returns the name of a link whose target is not in the package, and its error.
    pub fn next_unresolved(&mut self) -> Option<(String, RecordError)> {
        while let Some(mut entry) = self.0.first_entry() {
            let links = entry.get_mut();
            if !links.is_found
                && let Some(name) = links.names.pop()
            {
                let detail = format!("'{}' is not a file in the package", entry.key());
                return Some((name, RecordError::new(LINK, detail)));
            }
            entry.remove();
        }
        None
    }
}

/// The path of the target of a symbolic link, which is relative to the link's folder.
pub fn target_of_symbolic_link(name: &str, target: &str) -> String {
    match name.rsplit_once('/') {
        Some((folder, _)) if !target.starts_with('/') => normalized(&format!("{folder}/{target}")),
        _ => normalized(target),
    }
}

/// The path without empty parts, `.` and `..`.
pub fn normalized(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|part| *part != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};
    use std::sync::Arc;

    use corpus_bytes::memory::Memory;
    use tar::{EntryType, Header};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::testing::gzip;
    use crate::{Options, Reader};

    /// Returns the name of each row, and its content or the error.
    fn rows(bytes: Vec<u8>, options: &Options) -> Vec<(String, String)> {
        let file = Arc::new(Memory(bytes.into()));
        let reader = Reader::from_file(file, "x", options).unwrap();
        let row = |record: crate::Record| {
            let content = record.content.unwrap_or_default();
            let text = match record.error {
                Some(error) => error.to_string(),
                None => {
                    assert_eq!(record.size, Some(content.len() as u64));
                    String::from_utf8(content).unwrap()
                }
            };
            (record.name, text)
        };
        reader.map(row).collect()
    }

    fn expected(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        let row = |(name, text): &(&str, &str)| (format!("x!{name}"), text.to_string());
        rows.iter().map(row).collect()
    }

    struct Builder(tar::Builder<Vec<u8>>);

    impl Builder {
        fn new() -> Self {
            Self(tar::Builder::new(Vec::new()))
        }

        fn file(&mut self, name: &str, content: &[u8]) {
            let mut header = Header::new_gnu();
            header.set_size(content.len() as u64);
            self.0.append_data(&mut header, name, content).unwrap();
        }

        fn link(&mut self, kind: EntryType, name: &str, target: &str) {
            let mut header = Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(0);
            self.0.append_link(&mut header, name, target).unwrap();
        }

        fn build(self) -> Vec<u8> {
            self.0.into_inner().unwrap()
        }
    }

    #[test]
    fn links_are_read_as_their_targets() {
        let long = format!("{}/b", "folder".repeat(40));
        let mut builder = Builder::new();
        builder.link(EntryType::Symlink, "z/early", "../a/b");
        builder.link(EntryType::Symlink, "folder", "a/");
        builder.link(EntryType::Symlink, "outside", "/etc/hosts");
        builder.file("./a/b", b"content");
        builder.link(EntryType::Link, "hard", "./a/b");
        builder.link(EntryType::Link, "again", "hard");
        builder.file(&long, b"long");
        builder.link(EntryType::Link, "to-long", &long);
        builder.link(EntryType::Symlink, "round", "and-round");
        builder.link(EntryType::Symlink, "and-round", "round");
        let missing =
            |target| format!("link without a target: '{target}' is not a file in the package");
        let outside = missing("etc/hosts");
        let rounds = [missing("and-round"), missing("round")];
        let expected = expected(&[
            ("a/b", "content"),
            (&long, "long"),
            ("z/early", "content"),
            ("hard", "content"),
            ("again", "content"),
            ("to-long", "long"),
            ("round", &rounds[0]),
            ("outside", &outside),
            ("and-round", &rounds[1]),
        ]);
        let bytes = builder.build();
        for bytes in [gzip(&bytes), bytes] {
            assert_eq!(rows(bytes, &Options::default()), expected);
        }
    }

    #[test]
    fn links_have_the_limits_of_files() {
        let mut builder = Builder::new();
        builder.file("a.gz", &gzip(b"text"));
        builder.file("b", b"text");
        for name in ["1.pdf", "2.pdf"] {
            builder.link(EntryType::Link, name, "b");
        }
        builder.link(EntryType::Link, "c.gz", "a.gz");
        let bytes = builder.build();
        let options = Options {
            member_extensions: &["pdf"],
            max_content_bytes: 3,
            ..Options::default()
        };
        let cut: Vec<(String, String)> = rows(bytes.clone(), &options);
        assert_eq!(cut.len(), 2);
        assert!(
            cut.iter()
                .all(|(_, error)| error.starts_with("content cut"))
        );
        let whole = rows(bytes, &Options::default());
        assert!(
            whole.iter().all(|(_, content)| content == "text"),
            "{whole:?}"
        );
        assert_eq!(whole.len(), 5);
    }

    #[test]
    fn links_in_a_zip() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        writer.add_symlink("a/link", "../b", options).unwrap();
        writer.start_file("b", options).unwrap();
        writer.write_all(b"text").unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        let expected = expected(&[("b", "text"), ("a/link", "text")]);
        assert_eq!(rows(bytes, &Options::default()), expected);
    }

    #[test]
    fn too_many_links_are_errors() {
        let mut links = Links::default();
        let target = "t".repeat(MAX_NAME_BYTES - 2);
        assert!(links.add("a", target).is_ok());
        let error = links.add("b", "target".to_owned()).unwrap_err();
        assert!(error.to_string().contains("'target'"));
    }
}
