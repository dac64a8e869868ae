//! Pages of site builders, shops and forums, whose classes do not indicate boilerplate.

use super::{SENTENCE, main_text, part_of_document};
use crate::main_text::hints::BOILERPLATE;

const HEADLINE: &str = "A bridge reopens after two years";
const MENU: &str = "<ul><li><a href=/>Start</a><li><a href=/a>About the company</a></ul>";

/// The markup of a builder around a page and around each of its parts.
struct Builder {
    name: &'static str,
    page: &'static str,
    part: &'static str,
}

/// The place of the content in the markup of a builder.
const HERE: &str = "{}";

const BUILDERS: &[Builder] = &[
    Builder {
        name: "Elementor",
        page: "<div data-elementor-type=wp-page class='elementor elementor-12'>
            <section class='elementor-section elementor-top-section'>
            <div class='elementor-container elementor-column-gap-default'>
            <div class='elementor-column elementor-col-100'>
            <div class='elementor-widget-wrap elementor-element-populated'>{}</div></div></div>
            </section></div>",
        part: "<div class='elementor-element elementor-widget elementor-widget-text-editor'>
            <div class=elementor-widget-container>{}</div></div>",
    },
    Builder {
        name: "Elementor, without containers",
        page: "<div class='elementor elementor-12'>{}</div>",
        part: "<div class='elementor-element elementor-widget elementor-widget-heading'>{}</div>",
    },
    Builder {
        name: "Divi",
        page: "<div id=et-boc><div class='et_pb_section et_pb_section_0 et_section_regular'>
            <div class=et_pb_row><div class='et_pb_column et_pb_column_4_4'>{}</div></div></div></div>",
        part: "<div class='et_pb_module et_pb_text et_pb_promo'><div class=et_pb_text_inner>{}</div></div>",
    },
    Builder {
        name: "WPBakery",
        page: "<div class=wpb-wrapper><div class='vc_row wpb_row vc_row-fluid'>{}</div></div>",
        part: "<div class='wpb_column vc_column_container'><div class=vc_column-inner>
            <div class='wpb_widgetised_column wpb_wrapper'>{}</div></div></div>",
    },
    Builder {
        name: "HubSpot",
        page: "<div class='row-fluid-wrapper row-depth-1'>{}</div>",
        part: "<div id=hs_cos_wrapper_module_1 class='hs_cos_wrapper hs_cos_wrapper_widget
            hs_cos_wrapper_type_module' data-hs-cos-type=module>{}</div>",
    },
    Builder {
        name: "Squarespace",
        page: "<div id=sections><section class=page-section><div class='sqs-layout sqs-grid-12'>
            {}</div></section></div>",
        part: "<div class='sqs-block html-block sqs-overlay-block'><div class=sqs-block-wrapper>
            {}</div></div>",
    },
    Builder {
        name: "Wix",
        page: "<div id=SITE_PAGES><div id=comp-kbgakxea class='wixui-section'>{}</div></div>",
        part: "<div class='comp-l1x TextWidget wixui-rich-text' data-testid=richTextElement>{}</div>",
    },
    Builder {
        name: "Webflow",
        page: "<div class='section-overlay w-container'><div class=w-layout-grid>{}</div></div>",
        part: "<div class='teaser-block w-richtext'>{}</div>",
    },
    Builder {
        name: "Gutenberg",
        page: "<div class='wp-block-group has-sidebar is-layout-flow'>{}</div>",
        part: "<div class='wp-block-group is-style-banner'>{}</div>",
    },
    Builder {
        name: "Drupal",
        page: "<div class='layout-no-sidebars'><div class='region region-search-results'>{}</div></div>",
        part: "<div class='block block-system block-share-layout'><div class=field__item>{}</div></div>",
    },
    Builder {
        name: "Joomla",
        page: "<div id=sp-component><div class=sp-column>{}</div></div>",
        part: "<div class='moduletable banner-module'><div class=custom>{}</div></div>",
    },
    Builder {
        name: "Blogger",
        page: "<div class='section' id=crosscol>{}</div>",
        part: "<div class='widget HTML'><div class=widget-inner>{}</div></div>",
    },
    Builder {
        name: "Shopify",
        page: "<div id=MainProduct>{}</div>",
        part: "<div id=shopify-section-template--1__promo class='shopify-section'>
            <div class='banner__box promo-grid'>{}</div></div>",
    },
    Builder {
        name: "React",
        page: "<div id=__next><div class='css-1x2y3z jss12'>{}</div></div>",
        part: "<div class='sc-bdVaJa kSbWqZ'>{}</div>",
    },
    Builder {
        name: "Tailwind",
        page: "<div class='mx-auto max-w-7xl px-4 py-8 sm:px-6'>{}</div>",
        part: "<div class='relative overflow-hidden skip-ink flex flex-col'>{}</div>",
    },
];

