//! Pages other than articles: their kinds, the declared main content, and the posts of forums.

use super::{SENTENCE, main_text, paragraphs};
use crate::engine::Engine;
use crate::events::Options;
use crate::extract::Addresses;
use crate::main_text::{PageKind, main_blocks, main_text_and_kind};
use corpus_blocks::plain_text;

const DISCUSSION: &str = "<script type='application/ld+json'>\
    {\"@type\": \"DiscussionForumPosting\"}</script>";

fn kind(page: &str) -> PageKind {
    main_text_and_kind(Engine::default(), &Options::default(), page).1
}

/// Items with a link and a price, without running text.
fn offers(count: usize) -> String {
    let offer = |i| format!("<div><a href=/{i}>Pair of boots {i}</a><p>$ {i}9.50</p></div>");
    (0..count).map(offer).collect()
}

#[test]
fn without_an_article_the_declared_main_content_is_kept() {
    let panel = format!("<div><h3>Settings</h3><p>{SENTENCE}{SENTENCE}{SENTENCE}</p></div>");
    let expected = format!("Boots\n\n{}", SENTENCE.trim());
    for (open, close) in [("<main>", "</main>"), ("<div role=main>", "</div>")] {
        let page = format!("{open}<h1>Boots</h1><p>{SENTENCE}</p>{close}{panel}");
        assert_eq!(main_text(&page), expected, "{open}");
        // With little of the text, it is filled by scripts.
        let page = format!("{open}<h1>Boots</h1>{close}{panel}");
        assert!(main_text(&page).contains(SENTENCE.trim()), "{open}");
    }
    // Otherwise, nothing indicates that the panel is not content.
    let page = format!("<div><h1>Boots</h1><p>{SENTENCE}</p></div>{panel}");
    assert!(main_text(&page).contains("Settings"));
}

#[test]
fn of_several_declared_main_contents_the_longest_is_kept() {
    let page = format!(
        "<main><p>Short.</p></main><main><h1>Boots</h1><p>{SENTENCE}</p></main>
         <div><p>{SENTENCE}{SENTENCE}</p></div>"
    );
    assert_eq!(main_text(&page), format!("Boots\n\n{}", SENTENCE.trim()));
}

#[test]
fn landmarks_are_surroundings() {
    let (html, expected) = paragraphs(3);
    let notice = format!("<h2>Notice</h2><p>{SENTENCE}</p>");
    for role in [
        "alertdialog",
        "complementary",
        "contentinfo",
        "dialog",
        " Navigation ",
    ] {
        let page = format!("<div>{html}</div><div role='{role}'>{notice}</div>");
        assert_eq!(main_text(&page), expected, "{role}");
    }
    let page = format!("<div>{html}</div><div role=note>{notice}</div>");
    assert!(main_text(&page).contains("Notice"));
}

#[test]
fn a_dialog_may_have_most_of_the_running_text() {
    let post = "<h1>Question about boots</h1><div><p>Which boots are the warmest?</p></div>";
    let dialog = format!("<div role=dialog><p>{}</p></div>", SENTENCE.repeat(6));
    let links = "<ul><li><a href=/b>All the other questions that people asked</a></ul>".repeat(12);
    let text = main_text(&format!("{post}{links}{dialog}"));
    assert!(!text.contains(SENTENCE.trim()), "{text}");
}

#[test]
fn links_between_a_few_paragraphs_are_not_content() {
    let section =
        |name| format!("<div><h2>{name}</h2><p>Few words.</p><p>{name}: {SENTENCE}</p></div>");
    let sections: String = ["Repairs", "Rental", "Advice"].map(section).concat();
    // Each link is small, but they are in the way of an article.
    let small = format!("<div><p><a href=/x>{SENTENCE}</a></p></div>");
    let page = format!("<h1>Boots</h1>{sections}{small}");
    let text = main_text(&page);
    assert_eq!(text.matches(SENTENCE.trim()).count(), 3, "{text}");
}

