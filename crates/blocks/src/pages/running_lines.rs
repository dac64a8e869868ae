//! Running heads, running feet and page numbers: lines at the edges of pages that repeat.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use super::line_numbers;
use super::marker::{NOTE_MARKS, roman};
use super::measure::{MeasuredDocument, MeasuredLine, MeasuredPage};
use super::{Precision, Role, is_caption};
use crate::block::Kind;
use crate::text::{Mark, MarkKind};

/// The maximum number of rows at an edge that are examined.
const MAX_ROWS: usize = 4;
/// The maximum number of lines in a row that are examined.
const MAX_ROW_LINES: usize = 16;
/// Height of the zones at the top and bottom that may have running lines, as a share of the page.
const MAX_ZONE_SHARE: f32 = 0.2;
/// The maximum number of letters and digits in a running line.
const MAX_LETTERS: usize = 160;
/// Pages farther apart than this are not compared.
const MAX_DISTANCE_PAGES: usize = 3;
/// Maximum vertical shift of a running line between pages, as a share of the height.
const MAX_SHIFT_SHARE: f32 = 0.02;
/// Maximum size of running lines, relative to the text, in documents of one or two pages.
const MAX_SMALL_RATIO: f32 = 0.95;
/// Maximum size of running lines, relative to the text: larger lines look like headings.
const MAX_RUNNING_RATIO: f32 = 1.05;
/// The minimum number and share of pages with a line at the same place.
const MIN_PLACES: usize = 3;
const MIN_PLACE_SHARE: f32 = 0.5;
/// The minimum distance from the text, in multiples of the usual distance of lines, for a line
/// that does not repeat.
const MIN_GAP_RATIO: f32 = 1.4;

/// The number of characters of a title that a running head repeats.
const TITLE_CHARACTERS: RangeInclusive<usize> = 4..=100;

/// The starts of the lines that browsers print above the text: a date before the time.
const DATES: [&str; 4] = ["#/#/#, ", "#.#.#, ", "#-#-#, ", "#. #. #., "];

/// The words beside a page number, in lower case.
const PAGE_WORDS: [&str; 52] = [
    "p",
    "pp",
    "pg",
    "page",
    "pages",
    "pag",
    "pág",
    "pàg",
    "pagina",
    "página",
    "pàgina",
    "páginas",
    "pagine",
    "s",
    "seite",
    "seiten",
    "blatt",
    "side",
    "sida",
    "sidan",
    "sivu",
    "strona",
    "str",
    "strana",
    "stránka",
    "oldal",
    "lap",
    "lk",
    "sayfa",
    "trang",
    "halaman",
    "hal",
    "slide",
    "folie",
    "с",
    "стр",
    "страница",
    "стор",
    "сторінка",
    "σελ",
    "σελίδα",
    "ص",
    "صفحة",
    "עמוד",
    "of",
    "von",
    "de",
    "di",
    "sur",
    "af",
    "av",
    "из",
];
/// The signs for pages, which languages without spaces write beside the number.
const PAGE_SIGNS: [char; 8] = ['页', '頁', 'ペ', 'ー', 'ジ', '쪽', '第', '共'];

/// A line near an edge of a page.
struct Candidate {
    /// The index of the line.
    item: usize,
    page: usize,
    /// The number of rows between it and the edge.
    row: usize,
    /// The distance of its baseline from the top, as a share of the height.
    y: f32,
    /// Whether the gap between it and the text is larger than the usual line distance.
    is_apart: bool,
    /// Whether the next row is not directly above or below it.
    is_aside: bool,
    /// Whether its letters are smaller than the text.
    is_small: bool,
    /// Whether it has words in a larger or bolder style than the text, as headings have.
    is_emphasized: bool,
    /// Whether it has the number of its page.
    has_own_number: bool,
    /// The text with `#` for numbers.
    pattern: String,
    /// The numbers in the text.
    numbers: Vec<i64>,
}

/// Marks the running lines of a document.
pub fn find(document: &mut MeasuredDocument) {
    mark_declared(document);
    line_numbers::find(document);
    for is_head in [true, false] {
        let candidates = candidates(document, is_head);
        let kinds = judge(document, &candidates, is_head);
        mark(document, &candidates, &kinds);
    }
    keep_pages(document);
}

