//! Finds the gaps that separate words.
//!
//! A space is about a quarter of an em wide, and kerning is less than a tenth. But letters may be
//! spaced out, lines justified, or fonts narrow. So the threshold is derived for each line: the
//! usual gap is the gap between letters, and the emptiest range of gaps above it separates words.

use super::characters::is_cjk;

/// A glyph of a line, with its distance from the previous one.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpacedGlyph {
    /// Index into the page's glyphs.
    pub(super) index: u32,
    /// The gap before it in ems; 0 for the first glyph of a line.
    pub(super) gap: f32,
    /// Its width, in ems.
    pub(super) width: f32,
    /// Whether a space was drawn before it.
    pub(super) is_spaced: bool,
    /// Whether that space comes from the same string as the previous glyph.
    pub(super) is_space_of_last: bool,
    /// Whether it comes from the same string as the previous glyph.
    pub(super) is_same_run: bool,
    /// The number of characters, of this and the previous glyph, in scripts without spaces between
    /// words.
    pub(super) cjk: u8,
    /// Whether it has visible text.
    pub(super) is_visible: bool,
    /// The result: whether a word starts here.
    pub(super) is_apart: bool,
}

/// Gaps are counted in steps of 0.01 em, from below zero to above the widest space.
const STEP_EMS: f32 = 0.01;
const MIN_GAP_EMS: f32 = -0.25;
const STEPS: usize = 100;
/// The range above the letter gap that is searched for the word gap, in ems.
const WINDOW_EMS: f32 = 0.3;
/// The maximum gap between letters that were placed one by one, in ems. Beyond it, they are single
/// characters.
const MAX_LETTER_GAP_EMS: f32 = 0.35;
/// The same limit in lines whose words are separated by drawn spaces.
const MAX_LETTER_GAP_IF_SPACED_EMS: f32 = 0.6;
/// The gap that separates words within one string, where gaps are usually even, in ems.
const WORD_GAP_IN_RUN_EMS: f32 = 0.6;
const WORD_GAP_IN_CJK_EMS: f32 = 0.5;
const WORD_GAP_BESIDE_CJK_EMS: f32 = 0.35;
/// The minimum width of a space, in ems.
const MIN_SPACE_EMS: f32 = 0.1;
/// The maximum mean length of the words in a line.
const MAX_MEAN_WORD_LENGTH: usize = 12;
/// The average width of a letter, in ems. Narrow fonts have narrow spaces.
const MEAN_LETTER_WIDTH_EMS: f32 = 0.42;

/// Marks the glyphs that start a word.
pub(super) fn find_words(line: &mut [SpacedGlyph]) {
    let mut counts = GapCounts::default();
    for drawn in line.iter().skip(1).filter(|drawn| drawn.is_visible) {
        if drawn.is_spaced {
            counts.max_letter_gap = MAX_LETTER_GAP_IF_SPACED_EMS;
        } else {
            counts.add(drawn);
        }
    }
    let width = line.iter().map(|drawn| drawn.width).sum::<f32>() / line.len().max(1) as f32;
    let scale = if line.len() >= 8 {
        (width / MEAN_LETTER_WIDTH_EMS).clamp(0.5, 1.0)
    } else {
        1.0
    };
    let letters = counts.between_letters();
    let mut threshold = letters + counts.emptiest(letters, WINDOW_EMS * scale, true);
    let words = 1 + line
        .iter()
        .filter(|drawn| drawn.is_spaced || drawn.gap > threshold)
        .count();
    if line.len() > MAX_MEAN_WORD_LENGTH * words {
        // Words this long are unlikely, so the spaces must be narrow.
        threshold = letters + counts.emptiest(letters, WINDOW_EMS * scale, false);
    }
    let is_pair = pairs(line, threshold);
    for (drawn, is_pair) in line.iter_mut().zip(is_pair) {
        let limit = match drawn.cjk {
            0 => threshold,
            1 => letters + WORD_GAP_BESIDE_CJK_EMS,
            _ => letters + WORD_GAP_IN_CJK_EMS,
        };
        let limit = if drawn.is_same_run && !is_pair {
            limit.max(letters + WORD_GAP_IN_RUN_EMS)
        } else {
            limit
        };
        drawn.is_apart = drawn.is_visible && (drawn.is_spaced || drawn.gap > limit);
    }
}

