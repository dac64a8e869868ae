//! The blocks of documents.

#![allow(clippy::unwrap_used)]

mod packages;

use corpus_blocks::markdown::{self, markdown};
use corpus_blocks::plain_text;
use corpus_office::{Limits, read, read_blocks};
use packages::zip;

fn written(members: &[(&str, &str)]) -> String {
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, content)| (*name, content.as_bytes()))
        .collect();
    let bytes = zip(&members);
    let document = read_blocks(&bytes, &Limits::default());
    assert_eq!(document.error, None);
    // The text is written from the same blocks.
    let text = read(&bytes, &Limits::default()).text;
    assert_eq!(text, Some(plain_text::of_blocks(&document.blocks)));
    let options = markdown::Options {
        links: true,
        ..markdown::Options::default()
    };
    markdown(&document.blocks, &options)
}

/// The text of a document.
fn text(members: &[(&str, &str)]) -> String {
    let members = members
        .iter()
        .map(|(name, content)| (*name, content.as_bytes()));
    let document = read(&zip(&members.collect::<Vec<_>>()), &Limits::default());
    assert_eq!(document.error, None);
    document.text.unwrap()
}

/// The Markdown of the body of a DOCX document.
fn docx(body: &str) -> String {
    let level = |format: &str, text: &str| {
        format!("<w:start w:val='3'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/>")
    };
    let numbering = format!(
        "<w:numbering><w:abstractNum w:abstractNumId='7'><w:lvl w:ilvl='0'>{}</w:lvl>\
         <w:lvl w:ilvl='1'>{}</w:lvl></w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='7'/>\
         </w:num></w:numbering>",
        level("decimal", "%1."),
        level("bullet", "x")
    );
    let styles = "<w:styles><w:style w:styleId='T'><w:name w:val='heading 2'/></w:style>\
        <w:style w:styleId='U'><w:name w:val='Mine'/><w:basedOn w:val='T'/></w:style>\
        <w:style w:styleId='C'><w:name w:val='HTML Preformatted'/></w:style></w:styles>";
    let links = "<Relationships><Relationship Id='r1' Target='http://a.b/' TargetMode='External'/>\
        </Relationships>";
    let notes = "<w:footnotes><w:footnote w:id='5'><w:p><w:r><w:t>Note.</w:t></w:r></w:p>\
        <w:p><w:r><w:t>More.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    written(&[
        ("word/document.xml", body),
        ("word/styles.xml", styles),
        ("word/numbering.xml", &numbering),
        ("word/footnotes.xml", notes),
        ("word/_rels/document.xml.rels", links),
    ])
}

fn paragraph(properties: &str, text: &str) -> String {
    format!(
        "<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
    )
}

#[test]
fn headings_lists_and_code_of_word() {
    let style = |name: &str, text: &str| paragraph(&format!("<w:pStyle w:val='{name}'/>"), text);
    let item = |level: usize, text: &str| {
        let list = format!("<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr>");
        paragraph(&list, text)
    };
    let body = [
        style("U", "Head"),
        item(0, "a"),
        item(1, "b"),
        item(0, "c"),
        paragraph("", "# d"),
        item(0, "e"),
        style("C", "  x = 1"),
        style("C", ""),
        style("C", "y"),
        paragraph("<w:outlineLvl w:val='0'/>", "Top"),
    ];
    let expected = "## Head\n\n3. a\n   - b\n4. c\n\n\\# d\n\n5. e\n\n   ```\n     x = 1\n\n   y\n   ```\n\n# Top\n\n\
        [^note-5]: Note.\n\n    More.";
    assert_eq!(docx(&body.concat()), expected);
}

#[test]
fn runs_links_and_notes_of_word() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>")
    };
    let body = format!(
        "<w:p>{}{}{}{}{}<w:hyperlink r:id='r1'>{}</w:hyperlink><w:r><w:footnoteReference w:id='5'/></w:r>\
         <m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup>\
         </m:sSup></m:oMath></w:p>",
        run("<w:b/>", "bo"),
        run("<w:b/><w:i/>", "ld"),
        run("<w:vanish/>", "hidden"),
        run("<w:b w:val='0'/>", " m"),
        run("<w:vertAlign w:val='superscript'/>", "2"),
        run("", " link"),
    );
    let expected =
        "**bo*ld*** m<sup>2</sup> [link](http://a.b/)[^1]$x^2$\n\n[^1]: Note.\n\n    More.";
    assert_eq!(docx(&body), expected);
}

