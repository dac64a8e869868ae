use super::super::{Layout, lay_out};
use super::drawing::strings;
use super::{ALL, assert_consistent};
use crate::model::Options;

fn joined(lines: &[&str]) -> Layout {
    let lines: Vec<(f32, f32, &str)> = lines
        .iter()
        .enumerate()
        .map(|(place, line)| (10.0, 20.0 + 12.0 * place as f32, *line))
        .collect();
    let layout = lay_out(
        &strings(&lines),
        ALL,
        &Options {
            dehyphenate: true,
            ..Options::default()
        },
    );
    assert_consistent(&layout);
    layout
}

#[test]
fn words_stay_hyphenated_by_default() {
    let glyphs = strings(&[(10.0, 20.0, "an exam-"), (10.0, 32.0, "ple of it")]);
    assert_eq!(
        lay_out(&glyphs, ALL, &Options::default()).text,
        "an exam-\nple of it\n"
    );
}

#[test]
fn words_are_joined() {
    let layout = joined(&["an exam-", "ple of it"]);
    assert_eq!(layout.text, "an example\nof it\n");
    assert_eq!(
        layout
            .words
            .iter()
            .map(|word| word.text.as_str())
            .collect::<Vec<_>>(),
        ["an", "example", "of", "it"]
    );
}

#[test]
fn an_emptied_line_is_removed() {
    assert_eq!(
        joined(&["an exam-", "ple", "of it"]).text,
        "an example\nof it\n"
    );
    assert_eq!(
        joined(&["an ex-", "am-", "ple of it"]).text,
        "an example\nof it\n"
    );
}

#[test]
fn only_before_lower_case_letters() {
    assert_eq!(
        joined(&["Anna-", "Lena and 1990-", "95 went -", "on"]).text,
        "Anna-\nLena and 1990-\n95 went -\non\n"
    );
}

#[test]
fn compounds_keep_their_hyphen() {
    // The word has another hyphen, or the page spells it with one elsewhere.
    assert_eq!(
        joined(&["a state-of-the-", "art thing"]).text,
        "a state-of-the-art\nthing\n"
    );
    assert_eq!(
        joined(&["a well-", "known thing, well-known."]).text,
        "a well-known\nthing, well-known.\n"
    );
    assert_eq!(
        joined(&["(a re-", "read thing) reread x-y"]).text,
        "(a reread\nthing) reread x-y\n"
    );
}

#[test]
fn soft_hyphens_always_join() {
    assert_eq!(
        joined(&["an Exam\u{ad}", "Ple of it"]).text,
        "an ExamPle\nof it\n"
    );
}

#[test]
fn visible_soft_hyphens_are_hyphens() {
    let glyphs = strings(&[(10.0, 20.0, "a so\u{ad}called exam\u{ad}")]);
    let layout = lay_out(&glyphs, ALL, &Options::default());
    assert_consistent(&layout);
    assert_eq!(layout.text, "a so-called exam-\n");
    let mut glyphs = strings(&[(10.0, 20.0, "exam\u{ad}")]);
    let last = glyphs.glyphs.last_mut().unwrap();
    last.end = last.start;
    assert_eq!(lay_out(&glyphs, ALL, &Options::default()).text, "exam\n");
}

#[test]
fn other_blocks_are_not_joined() {
    let glyphs = strings(&[(10.0, 20.0, "an exam-"), (10.0, 90.0, "ple of it")]);
    let layout = lay_out(
        &glyphs,
        ALL,
        &Options {
            dehyphenate: true,
            ..Options::default()
        },
    );
    assert_eq!(layout.text, "an exam-\n\nple of it\n");
}
