//! Repairs object streams that hayro cannot read because they are compressed with Brotli or have
//! odd tokens. The repaired streams are appended to the file as in an incremental update, so that
//! they replace the originals.

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, FromBytes, Name, ObjectIdentifier, Stream};
use memchr::memmem;

use super::budget::Budget;
use super::odd_tokens;
use super::streams;

/// Number of bytes before the type of a stream that are searched for its object number.
const MAX_HEAD_BYTES: usize = 4 << 10;

/// Number of bytes before a word that are searched for a number.
const MAX_NUMBER_BYTES: usize = 32;

/// The size of an entry in a cross-reference table.
const ENTRY_BYTES: usize = 20;

/// Returns the file with readable streams appended, or `None` if there is nothing to append. `pdf`
/// is needed for decryption. All streams together may decode to at most `limit` bytes.
pub fn with_readable_streams(data: &[u8], pdf: Option<&Pdf>, limit: u64) -> Option<Vec<u8>> {
    let mut budget = Budget::for_bytes(limit);
    let mut appended = Vec::new();
    let mut entries = String::new();
    let mut next = 0;
    for at in memmem::find_iter(data, b"/ObjStm") {
        // A dictionary may contain the name several times.
        if at < next {
            continue;
        }
        let Some((number, start)) = object_around(data, at) else {
            continue;
        };
        let stream = match pdf {
            Some(pdf) => pdf.xref().get(ObjectIdentifier::new(number, 0)),
            None => data.get(start..).and_then(stream_at),
        };
        let Some(stream) = stream else {
            continue;
        };
        next = at + 1;
        let decoded = streams::decode(&stream, &mut budget).ok()?;
        let mut content = decoded.data.into_owned();
        odd_tokens::repair(&mut content);
        // hayro reads other content if there are odd tokens, unknown filters or damage.
        let is_repaired = stream.decoded_data().ok().as_deref() != Some(&content[..]);
        if content.is_empty() || !is_repaired {
            continue;
        }
        let integer = |key: &[u8]| stream.dict().get::<u32>(key).unwrap_or_default();
        // The object starts after the newline that `append` writes first.
        let start = data.len() + appended.len() + 1;
        entries.push_str(&entry(ObjectIdentifier::new(number, 0), start));
        append(
            &mut appended,
            number,
            &format!(
                "/Type /ObjStm /N {} /First {}",
                integer(b"N"),
                integer(b"First")
            ),
            &content,
        );
    }
    let mut out = data.to_vec();
    let references = latest_section(data).and_then(|at| references_at(data, at, &mut budget));
    if entries.is_empty() && references.is_none() {
        return None;
    }
    out.extend(appended);
    match references {
        Some((number, dict, content)) => {
            // The object starts after the newline that `append` writes first.
            let at = out.len() + 1;
            append(&mut out, number, &dict, &content);
            finish_after(&mut out, data, Some(at), &entries, b"");
        }
        None => finish(&mut out, data, &entries),
    }
    Some(out)
}

/// Whether an object stream is damaged. hayro does not compare streams with their checksums.
pub fn are_damaged(pdf: &Pdf, limit: u64) -> bool {
    let data = pdf.data().as_ref();
    let mut budget = Budget::for_bytes(limit);
    // Do not search for corrections: the repair does.
    budget.search = 0;
    memmem::find_iter(data, b"/ObjStm").any(|at| {
        let stream = object_around(data, at).and_then(|(number, _)| {
            pdf.xref()
                .get::<Stream<'_>>(ObjectIdentifier::new(number, 0))
        });
        stream.is_some_and(|stream| streams::is_damaged(&stream, &mut budget))
    })
}

/// Appends a cross-reference table with these entries to `out`, which starts with the file `data`.
pub fn finish(out: &mut Vec<u8>, data: &[u8], entries: &str) {
    finish_after(out, data, latest_section(data), entries, b"");
}

/// Returns the file with these entries in its trailer, replacing entries with the same keys. `None`
/// if there is no section to continue.
pub fn with_trailer_entries(data: &[u8], trailer_entries: &[u8]) -> Option<Vec<u8>> {
    let previous = latest_section(data).filter(|at| trailer_at(data, *at).is_some())?;
    let mut out = data.to_vec();
    finish_after(&mut out, data, Some(previous), "", trailer_entries);
    Some(out)
}

