//! Looks for regions that may be tables, in one direction of text.

use super::draft::{Cell, OutlineSource, TableDraft};
use super::frame::Frame;
use super::index::Index;
use super::rules::{Rule, Rules};
use super::structure::{Region, build};
use super::words::{self, Atom, TextLine, Word};
use super::{
    FoundTables, captions, finish, grid, half_ruled, headers, judge, parallel, prose, spaced,
    stripes,
};
use crate::content::Drawn;
use crate::drawing::Drawing;
use crate::layout::Layout;
use crate::model::{Page, Rect};

/// Minimum number of striped rows, and the minimum width and maximum height of a stripe as shares
/// of the region.
const MIN_STRIPES: usize = 2;
const MIN_STRIPE_WIDTH_SHARE: f32 = 0.8;
const MAX_STRIPE_HEIGHT_SHARE: f32 = 0.3;
/// The gap between the backgrounds of cells in a row, in points.
const MAX_GAP_IN_STRIPE_POINTS: f32 = 3.0;
/// Maximum distance of the header background from the top of the region, and minimum distance of
/// its end from the next rule, in points.
const MAX_BACKGROUND_GAP_POINTS: f32 = 5.0;
/// Minimum width of a column without text.
const MIN_BLANK_COLUMN_POINTS: f32 = 20.0;
/// Minimum number of slanted lines of a diagram.
const MIN_SLANTED_LINES: usize = 3;
/// Minimum width, as a share of the region, of a line of running text across all columns.
const MIN_TEXT_WIDTH: f32 = 0.6;
/// The minimum number of words of a line of running text across all columns.
const MIN_WORDS_ACROSS: usize = 6;
/// The minimum number of words of a sentence between tables.
const MIN_SENTENCE_WORDS: usize = 3;
/// The number of words in a region from which it is an error that it is not a table.
const MAX_WORDS_NOT_IN_TABLE: usize = 20_000;
/// The maximum distance between a header and the row below it, in ems.
const MAX_STEP_BELOW_HEADER_EMS: f32 = 2.5;
/// The maximum number of words that are added to a table, and of cells that they are compared with.
const MAX_ADOPTED_WORDS: usize = 200;
const MAX_CELLS_COMPARED: usize = 1_000_000;
/// Maximum shift of a word that is drawn twice, in ems.
const MAX_SHIFT_OF_COPY_EMS: f32 = 0.3;
/// The minimum number of rules that let cells of the row above the first rule have several lines.
const MIN_RULES_OF_ROWS: usize = 2;
/// The maximum height of a header above a region, in points.
const MAX_HEADER_POINTS: f32 = 100.0;

/// The minimum number of numbers of lines on a page.
const MIN_LINE_NUMBERS: usize = 8;

/// The minimum number of lines of a header in another direction, and their maximum distance from
/// the region, in ems.
const MIN_TURNED_LINES: usize = 2;
const MAX_TURNED_GAP_EMS: f32 = 1.5;

/// The sureness of texts side by side.
const SURENESS_OF_TEXTS: f32 = 0.6;

/// The maximum number of regions of a page that are examined.
const MAX_REGIONS: usize = 1_000;
/// Maximum number of rules that partly divide a region.
const MAX_PARTIAL_RULES: usize = 2_000;
/// Maximum number of areas searched for stripes.
const MAX_STRIPED_AREAS: usize = 5_000;
const TOO_MANY_CELLS: &str = "the page has too many cells to find all tables";

/// The search in one direction.
pub(super) struct Search<'a, 'f> {
    frame: Frame,
    drawing: &'a Drawing,
    rules: Rules,
    /// The areas that may be the backgrounds of rows, from the top.
    striped: Vec<Rect>,
    words: Vec<Word<'a>>,
    index: Index,
    /// Whether each word is part of a table, or of another direction.
    is_taken: Vec<bool>,
    /// The boxes of tables.
    taken: Vec<Rect>,
    /// The boxes of forms, in which rules or spaces must not find tables.
    forms: Vec<Rect>,
    /// The indexes of the tables among all that were found.
    own: Vec<usize>,
    /// The number of regions examined.
    regions: usize,
    found: &'f mut FoundTables,
    page: &'f Page,
}

