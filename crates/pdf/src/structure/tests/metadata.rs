use super::*;
use crate::testing::{Cipher, Encryption};

const DAY: i64 = 24 * 3600 * 1_000_000;

fn xmp(properties: &str) -> String {
    format!(
        "<?xpacket begin='\u{FEFF}' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>\
         <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>{properties}</rdf:RDF>\
         </x:xmpmeta><?xpacket end='w'?>"
    )
}

const ALL_PROPERTIES: &str = "<rdf:Description rdf:about='' xmp:CreatorTool='Tool &amp; Co'>\
    <dc:title><rdf:Alt><rdf:li xml:lang='de'>Titel</rdf:li>\
    <rdf:li xml:lang='x-default'>A title</rdf:li></rdf:Alt></dc:title>\
    <dc:creator><rdf:Seq><rdf:li>One, A.</rdf:li><rdf:li>Two, B.</rdf:li></rdf:Seq></dc:creator>\
    <dc:description><rdf:Alt><rdf:li xml:lang='x-default'><![CDATA[<About>]]></rdf:li></rdf:Alt></dc:description>\
    <pdf:Keywords>a, b</pdf:Keywords></rdf:Description>\
    <rdf:Description rdf:about=''><pdf:Producer>\n Maker </pdf:Producer>\
    <xap:CreateDate>1970-01-02T00:00:00Z</xap:CreateDate>\
    <xmp:ModifyDate>1970-01-03T01:00:00+01:00</xmp:ModifyDate></rdf:Description>";

#[test]
fn the_information_dictionary() {
    let info = info(with(|pdf| {
        pdf.info("Title", "Größe 大");
        pdf.info_entry("/Author (A\\(b\\)\\r\\n c\\000)");
        pdf.info_entry("/Subject () /Keywords ( \\n) /Creator /NoString");
        pdf.info("Producer", "Maker");
        pdf.info("CreationDate", "D:19700102000000Z");
        pdf.info("ModDate", "yesterday");
    }));
    assert_eq!(info.title.as_deref(), Some("Größe 大"));
    assert_eq!(info.author.as_deref(), Some("A(b) c"));
    assert_eq!(
        (info.subject, info.keywords, info.creator),
        (None, None, None)
    );
    assert_eq!(info.producer.as_deref(), Some("Maker"));
    assert_eq!((info.created, info.modified), (Some(DAY), None));
    assert_eq!((info.page_count, info.encrypted), (1, false));
}

#[test]
fn xmp_replaces_a_missing_dictionary() {
    let info = info(with(|pdf| pdf.xmp(&xmp(ALL_PROPERTIES))));
    assert_eq!(info.title.as_deref(), Some("A title"));
    assert_eq!(info.author.as_deref(), Some("One, A.; Two, B."));
    assert_eq!(info.subject.as_deref(), Some("<About>"));
    assert_eq!(info.keywords.as_deref(), Some("a, b"));
    assert_eq!(info.creator.as_deref(), Some("Tool & Co"));
    assert_eq!(info.producer.as_deref(), Some("Maker"));
    assert_eq!((info.created, info.modified), (Some(DAY), Some(2 * DAY)));
}

#[test]
fn xmp_only_fills_gaps() {
    let info = info(with(|pdf| {
        pdf.info("Title", "Of the dictionary");
        pdf.info("CreationDate", "D:1970");
        pdf.xmp(&xmp(ALL_PROPERTIES));
    }));
    assert_eq!(info.title.as_deref(), Some("Of the dictionary"));
    assert_eq!(info.keywords.as_deref(), Some("a, b"));
    assert_eq!((info.created, info.modified), (Some(0), Some(2 * DAY)));
}

#[test]
fn xmp_of_parts_is_not_that_of_the_document() {
    let parts = "<rdf:Description><xmpMM:Ingredients><rdf:Bag><rdf:li>\
        <rdf:Description dc:title='An ingredient'><pdf:Producer>Its maker</pdf:Producer></rdf:Description>\
        </rdf:li></rdf:Bag></xmpMM:Ingredients><pdf:Keywords>()</pdf:Keywords>\
        <dc:title>Plain</dc:title></rdf:Description>";
    let info = info(with(|pdf| pdf.xmp(&xmp(parts))));
    assert_eq!(info.title.as_deref(), Some("Plain"));
    assert_eq!((info.producer, info.keywords), (None, None));
}

#[test]
fn xmp_in_sixteen_bits() {
    let text = format!("\u{FEFF}{}", xmp("<rdf:Description dc:title='日本'/>"));
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(
        super::super::xmp::Xmp::read(&bytes).title.as_deref(),
        Some("日本")
    );
}

#[test]
fn the_later_version_is_reported() {
    for (header, catalog, expected) in [
        ("1.4", "", "1.4"),
        ("1.4", "/Version /1.7", "1.7"),
        ("2.0", "/Version /1.7", "2.0"),
        ("1.4", "/Version (1.7)", "1.4"),
        ("x.y", "", ""),
    ] {
        let info = info(with(|pdf| {
            pdf.version(header);
            pdf.catalog(catalog);
        }));
        assert_eq!(info.version, expected, "{header} {catalog}");
    }
}

#[test]
fn encryption_that_needs_no_password() {
    for cipher in [Cipher::Rc4With128Bits, Cipher::Aes256] {
        for object_streams in [false, true] {
            let info = info(with(|pdf| {
                pdf.info("Title", "A title");
                pdf.xmp(&xmp("<rdf:Description pdf:Producer='Maker'/>"));
                let (user, owner) = ("", "owner");
                pdf.encrypt(Encryption {
                    cipher,
                    user,
                    owner,
                });
                if object_streams {
                    pdf.object_streams();
                }
            }));
            assert!(info.encrypted);
            assert_eq!(info.title.as_deref(), Some("A title"));
            assert_eq!(info.producer.as_deref(), Some("Maker"));
        }
    }
}

#[test]
fn the_trailer_is_found_anywhere() {
    let file = with(|pdf| pdf.info("Title", "A title"));
    let title = |file: Vec<u8>| info(file).title;
    let expected = Some("A title".to_owned());
    assert_eq!(title([b"garbage\n", &file[..]].concat()), expected);
    let keyword = b"startxref";
    let at = file.windows(keyword.len()).position(|part| part == keyword);
    let wrong = [&file[..at.unwrap()], b"startxref\n7\n%%EOF"].concat();
    assert_eq!(title(wrong), expected);
    let packed = with(|pdf| {
        pdf.info("Title", "A title");
        pdf.object_streams();
    });
    assert_eq!(title(packed.clone()), expected);
    let end = packed.len() - 20;
    assert_eq!(title([&packed[..end], b"\n0\n%%EOF"].concat()), expected);
}
