//! What content calls by name: fonts, forms, images, properties. Looked up once per stream.

use std::rc::Rc;

use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::Resources;

use super::layers::Layers;
use super::state::ColorSpace;
use crate::fonts::{Font, Fonts};

/// The names that one content stream may use; those it lacks are looked for in the stream that called it.
pub struct Names<'a, 'p> {
    own: Option<Resources<'a>>,
    caller: Option<&'p Names<'a, 'p>>,
}

impl<'a, 'p> Names<'a, 'p> {
    pub fn of_page(resources: Resources<'a>) -> Self {
        Self {
            own: Some(resources),
            caller: None,
        }
    }

    pub fn of_form(form: &Dict<'a>, caller: &'p Names<'a, 'p>) -> Self {
        Self {
            own: form.get::<Dict<'a>>(b"Resources").map(Resources::new),
            caller: Some(caller),
        }
    }

    fn find<T>(&self, mut look: impl FnMut(&Resources<'a>) -> Option<T>) -> Option<T> {
        let mut names = Some(self);
        while let Some(here) = names {
            if let Some(found) = here.own.as_ref().and_then(&mut look) {
                return Some(found);
            }
            names = here.caller;
        }
        None
    }

    pub fn font(&self, name: &Name<'_>) -> Option<Dict<'a>> {
        self.find(|r| r.fonts.get::<Dict<'a>>(name))
    }

    pub fn graphics_state(&self, name: &Name<'_>) -> Option<Dict<'a>> {
        self.find(|r| r.ext_g_states.get::<Dict<'a>>(name))
    }

    pub fn x_object(&self, name: &Name<'_>) -> Option<Stream<'a>> {
        self.find(|r| r.x_objects.get::<Stream<'a>>(name))
    }

    pub fn properties(&self, name: &Name<'_>) -> Option<Dict<'a>> {
        self.find(|r| r.properties.get::<Dict<'a>>(name))
    }

    /// Whether the layer or the membership of that name is hidden.
    pub fn hides_layer(&self, name: &Name<'_>, layers: &Layers) -> bool {
        self.find(|r| {
            r.properties
                .contains_key(name)
                .then(|| layers.hide(&r.properties, name))
        })
        .unwrap_or(false)
    }

    pub fn color_space(&self, name: &Name<'_>) -> ColorSpace {
        let found = ColorSpace::named(name).or_else(|| {
            self.find(|r| match r.color_spaces.get::<Object<'a>>(name)? {
                Object::Name(name) => ColorSpace::named(&name),
                Object::Array(array) => space_of_array(&array),
                _ => None,
            })
        });
        found.unwrap_or(ColorSpace::Other)
    }
}

fn space_of_array(array: &Array<'_>) -> Option<ColorSpace> {
    let mut items = array.flex_iter();
    let family = items.next::<Name<'_>>()?;
    if &*family == b"ICCBased" {
        let profile = items.next::<Stream<'_>>()?;
        return profile
            .dict()
            .get::<i32>(b"N")
            .map(ColorSpace::with_components);
    }
    ColorSpace::named(&family)
}

/// Names that were looked up already. Streams use few, so a list is enough; it starts anew when it gets long.
pub struct Found<T>(Vec<(Vec<u8>, T)>);

const MOST_FOUND: usize = 64;

impl<T> Default for Found<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Found<T> {
    pub fn get(&mut self, name: &[u8], look: impl FnOnce(&Name<'_>) -> T) -> T {
        if let Some((_, found)) = self.0.iter().find(|(known, _)| known == name) {
            return found.clone();
        }
        let found = look(&Name::new(name).unwrap_or(Name::new_unescaped(name)));
        if self.0.len() >= MOST_FOUND {
            self.0.clear();
        }
        self.0.push((name.to_vec(), found.clone()));
        found
    }
}

/// What was found while one stream runs.
#[derive(Default)]
pub struct Lookups<'a> {
    pub fonts: Found<Option<Rc<Font<'a>>>>,
    pub x_objects: Found<Option<XObject<'a>>>,
    pub color_spaces: Found<ColorSpace>,
}

#[derive(Clone)]
pub enum XObject<'a> {
    Image,
    Form(Stream<'a>),
}

impl<'a> XObject<'a> {
    /// None for one that is hidden or draws nothing.
    pub fn find(name: &Name<'_>, names: &Names<'a, '_>, layers: &Layers) -> Option<Self> {
        let stream = names.x_object(name)?;
        if layers.hide(stream.dict(), b"OC") {
            return None;
        }
        match stream.dict().get::<Name<'_>>(b"Subtype").as_deref() {
            Some(b"Image") => Some(Self::Image),
            Some(b"Form") => Some(Self::Form(stream)),
            _ => None,
        }
    }
}

/// The font of a graphics state dictionary, with its size.
pub fn font_of_graphics_state<'a>(
    state: &Dict<'a>,
    fonts: &mut Fonts<'a>,
) -> Option<(Rc<Font<'a>>, f64)> {
    let array = state.get::<Array<'a>>(b"Font")?;
    let mut items = array.flex_iter();
    let font = items.next::<Dict<'a>>()?;
    Some((fonts.get(&font), f64::from(items.next::<f32>()?)))
}