/// Like [`finish`], continuing the section at `previous`. If there is no section to continue, hayro
/// rebuilds the table and finds the new objects as well.
fn finish_after(
    out: &mut Vec<u8>,
    data: &[u8],
    previous: Option<usize>,
    entries: &str,
    trailer_entries: &[u8],
) {
    let trailer = latest_section(data).and_then(|at| trailer_at(data, at));
    let start = out.len() + 1;
    if let (Some(previous), Some(trailer)) = (previous, trailer) {
        out.extend(format!("\nxref\n{entries}trailer\n").bytes());
        // If a key occurs twice, the later entry is valid.
        let inner = trailer.strip_suffix(b">>").unwrap_or(trailer);
        out.extend_from_slice(inner);
        out.push(b' ');
        out.extend_from_slice(trailer_entries);
        out.extend(format!(" /Prev {previous} >>\nstartxref\n{start}\n%%EOF\n").bytes());
    } else {
        out.extend(b"\nstartxref\n0\n%%EOF\n");
    }
}

/// A subsection with one entry, the object at an offset.
pub fn entry(id: ObjectIdentifier, start: usize) -> String {
    let entry = format!("{start:010} {:05} n\r\n", id.gen_number);
    debug_assert_eq!(entry.len(), ENTRY_BYTES);
    format!("{} 1\n{entry}", id.obj_number)
}

/// Appends a stream and marks it as not encrypted, even if the rest of the file is.
fn append(out: &mut Vec<u8>, number: u32, entries: &str, content: &[u8]) {
    let length = content.len();
    out.extend(
        format!(
            "\n{number} 0 obj\n<< {entries} /Filter [/Crypt] \
             /DecodeParms [<< /Name /Identity >>] /Length {length} >>\nstream\n"
        )
        .bytes(),
    );
    out.extend_from_slice(content);
    out.extend(b"\nendstream\nendobj\n");
}

/// The number of the object that contains an offset, and the start of its content.
fn object_around(data: &[u8], at: usize) -> Option<(u32, usize)> {
    let from = at.saturating_sub(MAX_HEAD_BYTES);
    let head = data.get(from..at)?;
    let keyword = memmem::rfind(head, b"obj")?;
    let (rest, generation) = number_before(head, keyword)?;
    let (_, object) = number_before(head, rest)?;
    (generation == 0).then_some((object, from + keyword + b"obj".len()))
}

/// The offset and value of the number before an offset, ignoring white space.
pub fn number_before(data: &[u8], end: usize) -> Option<(usize, u32)> {
    let text = data.get(end.saturating_sub(MAX_NUMBER_BYTES)..end)?;
    let number = text.trim_ascii_end();
    let digits = number.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let start = number.len() - digits.count();
    let value = str::from_utf8(number.get(start..)?).ok()?.parse().ok()?;
    Some((end - text.len() + start, value))
}

fn stream_at(content: &[u8]) -> Option<Stream<'_>> {
    Stream::from_bytes(content.trim_ascii_start())
}

/// The start of the latest cross-reference section, according to the file.
fn latest_section(data: &[u8]) -> Option<usize> {
    let keyword = b"startxref";
    let after = memmem::rfind(data, keyword)? + keyword.len();
    let digits = data.get(after..)?.trim_ascii_start();
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit());
    let offset = str::from_utf8(digits.get(..length.count())?).ok()?;
    offset.parse().ok().filter(|at| *at < data.len())
}

/// The raw trailer of a section, or the dictionary of its stream.
fn trailer_at(data: &[u8], at: usize) -> Option<&[u8]> {
    let section = data.get(at..)?.trim_ascii_start();
    let keyword: &[u8] = if section.starts_with(b"xref") {
        b"trailer"
    } else {
        b"obj"
    };
    let start = memmem::find(section, keyword)? + keyword.len();
    let dict = Dict::from_bytes(section.get(start..)?.trim_ascii_start())?;
    dict.contains_key(b"Root").then(|| dict.data())
}

/// The number, entries and content of a Brotli-compressed cross-reference stream.
fn references_at(data: &[u8], at: usize, budget: &mut Budget) -> Option<(u32, String, Vec<u8>)> {
    let section = data.get(at..)?.trim_ascii_start();
    let keyword = memmem::find(section.get(..MAX_HEAD_BYTES).unwrap_or(section), b"obj")?;
    let number = section
        .get(..keyword)?
        .split(u8::is_ascii_whitespace)
        .next()?;
    let number = str::from_utf8(number).ok()?.parse().ok()?;
    let stream = stream_at(section.get(keyword + b"obj".len()..)?)?;
    let dict = stream.dict();
    let kind = dict.get::<Name<'_>>(b"Type");
    if kind.is_none_or(|kind| &*kind != b"XRef") || !streams::has_brotli(dict) {
        return None;
    }
    let content = streams::decode(&stream, budget).ok()?.data.into_owned();
    let written = dict.data();
    let inner = written.strip_prefix(b"<<")?.strip_suffix(b">>")?;
    Some((number, String::from_utf8_lossy(inner).into_owned(), content))
}
