//! Simple fonts, whose codes have one byte.

use std::borrow::Cow;
use std::cell::OnceCell;

use hayro_syntax::object::dict::keys::{BASE_FONT, FONT_DESC};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};

use super::builtin;
use super::characters::is_meaningful;
use super::clues::Clue;
use super::encoding::{Encoding, Implied};
use super::names::{self, Meanings};
use super::symbol_fonts::SymbolFont;
use super::to_unicode::ToUnicode;
use super::truetype::TrueType;
use super::widths::{has_other_bytes, plain_numbers};
use super::{
    Certainty, Code, DAMAGED_WIDTHS, MAX_STREAM_BYTES, characters, is_embedded, missing_entry,
    program, style,
};
use crate::streams;

#[derive(Debug)]
pub struct Simple<'a> {
    source: FontSources<'a>,
    /// In units of the font size.
    advances: [f32; 256],
    /// The texts of the codes, each computed when it is first drawn: most codes occur in no string,
    /// and some need the font program.
    texts: [OnceCell<(Box<str>, Certainty)>; 256],
    keep_ligatures: bool,
    /// The numbers in the glyph names of the font program's encoding; read on demand.
    numbers: OnceCell<Vec<[Option<u16>; 2]>>,
    pub em: f64,
    /// Damage of the ToUnicode map, or of the encoding.
    pub damage: Option<&'static str>,
}

/// The advance of a glyph if it is declared nowhere.
const DEFAULT_ADVANCE: f32 = 0.5;

impl<'a> Simple<'a> {
    pub fn new(
        dict: &Dict<'a>,
        subtype: &[u8],
        symbol_font: Option<SymbolFont>,
        keep_ligatures: bool,
    ) -> Self {
        let source = FontSources::new(dict, subtype, symbol_font);
        let advances = source.advances();
        let em = if source.is_type_3 {
            em_from_widths(&advances)
        } else {
            1.0
        };
        let of_map = source.to_unicode.as_ref().and_then(|map| map.damage);
        Self {
            advances,
            texts: [const { OnceCell::new() }; 256],
            keep_ligatures,
            numbers: OnceCell::new(),
            em,
            damage: of_map
                .or(source.encoding.damage)
                .or_else(|| source.has_damaged_widths().then_some(DAMAGED_WIDTHS))
                .or_else(|| source.missing_widths()),
            source,
        }
    }

    /// Whether the embedded font program is damaged; `None` if it was not needed yet.
    pub fn has_damaged_program(&self) -> Option<bool> {
        Some(self.source.fallback.get()?.has_damaged_program)
    }

    #[inline]
    pub fn code(&self, code: u8) -> Code<'_> {
        let (text, certainty) = self.text(code);
        Code {
            text,
            advance: f64::from(self.advances[usize::from(code)]),
            is_space: code == b' ',
            certainty: *certainty,
            number: code.into(),
        }
    }

    #[inline]
    fn text(&self, code: u8) -> &(Box<str>, Certainty) {
        self.texts[usize::from(code)].get_or_init(|| {
            let advance = self.advances[usize::from(code)];
            let (text, certainty) = self.source.text(code, advance);
            let mut expanded = String::with_capacity(text.len());
            characters::push(&mut expanded, &text, self.keep_ligatures);
            (expanded.into_boxed_str(), certainty)
        })
    }

    /// Clues to a code of unknown meaning.
    pub fn clue(&self, code: u8) -> Clue {
        let (_, certainty) = self.text(code);
        let mut clue = match certainty {
            Certainty::Unknown => self.source.clue(code),
            _ => Clue::default(),
        };
        if clue.numbers == [None; 2] {
            let numbers = self
                .numbers
                .get_or_init(|| program::numbers_of_codes(&self.source.descriptor));
            clue.numbers = numbers.get(usize::from(code)).copied().unwrap_or_default();
            clue.glyph = clue.numbers[0];
        }
        clue
    }
}

/// The sources for the meaning and width of codes, from the ToUnicode map to the font program,
/// which is opened only for codes that need it.
#[derive(Debug)]
struct FontSources<'a> {
    dict: Dict<'a>,
    descriptor: Dict<'a>,
    is_type_3: bool,
    is_true_type: bool,
    symbol_font: Option<SymbolFont>,
    to_unicode: Option<ToUnicode>,
    encoding: Encoding,
    implied: OnceCell<Implied>,
    listed: OnceCell<Option<ListedWidths>>,
    fallback: OnceCell<Fallback>,
}

