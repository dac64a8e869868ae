//! Rules for tables, including misplaced content between their parts.

use crate::Events;
use corpus_markup::{Name, Tag};

use super::classes::Classes;
use super::stack::OpenElement;
use super::{Engine, Mode, Next};

fn bounds_table(element: &OpenElement<'_>) -> bool {
    element.classes.any(Classes::TABLE_SCOPE)
}

fn bounds_row_group(element: &OpenElement<'_>) -> bool {
    element.classes.any(Classes::ROW_GROUP) || element.is(Name::TEMPLATE) || element.is(Name::HTML)
}

fn bounds_row(element: &OpenElement<'_>) -> bool {
    element.is(Name::TR) || element.is(Name::TEMPLATE) || element.is(Name::HTML)
}

impl<'a, E: Events> Engine<'a, '_, E> {
    pub(super) fn start_in_table(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::CAPTION => {
                self.pop_until(bounds_table);
                self.formatting.push_marker();
                self.insert(tag);
                self.mode = Mode::InCaption;
            }
            Name::COLGROUP => {
                self.pop_until(bounds_table);
                self.insert(tag);
                self.mode = Mode::InColumnGroup;
            }
            Name::COL => {
                self.pop_until(bounds_table);
                self.insert_implied(Name::COLGROUP);
                self.mode = Mode::InColumnGroup;
                return Next::Again;
            }
            Name::TBODY | Name::TFOOT | Name::THEAD => {
                self.pop_until(bounds_table);
                self.insert(tag);
                self.mode = Mode::InTableBody;
            }
            Name::TD | Name::TH | Name::TR => {
                self.pop_until(bounds_table);
                self.insert_implied(Name::TBODY);
                self.mode = Mode::InTableBody;
                return Next::Again;
            }
            Name::TABLE => {
                if self.stack.has_in_table_scope(Name::TABLE) {
                    self.pop_through(Name::TABLE);
                    self.reset_mode();
                    return Next::Again;
                }
            }
            Name::STYLE | Name::SCRIPT | Name::TEMPLATE => return self.start_in_head(tag),
            Name::INPUT if is_hidden_input(tag) => self.insert_void(tag),
            Name::FORM => {
                if !self.in_template() && self.form.is_none() {
                    self.insert_void(tag);
                    self.last_serial += 1;
                    self.form = Some(self.last_serial);
                }
            }
            _ => return self.foster(|engine| engine.start_in_body(tag)),
        }
        Next::Done
    }

    pub(super) fn end_in_table(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::TABLE => {
                if self.stack.has_in_table_scope(Name::TABLE) {
                    self.pop_through(Name::TABLE);
                    self.reset_mode();
                }
            }
            Name::BODY
            | Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::HTML
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => {}
            Name::TEMPLATE => self.end_template(),
            _ => return self.foster(|engine| engine.end_in_body(tag)),
        }
        Next::Done
    }

    /// Applies the rules of the body, but moves content before the table instead of into it.
    fn foster(&mut self, step: impl FnOnce(&mut Self) -> Next) -> Next {
        self.fostering = true;
        let next = step(self);
        self.fostering = false;
        next
    }

    pub(super) fn start_in_table_body(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::TR => {
                self.pop_until(bounds_row_group);
                self.insert(tag);
                self.mode = Mode::InRow;
                Next::Done
            }
            Name::TH | Name::TD => {
                self.pop_until(bounds_row_group);
                self.insert_implied(Name::TR);
                self.mode = Mode::InRow;
                Next::Again
            }
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::TBODY
            | Name::TFOOT
            | Name::THEAD => self.leave_table_body(),
            _ => self.start_in_table(tag),
        }
    }

    pub(super) fn end_in_table_body(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::TBODY | Name::TFOOT | Name::THEAD => {
                if self.stack.has_in_table_scope(tag.name) {
                    self.pop_until(bounds_row_group);
                    self.pop();
                    self.mode = Mode::InTable;
                }
                Next::Done
            }
            Name::TABLE => self.leave_table_body(),
            Name::BODY
            | Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::HTML
            | Name::TD
            | Name::TH
            | Name::TR => Next::Done,
            _ => self.end_in_table(tag),
        }
    }

    fn leave_table_body(&mut self) -> Next {
        let open = self.stack.has_any_in(Classes::TABLE_SCOPE, |element| {
            element.is(Name::TABLE) || element.is(Name::TBODY) || element.is(Name::TFOOT)
        });
        if !open {
            return Next::Done;
        }
        self.pop_until(bounds_row_group);
        self.pop();
        self.mode = Mode::InTable;
        Next::Again
    }

    pub(super) fn start_in_row(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::TH | Name::TD => {
                self.pop_until(bounds_row);
                self.insert(tag);
                self.mode = Mode::InCell;
                self.formatting.push_marker();
                Next::Done
            }
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::TBODY
            | Name::TFOOT
            | Name::THEAD
            | Name::TR => Next::again_if(self.leave_row()),
            _ => self.start_in_table(tag),
        }
    }

    pub(super) fn end_in_row(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::TR => {
                self.leave_row();
                Next::Done
            }
            Name::TABLE => Next::again_if(self.leave_row()),
            Name::TBODY | Name::TFOOT | Name::THEAD => {
                Next::again_if(self.stack.has_in_table_scope(tag.name) && self.leave_row())
            }
            Name::BODY
            | Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::HTML
            | Name::TD
            | Name::TH => Next::Done,
            _ => self.end_in_table(tag),
        }
    }

    fn leave_row(&mut self) -> bool {
        let open = self.stack.has_in_table_scope(Name::TR);
        if open {
            self.pop_until(bounds_row);
            self.pop();
            self.mode = Mode::InTableBody;
        }
        open
    }

    pub(super) fn start_in_cell(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => {
                let open = self.stack.has_any_in(Classes::TABLE_SCOPE, |element| {
                    element.classes.any(Classes::CELL)
                });
                if open { self.close_cell() } else { Next::Done }
            }
            _ => self.start_in_body(tag),
        }
    }

    pub(super) fn end_in_cell(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::TD | Name::TH => {
                if self.stack.has_in_table_scope(tag.name) {
                    self.imply_ends();
                    self.pop_through(tag.name);
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                Next::Done
            }
            Name::BODY | Name::CAPTION | Name::COL | Name::COLGROUP | Name::HTML => Next::Done,
            Name::TABLE | Name::TBODY | Name::TFOOT | Name::THEAD | Name::TR => {
                if self.stack.has_in_table_scope(tag.name) {
                    self.close_cell()
                } else {
                    Next::Done
                }
            }
            _ => self.end_in_body(tag),
        }
    }

    fn close_cell(&mut self) -> Next {
        self.imply_ends();
        self.pop_through_class(Classes::CELL);
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
        Next::Again
    }

    pub(super) fn start_in_caption(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => Next::again_if(self.leave_caption()),
            _ => self.start_in_body(tag),
        }
    }

    pub(super) fn end_in_caption(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::CAPTION => {
                self.leave_caption();
                Next::Done
            }
            Name::TABLE => Next::again_if(self.leave_caption()),
            Name::BODY
            | Name::COL
            | Name::COLGROUP
            | Name::HTML
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => Next::Done,
            _ => self.end_in_body(tag),
        }
    }

    fn leave_caption(&mut self) -> bool {
        let open = self.stack.has_in_table_scope(Name::CAPTION);
        if open {
            self.imply_ends();
            self.pop_through(Name::CAPTION);
            self.formatting.clear_to_marker();
            self.mode = Mode::InTable;
        }
        open
    }

    pub(super) fn start_in_column_group(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HTML => self.start_in_body(tag),
            Name::COL => {
                self.insert_void(tag);
                Next::Done
            }
            Name::TEMPLATE => self.start_in_head(tag),
            _ => Next::again_if(self.leave_column_group()),
        }
    }

    pub(super) fn end_in_column_group(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::COLGROUP => {
                self.leave_column_group();
                Next::Done
            }
            Name::COL => Next::Done,
            Name::TEMPLATE => self.end_in_head(tag),
            _ => Next::again_if(self.leave_column_group()),
        }
    }

    pub(super) fn leave_column_group(&mut self) -> bool {
        let open = self.stack.top_is(Name::COLGROUP);
        if open {
            self.pop();
            self.mode = Mode::InTable;
        }
        open
    }
}

pub(super) fn is_hidden_input(tag: &Tag<'_>) -> bool {
    tag.attributes()
        .value("type")
        .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
}
