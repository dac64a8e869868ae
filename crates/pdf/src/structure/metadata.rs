//! Title, author and other metadata: from the document information dictionary, or else from XMP.

use hayro_syntax::object::{Dict, Object};

use super::objects::Objects;
use super::xmp::{self, Xmp};
use super::{dates, streams};
use crate::model::Info;
use crate::text_string;

/// Fills in the metadata.
pub(super) fn fill<'a>(
    info: &mut Info,
    trailer: &Dict<'a>,
    catalog: &Dict<'a>,
    objects: &Objects<'a>,
) {
    let dictionary = objects.dict(trailer, "Info").unwrap_or_default();
    let text = |key| text_string::decode_line(&objects.string(&dictionary, key)?);
    let date = |key| dates::parse(&text_string::decode(&objects.string(&dictionary, key)?));
    info.title = text("Title");
    info.author = text("Author");
    info.subject = text("Subject");
    info.keywords = text("Keywords");
    info.creator = text("Creator");
    info.producer = text("Producer");
    info.created = date("CreationDate");
    info.modified = date("ModDate");
    if let Some(xmp) = packet(catalog, objects) {
        complete(info, xmp);
    }
}

fn packet<'a>(catalog: &Dict<'a>, objects: &Objects<'a>) -> Option<Xmp> {
    let Some(Object::Stream(stream)) = objects.get(catalog, "Metadata") else {
        return None;
    };
    Some(Xmp::read(&streams::decode(&stream, xmp::MAX_BYTES)?))
}

fn complete(info: &mut Info, xmp: Xmp) {
    let fill = |index: &mut Option<String>, value| {
        if index.is_none() {
            *index = value;
        }
    };
    fill(&mut info.title, xmp.title);
    fill(&mut info.author, xmp.author);
    fill(&mut info.subject, xmp.subject);
    fill(&mut info.keywords, xmp.keywords);
    fill(&mut info.creator, xmp.creator);
    fill(&mut info.producer, xmp.producer);
    let date = |date: Option<String>| date.and_then(|date| dates::parse(&date));
    info.created = info.created.or_else(|| date(xmp.created));
    info.modified = info.modified.or_else(|| date(xmp.modified));
}
