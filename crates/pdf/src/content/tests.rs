//! Tests of drawn glyphs: their positions and characters.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use hayro_syntax::Pdf as Syntax;

use super::{DocumentResources, Drawn, Layers, PageBox, draw};
use crate::budget::{Budget, Stop};
use crate::geometry::Matrix;
use crate::glyphs::Glyph;
use crate::model::{Limits, Options, Request};
use crate::pages::Pages;
use crate::testing::{PAGES, Page, Pdf, Stream, fonts, one_page};

fn draw_with(file: Vec<u8>, options: &Options, limits: &Limits) -> (Drawn, Result<(), Stop>) {
    let pdf = Syntax::new(file).unwrap();
    let pages = Pages::of(&pdf);
    let page = pages.get(1).unwrap();
    let layers = Layers::new(&pdf, options.hidden_layers);
    let mut resources = DocumentResources::new(options);
    let mut budget = Budget::new(limits);
    let request = Request {
        options: options.clone(),
        ..Request::default()
    };
    draw(
        page,
        PageBox::new(page),
        &layers,
        &request,
        &mut resources,
        &mut budget,
    )
}

fn drawn(file: Vec<u8>) -> Drawn {
    let options = Options {
        invisible_text: true,
        ..Options::default()
    };
    let (drawn, result) = draw_with(file, &options, &Limits::default());
    assert_eq!(result, Ok(()));
    drawn
}

fn texts(drawn: &Drawn) -> String {
    let text =
        |glyph: &Glyph| &drawn.glyphs.text[glyph.text.start as usize..glyph.text.end as usize];
    drawn.glyphs.glyphs.iter().map(text).collect()
}

/// The text of a page, glyph by glyph in drawing order.
fn text(file: Vec<u8>) -> String {
    texts(&drawn(file))
}

/// The start of each glyph, in whole points.
fn starts(file: Vec<u8>) -> Vec<(i32, i32)> {
    let whole = |glyph: &Glyph| (glyph.start.0.round() as i32, glyph.start.1.round() as i32);
    drawn(file).glyphs.glyphs.iter().map(whole).collect()
}

/// A page that shows "AB" in Courier of 10 points, whose letters are 6 points wide.
fn courier(content: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let font = fonts::standard(&mut pdf, "Courier");
    pdf.page(Page::new(content).font("C", font));
    pdf.build()
}

#[test]
fn operators_position_lines() {
    let content = "BT /C 10 Tf 100 700 Td (A) Tj 10 -20 Td (B) Tj 0 -12 TD (C) Tj T* (D) Tj (E) ' \
                   1 0 0 1 50 60 Tm (F) Tj ET BT 5 792 Td (G) Tj ET";
    let expected = [
        (100, 92),
        (110, 112),
        (110, 124),
        (110, 136),
        (110, 148),
        (50, 732),
        (5, 0),
    ];
    assert_eq!(starts(courier(content)), expected);
}

#[test]
fn spacing_and_scaling_move_the_following_glyphs() {
    let plain = "BT /C 10 Tf 100 700 Td (A B) Tj ET";
    assert_eq!(starts(courier(plain)), [(100, 92), (106, 92), (112, 92)]);
    let spaced = "BT /C 10 Tf 2 Tc 5 Tw 100 700 Td (A B) Tj ET";
    assert_eq!(starts(courier(spaced)), [(100, 92), (108, 92), (121, 92)]);
    let stretched = "BT /C 10 Tf 2 Tc 200 Tz 100 700 Td (AB) Tj ET";
    assert_eq!(starts(courier(stretched)), [(100, 92), (116, 92)]);
    let quoted = "BT /C 10 Tf 12 TL 100 712 Td 5 2 (A B) \" ET";
    assert_eq!(starts(courier(quoted)), [(100, 92), (108, 92), (121, 92)]);
}

