//! Whole messages: structure, charsets, damage and hostile input.

#![allow(clippy::unwrap_used)]

use corpus_bytes::random::Random;
use corpus_bytes::step_counter::assert_linear;
use corpus_office::mail::{Attachment, Kind, Message, attachments, kind, messages, read};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("../../data-samples/office/{name}")).unwrap()
}

fn text(message: &str) -> String {
    read(message.as_bytes()).text
}

fn error<'a>(message: &'a Message<'_>) -> &'a str {
    message.error.as_deref().unwrap_or_default()
}

#[test]
fn samples_are_read() {
    let bytes = sample("message.eml");
    assert_eq!(kind(&bytes), Some(Kind::Eml));
    let message = read(&bytes);
    assert_eq!(
        message.to.as_deref(),
        Some("Ada <ada@example.org>, Bob <bob@example.org>")
    );
    assert_eq!(message.date, Some(1_700_000_000_000_000));
    assert_eq!(message.message_id.as_deref(), Some("1@example.org"));
    assert_eq!(message.language.as_deref(), Some("de"));
    let attachment = &message.attachments[0];
    assert_eq!(
        (attachment.media_type.as_str(), attachment.content.len()),
        ("application/pdf", 9)
    );
    let bytes = sample("list.mbox");
    assert_eq!(kind(&bytes), Some(Kind::Mbox));
    let texts: Vec<String> = messages(&bytes).map(|message| read(message).text).collect();
    assert_eq!(
        texts,
        [
            "The first message.\nFrom here it goes on.",
            "The second message."
        ]
    );
}

#[test]
fn html_is_read_if_there_is_no_plain_text() {
    let parts = |plain: &str| {
        format!(
            "From: a\nContent-Type: multipart/alternative; boundary=b\n\nprologue\n--b\n\n{plain}\n--b\n\
             Content-Type: multipart/related; boundary=c\n\n--c\nContent-Type: text/html\n\n<p>html\n\
             --c\nContent-Type: image/png\nContent-ID: <i>\n\nx\n--c--\n--b--\nepilogue\n"
        )
    };
    assert_eq!(text(&parts("plain")), "plain");
    assert_eq!(text(&parts(" ")), "html");
    assert_eq!(
        read(parts("x").as_bytes()).attachments[0].media_type,
        "image/png"
    );
}

#[test]
fn attached_text_is_an_attachment() {
    let message = "Content-Type: multipart/mixed; boundary=\"b b\"\n\n--b b\n\none\n--b b  \n\
        Content-Disposition: attachment\n\ntwo\n--b b\nContent-Type: text/plain; name=x.txt\n\nthree\n\
        --b b\nContent-Type: text/csv\n\nfour\n--b bb\nstill four\n--b b--\n";
    let message = read(message.as_bytes());
    assert_eq!(message.text, "one");
    let sizes: Vec<usize> = message
        .attachments
        .iter()
        .map(|file| file.content.len())
        .collect();
    assert_eq!(sizes, [3, 5, 22]);
    assert_eq!(message.error, None);
}

#[test]
fn forwarded_messages_are_text() {
    let message = "Subject: outer\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nlook\n--b\n\
        Content-Type: message/rfc822\n\nSubject: =?utf-8?Q?f=C3=BCr?= you\n\
        Content-Type: multipart/mixed; boundary=c\n\n--c\n\ninner\n--c--\n--b\n\nend\n--b--\n";
    let read_message = read(message.as_bytes());
    assert_eq!(read_message.text, "look\n\nfür you\n\ninner\n\nend");
    assert_eq!(read_message.subject.as_deref(), Some("outer"));
    assert_eq!(read_message.attachments[0].media_type, "message/rfc822");
    let inner = message.split("rfc822\n\n").nth(1).unwrap();
    let inner = inner.split("\n--b\n").next().unwrap();
    assert_eq!(read_message.attachments[0].content, inner.as_bytes());
    let digest = "Subject: d\nContent-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: one\n\nfirst\n\
        --b\n\nSubject: two\n\nsecond\n--b--\n";
    assert_eq!(text(digest), "one\n\nfirst\n\ntwo\n\nsecond");
}