#[test]
fn styles_of_word_may_hide_text() {
    let styles = "<w:styles><w:style w:styleId='H'><w:name w:val='Hidden'/><w:rPr><w:vanish/></w:rPr>\
        </w:style><w:style w:styleId='I'><w:name w:val='Inner'/><w:basedOn w:val='H'/></w:style>\
        <w:style w:styleId='S'><w:name w:val='Shown'/><w:basedOn w:val='H'/><w:rPr>\
        <w:vanish w:val='0'/></w:rPr></w:style></w:styles>";
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>")
    };
    let body = [
        "<w:document><w:body><w:p>".to_owned(),
        run("", "a"),
        run("<w:rStyle w:val='I'/>", "b"),
        run("<w:rStyle w:val='S'/>", "c"),
        run("<w:rStyle w:val='I'/><w:vanish w:val='false'/>", "d"),
        "</w:p>".to_owned(),
        paragraph("<w:pStyle w:val='I'/>", "hidden"),
        paragraph("<w:pStyle w:val='S'/>", "e"),
        "</w:body></w:document>".to_owned(),
    ];
    let members = [
        ("word/document.xml", &*body.concat()),
        ("word/styles.xml", styles),
    ];
    assert_eq!(written(&members), "acd\n\ne");
}

#[test]
fn sections_and_styles_of_libreoffice_may_hide_text() {
    let content = "<office:document-content><office:automatic-styles>\
        <style:style style:name='H'><style:text-properties text:display='none'/></style:style>\
        <style:style style:name='P' style:parent-style-name='H'/>\
        <style:style style:name='S' style:parent-style-name='H'><style:text-properties \
        text:display='true'/></style:style></office:automatic-styles><office:body><office:text>\
        <text:section text:display='none'><text:p>hidden</text:p><text:section><text:p>hidden\
        </text:p></text:section></text:section>\
        <text:section text:display='condition' text:is-hidden='true'><text:p>hidden</text:p>\
        </text:section><text:section text:display='condition'><text:p>a</text:p></text:section>\
        <text:p text:style-name='P'>hidden <text:span text:style-name='S'>b</text:span></text:p>\
        <text:p>c<text:span text:style-name='P'>hidden</text:span></text:p>\
        <text:p>hidden<text:hidden-paragraph text:is-hidden='true'/></text:p>\
        <text:p>d<text:hidden-text text:is-hidden='true'>hidden</text:hidden-text></text:p>\
        </office:text></office:body></office:document-content>";
    assert_eq!(
        written(&[
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            ("content.xml", content)
        ]),
        "a\n\nb\n\nc\n\nd"
    );
}

#[test]
fn the_text_keeps_scripts_formulas_code_and_columns() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>")
    };
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let body = [
        format!(
            "<w:p>{}{}<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t>\
             </m:r></m:den></m:f></m:oMath></w:p>",
            run("", "10"),
            run("<w:vertAlign w:val='superscript'/>", "6"),
        ),
        paragraph("<w:pStyle w:val='Code'/>", "if x:"),
        paragraph("<w:pStyle w:val='Code'/>", "    y"),
        format!(
            "<w:tbl><w:tr>{}{}{}</w:tr><w:tr>{}{}{}</w:tr></w:tbl>",
            cell("a"),
            cell("b"),
            cell("c"),
            cell(""),
            cell("x"),
            cell("y")
        ),
    ];
    let word = text(&[("word/document.xml", &body.concat())]);
    assert_eq!(word, "10⁶$\\frac{a}{b}$\n\nif x:\n    y\n\na\tb\tc\n\tx\ty");
    let content = "<style:style style:name='S'><style:text-properties style:text-position='sub 58%'/>\
        </style:style><office:body><text:p>H<text:span text:style-name='S'>2</text:span>O \
        <draw:object xlink:href='F'/></text:p><text:p>a<text:note><text:note-body><text:p>Note.\
        </text:p></text:note-body></text:note> b</text:p></office:body>";
    let libreoffice = text(&[
        ("content.xml", content),
        (
            "F/content.xml",
            "<math><msup><mi>c</mi><mn>2</mn></msup></math>",
        ),
    ]);
    assert_eq!(libreoffice, "H₂O $c^2$\n\na b\n\nNote.");
    let page = "<p>a<a href='#n1'>1</a></p><aside epub:type='footnote' id='n1'>b</aside>";
    let book = text(&[
        (
            "a.opf",
            "<item id='x' href='1.xhtml' media-type='text/html'/><itemref idref='x'/>",
        ),
        ("1.xhtml", page),
    ]);
    assert_eq!(book, "a\n\nb");
}

