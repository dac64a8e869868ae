//! Tests that another parser reads the built files as intended.

use hayro_syntax::Pdf as Parsed;

use super::super::testing::{Cipher, Encryption, Page, Pdf, Stream, lines, one_page};

fn contents(file: Vec<u8>, password: &str) -> Vec<String> {
    let parsed = Parsed::new_with_password(file, password).unwrap();
    let pages = parsed.pages();
    let content = |page: &hayro_syntax::page::Page<'_>| {
        String::from_utf8_lossy(page.page_stream().unwrap_or_default())
            .trim()
            .to_owned()
    };
    pages.iter().map(content).collect()
}

#[test]
fn filters_and_their_chains_are_decoded() {
    let numbers: String = (0..9_000).map(|number| format!("{number} ")).collect();
    let content = lines(&["Text that is repeated, repeated, repeated.", "\0\0\0\0"])
        + &" ".repeat(9_000)
        + &numbers
        + "n";
    let filters: [fn(Stream) -> Stream; 9] = [
        |stream| stream,
        Stream::flate,
        |stream| stream.flate_predicted(1),
        Stream::lzw,
        Stream::ascii_hex,
        Stream::ascii_85,
        Stream::run_length,
        |stream| stream.flate().ascii_hex().lzw(),
        |stream| stream.run_length().flate_predicted(1).ascii_85(),
    ];
    // Every length for what pads, and every width of a code for LZW.
    let lengths = (1..140).chain((1..8).map(|part| part * 6_007));
    for length in lengths.chain([content.len()]) {
        let content = &content[..length];
        for (number, filter) in filters.into_iter().enumerate() {
            let mut pdf = Pdf::new();
            pdf.page(Page::of(filter(Stream::new(content))));
            assert!(
                contents(pdf.build(), "") == [content.trim()],
                "filter {number}, {length} bytes"
            );
        }
    }
}

#[test]
fn object_streams_and_encryption_are_decoded() {
    let ciphers = [
        Cipher::Rc4With40Bits,
        Cipher::Rc4With128Bits,
        Cipher::Aes128,
        Cipher::Aes256,
    ];
    for cipher in ciphers.map(Some).into_iter().chain([None]) {
        for object_streams in [false, true] {
            let mut pdf = Pdf::new();
            for number in 0..150 {
                pdf.page(Page::new(format!("% {number}")));
            }
            pdf.info("Title", "A (title) \\ of\r its own");
            pdf.info("Author", "日本");
            if object_streams {
                pdf.object_streams();
            }
            if let Some(cipher) = cipher {
                pdf.encrypt(Encryption {
                    cipher,
                    user: "secret",
                    owner: "owner",
                });
            }
            let file = pdf.build();
            let found = contents(file.clone(), "secret");
            let expected: Vec<String> = (0..150).map(|number| format!("% {number}")).collect();
            assert_eq!(found, expected, "{cipher:?} {object_streams}");
            let parsed = Parsed::new_with_password(file.clone(), "secret").unwrap();
            assert_eq!(
                parsed.metadata().title.as_deref(),
                Some(&b"A (title) \\ of\r its own"[..])
            );
            assert_eq!(Parsed::new(file).is_ok(), cipher.is_none());
        }
    }
}

#[test]
fn an_owner_password_opens_what_revision_6_encrypts() {
    let mut pdf = Pdf::new();
    pdf.page(Page::new("% x"));
    pdf.encrypt(Encryption {
        cipher: Cipher::Aes256,
        user: "secret",
        owner: "owner",
    });
    assert_eq!(contents(pdf.build(), "owner"), ["% x"]);
}

#[test]
fn one_page_has_a_font() {
    assert_eq!(
        contents(one_page("BT /F1 12 Tf ET"), ""),
        ["BT /F1 12 Tf ET"]
    );
}