#[test]
fn charsets_are_decoded() {
    let japanese =
        b"Subject: \x1b$BBg\x1b(B\nContent-Type: text/plain; charset=iso-2022-jp\n\n\x1b$BBg\x1b(B";
    let message = read(japanese);
    assert_eq!(
        (message.subject.as_deref(), message.text.as_str()),
        (Some("大"), "大")
    );
    let latin =
        b"Subject: caf\xe9\nContent-Type: text/html; charset=iso-8859-1\n\n<p>d\xe9j\xe0 vu</p>";
    let message = read(latin);
    assert_eq!(
        (message.subject.as_deref(), message.text.as_str()),
        (Some("café"), "déjà vu")
    );
    let flowed = "A: b\nContent-Type: text/plain; format=flowed\n\none \ntwo\n";
    assert_eq!(text(flowed), "one two");
}

#[test]
fn broken_structures_keep_their_text() {
    for (message, expected, problem) in [
        (
            "no header\n\nat all",
            "no header\n\nat all",
            "the message has no header",
        ),
        (
            "A: b\ntext without a blank line",
            "text without a blank line",
            "",
        ),
        (
            "A: b\nContent-Type: multipart/mixed\n\n--x\n\ny",
            "--x\n\ny",
            "a multipart has no boundary",
        ),
        (
            "A: b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\ny",
            "y",
            "the end of a multipart is missing",
        ),
        (
            "A: b\nContent-Transfer-Encoding: base64\n\nYWJj!ZA==",
            "abcd",
            "a part is not valid base64",
        ),
        (
            "A: b\nContent-Transfer-Encoding: base64\n\nYWJjZA==\n\n____\nsent by a list\n",
            "abcd\n____\nsent by a list",
            "a part has text after its base64",
        ),
        (
            "Date: tomorrow\n\nx",
            "x",
            "the date 'tomorrow' cannot be read: input contains invalid characters",
        ),
        (
            "A: b\nContent-Transfer-Encoding: 7bits\n\nx",
            "x",
            "a part has the unknown encoding '7bits'",
        ),
        (
            "A: b\nContent-Type: text/plain; charset=utf-7\n\n+AOQ-",
            "+AOQ-",
            "a part has the unknown charset 'utf-7'",
        ),
        ("Date: Mon, 14 Nov 2023 22:13:20 +0000\n\nx", "x", ""),
        ("", "", "the message has no header"),
    ] {
        let message = read(message.as_bytes());
        assert_eq!(
            (message.text.as_str(), error(&message)),
            (expected, problem)
        );
    }
}

#[test]
fn cuts_and_flipped_bits_never_panic() {
    let mut random = Random(7);
    for name in ["message.eml", "list.mbox"] {
        let bytes = sample(name);
        for end in 0..bytes.len() {
            messages(&bytes[..end]).for_each(|message| drop(read(message)));
        }
        for _ in 0..3000 {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                damaged[at] ^= 1 << random.below(8);
            }
            kind(&damaged);
            let total: usize = messages(&damaged).map(<[u8]>::len).sum();
            assert_eq!(total, damaged.len());
            messages(&damaged).for_each(|message| drop(read(message)));
        }
    }
}

#[test]
fn attachments_have_their_bytes_and_what_the_message_says_of_them() {
    let bytes = sample("message.eml");
    let files: Vec<Attachment<'_>> = attachments(&bytes).collect();
    assert_eq!(files, read(&bytes).attachments);
    assert_eq!(files[0].content.as_ref(), b"%PDF-1.4\n");
    let message = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Type: text/csv\n\
        Content-Description: =?utf-8?Q?=C3=84pfel?=\nContent-Disposition: attachment; filename=a.csv;\n \
        creation-date=\"Tue, 14 Nov 2023 23:13:20 +0100\"; modification-date=never\n\na;b\n--b--\n";
    let file = attachments(message.as_bytes()).next().unwrap();
    assert_eq!(file.content.as_ref(), b"a;b");
    assert_eq!(file.name.as_deref(), Some("a.csv"));
    assert_eq!(file.description.as_deref(), Some("Äpfel"));
    assert_eq!(
        (file.created, file.modified, file.error),
        (Some(1_700_000_000_000_000), None, None)
    );
}

