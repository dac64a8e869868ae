use super::{Lexer, Operand, parse_number};

/// The operators of a content stream, each with its operands as they are understood.
fn operators(content: &[u8]) -> Vec<String> {
    let mut lexer = Lexer::new(content);
    let mut found = Vec::new();
    while let Some(operator) = lexer.next_operator() {
        let mut line = String::new();
        for operand in lexer.operands() {
            line += &match operand {
                Operand::Number(_) => format!("{} ", lexer.number(operand).unwrap()),
                Operand::Name(_) => format!(
                    "/{} ",
                    String::from_utf8_lossy(lexer.name(operand).unwrap())
                ),
                Operand::Text(_) => format!(
                    "({}) ",
                    String::from_utf8_lossy(lexer.text(operand).unwrap())
                ),
                Operand::Dict(_) => format!(
                    "{} ",
                    String::from_utf8_lossy(lexer.dict_bytes(operand).unwrap())
                ),
                Operand::ArrayStart => "[ ".to_owned(),
                Operand::ArrayEnd => "] ".to_owned(),
            };
        }
        found.push(line + &String::from_utf8_lossy(operator));
    }
    found
}

#[test]
fn operands_come_before_their_operator() {
    let content = b"/F1 12 Tf % comment\n1 0 0 -1 .5 -.5 cm [(a) -20.5 <62>]TJ/Span<</MCID 1/A[<<>>(>>)]>>BDC T*";
    let expected = [
        "/F1 12 Tf",
        "1 0 0 -1 0.5 -0.5 cm",
        "[ (a) -20.5 (b) ] TJ",
        "/Span <</MCID 1/A[<<>>(>>)]>> BDC",
        "T*",
    ];
    assert_eq!(operators(content), expected);
}

#[test]
fn strings_are_decoded() {
    assert_eq!(
        operators(br"(a\(b\)\\ (c) \101\7x\n) Tj"),
        ["(a(b)\\ (c) A\u{7}x\n) Tj"]
    );
    assert_eq!(operators(b"(a\\\r\nb\\\nc) Tj"), ["(abc) Tj"]);
    assert_eq!(operators(b"<41 4\n2 5> Tj"), ["(ABP) Tj"]);
}

#[test]
fn damage_is_skipped() {
    assert_eq!(operators(b") > } ] 1 0.5w 2 w"), ["1 0.5 w", "2 w"]);
    // Operators in arrays are ignored; a string without an end is dropped.
    assert_eq!(operators(b"[(a) Td (b)] TJ (open"), ["[ (a) (b) ] TJ"]);
    assert_eq!(operators(b"[ [ (a) ] (b) ] TJ"), ["[ (a) (b) ] TJ"]);
    assert_eq!(operators(b"true null 1 Tr"), ["1 Tr"]);
}

#[test]
fn unclosed_parts_end_at_operators() {
    for (content, expected) in [
        (
            "[ BT 0 5 Td (a) Tj ET",
            &["BT", "0 5 Td", "(a) Tj", "ET"][..],
        ),
        ("A [ B C", &["A", "B", "C"]),
        ("[3 3 0 d BT (a) Tj ET", &["3 3 0 d", "BT", "(a) Tj", "ET"]),
        (
            "[ BT (a) Tj [(b) 1 (c) TJ [(d)] TJ ET",
            &["BT", "(a) Tj", "[ (b) 1 (c) ] TJ", "[ (d) ] TJ", "ET"],
        ),
        ("[(a) 2 (b) TJ ET", &["[ (a) 2 (b) ] TJ", "ET"]),
        ("(a Tj ET (b) Tj", &["(a) Tj", "ET", "(b) Tj"]),
        ("(a Tj ET", &["(a) Tj", "ET"]),
        ("<61 Tj (b) Tj", &["(a) Tj", "(b) Tj"]),
        ("<61 Tj", &["(a) Tj"]),
        (
            "/P <</A 0 BDC (a) Tj <</B 0>> EMC",
            &["/P /A 0 BDC", "(a) Tj", "/B 0 EMC"],
        ),
        ("<</A (x Tj", &["/A (x) Tj"]),
    ] {
        assert_eq!(operators(content.as_bytes()), expected, "{content}");
        let mut lexer = Lexer::new(content.as_bytes());
        while lexer.next_operator().is_some() {}
        assert!(lexer.has_unclosed, "{content}");
    }
    for content in [
        "[(a) 1 <62>] TJ",
        "[[(a)] T (b)] TJ",
        "(a \\( Tj ET) Tj",
        "/P <</A (b)>> BDC",
    ] {
        let mut lexer = Lexer::new(content.as_bytes());
        while lexer.next_operator().is_some() {}
        assert!(!lexer.has_unclosed, "{content}");
    }
}

#[test]
fn the_latest_operands_count() {
    let content = format!("{}7 Tr", "1 ".repeat(1000));
    let mut lexer = Lexer::new(content.as_bytes());
    lexer.next_operator().unwrap();
    assert!(lexer.operands().len() < 100);
    assert_eq!(lexer.numbers::<2>(), Some([1.0, 7.0]));
    assert_eq!(lexer.numbers::<200>(), None);
}

#[test]
fn numbers_are_parsed_like_other_readers_do() {
    let cases: [(&[u8], f64); 10] = [
        (b"12", 12.0),
        (b"-12.75", -12.75),
        (b"+.5", 0.5),
        (b"5.", 5.0),
        (b"--5", -5.0),
        (b"4-5", 4.0),
        (b"1.2.3", 1.2),
        (b"-", 0.0),
        (b"0.00001", 0.00001),
        (
            b"123456789012345678901234567890",
            123_456_789_012_345_680_000_000_000_000.0,
        ),
    ];
    for (text, value) in cases {
        let found = parse_number(text);
        assert!(
            (found - value).abs() <= value.abs() * 1e-12,
            "{found} is not {value}"
        );
    }
}