fn fill(markup: &str, content: &str) -> String {
    markup.replacen(HERE, content, 1)
}

fn part(number: usize) -> String {
    format!("Part {number}. {SENTENCE}{SENTENCE}")
        .trim()
        .to_owned()
}

/// A page with this content below the headline, and with surroundings.
fn page(content: &str) -> String {
    format!(
        "<title>{HEADLINE} | The Example</title><body>
        <header><nav>{MENU}</nav></header>
        <div class=cookie-notice><p>We store cookies. {SENTENCE}</p></div>
        {content}
        <div class=sidebar><p>Beside the page. {SENTENCE}</p></div>
        <div class=related-posts><h3>Related</h3><ul><li><a href=/r>{SENTENCE}</a></ul></div>
        <footer><p>All rights reserved. {SENTENCE}</p></footer>"
    )
}

#[test]
fn parts_of_builders_are_kept_and_their_surroundings_are_not() {
    for builder in BUILDERS {
        for (count, has_title_inside) in [(3, true), (6, true), (3, false), (6, false)] {
            let title = format!("<h1>{HEADLINE}</h1>");
            let parts = (0..count).map(|number| format!("<p>{}</p>", part(number)));
            let title_part = has_title_inside.then(|| title.clone());
            let parts = title_part.into_iter().chain(parts);
            let parts: String = parts.map(|part| fill(builder.part, &part)).collect();
            let mut content = fill(builder.page, &parts);
            if !has_title_inside {
                content.insert_str(0, &title);
            }
            let (text, _) = part_of_document(&page(&content));
            let name = builder.name;
            for number in 0..count {
                assert!(
                    text.contains(&part(number)),
                    "{name}, part {number}: {text}"
                );
            }
            for surroundings in ["We store", "Beside", "Related", "rights", "company"] {
                assert!(
                    !text.contains(surroundings),
                    "{name}, {surroundings}: {text}"
                );
            }
        }
    }
}

#[test]
fn a_word_around_most_of_a_page_is_not_a_hint() {
    for word in BOILERPLATE.iter().copied().flatten() {
        let class = format!("x-{}-x", word.trim_matches('-'));
        let parts: Vec<String> = (0..6).map(part).collect();
        let html: String = parts
            .iter()
            .map(|part| {
                format!("<div class={class}><div class='{class} inner'><p>{part}</p></div></div>")
            })
            .collect();
        let text = main_text(&format!("<h1>{HEADLINE}</h1>{html}"));
        assert!(text.ends_with(&parts.join("\n\n")), "{word}: {text}");
    }
}

#[test]
fn a_clear_word_around_most_of_a_page_hides_no_unclear_one() {
    // Without these notices, the rest may be the text of a short page.
    let words = BOILERPLATE.iter().skip(1).copied().flatten();
    for word in words {
        for other in [
            "elementor-widget",
            "hs_cos_wrapper_widget",
            "x-banner x-widget",
        ] {
            let class = format!("{other} x-{}-x", word.trim_matches('-'));
            let parts: Vec<String> = (0..4).map(part).collect();
            let html: String = parts
                .iter()
                .map(|part| {
                    format!("<div class='{class}'><div class={other}><p>{part}</p></div></div>")
                })
                .collect();
            let text = main_text(&format!(
                "<h1>{HEADLINE}</h1>{html}<footer>All rights reserved."
            ));
            assert!(text.ends_with(&parts.join("\n\n")), "{class}: {text}");
        }
    }
}

