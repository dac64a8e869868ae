//! The meaning of elements for blocks.

use super::super::effect::Effect;
use super::super::markers::integer;
use super::code::{
    is_copied_code, is_gutter, is_line_number, is_not_selected, language, language_around,
    line_class, lines_of_fragment,
};
use super::context::{Definition, List, Role};
use super::latexml::{LatexPart, latex_part};
use super::notes::{FragmentLink, NoteRole, may_have_fragment, place};
use super::observer::{BlockObserver, LastList, Open};
use super::roles::{Part, SummaryPart, google_list, summary_part};
use super::word::{WordStyle, is_label, word_list, word_style};
use crate::events::Element;
use corpus_blocks::builder::Purpose;
use corpus_blocks::{Item, Kind, MarkKind};
use corpus_markup::Name;

/// Maximum of `colspan`, as in the HTML standard.
const MAX_COLUMN_SPAN: i64 = 1000;
/// Maximum of `rowspan`, as in the HTML standard.
const MAX_ROW_SPAN: i64 = 65_534;

impl BlockObserver {
    pub(super) fn role_of_inline(&mut self, element: &Element<'_>) -> Role {
        let kind = match element.name {
            Name::A => return self.role_of_link(element),
            Name::B | Name::STRONG => MarkKind::Strong,
            Name::EM | Name::I => MarkKind::Emphasis,
            Name::DEL | Name::S | Name::STRIKE => MarkKind::Deleted,
            Name::SUP => {
                self.notes.around = element.attribute("id").map(|id| id.into());
                MarkKind::Superscript
            }
            Name::SUB => MarkKind::Subscript,
            Name::CODE => {
                if self.context.preformatted > 0 {
                    if self.leaf.is_none() && self.context.language.is_none() {
                        self.context.language = language(element);
                    }
                    return Role::None;
                }
                MarkKind::Code
            }
            Name::TT => MarkKind::Code,
            _ if self.context.preformatted > 0 => {
                let is_number = is_line_number(element) || is_not_selected(element);
                let serial = is_number.then(|| self.open_text(None)).flatten();
                return serial.map_or(Role::None, Role::LineNumber);
            }
            Name::CITE | Name::VAR => MarkKind::Emphasis,
            Name::KBD | Name::SAMP => MarkKind::Code,
            Name::SPAN => return self.role_of_span(element),
            _ => return Role::None,
        };
        if self.context.preformatted > 0 {
            return Role::None;
        }
        self.open_mark(kind)
    }

    fn role_of_span(&mut self, element: &Element<'_>) -> Role {
        let part = latex_part(element);
        if part == Some(LatexPart::Note) {
            let place = self.place_of_note();
            let serial = self.open_text(None);
            serial.map_or(Role::None, |serial| Role::InlineNote(serial, place))
        } else if part == Some(LatexPart::Tag) || is_label(element) {
            let serial = self.open_text(None);
            serial.map_or(Role::None, Role::Label)
        } else {
            Role::None
        }
    }

    fn role_of_link(&mut self, element: &Element<'_>) -> Role {
        let is_used = self.resolver.is_wanted() || may_have_fragment(element);
        if self.context.preformatted > 0 || !is_used {
            return Role::None;
        }
        let address = element.attribute("href");
        let link = address.as_ref().filter(|_| self.resolver.is_wanted());
        let link = link.and_then(|address| self.resolver.resolve(address));
        let link = link.map(MarkKind::Link);
        let fragment = address
            .as_deref()
            .and_then(|address| address.split_once('#'));
        match fragment {
            Some((_, fragment)) if !fragment.is_empty() => {
                let around = self.notes.around.take();
                let [id, name] = element.attributes(["id", "name"]);
                let id = id.or(name);
                if let Some(id) = &id {
                    self.open_candidate_around(id);
                }
                let link_to = FragmentLink {
                    target: fragment.into(),
                    id: id.map(|id| id.into()).or(around),
                };
                let serial = self.open_text(link);
                serial.map_or(Role::None, |serial| Role::Fragment(serial, link_to))
            }
            _ => link.map_or(Role::None, |link| self.open_mark(link)),
        }
    }

    fn open_list(&mut self, element: &Element<'_>, has_notes: bool) -> Role {
        self.markers.open_list(element);
        let class = element.attribute("class").unwrap_or_default();
        let has = |name| class.split_ascii_whitespace().any(|class| class == name);
        let place = self.place_of_list();
        let continues = |last: LastList| !class.is_empty() && *last.name == *class;
        let last = self.last_list.take().filter(|last| last.place == place);
        let (outer, has_items) = match google_list(&class) {
            Some(outer) => (outer, !has("start")),
            None => (0, element.name != Name::OL && last.is_some_and(continues)),
        };
        self.context.lists.push(List {
            has_items,
            has_tasks: has("inline-task-list"),
            outer,
            class: class.into(),
        });
        Role::List { has_notes }
    }

