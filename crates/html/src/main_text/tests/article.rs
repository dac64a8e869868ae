//! Articles among other text: teasers, comments, further articles, hidden elements.

use super::{SENTENCE, main_text, paragraphs, part_of_document};

const HEADLINE: &str = "A bridge reopens after two years";

/// A page whose title contains the headline and the name of the site.
fn page(body: &str) -> String {
    format!("<title>{HEADLINE} | The Example</title><body>{body}")
}

/// A paragraph outside the article, twice as long as one inside it.
fn teaser(number: usize) -> String {
    format!("Teaser {number}: {SENTENCE}{SENTENCE}")
}

/// Teasers, each below a linked heading.
fn teasers(count: usize, open: &str, close: &str) -> String {
    (0..count)
        .map(|i| {
            format!(
                "{open}<h3><a href=/{i}>Other {i}</a></h3><p>{}</p>{close}",
                teaser(i)
            )
        })
        .collect()
}

#[track_caller]
fn assert_main_text(body: &str, expected: &str) {
    let (text, _) = part_of_document(&page(body));
    assert_eq!(text, expected, "{body}");
}

#[test]
fn more_text_in_teasers_than_in_the_article() {
    let (html, expected) = paragraphs(8);
    let article = format!("<div><h1>{HEADLINE}</h1><div class=text>{html}</div></div>");
    let titled = format!("{HEADLINE}\n\n{expected}");
    for (body, expected) in [
        // In another part of the page.
        (
            format!(
                "{article}<div><ul>{}</ul></div>",
                teasers(12, "<li>", "</li>")
            ),
            &expected,
        ),
        // In a side bar.
        (
            format!("{article}<aside>{}</aside>", teasers(12, "<div>", "</div>")),
            &expected,
        ),
        // In articles next to that of the headline.
        (
            format!(
                "<div><article><h1>{HEADLINE}</h1>{html}</article>{}</div>",
                teasers(12, "<article>", "</article>")
            ),
            &titled,
        ),
        // In a list of news above the headline.
        (
            format!(
                "<div><ul>{}</ul><h1>{HEADLINE}</h1>{html}</div>",
                teasers(12, "<li>", "</li>")
            ),
            &titled,
        ),
    ] {
        assert_main_text(&body, expected);
    }
}

#[test]
fn a_linked_heading_of_kept_text_is_kept() {
    let part = |i| {
        format!(
            "<h2><a href=#{i}>Part {i}</a></h2><p>May 2024</p><p>{}</p>",
            teaser(i)
        )
    };
    let (html, expected) = paragraphs(8);
    let parts: String = (0..4).map(part).collect();
    let links = "<h2><a href=/x>Elsewhere</a></h2>".repeat(2);
    let body = format!("<div><h1>{HEADLINE}</h1>{html}{links}{parts}</div>");
    let texts = (0..4).map(|i| format!("\n\nPart {i}\n\nMay 2024\n\n{}", teaser(i).trim()));
    let expected = format!("{HEADLINE}\n\n{expected}{}", texts.collect::<String>());
    assert_main_text(&body, &expected);
}

#[test]
fn a_heading_that_links_to_itself_is_not_navigation() {
    let (html, expected) = paragraphs(8);
    let part = |href: &str| {
        format!("<h2><a href='{href}'>Signs</a></h2><h3>In towns</h3><p>{SENTENCE}</p>")
    };
    let sentence = SENTENCE.trim();
    for (href, heading) in [("#signs", "Signs\n\n"), (" #", "Signs\n\n"), ("/signs", "")] {
        let body = format!("<div><h1>{HEADLINE}</h1>{html}{}</div>", part(href));
        let text = format!("{HEADLINE}\n\n{expected}\n\n{heading}In towns\n\n{sentence}");
        assert_main_text(&body, &text);
    }
}

