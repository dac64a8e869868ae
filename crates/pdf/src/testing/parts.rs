//! Document-level and referenced parts: metadata, outline, links, fields,
//! layers, forms and images.

use super::file::references;
use super::{Pdf, Ref, Stream, text};

impl Pdf {
    /// An entry of the information dictionary.
    pub fn info(&mut self, key: &str, value: &str) {
        self.info_entry(&format!("/{key} {}", text(value)));
    }

    /// The same as written, for invalid dates, strings in other encodings, and worse.
    pub fn info_entry(&mut self, entry: &str) {
        self.info.push(' ');
        self.info.push_str(entry);
    }

    /// Metadata in XML.
    pub fn xmp(&mut self, xml: &str) {
        let stream = Stream::new(xml).entries("/Type /Metadata /Subtype /XML");
        let place = self.add_stream(stream);
        self.catalog(&format!("/Metadata {place}"));
    }

    /// An outline of (level, title, page); the outermost level is 1.
    pub fn outline(&mut self, items: &[(usize, &str, Ref)]) {
        let root = self.reserve();
        let places: Vec<Ref> = items.iter().map(|_| self.reserve()).collect();
        let outer = |at: usize| (0..at).rev().find(|before| items[*before].0 < items[at].0);
        let children = |parent: Option<usize>| -> Vec<Ref> {
            let of_parent = (0..items.len()).filter(|at| outer(*at) == parent);
            of_parent.map(|at| places[at]).collect()
        };
        let ends = |parent: Option<usize>| {
            let children = children(parent);
            match (children.first(), children.last()) {
                (Some(first), Some(last)) => {
                    format!("/First {first} /Last {last} /Count {}", children.len())
                }
                _ => String::new(),
            }
        };
        self.set(root, format!("<< /Type /Outlines {} >>", ends(None)));
        for (at, (_, title, page)) in items.iter().enumerate() {
            let siblings = children(outer(at));
            let own = siblings
                .iter()
                .position(|place| *place == places[at])
                .unwrap_or_default();
            let parent = outer(at).map_or(root, |parent| places[parent]);
            let mut entries = format!(
                "/Title {} /Parent {parent} /Dest [{page} /Fit] ",
                text(title)
            );
            if let Some(before) = own.checked_sub(1) {
                entries.push_str(&format!("/Prev {} ", siblings[before]));
            }
            if let Some(next) = siblings.get(own + 1) {
                entries.push_str(&format!("/Next {next} "));
            }
            self.set(places[at], format!("<< {entries}{} >>", ends(Some(at))));
        }
        self.catalog(&format!("/Outlines {root}"));
    }

    /// A link to an address; `corners` are left, bottom, right, top as written. For
    /// [`super::Page::annotation`].
    pub fn link_to_uri(&mut self, corners: &str, uri: &str) -> Ref {
        let action = format!("/A << /S /URI /URI {} >>", text(uri));
        self.annotation("Link", corners, &action)
    }

    pub fn link_to_page(&mut self, corners: &str, page: Ref) -> Ref {
        self.annotation("Link", corners, &format!("/Dest [{page} /Fit]"))
    }

    pub fn annotation(&mut self, subtype: &str, corners: &str, entries: &str) -> Ref {
        self.add(format!(
            "<< /Type /Annot /Subtype /{subtype} /Rect [{corners}] {entries} >>"
        ))
    }

    /// A field that is its own widget: `/FT /Tx /T (name) /V (value)`. It is also an annotation of
    /// its page.
    pub fn field(&mut self, corners: &str, entries: &str) -> Ref {
        let place = self.annotation("Widget", corners, entries);
        self.root_field(place);
        place
    }

    /// Names an object as one of the outermost fields of the form.
    pub fn root_field(&mut self, field: Ref) {
        self.fields.push(field);
    }

    pub(super) fn form_entry(&self) -> String {
        if self.fields.is_empty() {
            return String::new();
        }
        format!(" /AcroForm << /Fields [{}] >>", references(&self.fields))
    }

    /// A layer, for the resources of kind `Properties` or an entry `/OC`.
    pub fn layer(&mut self, name: &str, visible: bool) -> Ref {
        let place = self.add(format!("<< /Type /OCG /Name {} >>", text(name)));
        self.layers.push((place, visible));
        place
    }

    pub(super) fn layers_entry(&self) -> String {
        if self.layers.is_empty() {
            return String::new();
        }
        let (visible, hidden): (Vec<_>, Vec<_>) = self.layers.iter().partition(|layer| layer.1);
        let places = |layers: Vec<(Ref, bool)>| {
            let places: Vec<Ref> = layers.into_iter().map(|(place, _)| place).collect();
            references(&places)
        };
        let all = places(self.layers.clone());
        format!(
            " /OCProperties << /OCGs [{all}] /D << /ON [{}] /OFF [{}] >> >>",
            places(visible),
            places(hidden)
        )
    }

    /// A form for the resources of kind `XObject`; `entries` are further ones such as `/Matrix` and
    /// `/Resources`.
    pub fn form(&mut self, content: &str, entries: &str) -> Ref {
        let place = self.reserve();
        self.form_at(place, content, entries);
        place
    }

    /// Sets a form whose number was reserved because it is called by itself or others.
    pub fn form_at(&mut self, place: Ref, content: &str, entries: &str) {
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 612 792] {entries}");
        self.set_stream(place, Stream::new(content).entries(&entries));
    }

    /// A gray image of one pixel for the resources of kind `XObject`.
    pub fn image(&mut self) -> Ref {
        self.add_stream(Stream::new([0x80]).entries(
            "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        ))
    }
}
