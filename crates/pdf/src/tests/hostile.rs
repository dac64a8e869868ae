//! Tests with hostile files: reading them ends, stays within the limits, and gives
//! everything that can be read.

use std::ops::ControlFlow;

use super::super::engine::read;
use super::super::model::{DocumentPart, Failure, FailureKind, Limits, Options, Page, Request};
use super::super::testing::hostile::{self, Case, Expected, Random};
use super::super::testing::{Cipher, Encryption, Pdf, lines, one_page};

/// Small, so that the small sizes of the cases reach them. No test depends on time.
const LIMITS: Limits = Limits {
    operators: 100_000,
    glyphs: 50_000,
    decoded_bytes: 3 << 20,
    pages: 5_000,
    cpu_ms: 600_000,
    memory_bytes: 1 << 30,
};
/// The maximum length of the text of such a document.
const MAX_TEXT_BYTES: usize = 8 << 20;

#[derive(Debug, Default)]
struct Outcome {
    pages: Vec<Page>,
    failures: Vec<Failure>,
}

impl Outcome {
    fn text(&self) -> String {
        self.pages.iter().map(|page| page.text.as_str()).collect()
    }

    fn kinds(&self) -> Vec<FailureKind> {
        self.failures.iter().map(|failure| failure.kind).collect()
    }
}

/// Reads everything, and checks that the result is consistent.
fn read_all(file: Vec<u8>, options: Options, limits: Limits) -> Outcome {
    let request = Request {
        text: true,
        words: true,
        links: true,
        outline: true,
        form_fields: true,
        tables: true,
        structure: true,
        drawn_lines: true,
        characters: true,
        fonts: true,
        annotations: true,
        images: true,
        attachments: true,
        options,
        limits,
    };
    let mut outcome = Outcome::default();
    let result = read(file, &request, &mut |part| {
        if let DocumentPart::Page(page) = part {
            let lines = page.lines.iter().flat_map(|line| line.words.clone());
            assert!(lines.eq(0..page.words.len() as u32));
            let blocks = page.blocks.iter().flat_map(|block| block.lines.clone());
            assert!(blocks.eq(0..page.lines.len() as u32));
            let styles = page.styles.len() as u32;
            assert!(page.words.iter().all(|word| word.style < styles));
            assert!(page.unmapped <= page.characters);
            let of_fonts = page.fonts.iter().map(|font| font.characters);
            assert_eq!(of_fonts.sum::<u32>(), page.characters);
            let of_fonts = page.fonts.iter().map(|font| font.unmapped);
            assert_eq!(of_fonts.sum::<u32>(), page.unmapped);
            outcome.failures.extend(page.failure.clone());
            outcome.pages.push(page);
        }
        ControlFlow::Continue(())
    });
    outcome.failures.extend(result.err());
    outcome
}

fn outcome(file: Vec<u8>) -> Outcome {
    read_all(file, Options::default(), LIMITS)
}

/// The difference from the expected result of a case, if any.
fn complaint(case: &Case) -> Option<String> {
    let outcome = outcome((case.build)(case.small));
    let (text, kinds) = (outcome.text(), outcome.kinds());
    let right = match case.expected {
        Expected::Text(expected) => text.contains(expected) && kinds.is_empty(),
        Expected::SavedText(expected) => text.contains(expected),
        Expected::Failure(expected) => kinds.iter().any(|kind| expected.contains(kind)),
        Expected::Any => true,
    };
    let short = text.len() <= MAX_TEXT_BYTES;
    let panicked = kinds.contains(&FailureKind::Panic);
    (!right || !short || panicked)
        .then(|| format!("{}: {} bytes of text, {kinds:?}", case.name, text.len()))
}

