use super::TrueType;
use crate::testing::font_files::{cmap, segments, true_type as font, units as bytes};

/// The text of a glyph; empty if unknown.
fn text(font: &TrueType, glyph: u16) -> String {
    font.text(glyph).unwrap_or_default().into_owned()
}

#[test]
fn character_maps_are_reversed() {
    let data = font(&[(
        b"cmap",
        cmap(3, 1, segments(&[(0x41, 0x43, 5), (0x410, 0x410, 9)])),
    )]);
    let font = TrueType::parse(&data).unwrap();
    let characters: Vec<_> = [5, 7, 8, 9]
        .iter()
        .map(|&glyph| text(&font, glyph))
        .collect();
    assert_eq!(characters, ["A", "C", "", "А"]);
}

#[test]
fn groups_reach_beyond_the_basic_plane() {
    let rest = [28, 0, 1, 0x1_f600, 0x1_f601, 3].map(u32::to_be_bytes);
    let table = [bytes(&[12, 0]), rest.concat()].concat();
    let font = TrueType::parse(&font(&[(b"cmap", cmap(3, 10, table))])).unwrap();
    assert_eq!(text(&font, 4), "😁");
}

#[test]
fn symbols_are_found_by_their_codes() {
    let font_of = |subtable| TrueType::parse(&font(&[(b"cmap", subtable)])).unwrap();
    let symbols = font_of(cmap(3, 0, segments(&[(0xf041, 0xf041, 7)])));
    assert_eq!(
        (symbols.glyph_of_code(0x41), symbols.glyph_of_code(0x42)),
        (Some(7), None)
    );
    assert!(!symbols.is_macintosh());
    let macintosh = font_of(cmap(1, 0, bytes(&[6, 0, 0, 0x41, 2, 3, 4])));
    assert_eq!(
        (macintosh.glyph_of_code(0x42), macintosh.is_macintosh()),
        (Some(4), true)
    );
}

#[test]
fn glyphs_have_names() {
    let mut post = bytes(&[2, 0]);
    post.resize(32, 0);
    // Glyph 0 is the 36th standard name, which is A; glyph 1 has the first name of the file.
    post.extend_from_slice(&bytes(&[2, 36, 258]));
    post.extend_from_slice(b"\x06lslash");
    let font = TrueType::parse(&font(&[(b"post", post)])).unwrap();
    assert_eq!((&*text(&font, 0), &*text(&font, 1)), ("A", "ł"));
}

#[test]
fn hostile_tables_end() {
    let same = vec![(0, 0xfffe, 1); 4000];
    let data = font(&[(b"cmap", cmap(3, 1, segments(&same)))]);
    assert_eq!(text(&TrueType::parse(&data).unwrap(), 0x42), "A");
    for end in 0..60 {
        // Cut anywhere, it has fewer characters, and that is all.
        let _ = TrueType::parse(&data[..end]);
    }
    assert!(TrueType::parse(b"").is_none());
}
