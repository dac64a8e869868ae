//! Tests how queries are parsed. Their results are tested with whole indexes.

use std::ops::Bound;

use super::ast::{Ending, Leaf, Node, Occur, Operand};
use super::parser::{Operator, parse};
use crate::error::SearchError;

/// A short form of the tree: `+` must, `?` should, `-` must not.
fn show(node: &Node) -> String {
    match node {
        Node::All => "*".to_owned(),
        Node::Boost(node, boost) => format!("{}^{boost}", show(node)),
        Node::Leaf(leaf) => show_leaf(leaf),
        Node::Near(near) => {
            let rest = near.rest.iter();
            let rest = rest.map(|(proximity, node)| format!(" {proximity} {}", show(node)));
            format!("[{}{}]", show(&near.first), rest.collect::<String>())
        }
        Node::Clauses(clauses) => {
            let clauses: Vec<_> = clauses
                .iter()
                .map(|(occur, node)| {
                    let sign = match occur {
                        Occur::Must => '+',
                        Occur::Should => '?',
                        Occur::Not => '-',
                    };
                    format!("{sign}{}", show(node))
                })
                .collect();
            format!("({})", clauses.join(" "))
        }
    }
}

fn show_leaf(leaf: &Leaf) -> String {
    let field = leaf
        .field
        .as_ref()
        .map_or(String::new(), |field| format!("{field}:"));
    let bound = |bound: &Bound<String>| match bound {
        Bound::Included(value) => format!("={value}"),
        Bound::Excluded(value) => value.clone(),
        Bound::Unbounded => "*".to_owned(),
    };
    let operand = match &leaf.operand {
        Operand::Word { text, ending } => match ending {
            Ending::None => text.clone(),
            Ending::Prefix => format!("{text}*"),
            Ending::Pattern => super::wildcard::as_written(text),
            Ending::Fuzzy(distance) => format!("{text}~{distance}"),
        },
        Operand::Phrase {
            text, slop, prefix, ..
        } => {
            format!(
                "'{text}'{}{}",
                if *slop > 0 {
                    format!("~{slop}")
                } else {
                    String::new()
                },
                if *prefix { "*" } else { "" }
            )
        }
        Operand::Range { lower, upper } => format!("<{}..{}>", bound(lower), bound(upper)),
        Operand::Anything => "any".to_owned(),
    };
    format!("{field}{operand}")
}

fn read(query: &str) -> String {
    parse(query, Operator::And)
        .unwrap()
        .map_or("nothing".to_owned(), |node| show(&node))
}

fn read_or(query: &str) -> String {
    parse(query, Operator::Or)
        .unwrap()
        .map_or("nothing".to_owned(), |node| show(&node))
}

fn rejected(query: &str) -> (usize, String) {
    match parse(query, Operator::And) {
        Err(SearchError::Query { position, message }) => (position, message),
        other => panic!("{query} gave {other:?}"),
    }
}

#[test]
fn adjacent_words_are_all_required() {
    assert_eq!(read("a"), "a");
    assert_eq!(read("a b"), "(+a +b)");
    assert_eq!(read("  a　b "), "(+a +b)");
    assert_eq!(read(""), "nothing");
}

#[test]
fn or_binds_weakest_and_not_binds_strongest() {
    assert_eq!(read("a b OR c d"), "(?(+a +b) ?(+c +d))");
    assert_eq!(read("a AND b OR c"), "(?(+a +b) ?c)");
    assert_eq!(read("a || b && c"), "(?a ?(+b +c))");
    assert_eq!(read("a NOT b"), "(+a -b)");
    assert_eq!(read("a -b +c"), "(+a -b +c)");
    assert_eq!(read("a AND NOT b"), "(+a -b)");
    assert_eq!(read("NOT NOT a"), "a");
    assert_eq!(read("a OR -b"), "(?a ?(-b))");
    assert_eq!(read("(a OR b) c"), "(+(?a ?b) +c)");
    assert_eq!(read("-(a b) c"), "(-(+a +b) +c)");
    assert_eq!(read("or and not"), "(+or +and +not)");
}

#[test]
fn with_the_operator_or_signs_decide() {
    assert_eq!(read_or("a b"), "(?a ?b)");
    assert_eq!(read_or("+a b -c"), "(+a ?b -c)");
    assert_eq!(read_or("a b AND c"), "(?a ?(+b +c))");
    assert_eq!(read_or("+a b OR c"), "(?(+a ?b) ?c)");
}