/// A post with the name of its author, details about them, and a text.
fn post(number: usize) -> String {
    format!(
        "<article itemprop=comment itemscope itemtype=https://schema.org/Comment>
         <div itemprop=author itemscope itemtype=https://schema.org/Person><h4>Author {number}</h4>
         <h5>Member</h5><dl><dt>Joined<dd>2009<dt>Posts<dd>138</dl></div>
         <div><p>{number}: {SENTENCE}</p></div></article>"
    )
}

#[test]
fn posts_of_a_forum_keep_the_names_of_their_authors() {
    let posts: String = (1..4).map(post).collect();
    let page = format!("<title>Boots</title><h1>Boots for winter</h1><div>{posts}</div>");
    assert_eq!(kind(&page), PageKind::Forum);
    let text = main_text(&page);
    for number in 2..4 {
        let expected = format!("Author {number}\n\n{number}: {}", SENTENCE.trim());
        assert!(text.contains(&expected), "{text}");
    }
    assert!(
        !text.contains("Joined") && !text.contains("Member"),
        "{text}"
    );
}

#[test]
fn lists_in_the_declared_text_of_a_post_are_kept() {
    let list = "<ul><li>leather<li>laces</ul>";
    let post = |number| post(number).replace("<div><p>", &format!("<div itemprop=text>{list}<p>"));
    let posts: String = (1..4).map(post).collect();
    let page = format!("<title>Boots</title><h1>Boots for winter</h1><div>{posts}</div>");
    assert_eq!(kind(&page), PageKind::Forum);
    let text = main_text(&page);
    assert_eq!(text.matches("leather\nlaces").count(), 3, "{text}");
    assert!(!text.contains("Joined"), "{text}");
}

#[test]
fn labels_beside_the_texts_of_posts_are_not_part_of_a_thread() {
    let names = ["Ada", "Bea", "Cal", "Dan", "Eve"];
    let post = |(number, name): (usize, &str)| {
        let text = if number == 2 {
            "Thanks a lot"
        } else {
            SENTENCE
        };
        format!(
            "<div class='post-{number}'><div class=side><div>{name}</div><div>Town of {name}</div>
             </div><div class=date>0{number}.01.2012</div>
             <div class=body><p>{number}: {text}</p><div>Code of {name}</div></div></div>"
        )
    };
    let posts: String = names.into_iter().enumerate().map(post).collect();
    let page = format!("<title>Boots</title><h1>Boots for winter</h1><div>{posts}</div>");
    assert_eq!(kind(&page), PageKind::Forum);
    let text = main_text(&page);
    let expected = format!(
        "Code of Bea\n\nCal\n\n2: Thanks a lot\n\nCode of Cal\n\nDan\n\n3: {}",
        SENTENCE.trim()
    );
    assert!(text.contains(&expected), "{text}");
}

#[test]
fn the_summary_of_a_reference_is_kept() {
    let (html, expected) = paragraphs(12);
    let types = "<script type='application/ld+json'>{\"@type\":\"TechArticle\"}</script>";
    let page = format!(
        "{types}<title>Boots</title><main><h1>Class Boots</h1><section><div>{SENTENCE}</div>
         </section><section><div><h2>Methods</h2>{html}</div></section></main>"
    );
    let start = format!("Class Boots\n\n{}\n\nMethods", SENTENCE.trim());
    assert_eq!(main_text(&page), format!("{start}\n\n{expected}"));
}

#[test]
fn facts_after_the_text_of_an_event_are_kept() {
    let (html, expected) = paragraphs(5);
    let event = "<script type='application/ld+json'>{\"@type\":\"Event\"}</script>";
    let page = format!(
        "{event}<title>Concert</title><div><h1>Concert</h1><div>{html}</div>
         <div><h2>Details</h2><dl><dt>Date<dd>2 May</dl></div></div>
         <div><dl><dt>Other<dd>page</dl></div>"
    );
    assert_eq!(
        main_text(&page),
        format!("Concert\n\n{expected}\n\nDetails\n\nDate\n2 May")
    );
}