impl<'a, 'f> Search<'a, 'f> {
    pub(super) fn new(
        layout: &'a Layout,
        drawn: &'a Drawn,
        page: &'f Page,
        frame: Frame,
        found: &'f mut FoundTables,
    ) -> Self {
        let words = words::in_frame(layout, &drawn.glyphs.styles, frame);
        let is_taken = |word: &Word<'_>| word.is_rule() || !word.is_level;
        Self {
            frame,
            drawing: &drawn.drawing,
            rules: Rules::of_lines(&drawn.drawing, frame),
            striped: joined_areas(&drawn.drawing, frame),
            is_taken: words.iter().map(is_taken).collect(),
            index: Index::new(&words),
            words,
            taken: Vec::new(),
            forms: Vec::new(),
            own: Vec::new(),
            regions: 0,
            found,
            page,
        }
    }

    pub(super) fn run(mut self) {
        self.find_ruled();
        self.find_half_ruled();
        self.take_line_numbers();
        self.find_parallel();
        self.find_spaced();
        self.captions();
        if self.regions > MAX_REGIONS || self.index.is_exhausted() {
            self.found.cut = Some("the page has too many candidates for tables");
        }
    }

    /// Finds tables in grids of rules, then in grids of rules and edges of areas, and finally in
    /// frames.
    fn find_ruled(&mut self) {
        let (grids, is_cut) = grid::find(&self.rules);
        let (frames, grids) = grids.into_iter().partition(|grid| grid.spans.len() < 2);
        self.grids((grids, is_cut), OutlineSource::Lines);
        let page_area = self.page.width * self.page.height;
        let is_taken = |bbox: Rect| self.taken.iter().any(|taken| overlaps(*taken, bbox));
        let rules = self
            .rules
            .with_edges(self.drawing, self.frame, page_area, is_taken);
        self.grids(grid::find(&rules), OutlineSource::Areas);
        self.grids((frames, false), OutlineSource::Lines);
    }

    fn grids(&mut self, (mut grids, is_cut): (Vec<grid::Grid>, bool), source: OutlineSource) {
        if is_cut {
            self.found.cut = Some(TOO_MANY_CELLS);
        }
        // Small grids may be within cells of large ones.
        grids.sort_by_key(|grid| std::cmp::Reverse(grid.spans.len()));
        // A single area is a background.
        grids.retain(|grid| source == OutlineSource::Lines || grid.spans.len() > 1);
        if source == OutlineSource::Areas {
            let lines_in = |bbox| words::lines(words::atoms(&self.words, &self.words_in(bbox)));
            grids = stripes::join(grids, &self.words, lines_in);
            let rows: Vec<grid::Grid> = (grids.iter().filter(|grid| grid.rows() == 1))
                .take(MAX_REGIONS)
                .cloned()
                .collect();
            grids.retain(|grid| !is_stripe(grid, &rows));
        }
        for grid in grids {
            let chosen = self.words_in(grid.bbox());
            self.try_region(
                &Region {
                    grid,
                    chosen,
                    partial: &[],
                    is_striped: false,
                },
                source,
            );
        }
    }

    /// Finds tables between horizontal rules.
    fn find_half_ruled(&mut self) {
        let is_free = |rule: &&Rule| {
            let bbox = Rect {
                x1: rule.from,
                y1: rule.at,
                x2: rule.to,
                y2: rule.at,
            };
            !self.taken.iter().any(|taken| overlaps(*taken, bbox))
        };
        let free: Vec<Rule> = self
            .rules
            .horizontal
            .iter()
            .filter(is_free)
            .copied()
            .collect();
        for mut stack in half_ruled::stacks(&free) {
            stack.add_header(&self.striped);
            for ys in half_ruled::regions(&stack, |top, bottom| self.strip(&stack, top, bottom)) {
                let (Some(top), Some(bottom)) = (ys.first(), ys.last()) else {
                    continue;
                };
                let bbox = Rect {
                    x1: stack.from - 3.0,
                    y1: *top,
                    x2: stack.to + 3.0,
                    y2: *bottom,
                };
                if ys.len() == 2 && self.is_between_headers(bbox) {
                    continue;
                }
                let partial: Vec<Rule> = free
                    .iter()
                    .filter(|rule| rule.at > *top - MAX_HEADER_POINTS && rule.at < *bottom)
                    .filter(|rule| rule.from > bbox.x1 - 3.0 && rule.to < bbox.x2 + 3.0)
                    .filter(|rule| rule.to - rule.from < 0.95 * (stack.to - stack.from))
                    .copied()
                    .collect();
                let partial = limit(partial);
                let mut chosen = self.words_in(bbox);
                let mut with_header = bbox;
                let has_ruled_rows = ys.len() > MIN_RULES_OF_ROWS;
                self.add_header(&[], has_ruled_rows, &mut chosen, &mut with_header);
                let mut ys = ys;
                if let Some(top) = self.add_turned_header(with_header, &mut chosen) {
                    with_header.y1 = top;
                }
                if with_header.y1 < bbox.y1 {
                    ys.insert(0, with_header.y1);
                }
                if let Some(end) = self.end_of_background(&ys, bbox) {
                    ys.insert(1, end);
                }
                let grid = grid::Grid::open(vec![bbox.x1, bbox.x2], ys);
                self.try_region(
                    &Region {
                        grid,
                        chosen,
                        partial: &partial,
                        is_striped: false,
                    },
                    OutlineSource::Lines,
                );
            }
        }
    }

