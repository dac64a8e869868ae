//! Tests with files that hayro cannot open without help.

use std::ops::ControlFlow;

use crate::engine::read;
use crate::model::{DocumentPart, FailureKind, Limits, Options, Request};
use crate::testing::{Cipher, Encryption, Page, Pdf, Stream, lines};

/// The text of the pages, and whether the file is encrypted.
fn texts(file: Vec<u8>, limits: Limits) -> Result<(Vec<String>, bool), FailureKind> {
    let request = Request {
        text: true,
        limits,
        ..Request::default()
    };
    let (mut texts, mut is_encrypted) = (Vec::new(), false);
    let result = read(file, &request, &mut |part| {
        match part {
            DocumentPart::Opened(info) => is_encrypted = info.encrypted,
            DocumentPart::Attachment(_) => {}
            DocumentPart::Page(page) => texts.push(page.text.trim().to_owned()),
        }
        ControlFlow::Continue(())
    });
    result.map_err(|failure| failure.kind)?;
    Ok((texts, is_encrypted))
}

fn sound(file: Vec<u8>) -> Vec<String> {
    texts(file, Limits::default()).unwrap().0
}

#[test]
fn brotli_in_contents_and_their_chains() {
    let content = lines(&["text"]);
    let filters: [fn(Stream) -> Stream; 4] = [
        Stream::brotli,
        |stream| stream.flate().brotli(),
        |stream| stream.brotli().ascii_85(),
        |stream| stream.flate_predicted(1).brotli().ascii_hex(),
    ];
    for (number, filter) in filters.into_iter().enumerate() {
        let mut pdf = Pdf::new();
        pdf.page(Page::of(filter(Stream::new(content.clone()))));
        assert_eq!(sound(pdf.build()), ["text"], "{number}");
    }
}

#[test]
fn brotli_in_object_streams() {
    let mut pdf = Pdf::new();
    for number in 0..60 {
        let content = Stream::new(lines(&[&format!("page {number}")]));
        pdf.page(Page::of(content.brotli()));
    }
    pdf.info("Title", "A title");
    pdf.brotli_object_streams();
    let texts = sound(pdf.build());
    assert_eq!(texts.len(), 60);
    assert_eq!(texts.last().map(String::as_str), Some("page 59"));
}

#[test]
fn brotli_bombs_end() {
    let mut pdf = Pdf::new();
    pdf.page(Page::of(Stream::new(vec![b' '; 1 << 20]).brotli()));
    let limits = Limits {
        decoded_bytes: 1 << 16,
        ..Limits::default()
    };
    assert_eq!(texts(pdf.build(), limits), Err(FailureKind::Limit));
}

fn with_encryption(entries: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(Page::new(lines(&["plain text"])));
    let encryption = pdf.add(format!(
        "<< /Filter /Standard /R 4 /Length 128 /P -4 /O <{0}> /U <{0}> \
         /CF << /StdCF << /CFM /AESV2 /AuthEvent /EFOpen >> >> {entries} >>",
        "00".repeat(32)
    ));
    pdf.trailer(&format!("/Encrypt {encryption} /ID [<00> <00>]"));
    pdf.build()
}

#[test]
fn files_with_only_attachments_encrypted_need_no_password() {
    for entries in [
        "/V 4 /StmF /Identity /StrF /Identity /EFF /StdCF",
        "/V 5 /StmF /Identity /StrF /Identity",
        "/V 4 /EFF /StdCF",
    ] {
        let (found, is_encrypted) = texts(with_encryption(entries), Limits::default()).unwrap();
        assert_eq!((found, is_encrypted), (vec!["plain text".to_owned()], true));
        let mut damaged = with_encryption(entries);
        let table = memchr::memmem::rfind(&damaged, b"startxref").unwrap();
        damaged[table + 10] = b'9';
        assert_eq!(sound(damaged), ["plain text"], "{entries}");
    }
    for entries in [
        "/V 4 /StmF /StdCF /StrF /StdCF",
        "/V 4 /StmF /Identity /StrF /StdCF",
    ] {
        let error = texts(with_encryption(entries), Limits::default()).unwrap_err();
        assert_eq!(error, FailureKind::Password, "{entries}");
    }
}

#[test]
fn passwords_of_owners_and_with_letters() {
    let read_with = |cipher, user, password: &str| {
        let mut pdf = Pdf::new();
        pdf.page(Page::of(Stream::new(lines(&["text"]))));
        pdf.encrypt(Encryption {
            cipher,
            user,
            owner: "öwner",
        });
        let options = Options {
            passwords: vec!["wrong".to_owned(), password.to_owned()],
            ..Options::default()
        };
        let request = Request {
            text: true,
            options,
            ..Request::default()
        };
        let mut text = String::new();
        let result = read(pdf.build(), &request, &mut |part| {
            if let DocumentPart::Page(page) = part {
                text.push_str(page.text.trim());
            }
            ControlFlow::Continue(())
        });
        result.map(|_| text).map_err(|failure| failure.kind)
    };
    for cipher in [
        Cipher::Rc4With40Bits,
        Cipher::Rc4With128Bits,
        Cipher::Aes128,
    ] {
        for password in ["user", "öwner"] {
            let text = read_with(cipher, "user", password);
            assert_eq!(text.as_deref(), Ok("text"), "{cipher:?}");
            let unsupported = read_with(cipher, "üser", &password.replace('u', "ü"));
            assert_eq!(unsupported, Err(FailureKind::UnsupportedCrypto));
        }
        let refused = read_with(cipher, "user", "owner");
        assert_eq!(refused, Err(FailureKind::Password));
    }
}