#[test]
fn fields_apply_to_a_word_or_a_parenthesis() {
    assert_eq!(read("title:a b"), "(+title:a +b)");
    assert_eq!(read("title:(a b:c) d"), "(+(+title:a +b:c) +d)");
    assert_eq!(read("title:\"a b\""), "title:'a b'");
    assert_eq!(read("title: a"), "title:a");
    assert_eq!(read("url:https://x.y/z?a=1"), "url:https://x.y/z?a=1");
    assert_eq!(read("url:https://x.y/*"), "url:https://x.y/*");
    // Not fields.
    assert_eq!(
        read("12:30 https://x.y a\\:b"),
        "(+12:30 +https://x.y +a:b)"
    );
}

#[test]
fn signs_after_words_are_parsed() {
    assert_eq!(
        read("app* wrd~ wrd~2 \"a b\"~3 \"a b\"*"),
        "(+app* +wrd~1 +wrd~2 +'a b'~3 +'a b'*)"
    );
    assert_eq!(
        read("a^2 \"b c\"^0.5 (d e)^3"),
        "(+a^2 +'b c'^0.5 +(+d +e)^3)"
    );
    assert_eq!(read("a~b x^y ~ ^"), "(+a~b +x^y +~ +^)");
    assert_eq!(read("*"), "*");
    assert_eq!(read("title:*"), "title:any");
    assert_eq!(read("app*^2"), "app*^2");
}

#[test]
fn ranges_are_parsed() {
    assert_eq!(read("n:[1 TO 5]"), "n:<=1..=5>");
    assert_eq!(read("n:{1 TO 5]"), "n:<1..=5>");
    assert_eq!(read("n:[* TO 5}"), "n:<*..5>");
    assert_eq!(read("d:[\"a b\" TO c]"), "d:<=a b..=c>");
    assert_eq!(
        read("n:>5 n:>=5 n:<5 n:<=-5"),
        "(+n:<5..*> +n:<=5..*> +n:<*..5> +n:<*..=-5>)"
    );
}

#[test]
fn escapes_and_quotation_marks_are_parsed() {
    assert_eq!(read("a\\*b \\(c\\)"), "(+a*b +(c))");
    assert_eq!(read("\"say \\\"hi\\\"\""), "'say \"hi\"'");
    assert_eq!(read("“a b”"), "'a b'");
    assert_eq!(read("\\AND"), "AND");
    assert_eq!(read("a - b"), "(+a +- +b)");
}

#[test]
fn errors_name_the_position_and_the_cause() {
    let cases = [
        ("a \"b c", 3, "closing quotation mark"),
        ("日本 \"b", 4, "closing quotation mark"),
        ("(a b", 1, "not closed"),
        ("a b)", 4, "no opening ("),
        ("a ()", 3, "nothing between"),
        ("AND a", 1, "before AND"),
        ("a OR", 3, "after OR"),
        ("a AND OR b", 3, "after AND"),
        ("(a OR) b", 4, "after OR"),
        ("NOT", 1, "after NOT"),
        ("title:", 1, "after 'title:'"),
        ("title:)", 1, "after 'title:'"),
        ("**", 1, "expected letters"),
        ("a?b~1", 1, "cannot be combined"),
        ("abc~3", 4, "from 0 to 2"),
        ("\"a b\"~x", 6, "number of words"),
        ("\"a\"b", 4, "expected a space"),
        ("n:[1 5]", 3, "[from TO to]"),
        ("n:[1 TO 5", 3, "[from TO to]"),
        ("n:>", 3, "expected a value"),
        ("a\\", 2, "write \\\\"),
        ("a^9999999999", 2, "a number"),
    ];
    for (query, position, part) in cases {
        let (at, message) = rejected(query);
        assert!(message.contains(part), "{query}: {message}");
        assert_eq!(at, position, "{query}: {message}");
    }
}

