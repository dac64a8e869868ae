//! Places glyphs on the page: turns strings of codes into positions and characters.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use corpus_blocks::characters::is_right_to_left;

use super::font_uses::{self, Uncertain};
use super::inferred::{Habits, Unknowns};
use super::marked::Replacement;
use super::state::State;
use crate::budget::{Budget, Stop};
use crate::fonts::{Certainty, Code, Codes, Font, expand_ligatures};
use crate::geometry::{Matrix, PageBox};
use crate::glyphs::{Glyph, GlyphStyle, Glyphs};
use crate::model::{FontUse, Options, Style};

/// Maximum distance of glyphs from a damaged page, in page sizes.
const DAMAGED_MARGIN_PAGES: f64 = 10.0;
/// A page that is narrower or lower than this has a wrong size. Its text may be this far off.
const MIN_PAGE_POINTS: f64 = 3.0;
const WRONG_SIZE_MARGIN_POINTS: f64 = 14_400.0;

/// The attributes that distinguish styles. Fonts are compared by address: they stay in place until
/// the document has been read.
#[derive(Clone, PartialEq, Eq, Hash)]
struct StyleKey {
    font: *const Font<'static>,
    /// In hundredths of a point.
    size: u32,
    color: Option<u32>,
    invisible: bool,
    mirrored: bool,
    artifact: bool,
}

/// Collects the glyphs of a page.
pub struct Painter<'a> {
    page: PageBox,
    /// How far glyphs may be off the page.
    margin: f64,
    pub glyphs: Glyphs,
    styles: HashMap<StyleKey, u32>,
    latest: Option<(StyleKey, u32)>,
    runs: u32,
    unknowns: Unknowns<'a>,
    /// Indexes of the glyphs with inferred text.
    inferred: Vec<u32>,
    /// The names of the fonts of the styles.
    font_names: Vec<String>,
    /// Indexes into `font_names`, by the address of the font.
    fonts: HashMap<*const Font<'static>, u32>,
    pub invisible: u32,
    /// The number of glyphs off the page, which are not collected.
    pub off_page: u32,
    /// Damage of a font whose glyphs were drawn.
    pub font_damage: Option<&'static str>,
}

impl<'a> Painter<'a> {
    pub fn new(page: PageBox) -> Self {
        let has_size = page.width.min(page.height) >= MIN_PAGE_POINTS;
        Self {
            page,
            margin: if has_size {
                0.0
            } else {
                WRONG_SIZE_MARGIN_POINTS
            },
            glyphs: Glyphs::default(),
            styles: HashMap::new(),
            latest: None,
            runs: 0,
            unknowns: Unknowns::default(),
            inferred: Vec::new(),
            font_names: Vec::new(),
            fonts: HashMap::new(),
            invisible: 0,
            off_page: 0,
            font_damage: None,
        }
    }

    /// Makes room for the glyphs of a page with this much content.
    pub fn reserve_for(&mut self, content_bytes: usize) {
        /// Most content has fewer glyphs than one per this many bytes, and few pages have more than
        /// `MAX_GLYPHS`.
        const BYTES_PER_GLYPH: usize = 4;
        const MAX_GLYPHS: usize = 4 << 10;
        let glyphs = (content_bytes / BYTES_PER_GLYPH).min(MAX_GLYPHS);
        self.glyphs.glyphs.reserve(glyphs);
        self.glyphs.text.reserve(glyphs);
    }

    /// From now on, keeps glyphs that are off the page: damaged numbers may have put them there.
    pub fn keep_off_page(&mut self) {
        let margin = DAMAGED_MARGIN_PAGES * self.page.width.max(self.page.height);
        self.margin = self.margin.max(margin);
    }

    /// Separates the strings of an operator from those of the previous one.
    pub fn start_operator(&mut self) {
        self.runs = self.runs.wrapping_add(1);
    }

