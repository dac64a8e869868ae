//! Headings and their levels.
//!
//! A heading looks different from the text: larger, bold, in capitals, or italic with a number. Its
//! level comes from the outline, its number, or its look, in this order; headings that look alike
//! have the same level.

use std::collections::{HashMap, HashSet};

use super::divisions::{Division, division, is_label};
use super::marker::roman;
use super::measure::MeasuredDocument;
use super::segments::{Segment, SegmentClass};
use super::{OutlineEntry, Precision, Role};
use crate::characters::joins_lines;
use crate::text::MarkKind;

/// The maximum number of letters and lines of a heading.
const MAX_LETTERS: usize = 220;
const MAX_LINES: usize = 5;
/// Minimum size, relative to the text, of a heading that differs only in size.
const MIN_LARGE_RATIO: f32 = 1.12;
const MIN_LARGE_SCANNED_RATIO: f32 = 1.35;
/// Minimum size, relative to the text, of a heading that differs in something else.
const MIN_SIZE_RATIO: f32 = 0.9;
/// Minimum size, relative to the text, of a numbered heading in small capitals.
const MIN_SMALL_CAPS_RATIO: f32 = 0.75;
/// Minimum number of letters of a text paragraph.
const MIN_PROSE_LETTERS: usize = 60;
/// The minimum share of outline entries found in the text for the outline to be trusted.
const MIN_OUTLINE_SHARE: f32 = 0.5;
/// Candidates of at least this size, relative to the text, are not labels of figures.
const MAX_LABEL_RATIO: f32 = 1.25;
/// Minimum number of wide gaps in a line that is a table row, such as a header.
const MIN_GAPS_OF_ROW: usize = 2;
/// The minimum number of numbers of an axis, and how much the steps between them may differ.
const MIN_AXIS_NUMBERS: usize = 4;
const MAX_STEP_DIFFERENCE: f64 = 0.01;
/// The maximum number of outline entries with the same title that are examined.
const MAX_SAME_TITLES: usize = 64;
/// A centered line between title and text is a heading if at least this number of later centered
/// lines look like it.
const MIN_CENTERED_LINES: usize = 2;
/// The minimum number of later headings with the look of one that is above the first text.
const MIN_LATER_HEADINGS: usize = 3;
/// The maximum distance between the number of a chapter and its title, in sizes.
const MAX_LABEL_STEP_EMS: f32 = 4.0;
/// The maximum number of letters of a currency.
const MAX_CURRENCY_LETTERS: usize = 3;
/// The deepest level of a heading.
const MAX_LEVEL: usize = 6;
/// The minimum number of letters above the entries of an index.
const MIN_LETTERS_OF_INDEX: usize = 3;
/// The minimum number of terms of a glossary, and the minimum indent of their meanings, in ems.
const MIN_TERMS: usize = 4;
const MIN_INDENT_OF_MEANING_EMS: f32 = 1.0;
/// How much equal left edges may differ, in the unit of the boxes.
const MAX_LEFT_DIFFERENCE_POINTS: f32 = 1.0;
/// Sizes whose ratio is below this belong to the same look.
const MAX_SAME_LOOK_RATIO: f32 = 1.035;

/// A segment that may be a heading.
#[derive(Debug, Clone)]
struct Candidate {
    segment: usize,
    look: HeadingStyle,
    /// The number of parts of its number: 2 for `3.1`.
    depth: Option<usize>,
    /// The number of a heading with a single number.
    number: Option<u32>,
    /// Whether it is a part or a chapter by its words.
    division: Option<Division>,
    /// The level of its entry in the outline.
    outlined: Option<u32>,
    /// The level that the document declares.
    declared: Option<u8>,
    is_title: bool,
    /// Whether the document declares it as a heading, without a level, or it is a letter of an
    /// index.
    is_certain: bool,
}

/// How a heading looks. The most prominent look is the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct HeadingStyle {
    /// The rank of the size.
    size: u32,
    is_bold: bool,
    is_caps: bool,
    is_italic: bool,
}

/// Finds the headings among the segments, and their levels.
pub fn find(document: &MeasuredDocument, segments: &mut Vec<Segment>, outline: &[OutlineEntry]) {
    join_labels(document, segments, outline);
    let mut entries = Outline::new(outline);
    let ranks = size_ranks(document, segments);
    let mut candidates: Vec<Candidate> = Vec::new();
    let has_declared = segments
        .iter()
        .any(|segment| matches!(segment.class, SegmentClass::Heading(_)));
    let letters = letters(document, segments);
    for index in 0..segments.len() {
        let Some(segment) = segments.get(index) else {
            continue;
        };
        if let SegmentClass::Heading(level) = segment.class {
            candidates.push(Candidate {
                declared: Some(level),
                ..candidate(document, segment, index, &ranks)
            });
            continue;
        }
        if !matches!(
            segment.class,
            SegmentClass::Paragraph | SegmentClass::Item(..)
        ) || segment.letters > MAX_LETTERS
            || segment.lines() > MAX_LINES
        {
            continue;
        }
        let text = segment.text(document);
        let page = segment.page;
        let mut candidate = candidate(document, segment, index, &ranks);
        let is_likely = || looks_like(document, segments, index, candidate.depth);
        let outlined = entries.take(&text, document, page, is_likely).or_else(|| {
            // The outline may have the title of a chapter without its label.
            let (_, title) = division(&text)?;
            entries.take(title, document, page, is_likely)
        });
        candidate.outlined = outlined;
        let is_tagged = has_declared && segment.is_declared && !candidate.is_certain;
        candidate.is_certain |= !is_tagged && letters.contains(&index);
        if outlined.is_some()
            || candidate.is_certain
            || !is_tagged && looks_like(document, segments, index, candidate.depth)
        {
            candidates.push(candidate);
        }
    }
    let is_outlined = entries.is_found();
    if !is_outlined {
        candidates.retain_mut(|candidate| {
            candidate.outlined.take().is_none()
                || candidate.is_certain
                || looks_like(document, segments, candidate.segment, candidate.depth)
        });
    }
    drop_repeated(document, segments, &mut candidates);
    drop_terms(document, segments, &mut candidates);
    drop_false(document, segments, &mut candidates);
    let title = find_title(document, segments, &mut candidates);
    if let Some(title) = title {
        drop_front_matter(document, segments, &mut candidates, title);
    }
    let levels = levels(&candidates, title.is_some());
    for (candidate, level) in candidates.iter().zip(levels) {
        if let Some(segment) = segments.get_mut(candidate.segment) {
            segment.class = SegmentClass::Heading(level);
        }
    }
}