#[test]
fn tables_of_word() {
    let cell = |properties: &str, text: &str| {
        format!(
            "<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>",
            paragraph("", text)
        )
    };
    let header = format!(
        "<w:tr><w:trPr><w:tblHeader/></w:trPr>{}{}</w:tr>",
        cell("", "h"),
        cell("", "i")
    );
    let row = format!("<w:tr>{}{}</w:tr>", cell("", "1|2"), cell("", ""));
    let table = docx(&format!("<w:tbl>{header}{row}</w:tbl>"));
    assert!(
        table.starts_with("| h | i |\n| --- | --- |\n| 1\\|2 | |\n"),
        "{table}"
    );
    let merged = format!(
        "<w:tbl>{header}<w:tr>{}</w:tr><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell("<w:gridSpan w:val='2'/>", "wide"),
        cell("<w:vMerge w:val='restart'/>", "tall"),
        cell("", "a"),
        cell("<w:vMerge/>", ""),
        cell("", "b"),
    );
    let expected = "<table>\n<tr><th>h</th><th>i</th></tr>\n<tr><td colspan=\"2\">wide</td></tr>\n\
        <tr><td rowspan=\"2\">tall</td><td>a</td></tr>\n<tr><td>b</td></tr>\n</table>";
    assert!(docx(&merged).starts_with(expected), "{}", docx(&merged));
}

#[test]
fn texts_of_libreoffice() {
    let content = "<office:document-content><office:automatic-styles>\
        <style:style style:name='B'><style:text-properties fo:font-weight='bold'/></style:style>\
        <style:style style:name='P4' style:parent-style-name='Preformatted_20_Text'/>\
        <text:list-style style:name='L'><text:list-level-style-number text:level='1' \
        style:num-format='1' text:start-value='4'/></text:list-style></office:automatic-styles>\
        <office:body><office:text><text:h text:outline-level='2'>Head</text:h>\
        <text:p>One <text:span text:style-name='B'>bold</text:span><text:note><text:note-citation>1\
        </text:note-citation><text:note-body><text:p>Note.</text:p></text:note-body></text:note> \
        <text:a xlink:href='http://a.b/'>link</text:a> <draw:object xlink:href='./F/'/></text:p>\
        <text:list text:style-name='L'><text:list-item><text:p>a</text:p><text:list><text:list-item>\
        <text:p>b</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>c</text:p>\
        </text:list-item></text:list><text:p text:style-name='P4'>x<text:line-break/> <text:s/>z</text:p>\
        <text:p text:style-name='P4'/><text:p text:style-name='P4'><text:s text:c='2'/>y</text:p>\
        <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>h</text:p>\
        </table:table-cell><table:table-cell><text:p>i</text:p></table:table-cell></table:table-row>\
        </table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned='2'>\
        <text:p>wide</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>\
        <text:p><draw:object xlink:href='./F/'/></text:p></office:text></office:body></office:document-content>";
    // LibreOffice declares all formulas as blocks.
    let formula = "<math display='block'><mfrac><mi>a</mi><mi>b</mi></mfrac></math>";
    let members = [
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", content),
        ("F/content.xml", formula),
    ];
    let expected = "## Head\n\nOne **bold**[^1] [link](http://a.b/) $\\frac{a}{b}$\n\n4. a\n   - b\n5. c\n\n\
        ```\nx\n  z\n\n  y\n```\n\n<table>\n<tr><th>h</th><th>i</th></tr>\n<tr><td colspan=\"2\">wide</td></tr>\n\
        </table>\n\n$$\n\\frac{a}{b}\n$$\n\n[^1]: Note.";
    assert_eq!(written(&members), expected);
}

