"""Generates web pages with the structure of real ones.

The proportions are those of real pages: their length, the shares of scripts, styles, tags and text, the
length of attributes, the depth of nesting, the frequency of elements, and the compression ratio.
"""

import base64
import json
from typing import NamedTuple

from words import LATIN, Language, Topic, often_the_first

# The maximum length of a page. A few pages are much longer than the others.
MAX_PAGE_LENGTH = 1_500_000


class Site(NamedTuple):
    """The common properties of the pages of a site."""

    host: str
    language: Language
    # The actual charset, and those declared in HTTP headers and in pages.
    charset: str
    header: str | None
    meta: str | None
    # Whether pages are like those of about 2000, or of today.
    old: bool
    # Words for paths, identifiers and so on, and values of class attributes.
    names: list[str]
    classes: list[str]
    menu: list[tuple[str, str]]


def make_site(number, rng, languages):
    """A site that declares its charset in one place, in both, or nowhere."""
    japanese, english, german = languages
    charset, label, language = rng.choices(
        [
            ("utf-8", "utf-8", japanese),
            ("utf-8", "UTF-8", english),
            ("cp932", "Shift_JIS", japanese),
            ("euc_jp", "EUC-JP", japanese),
            ("cp1252", "iso-8859-1", english),
            ("cp1252", "windows-1252", german),
        ],
        [34, 26, 15, 10, 7, 8],
    )[0]
    declared = [(label, label), (label, None), (None, label), (None, None)]
    header, meta = rng.choices(declared, [35, 20, 33, 12])[0]
    names = ["".join(rng.choices(LATIN, k=rng.randint(3, 9))) for _ in range(40)]
    joints = rng.choices(("-", "__", "_", "--"), k=len(names))
    names += [first + joint + last for first, joint, last in zip(names, joints, names[::-1])]
    classes = [" ".join(rng.choices(names, k=rng.choice((1, 1, 2, 2, 3, 6)))) for _ in range(60)]
    topic = Topic(language, rng)
    menu = [(topic.phrase(1, 3), f"/{rng.choice(names)}/") for _ in range(rng.randint(5, 30))]
    old = rng.random() < (0.15 if charset == "utf-8" else 0.4)
    host = f"www.{names[0]}{number}.example"
    return Site(host, language, charset, header, meta, old, names, classes, menu)


def make_page(site, rng):
    """The bytes of a page."""
    length = rng.lognormvariate(9.1, 0.5) if site.old else rng.lognormvariate(11.1, 0.9)
    page = Page(site, rng, min(int(length), MAX_PAGE_LENGTH))
    if site.old:
        page_of_old(page)
    else:
        page_of_today(page)
    return b"".join(page.parts)


class Page:
    """A page under construction: markup is added until it has the desired length."""

    def __init__(self, site, rng, length):
        self.site, self.rng, self.length = site, rng, length
        self.topic = Topic(site.language, rng)
        self.title = self.topic.title()
        self.parts, self.written = [], 0

    def add(self, *pieces):
        encoded = "".join(pieces).encode(self.site.charset, "xmlcharrefreplace")
        self.parts.append(encoded)
        self.written += len(encoded)

    def some(self, least, most):
        return range(self.rng.randint(least, most))

    def name(self):
        return often_the_first(self.rng, self.site.names)

    def classes(self):
        return often_the_first(self.rng, self.site.classes)

    def href(self):
        rng = self.rng
        path = f"/{self.name()}/{self.name()}-{rng.randrange(1000)}"
        query = f"?id={rng.randrange(10**6)}&amp;ref={self.name()}" if rng.random() < 0.25 else ""
        host = f"https://www.{self.name()}.example" if rng.random() < 0.2 else ""
        return host + path + query

    def link(self, text, extra=""):
        return f'<a href="{self.href()}"{extra}>{text}</a>'

    def image(self, width=320):
        source = f"/images/{self.name()}/2020/11/{self.rng.randrange(10**5)}"
        srcset = f"{source}-{width}.jpg 1x, {source}-{width * 2}.jpg 2x"
        size = f'width="{width}" height="{width * 2 // 3}"'
        alt = self.topic.phrase(1, 5)
        return f'<img src="{source}.jpg" srcset="{srcset}" {size} alt="{alt}" loading="lazy">'

    def inline(self, text):
        """A sentence, with or without inline markup."""
        kind, half = self.rng.random(), len(text) // 2
        if kind < 0.6:
            return text
        if kind < 0.8:
            return text[:half] + self.link(self.topic.phrase(1, 5)) + text[half:]
        if kind < 0.9:
            tag = self.rng.choice(("b", "strong", "em", "i", "span", "code", "small"))
            return f"{text[:half]}<{tag}>{self.topic.phrase(1, 4)}</{tag}>{text[half:]}"
        ends = ("&nbsp;", " &amp; ", "&mdash;", "&#8217;", " &copy; 2021 ", "<br>", "<br />\n")
        return text + self.rng.choice(ends)

    def paragraph(self, least=1, most=6):
        sentences = (self.inline(self.topic.sentence()) for _ in self.some(least, most))
        return self.site.language.space.join(sentences)


