//! Counts and lists of the elements on each page: the data of a quality report, much faster than a
//! row for each word.

use super::element::{BBox, Element};
use super::level::Level;
use super::read::{Unreadable, read_all_levels};
use super::row::Row;
use super::truncation::truncation;

/// The pages of a document. A document without pages has one summary.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// One summary per page.
    pub pages: Vec<PageSummary>,
}

/// The elements of all levels on a page, including the page itself.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct PageSummary {
    pub blocks: LevelSummary,
    pub lines: LevelSummary,
    pub words: LevelSummary,
    /// The median angle by which baselines descend to the right, in degrees.
    pub skew: Option<f64>,
    /// The number of blocks side by side over most of the height with blocks.
    pub columns: Option<usize>,
    /// The number of boxes that are inverted or have no width or height.
    pub empty_boxes: usize,
    /// The number of boxes outside the page, and of words as large as the page.
    pub outside_boxes: usize,
    /// The number of boxes that could not be parsed.
    pub damaged_boxes: usize,
    /// The number of words that are divided at the end of a line.
    pub divided_words: usize,
    /// The number of elements with an error, and one more if the document is cut on the page.
    pub errors: usize,
    /// The first error in alphabetical order.
    pub error: Option<String>,
    angles: Vec<f64>,
    edges: Vec<Edge>,
}

/// The elements of one level on a page.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct LevelSummary {
    /// The number of elements.
    pub count: usize,
    /// The confidences in ascending order.
    pub confidences: Vec<f64>,
    /// The first kind of confidence in alphabetical order.
    pub kind: Option<&'static str>,
}

/// The top or bottom of a block: at the height `y`, the number of blocks changes by `step`.
#[derive(Debug, Clone, Copy)]
struct Edge {
    y: f64,
    step: i8,
}

/// Minimum width of a column, as a share of the page. Narrower blocks are page numbers or margin
/// notes.
const MIN_COLUMN_WIDTH: f64 = 0.1;

impl Summary {
    /// Summarizes a document.
    ///
    /// ```
    /// use corpus_ocr::Summary;
    ///
    /// let page = "<div class=ocr_page><b class=ocrx_word title='x_wconf 95'>Hello</b></div>";
    /// let summary = Summary::of(page)?;
    /// assert_eq!(summary.pages[0].words.confidences, [95.0]);
    /// # Ok::<(), corpus_ocr::Unreadable>(())
    /// ```
    pub fn of(document: &str) -> Result<Self, Unreadable> {
        let mut summary = Self {
            pages: vec![PageSummary::default()],
        };
        let divided = read_all_levels(document, |row| summary.add(row))?;
        for (page, count) in summary.pages.iter_mut().zip(divided) {
            page.divided_words = count;
        }
        if let (Some(page), Some(error)) = (summary.pages.last_mut(), truncation(document)) {
            page.add_error(&error);
        }
        summary.pages.iter_mut().for_each(PageSummary::finish);
        Ok(summary)
    }

    fn add(&mut self, row: Row<'_, '_>) {
        let position = row.page.map_or(1, |page| page.position);
        if position > self.pages.len() {
            self.pages.resize_with(position, PageSummary::default);
        }
        if let Some(page) = self.pages.get_mut(position.saturating_sub(1)) {
            page.add(row.level, row.element, row.page.and_then(|page| page.bbox));
        }
    }
}

impl PageSummary {
    fn add(&mut self, level: Level, element: &Element<'_>, page: Option<BBox>) {
        match level {
            Level::Page => {}
            Level::Block => self.blocks.add(element),
            Level::Line => self.lines.add(element),
            Level::Word => self.words.add(element),
        }
        if let Some(bbox) = element.bbox {
            if bbox.x2 <= bbox.x1 || bbox.y2 <= bbox.y1 {
                self.empty_boxes += 1;
            }
            if page.is_some_and(|page| is_outside(level, &bbox, &page)) {
                self.outside_boxes += 1;
            }
            if level == Level::Block {
                self.add_column(element.depth, &bbox, page);
            }
        }
        if level == Level::Line
            && let Some(slope) = element.baseline.and_then(|baseline| baseline.slope)
        {
            self.angles.push(slope.atan().to_degrees());
        }
        if let Some(error) = &element.error {
            if element.bbox.is_none() && error.starts_with("bbox") {
                self.damaged_boxes += 1;
            }
            self.add_error(error);
        }
    }

