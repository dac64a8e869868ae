use super::*;
use crate::block::{Cell, Table};
use crate::text::MarkKind;

fn block(kind: Kind, text: &str) -> Block {
    Block::new(kind, Text::plain(text))
}

fn item(level: u16, number: Option<i64>, is_first: bool, text: &str) -> Block {
    Block {
        level,
        ..block(Kind::Item(Item { number, is_first }), text)
    }
}

fn within(quotes: u16, level: u16, text: &str) -> Block {
    Block {
        quotes,
        level,
        ..block(Kind::Paragraph, text)
    }
}

fn written(blocks: &[Block]) -> String {
    markdown(blocks, &Options::default())
}

#[test]
fn headings_paragraphs_and_lines() {
    let blocks = [
        block(Kind::Heading(3), "a\nb #"),
        block(Kind::Paragraph, "one\ntwo\n\n# three"),
        block(Kind::Heading(1), ""),
        block(Kind::PageNumber, "7"),
    ];
    assert_eq!(written(&blocks), "### a b \\#\n\none  \ntwo\n\n\\# three");
}

#[test]
fn lists_nest_and_stay_apart() {
    let blocks = [
        item(1, None, true, "a"),
        item(2, Some(1), true, "b"),
        item(2, Some(2), false, "c"),
        within(0, 2, "d\ne"),
        item(1, None, false, "f"),
        item(1, None, true, "g"),
        item(1, Some(9), true, "h"),
        item(1, Some(10), false, "i"),
        within(0, 0, "j"),
        item(1, Some(-2), true, "k"),
    ];
    let expected = "- a\n  1. b\n  2. c\n\n     d  \n     e\n\n- f\n\n* g\n\n9. h\n10. i\n\nj\n\n\
        - -2\\. k";
    assert_eq!(written(&blocks), expected);
}

#[test]
fn quotations_that_follow_each_other_stay_apart() {
    let first = |quotes, block: Block| Block {
        quotes,
        new_quotes: 1,
        ..block
    };
    let blocks = [
        first(1, within(1, 0, "a")),
        within(1, 0, "b"),
        first(1, within(1, 0, "c")),
        first(2, within(2, 0, "d")),
        first(1, item(1, None, true, "e")),
        first(1, item(1, None, true, "f")),
        first(1, within(1, 1, "g")),
        first(1, within(1, 1, "h")),
    ];
    let expected = "> a\n>\n> b\n\n> c\n>\n> > d\n\n> - e\n\n> - f\n\n> g\n\n> h";
    assert_eq!(written(&blocks), expected);
}

#[test]
fn lists_with_the_next_number_continue() {
    let numbered = |number, is_first| item(1, Some(number), is_first, "a");
    let blocks = [
        numbered(1, true),
        numbered(2, true),
        numbered(3, true),
        numbered(5, true),
    ];
    assert_eq!(written(&blocks), "1. a\n2. a\n3. a\n\n5) a");
}

#[test]
fn items_without_text_hold_blocks() {
    let blocks = [
        item(1, None, true, ""),
        Block {
            level: 1,
            ..block(Kind::Heading(3), "a")
        },
        within(0, 1, "b"),
        item(1, None, false, ""),
        item(1, None, false, "c"),
        item(2, Some(3), true, "d"),
        item(1, None, false, ""),
        item(2, None, true, "e"),
    ];
    assert_eq!(
        written(&blocks),
        "- ### a\n\n  b\n\n-\n- c\n\n  3. d\n- - e"
    );
}

#[test]
fn numbers_that_markdown_does_not_allow_are_text() {
    let blocks = [item(1, Some(99_999_999_999), true, "big")];
    assert_eq!(written(&blocks), "- 99999999999\\. big");
}

#[test]
fn quotations_contain_and_are_contained() {
    let blocks = [
        within(1, 0, "a"),
        Block {
            quotes: 1,
            ..item(1, None, true, "b")
        },
        within(2, 1, "c"),
        within(0, 0, "d"),
        item(1, None, true, "e"),
        within(1, 1, "f\ng"),
        within(1, 0, "h"),
    ];
    let expected = "> a\n>\n> - b\n>\n>   > c\n\nd\n\n- e\n\n  > f  \n  > g\n\n> h";
    assert_eq!(written(&blocks), expected);
}

#[test]
fn code_formulas_terms_and_notes() {
    let mut noted = Text::plain("see it");
    noted.mark(3..3, MarkKind::Note("1".into()));
    let blocks = [
        Block {
            level: 1,
            ..block(
                Kind::Code {
                    language: Some("rust".into()),
                },
                "a\n\n```",
            )
        },
        block(Kind::Formula, "x^2"),
        block(Kind::Term, "t"),
        block(Kind::Term, "u"),
        block(Kind::Definition, "v"),
        Block::new(Kind::Paragraph, noted),
        block(Kind::Footnote { label: "1".into() }, "n\n\nm"),
    ];
    let expected =
        "````rust\na\n\n```\n````\n\n$$\nx^2\n$$\n\nt  \nu  \nv\n\nsee[^1] it\n\n[^1]: n\n\n    m";
    assert_eq!(written(&blocks), expected);
}

