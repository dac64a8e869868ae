//! Annotations with their own text: filled-in form fields, stamps, text boxes. As in MuPDF, and
//! unlike in PDFium, the text that they draw is part of the page. Viewers draw texts without an
//! appearance themselves (`field_texts`).

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, Stream};

use super::field_texts::{self, FieldText};
use super::interpreter::Interpreter;
use super::losses::Losses;
use crate::budget::Stop;
use crate::geometry::Matrix;
use crate::pages::Page;

/// Flags of annotations that are not displayed.
const HIDDEN: i32 = 1 << 1;
const NO_VIEW: i32 = 1 << 5;

pub fn draw<'a>(page: &Page<'a>, interpreter: &mut Interpreter<'a, '_>) -> Result<(), Stop> {
    let Some(annotations) = page.raw().get::<Array<'a>>(b"Annots") else {
        if is_missing(page.raw(), b"Annots") {
            interpreter
                .losses
                .missing("the list of annotations is missing");
        }
        return Ok(());
    };
    for item in annotations.raw_iter() {
        interpreter.budget.operator()?;
        let annotation = match item {
            MaybeRef::Ref(reference) => page.xref().get::<Dict<'a>>(reference.into()),
            MaybeRef::NotRef(object) => object.into_dict(),
        };
        match annotation {
            Some(annotation) => draw_one(&annotation, page, interpreter)?,
            // Intact files also refer to deleted annotations. A repair may find others.
            None => interpreter.losses.lacks_objects = true,
        }
    }
    Ok(())
}

/// Whether a dictionary refers to an object that is not in the file.
fn is_missing(dict: &Dict<'_>, key: &[u8]) -> bool {
    dict.get_ref(key).is_some() && dict.get::<Object<'_>>(key).is_none()
}

fn draw_one<'a>(
    annotation: &Dict<'a>,
    page: &Page<'a>,
    interpreter: &mut Interpreter<'a, '_>,
) -> Result<(), Stop> {
    let flags = annotation.get::<i32>(b"F").unwrap_or(0);
    let popup = annotation
        .get::<Name<'_>>(b"Subtype")
        .is_some_and(|kind| &*kind == b"Popup");
    if popup || flags & (HIDDEN | NO_VIEW) != 0 || interpreter.layers.is_hidden(annotation, b"OC") {
        return Ok(());
    }
    let Some(rect) = annotation.get::<[f64; 4]>(b"Rect") else {
        return Ok(());
    };
    let glyphs = interpreter.glyph_count();
    let appearance = appearance(annotation, &mut interpreter.losses);
    if let Some(appearance) = &appearance {
        let form = appearance.dict();
        if interpreter.layers.is_hidden(form, b"OC") {
            return Ok(());
        }
        let matrix = form
            .get::<[f64; 6]>(b"Matrix")
            .map_or(Matrix::IDENTITY, Matrix::new);
        let bounds = matrix.bounds(form.get::<[f64; 4]>(b"BBox").unwrap_or_default());
        interpreter.run_appearance(appearance, fit(bounds, rect))?;
    }
    if interpreter.glyph_count() == glyphs
        && let Some(text) = FieldText::of(annotation, page)
        && (appearance.is_none() || text.replaces_appearance(page))
        && let Some(content) = text.content(rect)
    {
        interpreter.run_with(&content, field_texts::resources())?;
    }
    Ok(())
}

/// The normal appearance, in the current state if the annotation has states.
fn appearance<'a>(annotation: &Dict<'a>, losses: &mut Losses) -> Option<Stream<'a>> {
    let mut part = |dict: &Dict<'a>, key: &[u8]| {
        let found = dict.get::<Object<'a>>(key);
        if found.is_none() && is_missing(dict, key) {
            losses.missing("the appearance of an annotation is missing");
        }
        found
    };
    let appearances = part(annotation, b"AP")?.into_dict()?;
    match part(&appearances, b"N")? {
        Object::Stream(stream) => Some(stream),
        Object::Dict(states) => {
            let state = annotation.get::<Name<'_>>(b"AS")?;
            part(&states, &state)?.into_stream()
        }
        _ => None,
    }
}

/// Maps the box of an appearance to the rectangle of its annotation.
fn fit([x1, y1, x2, y2]: [f64; 4], rect: [f64; 4]) -> Matrix {
    let [left, bottom, right, top] = [
        rect[0].min(rect[2]),
        rect[1].min(rect[3]),
        rect[0].max(rect[2]),
        rect[1].max(rect[3]),
    ];
    let scale = |from: f64, to: f64| {
        if from > 0.0 && to > 0.0 {
            to / from
        } else {
            1.0
        }
    };
    let (sx, sy) = (scale(x2 - x1, right - left), scale(y2 - y1, top - bottom));
    Matrix::new([sx, 0.0, 0.0, sy, left - x1 * sx, bottom - y1 * sy])
}