#[test]
fn teasers_after_an_article_are_left_out() {
    let (html, expected) = paragraphs(12);
    let titled = format!("{HEADLINE}\n\n{expected}");
    for (open, close) in [("<div>", "</div>"), ("<article>", "</article>")] {
        let teasers = teasers(3, open, close);
        let body = format!("<main><h1>{HEADLINE}</h1>{html}<p>More</p>{teasers}</main>");
        assert_main_text(&body, &titled);
    }
    // A single one may introduce the last section.
    let one = teasers(1, "<div>", "</div>");
    let body = format!("<main><h1>{HEADLINE}</h1>{html}{one}</main>");
    let (text, _) = part_of_document(&page(&body));
    assert!(text.ends_with(teaser(0).trim()), "{text}");
}

#[test]
fn code_is_not_the_headline() {
    let (html, expected) = paragraphs(4);
    let (more, rest) = (
        html.replace(": ", ": More. "),
        expected.replace(": ", ": More. "),
    );
    let body = format!("<div>{html}</div><div><pre>{HEADLINE}</pre></div><div>{more}</div>");
    assert_main_text(&body, &format!("{expected}\n\n{HEADLINE}\n\n{rest}"));
}

#[test]
fn a_long_paragraph_is_an_article_next_to_comments() {
    let comments = format!("<p>A comment. {SENTENCE}{SENTENCE}</p>").repeat(30);
    for (count, is_article) in [(40, true), (4, false)] {
        let article = SENTENCE.repeat(count);
        let body = format!(
            "<div><h1>{HEADLINE}</h1><p>{article}</p></div><div class=comments>{comments}</div>"
        );
        let (text, _) = part_of_document(&page(&body));
        assert_eq!(!text.contains("A comment."), is_article, "{count}: {text}");
    }
}

#[test]
fn a_heading_within_the_text_is_not_the_headline() {
    let (html, expected) = paragraphs(8);
    let titles = format!("<h1>The best of bridges</h1>{html}<h2>{HEADLINE}</h2>{html}");
    let sections = format!("The best of bridges\n\n{expected}\n\n{HEADLINE}\n\n{expected}");
    assert_main_text(&format!("<article>{titles}</article>"), &sections);
    // Text elsewhere does not count, nor does a short introduction.
    let (html, expected) = paragraphs(12);
    let (news, _) = paragraphs(8);
    let body = format!("<div>{news}</div><div><p>{SENTENCE}</p><h2>{HEADLINE}</h2>{html}</div>");
    assert_main_text(&body, &format!("{HEADLINE}\n\n{expected}"));
}

#[test]
fn more_text_in_comments_than_in_the_article() {
    let (html, expected) = paragraphs(8);
    let comments = format!("<div><p>{SENTENCE}{SENTENCE}</p></div>").repeat(40);
    let body = format!(
        "<div><h1>{HEADLINE}</h1></div><div>{html}</div><div class=comments>{comments}</div>"
    );
    assert_main_text(&body, &expected);
    // Without other text, the class is misleading.
    let (html, expected) = paragraphs(9);
    let body = format!("<div><h1>{HEADLINE}</h1></div><div class=comments>{html}</div>");
    assert_main_text(&body, &expected);
}

#[test]
fn the_headline_is_the_text_that_repeats_most_of_a_title() {
    let (html, expected) = paragraphs(3);
    let list = format!("<ul>{}</ul>", format!("<li>{SENTENCE}").repeat(9));
    let titles = [
        (HEADLINE, HEADLINE.to_owned()),
        (
            "The Example: a BRIDGE reopens – after two years!",
            HEADLINE.to_owned(),
        ),
        ("Bridge", HEADLINE.to_owned()),
        (
            "二年ぶりに橋が開通しました｜例新聞",
            "二年ぶりに、橋が開通しました。".to_owned(),
        ),
        (
            "إعادة فتح الجسر بعد عامين | مثال",
            "إعادة فتح الجسر بعد عامين".to_owned(),
        ),
    ];
    for (title, headline) in titles {
        // The title also contains the name of the site.
        let body = format!("<div><h2>Example</h2>{list}<h1>{headline}</h1>{html}</div>");
        for head in [
            format!("<title>{title}</title>"),
            format!("<title>News</title><meta property=og:title content=\"{title}\">"),
        ] {
            let (text, _) = part_of_document(&format!("{head}{body}"));
            if title == "Bridge" {
                // Too small a part of the headline.
                assert!(text.len() > headline.len() + expected.len() + 2, "{text}");
            } else {
                assert_eq!(text, format!("{headline}\n\n{expected}"), "{head}");
            }
        }
    }
}

