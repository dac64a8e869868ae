//! Text that no listener wants may be left out.

use super::{listen, soup};
use crate::engine::Engine;
use crate::events::{Element, Events, Options};
use crate::extract::{Document, Meta, Page, Paragraphs};
use crate::main_text::{main_text_and_kind, main_text_and_metadata};
use corpus_markup::Name;

/// Passes on all text, whether it is wanted or not.
struct All<L>(L);

impl<L: Events> Events for All<L> {
    fn open(&mut self, element: &Element<'_>) {
        self.0.open(element);
    }

    fn close(&mut self, name: Name) {
        self.0.close(name);
    }

    fn text(&mut self, text: &str) {
        self.0.text(text);
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.0.more_attributes(element);
    }
}

/// Pages that are cut or broken in elements whose text may be left out, or that contain text in
/// such elements that has to be decoded.
const HOSTILE: &[&str] = &[
    "<title>a &amp; b\0c\r\nd",
    "<title>a</title><svg><title>b &lt;</title></svg><p>c",
    "a<script>b\0\r\n</script>c\0d&ampe",
    "a<script><!--<script>b</script>--></script>c",
    "a<script><!--<script>b</script>c",
    "a<script><!-- b </script>c --></script>d",
    "a<script>b</scrip</script >c",
    "<script type=application/ld+json>{\"datePublished\": \"2020\r\n\"}\0</script><p>a",
    "<script type=application/ld+json>{\"datePublished\": \"2021\"",
    "<script type='math/tex; mode=display'>x^2 &amp;\r\n\0</script>a",
    "<script type=math/mml><math><mi>x</math></script>a",
    "<style>a{}</style ><style>b",
    "<div hidden>a &amp; b<p>c</div>d &notit; e",
    "<div style='display:none'>a<b>b</div>c</b>d",
    "<div hidden><math><mi>&alpha;</mi></math></div><math><mi>&beta;\0</mi></math>",
    "<span hidden class=katex-mathml><math><mi>x</mi><annotation>&lt;</annotation></math></span>y",
    "<svg>a<![CDATA[b<]]>c&amp;<desc><p>d</desc></svg>e<![CDATA[f]]>g",
    "<svg><![CDATA[a",
    "<select><option>a &lt; b<option>c</select>d",
    "<textarea>\r\na &amp;\0</textarea>b<textarea>c",
    "<noscript>a &amp; b<p>c</noscript>d",
    "<noscript>a\r\n\0",
    "<template>a &amp;</template><div><template shadowrootmode=open>b &amp; c</template></div>",
    "<iframe>a &amp;</iframe><iframe srcdoc='&lt;p&gt;b &amp;amp; c'></iframe>d",
    "<noframes>a &amp;</noframes><frameset><frame>",
    "<xmp>a<b>&amp;\0</xmp>c<plaintext>d<e>&amp;\0\r\nf",
    "<a href=x>a &amp;<template>b &amp;</template><img alt='c &amp;'></a>d",
    "<time pubdate>2020 &amp;\r\n</time><time datetime=2021>a</time>",
    "< a <3 &#0;&#x0;&#xD;b&#1114112;&ltc&",
    "<ruby>a<rt>b &amp;</ruby><button>c &amp;</button><h1><button>d &amp;</button></h1>",
    "<table>a &amp;<tr hidden><td>b &amp;</table>c",
    "<p>\u{feff}日本&nbsp;語\r\n<i hidden>語&nbsp;</i>。",
];

fn assert_unwanted(page: &str) {
    let document = |document: Document| document.finish();
    assert_eq!(
        document(listen(page, Document::default)),
        document(listen(page, || All(Document::default())).0),
        "{page}"
    );
    let all = |listener: Page<Paragraphs>| {
        let (paragraphs, links, meta) = listener.finish(None, page.len());
        format!("{:?} {links:?} {meta:?}", paragraphs.finish())
    };
    assert_eq!(
        all(listen(page, Page::default)),
        all(listen(page, || All(Page::default())).0),
        "{page}"
    );
    let options = Options::default();
    let meta = listen(page, || All(Meta::default())).0.finish(None);
    let (text, kind, same_meta) = main_text_and_metadata(Engine::Native, &options, page, None);
    assert_eq!(same_meta, meta, "{page}");
    let alone = main_text_and_kind(Engine::Native, &options, page);
    assert_eq!((text, kind), alone, "{page}");
}

/// The other engine emits all text.
fn assert_same_with_html5ever(page: &str) {
    let options = Options::default();
    let main = |engine| main_text_and_kind(engine, &options, page);
    assert_eq!(main(Engine::Native), main(Engine::Html5ever), "{page}");
}

#[test]
fn text_that_nobody_wants_changes_nothing() {
    for page in HOSTILE {
        assert_unwanted(page);
        // Cut everywhere.
        for (end, _) in page.char_indices() {
            assert_unwanted(&page[..end]);
            assert_same_with_html5ever(&page[..end]);
        }
    }
    for seed in 0..300 {
        assert_unwanted(&soup(seed));
    }
}
