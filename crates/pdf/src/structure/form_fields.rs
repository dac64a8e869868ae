//! Form fields.

use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::object::{Dict, MaybeRef, ObjRef, Object, ObjectIdentifier};

use super::coordinates::Coordinates;
use super::objects::{Objects, Visited};
use super::pages::PageNumbers;
use super::streams;
use crate::model::{FormField, Rect};
use crate::pages::Pages;
use crate::text_string;

const MAX_FIELDS: usize = 100_000;
const MAX_DEPTH: u32 = 64;
const MAX_ANNOTATIONS: usize = 1_000_000;
const MAX_CHOICES: usize = 10_000;
const MAX_VALUE_BYTES: usize = 1 << 20;

/// The state of a button that is off.
const OFF: &str = "Off";

/// Flags of buttons, in `/Ff`.
const IS_RADIO: i64 = 1 << 15;
const IS_PUSH_BUTTON: i64 = 1 << 16;

/// Returns the form fields of a file, one for each widget: first in the order of the field tree,
/// then widgets on pages that the tree does not list. Missing attributes are inherited.
pub(super) fn form_fields<'a>(
    list: &Pages<'a>,
    catalog: &Dict<'a>,
    objects: &Objects<'a>,
    pages: &PageNumbers,
) -> Vec<FormField> {
    let annotations = Annotations::of(list, objects);
    let mut walk = Walk {
        list,
        objects,
        pages,
        annotations: annotations.pages,
        visited: Visited::default(),
        pending: Vec::new(),
        fields: Vec::new(),
    };
    let form = objects.dict(catalog, "AcroForm");
    if let Some(roots) = form.and_then(|form| objects.array(&form, "Fields")) {
        walk.add_roots(roots.raw_iter());
        walk.run();
    }
    walk.add_unlisted(annotations.direct);
    walk.fields
}

/// The widget annotations of all pages.
#[derive(Default)]
struct Annotations<'a> {
    /// The page of each annotation that is an indirect object.
    pages: HashMap<ObjectIdentifier, u32>,
    /// Direct annotations, to which no field can refer.
    direct: Vec<Node<'a>>,
}

impl<'a> Annotations<'a> {
    fn of(pages: &Pages<'a>, objects: &Objects<'a>) -> Self {
        let mut annotations = Self::default();
        for (number, page) in pages.numbered() {
            let Some(array) = objects.array(page.raw(), "Annots") else {
                continue;
            };
            for item in array.raw_iter() {
                if annotations.pages.len() + annotations.direct.len() >= MAX_ANNOTATIONS {
                    return annotations;
                }
                if let Some(reference) = item.as_obj_ref() {
                    annotations.pages.entry(reference.into()).or_insert(number);
                } else if let Some(dict) = objects.resolve(item).and_then(Object::into_dict) {
                    let page = Some(number);
                    annotations.direct.push(Node { dict, page });
                }
            }
        }
        annotations
    }
}

/// The attributes that a field inherits.
#[derive(Default)]
struct Inherited<'a> {
    name: String,
    kind: Option<FieldKind>,
    flags: i64,
    value: Option<Object<'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum FieldKind {
    Text,
    Button,
    Choice,
    Signature,
}

/// A field, or one of its widgets.
struct Node<'a> {
    dict: Dict<'a>,
    page: Option<u32>,
}

/// A field to be read. Only its reference is kept, since there may be many.
struct Pending<'a> {
    field: MaybeRef<Dict<'a>>,
    above: Rc<Inherited<'a>>,
    depth: u32,
}

/// The combined state of a field's widgets.
#[derive(Default)]
struct Widgets<'a> {
    /// The widgets on pages; if there are none, the first other widget.
    shown: Vec<Node<'a>>,
    is_on_page: bool,
    /// The state of the first widget, or of the first one that is on.
    state: Option<String>,
}

struct Walk<'s, 'a> {
    list: &'s Pages<'a>,
    objects: &'s Objects<'a>,
    pages: &'s PageNumbers,
    annotations: HashMap<ObjectIdentifier, u32>,
    visited: Visited,
    pending: Vec<Pending<'a>>,
    fields: Vec<FormField>,
}