fn candidate(
    document: &MeasuredDocument,
    segment: &Segment,
    index: usize,
    ranks: &HashMap<u32, u32>,
) -> Candidate {
    let key = super::measure::size_key(segment.size);
    let first = document.line(segment.items.start);
    let text = first.map_or("", |line| line.text());
    let role = first.and_then(|line| line.line.declared?.role);
    Candidate {
        is_certain: matches!(role, Some(Role::Heading(_))),
        segment: index,
        look: HeadingStyle {
            size: ranks.get(&key).copied().unwrap_or(0),
            is_bold: segment.is_bold,
            is_caps: segment.is_caps,
            is_italic: segment.is_italic,
        },
        depth: number_depth(text),
        number: number(text),
        division: division(text).map(|(division, _)| division),
        outlined: None,
        declared: None,
        is_title: false,
    }
}

/// The ranks of the sizes of the document. Sizes that hardly differ have the same rank.
fn size_ranks(document: &MeasuredDocument, segments: &[Segment]) -> HashMap<u32, u32> {
    let mut keys: Vec<u32> = segments
        .iter()
        .map(|segment| super::measure::size_key(segment.size))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let ratio = match document.precision {
        Precision::Exact => MAX_SAME_LOOK_RATIO,
        Precision::Scanned => document.precision.size_ratio(),
    };
    let mut ranks = HashMap::new();
    let (mut rank, mut first) = (0, 0.0);
    for key in keys {
        if key as f32 > first * ratio {
            rank += 1;
            first = key as f32;
        }
        ranks.insert(key, rank);
    }
    ranks
}

/// The segments that are the letters of a dictionary or index: set apart by their style, in the
/// order of the alphabet, each above an entry that starts with it.
fn letters(document: &MeasuredDocument, segments: &[Segment]) -> HashSet<usize> {
    let first_letter = |segment: &Segment| {
        let text = document.line(segment.items.start)?.text();
        text.chars().find(|c| c.is_alphabetic())
    };
    let letter = |index: usize| {
        let segment = segments.get(index)?;
        let is_marked = segment.is_bold && !document.is_body_bold
            || document.ratio(segment.size) >= MIN_LARGE_RATIO;
        let own = first_letter(segment).filter(|c| !c.is_lowercase())?;
        let next = segments.get(index + 1..)?.iter();
        let mut next = next.filter(|next| !matches!(next.class, SegmentClass::Running(_)));
        let entry = first_letter(next.next()?)?;
        let is_same = own.to_lowercase().eq(entry.to_lowercase());
        (segment.letters == 1 && segment.lines() == 1 && is_marked && is_same).then_some(own)
    };
    let found: Vec<(usize, char)> = (0..segments.len())
        .filter_map(|index| Some((index, letter(index)?)))
        .collect();
    let runs = found.chunk_by(|above, below| above.1 < below.1);
    let runs = runs.filter(|run| run.len() >= MIN_LETTERS_OF_INDEX);
    runs.flatten().map(|(index, _)| *index).collect()
}