#[test]
fn lists_of_word_may_define_their_own_levels() {
    let level = |format: &str, start: usize| {
        format!(
            "<w:lvl w:ilvl='0'><w:start w:val='{start}'/><w:numFmt w:val='{format}'/>\
             <w:lvlText w:val='x'/></w:lvl>"
        )
    };
    let numbering = format!(
        "<w:numbering><w:abstractNum w:abstractNumId='0'>{}</w:abstractNum><w:num w:numId='1'>\
         <w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='0'>{}</w:lvlOverride></w:num>\
         <w:num w:numId='2'><w:abstractNumId w:val='0'/></w:num></w:numbering>",
        level("bullet", 1),
        level("decimal", 5)
    );
    let item = |list: usize| {
        paragraph(
            &format!("<w:numPr><w:ilvl w:val='0'/><w:numId w:val='{list}'/></w:numPr>"),
            "a",
        )
    };
    let body = [item(1), item(1), item(2)].concat();
    let members = [
        ("word/document.xml", &*body),
        ("word/numbering.xml", &numbering),
    ];
    assert_eq!(written(&members), "5. a\n6. a\n\n- a");
}

#[test]
fn lists_of_word_may_use_the_levels_of_a_style() {
    let level = "<w:lvl w:ilvl='0'><w:start w:val='4'/><w:numFmt w:val='decimal'/></w:lvl>";
    let numbering = format!(
        "<w:numbering>\
         <w:abstractNum w:abstractNumId='0'><w:numStyleLink w:val='S'/></w:abstractNum>\
         <w:abstractNum w:abstractNumId='1'><w:styleLink w:val='S'/>{level}</w:abstractNum>\
         <w:abstractNum w:abstractNumId='2'><w:numStyleLink w:val='missing'/></w:abstractNum>\
         <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>\
         <w:num w:numId='2'><w:abstractNumId w:val='2'/></w:num></w:numbering>"
    );
    let item = |list: usize| {
        paragraph(
            &format!("<w:numPr><w:ilvl w:val='0'/><w:numId w:val='{list}'/></w:numPr>"),
            "a",
        )
    };
    let members = [
        ("word/document.xml", &*[item(1), item(1), item(2)].concat()),
        ("word/numbering.xml", &numbering),
    ];
    assert_eq!(written(&members), "4. a\n5. a\n\n- a");
}

#[test]
fn labels_that_markdown_lacks_are_part_of_the_text() {
    let level = |level: usize, format: &str, text: &str| {
        format!(
            "<w:lvl w:ilvl='{level}'><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/></w:lvl>"
        )
    };
    let numbering = format!(
        "<w:abstractNum w:abstractNumId='0'>{}{}{}{}</w:abstractNum><w:num w:numId='1'>\
         <w:abstractNumId w:val='0'/></w:num>",
        level(0, "decimal", "%1."),
        level(1, "decimal", "%1.%2"),
        level(2, "lowerLetter", "(%3)"),
        level(3, "lowerRoman", "%4."),
    );
    let item = |level: usize| {
        paragraph(
            &format!("<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr>"),
            "x",
        )
    };
    let members = [
        ("word/document.xml", &*[0, 1, 2, 2, 3, 1].map(item).concat()),
        ("word/numbering.xml", &numbering),
    ];
    let expected = "1. x\n   - 1.1 x\n     - (a) x\n     - (b) x\n       - i. x\n   - 1.2 x";
    assert_eq!(written(&members), expected);
    let content = "<office:automatic-styles><text:list-style style:name='L'>\
        <text:list-level-style-number text:level='1' style:num-format='a' style:num-prefix='(' \
        style:num-suffix=')'/></text:list-style></office:automatic-styles><office:body>\
        <text:list text:style-name='L'><text:list-item><text:p>x</text:p><text:p>y</text:p>\
        </text:list-item><text:list-item><text:p>z</text:p></text:list-item></text:list>\
        </office:body>";
    let expected = "- (a) x\n\n  y\n\n- (b) z";
    assert_eq!(written(&[("content.xml", content)]), expected);
}

