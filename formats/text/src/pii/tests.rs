use super::*;

#[track_caller]
fn check(text: &str, expected: &[(Kind, &str)]) {
    let found: Vec<_> = find(text, &Kind::ALL)
        .map(|(kind, place)| (kind, &text[place]))
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
    check("order 1234567812345670", &[]);
}

#[test]
fn individual_numbers_need_a_valid_check_digit() {
    check("1234 5678 9018", &[(Kind::MyNumber, "1234 5678 9018")]);
    check("123456789018", &[(Kind::MyNumber, "123456789018")]);
    check("123456789012", &[]);
    check("000000000000", &[]);
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
    for pattern in ["1", "@", "a@", "1.", "+", "(", "1-", "a@a.", "0 "] {
        let text = pattern.repeat(100_000);
        assert!(find(&text, &Kind::ALL).count() <= text.len());
    }
}
