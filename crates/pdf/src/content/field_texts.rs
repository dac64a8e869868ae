//! Form fields and text boxes without an appearance. Viewers draw their text themselves.

use std::fmt::Write;

use hayro_syntax::object::{Array, Dict, FromBytes, Name, Object, String as PdfString};

use crate::pages::Page;
use crate::text_string;

/// The resources of the content: the font of all texts.
const RESOURCES: &[u8] = b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
    /Encoding /WinAnsiEncoding >> >> >>";

/// Flags of fields, in `/Ff`.
const IS_MULTILINE: i64 = 1 << 12;
const IS_PASSWORD: i64 = 1 << 13;

const MAX_ANCESTORS: usize = 32;
const MAX_TEXT_BYTES: usize = 64 << 10;

/// Sizes of letters in fields that leave the size to the viewer, and their share of the height.
const SIZES: std::ops::RangeInclusive<f64> = 4.0..=12.0;
const SIZE_SHARE_OF_HEIGHT: f64 = 0.7;
/// The distance of lines, the height of capitals, and the mean width of letters, in ems.
const LEADING_EMS: f64 = 1.2;
const CAPITAL_EMS: f64 = 0.7;
const LETTER_EMS: f64 = 0.5;
const WIDE_LETTER_EMS: f64 = 1.0;
/// The first letters with the width of an em: those of Hangul, Chinese and Japanese.
const FIRST_WIDE: char = '\u{1100}';
/// The distance of the text from the edges, in points.
const PADDING_POINTS: f64 = 2.0;

/// Whether the text of an annotation is drawn only if it has no appearance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    TextBox,
    Field,
}

/// The text of an annotation, to be drawn in its rectangle.
pub struct FieldText {
    kind: Kind,
    text: String,
    size: Option<f64>,
    is_multiline: bool,
}

pub fn resources<'a>() -> Dict<'a> {
    Dict::from_bytes(RESOURCES).unwrap_or_default()
}

impl FieldText {
    /// The text of a form field or a text box.
    pub fn of(annotation: &Dict<'_>, page: &Page<'_>) -> Option<Self> {
        match annotation.get::<Name<'_>>(b"Subtype").as_deref()? {
            b"FreeText" => Some(Self {
                kind: Kind::TextBox,
                text: text(annotation.get::<Object<'_>>(b"Contents")?)?,
                size: annotation.get::<PdfString<'_>>(b"DA").and_then(size),
                is_multiline: true,
            }),
            b"Widget" => Self::of_field(annotation, page),
            _ => None,
        }
    }

