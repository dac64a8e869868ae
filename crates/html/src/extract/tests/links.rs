//! Links, on small pages.

use url::Url;

use super::listen;
use crate::extract::links::{Link, Links};

fn links(page: &str) -> Vec<Link> {
    listen(page, Links::default).finish(None, page.len())
}

#[track_caller]
fn assert_urls(page_url: &str, page: &str, expected: &[&str]) {
    let links = resolved(page_url, page);
    let found: Vec<_> = links
        .iter()
        .map(|link| link.url.as_deref().unwrap_or("-"))
        .collect();
    assert_eq!(found, expected, "{page}");
}

#[test]
fn anchors_have_their_text_in_one_line() {
    for (page, expected) in [
        ("<a href=x> a <b>b</b>\n c </a>", "a b c"),
        ("<a href=x><p>a</p><p>b<br>c</p></a>", "a b c"),
        ("<a href=x>日本\n語</a>", "日本語"),
        (
            "<a href=x>a<span hidden>h</span><script>s</script></a>",
            "a",
        ),
        ("<a href=x><img src=i alt=i></a>", ""),
        ("<a href=x>a", "a"),
        ("<a href=x>a<a href=y>b</a>", "a"),
        ("<div hidden><a href=x>a</a></div>", "a"),
    ] {
        assert_eq!(links(page)[0].text.as_deref(), Some(expected), "{page}");
    }
}

#[test]
fn every_element_with_an_address_is_a_link() {
    let page = "<link rel=' stylesheet ' href=1><script src=2></script><body>\
        <a rel=nofollow href=' 3 '>x</a><map><area href=4 alt=' t '></map>\
        <img src=5 srcset='6 1x, 7 2x' alt=i><iframe src=8></iframe><form action=9></form>\
        <audio src=10></audio><video src=11 poster=12><source src=13><track src=14></video>\
        <embed src=15><object data=16></object><input type=image src=17 alt=go>";
    let links = links(page);
    let hrefs: Vec<_> = links.iter().map(|link| link.href.clone()).collect();
    let expected: Vec<_> = (1..=17).map(|number| number.to_string()).collect();
    assert_eq!(hrefs, expected);
    let of = |href: &str| links.iter().find(|link| link.href == href).unwrap();
    assert_eq!(
        (of("1").kind, of("1").rel.as_deref()),
        ("link", Some("stylesheet"))
    );
    assert_eq!(
        (of("3").text.as_deref(), of("3").rel.as_deref()),
        (Some("x"), Some("nofollow"))
    );
    assert_eq!((of("4").kind, of("4").text.as_deref()), ("area", Some("t")));
    assert_eq!((of("7").kind, of("7").attribute), ("img", "srcset"));
    assert_eq!((of("12").kind, of("12").attribute), ("video", "poster"));
    assert_eq!(of("17").text.as_deref(), Some("go"));
}

#[test]
fn other_elements_are_not_links() {
    for page in [
        "<a name=x>a</a>",
        "<img src='DATA:image/png;base64,AAAA'>",
        "<template><a href=x>a</a></template>",
        "<script src></script>".replace(" src", "").as_str(),
    ] {
        assert_eq!(links(page), [], "{page}");
    }
}

#[test]
fn addresses_are_resolved_against_the_base_and_the_page() {
    let page = "<a href=x></a><a href='/y?q#f'></a><a href='//h/z'></a><a href='http://['></a>\
                <a href=''></a>";
    assert_urls(
        "http://e.org/d/p.html",
        page,
        &[
            "http://e.org/d/x",
            "http://e.org/y?q#f",
            "http://h/z",
            "-",
            "http://e.org/d/p.html",
        ],
    );
    assert_urls(
        "http://e.org/d/p.html",
        "<base href='/b/'><base href='/c/'><a href=x></a>",
        &["http://e.org/b/x"],
    );
    assert_urls(
        "http://e.org/",
        "<base href='http://['><a href=x></a>",
        &["http://e.org/x"],
    );
    assert_urls(
        "http://e.org/",
        "<base href='data:x'><a href=x></a>",
        &["http://e.org/x"],
    );
    assert_eq!(links("<base href='http://b/'><a href=x></a>")[0].url, None);
}

fn resolved(page_url: &str, page: &str) -> Vec<Link> {
    listen(page, Links::default).finish(Some(&Url::parse(page_url)), page.len())
}

#[test]
fn long_bases_are_used() {
    let path = "p".repeat(3000);
    let links = resolved(
        "http://e.org/",
        &format!("<base href='/{path}/'><a href=x>"),
    );
    let expected = format!("http://e.org/{path}/x");
    assert_eq!(links[0].url.as_deref(), Some(&*expected));
    let page_url = format!("http://e.org/{}", "p".repeat(200));
    let links = resolved(&page_url, &"<a href='#a1'>x</a>".repeat(12_000));
    assert!(links.iter().all(|link| link.url.is_some()));
}

#[test]
fn missing_absolute_addresses_are_explained() {
    let base = format!("<base href='/{}/'>", "b".repeat(20_000));
    let links = "<a href=x></a><a href='http://a.example/'></a>".repeat(10_000);
    let page = format!("{base}{links}");
    let links = resolved("http://e.org/", &page);
    assert_eq!(links.len(), 20_000);
    let total: usize = links.iter().flat_map(|l| &l.url).map(String::len).sum();
    assert!(total > 10_000_000 && total < 70 * page.len(), "{total}");
    // Absolute addresses are still resolved.
    assert_eq!(links[19_999].url.as_deref(), Some("http://a.example/"));
    assert!(links.iter().all(|l| l.url.is_some() != l.error.is_some()));
    let error = links[19_998].error.unwrap().to_string();
    assert!(error.contains("base URL would be repeated"), "{error}");

    for (page_url, href, expected) in [
        ("http://e.org/", "http://[", Some("invalid IPv6 address")),
        ("no address", "x", Some("relative URL without a base")),
        ("no address", "http://a.example/", None),
        ("urn:x", "y", Some("cannot-be-a-base")),
    ] {
        let links = resolved(page_url, &format!("<a href='{href}'>"));
        let error = links[0].error.map(|error| error.to_string());
        match expected {
            Some(expected) => assert!(error.unwrap().contains(expected), "{href}"),
            None => assert_eq!(links[0].url.as_deref(), Some(href)),
        }
    }
}

/// Resolving each link takes as long as copying the base, although little of it remains.
#[test]
fn long_bases_take_bounded_time() {
    let base = format!("<base href='/{}'>", "b".repeat(1 << 20));
    let page = format!("{base}{}", "<a href=x></a>".repeat(70_000));
    let links = resolved("http://e.org/", &page);
    let resolved = links.iter().filter(|link| link.url.is_some()).count();
    assert!((100..2_000).contains(&resolved), "{resolved}");
}