    /// The end of the header background, if it is above the second of these rules.
    fn end_of_background(&self, ys: &[f32], region: Rect) -> Option<f32> {
        let [top, bottom, ..] = *ys else { return None };
        let is_header = |area: &&Rect| {
            let overlap = area.x2.min(region.x2) - area.x1.max(region.x1);
            overlap > MIN_STRIPE_WIDTH_SHARE * (region.x2 - region.x1)
                && area.y1 < top + MAX_BACKGROUND_GAP_POINTS
                && (top + MAX_BACKGROUND_GAP_POINTS..bottom - MAX_BACKGROUND_GAP_POINTS)
                    .contains(&area.y2)
        };
        self.striped.iter().find(is_header).map(|area| area.y2)
    }

    /// Whether the lines between two rules may be part of a table.
    fn strip(&self, stack: &half_ruled::Stack, top: f32, bottom: f32) -> half_ruled::Strip {
        let chosen = self.words_in(Rect {
            x1: stack.from - 3.0,
            y1: top,
            x2: stack.to + 3.0,
            y2: bottom,
        });
        let mut atoms = words::atoms(&self.words, &chosen);
        atoms.sort_by(|a, b| a.y.total_cmp(&b.y));
        let is_prose = prose::find(&atoms, &self.words);
        let prose = half_ruled::lines_of_prose(&atoms, &is_prose);
        let width = stack.to - stack.from;
        // Text across all columns separates tables.
        let is_wide = |atom: &Atom| atom.x2 - atom.x1 > MIN_TEXT_WIDTH * width;
        let mut wide = is_prose
            .iter()
            .zip(&atoms)
            .filter(|(is_prose, atom)| **is_prose && is_wide(atom));
        if wide.nth(1).is_some() {
            return half_ruled::Strip::new(half_ruled::Content::Other, &[]);
        }
        let lines = words::lines(atoms);
        if self.separates_headers(&lines, width) {
            return half_ruled::Strip::new(half_ruled::Content::Other, &[]);
        }
        let is_row_of_values =
            |line: &TextLine| spaced::Row::of(line, &self.words) == spaced::Row::Body;
        let content = match half_ruled::Content::of(&lines, prose, width, bottom - top) {
            half_ruled::Content::Single if self.is_sentence(&lines) => half_ruled::Content::Other,
            half_ruled::Content::Cells if !lines.iter().any(is_row_of_values) => {
                half_ruled::Content::Header
            }
            content => content,
        };
        half_ruled::Strip::new(content, &lines)
    }

    /// Whether a line of running text is above a header: the rules above and below underline the
    /// headers of two tables.
    fn separates_headers(&self, lines: &[TextLine], width: f32) -> bool {
        let Some((header, above)) = lines.split_last() else {
            return false;
        };
        let is_text = |line: &TextLine| match line.atoms.as_slice() {
            [atom] => {
                atom.x2 - atom.x1 > MIN_TEXT_WIDTH * width && atom.words.len() >= MIN_WORDS_ACROSS
            }
            _ => false,
        };
        header.atoms.len() > 1
            && spaced::Row::of(header, &self.words) == spaced::Row::Header
            && above.iter().any(is_text)
    }