#[test]
fn a_word_around_the_smaller_part_of_a_page_is_a_hint() {
    for word in BOILERPLATE.iter().copied().flatten() {
        let class = format!("x-{}-x", word.trim_matches('-'));
        let parts: String = (0..6)
            .map(|number| format!("<p>{}</p>", part(number)))
            .collect();
        let other = format!("<p>Elsewhere. {SENTENCE}</p>").repeat(3);
        let text = main_text(&format!(
            "<h1>{HEADLINE}</h1><div>{parts}</div><div class={class}>{other}</div>"
        ));
        assert!(text.contains("Part 5"), "{word}: {text}");
        assert!(!text.contains("Elsewhere"), "{word}: {text}");
    }
}

#[test]
fn real_side_bars_next_to_parts_of_builders_are_left_out() {
    let parts: String = (0..6)
        .map(|number| {
            format!(
                "<div class=x-widget><div class=x-widget-container><p>{}</p></div></div>",
                part(number)
            )
        })
        .collect();
    for (open, close) in [
        ("<aside>", "</aside>"),
        ("<div class=sidebar>", "</div>"),
        ("<div id=secondary-sidebar class=widget-area>", "</div>"),
        ("<div class=newsletter-signup>", "</div>"),
        ("<form>", "</form>"),
        ("<div role=navigation>", "</div>"),
    ] {
        let widget = format!("<div class=x-widget><p>Elsewhere. {SENTENCE}</p></div>").repeat(4);
        let html = format!("<h1>{HEADLINE}</h1><div>{parts}</div>{open}{widget}{close}");
        let text = main_text(&page(&html));
        assert!(text.contains(&part(5)), "{open}: {text}");
        assert!(!text.contains("Elsewhere"), "{open}: {text}");
    }
}

#[test]
fn lists_of_products_and_threads_are_kept_with_their_links() {
    for item in [
        "<div class=product-card><a href=/p><h3>Boot {}</h3><p>$ 89.00</p></a></div>",
        "<li><a href=/p>Boot {}</a> <span>in stock</span></li>",
        "<article class=teaser><h2><a href=/p>Boot {}</a></h2><p>Five colors</p></article>",
        "<div class=search-result><a href=/p>Boot {} for walks in the rain</a></div>",
        "<div class=related-item><a href=/p>Boot {}</a><p>Waterproof</p></div>",
    ] {
        let items: String = (0..20)
            .map(|number| fill(item, &number.to_string()))
            .collect();
        let items = if item.starts_with("<li>") {
            format!("<ul>{items}</ul>")
        } else {
            items
        };
        let text = main_text(&page(&format!(
            "<h1>{HEADLINE}</h1><div id=app>{items}</div>"
        )));
        for number in 0..20 {
            assert!(
                text.contains(&format!("Boot {number}")),
                "{item}, {number}: {text}"
            );
        }
        assert!(
            !text.contains("company") && !text.contains("rights"),
            "{item}: {text}"
        );
    }
}

#[test]
fn comments_are_the_content_of_a_forum() {
    let comments: String = (0..8)
        .map(|number| {
            format!(
                "<div class=comment><a href=/u>N. N.</a><p>{}</p></div>",
                part(number)
            )
        })
        .collect();
    let question = "<p>How long was the bridge closed, and why did nobody say so?</p>";
    let text = main_text(&page(&format!(
        "<h1>{HEADLINE}</h1>{question}<div>{comments}</div>"
    )));
    assert!(text.contains("How long"), "{text}");
    assert!((0..8).all(|number| text.contains(&part(number))), "{text}");
}

#[test]
fn forms_and_notices_around_the_headline_are_the_page() {
    let (parts, _) = super::paragraphs(6);
    for class in [
        "cookie-recipe",
        "modal-open",
        "login-state-x",
        "social-wall",
        "subscribed",
    ] {
        for element in ["div", "form"] {
            let html = format!("<{element} class={class}><h1>{HEADLINE}</h1>{parts}</{element}>");
            let text = main_text(&page(&html));
            assert!(text.contains("5: A sentence"), "{element} {class}: {text}");
            assert!(!text.contains("rights"), "{element} {class}: {text}");
        }
    }
}
