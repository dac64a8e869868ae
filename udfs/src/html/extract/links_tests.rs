//! Links, on small pages.

use url::Url;

use super::links::{Link, Links};
use super::testing::heard;

fn links(page: &str) -> Vec<Link> {
    heard(page, Links::default).finish(None)
}

#[track_caller]
fn assert_urls(page_url: &str, page: &str, expected: &[&str]) {
    let url = Url::parse(page_url).unwrap();
    let links = heard(page, Links::default).finish(Some(&url));
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
fn what_is_no_link_is_passed_over() {
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

#[test]
fn absolute_addresses_stay_within_a_multiple_of_the_page() {
    let page = format!(
        "<base href='/{}/'>{}",
        "b".repeat(2000),
        "<a href=x></a>".repeat(20_000)
    );
    let url = Url::parse("http://e.org/").unwrap();
    let links = heard(&page, Links::default).finish(Some(&url));
    assert_eq!(links.len(), 20_000);
    let total: usize = links
        .iter()
        .flat_map(|link| &link.url)
        .map(String::len)
        .sum();
    assert!(total > 500_000 && total < 10 * page.len(), "{total}");
}
