//! Runs the operators of content streams.

use hayro_syntax::object::{Dict, FromBytes, Name, ObjectIdentifier, Stream, String as PdfString};

use super::images::{ImageCover, Images};
use super::layers::Layers;
use super::lexer::{Lexer, Operand};
use super::losses::Losses;
use super::marked::{Identifiers, Marks};
use super::painter::{CollectedGlyphs, Painter};
use super::paths::{self, Paths};
use super::resources::{Lookups, Names, XObject};
use super::state::{ColorSpace, SavedStates, State};
use super::{DocumentResources, Drawn, inline_image};
use crate::budget::{Budget, Stop};
use crate::fonts::MISSING_FONT;
use crate::geometry::{Matrix, PageBox};
use crate::model::Options;
use crate::pages::Page;
use crate::{streams, text_string};

/// Maximum nesting of forms. Only hostile files come close to it.
const MAX_FORM_DEPTH: usize = 24;

pub struct Interpreter<'a, 'r> {
    page: &'r Page<'a>,
    page_box: PageBox,
    pub layers: &'r Layers,
    options: &'r Options,
    resources: &'r mut DocumentResources<'a>,
    pub budget: &'r mut Budget,
    painter: Painter<'a>,
    images: ImageCover,
    /// Collects images, if wanted.
    collected_images: Option<Images>,
    /// Collects drawn lines, if wanted.
    paths: Option<Paths>,
    /// Whether to judge the text of each font.
    judges_fonts: bool,
    marks: Marks,
    /// Collects the identifiers of marked content, if wanted.
    identifiers: Option<Identifiers>,
    pub losses: Losses,
    /// The running forms, from the outermost.
    active: Vec<ObjectIdentifier>,
}

/// A content stream being run.
struct Run<'a, 'd, 'p> {
    lexer: Lexer<'d>,
    names: &'p Names<'a, 'p>,
    lookups: Lookups<'a>,
    state: State<'a>,
    saved: SavedStates<'a>,
    text_matrix: Matrix,
    line_matrix: Matrix,
    is_in_text: bool,
}

impl<'a, 'r> Interpreter<'a, 'r> {
    pub fn new(
        page: &'r Page<'a>,
        page_box: PageBox,
        layers: &'r Layers,
        options: &'r Options,
        resources: &'r mut DocumentResources<'a>,
        budget: &'r mut Budget,
    ) -> Self {
        Self {
            page,
            page_box,
            layers,
            options,
            resources,
            budget,
            painter: Painter::new(page_box),
            images: ImageCover::new(page_box.width, page_box.height),
            collected_images: None,
            paths: None,
            judges_fonts: false,
            marks: Marks::default(),
            identifiers: None,
            losses: Losses::default(),
            active: Vec::new(),
        }
    }

    /// From now on, collects the lines that are drawn.
    pub fn collect_lines(&mut self) {
        self.paths = Some(Paths::new(self.page_box));
    }

    /// From now on, collects images.
    pub fn collect_images(&mut self) {
        self.collected_images = Some(Images::default());
    }

    /// Judges the text of each font at the end.
    pub fn judge_fonts(&mut self) {
        self.judges_fonts = true;
    }

    /// From now on, collects the identifiers of marked content.
    pub fn collect_identifiers(&mut self) {
        self.identifiers = Some(Identifiers::default());
    }

    pub fn run_page(&mut self, content: &[u8]) -> Result<(), Stop> {
        if self.losses.has_causes() {
            self.painter.keep_off_page();
        }
        self.painter.reserve_for(content.len());
        let names = Names::of_page(self.page);
        self.run(content, &names, State::new(self.page_box.to_top_left))
    }

    /// Draws an appearance stream. `matrix` maps its form space to page coordinates.
    pub fn run_appearance(&mut self, form: &Stream<'a>, matrix: Matrix) -> Result<(), Stop> {
        let names = Names::of_page(self.page);
        let state = State::new(matrix.then(self.page_box.to_top_left));
        self.form(form, &names, state)
    }

    /// Draws content in page coordinates with these resources.
    pub fn run_with(&mut self, content: &[u8], resources: Dict<'a>) -> Result<(), Stop> {
        self.budget.form()?;
        self.budget.count_decoded(content.len())?;
        let names = Names::of_resources(resources);
        self.run(content, &names, State::new(self.page_box.to_top_left))
    }

