use super::*;

/// For every start tag, whether it was recognized, and its title.
fn pieces(document: &str) -> Vec<(bool, Option<String>)> {
    pieces_with(document, false)
}

fn pieces_with(document: &str, are_inert: bool) -> Vec<(bool, Option<String>)> {
    let mut pieces = Pieces::new(document, false, TextUse::Counted);
    let mut all = Vec::new();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Token(Token::Start(tag)) => {
                let title = tag
                    .attributes()
                    .get("title")
                    .map(|title| title.raw.to_owned());
                all.push((false, title));
                pieces.learn(&tag, are_inert, || tag.name);
            }
            Piece::Known(values) | Piece::Leaf(values) => {
                assert!(pieces.properties().is_some());
                all.push((true, values.title.map(str::to_owned)));
            }
            _ => {}
        }
    }
    all
}

#[test]
fn a_tag_like_one_before_is_recognized() {
    let document = "<b class='x' id='1' title=\"it's\">a</b> <b class='x' id='2' title=\"2>1\">";
    assert_eq!(
        pieces(document),
        [
            (false, Some("it's".to_owned())),
            (true, Some("2>1".to_owned()))
        ]
    );
    assert_eq!(pieces("<b class='x'><b class='x'>")[1], (true, None));
}

#[test]
fn other_differences_are_parsed_normally() {
    for other in [
        "<b class='y' title='1'>",
        "<b class='x' title=\"1\">",
        "<b class='x' title='1'/>",
        "<b class='x' title='1' >",
        "<b class='x'  title='1'>",
        "<b title='1' class='x'>",
        "<B class='x' title='1'>",
        "<b class='x' title='1' lang='de'>",
    ] {
        let all = pieces(&format!("<b class='x' title='0'>{other}"));
        assert_eq!(all[1], (false, Some("1".to_owned())), "{other}");
    }
}

#[test]
fn tags_with_unquoted_or_repeated_attributes_are_not_learned() {
    for tag in [
        "<b class=x>",
        "<b class='x'title='1'>",
        "<b class='x' title='1' title='1'>",
        "<b class='x' hidden>",
        "<b class = 'x'>",
        "<b class='x' =''>",
    ] {
        let all = pieces(&format!("{tag}{tag}"));
        assert!(!all[1].0, "{tag}");
    }
}

#[test]
fn an_unclosed_quote_is_left_to_the_tokenizer() {
    assert_eq!(
        pieces("<b class='x' title='0'><b class='x' title='1>").len(),
        1
    );
}

#[test]
fn inert_spans_that_contain_only_text_are_skipped() {
    let span =
        |title: &str, inside: &str| format!("<span class='x' title='{title}'>{inside}</span>");
    let titles = |inside: &str| {
        let document = [span("1", ""), span("2", inside), span("3", "")].concat();
        let emitted = pieces_with(&document, true)
            .into_iter()
            .filter_map(|(_, title)| title);
        emitted.collect::<String>()
    };
    for text in ["", "a", "seven b", "eight by", "something longer", "1 > 2"] {
        assert_eq!(titles(text), "1", "{text}");
    }
    for other in ["1 < 2", "<b>b</b>", "<!-- -->", "</b>", "<br>", "<"] {
        assert_eq!(titles(other), "12", "{other}");
    }
    let divs = span("1", "").replace("span", "div").repeat(3);
    assert_eq!(pieces_with(&divs, true).len(), 3);
}

#[test]
fn the_number_of_shapes_is_bounded() {
    let mut document = String::new();
    for number in 0..100 {
        document.push_str(&format!("<b class='{number}'>"));
    }
    let all = pieces(&document.repeat(2));
    let known = all.iter().filter(|(is_known, _)| *is_known).count();
    assert_eq!(known, MAX_SHAPES);
}

#[test]
fn inert_spans_are_skipped_if_text_is_ignored() {
    // The pieces after the first two tags, and the open spans before each.
    let rest = |document: &str| {
        let document =
            format!("<span class='l'><span class='w' title='1'></span></span>{document}");
        let mut pieces = Pieces::new(&document, false, TextUse::Ignored);
        let mut all = Vec::new();
        while let Some(piece) = pieces.next() {
            let opened = pieces.take_opened();
            match piece {
                Piece::Token(Token::Start(tag)) => {
                    pieces.learn(&tag, true, || ());
                    all.push(format!("{opened} <{}>", tag.written()));
                }
                Piece::EndOfSpan => all.push(format!("{opened} </span>")),
                Piece::Token(Token::End(tag)) => all.push(format!("{opened} </{}>", tag.written())),
                Piece::Token(Token::Comment(_)) => all.push(format!("{opened} <!>")),
                _ => all.push(format!("{opened} text")),
            }
        }
        all.split_off(4)
    };
    let (line, word) = ("<span class='l'>", "<span class='w' title='bbox 1 > 2'>");
    for (document, expected) in [
        (
            format!("a {line} {word}b</span> {word}</span>c</span>"),
            &[][..],
        ),
        (format!("{word}</span></span>"), &["0 </span>"]),
        (format!("{line}{word}</span><p>"), &["1 <p>"]),
        (format!("{line}{word}</p>{word}</span>"), &["2 </p>"]),
        (format!("{line}<!--{word}-->{word}</span>"), &["1 <!>"]),
        (
            format!("{line}{word}a < b<i></i>"),
            &["2 text", "0 <i>", "0 </i>"],
        ),
        ("<span class='w' title='<p>'></span>".to_owned(), &[]),
        (
            "<SPAN class='l'></span>".to_owned(),
            &["0 <SPAN>", "0 </span>"],
        ),
        (
            "<span class='w' title=\"1\"></span >".to_owned(),
            &["0 <span>", "0 </span>"],
        ),
        (
            "<span class='w' title='1' lang='x'>".to_owned(),
            &["0 <span>"],
        ),
        ("<span class='w' title='1'/>".to_owned(), &["0 <span>"]),
        ("<span class='w' title='1".to_owned(), &[]),
    ] {
        assert_eq!(rest(&document), expected, "{document}");
    }
}
