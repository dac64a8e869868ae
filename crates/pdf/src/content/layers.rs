//! Optional content: determines which layers a file hides.

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjRef, Object, ObjectIdentifier};

/// The layers of a document, shown or hidden according to its default configuration.
#[derive(Debug, Default)]
pub struct Layers {
    hidden: HashSet<ObjectIdentifier>,
    shown: HashSet<ObjectIdentifier>,
    /// Whether layers in neither list are hidden.
    hidden_by_default: bool,
}

impl Layers {
    /// Reads the layers. With `show_all`, none are hidden.
    pub fn new(pdf: &Pdf, show_all: bool) -> Self {
        if show_all {
            return Self::default();
        }
        Self::read(pdf).unwrap_or_default()
    }

    fn read(pdf: &Pdf) -> Option<Self> {
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?;
        let properties = catalog.get::<Dict<'_>>(b"OCProperties")?;
        let configuration = properties.get::<Dict<'_>>(b"D")?;
        let list = |key: &[u8]| {
            let array = configuration.get::<Array<'_>>(key).unwrap_or_default();
            array
                .raw_iter()
                .filter_map(|item| item.as_obj_ref())
                .map(ObjectIdentifier::from)
                .collect()
        };
        let base = configuration.get::<Name<'_>>(b"BaseState");
        Some(Self {
            hidden: list(b"OFF"),
            shown: list(b"ON"),
            hidden_by_default: base.is_some_and(|state| &*state == b"OFF"),
        })
    }

    /// Whether `owner` has a hidden layer, or a hidden membership in layers, under `key`.
    pub fn is_hidden(&self, owner: &Dict<'_>, key: &[u8]) -> bool {
        if self.hidden.is_empty() && !self.hidden_by_default || !owner.contains_key(key) {
            return false;
        }
        let Some(dict) = owner.get::<Dict<'_>>(key) else {
            return false;
        };
        if dict
            .get::<Name<'_>>(b"Type")
            .is_some_and(|kind| &*kind == b"OCMD")
        {
            return self.is_membership_hidden(&dict);
        }
        owner
            .get_ref(key)
            .is_some_and(|group| self.is_group_hidden(group))
    }

    fn is_group_hidden(&self, group: ObjRef) -> bool {
        let id = ObjectIdentifier::from(group);
        self.hidden.contains(&id) || self.hidden_by_default && !self.shown.contains(&id)
    }

    fn is_membership_hidden(&self, membership: &Dict<'_>) -> bool {
        let groups: Vec<ObjRef> = match membership.get::<Array<'_>>(b"OCGs") {
            Some(array) => array
                .raw_iter()
                .filter_map(|item: MaybeRef<Object<'_>>| item.as_obj_ref())
                .collect(),
            None => membership.get_ref(b"OCGs").into_iter().collect(),
        };
        if groups.is_empty() {
            return false;
        }
        let hidden = |group: &ObjRef| self.is_group_hidden(*group);
        let policy = membership.get::<Name<'_>>(b"P");
        match policy.as_deref() {
            Some(b"AllOn") => groups.iter().any(hidden),
            Some(b"AnyOff") => !groups.iter().any(hidden),
            Some(b"AllOff") => !groups.iter().all(hidden),
            // AnyOn is the default.
            _ => groups.iter().all(hidden),
        }
    }
}