#[test]
fn numbers_between_strings_move_backwards() {
    let content = "BT /C 10 Tf 100 700 Td [(A) -1000 (B) 600 (C)] TJ ET";
    assert_eq!(starts(courier(content)), [(100, 92), (116, 92), (116, 92)]);
}

#[test]
fn rise_and_matrix_move_and_scale() {
    assert_eq!(
        starts(courier("BT /C 10 Tf 5 Ts 100 700 Td (A) Tj ET")),
        [(100, 87)]
    );
    let scaled = drawn(courier(
        "q 2 0 0 3 10 0 cm BT /C 10 Tf 100 100 Td (A) Tj ET Q BT /C 10 Tf (B) Tj ET",
    ));
    let [a, b] = &scaled.glyphs.glyphs[..] else {
        panic!("two glyphs")
    };
    assert_eq!(
        (a.start, a.end, a.size),
        ((210.0, 492.0), (222.0, 492.0), 30.0)
    );
    assert_eq!((b.start, b.size), ((0.0, 792.0), 10.0));
}

#[test]
fn mirrored_text_is_marked() {
    let is_mirrored = |content: &str| drawn(courier(content)).glyphs.styles[0].mirrored;
    let string = "BT /C 10 Tf 100 700 Td (A) Tj ET";
    assert!(!is_mirrored(string));
    assert!(!is_mirrored(&format!("-1 0 0 -1 612 792 cm {string}")));
    assert!(is_mirrored(&format!("-1 0 0 1 612 0 cm {string}")));
    assert!(is_mirrored(&format!("1 0 0 -1 0 792 cm {string}")));
    assert!(is_mirrored(&format!("-100 Tz {string}")));
    let back = "-1 0 0 1 612 0 cm BT /C 10 Tf -1 0 0 1 100 700 Tm (A) Tj ET";
    assert!(!is_mirrored(back));
    let mut pdf = Pdf::new();
    let font = fonts::Type3 {
        glyphs: &[(b'A', "A", "")],
        matrix: "0.001 0 0 -0.001 0 0",
        ..fonts::Type3::default()
    };
    let font = font.add_to(&mut pdf);
    pdf.page(Page::new(format!("1 0 0 -1 0 792 cm {string}")).font("C", font));
    assert!(!drawn(pdf.build()).glyphs.styles[0].mirrored);
}

#[test]
fn positions_follow_crop_box_and_rotation() {
    let page = |rotation| {
        let mut pdf = Pdf::new();
        pdf.page(
            Page::new("BT /F1 10 Tf 110 220 Td (A) Tj ET")
                .crop_box("100 200 400 700")
                .rotate(rotation),
        );
        pdf.build()
    };
    assert_eq!(starts(page(0)), [(10, 480)]);
    assert_eq!(starts(page(90)), [(20, 10)]);
    assert_eq!(starts(page(180)), [(290, 20)]);
    assert_eq!(starts(page(270)), [(480, 290)]);
    let pdf = Syntax::new(page(90)).unwrap();
    let shown = PageBox::new(Pages::of(&pdf).get(1).unwrap());
    assert_eq!(
        (shown.width, shown.height, shown.rotation),
        (500.0, 300.0, 90)
    );
}

#[test]
fn positions_match_those_of_links() {
    for rotation in [0, 90, 180, 270] {
        let mut pdf = Pdf::new();
        pdf.page(Page::new("").crop_box("100 200 400 700").rotate(rotation));
        let pdf = Syntax::new(pdf.build()).unwrap();
        let expected = Matrix::new(pdf.pages()[0].initial_transform(true).as_coeffs());
        let pages = Pages::of(&pdf);
        assert_eq!(PageBox::new(pages.get(1).unwrap()).to_top_left, expected);
    }
}

#[test]
fn glyphs_off_the_page_are_dropped() {
    let content = "BT /F1 10 Tf -100 700 Td (out) Tj 200 0 Td (in) Tj 0 2000 Td (above) Tj ET";
    assert_eq!(text(one_page(content)), "in");
}