#[test]
fn words_near_each_other_are_a_chain() {
    assert_eq!(read("a w/5 b"), "[a w/5 b]");
    assert_eq!(read("a NEAR/5 b near/3 c"), "[a w/5 b w/3 c]");
    assert_eq!(read("a PRE/2 \"b c\""), "[a PRE/2 'b c']");
    assert_eq!(read("a NOT w/5 b"), "[a NOT w/5 b]");
    assert_eq!(read("a AND b w/5 c"), "(+a +[b w/5 c])");
    assert_eq!(read("NOT a w/5 b AND c"), "(-[a w/5 b] +c)");
    assert_eq!(read("a w/5 b NOT c"), "(+[a w/5 b] -c)");
    assert_eq!(read("(a OR b) w/5 c*"), "[(?a ?b) w/5 c*]");
    assert_eq!(read("(a w/5 b) w/9 c"), "[(+[a w/5 b]) w/9 c]");
    assert_eq!(read("title:(a w/5 b)"), "(+[title:a w/5 title:b])");
    assert_eq!(read("a w/5 b^2"), "[a w/5 b^2]");
    // Words of the text.
    assert_eq!(read("a w/o b"), "(+a +w/o +b)");
    assert_eq!(read("a \"w/5\" w\\/5"), "(+a +'w/5' +w/5)");
    assert_eq!(read("url:w/5 n/a"), "(+url:w/5 +n/a)");
    // Without parentheses, other systems read these in another way.
    for (query, position, part) in [
        ("a OR b w/5 c", 8, "(a OR b) w/5 c"),
        ("a w/5 b OR c", 9, "(a OR b) w/5 c"),
        ("a b w/5 c", 5, "\"a b\" w/5 c"),
        ("a w/5 b c", 9, "a AND b w/5 c"),
        ("a w/5 (b) (c)", 11, "a AND b w/5 c"),
        ("w/5 a", 1, "expected a word before w/5"),
        ("a w/5", 3, "expected a word after w/5"),
        ("a w/5 w/5 b", 3, "expected a word after w/5"),
        ("a w/5 AND b", 3, "expected a word after w/5"),
        ("a w/5 -b", 8, "not allowed after w/5"),
        ("a w/0 b", 3, "from 1 to 1000"),
        ("a w/99999999999 b", 3, "from 1 to 1000"),
        ("a near/x b", 3, "near/10"),
        ("a NOT pre/5 b", 7, "no order"),
    ] {
        let (at, message) = rejected(query);
        assert!(message.contains(part), "{query}: {message}");
        assert_eq!(at, position, "{query}: {message}");
    }
}