#[test]
fn comments_are_the_content_of_a_discussion() {
    let (html, question) = paragraphs(8);
    let answers: String = (0..20)
        .map(|number| format!("<div class=comment><p>Answer: {number} {SENTENCE}</p></div>"))
        .collect();
    let page = format!("<h1>Boots</h1><div>{html}</div>{answers}");
    assert_eq!(main_text(&page), question);
    let text = main_text(&format!("{DISCUSSION}{page}"));
    assert!(text.starts_with(&format!("Boots\n\n{question}")), "{text}");
    assert_eq!(text.matches("Answer: ").count(), 20, "{text}");
}

#[test]
fn signatures_of_authors_are_not_part_of_a_discussion() {
    let text = SENTENCE.repeat(3);
    let post = format!("<p>{text}</p><div class=signature><p>Signed: {SENTENCE}</p></div>");
    let page = format!("<h1>Boots</h1><div>{}</div>", post.repeat(4));
    assert!(main_text(&page).contains("Signed"));
    let main = main_text(&format!("{DISCUSSION}{page}"));
    assert_eq!(main.matches(text.trim()).count(), 4, "{main}");
    assert!(!main.contains("Signed"), "{main}");
}

#[test]
fn short_and_late_posts_are_part_of_a_discussion() {
    // The first post has nearly all of the text.
    let (html, _) = paragraphs(8);
    let post = |name: &str, text: &str| {
        format!("<div class=post><div><h3><a href=/{name}>{name}</a></h3>{text}</div></div>")
    };
    let answer = |(name, answer): (&str, &str)| {
        post(
            name,
            &format!("<h4>Re: Boots</h4><p>{answer}</p><p>Quote</p>"),
        )
    };
    let given = [("Bob", "Yes!"), ("Cy", "Never."), ("Ann", "Wool helps.")];
    let answers: String = given.map(answer).concat();
    let signed =
        format!("<p>Last: {SENTENCE}</p><div class=signature><p>Signed: {SENTENCE}</p></div>");
    let page = format!(
        "<title>Boots</title><link rel=canonical href=/forum/topic/1/boots><div><h1>Boots</h1>{}
         {answers}{}{}</div><div class=login><p>{SENTENCE}</p></div>",
        post("Ann", &html),
        post("Bob", &signed),
        post("Cy", "<p>Thank you</p>")
    );
    assert_eq!(kind(&page), PageKind::Forum);
    let text = main_text(&page);
    assert_eq!(text.matches(SENTENCE.trim()).count(), 9, "{text}");
    for (_, answer) in given {
        assert!(text.contains(answer), "{text}");
    }
    for other in ["Signed", "Re: Boots", "Quote"] {
        assert!(!text.contains(other), "{text}");
    }
}

#[test]
fn details_of_an_author_are_not_taken_for_the_name() {
    let linked = |number| {
        let linked = post(number).replace("<h4>", "<h4><a href=/author>");
        linked.replace("</h4>", "</a></h4>")
    };
    let posts: String = (1..4).map(linked).collect();
    let page = format!("<title>Boots</title><h1>Boots for winter</h1><div>{posts}</div>");
    assert_eq!(kind(&page), PageKind::Forum);
    let text = main_text(&page);
    assert_eq!(text.matches(SENTENCE.trim()).count(), 3, "{text}");
    assert!(!text.contains("Member"), "{text}");
}