impl<'a> Walk<'_, 'a> {
    fn add_roots(&mut self, roots: impl Iterator<Item = MaybeRef<Object<'a>>>) {
        let mut fields = Vec::new();
        for root in roots.filter(|root| self.visited.is_new(root)) {
            fields.extend(match root {
                MaybeRef::Ref(reference) => Some(MaybeRef::Ref(reference)),
                MaybeRef::NotRef(root) => root.into_dict().map(MaybeRef::NotRef),
            });
        }
        self.add(fields, &Rc::default(), 1);
    }

    /// Queues fields, in reverse order, since the last one is taken first.
    fn add(&mut self, fields: Vec<MaybeRef<Dict<'a>>>, above: &Rc<Inherited<'a>>, depth: u32) {
        let pending = fields.into_iter().rev().map(|field| Pending {
            field,
            above: Rc::clone(above),
            depth,
        });
        self.pending.extend(pending);
    }

    fn run(&mut self) {
        while let Some(next) = self.pending.pop() {
            if self.fields.len() >= MAX_FIELDS || self.objects.is_exhausted() {
                self.pending.clear();
                return;
            }
            self.read(next);
        }
    }

    /// Adds widgets on pages that the form does not list: viewers show them, too.
    fn add_unlisted(&mut self, direct: Vec<Node<'a>>) {
        let mut ids: Vec<_> = self
            .annotations
            .iter()
            .map(|(id, page)| (*page, *id))
            .collect();
        ids.sort_unstable();
        for (page, id) in ids {
            let reference = ObjRef::from(id);
            if self.objects.is_exhausted() {
                return;
            }
            if self.visited.has(reference) {
                continue;
            }
            let dict = self.objects.follow(reference).and_then(Object::into_dict);
            if let Some(dict) = dict {
                let page = Some(page);
                self.add_unlisted_widget(Node { dict, page }, Some(reference));
            }
        }
        for widget in direct {
            self.add_unlisted_widget(widget, None);
        }
    }

    fn add_unlisted_widget(&mut self, widget: Node<'a>, id: Option<ObjRef>) {
        let subtype = self.objects.name(&widget.dict, "Subtype");
        if subtype.is_none_or(|subtype| &*subtype != b"Widget") {
            return;
        }
        let ancestors = self.ancestors(&widget.dict);
        let is_new =
            |(id, dict): &(ObjRef, Dict<'_>)| !self.visited.has(*id) && dict.contains_key("Kids");
        if ancestors.iter().all(is_new)
            && let Some(root) = ancestors.last().map_or(id, |(root, _)| Some(*root))
        {
            self.visited.is_new_reference(root);
            self.add(vec![MaybeRef::Ref(root)], &Rc::default(), 1);
            self.run();
        }
        if id.is_none_or(|id| self.visited.is_new_reference(id)) {
            let above = ancestors.iter().rev();
            let above = above.fold(Inherited::default(), |above, (_, dict)| {
                self.inherited(dict, &above)
            });
            let own = self.inherited(&widget.dict, &above);
            let mut widgets = Widgets::default();
            self.add_widget(widget, &mut widgets);
            self.add_rows(&own, widgets);
        }
    }

    /// The ancestors of a widget, its parent first.
    fn ancestors(&self, widget: &Dict<'a>) -> Vec<(ObjRef, Dict<'a>)> {
        let mut ancestors: Vec<(ObjRef, Dict<'a>)> = Vec::new();
        while ancestors.len() < MAX_DEPTH as usize {
            let dict = ancestors.last().map_or(widget, |(_, dict)| dict);
            let id = dict.get_ref("Parent");
            let is_new = |id: &ObjRef| ancestors.iter().all(|(known, _)| known != id);
            let Some(id) = id.filter(is_new) else {
                break;
            };
            let Some(Object::Dict(parent)) = self.objects.follow(id) else {
                break;
            };
            ancestors.push((id, parent));
        }
        ancestors
    }

    fn read(&mut self, next: Pending<'a>) {
        let Pending {
            field,
            above,
            depth,
        } = next;
        let Some(node) = self.node(field) else {
            return;
        };
        let own = self.inherited(&node.dict, &above);
        let mut fields = Vec::new();
        let mut widgets = Widgets::default();
        if let Some(kids) = self.objects.array(&node.dict, "Kids") {
            for kid in kids.raw_iter() {
                self.sort_kid(kid, &mut fields, &mut widgets);
            }
        }
        // A field with children is rarely a widget itself.
        let has_children = !fields.is_empty() || !widgets.shown.is_empty();
        if !has_children || (fields.is_empty() && node.dict.contains_key("Rect")) {
            self.add_widget(node, &mut widgets);
        }
        self.add_rows(&own, widgets);
        if depth < MAX_DEPTH {
            self.add(fields, &Rc::new(own), depth + 1);
        }
    }

    fn node(&self, field: MaybeRef<Dict<'a>>) -> Option<Node<'a>> {
        let (id, dict) = match field {
            MaybeRef::Ref(id) => (Some(id), self.objects.follow(id)?.into_dict()?),
            MaybeRef::NotRef(dict) => (None, dict),
        };
        let page = self.page(id, &dict);
        Some(Node { dict, page })
    }

    /// Sorts a child into fields and widgets. A child with neither a name nor children is a
    /// widget.
    fn sort_kid(
        &mut self,
        kid: MaybeRef<Object<'a>>,
        fields: &mut Vec<MaybeRef<Dict<'a>>>,
        widgets: &mut Widgets<'a>,
    ) {
        if !self.visited.is_new(&kid) {
            return;
        }
        let id = kid.as_obj_ref();
        let Some(dict) = self.objects.resolve(kid).and_then(Object::into_dict) else {
            return;
        };
        if dict.contains_key("T") || dict.contains_key("Kids") {
            fields.push(id.map_or(MaybeRef::NotRef(dict), MaybeRef::Ref));
        } else {
            let page = self.page(id, &dict);
            self.add_widget(Node { dict, page }, widgets);
        }
    }

    fn add_widget(&self, widget: Node<'a>, widgets: &mut Widgets<'a>) {
        let is_off = widgets.state.as_ref().is_none_or(|state| state == OFF);
        if is_off && let Some(Object::Name(state)) = self.objects.get(&widget.dict, "AS") {
            let state = text_string::decode(&state);
            if widgets.state.is_none() || state != OFF {
                widgets.state = Some(state);
            }
        }
        let is_on_page = widget.page.is_some();
        // Widgets of deleted pages may still be listed.
        if is_on_page && !widgets.is_on_page {
            widgets.shown.clear();
            widgets.is_on_page = true;
        }
        if is_on_page || widgets.shown.is_empty() {
            widgets.shown.push(widget);
        }
    }

    fn inherited(&self, dict: &Dict<'a>, above: &Inherited<'a>) -> Inherited<'a> {
        let part = self.objects.string(dict, "T");
        let part = part.map(|part| text_string::decode(&part));
        let part = part.filter(|part| !part.trim().is_empty());
        let kind = self.objects.name(dict, "FT");
        Inherited {
            name: match part {
                Some(part) if above.name.is_empty() => part,
                Some(part) => format!("{}.{part}", above.name),
                None => above.name.clone(),
            },
            kind: kind.and_then(|kind| FieldKind::of(&kind)).or(above.kind),
            flags: self.objects.integer(dict, "Ff").unwrap_or(above.flags),
            value: self.objects.get(dict, "V").or_else(|| above.value.clone()),
        }
    }

    /// Adds a row for each widget of a field.
    fn add_rows(&mut self, own: &Inherited<'a>, widgets: Widgets<'a>) {
        let Some(kind) = own.kind else {
            return;
        };
        let value = own.value.clone();
        let value = match kind {
            FieldKind::Button if own.flags & IS_PUSH_BUTTON != 0 => None,
            FieldKind::Button if value.is_none() => widgets.state,
            _ => value.and_then(|value| self.text(value)),
        };
        let length = own.name.len() + value.as_ref().map_or(0, String::len);
        for widget in &widgets.shown {
            if self.fields.len() >= MAX_FIELDS || !self.objects.spend(length) {
                return;
            }
            let page = widget.page;
            self.fields.push(FormField {
                name: own.name.clone(),
                kind: kind.name(own.flags).to_owned(),
                value: value.clone(),
                page,
                bbox: page.and_then(|page| self.area(&widget.dict, page)),
            });
        }
    }

    fn text(&self, value: Object<'a>) -> Option<String> {
        match value {
            Object::String(text) => Some(text_string::decode(&text)),
            Object::Name(name) => Some(text_string::decode(&name)),
            Object::Number(number) => Some(number.as_f64().to_string()),
            Object::Boolean(value) => Some(value.to_string()),
            Object::Stream(stream) => {
                let bytes = streams::decode(&stream, MAX_VALUE_BYTES)?;
                Some(text_string::decode(&bytes))
            }
            Object::Array(choices) => {
                let choices = choices.raw_iter().take(MAX_CHOICES);
                let text = |choice| match self.objects.resolve(choice)? {
                    Object::String(text) => Some(text_string::decode(&text)),
                    _ => None,
                };
                let choices: Vec<_> = choices.filter_map(text).collect();
                Some(choices.join("\n"))
            }
            // The name of the signer.
            Object::Dict(signature) => {
                text_string::decode_line(&self.objects.string(&signature, "Name")?)
            }
            Object::Null(_) => None,
        }
    }

    fn page(&self, id: Option<ObjRef>, widget: &Dict<'a>) -> Option<u32> {
        let listed = id.and_then(|id| self.annotations.get(&id.into()));
        let declared = || self.pages.of_object(widget.get_ref("P")?);
        listed.copied().or_else(declared)
    }

    fn area(&self, widget: &Dict<'a>, page: u32) -> Option<Rect> {
        let page = self.list.get(page)?;
        let corners = self
            .objects
            .numbers(&self.objects.array(widget, "Rect")?, 4);
        (corners.len() == 4).then(|| Coordinates::on(page).around(&corners))?
    }
}

impl FieldKind {
    fn of(name: &[u8]) -> Option<Self> {
        match name {
            b"Tx" => Some(Self::Text),
            b"Btn" => Some(Self::Button),
            b"Ch" => Some(Self::Choice),
            b"Sig" => Some(Self::Signature),
            _ => None,
        }
    }

    fn name(self, flags: i64) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Button if flags & IS_PUSH_BUTTON != 0 => "button",
            Self::Button if flags & IS_RADIO != 0 => "radio",
            Self::Button => "checkbox",
            Self::Choice => "choice",
            Self::Signature => "signature",
        }
    }
}