    fn place_of_list(&mut self) -> [usize; 3] {
        let lists = self.context.lists.len();
        [self.builder.block_count(), lists, self.outer.len()]
    }

    /// Opens a paragraph of a list in Word.
    fn open_word_item(&mut self, list: &str, level: u16) -> Role {
        let place = self.place_of_list();
        let last = LastList {
            name: list.into(),
            place,
        };
        let is_first = self.last_list.take() != Some(last);
        let lists = u16::try_from(self.context.lists.len()).unwrap_or(u16::MAX);
        let item = Item {
            number: None,
            is_first,
        };
        self.context.push_item(lists.saturating_add(level), item);
        Role::WordItem(list.into())
    }

    /// Opens an element whose `role` declares its function in a list or table.
    pub(super) fn role_of_part(&mut self, element: &Element<'_>, part: Part) -> Role {
        match part {
            Part::Heading(level) => {
                self.context.heading = Some(level);
                Role::Heading
            }
            Part::List => self.open_list(element, false),
            Part::Item if self.context.lists.is_empty() => Role::None,
            Part::Item => {
                self.context.open_item(None);
                Role::Item
            }
            Part::Table => {
                self.open_table();
                self.context.has_roles = true;
                Role::Grid
            }
            Part::Row => {
                self.builder.open_row();
                Role::None
            }
            Part::Cell { is_header } => {
                let columns = span(element, "aria-colspan", 1, MAX_COLUMN_SPAN);
                let rows = span(element, "aria-rowspan", 0, MAX_ROW_SPAN);
                self.builder.open_cell(columns, rows, is_header);
                self.outer.push(std::mem::take(&mut self.context));
                Role::Cell
            }
        }
    }

    fn open_table(&mut self) {
        self.push_items(false);
        let (quotes, level) = (self.context.quotes, self.context.level());
        self.context.new_quotes = 0;
        self.builder.open_table(quotes, level);
    }

    /// The role of a footnote, or of a section of footnotes.
    fn role_of_note(&mut self, element: &Element<'_>) -> Option<Role> {
        if self.notes.open_lists > 0
            && let Some(role) = self.role_in_notes(element)
        {
            return Some(role);
        }
        if self.notes.open.is_some() || self.context.preformatted > 0 {
            return None;
        }
        let place = place(element).or_else(|| {
            let is_item = self.notes.open_lists > 0 && element.name == Name::LI;
            let id = is_item.then(|| element.attribute("id")).flatten();
            id.map(|id| NoteRole::Note(id.into_owned()))
        });
        match place? {
            NoteRole::Notes => {
                self.notes.open_lists += 1;
                let is_list = matches!(element.name, Name::OL | Name::UL);
                Some(if is_list {
                    self.open_list(element, true)
                } else {
                    Role::Notes
                })
            }
            NoteRole::Note(id) => {
                if element.name == Name::LI {
                    self.markers.count_item(element);
                }
                self.notes.open = Some((id, self.builder.block_count()));
                Some(Role::Note)
            }
        }
    }

    /// The role of a term or description in a list of notes. A term starts a note, which ends at
    /// the next term or with the list.
    fn role_in_notes(&mut self, element: &Element<'_>) -> Option<Role> {
        match element.name {
            Name::DT => {
                let id = element.attribute("id")?;
                self.close_note();
                self.notes.open = Some((id.into_owned(), self.builder.block_count()));
                Some(Role::None)
            }
            Name::DD => self.notes.open.is_some().then_some(Role::None),
            _ => None,
        }
    }

    /// Opens a block element.
    pub(super) fn role_of_block(&mut self, element: &Element<'_>, effect: Effect) -> Role {
        if let Some(role) = self.role_of_note(element) {
            return role;
        }
        match element.name {
            Name::BLOCKQUOTE => self.open_quote(),
            Name::UL | Name::OL | Name::MENU | Name::DIR => self.open_list(element, false),
            Name::LI => {
                let number = self.markers.count_item(element).number();
                self.context.open_item(number);
                // Confluence has tasks without controls.
                if self.context.lists.last().is_some_and(|list| list.has_tasks) {
                    let classes = element.attribute("class").unwrap_or_default();
                    let mut classes = classes.split_ascii_whitespace();
                    self.context
                        .open_task(classes.any(|class| class == "checked"));
                }
                Role::Item
            }
            Name::DT | Name::DD => {
                let definition = match element.name {
                    Name::DT => Definition::Term,
                    _ => Definition::Description,
                };
                Role::Definition(self.context.definition.replace(definition))
            }
            Name::FIGURE => {
                self.context.figures.push(None);
                self.language_around = language_around(element).or(self.language_around.take());
                Role::Figure(self.builder.block_count())
            }
            Name::FIGCAPTION => {
                self.context.is_figure_caption = true;
                Role::FigureCaption
            }
            Name::CAPTION => {
                self.context.is_table_caption = true;
                Role::TableCaption
            }
            Name::DIV => self.role_of_div(element),
            Name::P => self.role_of_paragraph(element),
            _ => self.role_of_effect(element, effect),
        }
    }