#[test]
fn an_article_does_not_start_at_a_headline_below_most_of_the_text() {
    let (html, expected) = paragraphs(6);
    let body = format!("<div>{html}<h2>{HEADLINE}</h2><p>{SENTENCE}</p></div>");
    let sentence = SENTENCE.trim();
    assert_main_text(&body, &format!("{expected}\n\n{HEADLINE}\n\n{sentence}"));
}

#[test]
fn quotations_are_kept_regardless_of_their_class() {
    let (html, expected) = paragraphs(4);
    let quotation = "<blockquote class=twitter-tweet><p>Said there</p>— N. N.</blockquote>";
    for quotation in [
        quotation.to_owned(),
        format!("<div class=social-embed>{quotation}</div>"),
    ] {
        let body = format!("<div>{html}{quotation}{html}</div>");
        let expected = format!("{expected}\n\nSaid there\n\n— N. N.\n\n{expected}");
        assert_main_text(&body, &expected);
    }
    // Other content next to the quotation is dropped with it.
    let share = format!("<div class=social>{quotation}<p>{SENTENCE}</p></div>");
    let body = format!("<div>{html}{share}{html}</div>");
    assert_main_text(&body, &format!("{expected}\n\n{expected}"));
}

#[test]
fn short_lines_before_and_after_the_running_text() {
    let (html, expected) = paragraphs(4);
    let sentence = SENTENCE.trim();
    let body = format!(
        "<h1>{HEADLINE}</h1><div><div>Share</div><p>N. N., 7 May 2019</p><p>ROME</p>{html}\
         <p>That is all.</p><p>Read more...</p><p>Tags</p></div><div><p>That is not.</p></div>"
    );
    assert_main_text(&body, &format!("ROME\n\n{expected}\n\nThat is all."));
    let dated = format!("<div>{html}<p>In 2019.</p><p>Then</p><p>{SENTENCE}</p></div>");
    let expected = format!("{expected}\n\nIn 2019.\n\nThen\n\n{sentence}");
    assert_main_text(&dated, &expected);
}

#[test]
fn lists_of_links_after_the_text() {
    let (html, expected) = paragraphs(4);
    let more = "<li><a href=/x>Another article</a> of ours, by N. N.".repeat(5);
    let more = format!("<h2>More</h2><ul>{more}</ul>");
    let body = format!("<div>{html}{more}</div>");
    assert_main_text(&body, &expected);
    // A list followed by text belongs to the article.
    let (text, _) = part_of_document(&page(&format!("<div>{html}{more}<p>{SENTENCE}</div>")));
    assert!(text.contains("Another article"), "{text}");
}

#[test]
fn articles_of_short_lines() {
    let lines: Vec<String> = (0..40).map(|i| format!("Line {i} of the song")).collect();
    let html: String = lines.iter().map(|line| format!("<p>{line}")).collect();
    let body = format!(
        "<div>{}</div><div><h1>{HEADLINE}</h1><div><p>{SENTENCE}</p>{html}</div></div>",
        "<p>Elsewhere".repeat(40)
    );
    let sentence = SENTENCE.trim();
    let expected = format!("{sentence}\n\n{}", lines.join("\n\n"));
    let (text, _) = part_of_document(&page(&body));
    assert!(text.ends_with(&expected), "{text}");
    assert!(!text.contains("Elsewhere"), "{text}");
}

#[test]
fn hidden_text_is_included_if_hardly_any_is_shown() {
    let (html, expected) = paragraphs(20);
    for hidden in [
        "<div style='display:none' class=text>",
        "<div aria-hidden=true>",
        "<div hidden><div hidden>",
    ] {
        let shown = format!("<div><p>Please wait.</p></div><h1>{HEADLINE}</h1>");
        assert_eq!(
            main_text(&page(&format!("{shown}{hidden}{html}"))),
            expected
        );
        // Never scripts and templates.
        let script = format!("{shown}<template>{html}</template><script>{html}</script>");
        assert!(!main_text(&page(&script)).contains("sentence"));
        let (other, shown) = paragraphs(6);
        let both = format!("<div>{other}</div>{hidden}{html}");
        assert_eq!(main_text(&page(&both)), shown);
    }
}