/// Whether a segment looks like a heading.
fn looks_like(
    document: &MeasuredDocument,
    segments: &[Segment],
    index: usize,
    depth: Option<usize>,
) -> bool {
    let Some(segment) = segments.get(index) else {
        return false;
    };
    let Some((first, last)) = segment.ends(document) else {
        return false;
    };
    let text = first.text();
    let ratio = document.ratio(segment.size);
    let letters = segment
        .measures(document)
        .flat_map(|line| line.text().chars())
        .filter(|c| c.is_alphabetic());
    let (mut alphabetic, mut cjk) = (0, 0);
    let mut first_letter = None;
    for letter in letters {
        first_letter = first_letter.or(Some(letter));
        alphabetic += 1;
        cjk += usize::from(joins_lines(letter));
    }
    // The name of a product may have more digits than letters.
    let is_name =
        ratio > MAX_LABEL_RATIO && segment.is_bold && text.starts_with(char::is_uppercase);
    if alphabetic < 2 && cjk == 0 || 2 * alphabetic < segment.letters && !is_name {
        return false;
    }
    let is_number = depth.is_some();
    if is_formula(text)
        || !is_number && first.line.gaps >= min_gaps_of_row(document, segments, index)
    {
        return false;
    }
    if matches!(segment.class, SegmentClass::Item(marker, _) if !is_number && marker.length > 0) {
        return false;
    }
    // A quotation may contain the end of its sentence.
    let end = last.text().trim_end_matches(['”', '"', '’', '»']);
    let ends_sentence = end.ends_with(['.', '。', ';', ',', '،']) || ends_with_relation(end);
    let min_large = match document.precision {
        Precision::Exact => MIN_LARGE_RATIO,
        Precision::Scanned => MIN_LARGE_SCANNED_RATIO,
    };
    let starts = first_letter.is_some_and(|c: char| !c.is_lowercase() || is_number);
    if ratio >= min_large {
        let is_short = segment.lines() <= 3 || ratio > 1.4;
        return is_short && !(ends_sentence && segment.lines() > 1) && (starts || ratio > 1.3);
    }
    // Small capitals are drawn as smaller letters.
    let min_size = if is_number && segment.is_caps && segment.lines() == 1 {
        MIN_SMALL_CAPS_RATIO
    } else {
        MIN_SIZE_RATIO
    };
    if ratio < min_size || document.precision == Precision::Scanned || !starts {
        return false;
    }
    if segment.lines() > 3 || (ends_sentence && !is_number) {
        return false;
    }
    if segment.is_bold && !document.is_body_bold {
        let is_label = last.text().ends_with(':') || is_amount(text);
        return !(ends_sentence || is_label && !is_number);
    }
    let is_alone = is_alone(document, segments, index);
    if is_alone && division(text).is_some() && is_label(text) {
        return true;
    }
    if is_number && is_alone && segment.lines() <= 2 && !ends_sentence {
        return segment.is_caps
            || is_small_caps(text)
            || (segment.is_italic && !document.is_body_italic);
    }
    // A name below a rule belongs to a signature.
    segment.is_caps
        && !first.is_after_rule
        && is_alone
        && segment.lines() <= 2
        && !text.contains(['=', '('])
        && alphabetic >= 5
}

/// The number of wide gaps that make a line a row of a table, such as its header: fewer if the line
/// before or after it is a row, too.
fn min_gaps_of_row(document: &MeasuredDocument, segments: &[Segment], index: usize) -> usize {
    let page = segments.get(index).map(|segment| segment.page);
    let is_row = |other: Option<&Segment>, is_next: bool| {
        let other = other.filter(|other| Some(other.page) == page);
        let line = other.and_then(|other| other.ends(document));
        let line = line.map(|(first, last)| if is_next { first } else { last });
        line.is_some_and(|line| line.line.gaps > 0 && !line.is_entry)
    };
    let before = index.checked_sub(1).and_then(|before| segments.get(before));
    if is_row(segments.get(index + 1), true) || is_row(before, false) {
        1
    } else {
        MIN_GAPS_OF_ROW
    }
}

/// Joins the number of a chapter or part, such as `Chapter One`, with the title on the next line,
/// unless it is an entry of the outline. With an outline, numbers without a word are not joined.
fn join_labels(document: &MeasuredDocument, segments: &mut Vec<Segment>, outline: &[OutlineEntry]) {
    let entries: HashSet<String> = outline.iter().map(|entry| plain(&entry.title)).collect();
    let is_entry = |segment: &Segment| {
        let text = segment.text(document);
        !entries.is_empty() && (division(&text).is_none() || entries.contains(&plain(&text)))
    };
    let is_joined: Vec<bool> = (0..segments.len())
        .map(|index| is_label_of_next(document, segments, index))
        .zip(segments.iter())
        .map(|(is_label, segment)| is_label && !is_entry(segment))
        .collect();
    if !is_joined.contains(&true) {
        return;
    }
    let mut joined: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut is_open = false;
    for (mut segment, is_label) in std::mem::take(segments).into_iter().zip(is_joined) {
        if is_open && let Some(label) = joined.pop() {
            segment.items.start = label.items.start;
            segment.letters += label.letters;
            segment.left = segment.left.min(label.left);
            segment.right = segment.right.max(label.right);
        }
        joined.push(segment);
        is_open = is_label;
    }
    *segments = joined;
}

/// Whether a segment is the number of the heading directly below it.
fn is_label_of_next(document: &MeasuredDocument, segments: &[Segment], index: usize) -> bool {
    let (Some(label), Some(title)) = (segments.get(index), segments.get(index + 1)) else {
        return false;
    };
    let (Some((line, _)), Some((first, _))) = (label.ends(document), title.ends(document)) else {
        return false;
    };
    let text = line.text();
    let is_paragraph = |segment: &Segment| {
        !segment.is_declared
            && matches!(
                segment.class,
                SegmentClass::Paragraph | SegmentClass::Item(..)
            )
    };
    let has_same_look = || {
        label.is_bold == title.is_bold
            && document.is_same_size(label.size, title.size)
            && (label.is_bold || document.ratio(label.size) >= MIN_LARGE_RATIO)
    };
    is_paragraph(label)
        && is_paragraph(title)
        && label.lines() == 1
        && title.items.start == label.items.end
        && document.is_below(line, first)
        && first.base() - line.base() < MAX_LABEL_STEP_EMS * title.size.max(label.size)
        && is_label(text)
        && !is_label(first.text())
        && number_depth(first.text()).is_none()
        && (division(text).is_some() || has_same_look())
        && looks_like(document, segments, index + 1, None)
}

/// Whether a text ends with a relation sign, as a part of a formula does.
fn ends_with_relation(text: &str) -> bool {
    text.ends_with(['=', '+', '<', '>', '≤', '≥', '∑', '−'])
}