    fn of_field(widget: &Dict<'_>, page: &Page<'_>) -> Option<Self> {
        let mut chain = vec![widget.clone()];
        while let Some(parent) = chain.last()?.get_ref(b"Parent") {
            if chain.len() > MAX_ANCESTORS {
                return None;
            }
            chain.push(page.xref().get::<Dict<'_>>(parent.into())?);
        }
        let kind = chain.iter().find_map(|dict| dict.get::<Name<'_>>(b"FT"))?;
        let is_choice = match &*kind {
            b"Tx" => false,
            b"Ch" => true,
            _ => return None,
        };
        let flags = chain.iter().find_map(|dict| dict.get::<i64>(b"Ff"));
        let flags = flags.unwrap_or(0);
        if !is_choice && flags & IS_PASSWORD != 0 {
            return None;
        }
        let value = chain.iter().find_map(|dict| dict.get::<Object<'_>>(b"V"))?;
        let mut text = text(value)?;
        if is_choice
            && let Some(options) = chain.iter().find_map(|dict| dict.get::<Array<'_>>(b"Opt"))
            && let Some(shown) = shown_choice(&options, &text)
        {
            text = shown;
        }
        let appearance = chain
            .iter()
            .find_map(|dict| dict.get::<PdfString<'_>>(b"DA"));
        Some(Self {
            kind: Kind::Field,
            text,
            size: appearance.and_then(size),
            is_multiline: is_choice || flags & IS_MULTILINE != 0,
        })
    }

    /// Whether the viewer draws the text although the annotation has an appearance without text.
    pub fn replaces_appearance(&self, page: &Page<'_>) -> bool {
        let xref = page.xref();
        let needs_appearances = || {
            let catalog = xref.get::<Dict<'_>>(xref.root_id())?;
            let form = catalog.get::<Dict<'_>>(b"AcroForm")?;
            form.get::<bool>(b"NeedAppearances")
        };
        self.kind == Kind::Field && needs_appearances() == Some(true)
    }

    /// The content that draws the text in a rectangle.
    pub fn content(&self, rect: [f64; 4]) -> Option<Vec<u8>> {
        let [left, right] = [rect[0].min(rect[2]), rect[0].max(rect[2])];
        let [bottom, top] = [rect[1].min(rect[3]), rect[1].max(rect[3])];
        let (width, height) = (right - left - 2.0 * PADDING_POINTS, top - bottom);
        if !(width > 0.0 && height > 0.0) {
            return None;
        }
        let own = (SIZE_SHARE_OF_HEIGHT * height).clamp(*SIZES.start(), *SIZES.end());
        let size = self.size.unwrap_or(own);
        let lines = self.lines(width / size);
        let first = if lines.len() > 1 || self.kind == Kind::TextBox {
            top - PADDING_POINTS - size
        } else {
            (top + bottom - CAPITAL_EMS * size) / 2.0
        };
        let leading = LEADING_EMS * size;
        let mut content = format!(
            "BT /F {size} Tf {leading} TL {} {first} Td\n",
            left + PADDING_POINTS
        );
        for line in lines {
            let stretch = (100.0 * width / size / ems(&line)).min(100.0);
            write!(content, "{stretch} Tz ").ok()?;
            show(&line, &mut content);
        }
        content.push_str("ET");
        Some(content.into_bytes())
    }

    /// The lines of the text in a box of this width in ems.
    fn lines(&self, width: f64) -> Vec<String> {
        if !self.is_multiline {
            return vec![self.text.replace('\n', " ")];
        }
        let mut lines = Vec::new();
        for paragraph in self.text.split('\n') {
            let mut line = String::new();
            let mut used = 0.0;
            for word in paragraph.split(' ') {
                let own = ems(word) + LETTER_EMS;
                if used > 0.0 && used + own > width {
                    lines.push(std::mem::take(&mut line));
                    used = 0.0;
                }
                if used > 0.0 {
                    line.push(' ');
                }
                line.push_str(word);
                used += own;
            }
            lines.push(line);
        }
        lines
    }
}

/// The approximate width of a text in ems.
fn ems(text: &str) -> f64 {
    let of = |c| {
        if c < FIRST_WIDE {
            LETTER_EMS
        } else {
            WIDE_LETTER_EMS
        }
    };
    text.chars().map(of).sum::<f64>().max(LETTER_EMS)
}

/// Writes the operators that draw a line and move to the next one. Letters that the font lacks are
/// a replacement text.
fn show(line: &str, content: &mut String) {
    let code = |c: char| match c {
        ' '..='~' | '\u{a0}'..='\u{ff}' => c as u8,
        _ => b'?',
    };
    let is_replaced = line.chars().any(|c| code(c) == b'?' && c != '?');
    if is_replaced {
        content.push_str("/Span << /ActualText <FEFF");
        let units = line.encode_utf16();
        content.extend(units.map(|unit| format!("{unit:04X}")));
        content.push_str("> >> BDC ");
    }
    content.push('<');
    content.extend(line.chars().map(|c| format!("{:02X}", code(c))));
    content.push_str("> Tj T*");
    content.push_str(if is_replaced { " EMC\n" } else { "\n" });
}

/// A value as text.
fn text(value: Object<'_>) -> Option<String> {
    let text = match value {
        Object::String(text) => text_string::decode(text.get(..MAX_TEXT_BYTES).unwrap_or(&text)),
        Object::Name(name) => text_string::decode(&name),
        Object::Array(choices) => {
            let choices = choices.iter::<PdfString<'_>>().take(MAX_ANCESTORS);
            let choices: Vec<String> = choices.map(|text| text_string::decode(&text)).collect();
            choices.join("\n")
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

/// The text that a list shows for a value: the second one of a pair.
fn shown_choice(options: &Array<'_>, value: &str) -> Option<String> {
    options.iter::<Array<'_>>().find_map(|pair| {
        let mut texts = pair.iter::<PdfString<'_>>();
        let (key, shown) = (texts.next()?, texts.next()?);
        (text_string::decode(&key) == value).then(|| text_string::decode(&shown))
    })
}

/// The size in a default appearance: the number before `Tf`. `None` for 0, which leaves it to the
/// viewer.
fn size(appearance: PdfString<'_>) -> Option<f64> {
    let text = String::from_utf8_lossy(&appearance);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let operator = words.iter().rposition(|word| *word == "Tf")?;
    let size: f64 = words.get(operator.checked_sub(1)?)?.parse().ok()?;
    (size > 0.0 && size.is_finite()).then_some(size)
}