/// Keeps the lines of pages without any other text, such as copies of a form, which are equal.
/// Lines that are also on a page with text are running lines on the others, too.
fn keep_pages(document: &mut MeasuredDocument) {
    let mut running: HashSet<String> = HashSet::new();
    let mut alone: Vec<(usize, String)> = Vec::new();
    let mut texts: HashMap<String, usize> = HashMap::new();
    for sheet in &document.pages {
        let lines =
            (sheet.first..sheet.end).filter_map(|index| Some((index, document.line(index)?)));
        let has_text = sheet.has_blocks || lines.clone().any(|(_, line)| line.is_text());
        for (index, line) in lines.filter(|(_, line)| !line.is_text()) {
            let pattern = without_page_number(&pattern(line.text()).0).to_owned();
            if has_text {
                running.insert(pattern);
            } else if !is_declared(line) {
                *texts.entry(line.text().to_owned()).or_default() += 1;
                alone.push((index, pattern));
            }
        }
    }
    for (index, pattern) in alone {
        // Stamps on scanned pages have the number of the page.
        let is_equal = document
            .line(index)
            .is_some_and(|line| texts.get(line.text()).is_some_and(|count| *count > 1));
        if let Some(line) = document.line_mut(index)
            && is_equal
            && !running.contains(&pattern)
        {
            line.running = None;
        }
    }
}

/// Whether the document declares a line as a running line.
fn is_declared(line: &MeasuredLine) -> bool {
    let role = line.line.declared.and_then(|declared| declared.role);
    let is_running = matches!(
        role,
        Some(Role::RunningHead | Role::RunningFoot | Role::PageNumber)
    );
    is_running || line.line.is_outside
}

/// Marks the lines that the document declares as running lines, unless they would be most of its
/// text.
fn mark_declared(document: &mut MeasuredDocument) {
    let (mut all, mut outside) = (0, 0);
    for line in document.lines() {
        all += line.letters;
        outside += if line.line.is_outside {
            line.letters
        } else {
            0
        };
    }
    let trusts = 2 * outside <= all;
    for index in 0..document.items.len() {
        let Some(line) = document.line(index) else {
            continue;
        };
        let height = document
            .pages
            .get(line.page)
            .map_or(0.0, |page| page.height);
        let role = line.line.declared.and_then(|declared| declared.role);
        let kind = match role {
            Some(Role::RunningHead) => Some(Kind::RunningHead),
            Some(Role::RunningFoot) => Some(Kind::RunningFoot),
            Some(Role::PageNumber) => Some(Kind::PageNumber),
            _ if !(trusts && line.line.is_outside) => None,
            _ if pattern(line.text()).0 == "#" => Some(Kind::PageNumber),
            _ if line.base() < height / 2.0 => Some(Kind::RunningHead),
            _ => Some(Kind::RunningFoot),
        };
        if let Some(line) = document.line_mut(index) {
            line.running = kind;
        }
    }
}

/// The lines near an edge of each page.
fn candidates(document: &MeasuredDocument, is_head: bool) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (page, sheet) in document.pages.iter().enumerate() {
        let mut lines: Vec<(usize, &MeasuredLine)> = (sheet.first..sheet.end)
            .filter_map(|index| Some((index, document.line(index)?)))
            .filter(|(_, line)| line.is_text())
            .collect();
        lines.sort_by(|a, b| a.1.base().total_cmp(&b.1.base()));
        if !is_head {
            lines.reverse();
        }
        let mut rows: Vec<Vec<(usize, &MeasuredLine)>> = Vec::new();
        for line in lines {
            let continues = rows
                .last()
                .and_then(|row| row.first())
                .is_some_and(|first| is_level(first.1, line.1));
            if !continues {
                if rows.len() > MAX_ROWS {
                    break;
                }
                rows.push(Vec::new());
            }
            if let Some(row) = rows.last_mut() {
                row.push(line);
            }
        }
        for (number, row) in rows.iter().take(MAX_ROWS).enumerate() {
            let next = rows.get(number + 1).and_then(|row| row.first());
            for (item, line) in row.iter().take(MAX_ROW_LINES) {
                let y = line.base() / sheet.height.max(1.0);
                let is_other = line.letters > MAX_LETTERS || !is_head && is_numbered_note(line);
                if !is_in_zone(y, is_head) || is_other {
                    continue;
                }
                let step = next.map_or(f32::INFINITY, |next| (next.1.base() - line.base()).abs());
                let (pattern, numbers) = pattern(line.text());
                let is_emphasized = is_emphasized(document, line);
                candidates.push(Candidate {
                    item: *item,
                    has_own_number: numbers.contains(&i64::from(sheet.number)),
                    page,
                    row: number,
                    y,
                    is_aside: next.is_some_and(|next| {
                        next.1.right() < line.left() || line.right() < next.1.left()
                    }),
                    is_small: document.ratio(line.size()) < MAX_SMALL_RATIO,
                    is_emphasized: is_emphasized && pattern.contains(char::is_alphabetic),
                    is_apart: step > MIN_GAP_RATIO * document.leading(document.body_size),
                    pattern,
                    numbers,
                });
            }
        }
    }
    candidates
}