    /// The number of glyphs drawn on the page.
    pub fn glyph_count(&self) -> usize {
        self.painter.glyphs.glyphs.len()
    }

    /// Infers the text of unknown glyphs and returns the result.
    pub fn finish(mut self) -> Drawn {
        if let Some(cause) = self.painter.font_damage {
            self.losses.cause(cause);
            self.losses.lacks_objects |= cause == MISSING_FONT;
        }
        let uncertain = self.painter.infer(&mut self.resources.habits, self.options);
        let fonts = if self.judges_fonts {
            self.painter.font_uses(&uncertain)
        } else {
            Vec::new()
        };
        Drawn {
            glyphs: self.painter.glyphs,
            unmapped: uncertain.unmapped.len() as u32,
            inferred: uncertain.inferred.len() as u32,
            fonts,
            invisible: self.painter.invisible,
            off_page: self.painter.off_page,
            image_cover: self.images.share(),
            images: self.collected_images.unwrap_or_default(),
            drawing: self.paths.map(Paths::finish).unwrap_or_default(),
            identifiers: self.identifiers.unwrap_or_default(),
            losses: self.losses.message(),
            lacks_objects: self.losses.lacks_objects,
        }
    }

    /// Runs a form with the caller's matrix in `state`. Recursive calls are ignored.
    fn form(
        &mut self,
        form: &Stream<'a>,
        names: &Names<'a, '_>,
        mut state: State<'a>,
    ) -> Result<(), Stop> {
        let id = form.obj_id();
        if self.active.len() >= MAX_FORM_DEPTH || self.active.contains(&id) {
            return Ok(());
        }
        self.budget.form()?;
        let content = streams::decode(form, self.budget)?;
        self.losses.stream(&content);
        if let Some(matrix) = form.dict().get::<[f64; 6]>(b"Matrix") {
            state.matrix = Matrix::new(matrix).then(state.matrix);
        }
        let bounds = form.dict().get::<[f64; 4]>(b"BBox");
        if let (Some(paths), Some(bounds)) = (&mut self.paths, bounds)
            && is_shading(&content.data)
            && !self.marks.is_hidden()
        {
            paths.shaded(bounds, state.matrix);
        }
        let names = Names::of_form(form.dict(), names);
        self.active.push(id);
        let result = self.run(&content.data, &names, state);
        self.active.pop();
        result
    }

    fn run(&mut self, content: &[u8], names: &Names<'a, '_>, state: State<'a>) -> Result<(), Stop> {
        let mut run = Run {
            lexer: Lexer::new(content),
            names,
            lookups: Lookups::default(),
            state,
            saved: SavedStates::default(),
            text_matrix: Matrix::IDENTITY,
            line_matrix: Matrix::IDENTITY,
            is_in_text: false,
        };
        let marks_before = self.marks.depth();
        let mut result = Ok(());
        let mut latest: &[u8] = b"";
        while let (Ok(()), Some(operator)) = (result, run.lexer.next_operator()) {
            self.losses.operators += 1;
            latest = operator;
            result = self
                .budget
                .operator()
                .and_then(|()| self.operator(operator, &mut run, marks_before));
        }
        let is_in_operator = !run.lexer.operands().is_empty() || paths::is_unfinished_after(latest);
        if result.is_ok() && (run.is_in_text || is_in_operator) {
            self.losses
                .cause("the content ends within a text, a path or an operator");
        } else if result.is_ok() && self.marks.depth() > marks_before {
            self.losses.cause("the content ends within marked content");
        }
        if run.lexer.has_unclosed {
            self.losses
                .cause("an array, a string or a dictionary is not closed");
        }
        if run.lexer.has_zeros {
            self.losses.cause("zero bytes within the content");
        }
        // The end of a stream closes its open marks.
        while self.marks.depth() > marks_before {
            result = result.and(self.close_mark());
        }
        result
    }