    /// Whether lines are a sentence, which separates tables.
    fn is_sentence(&self, lines: &[TextLine]) -> bool {
        let atoms = || lines.iter().flat_map(|line| &line.atoms);
        let places = || atoms().flat_map(|atom| &atom.words);
        let last = places()
            .last()
            .and_then(|place| self.words.get(*place as usize));
        places().count() >= MIN_SENTENCE_WORDS
            && last.is_some_and(|last| last.text.ends_with(['.', '!', '?', ':', '。']))
    }

    /// Whether two rules underline the headers of two consecutive tables: rows of values are above
    /// the text that the second rule underlines, and directly below that rule.
    fn is_between_headers(&self, bbox: Rect) -> bool {
        let lines = |bbox: Rect| {
            let chosen = self.words_in(bbox);
            words::lines(words::atoms(&self.words, &chosen))
        };
        let row = |line: &TextLine| spaced::Row::of(line, &self.words);
        let inside = lines(bbox);
        let Some((header, above)) = inside.split_last() else {
            return false;
        };
        let below = lines(Rect {
            y1: bbox.y2,
            y2: header.y + MAX_STEP_BELOW_HEADER_EMS * header.size,
            ..bbox
        });
        row(header) == spaced::Row::Header
            && above.iter().any(|line| row(line) == spaced::Row::Body)
            && below.first().map(row) == Some(spaced::Row::Body)
    }

    /// Returns the words outside of tables, from top to bottom.
    fn free_atoms(&self) -> Vec<Atom> {
        let free: Vec<u32> = (0..)
            .zip(&self.is_taken)
            .filter(|(_, is_taken)| !**is_taken)
            .map(|(place, _)| place)
            .collect();
        let mut atoms = words::atoms(&self.words, &free);
        atoms.sort_by(|a, b| a.y.total_cmp(&b.y));
        atoms
    }

    /// Takes the numbers of lines of running text, as in pleadings, so that they are in no table.
    fn take_line_numbers(&mut self) {
        let atoms = self.free_atoms();
        let number = |atom: &Atom| match atom.words.as_slice() {
            [place] => self.words.get(*place as usize)?.text.parse::<u32>().ok(),
            _ => None,
        };
        let mut numbered: Vec<(usize, u32)> = (atoms.iter().enumerate())
            .filter_map(|(index, atom)| Some((index, number(atom)?)))
            .collect();
        if numbered.len() < MIN_LINE_NUMBERS {
            return;
        }
        let edge = |index: usize| atoms.get(index).map_or(0.0, |atom| atom.x2);
        numbered.sort_by(|a, b| edge(a.0).total_cmp(&edge(b.0)).then(a.0.cmp(&b.0)));
        let is_prose = prose::find(&atoms, &self.words);
        let prose = atoms.iter().zip(&is_prose);
        let prose: Vec<&Atom> = prose
            .filter_map(|(atom, is_prose)| is_prose.then_some(atom))
            .collect();
        let left = prose
            .iter()
            .map(|atom| atom.x1)
            .fold(f32::INFINITY, f32::min);
        // From the top.
        let ys: Vec<f32> = prose.iter().map(|atom| atom.y).collect();
        let is_beside_prose = |index: usize| {
            atoms.get(index).is_some_and(|atom| {
                let reach = words::MAX_LEVEL_DIFFERENCE_EMS * atom.size;
                let first = ys.partition_point(|y| *y < atom.y - reach);
                ys.get(first).is_some_and(|y| *y <= atom.y + reach)
            })
        };
        let mut taken: Vec<u32> = Vec::new();
        let is_same_edge = |a: &(usize, u32), b: &(usize, u32)| edge(b.0) - edge(a.0) < 1.0;
        for column in numbered.chunk_by(is_same_edge) {
            let mut column = column.to_vec();
            column.sort_unstable();
            for run in column.chunk_by(|a, b| b.1 == a.1 + 1) {
                let beside = run.iter().filter(|(index, _)| is_beside_prose(*index));
                let is_left = run.iter().all(|(index, _)| edge(*index) < left);
                if run.len() >= MIN_LINE_NUMBERS && is_left && 2 * beside.count() >= run.len() {
                    let atoms = run.iter().filter_map(|(index, _)| atoms.get(*index));
                    taken.extend(atoms.flat_map(|atom| &atom.words));
                }
            }
        }
        for place in taken {
            if let Some(is_taken) = self.is_taken.get_mut(place as usize) {
                *is_taken = true;
            }
        }
    }