/// Whether the letters of a line are larger or bolder than the text.
fn is_emphasized(document: &MeasuredDocument, line: &MeasuredLine) -> bool {
    document.ratio(line.size()) > MAX_RUNNING_RATIO || (line.is_bold && !document.is_body_bold)
}

/// Whether a line is declared as a footnote, or begins with a raised mark.
fn is_numbered_note(line: &MeasuredLine) -> bool {
    let text = &line.line.text;
    let is_raised = |mark: &Mark| {
        let rest = text.text.get(mark.range.end..).unwrap_or_default();
        mark.kind == MarkKind::Superscript && mark.range.start == 0 && !rest.trim().is_empty()
    };
    let role = line.line.declared.and_then(|declared| declared.role);
    role == Some(Role::Note) || text.marks.iter().any(is_raised)
}

fn is_level(a: &MeasuredLine, b: &MeasuredLine) -> bool {
    (a.base() - b.base()).abs() < 0.4 * a.size().min(b.size())
}

fn is_in_zone(y: f32, is_head: bool) -> bool {
    if is_head {
        y < MAX_ZONE_SHARE
    } else {
        y > 1.0 - MAX_ZONE_SHARE
    }
}

/// Returns the kind of each candidate that is a running line.
fn judge(
    document: &MeasuredDocument,
    candidates: &[Candidate],
    is_head: bool,
) -> Vec<Option<Kind>> {
    let kind = || {
        if is_head {
            Kind::RunningHead
        } else {
            Kind::RunningFoot
        }
    };
    let mut kinds: Vec<Option<Kind>> = vec![None; candidates.len()];
    // Lines with the same text on neighboring pages, at about the same height.
    let mut by_pattern: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        by_pattern
            .entry(without_page_number(&candidate.pattern))
            .or_default()
            .push(index);
    }
    for (pattern, group) in &by_pattern {
        for pair in group.windows(2) {
            let [a, b] = *pair else { continue };
            let (Some(first), Some(second)) = (candidates.get(a), candidates.get(b)) else {
                continue;
            };
            let pages = second.page - first.page;
            if pages == 0 || pages > MAX_DISTANCE_PAGES || !is_same_place(document, first, second) {
                continue;
            }
            let is_number = is_page_number(pattern);
            if is_number && !progresses(first, second) {
                continue;
            }
            // Such as `Chapter 1` and `Chapter 2`, each on its page.
            let are_headings = first.is_emphasized && second.is_emphasized;
            if is_number && are_headings && !has_page_words(pattern) {
                continue;
            }
            let found = if is_number { Kind::PageNumber } else { kind() };
            for index in [a, b] {
                if let Some(kind) = kinds.get_mut(index) {
                    *kind = Some(found.clone());
                }
            }
        }
    }
    with_progress(document, candidates, &mut kinds, &kind());
    at_same_place(document, candidates, &mut kinds, &kind());
    alone(document, candidates, &mut kinds, &kind());
    if is_head {
        heads_of_one_page(document, candidates, &mut kinds);
    }
    kinds
}