#[test]
fn dates_and_places_are_part_of_an_event_or_a_job() {
    let (html, text) = paragraphs(4);
    let page = format!(
        "<title>Bookbinder</title><nav><a href=/>Jobs</a></nav><div><h1>Bookbinder</h1>
         <ul><li><b>Place:</b> Riverton<li><b>Apply until:</b> 30 June</ul></div>
         <div>{html}<p><a href=/apply>Apply now</a></div>"
    );
    assert_eq!(main_text(&page), text);
    let facts = "Bookbinder\n\nPlace: Riverton\nApply until: 30 June";
    for name in ["JobPosting", "Event", "https://schema.org/MusicEvent"] {
        let data = format!("<script type=application/ld+json>{{\"@type\": \"{name}\"}}</script>");
        assert_eq!(
            main_text(&format!("{data}{page}")),
            format!("{facts}\n\n{text}")
        );
        // Several events are a program, or beside the text.
        assert_eq!(main_text(&format!("{data}{data}{page}")), text);
    }
}

#[test]
fn reviews_are_not_part_of_the_offer_of_a_product() {
    let review = format!("<div class=review><p>A review. {SENTENCE}{SENTENCE}</p></div>");
    let page = format!(
        "<h1>Boots</h1><div><p>{SENTENCE}</p><p>{SENTENCE}</p></div><div id=reviews>{}</div>",
        review.repeat(8)
    );
    assert!(main_text(&page).contains("A review."));
    let offer = "<meta property=og:type content=product>";
    let text = main_text(&format!("{offer}{page}"));
    assert_eq!(text.matches(SENTENCE.trim()).count(), 2, "{text}");
    assert!(!text.contains("A review."), "{text}");
    // An article about a product declares both.
    let article = "<script type='application/ld+json'>[{\"@type\":\"Article\"}]</script>";
    assert!(main_text(&format!("{offer}{article}{page}")).contains("A review."));
}

#[test]
fn a_notice_that_is_longer_than_a_post_is_not_content() {
    let notice = format!(
        "<div id=consent><p>Notice. {}</p></div>",
        SENTENCE.repeat(30)
    );
    let page = |count| {
        let (post, _) = paragraphs(count);
        format!("<h1>Boots</h1><div>{post}</div>{notice}")
    };
    let text = main_text(&page(6));
    assert!(!text.contains("Notice."), "{text}");
    // Without running text next to it, it may be the article.
    assert!(main_text(&page(0)).contains("Notice."));
}

#[test]
fn an_article_with_comments_is_not_a_forum() {
    let (html, expected) = paragraphs(12);
    let comments: String = (1..3).map(post).collect();
    let page = format!("<article>{html}</article><section id=comments>{comments}</section>");
    assert_eq!(kind(&page), PageKind::Article);
    assert_eq!(main_text(&page), expected);
    // Frequent questions have no authors.
    let answer = "<div itemtype=https://schema.org/Answer>";
    assert_ne!(kind(&format!("{answer}{html}</div>")), PageKind::Forum);
}

#[test]
fn kinds() {
    let (text, _) = paragraphs(20);
    let linked = |json: &str| format!("<script type=application/ld+json>{json}</script>{text}");
    let code = "<p>Call it like this:</p><pre><code>boots()</code></pre>";
    let links = "<ul><li><a href=/b>One of the many other pages here</a></ul>".repeat(30);
    let product = "{\"@type\": [ \"Product\" ], \"name\": \"Boots\"}";
    let price = "<p class=price>$ 59.50</p>";
    for (page, expected) in [
        (text.clone(), PageKind::Article),
        (linked("{\"@type\":\"QAPage\"}"), PageKind::Forum),
        (linked(product) + price, PageKind::Product),
        // An article about a product shows no price.
        (linked(product), PageKind::Article),
        (
            linked("{\"@type\":\"https://schema.org/TechArticle\"}"),
            PageKind::Documentation,
        ),
        (linked("{\"@type\":\"Blog"), PageKind::Article),
        (linked("{\"@type\""), PageKind::Article),
        (
            format!("<meta property='og:type' content='shop:item'>{text}"),
            PageKind::Product,
        ),
        (
            format!("<div itemscope itemtype=http://schema.org/Product>{text}{price}</div>"),
            PageKind::Product,
        ),
        (
            format!("<div>{}{text}</div>", code.repeat(6)),
            PageKind::Documentation,
        ),
        (format!("<h1>Boots</h1>{}", offers(9)), PageKind::Collection),
        (format!("<h1>Pages</h1>{links}"), PageKind::Listing),
    ] {
        let start: String = page.chars().take(90).collect();
        assert_eq!(kind(&page), expected, "{start}");
    }
    let several = format!(
        "<script type='application/ld+json'>[{}]</script><h1>Boots</h1>{}",
        [product; 3].join(","),
        offers(9)
    );
    assert_eq!(kind(&several), PageKind::Collection);
    assert_eq!(kind(""), PageKind::Article);
}