    fn add_error(&mut self, error: &str) {
        self.errors += 1;
        if self.error.as_deref().is_none_or(|first| error < first) {
            self.error = Some(error.to_owned());
        }
    }

    fn add_column(&mut self, depth: usize, bbox: &BBox, page: Option<BBox>) {
        let page_width = page.map_or(0.0, |page| page.width());
        let is_wide = bbox.width() > MIN_COLUMN_WIDTH * page_width;
        if depth == 0 && is_wide && bbox.y2 > bbox.y1 {
            let (top, bottom) = (bbox.y1, bbox.y2);
            self.edges.push(Edge { y: top, step: 1 });
            self.edges.push(Edge {
                y: bottom,
                step: -1,
            });
        }
    }

    fn finish(&mut self) {
        for level in [&mut self.blocks, &mut self.lines, &mut self.words] {
            sort(&mut level.confidences);
        }
        self.skew = median(&mut self.angles);
        self.columns = columns(&mut self.edges);
    }
}

impl LevelSummary {
    fn add(&mut self, element: &Element<'_>) {
        self.count += 1;
        if let Some(confidence) = element.confidence {
            self.confidences.push(confidence.value);
            let kind = confidence.kind;
            self.kind = Some(self.kind.map_or(kind, |first| first.min(kind)));
        }
    }
}

fn is_outside(level: Level, bbox: &BBox, page: &BBox) -> bool {
    let page_has_area = page.x2 > page.x1 && page.y2 > page.y1;
    let reaches_out =
        bbox.x1 < page.x1 || bbox.y1 < page.y1 || bbox.x2 > page.x2 || bbox.y2 > page.y2;
    page_has_area && level != Level::Page && (reaches_out || (level == Level::Word && bbox == page))
}

/// Sorts by `f64::total_cmp`, by way of integers with the same order, which compare faster.
fn sort(values: &mut [f64]) {
    // The bits of negative numbers are in reverse order. This function is its own inverse.
    let turn = |bits: i64| bits ^ ((bits >> 63) & i64::MAX);
    let mut keys: Vec<i64> = values
        .iter()
        .map(|value| turn(value.to_bits().cast_signed()))
        .collect();
    keys.sort_unstable();
    for (value, key) in values.iter_mut().zip(keys) {
        *value = f64::from_bits(turn(key).cast_unsigned());
    }
}

fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    if middle >= values.len() {
        return None;
    }
    let is_odd = values.len() % 2 == 1;
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    if is_odd {
        return Some(upper);
    }
    let lower = below.iter().copied().max_by(f64::total_cmp)?;
    Some(f64::midpoint(lower, upper))
}