/// Whether a text is a label with an amount, such as `Total: 344.22 EUR`.
fn is_amount(text: &str) -> bool {
    let amount = text.rsplit_once(':').map_or("", |(_, amount)| amount);
    let letters = amount.chars().filter(|c| c.is_alphabetic()).count();
    amount.contains(|c: char| c.is_ascii_digit())
        && letters <= MAX_CURRENCY_LETTERS
        && division(text).is_none()
}

/// Whether a text has signs that occur in formulas but not in headings.
fn is_formula(text: &str) -> bool {
    text.contains(['=', '·', '∑', '∏', '∫', '≤', '≥', '≈', '∝', '√', '∂', '∈'])
}

/// Whether most letters after a number are capitals, and the others may be small capitals.
fn is_small_caps(text: &str) -> bool {
    let (upper, lower) = text.chars().fold((0, 0), |(upper, lower), c| {
        (
            upper + usize::from(c.is_uppercase()),
            lower + usize::from(c.is_lowercase()),
        )
    });
    upper > 4 * lower && upper >= 4
}

/// Whether a segment fills its line: no other text is directly before or after it.
fn is_alone(document: &MeasuredDocument, segments: &[Segment], index: usize) -> bool {
    let Some(segment) = segments.get(index) else {
        return false;
    };
    let Some((first, last)) = segment.ends(document) else {
        return false;
    };
    let leading = document.leading(document.body_size);
    let near = |other: Option<&Segment>, is_before: bool| {
        let Some((other_first, other_last)) = other
            .filter(|other| other.page == segment.page && other.class == SegmentClass::Paragraph)
            .and_then(|other| other.ends(document))
        else {
            return false;
        };
        if is_before {
            let step = first.base() - other_last.base();
            (0.0..1.15 * leading).contains(&step)
        } else {
            let step = other_first.base() - last.base();
            (0.0..0.8 * leading).contains(&step)
        }
    };
    let before = index.checked_sub(1).and_then(|before| segments.get(before));
    !near(before, true) && !near(segments.get(index + 1), false)
}

/// Drops candidates that only the outline makes a heading, such as the points of an agenda, if a
/// heading has the same text. That heading gets the level.
fn drop_repeated(
    document: &MeasuredDocument,
    segments: &[Segment],
    candidates: &mut Vec<Candidate>,
) {
    let title = |candidate: &Candidate| {
        let segment = segments.get(candidate.segment);
        plain(&segment.map_or_else(String::new, |segment| segment.text(document)))
    };
    let is_weak = |candidate: &Candidate| {
        candidate.outlined.is_some()
            && candidate.declared.is_none()
            && !candidate.is_certain
            && !looks_like(document, segments, candidate.segment, candidate.depth)
    };
    let weak: Vec<bool> = candidates.iter().map(is_weak).collect();
    if !weak.contains(&true) {
        return;
    }
    // The headings that are not in the outline, from the last one.
    let mut others: HashMap<String, Vec<usize>> = HashMap::new();
    for (position, candidate) in candidates.iter().enumerate().rev() {
        if candidate.outlined.is_none() {
            others.entry(title(candidate)).or_default().push(position);
        }
    }
    let mut is_kept = vec![true; candidates.len()];
    for position in (0..candidates.len()).filter(|position| weak.get(*position) == Some(&true)) {
        let Some(candidate) = candidates.get(position) else {
            continue;
        };
        let level = candidate.outlined;
        let other = others.get_mut(&title(candidate)).and_then(Vec::pop);
        if let Some(other) = other.and_then(|other| candidates.get_mut(other)) {
            other.outlined = level;
            if let Some(is_kept) = is_kept.get_mut(position) {
                *is_kept = false;
            }
        }
    }
    let mut is_kept = is_kept.into_iter();
    candidates.retain(|_| is_kept.next().unwrap_or(true));
}

/// Drops the terms of a glossary: as large as the text, each above a text that is indented. They
/// are in the order of the alphabet, or other text has their left edge.
fn drop_terms(document: &MeasuredDocument, segments: &[Segment], candidates: &mut Vec<Candidate>) {
    let mut lefts: Vec<f32> = (segments.iter())
        .filter(|segment| {
            segment.class == SegmentClass::Paragraph
                && segment.letters >= MIN_PROSE_LETTERS
                && segment.lines() > 1
        })
        .map(|segment| segment.left)
        .collect();
    lefts.sort_by(f32::total_cmp);
    let has_prose = |segment: &Segment| {
        let first = lefts.partition_point(|left| *left < segment.left - MAX_LEFT_DIFFERENCE_POINTS);
        (lefts.get(first)).is_some_and(|left| *left < segment.left + MAX_LEFT_DIFFERENCE_POINTS)
    };
    // The text of a term, and whether text outside of the glossary has its left edge.
    let term = |candidate: &Candidate| {
        let segment = segments.get(candidate.segment)?;
        let after = segments.get(candidate.segment + 1..)?.iter();
        let mut after = after.filter(|next| !matches!(next.class, SegmentClass::Running(_)));
        let next = after.next()?;
        let is_term = candidate.outlined.is_none()
            && candidate.declared.is_none()
            && !candidate.is_certain
            && candidate.depth.is_none()
            && document.ratio(segment.size) < MIN_LARGE_RATIO
            && next.class == SegmentClass::Paragraph
            && next.left > segment.left + MIN_INDENT_OF_MEANING_EMS * segment.size;
        is_term.then(|| (plain(&segment.text(document)), has_prose(segment)))
    };
    type Term = Option<(String, bool)>;
    let terms: Vec<Term> = candidates.iter().map(term).collect();
    let is_next = |above: &Term, below: &Term| match (above, below) {
        (Some(above), Some(below)) => above.1 && below.1 || above.0 <= below.0,
        (None, None) => true,
        _ => false,
    };
    let mut kept = terms.chunk_by(is_next).flat_map(|run| {
        let are_terms = run.len() >= MIN_TERMS && run.iter().all(Option::is_some);
        run.iter().map(move |_| !are_terms)
    });
    candidates.retain(|_| kept.next().unwrap_or(true));
}