#[test]
fn forms_have_a_matrix_and_own_or_inherited_fonts() {
    let mut pdf = Pdf::new();
    let courier = fonts::standard(&mut pdf, "Courier");
    let own = pdf.form(
        "BT /F2 10 Tf (own) Tj ET",
        &format!("/Matrix [1 0 0 1 50 60] /Resources << /Font << /F2 {courier} >> >>"),
    );
    let borrowed = pdf.form("BT /F1 10 Tf (page) Tj ET", "");
    let content = "q 1 0 0 1 100 100 cm /Own Do Q /Page Do";
    pdf.page(
        Page::new(content)
            .resource("XObject", "Own", own)
            .resource("XObject", "Page", borrowed),
    );
    let drawn = drawn(pdf.build());
    assert_eq!(texts(&drawn), "ownpage");
    assert_eq!(drawn.glyphs.glyphs[0].start, (150.0, 632.0));
    assert_eq!(drawn.glyphs.styles[0].style.font, "Courier");
    assert_eq!(drawn.glyphs.styles[1].style.font, "Helvetica");
}

#[test]
fn a_form_that_calls_itself_is_drawn_once() {
    let mut pdf = Pdf::new();
    let form = pdf.reserve();
    pdf.form_at(
        form,
        "BT /F1 10 Tf (x) Tj ET /X Do",
        &format!("/Resources << /XObject << /X {form} >> >>"),
    );
    pdf.page(Page::new("/X Do").resource("XObject", "X", form));
    assert_eq!(text(pdf.build()), "x");
}

#[test]
fn content_streams_are_concatenated() {
    let mut pdf = Pdf::new();
    let font = fonts::standard(&mut pdf, "Helvetica");
    let first = pdf.add_stream(Stream::new("BT /F1 10 Tf 10 10 Td (a) Tj 1 0 0 1 20").flate());
    let second = pdf.add_stream(Stream::new("30 Tm (b) Tj ET"));
    let page = pdf.page(Page::new(""));
    pdf.set(
        page,
        format!(
            "<< /Type /Page /Parent {PAGES} /MediaBox [0 0 612 792] /Contents [{first} {second}] \
             /Resources << /Font << /F1 {font} >> >> >>"
        ),
    );
    assert_eq!(starts(pdf.build()), [(10, 782), (20, 762)]);
}

#[test]
fn actual_text_replaces_that_of_its_glyphs() {
    let content = |properties: &str, shown: &str| {
        one_page(&format!(
            "BT /F1 10 Tf 10 10 Td /Span << {properties} >> BDC ({shown}) Tj EMC (!) Tj ET"
        ))
    };
    assert_eq!(text(content("/ActualText (meant)", "xx")), "meant!");
    assert_eq!(text(content("/ActualText <FEFF00E9>", "x")), "é!");
    assert_eq!(text(content("/ActualText ()", "xx")), "!");
    assert_eq!(text(content("/MCID 1", "xx")), "xx!");
    // Only the spaces differ: nothing changes.
    assert_eq!(text(content("/ActualText (x x)", "xx")), "xx!");
    // As many characters as glyphs: each keeps its place.
    let each = drawn(content("/ActualText (ab)", "xx"));
    assert_eq!(
        each.glyphs
            .glyphs
            .iter()
            .filter(|glyph| glyph.text.len() == 1)
            .count(),
        3
    );
}

#[test]
fn the_outermost_actual_text_wins() {
    let content = "BT /F1 10 Tf 10 10 Td /Span << /ActualText (outer) >> BDC (a) Tj \
                   /Span << /ActualText (inner) >> BDC (b) Tj EMC (c) Tj EMC (d) Tj ET";
    assert_eq!(text(one_page(content)), "outerd");
}

