//! Parses pages for tests.

mod flow;
mod invariants;
mod keep;
mod linear;
mod links;
mod meaning;
mod meta;
mod paragraphs;
mod table_columns;
mod unwanted_text;
mod uzushio;
mod without_scripts;

use crate::engine::Engine;
use crate::events::{Events, Options};
use crate::extract::Document;

/// Parses a page with a listener, and returns the listener.
pub fn listen<L: Events>(page: &str, listener: impl Fn() -> L) -> L {
    Engine::default().read(page, &Options::default(), listener)
}

/// The same with the options of uzushio.
pub fn listen_without_scripting<L: Events>(page: &str, listener: impl Fn() -> L) -> L {
    let options = Options {
        scripting: false,
        ..Options::default()
    };
    Engine::default().read(page, &options, listener)
}

/// Checks the documents that both engines extract.
#[track_caller]
pub fn assert_documents_of_both(cases: &[(&str, &str)]) {
    for (page, expected) in cases {
        for engine in [Engine::Native, Engine::Html5ever] {
            let document = engine
                .read(page, &Options::default(), Document::default)
                .finish();
            assert_eq!(document, *expected, "{engine} {page}");
        }
    }
}

/// Random markup, reproducible by its seed.
pub fn soup(seed: u64) -> String {
    const PARTS: &[&str] = &[
        "<p>",
        "</p>",
        "<div class='a b' id=x>",
        "</div>",
        "<span>",
        "</span>",
        "<br>",
        "<br><br>",
        "<ul>",
        "</ul>",
        "<li>",
        "</li>",
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "</td>",
        "<th>",
        "<caption>",
        "<dl><dt>",
        "<dd>",
        "</dl>",
        "<h2>",
        "</h2>",
        "<hr>",
        "<pre>",
        "</pre>",
        "<b>",
        "</b>",
        "<i hidden>",
        "</i>",
        "<a href=/x>",
        "</a>",
        "<ruby>",
        "<rt>",
        "</ruby>",
        "<script>no</script>",
        "<style>no</style>",
        "<noscript>",
        "</noscript>",
        "<textarea>",
        "</textarea>",
        "<select><option>",
        "</select>",
        "<button>",
        "</button>",
        "<blockquote>",
        "</blockquote>",
        "<svg><title>",
        "</svg>",
        "<math><mi>",
        "</math>",
        "<template>",
        "</template>",
        "<form>",
        "</form>",
        "<div style='display:none'>",
        "<!-- c -->",
        " ",
        "\n",
        "\t",
        "  \n ",
        "\r\n",
        "&nbsp;",
        "\u{3000}",
        "\u{ad}",
        "\u{200b}",
        "\u{1}",
        "word",
        "two words",
        "日本",
        "語。",
        "한국",
        "é",
        "1",
        "“q”",
        "\u{2003}",
        "&lt;p&gt;",
    ];
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    (0..1 + next(60))
        .map(|_| PARTS[next(PARTS.len())])
        .collect()
}