/// For each glyph, whether it is the second one of a string of two, and only the gap between them
/// is wide: Ghostscript writes spaces that way, as character spacing.
fn pairs(line: &[SpacedGlyph], threshold: f32) -> Vec<bool> {
    let is_pair = |index: usize| {
        let (Some(first), Some(second)) = (line.get(index - 1), line.get(index)) else {
            return false;
        };
        let is_close = |drawn: Option<&SpacedGlyph>| {
            drawn.is_some_and(|drawn| !drawn.is_same_run && drawn.gap < threshold / 2.0)
        };
        let starts = index == 1 || is_close(Some(first)) || !first.is_same_run && first.is_spaced;
        second.is_same_run && second.gap > threshold && starts && is_close(line.get(index + 1))
    };
    (0..line.len())
        .map(|index| index > 0 && is_pair(index))
        .collect()
}

/// A histogram of the gaps in a line without drawn spaces.
struct GapCounts {
    steps: [u32; STEPS],
    total: u32,
    in_runs: u32,
    sum_in_runs: f32,
    max_letter_gap: f32,
}

impl Default for GapCounts {
    fn default() -> Self {
        Self {
            steps: [0; STEPS],
            total: 0,
            in_runs: 0,
            sum_in_runs: 0.0,
            max_letter_gap: MAX_LETTER_GAP_EMS,
        }
    }
}

impl GapCounts {
    fn add(&mut self, drawn: &SpacedGlyph) {
        if drawn.is_same_run {
            self.in_runs += 1;
            self.sum_in_runs += drawn.gap.clamp(-1.0, 2.0);
        } else if drawn.cjk == 0 {
            if let Some(count) = self.steps.get_mut(step(drawn.gap)) {
                *count += 1;
            }
            self.total += 1;
        }
    }

    /// The gap between the letters of a word: the mean gap within strings, or else the most
    /// frequent gap.
    fn between_letters(&self) -> f32 {
        if self.in_runs >= 2 && self.in_runs * 3 >= self.total {
            return self.sum_in_runs / self.in_runs as f32;
        }
        if self.total < 4 {
            return 0.0;
        }
        let mut below = 0;
        let median = self.steps.iter().position(|count| {
            below += count;
            below * 2 >= self.total
        });
        let Some(median) = median else { return 0.0 };
        let near: u32 = self
            .steps
            .iter()
            .skip(median.saturating_sub(4))
            .take(9)
            .sum();
        let gap = MIN_GAP_EMS + (median as f32 + 0.5) * STEP_EMS;
        if near * 10 >= self.total * 6 && (-0.15..=self.max_letter_gap).contains(&gap) {
            gap
        } else {
            0.0
        }
    }

    /// The middle of the widest empty range above `letters`. With `is_last_counted`, the range at
    /// the end of the window also counts, although there may be no words above it.
    fn emptiest(&self, letters: f32, window: f32, is_last_counted: bool) -> f32 {
        let (first, last) = (step(letters), step(letters + window));
        let (mut best, mut width) = (0.5 * window, 0);
        let mut start = first;
        for at in first + 1..=last {
            let is_taken = self.steps.get(at).is_some_and(|count| *count > 0);
            if is_taken || (at == last && is_last_counted) {
                let is_space = (at - first) as f32 * STEP_EMS >= MIN_SPACE_EMS;
                if at - start > width && is_space {
                    width = at - start;
                    best = 0.5 * (start + at - 2 * first) as f32 * STEP_EMS;
                }
                start = at;
            }
        }
        best
    }
}

fn step(gap: f32) -> usize {
    (((gap - MIN_GAP_EMS) / STEP_EMS).max(0.0) as usize).min(STEPS - 1)
}

/// The number of characters, of two neighbors, in scripts without spaces between words.
pub(super) fn count_cjk(before: &str, after: &str) -> u8 {
    let is_cjk = |character: Option<char>| u8::from(character.is_some_and(is_cjk));
    is_cjk(before.chars().next_back()) + is_cjk(after.chars().next())
}