/// The meanings of codes that neither the ToUnicode map nor the encoding defines.
#[derive(Debug)]
struct Fallback {
    meanings: Meanings,
    certainty: Certainty,
    has_damaged_program: bool,
}

impl<'a> FontSources<'a> {
    fn new(dict: &Dict<'a>, subtype: &[u8], symbol_font: Option<SymbolFont>) -> Self {
        let descriptor = dict.get::<Dict<'a>>(FONT_DESC).unwrap_or_default();
        let mut encoding = Encoding::of_font(dict);
        if own_encoding(dict).is_some() && !is_embedded(&descriptor) {
            // Viewers ignore an encoding for letters in such fonts.
            encoding.base = None;
        }
        Self {
            dict: dict.clone(),
            descriptor,
            is_type_3: subtype == b"Type3",
            is_true_type: subtype == b"TrueType",
            symbol_font,
            to_unicode: ToUnicode::of_font(dict),
            encoding,
            implied: OnceCell::new(),
            listed: OnceCell::new(),
            fallback: OnceCell::new(),
        }
    }

    /// The advances of all codes, in units of the font size.
    fn advances(&self) -> [f32; 256] {
        let scale = match self.dict.get::<[f64; 6]>(b"FontMatrix") {
            Some(matrix) if self.is_type_3 => matrix[0].abs(),
            _ => 0.001,
        };
        if let Some(widths) = self.listed_widths() {
            return widths.map(|width| (f64::from(width) * scale) as f32);
        }
        builtin::advances(&self.dict).unwrap_or([DEFAULT_ADVANCE; 256])
    }

    /// The text of a code: U+FFFD if a glyph is drawn but unknown, empty if nothing is drawn.
    fn text(&self, code: u8, advance: f32) -> (Cow<'_, str>, Certainty) {
        let known = |text| (text, Certainty::Known);
        let mapped = self
            .to_unicode
            .as_ref()
            .and_then(|map| map.get(u32::from(code)));
        let mapped = match mapped {
            Some(text) if self.is_sign_for_ligature(code, &text) => None,
            Some(text) if is_meaningful(&text) => return known(Cow::Owned(text)),
            other => other,
        };
        if let Some(symbol) = self.symbol(code, mapped.as_deref()) {
            return known(Cow::Owned(symbol));
        }
        if let Some(text) = self
            .encoding
            .meaning(code)
            .filter(|text| is_meaningful(text))
        {
            return known(Cow::Borrowed(text));
        }
        // A space may have no width.
        let is_space = code == b' ' && !self.is_type_3;
        // A code that has no width and is not in the ToUnicode map does not occur in text, and
        // searching further can be expensive.
        let is_used =
            advance != 0.0 || self.to_unicode.is_none() || self.encoding.name(code).is_some();
        if mapped.is_none() && !is_used {
            return known(Cow::Borrowed(if is_space { " " } else { "" }));
        }
        let (fallback, certainty) = self.fallback(code);
        match (fallback.filter(|text| is_meaningful(text)), mapped) {
            (Some(text), _) => (Cow::Borrowed(text), certainty),
            (None, Some(text)) => (Cow::Owned(text), Certainty::Unknown),
            (None, None) if is_space => known(Cow::Borrowed(" ")),
            (None, None) if self.draws_nothing(code) => known(Cow::Borrowed("")),
            (None, None) => (Cow::Borrowed("\u{fffd}"), Certainty::Unknown),
        }
    }

    /// Whether a code with the name of a ligature is mapped to a sign: macOS maps `ff` to `↵`.
    fn is_sign_for_ligature(&self, code: u8, text: &str) -> bool {
        const LIGATURES: [&[u8]; 5] = [b"ff", b"fi", b"fl", b"ffi", b"ffl"];
        !(text.is_empty() || text.contains(char::is_alphabetic))
            && (self.encoding.name(code)).is_some_and(|name| LIGATURES.contains(&name))
    }

    fn clue(&self, code: u8) -> Clue {
        let numbers = self.encoding.name(code).map_or([None; 2], names::numbers);
        let implied = self.implied.get_or_init(|| self.implied());
        Clue {
            code: implied.character(code),
            glyph: numbers[0],
            own_code: None,
            numbers,
        }
    }