#[test]
fn kinds_of_pages_that_declare_no_types() {
    let at = |path: &str| format!("<link rel=canonical href=https://boots.example{path}>");
    let text = SENTENCE.repeat(2);
    let section = |name: usize| format!("<section><h2>Part {name}</h2><p>{text}</p></section>");
    let sections: String = (0..9).map(section).collect();
    let post = |name: usize| {
        format!(
            "<div class=post><div class=user><b>Member {name}</b></div><p>{name}: {text}</p></div>"
        )
    };
    let posts: String = (0..9).map(post).collect();
    let teaser = |name: usize| format!("<h3><a href=/n/{name}>News {name}</a></h3><p>2026-01-02");
    let teasers: String = (0..20).map(teaser).collect();
    for (page, expected) in [
        (
            format!("{}<h1>Repairs</h1>{sections}", at("/")),
            PageKind::Service,
        ),
        // If one address is empty, the other one counts.
        (
            format!(
                "<link rel=canonical href=''><meta property=og:url content=/docs/repairs>
                 <h1>Repairs</h1>{sections}"
            ),
            PageKind::Documentation,
        ),
        (
            format!("{}<h1>Repairs</h1>{sections}", at("/docs/repairs")),
            PageKind::Documentation,
        ),
        (
            format!("{}<h1>Repairs</h1>{sections}", at("/blog/repairs")),
            PageKind::Article,
        ),
        (
            format!("<h1>Boots</h1><div class=thread>{posts}</div>"),
            PageKind::Forum,
        ),
        (format!("<h1>News</h1>{teasers}"), PageKind::Listing),
    ] {
        let start: String = page.chars().take(90).collect();
        assert_eq!(kind(&page), expected, "{start}");
    }
}

#[test]
fn paragraphs_that_the_page_repeats_elsewhere_are_kept_once() {
    let (html, expected) = paragraphs(5);
    let copy = "<div class=slide><p>2: A sentence of the article, which is long enough to be \
                running text. </div>";
    let page = format!("<div>{html}{copy}<p>Last: {SENTENCE}</div>");
    assert_eq!(
        main_text(&page),
        format!("{expected}\n\nLast: {}", SENTENCE.trim())
    );
    // An author repeats questions, and references repeat descriptions and code.
    let question = format!("<p>{SENTENCE}</p><p>{SENTENCE}Yes.</p>").repeat(4);
    assert_eq!(
        main_text(&format!("<div>{question}</div>"))
            .matches("Yes.")
            .count(),
        4
    );
    // Several people are asked the same, each in an element.
    let question = "Which of the many boots of this winter do you like most, and why do you?";
    let ask = |number| format!("<div><p>{question}</p><p>{number}: {SENTENCE}</p></div>");
    let asked: String = (0..4).map(ask).collect();
    assert_eq!(main_text(&asked).matches(question).count(), 4);
    let copy = format!("<div><p>{question}</p><p>{SENTENCE}</p></div>").repeat(4);
    assert_eq!(main_text(&copy).matches(question).count(), 1);
    let code = format!("<div><p>{SENTENCE}</p><pre>{SENTENCE}</pre></div>").repeat(4);
    let code = format!("<link rel=canonical href=https://docs.boots.example/>{code}");
    assert_eq!(main_text(&code).matches(SENTENCE.trim()).count(), 8);
}