#[test]
fn every_case_gives_the_expected_result() {
    let complaints: Vec<String> = hostile::all().iter().filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn names_of_cases_are_names_of_files() {
    let mut names: Vec<&str> = hostile::all().iter().map(|case| case.name).collect();
    assert!(
        names
            .iter()
            .all(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
    );
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn the_sample_is_valid_before_it_is_damaged() {
    let outcome = outcome(hostile::sample());
    assert_eq!(outcome.failures, []);
    assert_eq!(outcome.pages.len(), 2);
    assert_eq!(outcome.pages[0].links.len(), 1);
    for part in ["shown text", "日本", "éfi", "another page"] {
        assert!(outcome.text().contains(part), "{part}: {}", outcome.text());
    }
}

#[test]
fn a_file_can_be_cut_anywhere() {
    let file = hostile::sample();
    for end in 0..file.len() {
        let outcome = outcome(file[..end].to_vec());
        // After the last object, only the table is missing.
        let whole = end >= file.len() * 9 / 10;
        assert!(
            !whole || outcome.text().contains("another page"),
            "cut at {end}"
        );
        assert!(whole || !outcome.failures.is_empty(), "cut at {end}");
    }
}

#[test]
fn any_byte_can_change() {
    let intact = (0..1_500)
        .map(|seed| outcome(hostile::changed(seed)))
        .inspect(|outcome| {
            assert!(
                !outcome.kinds().contains(&FailureKind::Panic),
                "{outcome:?}"
            )
        })
        .filter(|outcome| outcome.text().contains("another page"))
        .count();
    // Most changes affect one page, or nothing that the other one needs.
    assert!(intact > 300, "{intact}");
}

#[test]
fn noise_is_not_a_pdf() {
    let mut random = Random::seeded(1);
    for length in 0..300 {
        let noise: Vec<u8> = random.bytes(length);
        assert_eq!(outcome(noise.clone()).kinds().len(), 1);
        outcome([b"%PDF-1.7\n", &noise[..]].concat());
        let page = one_page(&String::from_utf8_lossy(&noise));
        assert_eq!(outcome(page).pages.len(), 1);
    }
}

fn encrypted(cipher: Cipher) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(super::super::testing::Page::new(lines(&[
        "for those who know",
    ])));
    pdf.encrypt(Encryption {
        cipher,
        user: "secret",
        owner: "owner",
    });
    pdf.build()
}

fn with_password(cipher: Cipher, password: &str) -> Outcome {
    let options = Options {
        passwords: vec![password.to_owned()],
        ..Options::default()
    };
    read_all(encrypted(cipher), options, LIMITS)
}

#[test]
fn passwords_open_what_they_encrypt() {
    for cipher in [
        Cipher::Rc4With40Bits,
        Cipher::Rc4With128Bits,
        Cipher::Aes128,
        Cipher::Aes256,
    ] {
        assert_eq!(
            outcome(encrypted(cipher)).kinds(),
            [FailureKind::Password],
            "{cipher:?}"
        );
        let wrong = with_password(cipher, "wrong");
        assert_eq!(wrong.kinds(), [FailureKind::Password], "{cipher:?}");
        let right = with_password(cipher, "secret");
        assert_eq!(right.failures, [], "{cipher:?}");
        assert!(right.text().contains("for those who know"), "{cipher:?}");
    }
    assert_eq!(with_password(Cipher::Aes256, "owner").failures, []);
}

#[test]
fn parts_read_before_a_limit_are_kept() {
    let mut pdf = Pdf::new();
    for number in 0..20 {
        pdf.page(super::super::testing::Page::new(lines(&[&format!(
            "page {number}"
        )])));
    }
    let file = pdf.build();
    let whole = outcome(file.clone());
    assert_eq!((whole.pages.len(), whole.failures.len()), (20, 0));
    for limits in [
        Limits {
            operators: 60,
            ..LIMITS
        },
        Limits {
            glyphs: 60,
            ..LIMITS
        },
        Limits {
            decoded_bytes: 500,
            ..LIMITS
        },
        Limits { pages: 9, ..LIMITS },
    ] {
        let cut = read_all(file.clone(), Options::default(), limits.clone());
        assert!(cut.text().contains("page 2"), "{limits:?}");
        assert!(!cut.text().contains("page 18"), "{limits:?}");
        assert_eq!(cut.kinds().last(), Some(&FailureKind::Limit), "{limits:?}");
    }
}

/// `HOSTILE_FILES=folder cargo test -p corpus-pdf hostile_files -- --ignored` writes all cases in
/// full size.
#[test]
#[ignore = "writes gigabytes"]
fn write_hostile_files() {
    let folder = std::env::var("HOSTILE_FILES").expect("HOSTILE_FILES names a folder");
    for case in hostile::all() {
        let file = (case.build)(case.full);
        std::fs::write(format!("{folder}/{}.pdf", case.name), file).unwrap();
    }
}