    /// The encoding of codes for which the font declares none.
    fn implied(&self) -> Implied {
        if !self.is_true_type {
            return Implied::STANDARD;
        }
        const SYMBOLIC: i32 = 1 << 2;
        let flags = self.descriptor.get::<i32>(b"Flags").unwrap_or(0);
        // Some files flag all fonts as symbolic. For fonts with these names, viewers use the
        // standard fonts.
        let is_symbolic = flags & SYMBOLIC != 0
            && (is_embedded(&self.descriptor) || !has_name_of(&self.dict, &TEXT_FONTS));
        Implied::of_true_type(is_symbolic, self.listed_widths())
    }

    fn listed_widths(&self) -> Option<&[f32; 256]> {
        self.listed().map(|listed| &listed.widths)
    }

    fn has_damaged_widths(&self) -> bool {
        self.listed().is_some_and(|listed| listed.are_damaged)
    }

    fn missing_widths(&self) -> Option<&'static str> {
        match self.listed() {
            Some(_) => None,
            None => missing_entry(&self.dict, b"Widths"),
        }
    }

    fn listed(&self) -> Option<&ListedWidths> {
        let read = || ListedWidths::read(&self.dict, &self.descriptor);
        self.listed.get_or_init(read).as_ref()
    }

    fn symbol(&self, code: u8, mapped: Option<&str>) -> Option<String> {
        match (self.symbol_font?, mapped) {
            (symbol_font, Some(private)) => symbol_font.meaning_of_private(private),
            // The Symbol font has its own encoding. Wingdings often comes with an encoding for
            // letters.
            (SymbolFont::Wingdings, None) => SymbolFont::Wingdings.meaning(code),
            (SymbolFont::Symbol, None) => None,
        }
    }

    /// Whether a code without a meaning also has no glyph. Only embedded fonts have glyphs without
    /// names.
    fn draws_nothing(&self, code: u8) -> bool {
        match self.encoding.name(code) {
            Some(name) => name == b".notdef",
            None => self.encoding.base.is_some() || !is_embedded(&self.descriptor),
        }
    }

    /// The meaning of a code that neither the ToUnicode map nor the encoding defines.
    fn fallback(&self, code: u8) -> (Option<&str>, Certainty) {
        let fallback = self.fallback.get_or_init(|| self.fallbacks());
        let text = fallback.meanings.get(usize::from(code));
        let text = text.map(String::as_str).filter(|text| !text.is_empty());
        let is_numbered = self.encoding.name(code).is_some();
        let certainty = if is_numbered {
            Certainty::Inferred
        } else {
            fallback.certainty
        };
        (text, certainty)
    }

    fn fallbacks(&self) -> Fallback {
        if let Some(font) = self.descriptor.get::<Stream<'_>>(b"FontFile2") {
            let data = streams::decode_small(&font, MAX_STREAM_BYTES);
            let is_sound = data.as_ref().is_some_and(|data| data.damage.is_none());
            let font = data.and_then(|data| TrueType::parse(&data.data));
            return Fallback {
                has_damaged_program: !is_sound || font.is_none(),
                meanings: self.encoding.by_glyphs(
                    &font.unwrap_or_default(),
                    self.implied(),
                    self.listed_widths(),
                ),
                certainty: Certainty::Inferred,
            };
        }
        if is_embedded(&self.descriptor) {
            let meanings = builtin::meanings(&self.dict);
            return Fallback {
                has_damaged_program: meanings.is_none() || program::is_damaged(&self.descriptor),
                meanings: meanings.unwrap_or_default(),
                certainty: Certainty::BuiltIn,
            };
        }
        let mut meanings = match own_encoding(&self.dict) {
            Some(font) => names::standard_font(font),
            None => self.encoding.fallback_meanings(self.implied()),
        };
        if self.is_type_3 {
            self.encoding.add_tex_ligatures(&mut meanings);
        }
        Fallback {
            has_damaged_program: false,
            meanings,
            certainty: Certainty::Known,
        }
    }
}

/// Names of the standard text fonts and of similar ones.
const TEXT_FONTS: [&str; 4] = ["Arial", "Helvetica", "Times", "Courier"];