/// Drops candidates that are figure labels or that no text follows.
fn drop_false(document: &MeasuredDocument, segments: &[Segment], candidates: &mut Vec<Candidate>) {
    let is_candidate: Vec<bool> = {
        let mut is_candidate = vec![false; segments.len()];
        for candidate in candidates.iter() {
            if let Some(entry) = is_candidate.get_mut(candidate.segment) {
                *entry = true;
            }
        }
        is_candidate
    };
    // For each segment, the next one that is neither a candidate nor a running line.
    let mut next_text: Vec<Option<usize>> = vec![None; segments.len() + 1];
    for index in (0..segments.len()).rev() {
        let is_other = segments
            .get(index)
            .is_some_and(|segment| !matches!(segment.class, SegmentClass::Running(_)))
            && !is_candidate.get(index).copied().unwrap_or(false);
        let value = if is_other {
            Some(index)
        } else {
            next_text.get(index + 1).copied().flatten()
        };
        if let Some(entry) = next_text.get_mut(index) {
            *entry = value;
        }
    }
    let is_axis: Vec<bool> = (segments.iter().zip(&is_candidate))
        .map(|(segment, is_candidate)| !is_candidate && is_axis(document, segment))
        .collect();
    // For each segment, the last one before it that is neither a candidate nor a running line.
    let mut text_before: Vec<Option<usize>> = Vec::with_capacity(segments.len());
    let mut before = None;
    for (index, (segment, is_candidate)) in segments.iter().zip(&is_candidate).enumerate() {
        text_before.push(before);
        if !is_candidate && !matches!(segment.class, SegmentClass::Running(_)) {
            before = Some(index);
        }
    }
    candidates.retain(|candidate| {
        if candidate.outlined.is_some() || candidate.declared.is_some() || candidate.is_certain {
            return true;
        }
        let Some(segment) = segments.get(candidate.segment) else {
            return false;
        };
        let next = next_text
            .get(candidate.segment + 1)
            .copied()
            .flatten()
            .and_then(|next| segments.get(next));
        let Some(next) = next else {
            // The last text of a document is a heading only if it is the only text.
            return candidate.segment == 0;
        };
        // The title of a plot or of its axis is beside the numbers of an axis, with no other text
        // between them. The heading of the page may be above the first plot.
        let is_plot = |position: Option<usize>| {
            let other = position.and_then(|position| segments.get(position));
            position.is_some_and(|position| is_axis.get(position) == Some(&true))
                && other.is_some_and(|other| other.page == segment.page)
        };
        let after = next_text.get(candidate.segment + 1).copied().flatten();
        let before = text_before.get(candidate.segment).copied().flatten();
        let is_large = document.ratio(segment.size) > MAX_LABEL_RATIO;
        let is_title = match (is_plot(before), is_plot(after)) {
            (true, true) => true,
            (true, false) => !is_large && next.letters < MIN_PROSE_LETTERS,
            (false, true) => !is_large,
            (false, false) => false,
        };
        if is_title && candidate.depth.is_none() {
            return false;
        }
        if candidate.depth.is_some() || is_large {
            return true;
        }
        let is_label = match next.class {
            SegmentClass::Caption => segment.letters < 40,
            SegmentClass::Paragraph => {
                next.page == segment.page && next.letters < 25 && document.ratio(next.size) < 0.93
            }
            _ => false,
        };
        !is_label
    });
}

/// Whether a segment has the numbers of an axis: at least four, equally spaced and side by side. A
/// vertical column of numbers may be line numbers.
fn is_axis(document: &MeasuredDocument, segment: &Segment) -> bool {
    if segment.lines() > 1 {
        return false;
    }
    let mut last: Option<f64> = None;
    let mut step: Option<f64> = None;
    let mut count = 0;
    for line in segment.measures(document) {
        for word in line.text().split_whitespace() {
            let word = word.trim_end_matches('%').replace('−', "-");
            let Ok(number) = word.parse::<f64>() else {
                return false;
            };
            if let Some(last) = last {
                let own = number - last;
                let is_same = |step: f64| (own - step).abs() <= MAX_STEP_DIFFERENCE * step.abs();
                if own == 0.0 || !step.is_none_or(is_same) {
                    return false;
                }
                step = step.or(Some(own));
            }
            last = Some(number);
            count += 1;
        }
    }
    count >= MIN_AXIS_NUMBERS
}