    /// Returns how the strings of an operator are drawn; `None` without a font.
    pub fn pen(
        &mut self,
        state: &State<'a>,
        text_matrix: Matrix,
        wanted: CollectedGlyphs,
    ) -> Option<Pen<'a>> {
        let font = Rc::clone(state.font.as_ref()?);
        let to_page = text_matrix.then(state.matrix);
        let em = state.size * font.em;
        let size = (to_page.c.hypot(to_page.d) * em).abs();
        let mirrored = is_mirrored(to_page, state, &font);
        let style = match wanted {
            CollectedGlyphs::Nothing => None,
            CollectedGlyphs::Glyphs { artifact } if size.is_finite() => {
                Some(self.style(state, &font, size, mirrored, artifact))
            }
            CollectedGlyphs::Glyphs { .. } => None,
        };
        if let (Some(damage), Some(_)) = (font.damage, style) {
            self.font_damage = Some(damage);
        }
        Some(Pen {
            placement: Placement::new(to_page, &self.page, self.margin, em, font.vertical),
            stretch: if font.vertical { 1.0 } else { state.stretch },
            size: size as f32,
            style,
            font,
        })
    }

    /// Records damage to the font program, on which the text of a glyph depends.
    fn check_program(&mut self, font: &Font<'a>) {
        if self.font_damage.is_none() {
            self.font_damage = font.program_damage();
        }
    }

    /// Draws a string and advances the text matrix. If the glyphs are not wanted, it only advances
    /// the matrix.
    pub fn show(
        &mut self,
        pen: &Pen<'a>,
        state: &State<'a>,
        text_matrix: &mut Matrix,
        codes: &[u8],
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let origin = text_matrix.then(state.matrix).apply(0.0, state.rise);
        let run = self.runs;
        self.runs = self.runs.wrapping_add(1);
        let mut string = DrawnString {
            pen,
            state,
            origin,
            run,
            invisible: u32::from(state.is_invisible()),
            moved: 0.0,
            result: Ok(()),
        };
        match &pen.font.codes {
            Codes::Simple(simple) => {
                for code in codes {
                    self.draw(simple.code(*code), &mut string, budget);
                }
            }
            Codes::Composite(composite) => {
                composite.decode(codes, &mut |code| self.draw(code, &mut string, budget));
            }
        }
        self.move_by(text_matrix, pen.font.vertical, string.moved);
        string.result
    }

    /// Draws a glyph of a string. Each of the two loops above has its own copy.
    #[inline(always)]
    fn draw(&mut self, code: Code<'_>, string: &mut DrawnString<'_, 'a>, budget: &mut Budget) {
        let (pen, state) = (string.pen, string.state);
        let advance = code.advance * state.size * pen.stretch;
        if let (Some(style), true) = (pen.style, string.result.is_ok()) {
            string.result = budget.glyph(code.text.len());
            let ends = pen.placement.ends(string.origin, string.moved, advance);
            if let (Ok(()), Some((start, end))) = (string.result, ends) {
                let from = self.glyphs.text.len() as u32;
                match code.text.as_bytes() {
                    // Faster than copying a string.
                    [byte] => self.glyphs.text.push(char::from(*byte)),
                    _ => self.glyphs.text.push_str(code.text),
                }
                if code.certainty != Certainty::Known {
                    self.record_uncertain(&code, &pen.font);
                }
                self.invisible += string.invisible;
                let text = from..self.glyphs.text.len() as u32;
                self.glyphs.glyphs.push(Glyph {
                    text,
                    start,
                    end,
                    size: pen.size,
                    style,
                    run: string.run,
                });
            } else if string.result.is_ok() && code.text.contains(|c: char| !c.is_whitespace()) {
                self.off_page = self.off_page.saturating_add(1);
            }
        }
        let word_spacing = if code.is_space {
            state.word_spacing
        } else {
            0.0
        };
        string.moved += advance + (state.character_spacing + word_spacing) * pen.stretch;
    }

    /// Records that the file does not declare the meaning of the next glyph.
    fn record_uncertain(&mut self, code: &Code<'_>, font: &Rc<Font<'a>>) {
        let index = self.glyphs.glyphs.len() as u32;
        match code.certainty {
            Certainty::Known | Certainty::BuiltIn => {}
            Certainty::Inferred => self.inferred.push(index),
            Certainty::Unknown => self.unknowns.add(index, font, code.number),
        }
        self.check_program(font);
    }

    /// Advances the text matrix by a number of a `TJ` array, in thousandths of an em.
    pub fn adjust(&self, state: &State<'_>, text_matrix: &mut Matrix, thousandths: f64) {
        let vertical = state.font.as_ref().is_some_and(|font| font.vertical);
        let stretch = if vertical { 1.0 } else { state.stretch };
        self.move_by(
            text_matrix,
            vertical,
            -thousandths / 1000.0 * state.size * stretch,
        );
    }

    fn move_by(&self, text_matrix: &mut Matrix, vertical: bool, by: f64) {
        let (x, y) = if vertical { (0.0, by) } else { (by, 0.0) };
        *text_matrix = text_matrix.translated(x, y);
    }

    fn style(
        &mut self,
        state: &State<'_>,
        font: &Rc<Font<'_>>,
        size: f64,
        mirrored: bool,
        artifact: bool,
    ) -> u32 {
        let key = StyleKey {
            font: Rc::as_ptr(font).cast(),
            size: (size * 100.0).round() as u32,
            color: state.color,
            invisible: state.is_invisible(),
            mirrored,
            artifact,
        };
        if let Some((_, index)) = self.latest.as_ref().filter(|(latest, _)| *latest == key) {
            return *index;
        }
        let index = *self.styles.entry(key.clone()).or_insert_with(|| {
            let number = *self.fonts.entry(key.font).or_insert_with(|| {
                self.font_names.push(font.style.name.clone());
                self.font_names.len() as u32 - 1
            });
            self.glyphs.styles.push(GlyphStyle {
                style: Style {
                    font: font.style.name.clone(),
                    size: key.size as f32 / 100.0,
                    bold: font.style.bold,
                    italic: font.style.italic,
                    color: state.color,
                    invisible: key.invisible,
                },
                font: number,
                ascent: font.style.ascent,
                descent: font.style.descent,
                vertical: font.vertical,
                mirrored,
                artifact,
            });
            (self.glyphs.styles.len() - 1) as u32
        });
        self.latest = Some((key, index));
        index
    }

    /// Infers the text of unknown glyphs. Returns the glyphs that remain unknown, and those with
    /// inferred text.
    pub fn infer(&mut self, habits: &mut Habits, options: &Options) -> Uncertain {
        let found = habits.infer(&mut self.unknowns, &mut self.glyphs, options.keep_ligatures);
        let unknown = self.unknowns.glyphs.iter().map(|unknown| unknown.glyph);
        let mut unmapped: Vec<u32> = unknown.collect();
        if !found.is_empty() {
            let found: HashSet<u32> = found.iter().copied().collect();
            unmapped.retain(|glyph| !found.contains(glyph));
        }
        let mut inferred = std::mem::take(&mut self.inferred);
        inferred.extend(found);
        Uncertain { unmapped, inferred }
    }

    /// How far the text of each font can be trusted.
    pub fn font_uses(&self, uncertain: &Uncertain) -> Vec<FontUse> {
        font_uses::font_uses(&self.glyphs, &self.font_names, uncertain)
    }

    /// Forgets the uncertain glyphs from this one on, because the file declares their text.
    fn forget_from(&mut self, first: u32) {
        let known = self.inferred.partition_point(|index| *index < first);
        self.inferred.truncate(known);
        let unknowns = &mut self.unknowns.glyphs;
        unknowns.truncate(unknowns.partition_point(|unknown| unknown.glyph < first));
    }

    /// Replaces the text of several glyphs together with `replacement`.
    pub fn replace(
        &mut self,
        replacement: &Replacement,
        keep_ligatures: bool,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        self.forget_from(replacement.first_glyph as u32);
        let Some(replaced @ [_, ..]) = self.glyphs.glyphs.get_mut(replacement.first_glyph..) else {
            return Ok(());
        };
        budget.glyph(replacement.text.len())?;
        let text: String = replacement
            .text
            .chars()
            .flat_map(|c| expand_ligatures(c, keep_ligatures))
            .collect();
        let own = |glyph: &Glyph| glyph.text.start as usize..glyph.text.end as usize;
        let drawn = replaced
            .iter()
            .filter_map(|glyph| self.glyphs.text.get(own(glyph)));
        // If the texts differ only in spaces, keep those of the glyphs, which have a position for
        // each letter.
        let is_letter = |c: &char| !c.is_whitespace();
        if drawn
            .flat_map(str::chars)
            .filter(is_letter)
            .eq(text.chars().filter(is_letter))
        {
            return Ok(());
        }
        // If there are as many characters as glyphs, each glyph gets one. Right-to-left letters may
        // be drawn in any order.
        let one_each =
            text.chars().count() == replaced.len() && !text.chars().any(is_right_to_left);
        let mut at = self.glyphs.text.len() as u32;
        let mut rest = text.chars();
        for (i, glyph) in replaced.iter_mut().enumerate() {
            let length = match (one_each, i) {
                (true, _) => rest.next().map_or(0, char::len_utf8),
                (false, 0) => text.len(),
                (false, _) => 0,
            };
            glyph.text = at..at + length as u32;
            at += length as u32;
        }
        self.glyphs.text.push_str(&text);
        Ok(())
    }
}