#[test]
fn a_label_of_code_is_its_language() {
    let code = |language: Option<&str>| {
        let language = language.map(Into::into);
        block(Kind::Code { language }, "a = 1")
    };
    let label = || block(Kind::Paragraph, "JS");
    assert_eq!(written(&[label(), code(Some("js"))]), "```js\na = 1\n```");
    for (blocks, expected) in [
        ([label(), code(None)], "JS\n\n```\na = 1\n```"),
        ([label(), code(Some("c"))], "JS\n\n```c\na = 1\n```"),
        ([code(Some("js")), label()], "```js\na = 1\n```\n\nJS"),
    ] {
        assert_eq!(written(&blocks), expected);
    }
}

fn cell(text: &str, is_header: bool) -> Cell {
    let mut cell = Cell::new(1, 1, is_header);
    if !text.is_empty() {
        cell.blocks.push(block(Kind::Paragraph, text));
    }
    cell
}

#[test]
fn tables_have_bars_unless_cells_span() {
    let mut table = Table {
        caption: Some(Text::plain("c")),
        header_rows: 1,
        rows: vec![
            vec![cell("a|b", true), cell("", true)],
            vec![cell("1\n2", false), cell("# 3", false), cell("<4>", false)],
        ],
    };
    let of = |table: &Table| written(&[block(Kind::Table(Box::new(table.clone())), "")]);
    let expected = "c\n\n| a\\|b | | |\n| --- | --- | --- |\n| 1<br>2 | # 3 | <4> |";
    assert_eq!(of(&table), expected);
    table.header_rows = 0;
    assert!(of(&table).starts_with("c\n\n| | | |\n| --- | --- | --- |\n| a\\|b |"));
    table.rows[1][0].columns = 2;
    let blocks = &mut table.rows[1][1].blocks;
    blocks.push(block(Kind::Code { language: None }, "x\n\ny"));
    blocks.push(item(1, None, true, "i"));
    blocks.push(item(2, Some(4), true, "j"));
    blocks.push(item(1, None, false, "k"));
    let expected = "<table>\n<caption>c</caption>\n<tr><th>a|b</th><th></th></tr>\n<tr>\
        <td colspan=\"2\">1<br>2</td><td><p># 3</p><pre><code>x\n&#10;y</code></pre><ul><li>i\
        <ol start=\"4\"><li>j</li></ol></li><li>k</li></ul></td><td>&lt;4&gt;</td></tr>\n</table>";
    assert_eq!(of(&table), expected);
}

#[test]
fn pictures_and_links_are_optional() {
    let picture = Picture {
        address: "http://a/b c".into(),
        alternative: "[x]".into(),
    };
    let mut linked = Text::plain("there");
    linked.mark(0..5, MarkKind::Link("http://a/".into()));
    let blocks = [
        Block::new(
            Kind::Figure(Some(Box::new(picture))),
            Text::plain("caption"),
        ),
        Block::new(Kind::Paragraph, linked),
    ];
    assert_eq!(written(&blocks), "caption\n\nthere");
    let options = Options {
        links: true,
        pictures: true,
        ..Options::default()
    };
    let expected = "![\\[x\\]](http://a/b%20c)  \ncaption\n\n[there](http://a/)";
    assert_eq!(markdown(&blocks, &options), expected);
}

#[test]
fn deep_lists_do_not_multiply_the_text() {
    let blocks: Vec<Block> = (0..10_000)
        .map(|level| item(level, None, true, "x"))
        .chain((0..10_000).map(|_| within(9999, 9999, "y")))
        .collect();
    let written = written(&blocks);
    assert!(
        written.len() < 20_000 * (2 * MAX_CONTAINERS + 4) * 2,
        "{}",
        written.len()
    );
    assert_eq!(written.matches(['x', 'y']).count(), 20_000);
}

#[test]
fn long_runs_and_many_paragraphs_are_read_once() {
    const COUNT: usize = 50_000;
    for text in ["_", "|", "$", "\\(", "~", "[^", "`"] {
        let text = text.repeat(COUNT);
        let written = written(&[block(Kind::Paragraph, &format!("a\n{text}"))]);
        assert!(written.len() <= 2 * text.len() + 8);
    }
    let mut text = Text::plain("ab\n\n".repeat(COUNT));
    for index in 0..COUNT {
        text.mark(4 * index..4 * index + 1, MarkKind::Strong);
    }
    let written = written(&[Block::new(Kind::Paragraph, text)]);
    assert_eq!(written.matches("**a**b").count(), COUNT);
}
