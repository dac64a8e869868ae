//! How wide a gap has to be to part words.
//!
//! A space is about a quarter of an em wide, kerning less than a tenth, but letters may be spaced out, a line
//! stretched to the margin, or a narrow font used. So each line is asked: the space between its letters is the
//! usual gap in it, and what parts words is found in the emptiest stretch above that.

use super::characters::is_cjk;

/// A glyph of a line, and how far it is from the one before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    /// Place in the page's glyphs.
    pub(super) place: u32,
    /// In ems; nothing for the first of a line.
    pub(super) gap: f32,
    /// Its width, in ems.
    pub(super) width: f32,
    /// A space was drawn before it.
    pub(super) is_spaced: bool,
    /// That space comes from the same string as the glyph before it.
    pub(super) is_space_of_last: bool,
    /// It comes from the same string as the glyph before.
    pub(super) is_same_run: bool,
    /// How many of it and the glyph before are written without spaces between words.
    pub(super) cjk: u8,
    /// It has text of its own.
    pub(super) is_visible: bool,
    /// What comes of it: a word starts here.
    pub(super) is_apart: bool,
}

/// Gaps are counted in steps of a hundredth of an em, from below zero to above the widest space.
const STEP: f32 = 0.01;
const LOWEST: f32 = -0.25;
const STEPS: usize = 100;
/// Where the end of words is looked for, in ems above the gap between letters.
const WINDOW: f32 = 0.3;
/// Letters that were placed one by one are spaced out by so much at most; wider apart, they are single characters.
const MOST_LETTER_SPACE: f32 = 0.35;
/// Within one string of a file, gaps are all the same, and are words only if very wide.
const APART_IN_RUN: f32 = 0.6;
const APART_IN_CJK: f32 = 0.5;
const APART_FROM_CJK: f32 = 0.35;
/// The least that may be a space.
const NARROWEST: f32 = 0.1;
/// Words of a line are not longer than this on average.
const LONGEST_MEAN: usize = 12;
/// An average letter's width; narrow fonts have narrow spaces.
const USUAL_WIDTH: f32 = 0.42;

/// Finds where words start.
pub(super) fn find_words(line: &mut [Drawn]) {
    let mut counts = Counts::default();
    for drawn in line
        .iter()
        .skip(1)
        .filter(|drawn| !drawn.is_spaced && drawn.is_visible)
    {
        counts.add(drawn);
    }
    let width = line.iter().map(|drawn| drawn.width).sum::<f32>() / line.len().max(1) as f32;
    let scale = if line.len() >= 8 {
        (width / USUAL_WIDTH).clamp(0.5, 1.0)
    } else {
        1.0
    };
    let letters = counts.between_letters();
    let mut threshold = letters + counts.emptiest(letters, WINDOW * scale, true);
    let words = 1 + line
        .iter()
        .filter(|drawn| drawn.is_spaced || drawn.gap > threshold)
        .count();
    if line.len() > LONGEST_MEAN * words {
        // Hardly a line without spaces: they are narrow.
        threshold = letters + counts.emptiest(letters, WINDOW * scale, false);
    }
    for drawn in line {
        let limit = match drawn.cjk {
            0 => threshold,
            1 => letters + APART_FROM_CJK,
            _ => letters + APART_IN_CJK,
        };
        let limit = if drawn.is_same_run {
            limit.max(letters + APART_IN_RUN)
        } else {
            limit
        };
        drawn.is_apart = drawn.is_visible && (drawn.is_spaced || drawn.gap > limit);
    }
}

/// The gaps of a line that has no space drawn.
struct Counts {
    steps: [u32; STEPS],
    total: u32,
    in_runs: u32,
    sum_in_runs: f32,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            steps: [0; STEPS],
            total: 0,
            in_runs: 0,
            sum_in_runs: 0.0,
        }
    }
}

impl Counts {
    fn add(&mut self, drawn: &Drawn) {
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

    /// The gap between letters of a word: what the strings of the file tell, or else the usual one.
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
        let gap = LOWEST + (median as f32 + 0.5) * STEP;
        if near * 10 >= self.total * 6 && (-0.15..=MOST_LETTER_SPACE).contains(&gap) {
            gap
        } else {
            0.0
        }
    }

    /// The middle of the widest stretch without gaps, from `letters` upwards. The last stretch, which ends with the
    /// window, counts if there may be no words above it.
    fn emptiest(&self, letters: f32, window: f32, is_last_counted: bool) -> f32 {
        let (first, last) = (step(letters), step(letters + window));
        let (mut best, mut width) = (0.5 * window, 0);
        let mut start = first;
        for at in first + 1..=last {
            let is_taken = self.steps.get(at).is_some_and(|count| *count > 0);
            if is_taken || (at == last && is_last_counted) {
                let is_space = (at - first) as f32 * STEP >= NARROWEST;
                if at - start > width && is_space {
                    width = at - start;
                    best = 0.5 * (start + at - 2 * first) as f32 * STEP;
                }
                start = at;
            }
        }
        best
    }
}

fn step(gap: f32) -> usize {
    (((gap - LOWEST) / STEP).max(0.0) as usize).min(STEPS - 1)
}

/// How many of two neighbouring characters are written without spaces between words.
pub(super) fn count_cjk(before: &str, after: &str) -> u8 {
    let is_cjk = |character: Option<char>| u8::from(character.is_some_and(is_cjk));
    is_cjk(before.chars().next_back()) + is_cjk(after.chars().next())
}