    /// Executes an operator. Operators whose operands are missing or of the wrong type are counted
    /// and ignored.
    fn operator(
        &mut self,
        operator: &[u8],
        run: &mut Run<'a, '_, '_>,
        marks_before: usize,
    ) -> Result<(), Stop> {
        let state = &mut run.state;
        let losses = &mut self.losses;
        let mut number = || losses.check(run.lexer.numbers::<1>()).map(|[n]| n);
        match operator {
            b"q" => run.saved.save(state),
            b"Q" => run.saved.restore(state),
            b"cm" => {
                if let Some(matrix) = losses.check(run.lexer.numbers()) {
                    state.matrix = Matrix::new(matrix).then(state.matrix);
                }
            }
            b"BT" => {
                run.is_in_text = true;
                run.start_line_at(Matrix::IDENTITY);
            }
            b"ET" => run.is_in_text = false,
            b"Tc" => state.character_spacing = number().unwrap_or(state.character_spacing),
            b"Tw" => state.word_spacing = number().unwrap_or(state.word_spacing),
            b"Tz" => state.stretch = number().map_or(state.stretch, |percent| percent / 100.0),
            b"TL" => state.leading = number().unwrap_or(state.leading),
            b"Ts" => state.rise = number().unwrap_or(state.rise),
            b"Tr" => state.render_mode = number().map_or(state.render_mode, |mode| mode as u8),
            b"Td" => run.next_line(losses.check(run.lexer.numbers())),
            b"TD" => {
                let by = losses.check(run.lexer.numbers());
                run.state.leading = by.map_or(run.state.leading, |[_, down]: [f64; 2]| -down);
                run.next_line(by);
            }
            b"Tm" => {
                if let Some(matrix) = losses.check(run.lexer.numbers()) {
                    run.start_line_at(Matrix::new(matrix));
                }
            }
            b"T*" => run.next_line(Some([0.0, -run.state.leading])),
            b"Tf" => self.set_font(run),
            b"Tj" => return self.show_last(run),
            b"'" => {
                run.next_line(Some([0.0, -run.state.leading]));
                return self.show_last(run);
            }
            b"\"" => {
                if let [.., words, characters, _] = run.lexer.operands() {
                    run.state.word_spacing =
                        run.lexer.number(words).unwrap_or(run.state.word_spacing);
                    run.state.character_spacing = run
                        .lexer
                        .number(characters)
                        .unwrap_or(run.state.character_spacing);
                }
                run.next_line(Some([0.0, -run.state.leading]));
                return self.show_last(run);
            }
            b"TJ" => return self.show_array(run),
            b"gs" => {
                let name = run.lexer.last().and_then(|last| run.lexer.name(last));
                let (names, fonts) = (run.names, &mut self.resources.fonts);
                let states = &mut run.lookups.font_states;
                let font = name.and_then(|name| {
                    states.get(name, |name| names.font_of_graphics_state(name, fonts))
                });
                if let Some((font, size)) = font {
                    run.state.font = Some(font);
                    run.state.size = size;
                }
            }
            b"g" => run.set_color(ColorSpace::Gray),
            b"rg" => run.set_color(ColorSpace::Rgb),
            b"k" => run.set_color(ColorSpace::Cmyk),
            b"cs" => run.set_color_space(),
            b"sc" | b"scn" => run.set_color(run.state.color_space),
            b"Do" => return self.x_object(run),
            b"BI" => {
                let rest = run.lexer.rest();
                let length = inline_image::length(rest);
                if !self.marks.is_hidden() {
                    self.images.add(run.state.matrix);
                    if let Some(collected) = &mut self.collected_images {
                        let written = rest.get(..length).unwrap_or(rest);
                        collected.add_inline(written, run.state.matrix, self.budget);
                    }
                }
                run.lexer.skip(length);
            }
            b"BMC" => return self.open_mark(run, false),
            b"BDC" => return self.open_mark(run, true),
            b"EMC" if self.marks.depth() > marks_before => return self.close_mark(),
            _ => {
                losses.unknown(operator);
                if let Some(paths) = &mut self.paths {
                    let is_hidden = self.marks.is_hidden();
                    paths.operator(operator, &run.lexer, &mut run.state, is_hidden);
                }
            }
        }
        Ok(())
    }

    fn set_font(&mut self, run: &mut Run<'a, '_, '_>) {
        let operands = match run.lexer.operands() {
            [.., name, size] => run.lexer.name(name).zip(run.lexer.number(size)),
            _ => None,
        };
        let Some((name, size)) = self.losses.check(operands) else {
            return;
        };
        run.state.size = size;
        let (names, fonts) = (run.names, &mut self.resources.fonts);
        let font = run.lookups.fonts.get(name, |name| names.font(name, fonts));
        // In damaged content, an unknown name more likely means the current font.
        let is_damaged_name = font.is_none() && self.losses.has_causes();
        if !is_damaged_name || run.state.font.is_none() {
            run.state.font = Some(font.unwrap_or_else(|| self.resources.fonts.unknown()));
        }
    }