/// Finds the title: the most prominent candidate at the start, if no other heading looks like it.
/// Returns its index among the candidates.
fn find_title(
    document: &MeasuredDocument,
    segments: &[Segment],
    candidates: &mut [Candidate],
) -> Option<usize> {
    let page = segments
        .iter()
        .find(|segment| {
            matches!(
                segment.class,
                SegmentClass::Paragraph | SegmentClass::Heading(_)
            )
        })?
        .page;
    if candidates
        .iter()
        .any(|candidate| candidate.declared.is_some())
    {
        return None;
    }
    let height = document.pages.get(page)?.height;
    let on_first = candidates.iter().enumerate().filter(|(_, candidate)| {
        segments.get(candidate.segment).is_some_and(|segment| {
            let first = document.line(segment.items.start);
            segment.page == page && first.is_some_and(|line| line.base() < 0.6 * height)
        })
    });
    let (position, title) = on_first.max_by(|a, b| {
        let by_look = a.1.look.size.cmp(&b.1.look.size);
        by_look.then(b.0.cmp(&a.0))
    })?;
    let look = title.look;
    let is_unique = candidates
        .iter()
        .all(|other| other.segment == title.segment || other.look.size < look.size);
    let is_first = candidates
        .iter()
        .take(position)
        .all(|before| before.look.size < look.size);
    let is_large = segments
        .get(title.segment)
        .is_some_and(|segment| document.ratio(segment.size) >= MIN_LARGE_RATIO);
    if !(is_unique && is_first && is_large && title.depth.is_none()) {
        return None;
    }
    if let Some(title) = candidates.get_mut(position) {
        title.is_title = true;
    }
    Some(position)
}

/// Drops candidates between title and text, such as authors, if no later heading looks like them
/// and no text directly follows.
fn drop_front_matter(
    document: &MeasuredDocument,
    segments: &[Segment],
    candidates: &mut Vec<Candidate>,
    title: usize,
) {
    let Some(title) = candidates.get(title).map(|title| title.segment) else {
        return;
    };
    let Some(page) = segments.get(title).map(|segment| segment.page) else {
        return;
    };
    let is_prose = |segment: &Segment| {
        segment.class == SegmentClass::Paragraph
            && segment.letters >= MIN_PROSE_LETTERS
            && segment.lines() >= 2
            && document.ratio(segment.size) < MIN_LARGE_RATIO
    };
    let is_candidate: HashSet<usize> = candidates.iter().map(|other| other.segment).collect();
    let after_title = || {
        let after = segments.iter().enumerate().skip(title + 1);
        after.filter(|(index, _)| !is_candidate.contains(index))
    };
    // The text begins with the first long paragraph. On a page without one, it begins with the
    // first list, table, code or sentence.
    let long = after_title()
        .find(|(_, segment)| is_prose(segment) && segment.letters > 2 * MIN_PROSE_LETTERS);
    let short = || {
        after_title()
            .take_while(|(_, segment)| segment.page == page)
            .find(|(_, segment)| match segment.class {
                SegmentClass::Item(..) | SegmentClass::Block | SegmentClass::Code => true,
                SegmentClass::Paragraph => is_sentence(document, segment),
                _ => false,
            })
    };
    let first_text = long
        .filter(|(_, segment)| segment.page == page)
        .or_else(short)
        .or(long)
        .map_or(segments.len(), |(index, _)| index);
    // The left edges and centers of later headings of each look, from that of the first text on.
    let mut later: HashMap<HeadingStyle, Vec<(usize, f32, f32)>> = HashMap::new();
    for candidate in candidates.iter() {
        if candidate.segment + 1 >= first_text
            && let Some(segment) = segments.get(candidate.segment)
        {
            let center = (segment.left + segment.right) / 2.0;
            let edges = later.entry(candidate.look).or_default();
            edges.push((candidate.segment, segment.left, center));
        }
    }
    let text_left = segments.get(first_text).map(|text| text.left);
    candidates.retain(|candidate| {
        let Some(segment) = segments.get(candidate.segment) else {
            return false;
        };
        let is_front = segment.page == page
            && candidate.segment != title
            && candidate.segment < first_text
            && candidate.outlined.is_none()
            && !candidate.is_certain
            && candidate.depth.is_none();
        if !is_front {
            return true;
        }
        // The heading of the first text, such as the abstract.
        let has_references = segment.measures(document).any(|line| {
            let mut marks = line.line.text.marks.iter();
            marks.any(|mark| mark.kind == MarkKind::Superscript)
        });
        let is_above_text =
            candidate.segment + 1 == first_text && segment.letters <= 40 && !has_references;
        let is_aligned = || {
            let center = (segment.left + segment.right) / 2.0;
            let edges = || later.get(&candidate.look).into_iter().flatten();
            let edges = || edges().filter(|other| other.0 != candidate.segment);
            let is_near = |distance: f32| distance.abs() < 2.0 * segment.size;
            let centered = edges().filter(|edges| is_near(edges.2 - center)).count();
            // Later headings may be in other columns.
            let is_above = text_left.is_some_and(|left| is_near(left - segment.left));
            segment.lines() == 1
                && (edges().any(|edges| is_near(edges.1 - segment.left))
                    || is_above && edges().count() >= MIN_LATER_HEADINGS
                    || centered >= MIN_CENTERED_LINES)
        };
        candidate.segment > title && (is_above_text || !has_references && is_aligned())
    });
}

/// Whether a paragraph has about the size of the text and ends like a sentence.
fn is_sentence(document: &MeasuredDocument, segment: &Segment) -> bool {
    let last = segment.ends(document).map(|(_, last)| last.text());
    let ends = last.is_some_and(|last| last.trim_end().ends_with(['.', '!', '?', '。']));
    ends && 2 * segment.letters >= MIN_PROSE_LETTERS
        && document.ratio(segment.size) < MIN_LARGE_RATIO
}