/// The name of the font if it is a standard font with its own encoding.
fn own_encoding(dict: &Dict<'_>) -> Option<&'static str> {
    if has_name_of(dict, &["Symbol"]) {
        Some("Symbol")
    } else if has_name_of(dict, &["ZapfDingbats", "Dingbats"]) {
        Some("ZapfDingbats")
    } else {
        None
    }
}

/// Whether the font's name starts with one of these.
fn has_name_of(dict: &Dict<'_>, names: &[&str]) -> bool {
    dict.get::<Name<'_>>(BASE_FONT).is_some_and(|name| {
        let name = style::without_subset_tag(name.as_str());
        names.iter().any(|known| name.starts_with(known))
    })
}

/// Whether a font is one of the Chinese fonts of Windows and is not embedded. Such a font claims to
/// be simple, but its name and its strings are in GBK.
pub fn is_chinese(dict: &Dict<'_>) -> bool {
    // 宋体, 楷体, 黑体, 仿宋 and 新宋 in GBK.
    const NAMES: [[u8; 4]; 5] = [
        *b"\xcb\xce\xcc\xe5",
        *b"\xbf\xac\xcc\xe5",
        *b"\xba\xda\xcc\xe5",
        *b"\xb7\xc2\xcb\xce",
        *b"\xd0\xc2\xcb\xce",
    ];
    let named = dict
        .get::<Name<'_>>(BASE_FONT)
        .is_some_and(|name| NAMES.iter().any(|known| name.starts_with(known)));
    named && !is_embedded(&dict.get::<Dict<'_>>(FONT_DESC).unwrap_or_default())
}

/// The widths listed in the font dictionary.
#[derive(Debug)]
struct ListedWidths {
    widths: [f32; 256],
    /// Whether the list has values that are not numbers. hayro may end the list there.
    are_damaged: bool,
}

impl ListedWidths {
    /// `None` if there is no list.
    fn read(dict: &Dict<'_>, descriptor: &Dict<'_>) -> Option<Self> {
        let list = dict.get::<Array<'_>>(b"Widths")?;
        let first = dict.get::<i32>(b"FirstChar").unwrap_or(0);
        let mut widths = [descriptor.get::<f32>(b"MissingWidth").unwrap_or(0.0); 256];
        let mut next = first;
        let mut set = |(code, width): (i32, Option<f32>)| {
            next = code + 1;
            let index = usize::try_from(code).ok();
            let index = index.and_then(|code| widths.get_mut(code));
            if let (Some(index), Some(width)) = (index, width) {
                *index = width;
            }
        };
        let codes = first..256;
        let mut are_damaged = false;
        match plain_numbers(list.data()) {
            Some(numbers) => codes.zip(numbers.into_iter().map(Some)).for_each(&mut set),
            None => {
                let items = list.iter::<Object<'_>>().map(Object::into_f32);
                codes.zip(items).for_each(&mut set);
                let last = dict.get::<i32>(b"LastChar");
                are_damaged =
                    last.is_some_and(|last| next <= last.min(255)) || has_other_bytes(list.data());
            }
        }
        Some(Self {
            widths,
            are_damaged,
        })
    }
}

/// The height of an em in a Type 3 font, which has its own units. An em is about twice as wide as
/// the average glyph. If the two differ a lot, the font size is meaningless.
fn em_from_widths(advances: &[f32; 256]) -> f64 {
    let wide: Vec<f64> = advances
        .iter()
        .map(|&a| f64::from(a))
        .filter(|&a| a > 0.0)
        .collect();
    let mean = wide.iter().sum::<f64>() / wide.len().max(1) as f64;
    if wide.is_empty() || (0.15..=1.5).contains(&mean) {
        1.0
    } else {
        2.0 * mean
    }
}

/// Whether the matrix of a Type 3 font mirrors its glyphs, as in fonts for pages whose y axis
/// points down. If the y axis of the glyphs themselves points down, the matrix turns them upright.
pub fn is_flipped(font: &Dict<'_>) -> bool {
    let is_mirror = font
        .get::<[f64; 6]>(b"FontMatrix")
        .is_some_and(|[a, b, c, d, ..]| a * d - b * c < 0.0);
    let points_down = |[_, bottom, _, top]: [f64; 4]| bottom.min(top).abs() > bottom.max(top).abs();
    is_mirror && !font.get::<[f64; 4]>(b"FontBBox").is_some_and(points_down)
}