    fn role_of_paragraph(&mut self, element: &Element<'_>) -> Role {
        if let Some((list, level)) = word_list(element) {
            return self.open_word_item(&list, level);
        }
        match word_style(element) {
            Some(WordStyle::Item(level)) => {
                self.context.starts_with_label = true;
                self.open_word_item("", level)
            }
            Some(WordStyle::Heading(level)) => {
                self.context.heading = Some(level);
                Role::Heading
            }
            Some(WordStyle::Quote) => self.open_quote(),
            None => Role::None,
        }
    }

    fn open_quote(&mut self) -> Role {
        self.context.quotes = self.context.quotes.saturating_add(1);
        self.context.new_quotes = self.context.new_quotes.saturating_add(1);
        Role::Quote
    }

    fn role_of_div(&mut self, element: &Element<'_>) -> Role {
        match latex_part(element) {
            Some(LatexPart::Listing(language)) => {
                self.context.preformatted += 1;
                self.context.language = language;
                return Role::Preformatted;
            }
            Some(LatexPart::Source) => {
                let serial = self.open_text(None);
                return serial.map_or(Role::None, Role::Removed);
            }
            _ => {}
        }
        if let Some(lines) = lines_of_fragment(element) {
            return Role::MayBeCode(self.paragraphs, lines);
        }
        if is_copied_code(element) {
            self.context.preformatted += 1;
            return Role::Preformatted;
        }
        if let Some(role) = self.role_in_summary(element) {
            return role;
        }
        if self.is_first_line(element)
            && let Some(fragment) = self.open.last_mut()
        {
            fragment.role = Role::Preformatted;
            self.context.preformatted += 1;
            return Role::None;
        }
        // Notion uses plain elements instead of controls.
        if let Some(is_done) = self.checkbox(element) {
            self.context.open_task(is_done);
        }
        match language_around(element) {
            Some(language) => {
                self.language_around = Some(language);
                Role::LanguageAround
            }
            None => Role::None,
        }
    }

    /// Whether an element is a line of code in the open element, and the first content of it.
    fn is_first_line(&self, element: &Element<'_>) -> bool {
        let around = self.open.last().map(|open| &open.role);
        match around {
            Some(Role::MayBeCode(paragraphs, lines)) => {
                *paragraphs == self.paragraphs && line_class(element) == Some(*lines)
            }
            _ => false,
        }
    }

    /// The role of a table or cell in the summaries of Javadoc, which are grids of elements.
    fn role_in_summary(&mut self, element: &Element<'_>) -> Option<Role> {
        match (self.context.is_row_open, summary_part(element)?) {
            (None, SummaryPart::Table) => {
                self.open_table();
                self.context.is_row_open = Some(false);
                Some(Role::Grid)
            }
            (Some(is_row_open), SummaryPart::Cell { is_header, is_last }) => {
                if !is_row_open {
                    self.builder.open_row();
                }
                self.context.is_row_open = Some(!is_last);
                self.builder.open_cell(1, 1, is_header);
                self.outer.push(std::mem::take(&mut self.context));
                Some(Role::Cell)
            }
            _ => None,
        }
    }

    /// Whether an element has preformatted text, although its name does not say so.
    pub(super) fn has_code(&self, element: &Element<'_>) -> bool {
        if element.name != Name::DIV {
            return false;
        }
        let is_in_code = |open: &Open| open.name == Name::DIV && open.role == Role::Preformatted;
        matches!(latex_part(element), Some(LatexPart::Listing(_)))
            || self.is_first_line(element)
            || is_copied_code(element)
            || (self.open.last().is_some_and(is_in_code) && line_class(element).is_some())
    }

    /// Whether the task of an element that looks like a checkbox is done.
    fn checkbox(&self, element: &Element<'_>) -> Option<bool> {
        let item = self.context.items.last();
        item.filter(|item| item.waiting.is_some())?;
        let class = element.attribute("class")?;
        let has = |name| class.split_ascii_whitespace().any(|class| class == name);
        let is_done = has("checkbox-on");
        (is_done || has("checkbox-off")).then_some(is_done)
    }