/// Whether glyphs are mirrored. Page coordinates count downwards, so normal text has a negative
/// determinant.
fn is_mirrored(to_page: Matrix, state: &State<'_>, font: &Font<'_>) -> bool {
    let determinant = to_page.a * to_page.d - to_page.b * to_page.c;
    let is_stretched_back = state.stretch < 0.0;
    determinant != 0.0 && (determinant > 0.0) != (is_stretched_back != font.flipped)
}

/// Whether the glyphs of a string are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectedGlyphs {
    Glyphs { artifact: bool },
    Nothing,
}

/// How the strings of an operator are drawn: everything but their positions.
pub struct Pen<'a> {
    font: Rc<Font<'a>>,
    placement: Placement,
    stretch: f64,
    /// The height of an em in points.
    size: f32,
    /// `None` if the glyphs are not collected.
    style: Option<u32>,
}

/// A string that is being drawn.
struct DrawnString<'s, 'a> {
    pen: &'s Pen<'a>,
    state: &'s State<'a>,
    /// Its start on the page.
    origin: (f64, f64),
    run: u32,
    /// How many invisible glyphs each of its glyphs counts as: 0 or 1.
    invisible: u32,
    /// The distance from its start, in text units.
    moved: f64,
    result: Result<(), Stop>,
}