#[test]
fn artifacts_of_pagination_are_marked() {
    let content = "BT /F1 10 Tf 10 10 Td /Artifact << /Type /Pagination >> BDC (1) Tj EMC \
                   /Artifact << /Subtype /Footer >> BDC (2) Tj EMC /Artifact BMC (a) Tj EMC \
                   /Artifact << /Type /Layout >> BDC (b) Tj EMC (c) Tj ET";
    let drawn = drawn(one_page(content));
    let is_artifact = |glyph: &Glyph| drawn.glyphs.styles[glyph.style as usize].artifact;
    assert_eq!(
        drawn
            .glyphs
            .glyphs
            .iter()
            .map(is_artifact)
            .collect::<Vec<_>>(),
        [true, true, false, false, false]
    );
}

/// A page with a shown and a hidden layer, and memberships in both.
fn layered() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let shown = pdf.layer("shown", true);
    let hidden = pdf.layer("hidden", false);
    let any = pdf.add(format!("<< /Type /OCMD /OCGs [{shown} {hidden}] >>"));
    let all = pdf.add(format!(
        "<< /Type /OCMD /OCGs [{shown} {hidden}] /P /AllOn >>"
    ));
    let form = pdf.form(
        "BT /F1 10 Tf 10 10 Td (form) Tj ET",
        &format!("/OC {hidden}"),
    );
    let content = "BT /F1 10 Tf 10 10 Td /OC /S BDC (s) Tj EMC /OC /H BDC (h) Tj /P BMC (i) Tj EMC EMC \
                   /OC /Any BDC (y) Tj EMC /OC /All BDC (l) Tj EMC (.) Tj ET /Form Do";
    let page = Page::new(content).resource("XObject", "Form", form);
    let properties = [("S", shown), ("H", hidden), ("Any", any), ("All", all)];
    pdf.page(properties.into_iter().fold(page, |page, (name, layer)| {
        page.resource("Properties", name, layer)
    }));
    pdf.build()
}

#[test]
fn hidden_layers_are_read_on_request_only() {
    assert_eq!(text(layered()), "sy.");
    let options = Options {
        hidden_layers: true,
        ..Options::default()
    };
    let (all, _) = draw_with(layered(), &options, &Limits::default());
    assert_eq!(texts(&all), "shiyl.form");
    // Hidden text still takes up space.
    let gap = starts(layered());
    assert!(gap[1].0 - gap[0].0 > 10, "{gap:?}");
}

#[test]
fn invisible_text_is_marked_and_optional() {
    let content = "BT /F1 10 Tf 10 10 Td 3 Tr (i) Tj 0 Tr (v) Tj ET";
    let all = drawn(one_page(content));
    assert_eq!((texts(&all).as_str(), all.invisible), ("iv", 1));
    assert!(all.glyphs.styles[0].style.invisible && !all.glyphs.styles[1].style.invisible);
    let (visible, _) = draw_with(one_page(content), &Options::default(), &Limits::default());
    assert_eq!(texts(&visible), "v");
}

#[test]
fn colors_of_device_spaces_are_reported() {
    let content = "BT /F1 10 Tf 10 10 Td (a) Tj 1 0 0 rg (b) Tj 0.5 g (c) Tj 0 1 1 0 k (d) Tj \
                   /DeviceRGB cs 0 0 1 sc (e) Tj /Pattern cs /P scn (f) Tj ET";
    let colors: Vec<_> = drawn(one_page(content))
        .glyphs
        .styles
        .iter()
        .map(|style| style.style.color)
        .collect();
    let expected = [
        Some(0),
        Some(0xff_0000),
        Some(0x80_8080),
        Some(0xff_0000),
        Some(0xff),
        None,
    ];
    // Black, red, gray, red again, blue, and a pattern; red is one style.
    assert_eq!(
        colors,
        [
            expected[0],
            expected[1],
            expected[2],
            expected[4],
            expected[5]
        ]
    );
}

#[test]
fn images_cover_their_share() {
    let mut pdf = Pdf::new();
    let image = pdf.image();
    let content = "q 306 0 0 792 0 0 cm /I Do /I Do Q q 306 0 0 396 306 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q";
    pdf.page(Page::new(content).resource("XObject", "I", image));
    assert_eq!(drawn(pdf.build()).image_cover, 0.75);
}

