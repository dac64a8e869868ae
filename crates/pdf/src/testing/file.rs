//! A PDF file: numbered objects, and the tables with their offsets.

use std::fmt;

use super::crypt::Encryption;
use super::stream::Stream;
use super::{Page, fonts};

/// The catalog of every [`Pdf`].
pub const CATALOG: Ref = Ref(1);
/// The root of its page tree.
pub const PAGES: Ref = Ref(2);

/// A reference to an object, displayed as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ref(pub usize);

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} 0 R", self.0)
    }
}

#[derive(Clone, Debug)]
enum Object {
    /// The number is reserved, the content is not set yet.
    Reserved,
    Plain(Vec<u8>),
    Stream(Stream),
}

/// A file under construction.
#[derive(Clone, Debug)]
pub struct Pdf {
    version: &'static str,
    objects: Vec<Object>,
    pages: Vec<Ref>,
    pub(super) catalog: String,
    pub(super) info: String,
    pub(super) fields: Vec<Ref>,
    pub(super) layers: Vec<(Ref, bool)>,
    trailer: String,
    object_streams: bool,
    brotli: bool,
    encryption: Option<Encryption>,
}

impl Default for Pdf {
    fn default() -> Self {
        Self::new()
    }
}

impl Pdf {
    pub fn new() -> Self {
        Self {
            version: "1.7",
            objects: vec![Object::Reserved, Object::Reserved],
            pages: Vec::new(),
            catalog: String::new(),
            info: String::new(),
            fields: Vec::new(),
            layers: Vec::new(),
            trailer: String::new(),
            object_streams: false,
            brotli: false,
            encryption: None,
        }
    }

    pub fn version(&mut self, version: &'static str) {
        self.version = version;
    }

    /// Reserves the number of an object, so that others can refer to it before it is set.
    pub fn reserve(&mut self) -> Ref {
        self.objects.push(Object::Reserved);
        Ref(self.objects.len())
    }

    /// Adds an object as written, without `obj` and `endobj`.
    pub fn add(&mut self, body: impl Into<Vec<u8>>) -> Ref {
        let place = self.reserve();
        self.set(place, body);
        place
    }

    pub fn add_stream(&mut self, stream: Stream) -> Ref {
        let place = self.reserve();
        self.set_stream(place, stream);
        place
    }

    /// Sets a reserved object. If the catalog and the page tree are not set, they are generated.
    pub fn set(&mut self, place: Ref, body: impl Into<Vec<u8>>) {
        self.objects[place.0 - 1] = Object::Plain(body.into());
    }

    pub fn set_stream(&mut self, place: Ref, stream: Stream) {
        self.objects[place.0 - 1] = Object::Stream(stream);
    }

    pub fn page(&mut self, page: Page) -> Ref {
        let place = self.reserve();
        self.page_at(place, page);
        place
    }

    /// Sets a page whose number was reserved because links refer to it.
    pub fn page_at(&mut self, place: Ref, page: Page) {
        let fonts = if page.fonts.is_empty() {
            format!("/F1 {}", fonts::standard(self, "Helvetica"))
        } else {
            page.fonts
        };
        let content = self.add_stream(page.content);
        let mut resources = format!("/Font << {fonts} >>");
        for (kind, entries) in &page.resources {
            resources.push_str(&format!(" /{kind} << {entries}>>"));
        }
        let mut entries = page.entries;
        if !page.annotations.is_empty() {
            entries.push_str(&format!("/Annots [{}] ", references(&page.annotations)));
        }
        let media_box = page.media_box;
        self.set(
            place,
            format!(
                "<< /Type /Page /Parent {PAGES} /MediaBox [{media_box}] /Contents {content} \
                 /Resources << {resources} >> {entries}>>"
            ),
        );
        self.pages.push(place);
    }

    /// Adds entries to the catalog, as written.
    pub fn catalog(&mut self, entries: &str) {
        self.catalog.push(' ');
        self.catalog.push_str(entries);
    }

    /// Adds entries to the trailer, as written.
    pub fn trailer(&mut self, entries: &str) {
        self.trailer.push(' ');
        self.trailer.push_str(entries);
    }

    /// Writes objects into object streams, and a cross-reference stream instead of a table.
    pub fn object_streams(&mut self) {
        self.object_streams = true;
    }

    /// Like [`Self::object_streams`], with all of these streams compressed by Brotli.
    pub fn brotli_object_streams(&mut self) {
        self.object_streams = true;
        self.brotli = true;
    }

    pub fn encrypt(&mut self, encryption: Encryption) {
        self.encryption = Some(encryption);
    }

    pub fn build(mut self) -> Vec<u8> {
        self.complete();
        let mut trailer = format!("/Root {CATALOG}{}", self.trailer);
        if !self.info.is_empty() {
            let info = self.add(format!("<<{} >>", self.info));
            trailer.push_str(&format!(" /Info {info}"));
        }
        let key = self.encryption.take().map(Encryption::key);
        let mut plain = None;
        if let Some(key) = &key {
            let place = self.add(key.dictionary());
            plain = Some(place.0);
            trailer.push_str(&format!(" /Encrypt {place} {}", key.id_entry()));
        }
        let packed = if self.object_streams {
            self.pack(plain)
        } else {
            Vec::new()
        };
        let written = |(number, object): (usize, &Object)| {
            let key = key.as_ref().filter(|_| plain != Some(number));
            match (object, key) {
                (Object::Stream(stream), None) => Some(stream.written(stream.data())),
                (Object::Stream(stream), Some(key)) => {
                    Some(stream.written(&key.encrypted(number, stream.data())))
                }
                _ if self.object_streams && plain != Some(number) => None,
                (Object::Reserved, _) => Some(b"null".to_vec()),
                (Object::Plain(body), None) => Some(body.clone()),
                (Object::Plain(body), Some(key)) => Some(key.strings_encrypted(number, body)),
            }
        };
        let objects: Vec<_> = (1..).zip(&self.objects).map(written).collect();
        if self.object_streams {
            let filter = if self.brotli {
                Stream::brotli
            } else {
                |stream: Stream| stream.flate_predicted(6)
            };
            return with_reference_stream(self.version, &objects, &packed, &trailer, filter);
        }
        let objects: Vec<Vec<u8>> = objects.into_iter().flatten().collect();
        assemble(self.version, &objects, &trailer)
    }