/// Finds running heads that no other page has: the title of a heading on the page or an earlier
/// one, or text that a wide gap separates from the number of the page.
fn heads_of_one_page(
    document: &MeasuredDocument,
    candidates: &[Candidate],
    kinds: &mut [Option<Kind>],
) {
    let may_be = |candidate: &Candidate, kind: &Option<Kind>| {
        kind.is_none() && candidate.row == 0 && candidate.is_apart && !candidate.is_emphasized
    };
    let mut pairs = candidates.iter().zip(kinds.iter());
    if !pairs.any(|(candidate, kind)| may_be(candidate, kind)) {
        return;
    }
    // The first page of each title.
    let mut titles: HashMap<String, usize> = HashMap::new();
    for line in document.lines() {
        let is_title = TITLE_CHARACTERS.contains(&line.text().len())
            && line.is_text()
            && is_emphasized(document, line)
            && line.text().contains(char::is_alphabetic);
        if is_title {
            titles.entry(lower(line.text())).or_insert(line.page);
        }
    }
    for (candidate, kind) in candidates.iter().zip(kinds) {
        let Some(line) = document.line(candidate.item) else {
            continue;
        };
        if !may_be(candidate, kind) || line.is_fixed {
            continue;
        }
        let text = lower(line.text());
        let is_title =
            |text: &str| (titles.get(text)).is_some_and(|first| *first <= candidate.page);
        // The title of the document may be before that of the chapter.
        let mut ends = text
            .match_indices(' ')
            .filter_map(|(at, _)| text.get(at + 1..));
        let ends_with_title = line.line.gaps > 0 && ends.any(is_title);
        let pattern = &candidate.pattern;
        let is_at_edge = pattern.starts_with("# ") || pattern.ends_with(" #");
        let is_numbered = line.line.gaps == 1
            && candidate.has_own_number
            && is_at_edge
            && line.text().contains(char::is_alphabetic);
        if is_title(&text) || ends_with_title || is_numbered {
            *kind = Some(Kind::RunningHead);
        }
    }
}