#[test]
fn inline_images_are_skipped() {
    let image = "BI /W 4 /H 3 /BPC 8 /CS /G ID (( EI Q BT<< EI";
    let content = format!("{image} BT /F1 10 Tf 10 10 Td (after) Tj ET");
    assert_eq!(text(one_page(&content)), "after");
}

#[test]
fn annotations_draw_their_appearance() {
    let mut pdf = Pdf::new();
    let form = |pdf: &mut Pdf, shown: &str| {
        pdf.add_stream(
            Stream::new(format!("BT /F1 10 Tf 10 10 Td ({shown}) Tj ET"))
                .entries("/Subtype /Form /BBox [10 10 110 30]"),
        )
    };
    let (stamp, popup, hidden, on, off) = (
        form(&mut pdf, "stamp"),
        form(&mut pdf, "popup"),
        form(&mut pdf, "hidden"),
        form(&mut pdf, "on"),
        form(&mut pdf, "off"),
    );
    let annotations = [
        pdf.annotation("Stamp", "100 200 300 240", &format!("/AP << /N {stamp} >>")),
        pdf.annotation("Popup", "100 200 300 240", &format!("/AP << /N {popup} >>")),
        pdf.annotation(
            "FreeText",
            "100 200 300 240",
            &format!("/F 2 /AP << /N {hidden} >>"),
        ),
        pdf.annotation(
            "Widget",
            "0 0 100 20",
            &format!("/AS /On /AP << /N << /On {on} /Off {off} >> >>"),
        ),
    ];
    pdf.page(
        annotations
            .into_iter()
            .fold(Page::new(""), Page::annotation),
    );
    let drawn = drawn(pdf.build());
    assert_eq!(texts(&drawn), "stampon");
    // Twice as large as in its own box, and moved to its rectangle.
    let first = &drawn.glyphs.glyphs[0];
    assert_eq!((first.start, first.size), ((100.0, 592.0), 20.0));
}

#[test]
fn fields_without_an_appearance_draw_their_value() {
    let mut pdf = Pdf::new();
    let empty = pdf.add_stream(Stream::new("").entries("/Subtype /Form /BBox [0 0 200 20]"));
    let field = "/FT /Tx /DA (/Helv 10 Tf 0 g)";
    let parent = pdf.add(format!("<< {field} /T (name) /V (inherited) >>"));
    let annotations = [
        pdf.annotation("Widget", "100 700 300 720", &format!("{field} /V (one)")),
        pdf.annotation("Widget", "100 680 300 700", &format!("/Parent {parent}")),
        pdf.annotation(
            "Widget",
            "100 660 300 680",
            &format!("{field} /V <FEFF03A9> /Ff 4096"),
        ),
        pdf.annotation(
            "Widget",
            "100 640 300 660",
            &format!("{field} /V (secret) /Ff 8192"),
        ),
        pdf.annotation(
            "Widget",
            "100 620 300 640",
            "/FT /Ch /V (b) /Opt [[(a) (first)] [(b) (second)]]",
        ),
        pdf.annotation("FreeText", "100 600 300 620", "/Contents (note)"),
        pdf.annotation("Text", "100 580 120 600", "/Contents (popup)"),
        pdf.annotation(
            "Widget",
            "100 560 300 580",
            &format!("{field} /V (stale) /AP << /N {empty} >>"),
        ),
        pdf.annotation(
            "Widget",
            "100 540 100 540",
            &format!("{field} /V (nowhere)"),
        ),
    ];
    let page = annotations
        .into_iter()
        .fold(Page::new(""), Page::annotation);
    pdf.page(page);
    let drawn = drawn(pdf.clone().build());
    assert_eq!(texts(&drawn), "oneinherited\u{3a9}secondnote");
    assert_eq!(drawn.glyphs.glyphs[0].start.0, 102.0);
    // Then viewers replace appearances.
    pdf.catalog("/AcroForm << /NeedAppearances true >>");
    assert_eq!(text(pdf.build()), "oneinherited\u{3a9}secondnotestale");
}

