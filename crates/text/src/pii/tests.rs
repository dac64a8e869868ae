use super::*;

#[track_caller]
fn check(text: &str, expected: &[(Kind, &str)]) {
    let found: Vec<_> = find(text, &Kind::ALL)
        .map(|(kind, range)| (kind, &text[range]))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn email() {
    check(
        "a.b+c@sub.mail.example.",
        &[(Kind::Email, "a.b+c@sub.mail.example")],
    );
    check("<x_1@a-b.co.jp>です", &[(Kind::Email, "x_1@a-b.co.jp")]);
    check("123@mail.example", &[(Kind::Email, "123@mail.example")]);
    check(
        "連絡はabc@mail.exampleまで",
        &[(Kind::Email, "abc@mail.example")],
    );
    for text in [
        "@user",
        "a@b",
        "a@.example",
        "x @ y.example",
        "a@b..c",
        "1@2.3",
        "user.@a.example",
    ] {
        check(text, &[]);
    }
}

#[test]
fn public_addresses() {
    check("from 8.8.4.4, port 53", &[(Kind::Ip, "8.8.4.4")]);
    for text in [
        "10.0.0.1",
        "192.168.1.1",
        "127.0.0.1",
        "1.2.3",
        "1.2.3.4.5",
        "300.1.1.1",
        "v1.2.3.4",
        "255.255.255.0",
    ] {
        check(text, &[]);
    }
}

#[test]
fn addresses_in_urls_networks_and_assignments() {
    let address = "93.184.216.34";
    for text in [
        "ip=93.184.216.34",
        "ｉｐ＝93.184.216.34",
        "GET /?client_ip=93.184.216.34&x=1",
        "http://93.184.216.34/x",
        "http://93.184.216.34:8080/x",
        "93.184.216.34/24",
        "93.184.216.34/24.",
        "93.184.216.34/",
    ] {
        check(text, &[(Kind::Ip, address)]);
    }
    check("addr=2001:db8::1", &[(Kind::Ip, "2001:db8::1")]);
    check("2001:db8::1/64", &[(Kind::Ip, "2001:db8::1")]);
    for text in [
        "package==93.184.216.34",
        "package>=93.184.216.34",
        "version=93.184.216.34",
        "Chrome/120.0.0.0 Safari/93.184.216.34",
        "93.184.216.34/93.184.216.35",
        "a/93.184.216.34/b",
        "http://a//93.184.216.34",
        "93.184.216.34=",
    ] {
        check(text, &[]);
    }
}

#[test]
fn telephones_in_assignments() {
    for text in [
        "tel=090-1234-5678",
        "?user_tel=090-1234-5678&x",
        "電話＝090-1234-5678",
    ] {
        check(text, &[(Kind::Phone, "090-1234-5678")]);
    }
    for text in [
        "item=090-1234-5678",
        "tel==090-1234-5678",
        "hotel=090-1234-5678",
        "https://a/090-1234-5678",
        "tel/090-1234-5678",
        "card=4111111111111111",
    ] {
        check(text, &[]);
    }
}

#[test]
fn telephones() {
    for text in [
        "03-1234-5678",
        "090-1234-5678",
        "0120-123-4567",
        "+81 90 1234 5678",
        "+49 (30) 123456",
        "(212) 555-0123",
        "212-555-0123",
        "212.555.0123",
        "(03) 1234-5678",
    ] {
        check(&format!("Tel. {text}, now"), &[(Kind::Phone, text)]);
    }
    for text in [
        "2024-01-15",
        "1234567890",
        "12-34-56",
        "3.14159",
        "+5",
        "0.1234-5678",
        "2000 2001 2002",
        "978-4-00-310101-8",
    ] {
        check(text, &[]);
    }
}

#[test]
fn cards_need_a_valid_check_digit() {
    check(
        "card 4111 1111 1111 1111.",
        &[(Kind::Card, "4111 1111 1111 1111")],
    );
    check("378282246310005", &[(Kind::Card, "378282246310005")]);
    check("4111 1111 1111 1112", &[]);
    // An article number.
    check("4047539258134", &[]);
    check("order 1234567812345670", &[]);
}

#[test]
fn individual_numbers_need_a_valid_check_digit_and_a_word() {
    for (text, number) in [
        ("マイナンバー: 1234 5678 9018", "1234 5678 9018"),
        ("123456789018（個人番号）", "123456789018"),
        ("My Number is 123456789018.", "123456789018"),
        (
            "個人番号は１２３４５６７８９０１８です",
            "１２３４５６７８９０１８",
        ),
    ] {
        check(text, &[(Kind::MyNumber, number)]);
    }
    for text in [
        "123456789018",
        "order 1234 5678 9018",
        "マイナンバー 123456789012",
        "個人番号 000000000000",
    ] {
        check(text, &[]);
    }
}

#[test]
fn full_width_characters_count_as_ascii() {
    for (text, kind, part) in [
        (
            "電話０３－１２３４－５６７８まで",
            Kind::Phone,
            "０３－１２３４－５６７８",
        ),
        (
            "（０３）１２３４−５６７８",
            Kind::Phone,
            "（０３）１２３４−５６７８",
        ),
        ("03ー1234ー5678", Kind::Phone, "03ー1234ー5678"),
        (
            "宛先ａｎｎ＠ｍａｉｌ．ｅｘａｍｐｌｅへ",
            Kind::Email,
            "ａｎｎ＠ｍａｉｌ．ｅｘａｍｐｌｅ",
        ),
        (
            "４１１１　１１１１　１１１１　１１１１",
            Kind::Card,
            "４１１１　１１１１　１１１１　１１１１",
        ),
        ("から８．８．４．４へ", Kind::Ip, "８．８．４．４"),
    ] {
        check(text, &[(kind, part)]);
    }
    for text in ["２０２４－０１－１５", "（注）", "！？＠", "１２３４５"] {
        check(text, &[]);
    }
}

#[test]
fn international_addresses() {
    for (text, part) in [
        ("an ann@bücher.example.", "ann@bücher.example"),
        ("ann@日本語.jpまで", "ann@日本語.jp"),
        ("пишите иван@пример.рф, да", "иван@пример.рф"),
        ("用户@例子.广告", "用户@例子.广告"),
        ("mail jörg@mail.example", "jörg@mail.example"),
        ("संपर्क@डाटामेल.भारत", "संपर्क@डाटामेल.भारत"),
    ] {
        check(text, &[(Kind::Email, part)]);
    }
    for text in ["彼＠家。そして", "価格@百円.です", "@例子.广告"] {
        check(text, &[]);
    }
}

#[test]
fn addresses_of_version_6() {
    for text in [
        "2a00:1450:4001:0810::200e",
        "2001:db8:85a3::8a2e:370:7334",
        "2606:4700:4700:0:0:0:0:1111",
    ] {
        check(&format!("from [{text}]:443"), &[(Kind::Ip, text)]);
        check(&format!("It is {text}."), &[(Kind::Ip, text)]);
    }
    for text in [
        "fe80::1",
        "::1",
        "fd00::1",
        "12:30:45",
        "2024:01:15",
        "2001:foo",
        "a::b",
    ] {
        check(text, &[]);
    }
}

#[test]
fn numbers_of_versions_are_no_addresses() {
    for text in [
        "version 1.2.3.4",
        "Version: 11.2.3.4",
        "v. 1.2.3.4",
        "Release 8.1.7.4",
        "see section 4.3.2.1",
        "§ 4.3.2.1",
        "バージョン1.2.3.4",
        "Firefox 115.0.2.1",
    ] {
        check(text, &[]);
    }
    check("The server converts 8.8.4.4", &[(Kind::Ip, "8.8.4.4")]);
}

#[test]
fn telephones_without_separators() {
    for text in [
        "09012345678",
        "080 の 09012345678",
        "07012345678",
        "05012345678",
    ] {
        assert_eq!(find(text, &Kind::ALL).count(), 1, "{text}");
    }
    check("TEL:0312345678", &[(Kind::Phone, "0312345678")]);
    check("電話番号 0312345678", &[(Kind::Phone, "0312345678")]);
    for text in [
        "0312345678",
        "09012345678901",
        "09002345678",
        "hotel 0312345678",
        "hôtel 0312345678",
    ] {
        check(text, &[]);
    }
}

#[test]
fn numbers_next_to_other_numbers_are_found() {
    check("8.8.4.4 200 15", &[(Kind::Ip, "8.8.4.4")]);
    check(
        "GET 200 8.8.4.4 1.1.1.1 5",
        &[(Kind::Ip, "8.8.4.4"), (Kind::Ip, "1.1.1.1")],
    );
    check(
        "call 03-1234-5678 10 times",
        &[(Kind::Phone, "03-1234-5678")],
    );
    for end in ["12/25", "12 25", "123", "12 25 123"] {
        let text = format!("Card 4111 1111 1111 1111 {end}");
        check(&text, &[(Kind::Card, "4111 1111 1111 1111")]);
    }
    for text in [
        "4111 1111 1111 1111 1234",
        "1 22 333 4444 5",
        "212 555 0123 4567 8",
    ] {
        check(text, &[]);
    }
    let line = "8.8.4.4 ".repeat(1000);
    assert_eq!(find(&line, &Kind::ALL).count(), 1000);
}

#[test]
fn telephones_after_a_word_have_any_groups() {
    for (word, number) in [
        ("Tél. ", "01 23 45 67 89"),
        ("Téléphone : ", "01.23.45.67.89"),
        ("Telefon: ", "030 1234567"),
        ("Тел. ", "0312345678"),
        ("电话：", "010-12345678"),
    ] {
        check(&format!("{word}{number}, now"), &[(Kind::Phone, number)]);
        check(&format!("Order {number}, now"), &[]);
    }
    for text in ["tel 0.123456789", "call 100 000 000", "tel 01-02"] {
        check(text, &[]);
    }
}

#[test]
fn parentheses_around_a_number_do_not_belong_to_it() {
    for (text, kind, part) in [
        ("(8.8.4.4)", Kind::Ip, "8.8.4.4"),
        ("（８．８．４．４）", Kind::Ip, "８．８．４．４"),
        ("(2a00:1450::200e)", Kind::Ip, "2a00:1450::200e"),
        ("(4111 1111 1111 1111)", Kind::Card, "4111 1111 1111 1111"),
        ("（03-1234-5678）", Kind::Phone, "03-1234-5678"),
        ("（09012345678）", Kind::Phone, "09012345678"),
        ("((212) 555-0123)", Kind::Phone, "(212) 555-0123"),
        ("(+81 3-1234-5678)", Kind::Phone, "+81 3-1234-5678"),
    ] {
        check(text, &[(kind, part)]);
    }
}

#[test]
fn masks() {
    let text = "a@mail.example 8.8.8.8 と 03-1234-5678";
    assert_eq!(mask(text, &Kind::ALL), "<EMAIL> <IP> と <PHONE>");
    assert_eq!(
        mask(text, &[Kind::Ip]),
        "a@mail.example <IP> と 03-1234-5678"
    );
    assert!(matches!(
        mask("nothing 12 here", &Kind::ALL),
        Cow::Borrowed(_)
    ));
    assert_eq!(mask("", &Kind::ALL), "");
}

#[test]
fn hostile_texts() {
    for pattern in [
        "1",
        "@",
        "a@",
        "1.",
        "+",
        "(",
        "1-",
        "a@a.",
        "0 ",
        "１",
        "＠",
        "（",
        "あ@あ.",
        "2001:",
        "tel 0312345678 ",
    ] {
        let text = pattern.repeat(100_000);
        assert!(find(&text, &Kind::ALL).count() <= text.len());
    }
}
