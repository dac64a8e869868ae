use super::*;

fn shown(info: &Info) -> Vec<(u32, &str, Option<u32>)> {
    let items = info.outline.iter();
    items
        .map(|item| (item.level, item.title.as_str(), item.page))
        .collect()
}

#[test]
fn items_are_in_the_order_of_display() {
    let mut pdf = Pdf::new();
    let first = pdf.page(Page::new(""));
    let second = pdf.page(Page::new(""));
    pdf.outline(&[
        (1, "One", first),
        (2, "One\nand a half", second),
        (3, "Deep", second),
        (1, "Zwölf", second),
        (2, "", first),
    ]);
    let info = info(pdf.build());
    assert_eq!(
        shown(&info),
        [
            (1, "One", Some(1)),
            (2, "One and a half", Some(2)),
            (3, "Deep", Some(2)),
            (1, "Zwölf", Some(2)),
            (2, "", Some(1)),
        ]
    );
}

#[test]
fn the_outline_is_read_on_request_only() {
    let mut pdf = Pdf::new();
    let page = pdf.page(Page::new(""));
    pdf.outline(&[(1, "One", page)]);
    let file = Syntax::new(pdf.build()).unwrap();
    let pages = Pages::of(&file);
    let info = Structure::of(&file, &pages).info(&Request::default());
    assert_eq!(info.outline, []);
}

/// The target page of an item with these entries, in a file of three pages. `PAGE2` and
/// `PAGE3` are references to the later ones.
fn page_of(entries: &str) -> Option<u32> {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(""));
    let second = pdf.page(Page::new(""));
    let third = pdf.page(Page::new(""));
    let place = |text: &str| {
        text.replace("PAGE2", &second.to_string())
            .replace("PAGE3", &third.to_string())
    };
    let leaf = pdf.add(place(
        "<< /Limits [(a) (m)] /Names [(array) [PAGE2 /Fit] (dict) << /D [PAGE3 /Fit] >> 7 8 (odd)] >>",
    ));
    let alias = pdf.add(place("[PAGE3 /XYZ 0 0 0]"));
    let other = pdf.add(format!("<< /Names [(alias) {alias} (loop) (loop)] >>"));
    pdf.catalog(&format!(
        "/Names << /Dests << /Kids [{leaf} {other}] >> >> /Dests << /old {alias} /array {alias} >>"
    ));
    let item = pdf.add(place(&format!("<< /Title (a) {entries} >>")));
    pdf.catalog(&format!("/Outlines << /First {item} >>"));
    info(pdf.build()).outline[0].page
}

#[test]
fn destinations() {
    assert_eq!(page_of("/Dest [PAGE2 /Fit]"), Some(2));
    assert_eq!(page_of("/Dest [2 /Fit]"), Some(3));
    assert_eq!(page_of("/Dest [3 /Fit]"), None);
    assert_eq!(page_of("/Dest [-1 /Fit]"), None);
    assert_eq!(page_of("/A << /S /GoTo /D [PAGE3 /Fit] >>"), Some(3));
    assert_eq!(page_of("/A << /S /GoToR /F (x.pdf) /D [1 /Fit] >>"), None);
    assert_eq!(page_of("/A << /S /URI /URI (http://a/) >>"), None);
    assert_eq!(page_of("/A << /S /Named /N /LastPage >>"), Some(3));
    assert_eq!(page_of("/A << /S /Named /N /NextPage >>"), None);
    for nowhere in [
        "",
        "/Dest []",
        "/Dest null",
        "/Dest [1 0 R /Fit]",
        "/Dest 2",
        "/A 5",
    ] {
        assert_eq!(page_of(nowhere), None, "{nowhere}");
    }
}

#[test]
fn named_destinations() {
    assert_eq!(
        page_of("/Dest (array)"),
        Some(2),
        "the tree before the dictionary"
    );
    assert_eq!(page_of("/Dest (dict)"), Some(3));
    assert_eq!(page_of("/Dest (alias)"), Some(3));
    assert_eq!(page_of("/A << /S /GoTo /D (alias) >>"), Some(3));
    assert_eq!(page_of("/Dest /old"), Some(3));
    for nowhere in ["(loop)", "(odd)", "(unknown)", "/unknown", "()"] {
        assert_eq!(page_of(&format!("/Dest {nowhere}")), None, "{nowhere}");
    }
}
