//! The ends of links, notes, labels and numbers of lines, whose text may not be part of the block.

use super::labels::{MAX_LABEL_BYTES, number_of_label};
use super::leaf::LeafKind;
use super::notes::{FragmentLink, is_mark, is_sign, may_be_note, may_be_note_element};
use super::observer::BlockObserver;
use corpus_blocks::{Block, Kind, Mark, MarkKind};

impl BlockObserver {
    /// Ends a fragment link: the permalink sign of a heading, term or caption, a back link of a
    /// note, or a reference to a note.
    pub(super) fn close_fragment(&mut self, serial: usize, link: &FragmentLink) {
        let (start, kind) = self.take_mark(serial);
        let place = self.place_of_note();
        let (Some(start), Some(leaf)) = (start, &mut self.leaf) else {
            return;
        };
        let end = leaf.text.text.len();
        let start = start.min(end);
        let text = leaf.text.text.get(start..).unwrap_or_default();
        let before = leaf.text.text.get(..start).unwrap_or_default();
        let has_permalink = matches!(
            leaf.kind,
            LeafKind::TableCaption
                | LeafKind::Block(Kind::Heading(_) | Kind::Term | Kind::Figure(_))
        );
        let first = self.notes.open.as_ref().map(|(_, first)| *first);
        let starts_note = first.is_some_and(|first| first == self.builder.block_count());
        let candidate = self.notes.candidate.as_ref().map(|open| open.place);
        let is_start = is_sign(before) && is_mark(text);
        let starts_candidate = is_start && candidate == Some(place);
        let is_heading = matches!(leaf.kind, LeafKind::Block(Kind::Heading(_)));
        let leads_back = !is_heading
            && self
                .notes
                .leads_back(&link.target, starts_candidate || is_sign(text));
        // Signs of links to the paragraph, which browsers show only below a pointer. In a
        // superscript, they are the marks of notes.
        let mut kinds = self.marks.iter().filter_map(|mark| mark.kind.as_ref());
        let is_permalink = matches!(text.trim(), "¶" | "§" | "#")
            && link.id.is_none()
            && !kinds.any(|kind| *kind == MarkKind::Superscript);
        let is_removed = leads_back
            || is_permalink
            || if is_sign(text) {
                has_permalink || first.is_some()
            } else {
                starts_note && is_start
            };
        if is_removed {
            if starts_note || (leads_back && starts_candidate) {
                self.notes.read_link_back(text);
            }
            return self.remove_from(start);
        }
        let may_refer = self.notes.may_refer(text);
        if may_refer {
            self.notes.refer(link, text);
        }
        let note = may_refer.then(|| MarkKind::Note(link.target.clone()));
        for kind in kind.into_iter().chain(note) {
            leaf.text.mark(start..end, kind);
        }
    }

    /// Ends a note inside the text: `word1 (the note)`. Makes a footnote of it, and its reference
    /// of the mark before it. Notes of several blocks stay in the text.
    #[cold]
    pub(super) fn close_inline_note(&mut self, serial: usize, place: (usize, usize)) {
        let (start, _) = self.take_mark(serial);
        let is_one_block = place == self.place_of_note();
        let Some((start, leaf)) = start.zip(self.leaf.as_mut()).filter(|_| is_one_block) else {
            return;
        };
        let Some((before, note)) = leaf.text.text.split_at_checked(start) else {
            return;
        };
        let before = before.strip_suffix('(').map(|text| text.trim_end().len());
        let Some(end) = before.filter(|_| note.ends_with(')')) else {
            return;
        };
        // The marks of the note follow that of its reference.
        let mut marks = leaf.text.marks.iter_mut().rev();
        let reference = marks.find(|mark| mark.range.end <= start);
        let is_reference =
            |mark: &&mut Mark| mark.kind == MarkKind::Superscript && mark.range.end == end;
        let Some(reference) = reference.filter(is_reference) else {
            return;
        };
        let shown = leaf.text.text.get(reference.range.clone());
        let id = self.notes.refer_inside(shown.unwrap_or_default());
        reference.kind = MarkKind::Note(id.clone());
        let mut note = leaf.text.split_off(start);
        note.text.pop();
        let body = Block {
            paragraphs: leaf.paragraphs.clone(),
            ..Block::new(Kind::Paragraph, note)
        };
        self.remove_from(end);
        let note = self.notes.finish(&id, vec![body]);
        self.inline_notes.extend(note);
    }

    /// Removes the text since a mark was opened.
    pub(super) fn remove_text(&mut self, serial: usize) {
        if let (Some(start), _) = self.take_mark(serial) {
            self.remove_from(start);
        }
    }

    /// The number of blocks and of open cells.
    pub(super) fn place_of_note(&mut self) -> (usize, usize) {
        (self.builder.block_count(), self.outer.len())
    }

    /// Opens the block around a link that is the target of a reference and starts the block as a
    /// candidate for a note.
    pub(super) fn open_candidate_around(&mut self, id: &str) {
        if self.leaf.is_some() || !self.notes.has_targets() {
            return;
        }
        let place = self.place_of_note();
        let mut open = self.open.iter_mut().rev();
        if let Some(open) = open.find(|open| open.is_block)
            && may_be_note_element(open.name)
            && let Some(serial) = self.notes.open_candidate(id, place)
        {
            open.note = Some(serial);
        }
    }

    /// Creates a note from the blocks of an element that links back to its reference.
    #[cold]
    pub(super) fn close_candidate(&mut self, serial: usize) {
        let Some(candidate) = self.notes.take_candidate(serial) else {
            return;
        };
        let (start, cells) = candidate.place;
        if cells != self.outer.len() {
            return;
        }
        let body = self.builder.take_from(start);
        if !may_be_note(&body) {
            return body.into_iter().for_each(|block| self.builder.push(block));
        }
        if let Some(note) = self.notes.finish(&candidate.id, body) {
            self.builder.push(note);
        }
    }

    /// Ends the number of a line of code.
    pub(super) fn close_line_number(&mut self, serial: usize) {
        if let (Some(start), _) = self.take_mark(serial)
            && let Some(leaf) = &mut self.leaf
        {
            let number = leaf.text.text.get(start..).unwrap_or_default().trim();
            if number.bytes().all(|byte| byte.is_ascii_digit()) {
                leaf.had_numbers = true;
                self.remove_from(start);
            }
        }
    }

    /// Removes the end of the open block.
    pub(super) fn remove_from(&mut self, start: usize) {
        if let Some(leaf) = &mut self.leaf {
            leaf.text.text.truncate(start);
            let is_inside = |mark: &mut Mark| mark.range.start >= start && mark.range.end > start;
            while leaf.text.marks.pop_if(is_inside).is_some() {}
            let starts = self.marks.iter_mut().filter_map(|mark| mark.start.as_mut());
            starts.for_each(|at| *at = start.min(*at));
        }
    }

    /// Removes the bullet or number from the text and stores it as the marker of the item.
    pub(super) fn close_label(&mut self, serial: usize) {
        if let (Some(start), _) = self.take_mark(serial)
            && let Some(leaf) = &mut self.leaf
            && let LeafKind::Block(Kind::Item(item)) = &mut leaf.kind
        {
            let label = leaf.text.text.get(start..).unwrap_or_default().trim();
            let number = number_of_label(label);
            // Other labels are names, as in a bibliography.
            if number.is_some() || label.len() <= MAX_LABEL_BYTES {
                item.number = number;
                self.remove_from(start);
            } else {
                leaf.text.text.push(' ');
            }
        }
    }
}
