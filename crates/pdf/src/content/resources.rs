//! The named resources of content streams: fonts, forms, images, properties. Each is resolved once
//! per stream.

use std::rc::Rc;

use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::Resources;

use super::layers::Layers;
use super::state::ColorSpace;
use crate::fonts::{Font, Fonts};
use crate::pages::Page;

/// The names that a content stream can use. Names that it lacks are searched for in its caller.
pub struct Names<'a, 'p> {
    own: Option<Resources<'a>>,
    caller: Option<&'p Names<'a, 'p>>,
}

impl<'a, 'p> Names<'a, 'p> {
    pub fn of_page(page: &Page<'a>) -> Self {
        Self {
            own: Some(page.resources().clone()),
            caller: None,
        }
    }

    pub fn of_resources(resources: Dict<'a>) -> Self {
        Self {
            own: Some(Resources::new(resources)),
            caller: None,
        }
    }

    pub fn of_form(form: &Dict<'a>, caller: &'p Names<'a, 'p>) -> Self {
        Self {
            own: form.get::<Dict<'a>>(b"Resources").map(Resources::new),
            caller: Some(caller),
        }
    }

    fn find<T>(&self, mut get: impl FnMut(&Resources<'a>) -> Option<T>) -> Option<T> {
        let mut names = Some(self);
        while let Some(here) = names {
            if let Some(found) = here.own.as_ref().and_then(&mut get) {
                return Some(found);
            }
            names = here.caller;
        }
        None
    }

    pub fn font(&self, name: &Name<'_>, fonts: &mut Fonts<'a>) -> Option<Rc<Font<'a>>> {
        self.find(|r| {
            let id = r.fonts.get_ref(name).map(ObjectIdentifier::from);
            if let Some(known) = id.and_then(|id| fonts.known(id)) {
                return Some(known);
            }
            Some(fonts.get(&r.fonts.get::<Dict<'a>>(name)?, id))
        })
    }

    /// The font that a graphics state sets, with its size.
    pub fn font_of_graphics_state(
        &self,
        name: &Name<'_>,
        fonts: &mut Fonts<'a>,
    ) -> Option<(Rc<Font<'a>>, f64)> {
        let state = self.find(|r| r.ext_g_states.get::<Dict<'a>>(name))?;
        let array = state.get::<Array<'a>>(b"Font")?;
        let mut items = array.flex_iter();
        let font = items.next::<Dict<'a>>()?;
        Some((fonts.get(&font, None), f64::from(items.next::<f32>()?)))
    }

    pub fn x_object(&self, name: &Name<'_>) -> Option<Stream<'a>> {
        self.find(|r| r.x_objects.get::<Stream<'a>>(name))
    }

    /// Whether no form, image or other stream has this name.
    pub fn lacks_x_object(&self, name: &[u8]) -> bool {
        let name = Name::new(name).unwrap_or(Name::new_unescaped(name));
        self.x_object(&name).is_none()
    }

    pub fn properties(&self, name: &Name<'_>) -> Option<Dict<'a>> {
        self.find(|r| r.properties.get::<Dict<'a>>(name))
    }

    /// Whether the layer or membership with this name is hidden.
    pub fn hides_layer(&self, name: &Name<'_>, layers: &Layers) -> bool {
        self.find(|r| {
            r.properties
                .contains_key(name)
                .then(|| layers.is_hidden(&r.properties, name))
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

/// Resolved names. Streams use few, so a list is fast enough; it is cleared when it gets long.
pub struct NameCache<T>(Vec<(Vec<u8>, T)>);

const MAX_CACHED_NAMES: usize = 64;

impl<T> Default for NameCache<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> NameCache<T> {
    pub fn get(&mut self, name: &[u8], resolve: impl FnOnce(&Name<'_>) -> T) -> T {
        if let Some((_, found)) = self.0.iter().find(|(known, _)| known == name) {
            return found.clone();
        }
        let found = resolve(&Name::new(name).unwrap_or(Name::new_unescaped(name)));
        if self.0.len() >= MAX_CACHED_NAMES {
            self.0.clear();
        }
        self.0.push((name.to_vec(), found.clone()));
        found
    }
}

/// The names resolved while a stream runs.
#[derive(Default)]
pub struct Lookups<'a> {
    pub fonts: NameCache<Option<Rc<Font<'a>>>>,
    /// The fonts of graphics states, with their sizes.
    pub font_states: NameCache<Option<(Rc<Font<'a>>, f64)>>,
    pub x_objects: NameCache<Option<XObject<'a>>>,
    pub color_spaces: NameCache<ColorSpace>,
}

#[derive(Clone)]
pub enum XObject<'a> {
    Image(Stream<'a>),
    Form(Stream<'a>),
}

impl<'a> XObject<'a> {
    /// The object with this name; `None` if it is hidden or draws nothing.
    pub fn find(name: &Name<'_>, names: &Names<'a, '_>, layers: &Layers) -> Option<Self> {
        let stream = names.x_object(name)?;
        if layers.is_hidden(stream.dict(), b"OC") {
            return None;
        }
        match stream.dict().get::<Name<'_>>(b"Subtype").as_deref() {
            Some(b"Image") => Some(Self::Image(stream)),
            Some(b"Form") => Some(Self::Form(stream)),
            // The type of a form may be damaged or missing.
            _ if stream.dict().contains_key(b"BBox") => Some(Self::Form(stream)),
            _ => None,
        }
    }
}