/// The level of each candidate.
fn levels(candidates: &[Candidate], has_title: bool) -> Vec<u8> {
    let title = candidates.iter().find(|candidate| candidate.is_title);
    let base = usize::from(has_title);
    // An outline may contain the title as its only entry of the top level.
    let outlined = candidates.iter().filter_map(|candidate| candidate.outlined);
    let top = outlined.clone().min().unwrap_or(1);
    let outline_base = match title.and_then(|title| title.outlined) {
        Some(_) => 0,
        None => base,
    };
    let scheme = Scheme::of(candidates);
    // The level of each look, from section numbers or the outline.
    let mut counts: HashMap<HeadingStyle, HashMap<usize, usize>> = HashMap::new();
    if let Some(look) = scheme.parent {
        let levels = counts.entry(look).or_default();
        levels.insert(base + 1, candidates.len());
    }
    for candidate in candidates.iter().filter(|candidate| !candidate.is_title) {
        let level = match candidate.outlined {
            Some(level) => Some((level - top.min(level)) as usize + 1 + outline_base),
            None => scheme.depth(candidate).map(|depth| base + depth),
        };
        let looks = counts.entry(candidate.look).or_default();
        if let Some(level) = level {
            *looks.entry(level).or_default() += 1;
        }
    }
    let mut looks: Vec<(HeadingStyle, Option<usize>)> = counts
        .into_iter()
        .map(|(look, levels)| {
            let most = levels
                .into_iter()
                .max_by_key(|(level, count)| (*count, std::cmp::Reverse(*level)));
            (look, most.map(|(level, _)| level))
        })
        .collect();
    looks.sort_by_key(|(look, _)| std::cmp::Reverse(*look));
    let mut known: HashMap<HeadingStyle, usize> = HashMap::new();
    let mut above: Option<usize> = None;
    for position in 0..looks.len() {
        let Some((look, level)) = looks.get(position).copied() else {
            continue;
        };
        let below = looks
            .iter()
            .skip(position + 1)
            .find_map(|(_, level)| *level);
        let level = level.unwrap_or(match (above, below) {
            (None, Some(below)) => below,
            (Some(above), Some(below)) => below.clamp(above.min(below), above + 1),
            (Some(above), None) => above + 1,
            (None, None) => base + 1,
        });
        known.insert(look, level);
        above = Some(above.map_or(level, |above| above.max(level)));
    }
    candidates
        .iter()
        .map(|candidate| {
            let level = match candidate {
                Candidate {
                    declared: Some(level),
                    ..
                } => usize::from(*level),
                Candidate { is_title: true, .. } => 1,
                Candidate {
                    outlined: Some(level),
                    ..
                } => (level - top.min(*level)) as usize + 1 + outline_base,
                _ => match scheme.depth(candidate) {
                    Some(depth) => base + depth,
                    None => known.get(&candidate.look).copied().unwrap_or(base + 1),
                },
            };
            level.clamp(1, MAX_LEVEL) as u8
        })
        .collect()
}

/// The numbering of the headings of a document.
struct Scheme {
    /// Whether there are parts, which contain chapters.
    has_parts: bool,
    /// Whether the numbers of sections start over in each chapter, or below each heading with
    /// another look.
    starts_over: bool,
    /// The look of the headings below which they start over.
    parent: Option<HeadingStyle>,
}

impl Scheme {
    fn of(candidates: &[Candidate]) -> Self {
        let has_parts =
            (candidates.iter()).any(|candidate| candidate.division == Some(Division::Part));
        // The heads since the last number, and how often each kind is before a number that starts
        // over.
        let mut head: Option<(Option<Division>, HeadingStyle)> = None;
        let mut last: Option<u32> = None;
        let (mut chapters, mut others) = (0, 0);
        let mut looks: HashMap<HeadingStyle, usize> = HashMap::new();
        for candidate in candidates {
            let Some(number) = candidate.number.filter(|_| candidate.division.is_none()) else {
                let rank = |head: &(Option<Division>, HeadingStyle)| match head.0 {
                    Some(Division::Part) => (2, head.1),
                    Some(Division::Chapter) => (1, head.1),
                    None => (0, head.1),
                };
                if candidate.depth.is_none() && !candidate.is_title {
                    let own = (candidate.division, candidate.look);
                    head = head.filter(|head| rank(head) >= rank(&own)).or(Some(own));
                }
                continue;
            };
            if last.is_some_and(|last| number <= last) {
                match head {
                    Some((Some(Division::Part), _)) => {}
                    Some((Some(Division::Chapter), _)) => chapters += 1,
                    Some((None, look)) if look > candidate.look => {
                        *looks.entry(look).or_default() += 1;
                    }
                    _ => others += 1,
                }
            }
            last = Some(number);
            head = None;
        }
        let parent = match looks.len() {
            1 if chapters == 0 && others == 0 && !has_parts => looks.into_keys().next(),
            _ => None,
        };
        Self {
            has_parts,
            starts_over: chapters > others || parent.is_some(),
            parent,
        }
    }

    /// The number of levels of a heading, if its number or its words say it.
    fn depth(&self, candidate: &Candidate) -> Option<usize> {
        let parts = usize::from(self.has_parts);
        match candidate.division {
            Some(Division::Part) => Some(1),
            Some(Division::Chapter) => Some(parts + 1),
            None => Some(parts + usize::from(self.starts_over) + candidate.depth?),
        }
    }
}

/// The number at the start of a heading with a single number, such as `2` or `2.`.
fn number(text: &str) -> Option<u32> {
    let (word, _) = text.split_once(' ')?;
    number_depth(text).filter(|depth| *depth == 1)?;
    word.trim_end_matches(['.', ')', ':']).parse().ok()
}

