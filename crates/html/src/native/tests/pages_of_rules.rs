//! Pages for each rule of tree construction, alone and combined. The native engine emits the same
//! events as html5ever's tree, unless a test states that it cannot.

use super::oracle;
use crate::Options;

/// Parses each page with and without scripting, in quirks mode and in standards mode.
fn check(pages: &[&str]) {
    let mut failures = Vec::new();
    for page in pages {
        for doctype in ["", "<!doctype html>"] {
            for scripting in [true, false] {
                let page = format!("{doctype}{page}");
                let options = Options {
                    scripting,
                    ..Options::default()
                };
                let (native, tree) = oracle::transcripts(&page, &options);
                if native.as_ref() != Some(&tree) {
                    failures.push(format!(
                        "{page:?}, scripting {scripting}\n  native {native:?}\n  tree   {tree:?}"
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
#[rustfmt::skip]
fn html_head_and_body_are_implied() {
    check(&[
        "", " ", "\n\n", "x", " x ", "<p>x", "<!-- c -->", "<!-- c -->x", "<html>", "<html id=1>x",
        "<head>", "<head><title>t</title>", "<title>t</title>x", "<title>t", "<body>",
        "<body id=1>x", "</html>", "</body>x", "</head>x", "</p>x", "</br>x", "</div>x",
        "<html></html>x", "<html><head></head></html>x", "<head></head>x", "<head></head> x",
        "<head></head> <p>x", "<head> <title> a </title> </head> <body> x </body> </html> ",
        "<head></head><title>t</title>x", "<head></head><style>s</style><p>x",
        "<head></head><script>s</script> y", "<head></head><meta><link><base>x",
        "<head></head><template>a</template>x", "<head></head></template>x", "<head><p>x</head>y",
        "<head>x", "<head><head>x", "<head></head><head>x", "<head></p>x", "<head></br>x",
        "<head></head></br>x", "<head></head></p>x", "<meta><link>x", "<link><p>x<title>t</title>",
        "<base><x-y>z", "<html><html id=2>x", "<p><html id=2>x", "<html id=1><html id=2>x",
        "<p><body id=2>x", "<body><body id=2>x", "<body id=1><body id=2>x", "<head><html id=3>x",
        "<p>x</body>y", "<p>x</body><p>y", "<p>x</html>y", "<p>x</html> y",
        "<p>x</body></html> <!-- c --> y", "<p>x</body><title>t</title>", "<div>x</body>y</div>z",
        "<table></body>x", "<button></body>x", "<b>x</body> y", "<b>x</html>\n<p>y",
        "<bgsound><basefont>x", "\0x", "\0<head><title>t</title>", "<head>\0<title>t",
        "<head></head>\0<title>t", "a\0b", "<p>\0", "<b>\0x", "<noframes>a</noframes>b",
        "<head><noframes>a</noframes>b", "<p><noframes><p>a</noframes>b", "<head><noscript>a",
        "<head><noscript><p>a</noscript>b", "<head><noscript><meta><link></noscript>x",
        "<head><noscript> <style>s</style></noscript>x", "<head><noscript></br>x",
        "<head><noscript><head>x", "<head><noscript><noscript>x",
        "<head><noscript><!-- c --></noscript><title>t", "<head><noscript></p></noscript>x",
        "<head><noscript><html id=1>x", "<p><noscript><p>a</noscript>b",
        "<body><noscript>a<b>b</noscript>c</b>d", "&nbsp;<head><title>t", "&#32;<title>t</title>",
        "&#13;x", " \r\n\t\x0C<title>t</title>x", "<isindex>x",
        "<body><isindex prompt=p>x</isindex>y",
    ]);
}

#[test]
#[rustfmt::skip]
fn paragraphs_and_blocks() {
    check(&[
        "<p>a<p>b", "<p>a<div>b</div>c", "<p>a</div>b", "<div>a<p>b</div>c", "<div>a</p>b",
        "<p>a</p></p>b", "<p><b>a<div>b</b>c", "<p>a<ul><li>b</ul>c", "<p>a<h1>b</h1>c",
        "<h1>a<h2>b</h1>c", "<h1>a</h3>b", "<h1><b>a<h2>b", "<h1>a<p>b</h2>c", "</h1>x",
        "<div><h1>a</div>b", "<p>a<hr>b", "<p>a<pre>b</pre>c", "<pre>\na", "<pre>\n\na",
        "<pre>\r\na", "<pre>&#10;a", "<pre><b>\na", "<listing>\na</listing>b", "<pre><!-- c -->\na",
        "<pre>\n", "<p>a<address>b</address>c", "<p>a<form>b</form>c", "<p>a<center>b",
        "<p>a<dialog>b</dialog>c", "<p>a<search>b</search>c", "<p>a<details><summary>b</details>c",
        "<p>a<fieldset><legend>b</fieldset>c", "<p>a<main>b</main>c", "<p>a<menu><li>b</menu>c",
        "<p>a<section>b<p>c</section>d", "<span>a<p>b</span>c", "<span><div>a</span>b",
        "<div><span>a</div>b", "<x-y>a<p>b</x-y>c", "<x-y><z-z>a</x-y>b", "</x-y>a", "<x-y></z-z>a",
        "<div><x-y></div>a</x-y>b", "<p>a<object>b<p>c</object>d", "<p>a<marquee>b</p>c",
        "<p><button>a<p>b</button>c", "<p><button>a</p>b", "<button>a<button>b",
        "<button><p>a<button>b", "<button><div>a<button>b</div>c", "</button>a",
        "<p>a<plaintext>b</p><i>c", "<plaintext>a</plaintext>\0b", "<p>a<xmp>b</p>c</xmp>d",
        "<p>a<xmp><b>c", "<div><div>a</div>b</div>c</div>d", "<section><article>a</section>b",
        "<blockquote>a</center>b", "<ins>a<p>b</ins>c", "<p>a<table>b",
        "<p>a<table><tr><td>b</table>c", "<p>a<table><tr><td>b</table>c<p>d", "<image id=1>a",
        "<p><image>a", "a<br>b</br>c<br/>d", "<wbr>a<area>b<embed>c<keygen>d",
        "<param><source><track>a", "<div/>a</div>b", "<p/>a<b/>c", "<br></p>a", "<p></br>a",
        "<dir><li>a<li>b</dir>c",
    ]);
}

#[test]
#[rustfmt::skip]
fn lists() {
    check(&[
        "<ul><li>a<li>b</ul>c", "<ul><li>a<ul><li>b</ul>c<li>d", "<li>a<li>b", "<li>a<div>b<li>c",
        "<li>a<p>b<li>c", "<li>a<address>b<li>c", "<li>a<span>b<li>c", "<li>a<section>b<li>c",
        "<li>a<ul>b<li>c</ul>d</li>e", "</li>a", "<ul></li>a", "<li>a<ul></li>b",
        "<li><ol></li>b</ol>c", "<li><b>a<li>b", "<li><button>a<li>b",
        "<dl><dt>a<dd>b<dt>c<dd>d</dl>e", "<dd>a<dt>b<dd>c", "<dt>a<dt>b", "<dd><div>a<dd>b",
        "<dd><p>a<dt>b", "<dd><ul>a</dd>b", "<dd><li>a<dd>b", "<li><dd>a<li>b", "</dd></dt>a",
        "<dd>a</dt>b", "<dd><span>a</dd>b", "<li><x-y>a<li>b", "<li><table><tr><td><li>a</table>b",
        "<ul><b><li>a</b>b", "<li><svg><li>a", "<ol><p>a<li>b</ol>c",
    ]);
}

#[test]
#[rustfmt::skip]
fn formatting_elements() {
    check(&[
        "<b>a</b>c", "<b>a<p>b</b>c", "<b>a<p>b</p>c</b>d", "<p>a<b>b<p>c", "<b><i>a</b>b</i>c",
        "<b><i><p>a</b>b</i>c", "<b><p>a<i>b</b>c</i>d", "<a>a<a>b", "<a>a<p>b<a>c",
        "<a><div>a<a>b</div>c", "<a>a<table><a>b", "<a href=1>a<b>b<a href=2>c</b>d",
        "<nobr>a<nobr>b", "<nobr><p>a<nobr>b", "<b><b><b><b>a<p>b", "</b>a", "</a>b",
        "<b><b><b><b><b>a</b>b</b>c<p>d",
        "<font size=1><font size=1><font size=1><font size=1><p>a",
        "<font a=1 b=2><font b=2 a=1><font a='1' b=2><font a=1 b=2><p>x",
        "<p><b><i><u><s>a<p>b</s>c</u>d</i>e</b>f",
        "<b>a<div>b<div>c<div>d</b>e</div>f</div>g</div>h",
        "<b><div><div><div><div><div><div><div><div><div><div>a</b>b", "<b>1<i>2<p>3</b>4",
        "<b><em><p>a</b>b</em>c", "<i><b><em><u><tt><p>a</i>b", "<b><i><em><u><tt><big><p>a</b>b<p>c",
        "<table><b>one<i> </i>two</b><tr><td>x</table>", "<table>b<a>\n<m><tr>c",
        "<table><tr><td><b>a</table>b", "<b><table><tr><td>a</b>b</table>c",
        "<b><object>a</b>b</object>c</b>d", "<b><marquee>a</b><p>b</marquee>c",
        "<applet><b>a</applet>b", "<object><p>a</object>b", "</object>a",
        "<b><button>a</b>b</button>c", "<a><button>a</a>b</button>c", "<p><a>a</p>b<p>c</a>d",
        "<b><p></p></b>a", "<code>a<pre>b</code>c", "<small><div>a</small>b",
        "<big><small><tt><p>a</tt>b</small>c</big>d", "<b><li>a</b>b<li>c",
        "<ul><b><li>a<li>b</ul>c", "<b><h1>a</b>b</h1>c", "<em><h1>a</h2>b</em>c",
        "<a><p><b>a</a>b</b>c", "<b><template>a</b>b</template>c",
        "<div><a>a</div><div>b</a>c</div>", "<b></b><p>a", "<b><br></p>a", "<i>a<b>b</i>c</b>d<p>e",
        "<p><i>a<b>b</p>c</b>d</i>e", "<b>a</p>b", "<u><p>a</u><u>b</p>c",
    ]);
}

#[test]
#[rustfmt::skip]
fn forms_and_controls() {
    check(&[
        "<form>a<form>b</form>c</form>d", "<form><div>a</form>b</div>c",
        "<form><div>a</form>b<form>c</div>d", "</form>a", "<form><p>a</form>b",
        "<form><table><tr><td></form>a", "<form><b>a</form>b</b>c", "<p><form>a</form>b",
        "<form><span>a</form>b</span>c<form>d", "<div><form><ul><li>a</form></ul>b</div>c",
        "<form><button></form>a", "<template><form>a<form>b</form>c</template>d",
        "<form><template><form>a</template>b</form>c", "<table><form><tr><td>a</form>b</table>c",
        "<table><tr><form><td>a</td></form></table>b<form>c",
        "<select><option>a<option>b</select>c", "<select>a<div>b</select>c",
        "<select><optgroup><option>a<optgroup>b</select>c", "<select><option>a</option>b<p>c",
        "<select><select>a", "<select><input>a", "<select><option><input>a", "<select><hr>a",
        "<select><option>a<hr>b", "<select><textarea>a</textarea>b</select>c",
        "<select><b>a</select>b", "<select><table>a", "<select><script>a</script>b",
        "<select><template>a</template>b</select>c", "</select>a",
        "<table><tr><td><select><tr><td>a", "<table><tr><td><select><option>a</table>b",
        "<select></table>a", "<option>a<option>b", "<option><p>a<option>b",
        "<optgroup>a<option>b<optgroup>c", "</option></optgroup>a", "<select><p>a<option>b",
        "<p><select>a<p>b</select>c", "<b><select>a</b>b</select>c", "<select><svg><g>a</select>b",
        "<option><b>a<option>b", "<datalist><option>a<option>b</datalist>c", "<select><keygen>a",
        "<select><ul><li>a<li>b</select>c", "<textarea>a</textarea>b", "<textarea>\na</textarea>b",
        "<textarea>&#10;a</textarea>", "<textarea><b>a", "</textarea>a",
        "<textarea>\r\n\r\na</textarea>b", "<textarea></textarea >b",
        "<textarea></textareax></textarea>b", "<input type=hidden>a", "<p><input>a",
        "<label>a<p>b</label>c", "<fieldset>a<p>b</fieldset>c", "<legend>a",
    ]);
}

#[test]
#[rustfmt::skip]
fn tables() {
    check(&[
        "<table><tr><td>a<td>b<tr><td>c</table>d", "<table><td>a", "<table><tr>",
        "<table><tbody><tr><th>a</table>b", "<table><caption>a</caption><tr><td>b</table>c",
        "<table><caption>a<tr><td>b", "<table><caption><p>a<td>b", "<table><caption>a</table>b",
        "<table><caption><table></caption>a", "<table><caption>a<caption>b", "</caption>a",
        "<table><col><col><tr><td>a", "<table><colgroup><col></colgroup><tr><td>a",
        "<table><colgroup> <col> <tr><td>a", "<table><colgroup><td>a",
        "<table><colgroup><template>a</template><td>b", "<table><colgroup></col></colgroup>",
        "<table><thead><tr><td>a<tbody><tr><td>b<tfoot><tr><td>c</table>d",
        "<table><thead><td>a</thead><td>b", "<table><tbody></thead></tbody><tr><td>a",
        "<table><tr></tbody><tr><td>a", "<table><tr><td>a</tr><td>b",
        "<table><tr><td>a</table>b</td>c", "<table><tr><td><p>a</td><td>b</table>c",
        "<table><tr><td><table><tr><td>a</table>b</table>c", "<table><table><tr><td>a",
        "<table><tr><table><tr><td>a", "<table><tr><td>a</th>b", "<table><tr><td></body></html>a",
        "<table> <tr> <td> a </td> </tr> </table> b", "<table>\n<tr>\n<td>a\n</table>\n",
        "</table>a", "</td></tr>a", "<td>a", "<tr><td>a<p>b", "<tbody>a", "<caption>a",
        "<table><script>s</script><tr><td>a", "<table><style>s</style><tr><td>a",
        "<table><tr><script>s</script><td>a", "<table><input type=hidden><tr><td>a",
        "<table><tr><input type=HIDDEN id=1><td>a", "<table><form id=1><tr><td>a",
        "<table><!-- c --><tr><!-- c --><td>a", "<table><tr><td><b>a<td>b<tr><td>c</table>d",
        "<table><tr><td><a>a<td><a>b", "<div><table><tr><td></div>a</table>b</div>c",
        "<table><tr><td><ul><li>a</table>b", "<p><table><td>a</table>b</p>c",
        "<table><tr><td><caption>a", "<table><tr><td><col><td>a", "<table><tr><th>a<td>b<th>c",
        "<table><tr><tr><td>a", "<table><thead><thead><td>a", "<table><tr><td>a<tfoot>",
        "<table><tbody><tr><td>a<caption>b", "<table><frameset>", "<table></p>a",
        "<table><tr><td></table><table><tr><td>a", "<table><template><tr><td>a</template><tr><td>b",
        "<table></tr></td></tbody><tr><td>a", "<table><caption></td></tr>a</caption><td>b",
        "<table><tr><td></caption></col>a", "<ul><table><td><li>a</table>b",
        "<table><thead><tr><td>a</td></tr></thead></table>b", "<table><col></table>a",
    ]);
}

/// Misplaced content goes before the table. If the table is still pending, that is the current
/// position.
#[test]
#[rustfmt::skip]
fn content_that_is_misplaced_before_the_first_cell() {
    check(&[
        "<table>a<tr><td>b", "<table> a <tr><td>b", "<table><tr>a<td>b", "<table><tbody>a<tr><td>b",
        "<table><b>a<tr><td>b", "<table><b>a</b><tr><td>b", "<table><div>a</div><tr><td>b",
        "<table><div>a<tr><td>b", "<table><p>a<tr><td>b</table>c", "<table><center><tr><td>a",
        "<table><font><tr><td>a", "<table><a>a<a>b<tr><td>c", "<table><br><tr><td>a",
        "<table><input><tr><td>a", "<table><img><tr><td>a", "<table><ul><li>a<li>b<tr><td>c",
        "<table><select><option>a<tr><td>b", "<table><svg><g>a</g></svg><tr><td>b",
        "<table><math><mi>a</mi></math><tr><td>b", "<table><textarea>a</textarea><td>b", "<table>a",
        "<table>a</table>b", "<table><tr>a</table>b", "<b>a<table>b</b>c<tr><td>d",
        "<p>a<table>b<td>c", "<table><span>a<p>b</span>c<td>d", "<table><h1>a<h2>b<td>c",
        "<table><hr>a<td>b", "<table><button>a<button>b<td>c", "<a>a<table>b<a>c<td>d",
        "<table><b><i>a</b>b</i>c<td>d", "<table><b><p>a</b>b<td>c",
        "<table><div><form>a</form></div><td>b", "<table><iframe>a</iframe><td>b",
        "<table><noembed>a</noembed><td>b", "<table><object><p>a</object><td>b",
        "<table><dl><dt>a<dd>b<td>c", "<table>&nbsp;<td>a", "<table>\0<td>a", "<table>\0a<td>b",
        "<table></br><td>a", "<table><li>a<li>b</li>c<td>d", "<table><x-y>a</x-y>b<td>c",
        "<table><meta><link><td>a", "<table><title>t</title><td>a", "<table><plaintext>a<td>b",
    ]);
}

#[test]
#[rustfmt::skip]
fn templates() {
    check(&[
        "<template>a</template>b", "<template><p>a</template>b", "<template><tr><td>a</template>b",
        "<template><td>a<td>b", "<template><tbody><tr><td>a", "<template><col><p>a",
        "<template><caption>a</caption><tr>", "<template><div><tr>a",
        "<template><template>a</template>b</template>c", "</template>a", "<template><body id=1>a",
        "<template><html id=1>a", "<template><head>a", "<template><frameset>a",
        "<template><script>s</script><style>s</style>a", "<template></p>a",
        "<template></div></td>a", "<b><template><i>a</template>b", "<template><b>a</template><p>b",
        "<head><template>a", "<head><template><p>a</head>b</template>c",
        "<table><template><td>a</template></table>b", "<select><template><option>a",
        "<template><select><option>a</template>b", "<template><title>t</title>a",
        "<template><form><form>a</template>b", "<p><template></p>a</template>b",
        "<div><template></div>a</template>b", "<template><td></template>a",
        "<template><svg><template>a</template></svg>b</template>c", "<svg><template><p>a",
        "<template><tr></tr><div>a", "<template><tr><td></td></tr></template>a",
        "<template><thead><tr><td>a</thead></template>b", "<template><a>a<table>",
    ]);
}

#[test]
#[rustfmt::skip]
fn foreign_content() {
    check(&[
        "<svg>a</svg>b", "<svg><g>a</g></svg>b", "<svg/>a", "<svg><path/>a</svg>b", "<svg><p>a",
        "<svg><b>a</svg>b", "<svg><font>a</font></svg>b", "<svg><font color=x>a",
        "<svg><font FACE=x>a", "<svg><desc><p>a</desc>b</svg>c",
        "<svg><title>a<b>b</title>c</svg>d", "<svg><foreignObject><p>a<p>b</foreignObject>c</svg>d",
        "<svg><foreignobject><div>a", "<svg><script>a<b>c</script>d</svg>e",
        "<svg><style>a<g>b</style></svg>c", "<svg><textarea>a<g>b</svg>c", "<svg></p>a",
        "<svg></br>a", "<svg><g></p>a</svg>b", "<svg></g>a</svg>b", "<svg><g></svg>a",
        "<div><svg></div>a", "<div><svg><g></div>a", "<p><svg><p>a", "<svg><svg>a</svg>b</svg>c",
        "<math><mi>a</mi></math>b", "<math><mi><p>a</mi>b", "<math><mi><mglyph>a</mi>b",
        "<math><mtext><malignmark>a", "<math><mglyph><p>a", "<math><annotation-xml><p>a",
        "<math><annotation-xml encoding=text/html><p>a</annotation-xml>b",
        "<math><annotation-xml encoding='Application/XHTML+xml'><p>a",
        "<math><annotation-xml><svg><g>a", "<math><svg>a", "<svg><math><mi><p>a",
        "<math><foreignObject><p>a", "<svg><![CDATA[a<b]]>c</svg>d",
        "<svg><desc><![CDATA[a]]>b</desc>", "<![CDATA[a]]>b", "<div><![CDATA[a]]>b",
        "<svg><![CDATA[]]>a", "<svg><![CDATA[a", "<svg><![CDATA[a\r\nb\0c]]>d", "<svg>a\0b",
        "<svg><desc>a\0b", "<math><mi>\0a", "<svg><image>a</svg>b", "<svg><table>a",
        "<svg><html id=1>a", "<svg><head>a", "<svg><td>a", "<svg><tr/><td>a",
        "<table><tr><td><svg><td>a", "<table><tr><td><svg><desc><td>a",
        "<svg><desc><svg><g>a</desc>b", "<svg><desc></svg>a", "<b><svg><g>a</b>b",
        "<svg><a>a<a>b</svg>c", "<svg><G>a</g>b", "<SVG><Desc><p>a</DESC>b",
        "<svg><textPath>a</textpath>b", "<select><svg><option>a", "<button><svg><button>a",
        "<svg><select>a", "<math><mo><svg><p>a", "<svg><noscript>a<p>b", "<svg><frameset>a",
        "<math></math><p>a", "<svg><title><svg><title>a</title></svg>b</title>c</svg>d",
        "<p><math><mi><p>a", "<svg><desc><p>a</svg>b", "<svg><br>a", "<svg><hr>a", "<svg><img>a",
        "<svg><span>a</span></svg>b",
    ]);
}

#[test]
#[rustfmt::skip]
fn ruby_and_others() {
    check(&[
        "<ruby>a<rt>b<rt>c</ruby>d", "<ruby>a<rp>(<rt>b<rp>)</ruby>c",
        "<ruby><rb>a<rtc>b<rt>c<rb>d</ruby>e", "<ruby><rtc><rt>a<rp>b", "<ruby><p>a<rt>b",
        "<rt>a<rt>b", "<ruby><span><rt>a</ruby>b", "<ruby>a<rt>b</rt>c</ruby>d",
        "<ruby><b>a<rt>b</b>c", "<iframe><p>a</iframe>b", "<noembed><p>a</noembed>b",
        "<style>a<b>b</style>c", "<script>a<b>c</script>d", "<script><!-- a </script>b",
        "<script><!-- <script> a </script> b </script>c", "<script><!-- <script> --> a </script>b",
        "<script><!--><script>a</script>b", "<script><!---><script>a</script>b",
        "<script><!-- <scriptx> </script>b", "<script>a</scriptx></script >b",
        "<script>a</script/x=y>b", "<script>a", "<script>a</script", "<script>a</script ",
        "<script><!--<script>a</script></script>b", "<script><!-- -- > <script></script>a",
        "<style>a</style", "<style><!-- </style>a", "<title>a&amp;b<b>c</title>d",
        "<title>&lt;/title&gt;</title>a", "<title></titlex></title>a", "<xmp></XMP>a",
        "<script>a\r\nb\0c</script>", "<style>a\0b</style>", "<title>a\0b\rc</title>",
        "<iframe>\0</iframe>a",
    ]);
}

#[test]
#[rustfmt::skip]
fn framesets() {
    check(&[
        "<frameset><frame></frameset>", "<frameset>a<frame>b</frameset>c",
        "<head></head><frameset><frameset><frame></frameset></frameset>",
        "<frameset><noframes>a</noframes></frameset>",
        "<frameset></frameset><noframes>a</noframes>", "<frameset></frameset></html> a",
        "<frameset></frameset></html><noframes>a", "<frameset></frameset><p>a",
        "<frameset><p>a</p>", "x<frameset>", "<body><frameset>", "<frame>a", "</frameset>a",
        "<frameset></frameset></frameset>", "<p>x<frameset><frame>", "<br><frameset>",
        "<frameset><html id=1>", "<title>t</title><frameset>", "<frameset> <frame> </frameset> ",
        "<!-- c --> <frameset>", "<table><frameset>", "<li><frameset>", "<pre><frameset>",
        "<input><frameset>", "<button><frameset>", "<object><frameset>", "<svg>a</svg><frameset>",
    ]);
}

#[test]
#[rustfmt::skip]
fn malformed_markup() {
    check(&[
        "a<b", "a<", "a</", "a<b c", "a<b c='", "a<b c=\"d", "a<!", "a<!-", "a<!--", "a<!-->b",
        "a<!--->b", "a<!---->b", "a<!--b--!>c", "a<!--b->c-->d", "a<!--b--", "a<!--b--!",
        "a<!-- -- -->b", "a<!--<!-- -->b-->c", "a<!b>c", "a<?b>c", "a</>b", "a</ b>c", "a</1>b",
        "a<1>b", "a< b>c", "a<<b>c", "a<b<c>d", "a<p/>b", "a<p / id=1>b", "a<p id='>'>b",
        "a<p id=\">\">b", "a<p id=a>b>c", "a<p id=>b", "a<p =id>b", "a<p id = 1>b",
        "a<p id\n=\n1>b", "a<p id=1id=2>b", "a<p id=1 id=2>b", "a<p ID=1>b", "a<p x='y'id=1>b",
        "a<p id=a/>b", "a<p \"id=1\">b", "a<p id=&amp;&lt>b", "a<p id=&copy=1>b", "a<p id=&copyx>b",
        "a<p id=&copy;x>b", "a<p id=&notin;&notit;>b", "a<p id='a\r\nb'>b", "a<p id=a\0b>c",
        "a&ampb&amp;c&AMP;d", "&lt;b&gt;", "&#65;&#x41;&#X41", "&#0;&#x80;&#150;&#xD800;&#x110000;",
        "&#99999999999999;", "&#;&#x;&#", "&", "&a", "&nbsp", "&notit;&notin;&not",
        "&NotEqualTilde;&acE;", "&;", "&&amp;", "&#x;a", "a\rb\r\nc\n\rd", "\r\n", "\u{FEFF}a",
        "a\u{FEFF}b", "<p>\u{FEFF}", "<DIV>a</Div>b", "<p\0>a", "<di\0v>a</di\0v>b",
        "<p/a/b/id=1/>c", "a<!DOCTYPE html>b", "<!DOCTYPE html><!DOCTYPE x>b", "a</p id=1>b",
        "a</p/>b", "a</p", "a<annotation-xml-and-more>b</annotation-xml-and-more>c",
    ]);
}

#[test]
#[rustfmt::skip]
fn doctypes_and_quirks() {
    let after = "<p>a<table><tr><td>b";
    let options = Options::default();
    for doctype in [
        "", "<!doctype>", "<!doctype html", "<!doctype html>", "<!DOCTYPE HTML>", "<!doctypehtml>",
        "<!doctype svg>", "<!doctype html x>", "<!doctype html public>",
        "<!doctype html public ''>", "<!doctype html public '' ''>", "<!doctype html system>",
        "<!doctype html system ''>", "<!doctype html system 'about:legacy-compat'>",
        "<!doctype html public 'a>", "<!doctype html system 'a>",
        "<!doctype html PUBLIC '-//W3C//DTD HTML 4.01//EN'>",
        "<!doctype html PUBLIC '-//W3C//DTD HTML 4.01//EN''x'>",
        "<!doctype html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>",
        "<!doctype html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'x'>",
        "<!doctype html PUBLIC '-//W3C//DTD HTML 4.01 Frameset//EN'>",
        "<!doctype html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' 'x'>",
        "<!doctype html PUBLIC '-//W3C//DTD HTML 4.0 Transitional//EN' 'x'>",
        "<!doctype html PUBLIC \"-//IETF//DTD HTML//EN\">",
        "<!doctype html PUBLIC '-//IETF//DTD HTML 2.0//EN'>", "<!doctype html PUBLIC 'HTML'>",
        "<!doctype html PUBLIC '-/W3C/DTD HTML 4.0 Transitional/EN'>",
        "<!doctype html PUBLIC '-//W3O//DTD W3 HTML Strict 3.0//EN//'>",
        "<!doctype html PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'>",
        "<!doctype html SYSTEM 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd'>",
        "<!doctype html PUBLIC'a'>", "<!doctype html PUBLIC 'a'b>",
        "<!doctype html PUBLIC 'a' 'b' c>", "<!doctype html system 'a' c>", "x<!doctype html>",
        "<!-- c --><!doctype html>", "<!doctype\0html>",
        "<!doctype html PUBLIC '-//SQ//DTD HTML 2.0 HoTMetaL + extensions//EN'>",
        "<!doctype html PUBLIC '-//WebTechs//DTD Mozilla HTML//EN'>",
    ] {
        let page = format!("{doctype}{after}");
        let (native, tree) = oracle::transcripts(&page, &options);
        assert_eq!(native, Some(tree), "{page:?}");
    }
}

/// Pages that only a tree can put into the right order.
#[test]
#[rustfmt::skip]
fn content_that_belongs_before_emitted_elements_needs_a_tree() {
    for page in [
        "<table><tr><td>a</td>b", "<table><tr><td>a</td></tr>b",
        "<table><tr><td>a</table><table><caption>b</caption>c", "<table><tr><td>a<tr><div>b",
        "<table><tr><td>a<tr><b>b", "<table><td>a</td><img>", "<table><td>a</td><div><p>b",
        "<table><col>a", "<table><tr><td><col>a", "<table><colgroup>a<td>b", "<table><tr><td>a</tbody>b",
        "<table><script>s</script>a", "<div><frameset>", "<template><tr>a", "<b><span>x<p>a</b>b", "<form><a></form><p>b</a>c",
        // Where these elements start and end, the text changes.
        "<b hidden><p>a</b>b", "<b><i style=display:none><p>a</b>b", "<s><div>a</s>b", "<strike><div>a</strike>b",
    ] {
        let (native, _) = oracle::transcripts(page, &Options::default());
        assert_eq!(native, None, "{page:?}");
    }
}

/// Empty elements that belong before a table that was already emitted do not require a tree.
#[test]
#[rustfmt::skip]
fn late_empty_elements_are_not_emitted() {
    for page in [
        "<table><tr><td>a</td><center></tr><tr><td>b</table>c",
        "<table><tr><td>a</td></tr><span><tr><td>b</table>c",
        "<table><tr><td>a</td></tr><font><tr><td>b</table>c",
        "<table><tr><td>a<tr><div> <p>\n<tr><td>b</table>c", "<table><td>a<tr></p><td>b</table>c",
        "<table><td>a<tr><a><tr><td>b</table>c<a>d",
    ] {
        let (native, tree) = oracle::transcripts(page, &Options::default());
        let native = native.expect("no tree is needed");
        assert_eq!(
            oracle::without_empty(&native),
            oracle::without_empty(&tree),
            "{page:?}"
        );
    }
}