#[test]
fn headings_of_word_have_their_numbers() {
    let level = |level: usize, format: &str, text: &str, more: &str| {
        format!(
            "<w:lvl w:ilvl='{level}'><w:numFmt w:val='{format}'/>{more}<w:lvlText w:val='{text}'/></w:lvl>"
        )
    };
    let numbering = format!(
        "<w:abstractNum w:abstractNumId='0'>{}{}{}</w:abstractNum><w:num w:numId='1'>\
         <w:abstractNumId w:val='0'/></w:num>",
        level(0, "upperRoman", "Article %1", ""),
        level(1, "lowerLetter", "%1.%2", "<w:isLgl/>"),
        level(2, "bullet", "x", ""),
    );
    let styles: String = (0..3)
        .map(|level| {
            format!(
                "<w:style w:styleId='H{level}'><w:name w:val='heading {}'/><w:numPr>\
                 <w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr></w:style>",
                level + 1
            )
        })
        .collect();
    let body: String = [0, 1, 1, 2, 0, 1]
        .map(|level| paragraph(&format!("<w:pStyle w:val='H{level}'/>"), "h"))
        .concat();
    let members = [
        ("word/document.xml", &*body),
        ("word/numbering.xml", &numbering),
        ("word/styles.xml", &styles),
    ];
    let expected = "# Article I h\n\n## 1.1 h\n\n## 1.2 h\n\n### h\n\n# Article II h\n\n## 2.1 h";
    assert_eq!(written(&members), expected);
}

#[test]
fn text_boxes_follow_their_paragraph() {
    let text_box =
        "<w:txbxContent><w:p><w:t>box</w:t></w:p><w:p><w:t>two</w:t></w:p></w:txbxContent>";
    let item = "<w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr>";
    let body = format!(
        "<w:p>{item}<w:r><w:t>a</w:t></w:r></w:p>\
         <w:p>{item}<w:r><w:t>before,</w:t></w:r><w:r>{text_box}</w:r><w:r><w:t xml:space='preserve'> after</w:t></w:r></w:p>\
         <w:p><w:r>{text_box}</w:r></w:p>"
    );
    let expected = "- a\n- before, after\n\nbox\n\ntwo\n\nbox\n\ntwo";
    assert_eq!(written(&[("word/document.xml", &body)]), expected);
    let frame = |name: &str| {
        format!("before,<draw:{name}><text:p>box</text:p><text:p>two</text:p></draw:{name}> after")
    };
    for name in ["frame", "custom-shape"] {
        let content = format!(
            "<office:body><text:list><text:list-item><text:p>{}</text:p></text:list-item></text:list>\
             </office:body>",
            frame(name)
        );
        let odt = written(&[("content.xml", &content)]);
        assert_eq!(odt, "- before, after\n\nbox\n\ntwo", "{name}");
    }
}

