//! Pages designed to be expensive: no text is lost, and the events stay proportional to the page.

use crate::{Attributes, Element, Events, Options, native};
use corpus_bytes::step_counter::assert_linear;
use corpus_markup::Name;

/// Counts events and the depth of elements.
#[derive(Default)]
struct Counts {
    events: usize,
    depth: usize,
    deepest: usize,
    text: String,
}

impl Events for Counts {
    fn open(&mut self, _: &Element<'_>) {
        self.events += 1;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    fn close(&mut self, _: Name) {
        self.events += 1;
        self.depth -= 1;
    }

    fn text(&mut self, text: &str) {
        self.events += 1;
        self.text.push_str(text);
    }
}

fn read(page: &str) -> Counts {
    let mut counts = Counts::default();
    let result = native::read(page, &Options::default(), &mut counts);
    assert_eq!(result, Ok(()));
    assert_eq!(counts.depth, 0, "all is closed");
    counts
}

const TIMES: usize = 20_000;

#[test]
fn floods_cause_proportional_events_and_lose_no_text() {
    for flood in [
        "<div>",
        "<b>",
        "<ul><li>",
        "<p><font>",
        "<a>",
        "<table><tr><td>",
        "<svg>",
        "<math><mi>",
        "<template>",
        "<select><option>",
        "<button>",
        "<object>",
        "<form>",
        "<span>",
        "<x-y>",
        "<dl><dd>",
        "<ruby><rt>",
        "<nobr>",
        "<option>",
        "<h1>",
        "<svg><desc>",
        "<table><caption>",
        "<table>",
        "<b><p>",
        "<a><div>",
        "<i><b></i>",
        "</p>",
        "</br>",
        "</x>",
        "<select>",
        "<dialog><p>",
    ] {
        let counts = read(&format!("<body>{}x", flood.repeat(TIMES)));
        assert!(
            counts.events < 10 * TIMES,
            "{flood}: {} events",
            counts.events
        );
        assert!(counts.deepest <= 520, "{flood}: {}", counts.deepest);
        assert_eq!(counts.text, "x", "{flood}");
    }
}

#[test]
fn reopening_of_unclosed_formatting_elements_is_bounded() {
    let fonts: String = (0..400).map(|n| format!("<font size={n}>")).collect();
    let page = format!("<p>{fonts}{}", "<p>x".repeat(TIMES));
    let counts = read(&page);
    assert_eq!(counts.text, "x".repeat(TIMES));
    // Each paragraph would reopen all of them.
    assert!(counts.events < 4 * page.len(), "{} events", counts.events);
}

#[test]
fn elements_that_are_too_deep_are_empty_and_their_content_follows() {
    struct Names(String);
    impl Events for Names {
        fn open(&mut self, element: &Element<'_>) {
            self.0.push_str(&format!("<{}>", element.tag()));
        }
        fn close(&mut self, name: Name) {
            self.0.push_str(&format!("</{}>", name.text()));
        }
        fn text(&mut self, text: &str) {
            self.0.push_str(text);
        }
    }
    let read = |page: &str| {
        let mut names = Names(String::new());
        let options = Options {
            max_depth: 4,
            ..Options::default()
        };
        native::read(page, &options, &mut names).expect("no tree is needed");
        names
            .0
            .split_once("<body>")
            .expect("there is a body")
            .1
            .to_owned()
    };
    // html, body, div and div are four levels. The end tags of the others close none of these.
    assert_eq!(
        read("<div><div><div>a<p>b</p></div>c</div>d</div>e"),
        "<div><div><div></div>a<p></p>bc</div>d</div>e</body></html>"
    );
    // A table is nested with its rows, or not at all.
    assert_eq!(
        read("<div><table><tr><td>a<table><tr><td>b</td></tr></table>c</table>d</div>e"),
        "<div><table><tbody><tr><td>a<table></table><tr></tr><td></td>bc</td></tr></tbody></table>d</div>e</body></html>"
    );
    // After the enclosing element, nothing is dropped any more.
    assert_eq!(
        read("<div><div><p>a</div><p>b<p>c</div>d"),
        "<div><div><p></p>a</div><p>b</p><p>c</p></div>d</body></html>"
    );
}

#[test]
fn missing_and_surplus_end_tags_are_harmless() {
    let divs = "<div>".repeat(600);
    let ends = "</div>".repeat(700);
    let counts = read(&format!("{divs}a{ends}b<p>c"));
    assert_eq!(counts.text, "abc");
    assert_eq!(counts.events, 2 * (3 + 600 + 1) + 3);
}

/// Sums up the bytes of all emitted attributes.
#[derive(Default)]
struct AttributeBytes(usize);

impl Events for AttributeBytes {
    fn open(&mut self, element: &Element<'_>) {
        if let Attributes::Raw { source, .. } = element.attributes {
            self.0 += source.len();
        }
    }

    fn close(&mut self, _: Name) {}

    fn text(&mut self, _: &str) {}
}

#[test]
fn reopened_long_tags_do_not_multiply_the_page() {
    let attributes: String = (0..500).map(|n| format!(" a{n}=b")).collect();
    let open: String = (0..100).map(|n| format!("<b x={n}{attributes}>")).collect();
    let page = open + &"<p>x".repeat(20_000);
    let mut attributes_read = AttributeBytes::default();
    native::read(&page, &Options::default(), &mut attributes_read).unwrap();
    assert!(
        attributes_read.0 <= 9 * page.len() + (160 << 10),
        "{} of {}",
        attributes_read.0,
        page.len()
    );
}

#[test]
fn pages_take_linear_work() {
    for (begin, part) in [
        ("", "<b>x<p>"),
        ("", "<b a=1 b=2 c=3></i>x"),
        ("", "<a><div></a>"),
        ("", "<object><b></object>"),
        // Each cell leaves the marker of an object in the list of formatting elements.
        ("<table><tr>", "<td><object></td>"),
        ("<table><tr>", "<td><object><b></td>"),
        ("<table><tr>", "<td><object></td><td><b>x</td>"),
        ("<table><tr>", "<td><marquee><b><i></b></td>"),
        ("<html", " a=b"),
        ("", "<html a=b>"),
        ("", "<!-- -->"),
        ("<svg>", "<g></x>"),
        ("<template>", "<template>"),
    ] {
        let page = |parts: usize| begin.to_owned() + &part.repeat(parts);
        assert_linear(&format!("{begin}{part}"), page, |page| {
            let mut counts = Counts::default();
            // Pages that need a tree are parsed by html5ever.
            let _ = native::read(page, &Options::default(), &mut counts);
        });
    }
}