    /// Finds texts side by side in rows.
    fn find_parallel(&mut self) {
        let lines = words::lines(self.free_atoms());
        for mut draft in parallel::find(&lines, &self.words) {
            finish::order_columns(&mut draft, &self.words);
            let header_rows = usize::from(headers::has_bold_first_row(&draft, &self.words));
            self.push(draft, header_rows, SURENESS_OF_TEXTS, OutlineSource::Spaces);
        }
    }

    /// Finds tables without rules.
    fn find_spaced(&mut self) {
        let mut atoms = self.free_atoms();
        let is_prose = prose::find(&atoms, &self.words);
        let mut place = 0;
        atoms.retain(|_| {
            place += 1;
            !is_prose.get(place - 1).copied().unwrap_or(false)
        });
        let lines = words::lines(atoms);
        let typed = self.words.iter().filter(|word| word.is_rule());
        let partial = limit(self.rules.with_typed(typed).horizontal);
        for run in spaced::runs(&lines, &self.words, &self.rules.horizontal) {
            let has_head = run.start == 1 && spaced::is_running_line(&lines, &run, 0);
            let Some(lines) = lines.get(run).filter(|lines| lines.len() >= 2) else {
                continue;
            };
            let mut chosen: Vec<u32> = lines
                .iter()
                .flat_map(|line| &line.atoms)
                .flat_map(|atom| atom.words.iter().copied())
                .collect();
            chosen.sort_unstable();
            let Some(mut bbox) = self.bounds(&chosen) else {
                continue;
            };
            if !has_head {
                self.add_header(lines, false, &mut chosen, &mut bbox);
            }
            let mut ys = self.stripes(bbox);
            let is_striped = ys.len() > 2;
            if let Some(top) = self.add_turned_header(bbox, &mut chosen) {
                ys.insert(0, top);
                bbox.y1 = top;
            }
            let grid = grid::Grid::open(vec![bbox.x1, bbox.x2], ys);
            self.try_region(
                &Region {
                    grid,
                    chosen,
                    partial: &partial,
                    is_striped,
                },
                OutlineSource::Spaces,
            );
        }
    }

    /// The boundaries of rows with a background, and of the region around them.
    fn stripes(&self, region: Rect) -> Vec<f32> {
        let mut ys = Vec::new();
        for area in &self.striped {
            let overlap = area.x2.min(region.x2) - area.x1.max(region.x1);
            let is_stripe = overlap > MIN_STRIPE_WIDTH_SHARE * (region.x2 - region.x1)
                && area.y2 - area.y1 < MAX_STRIPE_HEIGHT_SHARE * (region.y2 - region.y1)
                && area.y1 > region.y1 - 5.0
                && area.y2 < region.y2 + 5.0;
            if is_stripe {
                ys.extend([area.y1, area.y2]);
            }
        }
        if ys.len() < 2 * MIN_STRIPES {
            ys.clear();
        }
        ys.retain(|y| region.y1 + 1.0 < *y && *y < region.y2 - 1.0);
        ys.extend([region.y1, region.y2]);
        ys.sort_by(f32::total_cmp);
        ys.dedup_by(|next, kept| *next - *kept < 2.0);
        ys
    }

    /// Adds the lines directly above a region of lines that look like its header.
    fn add_header(
        &self,
        region: &[TextLine],
        has_ruled_rows: bool,
        chosen: &mut Vec<u32>,
        bbox: &mut Rect,
    ) {
        let above = self.words_in(Rect {
            y1: bbox.y1 - MAX_HEADER_POINTS,
            y2: bbox.y1,
            ..*bbox
        });
        let mut atoms = words::atoms(&self.words, &above);
        atoms.retain(|atom| {
            !atom
                .words
                .iter()
                .any(|place| chosen.binary_search(place).is_ok())
        });
        let lines = words::lines(atoms);
        let region = headers::Below {
            lines: region,
            has_ruled_rows,
            bbox: *bbox,
        };
        let count = headers::above(&lines, &region, &self.words, &self.rules.horizontal);
        for line in lines.iter().rev().take(count) {
            bbox.y1 = bbox.y1.min(line.y - 0.7 * line.size);
            let header = line
                .atoms
                .iter()
                .flat_map(|atom| atom.words.iter().copied());
            chosen.extend(header);
        }
        chosen.sort_unstable();
    }