#[test]
fn rows_keep_their_columns() {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let row = |properties: &str, cells: &str| {
        format!("<w:tr><w:trPr>{properties}</w:trPr>{cells}</w:tr>")
    };
    let body = [
        "<w:tbl>",
        &row("", &(cell("a") + &cell("b") + &cell("c"))),
        &row("<w:gridBefore w:val='1'/>", &(cell("d") + &cell("e"))),
        &row(
            "<w:gridBefore w:val='1'/><w:gridAfter w:val='1'/>",
            &cell("f"),
        ),
        "</w:tbl>",
    ];
    let word = text(&[("word/document.xml", &body.concat())]);
    assert_eq!(word, "a\tb\tc\n\td\te\n\tf");
    let cell = |repeated: usize, text: &str| {
        format!(
            "<table:table-cell table:number-columns-repeated='{repeated}'><text:p>{text}</text:p>\
             </table:table-cell>"
        )
    };
    let content = [
        "<office:body><table:table><table:table-row>",
        &cell(2, "a"),
        &cell(1, "b"),
        "</table:table-row><table:table-row>",
        &cell(2, ""),
        &cell(60000, "c"),
        "</table:table-row></table:table></office:body>",
    ];
    assert_eq!(
        text(&[("content.xml", &content.concat())]),
        "a\ta\tb\n\t\tc"
    );
    let row = format!(
        "<table:table-row>{}</table:table-row>",
        cell(64, &"x".repeat(100))
    );
    let content = format!("<table:table>{}</table:table>", row.repeat(10_000));
    let hostile = text(&[("content.xml", &content)]);
    assert!(
        hostile.len() < 10_000 * 110 + (2 << 20),
        "{}",
        hostile.len()
    );
}

#[test]
fn boxes_at_the_start_of_items_are_tasks() {
    let item = |text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val='1'/><w:numId w:val='1'/></w:numPr></w:pPr><w:r>\
             <w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let written = docx(&(item("☒ a") + &item("☐ b") + "<w:p><w:r><w:t>☐ c</w:t></w:r></w:p>"));
    let lines: Vec<&str> = written.lines().take(4).map(str::trim).collect();
    assert_eq!(lines, ["- [x] a", "- [ ] b", "", "☐ c"]);
}

#[test]
fn repeated_rows_of_odt_are_copied() {
    let row = |repeated: usize, text: &str| {
        format!(
            "<table:table-row table:number-rows-repeated='{repeated}'><table:table-cell><text:p>\
             {text}</text:p></table:table-cell><table:table-cell><text:p>x</text:p>\
             </table:table-cell></table:table-row>"
        )
    };
    let table = |rows: &str| format!("<table:table>{rows}</table:table>");
    let content = table(&(row(1, "a") + &row(3, "b") + &row(1, "c") + &row(60_000, "d")));
    assert_eq!(
        text(&[("content.xml", &content)]),
        "a\tx\nb\tx\nb\tx\nb\tx\nc\tx\nd\tx"
    );
    let content = table(&row(1000, &"x".repeat(100)).repeat(1000));
    let hostile = text(&[("content.xml", &content)]);
    assert!(hostile.len() < 2 << 20, "{}", hostile.len());
}

#[test]
fn raised_and_lowered_characters_are_scripts() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>")
    };
    let body = format!(
        "<w:p>{}{}{}{}{}</w:p>",
        run("", "x"),
        run("<w:position w:val='8'/><w:sz w:val='19'/>", "2"),
        run("<w:position w:val='-6'/><w:sz w:val='19'/>", "3"),
        // A drop cap, and characters that are moved a little.
        run("<w:position w:val='-10'/><w:sz w:val='90'/>", "4"),
        run("<w:position w:val='2'/>", "5"),
    );
    let styles = "<w:docDefaults><w:sz w:val='24'/></w:docDefaults>";
    let members = [("word/document.xml", &*body), ("word/styles.xml", styles)];
    assert_eq!(text(&members), "x²₃45");
    let position = |name: &str, value: &str| {
        format!(
            "<style:style style:name='{name}'><style:text-properties style:text-position='{value}'/>\
             </style:style>"
        )
    };
    let span = |name: &str| format!("<text:span text:style-name='{name}'>2</text:span>");
    let content = format!(
        "{}{}{}{}<text:p>x{}y{}z{}0{}</text:p>",
        position("A", "33% 80%"),
        position("B", "-33% 58%"),
        position("C", "0% 100%"),
        position("D", "5% 100%"),
        span("A"),
        span("B"),
        span("C"),
        span("D"),
    );
    assert_eq!(text(&[("content.xml", &content)]), "x²y₂z202");
}