/// The positions of the glyphs of a string, relative to its start.
struct Placement {
    /// The direction of one text unit.
    step: (f64, f64),
    /// The approximate extent of a glyph around its baseline: left, up, right, down.
    reach: [f64; 4],
    /// The area in which glyphs are kept: left, top, right, bottom.
    area: [f64; 4],
}

impl Placement {
    fn new(to_page: Matrix, page: &PageBox, margin: f64, em: f64, vertical: bool) -> Self {
        let along = (to_page.a, to_page.b);
        let across = (to_page.c, to_page.d);
        let (step, across, low, high) = if vertical {
            (across, along, -0.5, 0.5)
        } else {
            (along, across, -0.3, 1.0)
        };
        let (x, y) = (across.0 * em, across.1 * em);
        Self {
            step,
            reach: [
                (low * x).min(high * x),
                (low * y).min(high * y),
                (low * x).max(high * x),
                (low * y).max(high * y),
            ],
            area: [-margin, -margin, page.width + margin, page.height + margin],
        }
    }

    /// The ends of a glyph's baseline on the page; `None` if the glyph is off the page.
    #[inline]
    fn ends(
        &self,
        origin: (f64, f64),
        moved: f64,
        advance: f64,
    ) -> Option<((f32, f32), (f32, f32))> {
        let point = |by: f64| (origin.0 + by * self.step.0, origin.1 + by * self.step.1);
        let (start, end) = (point(moved), point(moved + advance));
        let [left, up, right, down] = self.reach;
        // The start alone usually decides, so the end is compared for few glyphs only.
        let on_page = (start.0 + right > self.area[0] || end.0 + right > self.area[0])
            && (start.1 + down > self.area[1] || end.1 + down > self.area[1])
            && (start.0 + left < self.area[2] || end.0 + left < self.area[2])
            && (start.1 + up < self.area[3] || end.1 + up < self.area[3]);
        let ends = (
            (start.0 as f32, start.1 as f32),
            (end.0 as f32, end.1 as f32),
        );
        // A number times 0 is 0 only if the number is finite.
        let zero = |c: f32| c * 0.0;
        let finite = zero(ends.0.0) + zero(ends.0.1) + zero(ends.1.0) + zero(ends.1.1) == 0.0;
        (on_page && finite).then_some(ends)
    }
}