    fn show_last(&mut self, run: &mut Run<'a, '_, '_>) -> Result<(), Stop> {
        let codes = run.lexer.last().and_then(|last| run.lexer.text(last));
        let Some(codes) = self.losses.check(codes) else {
            return Ok(());
        };
        let wanted = self.glyphs_to_collect(&run.state);
        self.painter.start_operator();
        let Some(pen) = self.painter.pen(&run.state, run.text_matrix, wanted) else {
            return Ok(());
        };
        self.painter
            .show(&pen, &run.state, &mut run.text_matrix, codes, self.budget)
    }

    fn show_array(&mut self, run: &mut Run<'a, '_, '_>) -> Result<(), Stop> {
        let wanted = self.glyphs_to_collect(&run.state);
        self.painter.start_operator();
        if !matches!(run.lexer.last(), Some(Operand::ArrayEnd | Operand::Text(_))) {
            self.losses.strange += 1;
        }
        let mut pen = None;
        for operand in run.lexer.operands() {
            match operand {
                Operand::Text(_) => {
                    if pen.is_none() {
                        pen = self.painter.pen(&run.state, run.text_matrix, wanted);
                    }
                    let Some(pen) = &pen else { continue };
                    let codes = run.lexer.text(operand).unwrap_or_default();
                    self.painter
                        .show(pen, &run.state, &mut run.text_matrix, codes, self.budget)?;
                }
                Operand::Number(_) => {
                    let thousandths = run.lexer.number(operand).unwrap_or(0.0);
                    self.painter
                        .adjust(&run.state, &mut run.text_matrix, thousandths);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn glyphs_to_collect(&self, state: &State<'_>) -> CollectedGlyphs {
        if self.marks.is_hidden() || state.is_invisible() && !self.options.invisible_text {
            CollectedGlyphs::Nothing
        } else {
            CollectedGlyphs::Glyphs {
                artifact: self.marks.is_artifact(),
            }
        }
    }

    fn x_object(&mut self, run: &mut Run<'a, '_, '_>) -> Result<(), Stop> {
        let name = run.lexer.last().and_then(|last| run.lexer.name(last));
        let Some(name) = self.losses.check(name) else {
            return Ok(());
        };
        if self.marks.is_hidden() {
            return Ok(());
        }
        let (names, layers) = (run.names, self.layers);
        match run
            .lookups
            .x_objects
            .get(name, |name| XObject::find(name, names, layers))
        {
            Some(XObject::Form(form)) => self.form(&form, run.names, run.state.clone()),
            Some(XObject::Image(image)) => {
                self.images.add(run.state.matrix);
                if let Some(collected) = &mut self.collected_images {
                    let seen = &mut self.resources.images;
                    collected.add(&image, run.state.matrix, seen, self.budget);
                }
                Ok(())
            }
            None => {
                if names.lacks_x_object(name) {
                    self.losses.missing("a form or an image is missing");
                }
                Ok(())
            }
        }
    }

    fn open_mark(&mut self, run: &Run<'a, '_, '_>, with_properties: bool) -> Result<(), Stop> {
        let operands = run.lexer.operands();
        let tag = match operands {
            [.., tag, _] if with_properties => run.lexer.name(tag),
            [.., tag] => run.lexer.name(tag),
            [] => None,
        };
        let mut hidden = false;
        let mut artifact = false;
        let mut actual_text = None;
        if let (true, Some(properties)) = (with_properties, operands.last()) {
            let name = run.lexer.name(properties).and_then(Name::new);
            if tag == Some(b"OC") {
                hidden = name
                    .as_ref()
                    .is_some_and(|name| run.names.hides_layer(name, self.layers));
            }
            let inline = run.lexer.dict_bytes(properties);
            // Other artifacts may be contents, such as the labels of a form.
            artifact = tag == Some(b"Artifact")
                && match (inline, &name) {
                    (Some(bytes), _) => Dict::from_bytes(bytes),
                    (None, Some(name)) => run.names.properties(name),
                    (None, None) => None,
                }
                .is_some_and(|dict| is_pagination(&dict));
            // Parse only dictionaries that can contain a text.
            actual_text = match (inline, name) {
                (Some(bytes), _) if memchr::memmem::find(bytes, b"ActualText").is_some() => {
                    Dict::from_bytes(bytes).and_then(|dict| actual_text_of(&dict))
                }
                (None, Some(name)) if !hidden => run
                    .names
                    .properties(&name)
                    .and_then(|dict| actual_text_of(&dict)),
                _ => None,
            };
        }
        // Forms have separate identifiers.
        if let (Some(identifiers), true) = (&mut self.identifiers, self.active.is_empty()) {
            let identifier = operands.last().filter(|_| with_properties);
            let identifier =
                identifier.and_then(|properties| match run.lexer.dict_bytes(properties) {
                    Some(bytes) if memchr::memmem::find(bytes, b"MCID").is_some() => {
                        Dict::from_bytes(bytes)?.get::<i32>(b"MCID")
                    }
                    Some(_) => None,
                    None => {
                        let name = run.lexer.name(properties).and_then(Name::new)?;
                        run.names.properties(&name)?.get::<i32>(b"MCID")
                    }
                });
            identifiers.open(identifier, self.painter.glyphs.glyphs.len());
        }
        // Properties can be large and referenced many times, so their text counts as decoded.
        let text_length = actual_text.as_ref().map_or(0, String::len);
        self.marks.open(
            artifact,
            hidden,
            actual_text,
            self.painter.glyphs.glyphs.len(),
        );
        if text_length > 0 {
            self.budget.count_decoded(text_length)
        } else {
            Ok(())
        }
    }

    fn close_mark(&mut self) -> Result<(), Stop> {
        if let (Some(identifiers), true) = (&mut self.identifiers, self.active.is_empty()) {
            identifiers.close(self.painter.glyphs.glyphs.len());
        }
        match self.marks.close() {
            Some(replacement) => {
                self.painter
                    .replace(&replacement, self.options.keep_ligatures, self.budget)
            }
            None => Ok(()),
        }
    }
}

/// Whether an artifact is a running head, a running foot or a page number.
fn is_pagination(properties: &Dict<'_>) -> bool {
    let is = |key: &[u8], names: &[&[u8]]| {
        let name = properties.get::<Name<'_>>(key);
        name.is_some_and(|name| names.contains(&name.as_ref()))
    };
    is(b"Type", &[b"Pagination"]) || is(b"Subtype", &[b"Header", b"Footer"])
}

fn actual_text_of(properties: &Dict<'_>) -> Option<String> {
    properties
        .get::<PdfString<'_>>(b"ActualText")
        .map(|text| text_string::decode(text.as_bytes()))
}

impl Run<'_, '_, '_> {
    fn start_line_at(&mut self, matrix: Matrix) {
        self.text_matrix = matrix;
        self.line_matrix = matrix;
    }

    fn next_line(&mut self, by: Option<[f64; 2]>) {
        if let Some([x, y]) = by {
            self.start_line_at(Matrix::translation(x, y).then(self.line_matrix));
        }
    }

    fn set_color_space(&mut self) {
        let Some(name) = self.lexer.last().and_then(|last| self.lexer.name(last)) else {
            return;
        };
        let names = self.names;
        self.state.color_space = self
            .lookups
            .color_spaces
            .get(name, |name| names.color_space(name));
        self.state.color = self.state.color_space.initial();
    }

    fn set_color(&mut self, space: ColorSpace) {
        let components: Vec<f64> = self
            .lexer
            .operands()
            .iter()
            .take(4)
            .filter_map(|operand| self.lexer.number(operand))
            .collect();
        self.state.color_space = space;
        self.state.color = space.color(&components);
    }
}

/// Whether the content of a form does nothing but shade its box.
fn is_shading(content: &[u8]) -> bool {
    /// The maximum length of a name, an operator and white space.
    const MAX_BYTES: usize = 40;
    content.len() <= MAX_BYTES && {
        let mut words = content
            .trim_ascii()
            .split(|byte| byte.is_ascii_whitespace());
        let is_name = words.next().is_some_and(|name| name.starts_with(b"/"));
        is_name && words.next() == Some(b"sh") && words.next().is_none()
    }
}