    /// Adds a header in lines of another direction directly above a region, and the other words
    /// beside them. Returns its top.
    fn add_turned_header(&self, region: Rect, chosen: &mut Vec<u32>) -> Option<f32> {
        let above = Rect {
            y1: region.y1 - MAX_HEADER_POINTS,
            y2: region.y1,
            ..region
        };
        let is_turned = |place: u32| {
            let word = self.words.get(place as usize);
            word.is_some_and(|word| !word.is_level && word.text.chars().any(char::is_alphabetic))
        };
        let turned = self.index.within(above, is_turned);
        let line = |place: &u32| self.words.get(*place as usize).map(|word| word.line);
        let lines = turned.chunk_by(|a, b| line(a) == line(b));
        let boxes: Vec<Rect> = lines.filter_map(|line| self.bounds(line)).collect();
        let size = turned
            .iter()
            .filter_map(|place| self.words.get(*place as usize));
        let size = size.map(|word| word.size).fold(0.0, f32::max);
        let is_above = |bbox: &&Rect| {
            region.y1 - bbox.y2 < MAX_TURNED_GAP_EMS * size && bbox.y2 <= region.y1 + 1.0
        };
        let near = boxes.iter().filter(is_above).count();
        if near < MIN_TURNED_LINES {
            return None;
        }
        let top = boxes.iter().map(|bbox| bbox.y1).fold(region.y1, f32::min);
        let header = self.words_in(Rect { y1: top, ..above });
        chosen.extend(header);
        chosen.sort_unstable();
        chosen.dedup();
        Some(top)
    }

    /// Whether lines run across a draft as in a diagram.
    fn is_diagram(&self, draft: &TableDraft) -> bool {
        let bbox = draft.bbox();
        let is_inside =
            |(x, y): &&(f32, f32)| bbox.x1 <= *x && *x <= bbox.x2 && bbox.y1 <= *y && *y <= bbox.y2;
        let slanted = self.rules.slanted.iter().filter(is_inside).count();
        slanted >= MIN_SLANTED_LINES && slanted * 10 >= draft.cells.len()
    }

    /// Adds captions to the tables.
    fn captions(&mut self) {
        if self.taken.is_empty() {
            return;
        }
        let atoms = self.free_atoms();
        for (bbox, place) in self.taken.iter().zip(&self.own) {
            let caption = captions::find(&atoms, &self.words, *bbox);
            let Some(caption) = caption else { continue };
            let bbox = self.bounds(&caption);
            if let Some(table) = self.found.tables.get_mut(*place) {
                table.caption = Some(finish::text(&caption, &self.words).replace('\n', " "));
                table.caption_bbox = bbox.map(|bbox| self.frame.on_page(bbox));
            }
        }
    }

    /// The box of words.
    fn bounds(&self, chosen: &[u32]) -> Option<Rect> {
        chosen
            .iter()
            .filter_map(|place| self.words.get(*place as usize))
            .map(|word| word.bbox)
            .reduce(Rect::around)
    }

    /// The words with their center in a box, unless they belong to a table.
    fn words_in(&self, bbox: Rect) -> Vec<u32> {
        let is_free = |place: u32| {
            let is_taken = self.is_taken.get(place as usize).copied().unwrap_or(true);
            let is_level = self
                .words
                .get(place as usize)
                .is_some_and(|word| word.is_level);
            !is_level || !is_taken
        };
        self.index.within(bbox, is_free)
    }

    /// Adds the table of a region, if it is one. Rules around thousands of words are those of a
    /// table, even if its cells are too close to be separated.
    fn try_region(&mut self, region: &Region<'_>, source: OutlineSource) {
        self.regions += 1;
        if self.regions > MAX_REGIONS {
            return;
        }
        let count = self.found.tables.len();
        self.add_table(region, source);
        let is_large = region.grid.columns() > 1 && region.chosen.len() > MAX_WORDS_NOT_IN_TABLE;
        if is_large && self.found.tables.len() == count {
            self.found.cut = Some(TOO_MANY_CELLS);
        }
    }