/// The number of parts of the number at the start of a heading: 1 for `2`, `IV.` and `Appendix A`,
/// 2 for `2.1` and for single letters after Roman numbers.
fn number_depth(text: &str) -> Option<usize> {
    let (word, rest) = text.split_once(' ')?;
    if rest.trim().is_empty() {
        return None;
    }
    let core = word.trim_end_matches(['.', ')', ':']);
    let has_mark = core.len() < word.len();
    if core.is_empty() || core.len() > 12 {
        return None;
    }
    let parts: Vec<&str> = core.split('.').collect();
    let is_part = |part: &&str| {
        !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_letter = |part: &str| part.len() == 1 && part.bytes().all(|b| b.is_ascii_uppercase());
    if parts.iter().all(is_part) {
        let is_zero = parts.first().is_some_and(|part| part.starts_with('0'));
        return (!is_zero && parts.len() <= 5).then_some(parts.len());
    }
    if let Some((first, rest)) = parts.split_first()
        && is_letter(first)
        && (!rest.is_empty() || has_mark)
        && rest.iter().all(is_part)
    {
        // `I`, `V` and `X` are Roman numbers.
        let is_roman = rest.is_empty() && matches!(*first, "I" | "V" | "X");
        return Some(if rest.is_empty() && !is_roman {
            2
        } else {
            rest.len() + 1
        });
    }
    let is_upper = core.bytes().all(|byte| byte.is_ascii_uppercase());
    (has_mark && is_upper && roman(core).is_some()).then_some(1)
}

/// The entries of the outline that were not found yet.
struct Outline {
    /// By title: the pages and levels.
    entries: HashMap<String, Vec<(Option<u32>, u32)>>,
    all: usize,
    found: usize,
}

impl Outline {
    fn new(outline: &[OutlineEntry]) -> Self {
        let mut entries: HashMap<String, Vec<(Option<u32>, u32)>> = HashMap::new();
        let mut all = 0;
        for entry in outline {
            let title = plain(&entry.title);
            if !title.is_empty() {
                all += 1;
                entries
                    .entry(title)
                    .or_default()
                    .push((entry.page, entry.level.max(1)));
            }
        }
        Self {
            entries,
            all,
            found: 0,
        }
    }

    /// Takes the entry with this title on a page, and returns its level. Entries of pages beside it
    /// need a likely heading: the text may also be in a table of contents.
    fn take(
        &mut self,
        text: &str,
        document: &MeasuredDocument,
        page: usize,
        is_likely: impl Fn() -> bool,
    ) -> Option<u32> {
        if self.all == 0 {
            return None;
        }
        let number = document.pages.get(page)?.number;
        let waiting = self.entries.get_mut(&plain(text))?;
        let mut near = waiting.iter().take(MAX_SAME_TITLES).enumerate();
        let is_here =
            |(_, (page, _)): &(usize, &(Option<u32>, u32))| page.is_none_or(|page| page == number);
        let is_beside = |(_, (page, _)): &(usize, &(Option<u32>, u32))| {
            page.is_some_and(|page| page.abs_diff(number) == 1)
        };
        let position = near.clone().find(is_here);
        let position = position.or_else(|| near.find(is_beside).filter(|_| is_likely()));
        let (position, _) = position?;
        self.found += 1;
        Some(waiting.remove(position).1)
    }

    fn is_found(&self) -> bool {
        self.found as f32 >= MIN_OUTLINE_SHARE * self.all as f32
    }
}

/// The letters of a title in lower case, without its number.
fn plain(text: &str) -> String {
    let text = match number_depth(text) {
        Some(_) => text.split_once(' ').map_or(text, |(_, rest)| rest),
        None => text,
    };
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The end of a heading at the start of a paragraph: a short numbered or marked start in bold or
/// italic letters that ends with a full stop, colon or dash.
pub fn run_in_end(document: &MeasuredDocument, segment: &Segment) -> Option<usize> {
    /// Maximum length of a run-in heading.
    const MAX_BYTES: usize = 90;
    let line = document.line(segment.items.start)?;
    let text = &line.line.text;
    if segment.letters <= MIN_PROSE_LETTERS
        || !matches!(
            segment.class,
            SegmentClass::Paragraph | SegmentClass::Item(..)
        )
    {
        return None;
    }
    let is_usual = |kind: &MarkKind| match kind {
        MarkKind::Strong => document.is_body_bold || line.is_bold,
        MarkKind::Emphasis => document.is_body_italic || line.is_italic,
        _ => true,
    };
    let mark = text
        .marks
        .iter()
        .find(|mark| mark.range.start <= 4 && !is_usual(&mark.kind))?;
    let end = mark.range.end;
    let head = text.text.get(..end)?;
    let rest = text.text.get(end..)?;
    let is_ended =
        head.trim_end().ends_with(['—', '–', '.', ':']) || rest.starts_with(['—', '–', '.', ':']);
    let is_dash = head.trim_end().ends_with('—') || rest.starts_with('—');
    let is_numbered = number_depth(head).is_some();
    if line.line.run_in == Some(end) && segment.class == SegmentClass::Paragraph {
        // The number of a question is not a heading.
        let is_heading = end <= MAX_BYTES && head.contains(char::is_alphabetic);
        return is_heading.then_some(end);
    }
    // The number of an item does not count as part of the bold words after it.
    let is_heading = match segment.class {
        SegmentClass::Paragraph => is_dash || is_numbered,
        _ => is_numbered && mark.range.start == 0,
    };
    (is_ended && end <= MAX_BYTES && is_heading).then_some(end)
}
