//! Fields of forms.

use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::object::{Dict, MaybeRef, ObjRef, Object, ObjectIdentifier};

use super::objects::{Objects, Visited};
use super::pages::PageNumbers;
use super::place::Place;
use super::streams;
use super::text_string;
use crate::pdf::model::{FormField, Rect};
use crate::pdf::pages::Pages;

const MOST_FIELDS: usize = 100_000;
const DEEPEST: u32 = 64;
const MOST_ANNOTATIONS: usize = 1_000_000;
const MOST_CHOICES: usize = 10_000;
const LONGEST_VALUE: usize = 1 << 20;

/// The state of a button that is not on.
const OFF: &str = "Off";

/// Of /Ff, for buttons.
const IS_RADIO: i64 = 1 << 15;
const IS_PUSH_BUTTON: i64 = 1 << 16;

/// Returns the fields of a file's form, one for each widget, in the order of its tree. What a field lacks it
/// inherits.
pub(super) fn form_fields<'a>(
    list: &Pages<'a>,
    catalog: &Dict<'a>,
    objects: &Objects<'a>,
    pages: &PageNumbers,
) -> Vec<FormField> {
    let Some(form) = objects.dict(catalog, "AcroForm") else {
        return Vec::new();
    };
    let mut walk = Walk {
        list,
        objects,
        pages,
        annotations: annotations(list, objects),
        visited: Visited::default(),
        pending: Vec::new(),
        fields: Vec::new(),
    };
    if let Some(roots) = objects.array(&form, "Fields") {
        walk.add_roots(roots.raw_iter());
        walk.run();
    }
    walk.add_forgotten();
    walk.fields
}

/// Which page an annotation is on.
fn annotations<'a>(pages: &Pages<'a>, objects: &Objects<'a>) -> HashMap<ObjectIdentifier, u32> {
    let mut annotations = HashMap::new();
    for (number, page) in pages.numbered() {
        let Some(array) = objects.array(page.raw(), "Annots") else {
            continue;
        };
        for item in array.raw_iter() {
            if annotations.len() >= MOST_ANNOTATIONS {
                return annotations;
            }
            if let Some(reference) = item.as_obj_ref() {
                annotations.entry(reference.into()).or_insert(number);
            }
        }
    }
    annotations
}

/// What a field has from those above it.
#[derive(Default)]
struct Inherited<'a> {
    name: String,
    kind: Option<Kind>,
    flags: i64,
    value: Option<Object<'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Button,
    Choice,
    Signature,
}

/// A field, or one of the widgets that show it.
struct Node<'a> {
    id: Option<ObjRef>,
    dict: Dict<'a>,
}

/// A field that is to be read: there may be many, so that what is referred to is not held.
struct Pending<'a> {
    field: MaybeRef<Dict<'a>>,
    above: Rc<Inherited<'a>>,
    depth: u32,
}

