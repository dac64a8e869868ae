//! Access to the objects of a file within a budget: a tree in a hostile file may refer to the same
//! large objects again and again.

use std::cell::Cell;
use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, ObjRef, Object, ObjectIdentifier, String as PdfString,
};
use hayro_syntax::xref::XRef;

/// The budget of any file, and the additional budget for each of its bytes.
const BASE_BUDGET: u64 = 16 << 20;
const BUDGET_PER_BYTE: u64 = 32;

/// The cost of reading any object, and of a stream, whose end may have to be searched for.
const OBJECT_COST: usize = 32;
const STREAM_COST: usize = 64 << 10;

pub(super) struct Objects<'a> {
    xref: &'a XRef,
    left: Cell<u64>,
}

impl<'a> Objects<'a> {
    pub(super) fn of(pdf: &'a Pdf) -> Self {
        let length = pdf.data().as_ref().len() as u64;
        Self {
            xref: pdf.xref(),
            left: Cell::new(BASE_BUDGET + BUDGET_PER_BYTE * length),
        }
    }

    /// Charges the budget for bytes read or created. Returns whether anything is left.
    pub(super) fn spend(&self, bytes: usize) -> bool {
        let left = self.left.get().saturating_sub(bytes as u64);
        self.left.set(left);
        left > 0
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// The object to which a reference points; `None` for `null`.
    ///
    /// It is read through the cross-reference table, not through the dictionary with the reference.
    /// A dictionary stores the whole path to itself, which grows with every step along a chain.
    pub(super) fn follow(&self, reference: ObjRef) -> Option<Object<'a>> {
        if self.is_exhausted() {
            return None;
        }
        let object = self.xref.get::<Object<'a>>(reference.into());
        self.charge(object)
    }

    pub(super) fn resolve(&self, object: MaybeRef<Object<'a>>) -> Option<Object<'a>> {
        match object {
            MaybeRef::Ref(reference) => self.follow(reference),
            MaybeRef::NotRef(object) => self.charge(Some(object)),
        }
    }

    fn charge(&self, object: Option<Object<'a>>) -> Option<Object<'a>> {
        let weight = object.as_ref().map_or(0, weight);
        let affordable = self.spend(OBJECT_COST + weight);
        object.filter(|object| affordable && !matches!(object, Object::Null(_)))
    }

    pub(super) fn get(&self, dict: &Dict<'a>, key: &str) -> Option<Object<'a>> {
        self.resolve(dict.get_raw::<Object<'a>>(key)?)
    }

    pub(super) fn dict(&self, dict: &Dict<'a>, key: &str) -> Option<Dict<'a>> {
        self.get(dict, key)?.into_dict()
    }

    pub(super) fn array(&self, dict: &Dict<'a>, key: &str) -> Option<Array<'a>> {
        self.get(dict, key)?.into_array()
    }

    pub(super) fn name(&self, dict: &Dict<'a>, key: &str) -> Option<Name<'a>> {
        self.get(dict, key)?.into_name()
    }

    pub(super) fn string(&self, dict: &Dict<'a>, key: &str) -> Option<PdfString<'a>> {
        self.get(dict, key)?.into_string()
    }

    pub(super) fn integer(&self, dict: &Dict<'a>, key: &str) -> Option<i64> {
        Some(self.get(dict, key)?.into_number()?.as_i64())
    }

    /// The numbers at the start of an array, up to `max`.
    pub(super) fn numbers(&self, array: &Array<'a>, max: usize) -> Vec<f64> {
        let number = |item| Some(self.resolve(item)?.into_number()?.as_f64());
        array.raw_iter().take(max).map_while(number).collect()
    }
}

/// The approximate number of bytes read for an object.
fn weight(object: &Object<'_>) -> usize {
    match object {
        Object::Dict(dict) => dict.data().len(),
        Object::Array(array) => array.data().len(),
        Object::String(string) => string.len(),
        Object::Name(name) => name.len(),
        Object::Stream(stream) => STREAM_COST + stream.dict().data().len(),
        Object::Null(_) | Object::Boolean(_) | Object::Number(_) => 0,
    }
}

/// The objects visited by a walk, to break cycles.
#[derive(Default)]
pub(super) struct Visited(HashSet<ObjectIdentifier>);

impl Visited {
    /// Whether the object is visited for the first time. Always true for a direct object, because
    /// there is no other path to it.
    pub(super) fn is_new(&mut self, object: &MaybeRef<Object<'_>>) -> bool {
        match object {
            MaybeRef::Ref(reference) => self.is_new_reference(*reference),
            MaybeRef::NotRef(_) => true,
        }
    }

    pub(super) fn is_new_reference(&mut self, reference: ObjRef) -> bool {
        self.0.insert(reference.into())
    }

    pub(super) fn has(&self, reference: ObjRef) -> bool {
        self.0.contains(&reference.into())
    }
}