#[test]
fn damage_of_attachments_is_theirs_and_that_of_the_message() {
    let message = |encoding: &str, body: &str| {
        format!(
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\n\
             Content-Transfer-Encoding: {encoding}\n\n{body}\n--b--\n"
        )
    };
    for (encoding, body, damage) in [
        ("base64", "YWJj", None),
        ("base64", "YW*Jj", Some("a part is not valid base64")),
        (
            "base64",
            "YWJj\n\n____\nThe list has a page",
            Some("a part has text after its base64"),
        ),
        (
            "x-uuencode",
            "x",
            Some("a part has the unknown encoding 'x-uuencode'"),
        ),
    ] {
        let message = message(encoding, body);
        let file = attachments(message.as_bytes()).next().unwrap();
        assert_eq!(file.error.as_deref(), damage, "{body}");
        assert_eq!(read(message.as_bytes()).error.as_deref(), damage, "{body}");
    }
}

#[test]
fn files_of_forwarded_messages_are_listed_once() {
    let inner = "Subject: Inner\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\ntext\n--c\n\
        Content-Type: image/png\n\ninner\n--c--";
    let message = format!(
        "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n{inner}\n\
         --b\nContent-Type: image/png\n\nouter\n--b--\n"
    );
    let files = attachments(message.as_bytes());
    let contents: Vec<Vec<u8>> = files.map(|file| file.content.into_owned()).collect();
    assert_eq!(contents, [b"inner", b"outer"]);
    // Forwarded messages in each other would need the square of their size.
    let nested = format!(
        "A: b\n{}",
        "Content-Type: message/rfc822\n\n".repeat(20_000)
    );
    let total: usize = attachments(nested.as_bytes())
        .map(|file| file.content.len())
        .sum();
    assert!(total <= nested.len(), "{total}");
}

#[test]
fn nesting_and_parts_are_limited() {
    let nested: String = (0..1000)
        .map(|depth| format!("Content-Type: multipart/mixed; boundary=b{depth}x\n\n--b{depth}x\n"))
        .collect();
    let nested = format!("{nested}\ntext");
    let message = read(nested.as_bytes());
    assert!(error(&message).contains("multiparts are nested more than 50 times"));
    assert_eq!(message.attachments[0].media_type, "multipart/mixed");
    let many = format!(
        "Content-Type: multipart/mixed; boundary=b\n\n{}",
        "--b\n\nx\n".repeat(20_000)
    );
    let message = read(many.as_bytes());
    assert_eq!(error(&message), "more than 10000 parts");
    assert_eq!(message.text.len(), 10_000 * 3 - 2);
    let messages = format!(
        "A: b\n{}",
        "Content-Type: message/rfc822\n\n".repeat(20_000)
    );
    let attached = read(messages.as_bytes()).attachments;
    assert_eq!(attached.len(), 10_000);
    assert_eq!(
        attached[9_999].content.len(),
        10_000 * "Content-Type: message/rfc822\n\n".len()
    );
}

#[test]
fn time_is_linear() {
    type Input = fn(usize) -> String;
    let inputs: [(&str, Input); 5] = [
        ("lines", |parts| "x\n".repeat(parts)),
        ("fields", |parts| "A: b\n c\n".repeat(parts)),
        ("boundaries", |parts| {
            let open: String = (0..40)
                .map(|depth| {
                    format!("Content-Type: multipart/mixed; boundary=b{depth}x\n\n--b{depth}x\n")
                })
                .collect();
            open + "\n" + &"--none\n".repeat(parts)
        }),
        ("words", |parts| {
            format!("Subject: {}", "=?utf-8?Q?".repeat(parts))
        }),
        ("mailbox", |parts| "From a 22:13\n\n".repeat(parts)),
    ];
    for (name, input) in inputs {
        assert_linear(name, input, |bytes| {
            messages(bytes.as_bytes()).for_each(|message| drop(read(message)));
        });
    }
}

#[test]
fn the_line_end_before_a_boundary_is_no_content() {
    for end in ["\n", "\r\n"] {
        let mail = [
            "From: y@e.example",
            "MIME-Version: 1.0",
            "Content-Type: multipart/mixed; boundary=B",
            "",
            "--B",
            "Content-Type: text/csv",
            "Content-Disposition: attachment; filename=a.csv",
            "",
            "a,b",
            "1,2",
            "--B--",
            "",
        ];
        let mail = mail.join(end);
        let file = attachments(mail.as_bytes()).next().unwrap();
        assert_eq!(&*file.content, ["a,b", "1,2"].join(end).as_bytes());
    }
}