    pub(super) fn role_of_effect(&mut self, element: &Element<'_>, effect: Effect) -> Role {
        match effect {
            Effect::Heading => {
                self.context.heading = heading_level(element.name);
                Role::Heading
            }
            Effect::Preformatted => {
                self.context.preformatted += 1;
                self.context.language = language(element);
                self.context.has_only_numbers = is_line_number(element);
                Role::Preformatted
            }
            Effect::Table => {
                // A table of line numbers and lines, inside code.
                if let Some(language) = self.context.language.take() {
                    self.language_around = Some(language);
                }
                self.open_table();
                Role::Table(purpose(element))
            }
            Effect::RowGroup => {
                self.builder.open_group();
                match element.name {
                    Name::THEAD => Role::Header,
                    Name::TFOOT => Role::Foot,
                    _ => Role::None,
                }
            }
            Effect::Row => {
                self.builder.open_row();
                Role::None
            }
            Effect::Cell => {
                let columns = span(element, "colspan", 1, MAX_COLUMN_SPAN);
                let rows = span(element, "rowspan", 0, MAX_ROW_SPAN);
                let is_number = is_line_number(element);
                let is_header = is_number || element.name == Name::TH;
                self.builder.open_cell(columns, rows, is_header);
                if is_number {
                    let (of_code, around) = (&mut self.context.language, &mut self.language_around);
                    self.builder
                        .declare_code(|| of_code.take().or_else(|| around.take()));
                }
                self.outer.push(std::mem::take(&mut self.context));
                self.context.has_only_numbers = is_gutter(element);
                Role::Cell
            }
            _ => Role::None,
        }
    }

    pub(super) fn close_role(&mut self, role: Role, name: Name) {
        let context = &mut self.context;
        match role {
            Role::None | Role::MayBeCode(..) => {}
            Role::Removed(serial) => self.remove_text(serial),
            Role::InlineNote(serial, place) => self.close_inline_note(serial, place),
            Role::Mark(serial) => self.close_mark(serial),
            Role::Fragment(serial, fragment) => self.close_fragment(serial, &fragment),
            Role::LineNumber(serial) => self.close_line_number(serial),
            Role::Note => self.close_note(),
            Role::Notes => {
                self.close_note();
                self.notes.open_lists -= 1;
            }
            Role::Quote => {
                context.quotes = context.quotes.saturating_sub(1);
                context.new_quotes = context.new_quotes.min(context.quotes);
            }
            Role::List { has_notes } => {
                self.markers.close_list(name);
                let list = context.lists.pop();
                self.notes.open_lists -= usize::from(has_notes);
                let place = self.place_of_list();
                self.last_list = list.map(|list| LastList {
                    name: list.class,
                    place,
                });
            }
            Role::Item => drop(context.items.pop()),
            Role::WordItem(name) => {
                context.items.pop();
                context.starts_with_label = false;
                let place = self.place_of_list();
                self.last_list = Some(LastList { name, place });
            }
            Role::Label(serial) => self.close_label(serial),
            Role::Heading => context.heading = None,
            Role::Preformatted => {
                context.preformatted = context.preformatted.saturating_sub(1);
                context.has_only_numbers = false;
                context.language = None;
            }
            Role::Definition(outer) => context.definition = outer,
            Role::Figure(start) => {
                self.language_around = None;
                self.builder.caption_table(start);
                if let Some(picture) = context.figures.pop().flatten() {
                    self.push_items(false);
                    self.push_block(Kind::Figure(Some(picture)));
                }
            }
            Role::FigureCaption => context.is_figure_caption = false,
            Role::TableCaption => context.is_table_caption = false,
            Role::Table(purpose) => self.builder.close_table(purpose),
            Role::Grid => {
                context.has_roles = false;
                context.is_row_open = None;
                self.builder.close_table(Purpose::Data);
            }
            Role::Header => self.builder.end_header(),
            Role::Foot => self.builder.end_foot(),
            Role::Cell => self.context = self.outer.pop().unwrap_or_default(),
            Role::LanguageAround => self.language_around = None,
        }
    }
}

const fn heading_level(name: Name) -> Option<u8> {
    Some(match name {
        Name::H1 => 1,
        Name::H2 => 2,
        Name::H3 => 3,
        Name::H4 => 4,
        Name::H5 => 5,
        Name::H6 => 6,
        _ => return None,
    })
}

/// The purpose of a table by its attribute `role`.
fn purpose(element: &Element<'_>) -> Purpose {
    match element.attribute("role").as_deref().map(str::trim) {
        Some("presentation" | "none") => Purpose::Layout,
        Some("table" | "grid" | "treegrid") => Purpose::Data,
        _ => Purpose::Unknown,
    }
}

/// The value of `colspan` or `rowspan`. A `rowspan` of 0 means all further rows.
fn span(element: &Element<'_>, name: &str, min: i64, max: i64) -> u16 {
    let value = element.attribute(name).and_then(|value| integer(&value));
    match value.unwrap_or(1).clamp(min, max) {
        0 => u16::MAX,
        value => u16::try_from(value).unwrap_or(u16::MAX),
    }
}
