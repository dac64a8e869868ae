use super::*;
use crate::testing::Ref;

/// The links of a page with these annotations.
fn of_page(page: Page, annotations: &[&str]) -> Vec<Link> {
    let mut pdf = Pdf::new();
    let mut page = page;
    for annotation in annotations {
        page = page.annotation(pdf.add(format!("<< {annotation} >>")));
    }
    pdf.catalog("/URI << /Base (https://example.org/a/b.html) >>");
    pdf.page(page);
    links(pdf.build()).remove(0)
}

fn uri(bytes: &str) -> Option<String> {
    let link = format!("/Subtype /Link /Rect [0 0 1 1] /A << /S /URI /URI {bytes} >>");
    of_page(Page::new(""), &[&link]).into_iter().next()?.uri
}

#[test]
fn to_uris_and_pages() {
    let mut pdf = Pdf::new();
    let second = pdf.reserve();
    let address = pdf.link_to_uri("72 700 172 720", "https://example.org/?q=1");
    let page = pdf.link_to_page("172 720 72 700", second);
    let text = pdf.annotation("Text", "0 0 9 9", "/A << /S /URI /URI (http://a/) >>");
    let next = pdf.annotation("Link", "0 0 9 9", "/A << /S /Named /N /NextPage >>");
    let nowhere = pdf.annotation("Link", "0 0 9 9", "/A << /S /JavaScript /JS (x) >>");
    let annotations = [address, page, text, next, nowhere, Ref(99)];
    let first = annotations
        .into_iter()
        .fold(Page::new(""), Page::annotation);
    pdf.page(first);
    pdf.page_at(second, Page::new("").annotation(next));
    let area = rect(72.0, 72.0, 172.0, 92.0);
    let links = links(pdf.build());
    let shown: Vec<_> = links[0]
        .iter()
        .map(|link| (link.bbox, link.uri.as_deref(), link.page))
        .collect();
    assert_eq!(
        shown,
        [
            (area, Some("https://example.org/?q=1"), None),
            (area, None, Some(2)),
            (rect(0.0, 783.0, 9.0, 792.0), None, Some(2)),
        ]
    );
    assert_eq!(links[1], [], "no page comes after the last");
}

#[test]
fn uris_are_decoded_like_in_browsers() {
    assert_eq!(
        uri("(http://a/b?c=%20d)").as_deref(),
        Some("http://a/b?c=%20d")
    );
    assert_eq!(
        uri("(HTTP://A.example)").as_deref(),
        Some("HTTP://A.example")
    );
    assert_eq!(uri("( http://a/\\n\\tb )").as_deref(), Some("http://a/b"));
    assert_eq!(
        uri("<687474703A2F2F612FC3A9>").as_deref(),
        Some("http://a/é")
    );
    assert_eq!(uri("<687474703A2F2F612FE9>").as_deref(), Some("http://a/é"));
    assert_eq!(uri("<FEFF0061003A0062>").as_deref(), Some("a:b"));
    assert_eq!(
        uri("(mailto:a@example.org)").as_deref(),
        Some("mailto:a@example.org")
    );
    assert_eq!(uri("()"), None);
    assert_eq!(uri("/Name"), None);
}

#[test]
fn relative_uris() {
    assert_eq!(
        uri("(c.html)").as_deref(),
        Some("https://example.org/a/c.html")
    );
    assert_eq!(uri("(../c#d)").as_deref(), Some("https://example.org/c#d"));
    let mut pdf = Pdf::new();
    let link = pdf.link_to_uri("0 0 1 1", "c.html");
    pdf.page(Page::new("").annotation(link));
    assert_eq!(
        links(pdf.build())[0][0].uri.as_deref(),
        Some("c.html"),
        "no base"
    );
}

fn area(page: Page, entries: &str) -> Rect {
    let link = format!("/Subtype /Link /A << /S /URI /URI (a:b) >> {entries}");
    of_page(page, &[&link])[0].bbox
}

#[test]
fn areas_of_several_parts() {
    let broken =
        "/Rect [10 10 110 50] /QuadPoints [60 50 110 50 60 30 110 30 10 30 40 30 10 20 40 20]";
    assert_eq!(area(Page::new(""), broken), rect(10.0, 742.0, 110.0, 772.0));
    let outside = "/Rect [10 10 110 50] /QuadPoints [60 50 200 50 60 30 200 30]";
    assert_eq!(
        area(Page::new(""), outside),
        rect(10.0, 742.0, 110.0, 782.0)
    );
    let odd = "/Rect [10 10 110 50] /QuadPoints [20 20 30 30]";
    assert_eq!(area(Page::new(""), odd), rect(10.0, 742.0, 110.0, 782.0));
}

#[test]
fn areas_on_cropped_and_rotated_pages() {
    let corners = "/Rect [110 120 130 160]";
    let page = || Page::new("").crop_box("100 100 300 500");
    assert_eq!(area(page(), corners), rect(10.0, 340.0, 30.0, 380.0));
    assert_eq!(
        area(page().rotate(90), corners),
        rect(20.0, 10.0, 60.0, 30.0)
    );
    assert_eq!(
        area(page().rotate(180), corners),
        rect(170.0, 20.0, 190.0, 60.0)
    );
    assert_eq!(
        area(page().rotate(270), corners),
        rect(340.0, 170.0, 380.0, 190.0)
    );
}

#[test]
fn invalid_areas() {
    for entries in [
        "",
        "/Rect []",
        "/Rect [1 2 3]",
        "/Rect [(a) 2 3 4]",
        "/Rect 5",
    ] {
        assert_eq!(area(Page::new(""), entries), Rect::default(), "{entries}");
    }
}