#[test]
fn fields_of_word_are_links() {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let code = |code: &str| format!("<w:r><w:instrText>{code}</w:instrText></w:r>");
    let run = |text: &str| format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>");
    let body = [
        "<w:p>",
        &character("begin"),
        &code(" HYPER"),
        &code("LINK \"http://a.b/\" "),
        &character("separate"),
        &run("one"),
        &character("end"),
        &run(" two "),
        "<w:fldSimple w:instr='HYPERLINK http://c.d/'>",
        &run("three"),
        "</w:fldSimple>",
        &character("begin"),
        &code("PAGE"),
        &character("separate"),
        &run("4"),
        &character("end"),
        "</w:p>",
    ];
    let expected = "[one](http://a.b/) two [three](http://c.d/)4";
    assert_eq!(written(&[("word/document.xml", &body.concat())]), expected);
}

#[test]
fn symbols_of_word_are_characters() {
    let body = "<w:p><w:r><w:sym w:font='Symbol' w:char='F061'/><w:sym w:char='zz'/></w:r><w:r><w:rPr>\
        <w:rFonts w:ascii='Wingdings'/></w:rPr><w:t>\u{F0FC}a</w:t></w:r></w:p>";
    assert_eq!(text(&[("word/document.xml", body)]), "α\u{FFFD}✓a");
}

#[test]
fn lists_and_headings_of_libreoffice_have_their_numbers() {
    let content = "<style:styles><text:outline-style><text:outline-level-style text:level='1' \
        style:num-format='I' style:num-suffix='.'/><text:outline-level-style text:level='2' \
        style:num-format='1' text:display-levels='2'/></text:outline-style></style:styles>\
        <text:list-style style:name='A'><text:list-level-style-number text:level='1' \
        style:num-format='1' style:num-prefix='§ '/></text:list-style>\
        <text:list-style style:name='B'><text:list-level-style-bullet text:level='1' \
        text:bullet-char='•'/></text:list-style>\
        <text:list-style style:name='C'><text:list-level-style-bullet text:level='1' \
        text:bullet-char=' '/></text:list-style>\
        <office:body><text:h text:outline-level='1'>a</text:h><text:h text:outline-level='2'>b</text:h>\
        <text:h text:outline-level='2' text:is-list-header='true'>c</text:h>\
        <text:h text:outline-level='1'><text:number>9)</text:number>d</text:h>\
        <text:list text:style-name='A'><text:list-item><text:h>e</text:h></text:list-item></text:list>\
        <text:list text:style-name='B'><text:list-item><text:p>f</text:p><text:list text:style-name='A'>\
        <text:list-item><text:p>g</text:p></text:list-item></text:list></text:list-item></text:list>\
        <text:list text:style-name='C'><text:list-item><text:p>h</text:p></text:list-item></text:list>\
        </office:body>";
    let expected = "# I. a\n\n## I.1 b\n\n## c\n\n# 9) d\n\n# § 1 e\n\n- f\n  - § 1 g\n\n  h";
    assert_eq!(written(&[("content.xml", content)]), expected);
}

#[test]
fn captions_of_tables() {
    let styled = |name: &str, text: &str| paragraph(&format!("<w:pStyle w:val='{name}'/>"), text);
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let row = format!("<w:tr>{}{}</w:tr>", cell("a"), cell("b"));
    let table = format!("<w:tbl>{row}{row}</w:tbl>");
    let picture = "<w:p><w:r><w:drawing/></w:r></w:p>";
    for (body, expected) in [
        (format!("{}{table}", styled("Caption", "c")), "[c]"),
        (format!("{table}{}", styled("TableCaption", "c")), "[c]"),
        (format!("{picture}{}{table}", styled("Caption", "c")), "c[]"),
        (format!("{}{table}", styled("ImageCaption", "c")), "c[]"),
    ] {
        let document = read_blocks(
            &zip(&[("word/document.xml", body.as_bytes())]),
            &Limits::default(),
        );
        let caption = |block: corpus_blocks::Block| match block.kind {
            corpus_blocks::Kind::Table(table) => {
                format!("[{}]", table.caption.unwrap_or_default().text)
            }
            _ => block.text.text,
        };
        let captions: String = document.blocks.into_iter().map(caption).collect();
        assert_eq!(captions, expected, "{body}");
    }
}

