//! Random pages, reproducible by their seed.

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const TAGS: &[&str] = &[
    "a",
    "abbr",
    "address",
    "annotation-xml",
    "applet",
    "article",
    "b",
    "body",
    "br",
    "button",
    "caption",
    "center",
    "circle",
    "code",
    "col",
    "colgroup",
    "custom-element",
    "dd",
    "desc",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "font",
    "foreignObject",
    "form",
    "frameset",
    "g",
    "h1",
    "h2",
    "head",
    "hr",
    "html",
    "i",
    "iframe",
    "image",
    "img",
    "input",
    "li",
    "link",
    "main",
    "marquee",
    "math",
    "mglyph",
    "mi",
    "mtext",
    "nobr",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "p",
    "plaintexts",
    "pre",
    "rb",
    "rp",
    "rt",
    "ruby",
    "s",
    "script",
    "section",
    "select",
    "span",
    "strong",
    "style",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "tt",
    "u",
    "ul",
    "xmp",
];

const ATTRIBUTES: &[&str] = &[
    "",
    "",
    "",
    " class=a",
    " id='x y'",
    " hidden",
    " CLASS=\"b > c\"",
    " a=1 a=2",
    " =x",
    " /",
    " href=a/",
    " title='&amp;&nbsp;\"&notit;'",
    " xlink:href=\"#q\"",
    " viewbox=1",
    " encoding=text/html",
    " type=hidden",
    " checked = \n yes",
    " a='>'b=\"<\"",
    " \"q\"=1",
];

const TEXTS: &[&str] = &[
    "x",
    " ",
    "\n",
    "\r\n",
    "a b ",
    "日本語",
    "&amp;",
    "&#x26;&lt",
    "&notit;",
    "<",
    "< ",
    "</ x>",
    "</>",
    "<?pi x>",
    "<!x>",
    "<!-- c -->",
    "<!-->",
    "<!--->",
    "<!-- a--!>",
    "<!-- <b> ",
    "-->",
    "<![CDATA[ c > ]]>",
    "\0",
    "<!DOCTYPE html>",
    "</script >",
    "<!--<script>",
    "</p>",
    "</br>",
    "</title/>",
    "]]>",
    "'",
    "\"",
    "=",
];

pub fn page(random: &mut Random) -> String {
    let mut page = String::new();
    if random.below(2) == 0 {
        page.push_str("<!DOCTYPE html>");
    }
    for _ in 0..random.below(80) {
        match random.below(10) {
            0..5 => {
                let (tag, attributes) = (random.pick(TAGS), random.pick(ATTRIBUTES));
                let end = random.pick(&[">", ">", ">", ">", "/>", " >", "\n>"]);
                page.push_str(&format!("<{tag}{attributes}{end}"));
            }
            5..8 => page.push_str(&format!("</{}>", random.pick(TAGS))),
            _ => page.push_str(random.pick(TEXTS)),
        }
    }
    page
}