#[test]
fn a_quotation_of_an_earlier_post_is_not_repeated() {
    let post = |number: usize| format!("{number}: {}", SENTENCE.repeat(3));
    let posts: String = (1..5)
        .map(|number| {
            let quoted = post(number - 1);
            let quotation = format!("<blockquote><p>{quoted}</p></blockquote>");
            format!("<div>{quotation}<p>{}</p></div>", post(number))
        })
        .collect();
    let text = main_text(&format!("{DISCUSSION}<h1>Boots</h1><div>{posts}</div>"));
    for number in 0..5 {
        assert_eq!(
            text.matches(post(number).trim()).count(),
            1,
            "{number}: {text}"
        );
    }
}

#[test]
fn a_list_of_offers_is_content_whatever_its_name() {
    let list = |attributes: &str, count| format!("<div {attributes}>{}</div>", offers(count));
    let about = format!("<div><p>{SENTENCE}{SENTENCE}</p><p>{SENTENCE}</p></div>");
    for attributes in [
        "class=search-results",
        "class=sidebar",
        "style='display: none'",
    ] {
        let page = |count| format!("<h1>Boots</h1>{}{about}", list(attributes, count));
        let text = main_text(&page(60));
        assert!(
            text.starts_with("Boots\n\nPair of boots 0"),
            "{attributes}: {text}"
        );
        assert!(text.contains("$ 599.50"), "{attributes}: {text}");
        // A few offers are an addition to the text.
        assert!(!main_text(&page(5)).contains("Pair"), "{attributes}");
    }
    // The links of a list of prices lead somewhere.
    let prices = "<div><b>Pair of boots</b><p>$ 9.50</p></div>".repeat(60);
    let text = main_text(&format!("<h1>Boots</h1><aside>{prices}</aside>{about}"));
    assert!(!text.contains("Pair"), "{text}");
}

/// A page with JSON-LD and a body.
fn linked_data(json: &str, body: &str) -> String {
    format!("<script type='application/ld+json'>{json}</script><body>{body}")
}

#[test]
fn json_ld_replaces_what_a_page_lacks() {
    let product = "{\"@graph\": [{\"@type\": [\"Product\"], \"name\": \"Boots &amp; more\",
        \"brand\": {\"@type\": \"Brand\", \"description\": \"x\"},
        \"description\": \"<p>Warm\n&lt;b&gt;boots&lt;/b&gt; for cold days.</p><p>And \\nwet ones.\"}]}";
    let expected = "Boots & more\n\nWarm boots for cold days.\n\nAnd\nwet ones.";
    for body in ["", "<div id=app></div>", "<h1>Boots</h1><p>Loading</p>"] {
        assert_eq!(main_text(&linked_data(product, body)), expected, "{body}");
    }
    let blocks = main_blocks(
        Engine::default(),
        &Options::default(),
        &linked_data(product, ""),
        &Addresses::None,
    );
    assert_eq!(plain_text::of_blocks(&blocks), expected);
    // The page shows it, or more.
    let shown = "<h1>Boots</h1><p>Warm boots for cold days. And “wet” ones.";
    assert!(main_text(&linked_data(product, shown)).starts_with("Boots\n\nWarm"));
    let longer = format!("<h1>Boots</h1><p>{SENTENCE}{SENTENCE}</p>");
    assert!(main_text(&linked_data(product, &longer)).ends_with(SENTENCE.trim()));

    let article = format!("{{\"@type\": \"NewsArticle\", \"articleBody\": \"{SENTENCE}\"}}");
    assert_eq!(
        main_text(&linked_data(&article, "<h1>T</h1>")),
        SENTENCE.trim()
    );
    for json in ["{", "[[[", "{\"@type\": \"Product\", \"description\": 1}"] {
        assert_eq!(main_text(&linked_data(json, "<p>a</p>")), "a", "{json}");
    }
    let deep = format!("{}\"description\"", "[".repeat(100_000));
    assert_eq!(main_text(&linked_data(&deep, "<p>a</p>")), "a");
}