#[test]
fn characters_off_the_page_are_counted() {
    let content = "BT /F1 10 Tf 10 10 Td (in) Tj 0 900 Td (o u t) Tj ET";
    let found = drawn(one_page(content));
    assert_eq!((texts(&found).as_str(), found.off_page), ("in", 3));
    // A page of this size cannot have text.
    let mut pdf = Pdf::new();
    pdf.page(Page::new(content).media_box("0 0 1 1"));
    let found = drawn(pdf.build());
    assert_eq!((texts(&found).as_str(), found.off_page), ("ino u t", 0));
}

#[test]
fn damage_does_not_end_a_content_stream() {
    let content = ">> ) ] BT /F1 10 Tf 10 10 Td 1 2 3 (a) Tj } (b) Tj [(c) 1 Td (d)] TJ /None 9 Tf (e) Tj ET Q Q EMC";
    assert_eq!(text(one_page(content)), "abcde");
}

#[test]
fn out_of_range_numbers_draw_nothing() {
    let huge = "9".repeat(400);
    let content = format!("{huge} 0 0 {huge} 0 0 cm BT /F1 {huge} Tf {huge} 0 Td (x) Tj ET");
    assert_eq!(text(one_page(&content)), "");
}

#[test]
fn reaching_a_limit_keeps_what_was_drawn() {
    let content = format!("BT /F1 10 Tf 10 10 Td {} ET", "(ab) Tj ".repeat(100));
    let stopped = |limits: Limits| {
        let (drawn, result) = draw_with(one_page(&content), &Options::default(), &limits);
        (drawn.glyphs.glyphs.len(), result)
    };
    let limits = Limits::default();
    assert_eq!(
        stopped(Limits {
            operators: 13,
            ..limits.clone()
        }),
        (20, Err(Stop::Limit("operators")))
    );
    assert_eq!(
        stopped(Limits {
            glyphs: 5,
            ..limits.clone()
        }),
        (5, Err(Stop::Limit("glyphs")))
    );
    assert_eq!(
        stopped(Limits {
            decoded_bytes: 100,
            ..limits
        }),
        (0, Err(Stop::Limit("decoded bytes")))
    );
}

#[test]
fn forms_that_double_end_at_a_limit() {
    let mut pdf = Pdf::new();
    let last = pdf.form("BT /F1 10 Tf (x) Tj ET", "");
    let first = (0..20).fold(last, |inner, _| {
        pdf.form(
            "/X Do /X Do",
            &format!("/Resources << /XObject << /X {inner} >> >>"),
        )
    });
    pdf.page(Page::new("/X Do").resource("XObject", "X", first));
    let limits = Limits {
        operators: 10_000,
        ..Limits::default()
    };
    let (drawn, result) = draw_with(pdf.build(), &Options::default(), &limits);
    assert_eq!(result, Err(Stop::Limit("operators")));
    assert!(!drawn.glyphs.glyphs.is_empty());
}

#[test]
fn damaged_streams_keep_what_comes_before_the_damage() {
    let content = format!(
        "BT /F1 10 Tf 10 10 Td (kept) Tj ET {}",
        "0 0 m 1 1 l S ".repeat(1000)
    );
    let mut whole = ZlibEncoder::new(Vec::new(), Compression::fast());
    whole.write_all(content.as_bytes()).unwrap();
    let whole = whole.finish().unwrap();
    let cut = whole[..whole.len() / 2].to_vec();
    let mut pdf = Pdf::new();
    pdf.page(Page::of(Stream::new("").encoded("FlateDecode", "", cut)));
    assert_eq!(text(pdf.build()), "kept");
}