/// The number of blocks side by side over the greatest height; on a tie, the smallest number.
fn columns(edges: &mut [Edge]) -> Option<usize> {
    edges.sort_unstable_by(|a, b| a.y.total_cmp(&b.y).then(a.step.cmp(&b.step)));
    // A block that ends where another one starts is not beside it, so sum up the heights between
    // edges.
    let mut heights: Vec<(usize, f64)> = Vec::with_capacity(edges.len());
    let mut beside = 0usize;
    for pair in edges.windows(2) {
        if let [edge, next] = pair {
            beside = beside.saturating_add_signed(isize::from(edge.step));
            if beside > 0 {
                heights.push((beside, next.y - edge.y));
            }
        }
    }
    heights.sort_unstable_by_key(|(beside, _)| *beside);
    let sums = heights
        .chunk_by(|a, b| a.0 == b.0)
        .filter_map(|same| Some((same.first()?.0, same.iter().map(|(_, height)| height).sum())));
    let greatest =
        |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
    sums.reduce(greatest).map(|(beside, _)| beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_in_total_order() {
        let mut values = [3.5, -0.0, f64::NAN, -7.0, 0.0, -f64::NAN, -1e300, 95.0, 3.5];
        let mut expected = values;
        expected.sort_unstable_by(f64::total_cmp);
        sort(&mut values);
        assert_eq!(values.map(f64::to_bits), expected.map(f64::to_bits));
        assert_eq!(median(&mut [3.0, 1.0, 2.0, 9.0]), Some(2.5));
        assert_eq!(median(&mut [3.0, 1.0, 9.0]), Some(3.0));
        assert_eq!(median(&mut []), None);
    }

    fn page(document: &str) -> PageSummary {
        let mut pages = Summary::of(document).unwrap().pages;
        assert_eq!(pages.len(), 1);
        pages.remove(0)
    }

    fn block(title: &str) -> String {
        format!("<div class=ocr_carea title='bbox {title}'></div>")
    }

    #[test]
    fn a_document_without_pages_is_one_page() {
        for document in ["", "<p>x"] {
            let page = page(document);
            assert_eq!((page.words.count, page.errors), (0, 0));
            assert_eq!((page.skew, page.columns), (None, None));
        }
        let summary =
            Summary::of("<div class=ocr_page></div><div class=ocr_page><b class=ocrx_word>");
        let words = |page: &PageSummary| page.words.count;
        assert_eq!(
            summary.unwrap().pages.iter().map(words).collect::<Vec<_>>(),
            [0, 1]
        );
        assert!(Summary::of("<?xml version='1.0'?><TEI/>").is_err());
    }

    #[test]
    fn boxes_and_confidences_are_counted() {
        let word = |title: &str| format!("<b class=ocrx_word title='{title}'></b>");
        let page = page(&format!(
            "<div class=ocr_page title='bbox 0 0 100 200'>{}{}{}{}{}{}",
            word("bbox 1 2 3 4; x_wconf 90"),
            word("bbox 1 2 3 4; x_conf 20"),
            word("bbox 0 0 100 200"),
            word("bbox 9 9 9 9"),
            word("bbox 9 9 101 19"),
            word("bbox 9 9; x_wconf 30"),
        ));
        assert_eq!(page.words.count, 6);
        assert_eq!(page.words.confidences, [20.0, 30.0, 90.0]);
        assert_eq!(page.words.kind, Some("x_conf"));
        assert_eq!((page.empty_boxes, page.outside_boxes), (1, 2));
        assert_eq!((page.damaged_boxes, page.errors), (1, 1));
        assert_eq!(
            page.error.as_deref(),
            Some("bbox: expected 4 numbers, got 2")
        );
    }

    #[test]
    fn columns_are_blocks_side_by_side() {
        let of = |blocks: &[&str]| {
            let blocks: String = blocks.iter().map(|title| block(title)).collect();
            page(&format!(
                "<div class=ocr_page title='bbox 0 0 100 200'>{blocks}"
            ))
            .columns
        };
        assert_eq!(of(&["0 0 100 50"]), Some(1));
        assert_eq!(of(&["0 0 100 20", "0 20 50 200", "50 20 100 200"]), Some(2));
        assert_eq!(of(&["0 0 100 200", "95 0 100 200"]), Some(1));
        // One block is below the other.
        assert_eq!(of(&["0 0 100 20", "0 20 100 40"]), Some(1));
        assert_eq!(of(&["0 50 100 20"]), None);
    }

    #[test]
    fn the_skew_is_a_median() {
        let line = |slope: &str| format!("<b class=ocr_line title='baseline {slope} 0'></b>");
        let of = |slopes: &[&str]| {
            let lines: String = slopes.iter().map(|slope| line(slope)).collect();
            page(&lines).skew
        };
        assert_eq!(of(&["0", "1", "0"]), Some(0.0));
        assert_eq!(of(&["1", "0"]), Some(22.5));
    }
}