#[test]
fn hostile_titles_and_headings_take_no_time() {
    let title = "bridge ".repeat(20_000);
    let headings = "<h2>bridgebridge</h2><p>bridge bridge</p>".repeat(20_000);
    let lists = "<ul><li><p>".repeat(500) + &"<p>bridge bridge".repeat(20_000);
    for body in [headings, lists] {
        let page =
            format!("<title>{title}</title><meta property=og:title content='{title}'>{body}");
        assert!(main_text(&page).len() > 100_000);
    }
}

#[test]
fn structures_after_the_last_text_are_kept() {
    let (text, expected) = paragraphs(2);
    for (end, shown) in [
        (
            "<h2>Ingredients</h2><ul><li>three eggs<li>milk</ul>",
            "Ingredients\n\nthree eggs\nmilk",
        ),
        (
            "<h2>Prices</h2><table><tr><td>a<td>1<tr><td>b<td>2</table>",
            "Prices\n\na\t1\nb\t2",
        ),
        (
            "<pre>let a = 1;\nlet b = 2;</pre>",
            "let a = 1;\nlet b = 2;",
        ),
        ("<blockquote>So be it</blockquote>", "So be it"),
    ] {
        let page = format!("<article><h1>T</h1>{text}{end}<p>Tags</p></article>");
        assert_eq!(
            main_text(&page),
            format!("T\n\n{expected}\n\n{shown}"),
            "{end}"
        );
    }
    // Elements without running text may be of another subject.
    let page = format!("<article><h1>T</h1>{text}<div><h2>More</h2><ul><li>a<li>b</ul></div>");
    assert_eq!(main_text(&page), format!("T\n\n{expected}"));
}

#[test]
fn a_summary_without_its_headline_is_left_out() {
    let (html, article) = paragraphs(18);
    let summary = "What the bridge means for the town, for its markets and for the people who live in it, \
                   and what the council and the builders say about the costs of the second one.";
    let meta = format!("<meta name=description content='{summary}'>");
    let body = format!("<div><div class=dek>{summary}</div><div>{html}</div></div>");
    let whole = format!("{summary}\n\n{article}");
    assert_eq!(main_text(&page(&body)), whole);
    assert_eq!(main_text(&page(&format!("{meta}{body}"))), article);
    // In the element of the text, it is the first paragraph.
    let text = main_text(&page(&format!("{meta}<div><p>{summary}</p>{html}</div>")));
    assert_eq!(text, whole);
}

#[test]
fn credits_of_pictures_are_left_out() {
    let (html, article) = paragraphs(4);
    let credit = "<div class=photo-credit>Photo: Ann Lee</div>";
    let body = format!("<div>{html}{credit}{html}</div>");
    assert_eq!(main_text(&page(&body)), format!("{article}\n\n{article}"));
    let body = body.replace("photo-credit", "accreditation");
    assert!(main_text(&page(&body)).contains("Ann Lee"));
}

#[test]
fn code_and_tables_at_the_end_may_be_alone_in_an_element() {
    let (html, expected) = paragraphs(4);
    for (end, text) in [
        ("<pre>a\nb</pre>", "a\nb"),
        ("<table><tr><th>a<td>b</table>", "a\tb"),
        ("<ol><li>a<li>b</ol>", "a\nb"),
    ] {
        let end = format!("<div class=box><div>{end}</div></div>");
        let page = format!("<div><h1>Boots</h1>{html}{end}</div><div>{end}</div>");
        assert_eq!(main_text(&page), format!("Boots\n\n{expected}\n\n{text}"));
    }
}

#[test]
fn headings_without_text_are_not_at_the_end() {
    let (html, expected) = paragraphs(4);
    let page = format!(
        "<title>Boots</title><article><h1>Boots</h1>{html}<h2>Comments</h2><h3>Latest</h3>
         <form>{SENTENCE}</form></article>"
    );
    assert_eq!(main_text(&page), format!("Boots\n\n{expected}"));
}