def style(page):
    rng = page.rng
    rules = []
    for _ in page.some(10, 80):
        selectors = (f".{page.name()}", f".{page.name()} .{page.name()}>a:hover", f"#{page.name()} li")
        display = rng.choice(("block", "inline-block", "flex", "grid", "none"))
        rule = (
            f"{rng.choice(selectors)}{{display:{display};margin:{rng.randrange(9) * 5}px auto 0;"
            f"color:#{rng.randrange(16) * 0x111111:06x};font-size:{rng.randrange(10, 30)}px;"
            f"padding:0 {rng.randrange(4)}.5rem;transition:all .{rng.randrange(1, 5)}s ease-in-out}}"
        )
        narrow = f"@media only screen and (max-width:{rng.choice((480, 768, 1024))}px){{{rule}}}"
        rules.append(rule if rng.random() < 0.8 else narrow)
    if rng.random() < 0.1:
        data = base64.b64encode(rng.randbytes(600)).decode()
        rules.append(f".{page.name()}{{background:url(data:image/png;base64,{data})}}")
    page.add("<style>", rng.choice(("", "\n")).join(rules), "</style>\n")


def code(page):
    """Minified scripts."""
    rng = page.rng
    statements = []
    for _ in page.some(3, 60):
        a, b, c, d = rng.sample("abcdefghinorstuw", 4)
        choices = (
            f"function {a}({b},{c}){{var {d}={b}.{page.name()}||0;return {d}>{c}?{d}:{c}.call({d})}}",
            f"{a}.{page.name()}=function({b}){{for(var {c}=0;{c}<{b}.length;{c}++)if({b}[{c}]!=={d})return!1}};",
            f'document.querySelectorAll(".{page.name()}")'
            f'.forEach({a}=>{{{a}.innerHTML="<div class=\\"{b}\\">"+{b}+"<\\/div>"}});',
            f'if(typeof {a}==="undefined"&&{b}.{page.name()}){{{c}={{"{page.name()}":{rng.randrange(99)},enabled:!0}}}}',
            f'try{{window.{page.name()}.push(["{page.name()}",{a}&&{b}])}}catch({c}){{}}',
        )
        statements.append(rng.choice(choices))
    page.add("<script>", rng.choice(("", "\n", ";")).join(statements), "</script>\n")


def state(page):
    """The initial state of an application, as JSON."""
    rng, key = page.rng, page.name()
    items = [
        {"id": rng.randrange(10**7), "title": page.topic.title(), "url": page.href(), key: rng.random() < 0.5}
        for _ in page.some(3, 30)
    ]
    text = json.dumps({page.name(): items}, ensure_ascii=rng.random() < 0.4)
    page.add(f'<script type="application/json" id="{page.name()}">', text, "</script>\n")