#[test]
fn wildcards_are_signs_of_words() {
    assert_eq!(
        read("bankr?ptcy *ology a*b*"),
        "(+bankr?ptcy +*ology +a*b*)"
    );
    assert_eq!(read("c\\*t c\\?t"), "(+c*t +c?t)");
    assert_eq!(read("what ? a ??"), "(+what +? +a +??)");
    assert_eq!(read("a?b^2"), "a?b^2");
    // In addresses, ? is a sign of the text.
    let address = match parse("http://a/?b=1*", Operator::And) {
        Ok(Some(Node::Leaf(Leaf {
            operand: Operand::Word { text, .. },
            ..
        }))) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(address, "http://a/?b=1");
}

#[test]
fn operators_of_other_systems_are_errors_that_say_what_to_write() {
    for (query, position, part) in [
        ("a NEAR b", 3, "NEAR/10"),
        ("a NEAR5 b", 3, "NEAR/10"),
        ("a near3 b", 3, "w/5"),
        ("a adj2 b", 3, "PRE/5"),
        ("title(great)", 1, "title:(flood)"),
        ("a AND TI(great flood)", 7, "colon"),
        ("caps(a)", 1, "leave caps"),
        ("a /s b", 3, "w/15"),
        ("a /P b", 3, "w/50"),
        ("a w/p b", 3, "w/50"),
        ("a w/sent b", 3, "w/15"),
        ("a /5 b", 3, "w/5"),
        ("a ADJ3 b", 3, "PRE/5"),
        ("a onear/3 b", 3, "PRE/5"),
        ("a XOR b", 3, "no operator XOR"),
        ("a ANDNOT b", 3, "a NOT b"),
        ("a SAME b", 3, "w/15"),
        ("a BUT NOT b", 3, "without BUT"),
        ("a +5 b", 3, "PRE/5"),
        ("日本 +3 (b)", 4, "PRE/3"),
        ("a +s b", 3, "w/15"),
        ("flood or river", 7, "OR in upper case"),
        ("a or \"b c\" or (d e)", 3, "OR in upper case"),
        ("(a or b) c", 4, "OR in upper case"),
        ("title:(a or b)", 10, "OR in upper case"),
        ("x OR a or b", 8, "OR in upper case"),
        ("a | b", 3, "OR"),
        ("a|b", 2, "OR"),
        ("a ! b", 3, "NOT"),
        ("a !b", 3, "NOT"),
        ("bankrupt!", 9, "*"),
        ("bankrupt$", 9, "*"),
        ("a % b", 3, "NOT"),
        ("bankr%tcy", 6, "word~1"),
        ("wom#n", 4, "?"),
        ("atleast5(a)", 1, "number of occurrences"),
        ("a AROUND(5) b", 3, "w/5"),
        ("near(a, b)", 1, "a w/5 b"),
        ("a WITHIN 5 b", 3, "w/5"),
        ("a within/5 b", 3, "w/5"),
        ("a same/5 b", 3, "w/5"),
        ("a <NEAR/5> b", 3, "w/5"),
        ("bankruptc[yi]", 10, "?"),
        ("TI=flood", 3, "title:word"),
        ("a /re.*x/", 3, "regular expressions"),
        ("great^-2", 6, "multiplied"),
        ("great^nan b", 6, "multiplied"),
        ("great^1e400", 6, "multiplied"),
        ("\\a\\b c!", 7, "*"),
    ] {
        let (at, message) = rejected(query);
        assert!(message.contains(part), "{query}: {message}");
        assert_eq!(at, position, "{query}: {message}");
    }
    // Signs of the text.
    assert_eq!(
        read("5% C# AT&T $5 wow\\! 24/7"),
        "(+5% +C# +AT&T +$5 +wow! +24/7)"
    );
    assert_eq!(read("a & b"), "(+a +b)");
    assert_eq!(read("near adj xor"), "(+near +adj +xor)");
    assert_eq!(read("within (a)"), "(+within +a)");
    assert_eq!(read("title (a) claim(s)"), "(+title +a +claim +s)");
    assert_eq!(read("a=1 x[0] n=m"), "(+a=1 +x[0] +n=m)");
    // Words of the text.
    assert_eq!(read("to be or not to be"), "(+to +be +or +not +to +be)");
    assert_eq!(read("now \"or\" never"), "(+now +'or' +never)");
    assert_eq!(read_or("a or b"), "(?a ?or ?b)");
    assert_eq!(read("same but JLPT N5 BUT"), "(+same +but +JLPT +N5 +BUT)");
    assert_eq!(read("+5 a +2026 b +7"), "(+5 +a +2026 +b +7)");
}

#[test]
fn hostile_queries_are_rejected() {
    assert!(rejected(&"(".repeat(30_000)).1.contains("50 nested"));
    assert!(
        rejected(&"a".repeat(100_000))
            .1
            .contains("32768 characters")
    );
    assert!(rejected(&"a ".repeat(2_000)).1.contains("1024 words"));
    // These are long, but simple.
    assert_eq!(read(&format!("{}a", "NOT ".repeat(8_000))), "a");
    assert_eq!(read(&format!("{}a{}", "(".repeat(50), ")".repeat(50))), "a");
    let chain = format!("a{}", " w/5 a".repeat(1_000));
    assert!(read(&chain).starts_with("[a w/5 a"));
    let nested = format!("{}a{}", "(".repeat(50), " w/5 a)".repeat(50));
    assert!(read(&nested).contains("w/5"));
    let minus = "- ".repeat(500);
    assert!(read(&minus).starts_with("(+- +-"));
}

#[test]
fn no_text_makes_the_parser_panic() {
    let pieces = [
        "(", ")", "\"", "a", "日", " ", "AND", "OR", "NOT", "+", "-", "x:", "[", "TO", "]", "{",
        "}", "*", "~", "2", "^", "\\", ">", "“", "”", "w/5 ", "?", "!",
    ];
    let mut accepted = 0;
    for a in pieces {
        for b in pieces {
            for c in pieces {
                for d in pieces {
                    let query = format!("{a}{b}{c}{d}");
                    match parse(&query, Operator::And) {
                        Ok(_) => accepted += 1,
                        Err(SearchError::Query { position, .. }) => {
                            assert!(position >= 1 && position <= query.chars().count() + 1);
                        }
                        Err(other) => panic!("{query}: {other}"),
                    }
                }
            }
        }
    }
    assert!(accepted > 1000);
}