    fn add_table(&mut self, region: &Region<'_>, source: OutlineSource) {
        let Some(mut draft) = build(region, &self.words) else {
            self.found.cut = Some(TOO_MANY_CELLS);
            return;
        };
        if self.is_of_other_direction(&draft)
            || source != OutlineSource::Spaces && judge::are_boxes(&draft)
        {
            return;
        }
        let bbox = draft.bbox();
        if self.forms.iter().any(|form| form.has_center_of(bbox)) {
            return;
        }
        let with_blanks = draft.has_ruled_columns.then(|| draft.clone());
        let blank = finish::compact(&mut draft);
        if judge::is_form(&draft, &self.words, blank) {
            self.forms.push(bbox);
            return;
        }
        judge::strip(&mut draft);
        if self.is_diagram(&draft) {
            return;
        }
        finish::order_columns(&mut draft, &self.words);
        let Some(sureness) = judge::sureness(&draft, &self.words, source) else {
            return;
        };
        // Rules around blank columns are for what is written by hand.
        if let Some(mut whole) = with_blanks.filter(|_| blank > 0.0) {
            finish::compact_but(&mut whole, MIN_BLANK_COLUMN_POINTS);
            judge::strip(&mut whole);
            finish::order_columns(&mut whole, &self.words);
            draft = whole;
        }
        let mut header_rows = headers::count(&draft, &self.words);
        if !draft.has_ruled_columns {
            headers::join_stub(&mut draft, header_rows);
            let rows = draft.ys.len();
            finish::compact(&mut draft);
            header_rows -= rows - draft.ys.len();
            headers::widen_groups(&mut draft, header_rows);
        }
        headers::widen_centered(&mut draft, header_rows, &self.words);
        self.push(draft, header_rows, sureness, source);
    }

    /// Adds a table.
    fn push(
        &mut self,
        mut draft: TableDraft,
        header_rows: usize,
        sureness: f32,
        source: OutlineSource,
    ) {
        for number in draft.cells.iter().flat_map(|cell| &cell.words) {
            if let Some(taken) = self.is_taken.get_mut(*number as usize) {
                *taken = true;
            }
        }
        self.adopt(&mut draft);
        self.leave_others(&mut draft);
        let mut table = finish::table(&draft, &self.words, self.frame);
        self.taken.push(self.frame.rect(table.bbox));
        self.own.push(self.found.tables.len());
        table.page = self.page.number;
        table.sureness = sureness;
        table.header_rows = header_rows as u32;
        table.has_bold_header = headers::has_bold_first_row(&draft, &self.words);
        table.found = draft.kind(source);
        self.found.tables.push(table);
    }

    /// Shrinks the first and last rows to their words, if words that belong to another table are
    /// above or below. That table may turn out to be none, and its words would be lost.
    fn leave_others(&self, draft: &mut TableDraft) {
        let rows = draft.ys.len().saturating_sub(1);
        let mut own: Vec<u32> = (draft.cells.iter())
            .flat_map(|cell| cell.words.iter().copied())
            .collect();
        own.sort_unstable();
        let others = self.index.within(draft.bbox(), |place| {
            let word = self.words.get(place as usize);
            word.is_some_and(|word| word.is_level && !word.is_rule())
                && own.binary_search(&place).is_err()
                && self.is_taken.get(place as usize) == Some(&true)
        });
        if others.is_empty() {
            return;
        }
        let words_of = |is_in: &dyn Fn(&Cell) -> bool| -> Vec<u32> {
            let cells = draft.cells.iter().filter(|cell| is_in(cell));
            cells.flat_map(|cell| cell.words.iter().copied()).collect()
        };
        let first = self.bounds(&words_of(&|cell| cell.span.row == 0));
        let last = self.bounds(&words_of(&|cell| cell.span.row_end == rows));
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let others = || {
            others
                .iter()
                .filter_map(|place| self.words.get(*place as usize))
        };
        let above = others().filter(|word| word.center().1 < first.y1);
        if let Some(end) = above.map(|word| word.bbox.y2).reduce(f32::max) {
            let top = end.min(first.y1);
            for cell in draft.cells.iter_mut().filter(|cell| cell.span.row == 0) {
                cell.bbox.y1 = top;
            }
            if let Some(y) = draft.ys.first_mut() {
                *y = top;
            }
        }
        let below = others().filter(|word| word.center().1 > last.y2);
        if let Some(start) = below.map(|word| word.bbox.y1).reduce(f32::min) {
            let bottom = start.max(last.y2);
            let cells = draft.cells.iter_mut();
            for cell in cells.filter(|cell| cell.span.row_end == rows) {
                cell.bbox.y2 = bottom;
            }
            if let Some(y) = draft.ys.last_mut() {
                *y = bottom;
            }
        }
    }