/// Reads a file as requested, and returns its pages.
fn pages(file: &[u8], request: Request) -> Vec<crate::model::Page> {
    let outcome = crate::isolation::read_in_thread(file, &request);
    assert_eq!(outcome.failure, None);
    outcome.pages
}

#[test]
fn each_font_is_judged_by_its_own_text() {
    let text = "The committee met on Tuesday and agreed that the report should be sent to all";
    let shifted: Vec<u8> = text
        .bytes()
        .map(|c| {
            if c == b' ' {
                c
            } else {
                33 + (c - 33 + 29) % 94
            }
        })
        .collect();
    let hex: String = shifted.iter().map(|byte| format!("{byte:02x}")).collect();
    let content = format!(
        "BT /A 10 Tf 72 700 Td ({text}) Tj ET BT /B 10 Tf 72 680 Td <{hex}> Tj ET \
         BT /C 10 Tf 72 660 Td <00010002> Tj ET"
    );
    let mut pdf = Pdf::new();
    let sound = fonts::standard(&mut pdf, "Helvetica");
    let broken = pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Broken /Encoding /WinAnsiEncoding >>",
    );
    let unmapped = pdf.add(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Unmapped /Encoding /Identity-H /DescendantFonts [<< /Type /Font \
         /Subtype /CIDFontType2 /BaseFont /Unmapped /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) \
         /Supplement 0 >> >>] >>",
    );
    let page = Page::new(content).font("A", sound).font("B", broken);
    pdf.page(page.font("C", unmapped));
    let request = Request {
        fonts: true,
        ..Request::default()
    };
    let found = pages(&pdf.build(), request).remove(0).fonts;
    let length = text.len() as u32;
    let shown: Vec<_> = found
        .iter()
        .map(|font| (font.name.as_str(), font.characters, font.unmapped))
        .collect();
    assert_eq!(
        shown,
        [
            ("Helvetica", length, 0),
            ("Broken", length, 0),
            ("Unmapped", 2, 2)
        ]
    );
    assert_eq!((found[0].implausible, found[2].implausible), (0, 0));
    assert!(found[1].implausible > length / 2, "{:?}", found[1]);
}

#[test]
fn fonts_of_formulas_are_not_judged_by_language() {
    let signs: String = (0..200)
        .map(|at| {
            format!(
                "BT /B 10 Tf {} 700 Td (~$) Tj ET BT /A 10 Tf {} 700 Td (a) Tj ET ",
                2 * at,
                2 * at + 1
            )
        })
        .collect();
    let mut pdf = Pdf::new();
    let letters = fonts::standard(&mut pdf, "Helvetica");
    let formula = fonts::standard(&mut pdf, "Courier");
    pdf.page(Page::new(signs).font("A", letters).font("B", formula));
    let request = Request {
        fonts: true,
        ..Request::default()
    };
    let found = pages(&pdf.build(), request).remove(0).fonts;
    assert_eq!(
        (found[0].name.as_str(), found[0].characters),
        ("Courier", 400)
    );
    assert_eq!(found[0].implausible, 0);
}

