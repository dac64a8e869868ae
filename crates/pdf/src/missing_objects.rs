//! Adds objects that the cross-reference table lacks, lists as free or lists with another
//! generation. Other readers also find them.

use std::collections::HashMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, FromBytes, Object, ObjectIdentifier};
use memchr::memmem;

use super::object_streams::{entry, finish, number_before};

/// An object in the file, or the remains of one.
#[derive(Clone, Copy)]
struct ObjectRemnant {
    /// The offset of its number.
    start: usize,
    /// The range of its generation.
    generation: (usize, usize),
    /// The offset after `obj`.
    content: usize,
}

/// Returns the file with a table that lists these objects, or `None` if it contains none of them.
/// `pdf` provides the objects in object streams.
pub fn with_objects(data: &[u8], pdf: &Pdf, ids: &[ObjectIdentifier]) -> Option<Vec<u8>> {
    let indexes = places(data, ids);
    let mut out = data.to_vec();
    let mut entries = String::new();
    let mut appended = Vec::new();
    for id in ids {
        let mut append = |object: &[u8]| {
            entries.push_str(&entry(*id, data.len() + appended.len() + 1));
            let ObjectIdentifier {
                obj_number,
                gen_number,
            } = id;
            appended.extend(format!("\n{obj_number} {gen_number} obj\n").bytes());
            appended.extend_from_slice(object);
            appended.extend(b"\nendobj\n");
        };
        let Some(index) = indexes.get(&id.obj_number) else {
            if let Some(object) = with_other_generation(pdf, *id) {
                append(&object);
            }
            continue;
        };
        let content = data
            .get(index.content..)
            .unwrap_or_default()
            .trim_ascii_start();
        if Object::from_bytes(content).is_none() {
            if let Some(stream) = without_end(content) {
                append(&stream);
            }
        } else if set_generation(&mut out, index.generation, id.gen_number) {
            entries.push_str(&entry(*id, index.start));
        }
    }
    if entries.is_empty() {
        return None;
    }
    out.extend(appended);
    finish(&mut out, data, &entries);
    Some(out)
}

/// The last place of each object in the file, by its number.
fn places(data: &[u8], ids: &[ObjectIdentifier]) -> HashMap<u32, ObjectRemnant> {
    let mut indexes: HashMap<u32, Option<ObjectRemnant>> =
        ids.iter().map(|id| (id.obj_number, None)).collect();
    for at in memmem::find_iter(data, b"obj") {
        let Some((after_number, generation)) = number_before(data, at) else {
            continue;
        };
        let Some((start, number)) = number_before(data, after_number) else {
            continue;
        };
        let digits = generation.to_string().len();
        if let Some(index) = indexes.get_mut(&number) {
            *index = Some(ObjectRemnant {
                start,
                generation: (after_number, after_number + digits),
                content: at + b"obj".len(),
            });
        }
    }
    let found = indexes.into_iter();
    found
        .filter_map(|(number, index)| Some((number, index?)))
        .collect()
}

/// Overwrites the generation of an object. Returns whether the new one fits.
fn set_generation(data: &mut [u8], (start, end): (usize, usize), generation: i32) -> bool {
    let digits = generation.to_string();
    let Some(room) = data
        .get_mut(start..end)
        .filter(|room| digits.len() <= room.len())
    else {
        return false;
    };
    let digits = digits.bytes().chain(std::iter::repeat(b' '));
    room.iter_mut()
        .zip(digits)
        .for_each(|(byte, digit)| *byte = digit);
    true
}

/// The text of an object in an object stream, where generations are always 0.
fn with_other_generation(pdf: &Pdf, id: ObjectIdentifier) -> Option<Vec<u8>> {
    let id = ObjectIdentifier::new(id.obj_number, 0);
    match pdf.xref().get::<Object<'_>>(id)? {
        Object::Dict(dict) => Some(dict.data().to_vec()),
        Object::Array(array) => Some(array.data().to_vec()),
        _ => None,
    }
}

/// Adds the missing `endstream` to a stream.
fn without_end(content: &[u8]) -> Option<Vec<u8>> {
    let dict = Dict::from_bytes(content)?.data();
    let after = content.get(dict.len()..)?.trim_ascii_start();
    let data = after.strip_prefix(b"stream")?;
    let data = data.strip_prefix(b"\r").unwrap_or(data);
    let data = data.strip_prefix(b"\n").unwrap_or(data);
    let end = memmem::find(data, b"endobj").unwrap_or(data.len());
    let data = data.get(..end)?;
    // If a key occurs twice, the later entry is valid.
    let entries = dict.strip_suffix(b">>")?;
    let length = format!(" /Length {} >>\nstream\n", data.len());
    Some([entries, length.as_bytes(), data, b"\nendstream"].concat())
}