    /// Whether most words have another direction, so that their own search finds the table.
    fn is_of_other_direction(&self, draft: &TableDraft) -> bool {
        let places = draft.cells.iter().flat_map(|cell| &cell.words);
        let words = places.filter_map(|place| self.words.get(*place as usize));
        let (level, other): (Vec<&Word<'_>>, Vec<&Word<'_>>) =
            words.partition(|word| word.is_level);
        level.len() < other.len()
    }

    /// Adds the other words within a table to its cells, so that no text is lost.
    fn adopt(&mut self, draft: &mut TableDraft) {
        let most = MAX_ADOPTED_WORDS.min(MAX_CELLS_COMPARED / draft.cells.len().max(1));
        for place in self.words_in(draft.bbox()).into_iter().take(most) {
            let center = self.words.get(place as usize).map(Word::center);
            let is_around = |cell: &&mut Cell| {
                center.is_some_and(|(x, y)| {
                    (cell.bbox.x1..=cell.bbox.x2).contains(&x)
                        && (cell.bbox.y1..=cell.bbox.y2).contains(&y)
                })
            };
            let cell = draft.cells.iter_mut().find(is_around);
            // Text that is drawn twice is already in the cell.
            let is_new = |cell: &&mut Cell| {
                let word = self.words.get(place as usize);
                let mut others = cell
                    .words
                    .iter()
                    .map(|other| self.words.get(*other as usize));
                !others.any(|other| other.zip(word).is_some_and(|(a, b)| is_same_word(a, b)))
            };
            if let Some(cell) = cell.filter(is_new) {
                cell.words.push(place);
                if let Some(is_taken) = self.is_taken.get_mut(place as usize) {
                    *is_taken = true;
                }
            }
        }
    }
}

/// Whether two words are the same word, drawn twice.
fn is_same_word(a: &Word<'_>, b: &Word<'_>) -> bool {
    let ((x1, y1), (x2, y2)) = (a.center(), b.center());
    a.text == b.text && (x1 - x2).abs().max((y1 - y2).abs()) < MAX_SHIFT_OF_COPY_EMS * a.size
}

/// The areas of a page. Areas that touch side by side are joined.
fn joined_areas(drawing: &Drawing, frame: Frame) -> Vec<Rect> {
    let areas = drawing.areas.iter().take(MAX_STRIPED_AREAS);
    let mut areas: Vec<Rect> = areas.map(|area| frame.rect(area.bbox)).collect();
    areas.sort_by(|a, b| {
        let by_y = a.y1.total_cmp(&b.y1).then(a.y2.total_cmp(&b.y2));
        by_y.then(a.x1.total_cmp(&b.x1))
    });
    areas.dedup_by(|next, kept| {
        let is_beside = (next.y1 - kept.y1).abs() < 0.5
            && (next.y2 - kept.y2).abs() < 0.5
            && next.x1 - kept.x2 < MAX_GAP_IN_STRIPE_POINTS;
        if is_beside {
            kept.x2 = kept.x2.max(next.x2);
        }
        is_beside
    });
    areas
}

/// Whether a grid is the background of one row in a striped table: at least two grids of one row
/// have its left and right edges.
fn is_stripe(grid: &grid::Grid, grids: &[grid::Grid]) -> bool {
    let bbox = grid.bbox();
    let is_same = |other: &&grid::Grid| {
        let other_box = other.bbox();
        other.rows() == 1
            && (other_box.x1 - bbox.x1).abs() < MAX_GAP_IN_STRIPE_POINTS
            && (other_box.x2 - bbox.x2).abs() < MAX_GAP_IN_STRIPE_POINTS
    };
    grid.rows() == 1 && grids.iter().filter(is_same).nth(1).is_some()
}

/// Returns the rules of a region, or none if there are too many for a table.
fn limit(rules: Vec<Rule>) -> Vec<Rule> {
    if rules.len() > MAX_PARTIAL_RULES {
        return Vec::new();
    }
    rules
}

fn overlaps(a: Rect, b: Rect) -> bool {
    a.x1 <= b.x2 && b.x1 <= a.x2 && a.y1 <= b.y2 && b.y1 <= a.y2
}