#[test]
fn images_have_their_places_and_data() {
    let mut pdf = Pdf::new();
    let grey = pdf.image();
    let jpeg = pdf.add_stream(Stream::new("a JPEG file").ascii_hex().entries(
        "/Subtype /Image /Width 3 /Height 2 /BitsPerComponent 8 /ColorSpace [/ICCBased 9 0 R]",
    ));
    pdf.page(
        Page::new(
            "q 100 0 0 50 72 700 cm /Im1 Do Q q 10 0 0 10 0 0 cm /Im1 Do Q \
             q 5 0 0 5 10 10 cm BI /W 2 /H 1 /BPC 8 /CS /G /F /AHx ID 80ff> EI Q",
        )
        .resource("XObject", "Im1", grey),
    );
    pdf.page(
        Page::new("/Im1 Do /Im2 Do")
            .resource("XObject", "Im1", grey)
            .resource("XObject", "Im2", jpeg),
    );
    let request = Request {
        images: true,
        ..Request::default()
    };
    let file = pdf.build();
    let found = pages(&file, request);
    let [first, second, inline] = found[0].images.as_slice() else {
        panic!("{:?}", found[0].images);
    };
    let place =
        |image: &crate::model::Image| [image.bbox.x1, image.bbox.y1, image.bbox.x2, image.bbox.y2];
    assert_eq!(place(first), [72.0, 42.0, 172.0, 92.0]);
    assert_eq!(place(second), [0.0, 782.0, 10.0, 792.0]);
    assert_eq!(
        (first.width, first.height, first.bits),
        (Some(1), Some(1), Some(8))
    );
    assert_eq!(first.color_space.as_deref(), Some("DeviceGray"));
    assert_eq!(first.data.as_deref(), Some([0x80].as_slice()));
    assert_eq!(
        (second.object, &second.data),
        (first.object, &None),
        "the same image"
    );
    assert_eq!((inline.object, inline.width), (None, Some(2)));
    assert_eq!(inline.filters, "ASCIIHexDecode");
    assert_eq!(inline.color_space.as_deref(), Some("DeviceGray"));
    assert_eq!(inline.data.as_deref(), Some(b"80ff>".as_slice()));
    let [repeated, other] = found[1].images.as_slice() else {
        panic!("{:?}", found[1].images);
    };
    assert_eq!(repeated.data, None);
    assert_eq!(other.color_space.as_deref(), Some("ICCBased"));
    assert_eq!(
        (other.filters.as_str(), other.media_type()),
        ("ASCIIHexDecode", None)
    );
}

#[test]
fn images_beyond_the_limit_have_no_data() {
    let mut pdf = Pdf::new();
    let large = pdf.add_stream(Stream::new([0; 2_000]).entries("/Subtype /Image /Width 2000"));
    let small = pdf.image();
    pdf.page(
        Page::new("/A Do /B Do")
            .resource("XObject", "A", large)
            .resource("XObject", "B", small),
    );
    let request = Request {
        images: true,
        limits: Limits {
            decoded_bytes: 1_000,
            ..Limits::default()
        },
        ..Request::default()
    };
    let page = pages(&pdf.build(), request).remove(0);
    assert_eq!(page.images[0].data, None);
    assert_eq!(page.images[1].data.as_deref(), Some([0x80].as_slice()));
    let message = page.failure.unwrap().to_string();
    assert!(message.contains("the images exceed"), "{message}");
}

#[test]
fn filters_before_that_of_an_image_are_undone() {
    let mut pdf = Pdf::new();
    let jpeg = pdf.add_stream(Stream::new("ff d8 ff>").entries(
        "/Subtype /Image /Width 1 /Height 1 /Filter [/AHx /DCTDecode] /DecodeParms [null null]",
    ));
    let external = pdf.add_stream(Stream::new("").entries("/Subtype /Image /F (photo.jpg)"));
    pdf.page(
        Page::new("/A Do /B Do")
            .resource("XObject", "A", jpeg)
            .resource("XObject", "B", external),
    );
    let request = Request {
        images: true,
        ..Request::default()
    };
    let images = pages(&pdf.build(), request).remove(0).images;
    assert_eq!(
        images[0].data.as_deref(),
        Some([0xff, 0xd8, 0xff].as_slice())
    );
    assert_eq!(images[0].media_type(), Some("image/jpeg"));
    assert_eq!(images[1].data, None, "in another file");
}

#[test]
fn too_many_images_are_cut() {
    let mut pdf = Pdf::new();
    let image = pdf.image();
    pdf.page(Page::new("/A Do ".repeat(10_001)).resource("XObject", "A", image));
    let request = Request {
        images: true,
        ..Request::default()
    };
    let page = pages(&pdf.build(), request).remove(0);
    assert_eq!(page.images.len(), 10_000);
    let message = page.failure.unwrap().to_string();
    assert!(message.contains("too many images"), "{message}");
}
