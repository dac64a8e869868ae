//! Formats inside zip files, determined by the names of the first entries.

use memchr::memmem;

const ENTRY: &[u8] = b"PK\x03\x04";
/// The start of an entry in the directory at the end.
const LISTED: &[u8] = b"PK\x01\x02";
const EPUB: &str = "application/epub+zip";
/// Number of bytes searched for entries. Office documents start with some kilobytes of other parts.
const MAX_SEARCH_BYTES: usize = 32 << 10;
const MAX_ENTRIES: usize = 32;

/// Contents of the entry `mimetype`, which is first and uncompressed.
const MEDIA_TYPES: &[&str] = &[
    EPUB,
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.text-template",
    "application/vnd.oasis.opendocument.text-master",
    "application/vnd.oasis.opendocument.text-web",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.spreadsheet-template",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.presentation-template",
    "application/vnd.oasis.opendocument.graphics",
    "application/vnd.oasis.opendocument.graphics-template",
    "application/vnd.oasis.opendocument.chart",
    "application/vnd.oasis.opendocument.formula",
    "application/vnd.oasis.opendocument.image",
    "application/vnd.sun.xml.writer",
    "application/vnd.sun.xml.calc",
    "application/vnd.sun.xml.impress",
    "application/vnd.sun.xml.draw",
    "application/hwp+zip",
    "application/vnd.adobe.indesign-idml-package",
    "image/openraster",
    "application/x-krita",
];

/// Prefixes of entry names that occur in one format only.
const NAMES: &[(&[u8], &str)] = &[
    (
        b"word/",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    (
        b"xl/",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    (
        b"ppt/",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    (b"visio/", "application/vnd.ms-visio.drawing"),
    (
        b"AndroidManifest.xml",
        "application/vnd.android.package-archive",
    ),
    (b"META-INF/MANIFEST.MF", "application/java-archive"),
    (b"doc.kml", "application/vnd.google-earth.kmz"),
];

/// The format inside a zip file, if known.
pub fn format_of(body: &[u8]) -> Option<&'static str> {
    let searched = &body[..body.len().min(MAX_SEARCH_BYTES)];
    let mut entries = memmem::find_iter(searched, ENTRY).take(MAX_ENTRIES);
    let first = entries.next()?;
    if let Some(media_type) = declared_type(&searched[first..]) {
        return Some(media_type);
    }
    let format_at = |at: usize| {
        let name = name_of(&searched[at..])?;
        NAMES
            .iter()
            .find(|(start, _)| name.starts_with(start))
            .map(|(_, media_type)| *media_type)
    };
    format_at(first)
        .or_else(|| entries.find_map(format_at))
        .or_else(|| is_epub(body).then_some(EPUB))
}

/// Whether a zip without an uncompressed entry `mimetype` at its start has the entries of an EPUB:
/// the container and a package document.
fn is_epub(body: &[u8]) -> bool {
    let head = body.get(..MAX_SEARCH_BYTES).unwrap_or(body);
    let tail = body.len().saturating_sub(MAX_SEARCH_BYTES);
    let tail = body.get(tail..).unwrap_or_default();
    let has = |is_wanted: &dyn Fn(&[u8]) -> bool| {
        let local = memmem::find_iter(head, ENTRY).filter_map(|at| name_of(head.get(at..)?));
        let listed = memmem::find_iter(tail, LISTED).filter_map(|at| listed_name(tail.get(at..)?));
        local.chain(listed).any(is_wanted)
    };
    has(&|name| name == b"META-INF/container.xml") && has(&|name| name.ends_with(b".opf"))
}

/// The type declared by an entry `mimetype`.
fn declared_type(entry: &[u8]) -> Option<&'static str> {
    const NAME: &[u8] = b"mimetype";
    let name = name_of(entry).filter(|name| *name == NAME)?;
    let extra = usize::from(u16::from_le_bytes([*entry.get(28)?, *entry.get(29)?]));
    let content = entry.get(30 + name.len() + extra..)?;
    // Some types are prefixes of others.
    MEDIA_TYPES
        .iter()
        .filter(|media_type| content.starts_with(media_type.as_bytes()))
        .max_by_key(|media_type| media_type.len())
        .copied()
}

fn name_of(entry: &[u8]) -> Option<&[u8]> {
    let length = usize::from(u16::from_le_bytes([*entry.get(26)?, *entry.get(27)?]));
    entry.get(30..30 + length)
}

/// The name of an entry in the directory.
fn listed_name(entry: &[u8]) -> Option<&[u8]> {
    let length = usize::from(u16::from_le_bytes([*entry.get(28)?, *entry.get(29)?]));
    entry.get(46..46 + length)
}