    /// Generates the catalog and the page tree, unless they were set.
    fn complete(&mut self) {
        if let Object::Reserved = self.objects[PAGES.0 - 1] {
            let (kids, count) = (references(&self.pages), self.pages.len());
            self.set(
                PAGES,
                format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"),
            );
        }
        if let Object::Reserved = self.objects[CATALOG.0 - 1] {
            let mut entries = std::mem::take(&mut self.catalog);
            entries.push_str(&self.form_entry());
            entries.push_str(&self.layers_entry());
            self.set(
                CATALOG,
                format!("<< /Type /Catalog /Pages {PAGES}{entries} >>"),
            );
        }
    }

    /// Packs objects that are not streams into object streams of a hundred; returns the numbers in
    /// each.
    fn pack(&mut self, plain: Option<usize>) -> Vec<Vec<usize>> {
        let loose: Vec<(usize, Vec<u8>)> = (1..)
            .zip(&self.objects)
            .filter(|(number, _)| plain != Some(*number))
            .filter_map(|(number, object)| match object {
                Object::Plain(body) => Some((number, body.clone())),
                Object::Reserved => Some((number, b"null".to_vec())),
                Object::Stream(_) => None,
            })
            .collect();
        let groups = loose.chunks(100);
        for group in groups.clone() {
            let (mut places, mut bodies) = (String::new(), Vec::new());
            for (number, body) in group {
                places.push_str(&format!("{number} {} ", bodies.len()));
                bodies.extend(body);
                bodies.push(b'\n');
            }
            let entries = format!("/Type /ObjStm /N {} /First {}", group.len(), places.len());
            let data = [places.into_bytes(), bodies].concat();
            let stream = Stream::new(data).entries(&entries);
            self.add_stream(if self.brotli {
                stream.brotli()
            } else {
                stream.flate()
            });
        }
        groups
            .map(|group| group.iter().map(|(number, _)| *number).collect())
            .collect()
    }
}

pub(super) fn references(places: &[Ref]) -> String {
    let shown: Vec<String> = places.iter().map(Ref::to_string).collect();
    shown.join(" ")
}

/// A file of these objects, numbered from 1, with a cross-reference table and the entries of a
/// trailer (`/Size` is added).
pub fn assemble(version: &str, objects: &[impl AsRef<[u8]>], trailer: &str) -> Vec<u8> {
    let mut out = header(version);
    let mut table = "0000000000 65535 f \n".to_owned();
    for (number, body) in (1..).zip(objects) {
        table.push_str(&format!("{:010} 00000 n \n", out.len()));
        put(&mut out, number, body.as_ref());
    }
    let (start, size) = (out.len(), objects.len() + 1);
    out.extend(format!("xref\n0 {size}\n{table}trailer\n<< /Size {size} {trailer} >>\n").bytes());
    out.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    out
}

/// The same with a cross-reference stream. Missing objects are in the last object streams, which
/// contain the numbers in `packed`.
fn with_reference_stream(
    version: &str,
    objects: &[Option<Vec<u8>>],
    packed: &[Vec<usize>],
    trailer: &str,
    filter: fn(Stream) -> Stream,
) -> Vec<u8> {
    let mut out = header(version);
    let size = objects.len() + 2;
    let mut table = vec![[0_u8; 6]; size];
    let mut entry = |number: usize, kind: u8, value: usize, index: usize| {
        let [.., a, b, c] = u32::try_from(value).unwrap().to_be_bytes();
        let [high, low] = u16::try_from(index).unwrap().to_be_bytes();
        table[number] = [kind, a, b, c, high, low];
    };
    for (number, body) in (1..).zip(objects) {
        if let Some(body) = body {
            entry(number, 1, out.len(), 0);
            put(&mut out, number, body);
        }
    }
    let first_packed = objects.len() + 1 - packed.len();
    for (stream, numbers) in (first_packed..).zip(packed) {
        for (index, number) in numbers.iter().enumerate() {
            entry(*number, 2, stream, index);
        }
    }
    let start = out.len();
    entry(size - 1, 1, start, 0);
    let entries = format!("/Type /XRef /W [1 3 2] /Size {size} {trailer}");
    let stream = filter(Stream::new(table.concat()).entries(&entries));
    put(&mut out, size - 1, &stream.written(stream.data()));
    out.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    out
}

fn header(version: &str) -> Vec<u8> {
    [b"%PDF-", version.as_bytes(), b"\n%\xE2\xE3\xCF\xD3\n"].concat()
}

fn put(out: &mut Vec<u8>, number: usize, body: &[u8]) {
    out.extend(format!("{number} 0 obj\n").bytes());
    out.extend(body);
    out.extend(b"\nendobj\n");
}