def counter(page):
    """A visitor counter, as pasted into pages."""
    page.add(
        "<script type=\"text/javascript\">\n<!--\n(function(w,d,s,l,i){w[l]=w[l]||[];"
        f"w[l].push({{'start':new Date().getTime(),event:'{page.name()}'}});"
        "var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;"
        f"j.src='https://{page.name()}.example/t.js?id='+i;f.parentNode.insertBefore(j,f);"
        f"}})(window,document,'script','layer','ID-{page.rng.getrandbits(30):X}');\n//-->\n</script>\n"
    )


def head(page):
    rng, site = page.rng, page.site
    page.add(f'<!DOCTYPE html>\n<html lang="{site.language.code}" class="{page.classes()}">\n<head>\n')
    if site.meta:
        equivalent = f'<meta http-equiv="Content-Type" content="text/html; charset={site.meta}" />\n'
        page.add(rng.choice((f'<meta charset="{site.meta}">\n', equivalent)))
    page.add('<meta name="viewport" content="width=device-width, initial-scale=1">\n')
    page.add(f"<title>{page.title} | {site.host}</title>\n")
    description = page.topic.sentence()
    for name in ("description", "keywords", "twitter:title", "robots", "generator")[: rng.randint(1, 5)]:
        page.add(f'<meta name="{name}" content="{description}">\n')
    for name in ("title", "type", "url", "image", "site_name", "description")[: rng.randint(0, 6)]:
        page.add(f'<meta property="og:{name}" content="{page.title}" />\n')
    page.add(f'<link rel="canonical" href="https://{site.host}{page.href()}">\n')
    for _ in page.some(2, 14):
        kind = rng.choice(("stylesheet", "preload", "icon", "alternate", "dns-prefetch"))
        page.add(f'<link rel="{kind}" href="/assets/{page.name()}.css?v={rng.randrange(999)}" media="all" />\n')
    if rng.random() < 0.4:
        data = {"@context": "https://schema.example", "@type": "Article", "headline": page.title}
        data["description"] = description
        page.add('<script type="application/ld+json">', json.dumps(data, ensure_ascii=False), "</script>\n")
    # The size of scripts and styles depends on the length of the page: short pages would contain nothing else.
    for _ in range(min(rng.randint(0, 6), page.length // 8_000)):
        rng.choice((style, code, counter))(page)
    page.add("</head>\n")


def header(page):
    rng = page.rng
    curve = "".join(f"l{rng.randrange(24)}.{rng.randrange(99)}-{rng.randrange(9)}" for _ in page.some(5, 30))
    page.add(
        f'<body class="{page.classes()}">\n<a class="skip" href="#main">{page.topic.phrase(1, 3)}</a>\n'
        f'<header class="{page.classes()}">\n<svg viewBox="0 0 24 24" width="24"><path d="M4 {curve}z"/></svg>\n'
        f'<form action="/search" role="search"><label for="q">{page.topic.phrase(1, 2)}</label>'
        f'<input type="text" id="q" name="q" placeholder="{page.topic.phrase(1, 3)}" />'
        '<input type="hidden" name="utf8" value="&#x2713;"><button type="submit">OK</button></form>\n'
        f'<nav class="{page.classes()}">\n<ul>\n'
    )
    for text, path in page.site.menu:
        page.add(f'  <li class="menu-item {page.name()}">\n    <a href="{path}">{text}</a>\n')
        if rng.random() < 0.2:
            below = (f"<li>{page.link(page.topic.phrase(1, 3))}</li>" for _ in page.some(2, 8))
            page.add("    <ul>", *below, "</ul>\n")
        page.add("  </li>\n")
    page.add("</ul>\n</nav>\n</header>\n")


def article(page):
    rng = page.rng
    page.add(f'<article class="{page.classes()}" id="{page.name()}-{rng.randrange(10**6)}">\n')
    page.add(f"<h2>{page.topic.title()}</h2>\n")
    day = f"2021-0{rng.randint(1, 9)}-1{rng.randrange(10)}"
    page.add(f'<p class="by"><time datetime="{day}">{day}</time> {page.link(page.topic.phrase(1, 3))}</p>\n')
    for _ in page.some(2, 10):
        kind = rng.random()
        if kind < 0.75:
            page.add("<p>", page.paragraph(), "</p>\n")
        elif kind < 0.85:
            page.add("<ul>\n", *(f"<li>{page.paragraph(1, 2)}</li>\n" for _ in page.some(2, 7)), "</ul>\n")
        elif kind < 0.92:
            caption = page.topic.sentence()
            page.add("<figure>", page.image(), f"<figcaption>{caption}</figcaption></figure>\n")
        else:
            page.add(f"<blockquote><p>{page.paragraph(1, 3)}</p></blockquote>\n<h3>{page.topic.title()}</h3>\n")
    page.add("</article>\n")


def cards(page):
    """A list of other pages, each in nested boxes."""
    rng = page.rng
    indent = "\n" + rng.choice(("", "  ", "    ", "\t")) * rng.randint(1, 5)
    boxes = [page.classes() for _ in page.some(1, 6)]
    box, frame, heading, day = (page.classes() for _ in range(4))
    width = rng.choice((120, 240, 320, 640))
    page.add(f'<section class="{page.classes()}" data-component="{page.name()}">\n<h2>{page.topic.title()}</h2>\n')
    for number in page.some(3, 20):
        page.add(*(f'{indent}<div class="{classes}">' for classes in boxes))
        page.add(f'{indent}<div class="{box}" data-index="{number}" data-testid="{box}-{number}">')
        page.add(indent, page.link(page.image(width), f' class="{frame}" onclick="track(this,{number})"'))
        page.add(f'{indent}<h3 class="{heading}">', page.link(page.topic.title()), "</h3>")
        page.add(f'{indent}<span class="{day}">20{rng.randrange(10, 26)}/{rng.randrange(1, 13)}</span>')
        if rng.random() < 0.5:
            page.add(f"{indent}<p>{page.topic.sentence()}</p>")
        page.add(*(f"{indent}</div>" for _ in boxes), f"{indent}</div>\n")
    page.add("</section>\n")


def table(page):
    rng = page.rng
    attributes = ["", f' class="{page.name()}"', ' align="center" valign="top"', ' style="width:120px"']
    columns = rng.choices(attributes, k=rng.randint(2, 7))
    page.add(f'<table class="{page.classes()}" cellspacing="0" cellpadding="2"><tbody>\n')
    for row in page.some(3, 30):
        tag = "td" if row else "th"
        page.add("<tr>")
        for column in columns:
            cell = page.topic.phrase(1, 4) if rng.random() < 0.6 else str(rng.randrange(10_000))
            page.add(f"<{tag}{column}>{cell}</{tag}>")
        page.add("</tr>\n")
    page.add("</tbody></table>\n")


def form(page):
    page.add(f'<form method="post" action="{page.href()}" class="{page.classes()}">\n')
    options = (f'<option value="{n}">{page.topic.phrase(1, 3)}</option>' for n in page.some(3, 40))
    page.add(f'<select name="{page.name()}">', *options, "</select>\n")
    page.add(f'<label><input type="checkbox" value="1" checked> {page.topic.phrase(1, 5)}</label>\n')
    page.add(f'<textarea rows="4"></textarea><input type="submit" value="{page.topic.phrase(1, 2)}"></form>\n')


def links(page):
    item, extra = page.name(), page.rng.choice(("", "", ' target="_blank" rel="noopener"'))
    page.add(f'<aside class="{page.classes()}"><h2>{page.topic.title()}</h2>\n<ul class="{page.name()}">\n')
    for _ in page.some(5, 40):
        link = page.link(page.topic.phrase(1, 7), extra)
        page.add(f'    <li class="{item}"><span class="icon"></span>{link}</li>\n')
    page.add("</ul></aside>\n")


def discussion(page):
    """Comments of readers below an article, with nested answers."""
    deep = 0
    page.add('<section id="comments">\n')
    for number in page.some(2, 12):
        page.add(f'<div class="comment depth-{deep}" id="comment-{number}"><p class="meta">')
        page.add(f"<cite>{page.topic.phrase(1, 2)}</cite></p>\n<p>{page.paragraph(1, 4)}</p>\n")
        deep += 1
        if page.rng.random() < 0.5:
            page.add("</div>\n" * deep)
            deep = 0
    page.add("</div>\n" * deep, "</section>\n")


def unseen(page):
    name = page.name()
    page.add(
        f'<!--[if lt IE 9]><script src="/{name}.js"></script><![endif]-->\n<!-- {name}: {page.topic.phrase(2, 20)} -->\n'
        f'<noscript><iframe src="https://{name}.example/ns" height="0" width="0"></iframe></noscript>\n'
        f'<div style="display:none" aria-hidden="true" class="{page.classes()}">{page.topic.phrase(2, 9)}</div>\n'
    )


# The relative frequency of each.
BLOCKS = {
    article: 14,
    cards: 24,
    table: 9,
    form: 3,
    links: 14,
    discussion: 3,
    unseen: 12,
    code: 38,
    state: 12,
    counter: 10,
    style: 15,
}


def page_of_today(page):
    head(page)
    header(page)
    around = [page.classes() for _ in page.some(2, 9)]
    page.add('<main id="main">\n', *(f'<div class="{classes}">\n' for classes in around))
    page.add(f"<h1>{page.title}</h1>\n")
    article(page)
    while page.written < page.length:
        [block] = page.rng.choices(list(BLOCKS), BLOCKS.values())
        block(page)
    page.add("</div>\n" * len(around), f'</main>\n<footer class="{page.classes()}">\n')
    links(page)
    page.add(f"<p>&copy; 2021 {page.site.host} {page.topic.sentence()}</p>\n</footer>\n</body>\n</html>\n")


def page_of_old(page):
    """Layout tables, FONT elements, and some missing end tags."""
    rng, site = page.rng, page.site
    page.add('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<HTML>\n<HEAD>\n')
    if site.meta:
        page.add(f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={site.meta}">\n')
    page.add(f'<TITLE>{page.title}</TITLE>\n</HEAD>\n<BODY BGCOLOR="#FFFFFF" TEXT="#000000">\n')
    page.add(f'<CENTER><H1><FONT COLOR="red" SIZE="+2">{page.title}</FONT></H1></CENTER>\n<HR>\n')
    page.add('<TABLE BORDER=0 WIDTH="100%"><TR><TD WIDTH=150 VALIGN=top>\n')
    for text, path in site.menu:
        page.add(f"<A HREF={path}><FONT SIZE=2>{text}</FONT></A><BR>\n")
    page.add("</TD><TD>\n")
    while page.written < page.length:
        kind = rng.random()
        if kind < 0.45:
            page.add("<P>", "<BR>\n".join(page.topic.sentence() for _ in page.some(1, 6)), "\n")
        elif kind < 0.6:
            page.add("<UL>\n", *(f"<LI>{page.link(page.topic.title())}\n" for _ in page.some(2, 15)), "</UL>\n")
        elif kind < 0.75:
            page.add(f'<IMG SRC="{page.name()}.gif" WIDTH=20 BORDER=0> <B>{page.topic.title()}</B><BR><BR>\n')
        elif kind < 0.85:
            table(page)
        else:
            sentence = page.inline(page.topic.sentence())
            page.add(f'<FONT COLOR="#0000{rng.randrange(10, 99)}"><I>{sentence}</I></FONT>&nbsp;<HR SIZE=1>\n')
    page.add(f"</TD></TR></TABLE>\n<ADDRESS>webmaster@{site.host}</ADDRESS>\n</BODY>\n</HTML>\n")