#[test]
fn sections_of_a_service_are_kept_whatever_their_names() {
    let section = |name: &str, text: &str| {
        format!("<section class='{name}'><h2>{text}</h2><p>{SENTENCE}</p></section>")
    };
    let site = "<script type='application/ld+json'>{\"@type\": \"WebSite\"}</script>";
    let page = format!(
        "{site}<link rel=canonical href=https://a.example/><h1>We clean</h1>{}{}{}{}<nav><p>{SENTENCE}</nav>",
        section("intro", "One"),
        section("promo", "Two"),
        section("banner-area", "Three"),
        section("outro", "Four"),
    );
    assert_eq!(kind(&page), PageKind::Service);
    let text = main_text(&page);
    for title in ["One", "Two", "Three", "Four"] {
        assert!(text.contains(title), "{title}: {text}");
    }
}

#[test]
fn a_service_starts_at_its_title() {
    let site = "<script type='application/ld+json'>{\"@type\": \"WebSite\"}</script>";
    let (html, _) = paragraphs(12);
    let page = format!(
        "{site}<link rel=canonical href=https://a.example/><section><h1>We clean</h1>\
         <p>{SENTENCE}</p></section><section><h2>Prices</h2><p>Fair.</p></section>\
         <section><h2>How</h2>{html}</section>"
    );
    let (text, kind) = main_text_and_kind(Engine::default(), &Options::default(), &page);
    assert_eq!(kind, PageKind::Service, "{text}");
    assert!(text.starts_with("We clean\n\n"), "{text}");
    assert!(text.contains("Prices\n\nFair."), "{text}");
}

#[test]
fn the_offer_of_a_product_has_no_other_products() {
    let slides: String = (0..3)
        .map(|i| format!("<div><p>Other boots {i}</p><p>{i}: {SENTENCE}</p></div>"))
        .collect();
    let page = |list: &str| {
        format!(
            "<meta property=og:type content=product><h1>Boots</h1><p>Leather and laces</p>\
             <p><a href=/x>Write about these boots</a></p><p>{}</p>{list}",
            SENTENCE.repeat(8)
        )
    };
    let expected = format!(
        "Boots\n\nLeather and laces\n\n{}",
        SENTENCE.repeat(8).trim()
    );
    for list in [
        String::new(),
        format!("<div class=product-carousel>{slides}</div>"),
        format!("<div>{}</div><p>{SENTENCE}", offers(6)),
    ] {
        let page = page(&list);
        let (text, kind) = main_text_and_kind(Engine::default(), &Options::default(), &page);
        assert_eq!(kind, PageKind::Product);
        assert!(text.starts_with(&expected), "{text}");
        for other in ["Other boots", "Pair of boots", "Write about"] {
            assert!(!text.contains(other), "{text}");
        }
    }
    // Most of the text is the content.
    let all = format!("<meta property=og:type content=product><div class=carousel>{slides}</div>");
    assert_eq!(main_text(&all).matches(SENTENCE.trim()).count(), 3);
}

#[test]
fn labels_of_posts_are_not_part_of_a_discussion() {
    let post = |i: usize| {
        format!(
            "<div><p>Author {}</p><p>Posted {i} days ago</p><p>{i}: {SENTENCE}</p><p>Reply</p></div>",
            ["Ann", "Bob", "Cy"][i % 3]
        )
    };
    let posts: String = (1..=3).map(post).collect();
    let text = main_text(&format!("{DISCUSSION}<h1>Boots</h1><div>{posts}</div>"));
    for name in ["Author Ann", "Author Bob", "Author Cy"] {
        assert!(text.contains(name), "{text}");
    }
    assert!(
        !text.contains("Reply") && !text.contains("days ago"),
        "{text}"
    );
    assert_eq!(text.matches(SENTENCE.trim()).count(), 3, "{text}");
}
