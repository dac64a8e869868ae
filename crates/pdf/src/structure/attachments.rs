//! The files that are embedded in a document.

use std::collections::HashSet;

use hayro_syntax::object::{Dict, MaybeRef, Object, ObjectIdentifier, Stream};

use super::objects::{Objects, Visited};
use super::{dates, text_of};
use crate::model::Attachment;
use crate::pages::Pages;
use crate::text_string;

const MAX_ATTACHMENTS: usize = 10_000;

/// The keys of a file's names and content, best first.
const NAMES: [&str; 5] = ["UF", "F", "Unix", "Mac", "DOS"];

/// An embedded file whose content is not decoded yet.
#[derive(Debug)]
pub struct Embedded<'a> {
    pub attachment: Attachment,
    /// `None` if it is missing.
    pub content: Option<Stream<'a>>,
}

/// The embedded files: those of the document, then those of annotations on pages. Files of the same
/// name and content are returned once.
pub(super) fn attachments<'a>(
    list: &Pages<'a>,
    catalog: &Dict<'a>,
    objects: &Objects<'a>,
) -> Vec<Embedded<'a>> {
    let mut search = Search {
        objects,
        known: HashSet::new(),
        found: Vec::new(),
    };
    search.add_named(catalog);
    search.add_associated(catalog, None);
    for (number, page) in list.numbered() {
        if search.is_full() {
            break;
        }
        search.of_annotations(page.raw(), number);
        search.add_associated(page.raw(), Some(number));
    }
    search.found
}

struct Search<'s, 'a> {
    objects: &'s Objects<'a>,
    /// The contents and names of the files.
    known: HashSet<(ObjectIdentifier, Option<String>)>,
    found: Vec<Embedded<'a>>,
}

impl<'a> Search<'_, 'a> {
    fn is_full(&self) -> bool {
        self.found.len() >= MAX_ATTACHMENTS || self.objects.is_exhausted()
    }

    /// Adds the files in the tree of names.
    fn add_named(&mut self, catalog: &Dict<'a>) {
        let mut visited = Visited::default();
        let mut nodes = Vec::new();
        if let Some(names) = self.objects.dict(catalog, "Names") {
            nodes.extend(names.get_raw::<Object<'a>>("EmbeddedFiles"));
        }
        while let Some(node) = nodes.pop() {
            if self.is_full() {
                return;
            }
            if !visited.is_new(&node) {
                continue;
            }
            let Some(node) = self.objects.resolve(node).and_then(Object::into_dict) else {
                continue;
            };
            if let Some(kids) = self.objects.array(&node, "Kids") {
                // This is a stack: push the last child first.
                let kids: Vec<_> = kids.raw_iter().collect();
                nodes.extend(kids.into_iter().rev());
            }
            let Some(pairs) = self.objects.array(&node, "Names") else {
                continue;
            };
            let mut items = pairs.raw_iter();
            while let (Some(name), Some(file)) = (items.next(), items.next()) {
                let name = self.objects.resolve(name).and_then(Object::into_string);
                let name = name.and_then(|name| text_string::decode_line(&name));
                self.add(file, name, None);
            }
        }
    }

    /// Adds the files that an object lists as associated with it.
    fn add_associated(&mut self, dict: &Dict<'a>, page: Option<u32>) {
        let Some(files) = self.objects.array(dict, "AF") else {
            return;
        };
        for file in files.raw_iter() {
            if self.is_full() {
                return;
            }
            self.add(file, None, page);
        }
    }

    fn of_annotations(&mut self, page: &Dict<'a>, number: u32) {
        let Some(annotations) = self.objects.array(page, "Annots") else {
            return;
        };
        for annotation in annotations.raw_iter() {
            if self.is_full() {
                return;
            }
            let annotation = self.objects.resolve(annotation);
            let Some(annotation) = annotation.and_then(Object::into_dict) else {
                continue;
            };
            let kind = self.objects.name(&annotation, "Subtype");
            if kind.is_none_or(|kind| &*kind != b"FileAttachment") {
                continue;
            }
            if let Some(file) = annotation.get_raw::<Object<'a>>("FS") {
                let about = text_of(self.objects, &annotation, "Contents");
                let before = self.found.len();
                self.add(file, None, Some(number));
                if let Some(added) = self.found.get_mut(before) {
                    let attachment = &mut added.attachment;
                    attachment.description = attachment.description.take().or(about);
                }
            }
        }
    }

    /// Adds a file if it is embedded and new. Anything but a dictionary names a file outside of the
    /// document.
    fn add(&mut self, file: MaybeRef<Object<'a>>, name: Option<String>, page: Option<u32>) {
        if self.is_full() {
            return;
        }
        let Some(Object::Dict(file)) = self.objects.resolve(file) else {
            return;
        };
        let Some(contents) = self.objects.dict(&file, "EF") else {
            return;
        };
        let content = NAMES
            .iter()
            .find_map(|key| contents.get_raw::<Object<'a>>(*key));
        let Some(content) = content else {
            return;
        };
        let of_file = NAMES.iter().find_map(|key| self.line(&file, key));
        let name = of_file.or(name);
        // Files with other names may share their content.
        if let MaybeRef::Ref(reference) = content
            && !self.known.insert((reference.into(), name.clone()))
        {
            return;
        }
        let content = match self.objects.resolve(content) {
            Some(Object::Stream(stream)) => Some(stream),
            _ => None,
        };
        let mut attachment = Attachment {
            name,
            description: text_of(self.objects, &file, "Desc"),
            page,
            ..Attachment::default()
        };
        if let Some(content) = &content {
            let dict = content.dict();
            let media_type = self.objects.name(dict, "Subtype");
            attachment.media_type =
                media_type.and_then(|media_type| text_string::decode_line(&media_type));
            if let Some(parameters) = self.objects.dict(dict, "Params") {
                let date = |key: &str| dates::parse(&text_of(self.objects, &parameters, key)?);
                attachment.created = date("CreationDate");
                attachment.modified = date("ModDate");
            }
        }
        self.found.push(Embedded {
            attachment,
            content,
        });
    }

    fn line(&self, dict: &Dict<'a>, key: &str) -> Option<String> {
        text_string::decode_line(&self.objects.string(dict, key)?)
    }
}