/// What the widgets of a field say together.
#[derive(Default)]
struct Widgets<'a> {
    /// Those on pages; one that is on none if there are no others.
    shown: Vec<Node<'a>>,
    is_on_page: bool,
    /// That of the first, or of the first that is on.
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

    /// Notes what is to be read, the first last, for that is taken first.
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
            if self.fields.len() >= MOST_FIELDS || self.objects.is_exhausted() {
                self.pending.clear();
                return;
            }
            self.read(next);
        }
    }

    /// Widgets on pages that the form does not list: viewers show them all the same.
    fn add_forgotten(&mut self) {
        let mut ids: Vec<_> = self
            .annotations
            .iter()
            .map(|(id, page)| (*page, *id))
            .collect();
        ids.sort_unstable();
        for (_, id) in ids {
            let reference = ObjRef::from(id);
            if self.objects.is_exhausted() {
                return;
            }
            if let Some(root) = self.root_of_widget(reference) {
                self.add(vec![MaybeRef::Ref(root)], &Rc::default(), 1);
                self.run();
            }
        }
    }

    /// The uppermost field of a widget, if it is one, and no part of the way to it was read.
    fn root_of_widget(&mut self, annotation: ObjRef) -> Option<ObjRef> {
        if self.visited.has(annotation) {
            return None;
        }
        let mut id = annotation;
        let mut dict = self.objects.follow(id)?.into_dict()?;
        if &*self.objects.name(&dict, "Subtype")? != b"Widget" {
            return None;
        }
        for _ in 0..DEEPEST {
            let Some(parent) = dict.get_ref("Parent") else {
                break;
            };
            if self.visited.has(parent) {
                return None;
            }
            let Some(Object::Dict(above)) = self.objects.follow(parent) else {
                break;
            };
            (id, dict) = (parent, above);
        }
        self.visited.is_new_reference(id).then_some(id)
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
                self.sort(kid, &mut fields, &mut widgets);
            }
        }
        if fields.is_empty() {
            // A field with widgets is usually none itself.
            if widgets.shown.is_empty() || node.dict.contains_key("Rect") {
                self.see(node, &mut widgets);
            }
            self.add_rows(&own, widgets);
        } else if depth < DEEPEST {
            self.add(fields, &Rc::new(own), depth + 1);
        }
    }

    fn node(&self, field: MaybeRef<Dict<'a>>) -> Option<Node<'a>> {
        Some(match field {
            MaybeRef::Ref(reference) => Node {
                id: Some(reference),
                dict: self.objects.follow(reference)?.into_dict()?,
            },
            MaybeRef::NotRef(dict) => Node { id: None, dict },
        })
    }

    /// A child is a field. What has no name of its own only shows its parent.
    fn sort(
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
            self.see(Node { id, dict }, widgets);
        }
    }

    fn see(&self, widget: Node<'a>, widgets: &mut Widgets<'a>) {
        let is_off = widgets.state.as_ref().is_none_or(|state| state == OFF);
        if is_off && let Some(Object::Name(state)) = self.objects.get(&widget.dict, "AS") {
            let state = text_string::decode(&state);
            if widgets.state.is_none() || state != OFF {
                widgets.state = Some(state);
            }
        }
        let is_on_page = self.page(&widget).is_some();
        // Widgets of pages that were taken out may still be there.
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
            kind: kind.and_then(|kind| Kind::of(&kind)).or(above.kind),
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
            Kind::Button if own.flags & IS_PUSH_BUTTON != 0 => None,
            Kind::Button if value.is_none() => widgets.state,
            _ => value.and_then(|value| self.text(value)),
        };
        let length = own.name.len() + value.as_ref().map_or(0, String::len);
        for widget in &widgets.shown {
            if self.fields.len() >= MOST_FIELDS || !self.objects.spend(length) {
                return;
            }
            let page = self.page(widget);
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
                let bytes = streams::decoded(&stream, LONGEST_VALUE)?;
                Some(text_string::decode(&bytes))
            }
            Object::Array(choices) => {
                let choices = choices.raw_iter().take(MOST_CHOICES);
                let text = |choice| match self.objects.resolve(choice)? {
                    Object::String(text) => Some(text_string::decode(&text)),
                    _ => None,
                };
                let choices: Vec<_> = choices.filter_map(text).collect();
                Some(choices.join("\n"))
            }
            // Who signed.
            Object::Dict(signature) => {
                text_string::decode_line(&self.objects.string(&signature, "Name")?)
            }
            Object::Null(_) => None,
        }
    }

    fn page(&self, widget: &Node<'a>) -> Option<u32> {
        let listed = widget.id.and_then(|id| self.annotations.get(&id.into()));
        let stated = || self.pages.of_object(widget.dict.get_ref("P")?);
        listed.copied().or_else(stated)
    }

    fn area(&self, widget: &Dict<'a>, page: u32) -> Option<Rect> {
        let page = self.list.get(page)?;
        let corners = self
            .objects
            .numbers(&self.objects.array(widget, "Rect")?, 4);
        (corners.len() == 4).then(|| Place::on(page).around(&corners))?
    }
}

impl Kind {
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