#[test]
fn lists_of_libreoffice_may_start_below_the_first_level() {
    let content = "<office:body><text:list><text:list-item><text:list><text:list-item>\
        <text:p>sub</text:p></text:list-item></text:list></text:list-item><text:list-item>\
        <text:p>a</text:p></text:list-item></text:list><text:p text:style-name='Caption'>c</text:p>\
        <table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell>\
        <table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>\
        </office:body>";
    let members = [
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", content),
    ];
    let written = written(&members);
    assert!(!written.contains("- -"), "{written}");
    assert!(written.contains("sub\n- a"), "{written}");
}

#[test]
fn notes_of_chapters_have_different_labels() {
    let page = "<p>a<a href='#n1'>1</a></p><aside epub:type='footnote' id='n1'>b</aside>";
    let members = [
        ("META-INF/container.xml", "<rootfile full-path='a.opf'/>"),
        (
            "a.opf",
            "<item id='x' href='1.xhtml' media-type='application/xhtml+xml'/><itemref idref='x'/>\
             <item id='y' href='2.xhtml' media-type='application/xhtml+xml'/><itemref idref='y'/>",
        ),
        ("1.xhtml", page),
        ("2.xhtml", page),
    ];
    assert_eq!(
        written(&members),
        "a[^1]\n\n[^1]: b\n\na[^2-1]\n\n[^2-1]: b"
    );
}

#[test]
fn books_are_their_chapters() {
    let members = [
        ("META-INF/container.xml", "<rootfile full-path='a.opf'/>"),
        (
            "a.opf",
            "<item id='x' href='1.xhtml' media-type='application/xhtml+xml'/><itemref idref='x'/>",
        ),
        (
            "1.xhtml",
            "<html><body><h1>One</h1><p>a <em>b</em></p></body></html>",
        ),
    ];
    assert_eq!(written(&members), "# One\n\na *b*");
}

#[test]
fn what_is_not_a_document_is_an_error() {
    let document = read_blocks(b"text", &Limits::default());
    assert!(document.blocks.is_empty());
    assert!(document.error.is_some());
}

#[test]
fn hostile_documents_stay_small() {
    const COUNT: usize = 20_000;
    let spans = "<text:span><text:list><text:list-item>".repeat(COUNT);
    let paragraphs = "<text:p>x</text:p>".repeat(COUNT);
    let content = format!("<office:body>{spans}{paragraphs}</office:body>");
    let odt = written(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
    ]);
    assert_eq!(odt.matches('x').count(), COUNT);
    assert!(odt.len() < 200 * COUNT, "{}", odt.len());
    let nested = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p>".repeat(COUNT)
        + &"</w:tc></w:tr></w:tbl>".repeat(COUNT);
    assert_eq!(docx(&nested).matches('x').count(), COUNT);
    let long = "x".repeat(COUNT);
    let numbering = format!(
        "<w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:lvlText w:val='%1{long}'/></w:lvl>\
         </w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>"
    );
    let heading = "<w:outlineLvl w:val='0'/><w:numPr><w:numId w:val='1'/></w:numPr>";
    let headings = paragraph(heading, "y").repeat(100);
    let members = [
        ("word/document.xml", &*headings),
        ("word/numbering.xml", &numbering),
    ];
    assert!(text(&members).len() < COUNT);
    let outline = format!(
        "<text:outline-style><text:outline-level-style text:level='1' style:num-format='1' \
         style:num-prefix='{long}'/></text:outline-style><office:body>{}</office:body>",
        "<text:h>y</text:h>".repeat(100)
    );
    assert!(text(&[("content.xml", &outline)]).starts_with("1 y\n\n2 y\n\n"));
    let boxes = "<w:p><w:r><w:txbxContent><w:p><w:r><w:t>x</w:t></w:r></w:p>".repeat(COUNT);
    assert_eq!(docx(&boxes).matches('x').count(), COUNT);
    let bold = format!(
        "<w:p><w:r><w:rPr>{}</w:rPr>{}</w:r></w:p>",
        "<w:b/>".repeat(COUNT),
        "<w:t>a</w:t>".repeat(COUNT)
    );
    assert!(docx(&bold).len() < 2 * COUNT);
}