/// A text in lower case, with single spaces.
fn lower(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

fn is_same_place(document: &MeasuredDocument, a: &Candidate, b: &Candidate) -> bool {
    let factor = match document.precision {
        Precision::Exact => 1.0,
        Precision::Scanned => 2.0,
    };
    (a.y - b.y).abs() < factor * MAX_SHIFT_SHARE
}

/// Whether a number in both grows by the number of pages between them.
fn progresses(a: &Candidate, b: &Candidate) -> bool {
    let pages = b.page as i64 - a.page as i64;
    a.numbers
        .iter()
        .any(|number| b.numbers.contains(&(number + pages)))
}

/// Finds lines in the outermost row with different texts and a number that grows with the pages,
/// such as `Chapter 3   41`.
fn with_progress(
    document: &MeasuredDocument,
    candidates: &[Candidate],
    kinds: &mut [Option<Kind>],
    kind: &Kind,
) {
    let outer: Vec<usize> = (0..candidates.len())
        .filter(|index| {
            candidates.get(*index).is_some_and(|candidate| {
                let line = document.line(candidate.item);
                let is_code = line.is_some_and(|line| line.is_fixed) && !document.is_body_fixed;
                // Numbers of sections grow with the pages, too.
                candidate.row == 0
                    && !candidate.numbers.is_empty()
                    && !candidate.is_emphasized
                    && !is_code
            })
        })
        .collect();
    for (place, index) in outer.iter().enumerate() {
        let Some(first) = candidates.get(*index) else {
            continue;
        };
        for other in outer.iter().skip(place + 1) {
            let Some(second) = candidates.get(*other) else {
                continue;
            };
            if second.page > first.page + MAX_DISTANCE_PAGES {
                break;
            }
            let is_pair = second.page > first.page
                && first.is_apart
                && second.is_apart
                && is_same_place(document, first, second)
                && progresses(first, second);
            for (index, candidate) in [(*index, first), (*other, second)] {
                if let Some(found @ None) = kinds.get_mut(index).filter(|_| is_pair) {
                    *found = Some(if is_page_number(&candidate.pattern) {
                        Kind::PageNumber
                    } else {
                        kind.clone()
                    });
                }
            }
        }
    }
}

/// Finds lines apart from the text at the same height on most pages. They are smaller than the
/// text, in italics or capitals, or beside a page number: a title of each page looks otherwise.
fn at_same_place(
    document: &MeasuredDocument,
    candidates: &[Candidate],
    kinds: &mut [Option<Kind>],
    kind: &Kind,
) {
    let mut places: HashMap<i32, Vec<usize>> = HashMap::new();
    let numbered: HashSet<usize> = (candidates.iter().zip(kinds.iter()))
        .filter(|(candidate, kind)| candidate.row == 0 && kind.is_some())
        .map(|(candidate, _)| candidate.page)
        .collect();
    for (index, candidate) in candidates.iter().enumerate() {
        let is_small = document.line(candidate.item).is_some_and(|line| {
            let is_styled = line.is_caps || line.is_italic && !document.is_body_italic;
            document.ratio(line.size()) < MAX_RUNNING_RATIO
                && (!line.is_bold || document.is_body_bold)
                && (candidate.is_small || is_styled || numbered.contains(&candidate.page))
        });
        // Each line may be a footnote of its page.
        let has_sign = candidate.pattern.starts_with(NOTE_MARKS);
        if candidate.row == 0 && candidate.is_apart && is_small && !has_sign {
            let place = (candidate.y * 200.0).round() as i32;
            places.entry(place).or_default().push(index);
        }
    }
    for group in places.into_values() {
        let mut pages: Vec<usize> = group
            .iter()
            .filter_map(|index| candidates.get(*index))
            .map(|candidate| candidate.page)
            .collect();
        pages.dedup();
        let share = pages.len() as f32 / document.pages.len().max(1) as f32;
        if pages.len() >= MIN_PLACES && share >= MIN_PLACE_SHARE {
            for index in group {
                if let Some(found @ None) = kinds.get_mut(index) {
                    *found = Some(kind.clone());
                }
            }
        }
    }
}

/// Finds page numbers that are alone at the edge of their page. In documents too short for anything
/// to repeat, small text may be beside them.
fn alone(
    document: &MeasuredDocument,
    candidates: &[Candidate],
    kinds: &mut [Option<Kind>],
    running: &Kind,
) {
    let is_head = *running == Kind::RunningHead;
    let printed = pages_of_browsers(document, candidates, is_head);
    for (candidate, kind) in candidates.iter().zip(kinds) {
        if kind.is_some() || candidate.row > 0 {
            continue;
        }
        if printed.contains(&candidate.page) {
            *kind = Some(running.clone());
            continue;
        }
        let Some(line) = document.line(candidate.item) else {
            continue;
        };
        let sheet = document.pages.get(candidate.page);
        let is_own = |sheet: &MeasuredPage| candidate.numbers.contains(&i64::from(sheet.number));
        // A Roman number at the top may be the number of a chapter.
        let may_be_page = !is_head || line.text().contains(|c: char| c.is_ascii_digit());
        // Code, notes below figures and declared blocks are text.
        let may_be_running = candidate.is_small
            && !line.is_fixed
            && line.line.declared.is_none()
            && (is_head || !line.text().contains(':'))
            && !is_caption(line.text());
        let pattern = &candidate.pattern;
        if !candidate.is_emphasized
            && (candidate.is_apart || candidate.is_aside)
            && may_be_page
            && (is_bare_number(pattern)
                || is_page_number(pattern) && has_page_words(pattern) && sheet.is_some_and(is_own))
        {
            *kind = Some(Kind::PageNumber);
        } else if candidate.is_apart
            && may_be_running
            && document.pages.len() <= 2
            && (pattern.ends_with(" #") || (pattern.starts_with("# ") && is_head))
        {
            *kind = Some(running.clone());
        }
    }
}

/// The pages whose outermost row is that of a browser: the date and time above the text, or the
/// address and the number of the page below it.
fn pages_of_browsers(
    document: &MeasuredDocument,
    candidates: &[Candidate],
    is_head: bool,
) -> HashSet<usize> {
    let outer = |candidate: &&Candidate| candidate.row == 0;
    let has_time = |candidate: &&Candidate| {
        let rest = DATES
            .iter()
            .find_map(|date| candidate.pattern.strip_prefix(date));
        rest.is_some_and(|rest| rest.starts_with("#:#"))
    };
    let has_number = |candidate: &&Candidate| {
        let of_page = (document.pages.get(candidate.page)).map(|sheet| i64::from(sheet.number));
        let count = document.pages.len() as i64;
        let is_own = matches!(candidate.numbers.as_slice(), [.., page, all]
            if Some(*page) == of_page && *all == count);
        is_own && candidate.pattern.ends_with("#/#")
    };
    let pages = |has: &dyn Fn(&&Candidate) -> bool| -> HashSet<usize> {
        let found = candidates.iter().filter(outer).filter(has);
        found.map(|candidate| candidate.page).collect()
    };
    if is_head {
        return pages(&has_time);
    }
    let addressed = pages(&|candidate| candidate.pattern.contains("://"));
    let mut numbered = pages(&has_number);
    numbered.retain(|page| addressed.contains(page));
    numbered
}

/// Marks the running lines of each page, from the edge up to the first row without one.
fn mark(document: &mut MeasuredDocument, candidates: &[Candidate], kinds: &[Option<Kind>]) {
    let mut start = 0;
    while let Some(first) = candidates.get(start) {
        let count = candidates
            .get(start..)
            .unwrap_or_default()
            .iter()
            .take_while(|candidate| candidate.page == first.page)
            .count();
        let own = candidates.get(start..start + count).unwrap_or_default();
        let own_kinds = kinds.get(start..start + count).unwrap_or_default();
        let rows = running_rows(own, own_kinds);
        for (candidate, kind) in own.iter().zip(own_kinds) {
            if let (Some(kind), Some(line)) = (kind, document.line_mut(candidate.item))
                && candidate.row < rows
            {
                line.running = Some(kind.clone());
            }
        }
        start += count;
    }
}

/// The number of running rows at the edge: up to the page number, or up to the last row that is set
/// apart from the text or has the page number, because text may repeat, too.
fn running_rows(candidates: &[Candidate], kinds: &[Option<Kind>]) -> usize {
    let mut rows = 0;
    for row in 0..MAX_ROWS {
        let mut is_any = false;
        for (candidate, kind) in candidates.iter().zip(kinds) {
            if let (Some(kind), true) = (kind, candidate.row == row) {
                is_any = true;
                let is_numbered = row == 0 && candidate.has_own_number;
                if candidate.is_apart
                    || candidate.is_aside
                    || is_numbered
                    || *kind == Kind::PageNumber
                {
                    rows = row + 1;
                }
            }
        }
        if !is_any {
            break;
        }
    }
    rows
}

/// Whether a pattern is a page number, such as `page # of #`.
fn is_page_number(pattern: &str) -> bool {
    let letters = pattern.chars().filter(|c| c.is_alphabetic()).count();
    let numbers = pattern.chars().filter(|c| *c == '#').count();
    (1..=2).contains(&numbers) && letters <= 8 && pattern.chars().count() <= 20
}

/// Whether all words of a pattern occur beside page numbers.
fn has_page_words(pattern: &str) -> bool {
    let mut words = pattern.split(|c: char| !c.is_alphabetic() || PAGE_SIGNS.contains(&c));
    words.all(|word| word.is_empty() || PAGE_WORDS.contains(&word))
}

/// Whether a pattern is a number alone, between dashes (`- # -`), or after a letter and a dash
/// (`b-#`).
fn is_bare_number(pattern: &str) -> bool {
    let (mut letters, mut numbers) = (0, 0);
    for character in pattern.chars() {
        match character {
            '#' => numbers += 1,
            '-' | '–' | '—' | ' ' => {}
            _ if character.is_alphabetic() => letters += 1,
            _ => return false,
        }
    }
    numbers == 1 && (letters == 0 || letters == 1 && pattern.contains(['-', '–']))
}

/// A pattern without a number at its start or end, which changes sides on facing pages.
fn without_page_number(pattern: &str) -> &str {
    if is_page_number(pattern) {
        return pattern;
    }
    let first = pattern.strip_prefix("# ");
    first
        .or_else(|| pattern.strip_suffix(" #"))
        .unwrap_or(pattern)
}

/// Replaces numbers of a text by `#`, and returns them.
fn pattern(text: &str) -> (String, Vec<i64>) {
    let mut numbers = Vec::new();
    let mut pattern = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !pattern.is_empty() {
            pattern.push(' ');
        }
        let core = word.trim_matches(|c: char| !c.is_alphanumeric());
        if let Some(roman) = roman(core).filter(|_| pattern.len() < 24) {
            numbers.push(roman);
            pattern.push_str(&word.replacen(core, "#", 1));
            continue;
        }
        let mut digits = String::new();
        for character in word.chars().chain(std::iter::once(' ')) {
            if character.is_ascii_digit() {
                digits.push(character);
                continue;
            }
            if !digits.is_empty() {
                numbers.extend(digits.parse::<i64>().ok());
                digits.clear();
                pattern.push('#');
            }
            if character != ' ' {
                pattern.extend(character.to_lowercase());
            }
        }
    }
    (pattern, numbers)
}
