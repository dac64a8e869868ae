//! Outlines, names, fields, annotations, layers, metadata and encryption.

use super::super::{Cipher, Encryption, PAGES, Ref};
use super::*;

const NO_PASSWORD: Expected = Expected::Failure(&[FailureKind::Password]);
const UNSUPPORTED: Expected = Expected::Failure(&[
    FailureKind::UnsupportedCrypto,
    FailureKind::Password,
    FailureKind::Invalid,
]);

pub(super) const CASES: &[Case] = &[
    case("outline_in_a_circle", (0, 0), SHOWN, |_| {
        beside(|pdf| {
            let (root, item) = (pdf.reserve(), pdf.reserve());
            pdf.set(root, format!("<< /First {item} /Last {item} /Count 1 >>"));
            pdf.set(item, format!("<< /Title (a) /Next {item} /First {root} /Parent {item} /Dest {item} /A {item} >>"));
            pdf.catalog(&format!("/Outlines {root}"));
        })
    }),
    case("outline_that_doubles", (30, 60), SHOWN, |depth| {
        beside(|pdf| {
            let first = pdf.reserve();
            for number in 0..depth {
                let next = Ref(first.0 + number + 1);
                pdf.set(
                    Ref(first.0 + number),
                    format!("<< /Title (a) /First {next} /Next {next} >>"),
                );
                pdf.reserve();
            }
            pdf.catalog(&format!("/Outlines << /First {first} >>"));
        })
    }),
    case("deep_outline", (10_000, 500_000), SHOWN, |depth| {
        beside(|pdf| {
            let first = pdf.reserve();
            for number in 0..depth {
                let next = Ref(first.0 + number + 1);
                pdf.set(
                    Ref(first.0 + number),
                    format!("<< /Title (a) /First {next} >>"),
                );
                pdf.reserve();
            }
            pdf.catalog(&format!("/Outlines << /First {first} >>"));
        })
    }),
    case("long_outline", (10_000, 1_000_000), SHOWN, |count| {
        beside(|pdf| {
            let first = pdf.reserve();
            for number in 0..count {
                let next = Ref(first.0 + number + 1);
                pdf.set(
                    Ref(first.0 + number),
                    format!("<< /Title (a) /Next {next} /Dest (name) >>"),
                );
                pdf.reserve();
            }
            pdf.catalog(&format!("/Outlines << /First {first} >>"));
        })
    }),
    case("long_titles", (100, 10_000), SHOWN, |count| {
        beside(|pdf| {
            let title = pdf.add(format!("({})", "a".repeat(MIB / 4)));
            let first = pdf.reserve();
            for number in 0..count {
                let next = Ref(first.0 + number + 1);
                pdf.set(
                    Ref(first.0 + number),
                    format!("<< /Title {title} /Next {next} >>"),
                );
                pdf.reserve();
            }
            pdf.catalog(&format!("/Outlines << /First {first} >>"));
        })
    }),
    case("names_in_a_circle", (0, 0), SHOWN, |_| {
        linked(|pdf| {
            let place = pdf.reserve();
            pdf.set(
                place,
                format!("<< /Kids [{place} {place}] /Limits [(a) (z)] >>"),
            );
            format!("/Names << /Dests {place} >>")
        })
    }),
    case("names_that_double", (30, 60), SHOWN, |depth| {
        linked(|pdf| {
            let leaf = pdf.add("<< /Limits [(a) (z)] /Names [(x) null] >>");
            let root = (0..depth).fold(leaf, |below, _| {
                pdf.add(format!("<< /Limits [(a) (z)] /Kids [{below} {below}] >>"))
            });
            format!("/Names << /Dests {root} >>")
        })
    }),
    case("deep_names", (10_000, 500_000), SHOWN, |depth| {
        linked(|pdf| {
            let leaf = pdf.add("<< /Names [(x) null] >>");
            let root = (0..depth).fold(leaf, |below, _| pdf.add(format!("<< /Kids [{below}] >>")));
            format!("/Names << /Dests {root} >>")
        })
    }),
    case(
        "many_names_looked_up_often",
        (5_000, 200_000),
        SHOWN,
        |count| {
            linked_often(count, |pdf| {
                let names: String = (0..count)
                    .map(|number| format!("(n{number}) [0 /Fit] "))
                    .collect();
                let leaf = pdf.add(format!("<< /Names [{names}] >>"));
                format!("/Names << /Dests << /Kids [{leaf}] >> >>")
            })
        },
    ),
    case("destination_that_names_itself", (0, 0), SHOWN, |_| {
        linked(|pdf| {
            let leaf = pdf.add("<< /Names [(name) (name) (other) (name)] >>");
            format!("/Names << /Dests {leaf} >> /Dests << /name /name >>")
        })
    }),
    case("fields_in_a_circle", (0, 0), SHOWN, |_| {
        beside(|pdf| {
            let field = pdf.reserve();
            pdf.set(
                field,
                format!("<< /T (a) /Kids [{field} {field}] /Parent {field} >>"),
            );
            pdf.root_field(field);
        })
    }),
    case("fields_that_double", (30, 60), SHOWN, |depth| {
        beside(|pdf| {
            let leaf = pdf.add("<< /T (a) /FT /Tx /V (b) >>");
            let root = (0..depth).fold(leaf, |below, _| {
                pdf.add(format!("<< /T (a) /Kids [{below} {below}] >>"))
            });
            pdf.root_field(root);
        })
    }),
    case("deep_fields", (5_000, 100_000), SHOWN, |depth| {
        beside(|pdf| {
            let leaf = pdf.add("<< /T (a) /FT /Tx /V (b) >>");
            let root = (0..depth).fold(leaf, |below, _| {
                pdf.add(format!("<< /T (name) /Kids [{below}] >>"))
            });
            pdf.root_field(root);
        })
    }),
    case(
        "deep_fields_of_many_names",
        (2_000, 50_000),
        SHOWN,
        |depth| {
            beside(|pdf| {
                let leaf = pdf.add("<< /T (a) /FT /Tx /V (b) >>");
                let root = (0..depth).fold(leaf, |below, _| {
                    let value = pdf.add("<< /T (leaf) /FT /Tx /V (b) >>");
                    pdf.add(format!("<< /T (name) /Kids [{below} {value}] >>"))
                });
                pdf.root_field(root);
            })
        },
    ),
    case("many_fields", (10_000, 500_000), SHOWN, |count| {
        let mut pdf = Pdf::new();
        let page = (0..count).fold(Page::new(CONTENT), |page, _| {
            let field = pdf.field("1 1 2 2", "/FT /Tx /T (a) /V (b)");
            page.annotation(field)
        });
        pdf.page(page);
        pdf.build()
    }),
    case(
        "choices_of_long_options",
        (10_000, 1_000_000),
        SHOWN,
        |count| {
            beside(|pdf| {
                let options = "[(a) (b)] ".repeat(count);
                let field = pdf.add(format!(
                    "<< /T (a) /FT /Ch /V [{options}] /Opt [{options}] >>"
                ));
                pdf.root_field(field);
            })
        },
    ),
    case("many_links", (10_000, 1_000_000), SHOWN, |count| {
        page(|pdf, page| {
            let link = pdf.link_to_uri("1 1 2 2", "https://a.example/");
            page.entries(&format!("/Annots [{}]", format!("{link} ").repeat(count)))
        })
    }),
    case("long_links", (100, 100_000), SHOWN, |count| {
        page(|pdf, page| {
            let link = pdf.link_to_uri("1 1 2 2", &"a".repeat(MIB / 4));
            page.entries(&format!("/Annots [{}]", format!("{link} ").repeat(count)))
        })
    }),
    case("appearance_that_calls_itself", (0, 0), SHOWN, |_| {
        page(|pdf, page| {
            let form = pdf.reserve();
            pdf.form_at(
                form,
                "/X Do",
                &format!("/Resources << /XObject << /X {form} >> >>"),
            );
            let stamp = pdf.annotation(
                "Stamp",
                "1 1 9 9",
                &format!("/AP << /N {form} /D {form} >>"),
            );
            let states = pdf.annotation(
                "Widget",
                "1 1 9 9",
                &format!("/AS /A /AP << /N << /A {stamp} >> >>"),
            );
            page.annotation(stamp).annotation(states)
        })
    }),
    case(
        "many_appearances",
        (1_000, 1_000_000),
        Expected::Any,
        |count| {
            page(|pdf, page| {
                let form = pdf.form(&"q Q ".repeat(1_000), "");
                let stamp = pdf.annotation("Stamp", "1 1 9 9", &format!("/AP << /N {form} >>"));
                page.entries(&format!("/Annots [{}]", format!("{stamp} ").repeat(count)))
            })
        },
    ),
    case("layers_in_a_circle", (0, 0), SHOWN, |_| {
        in_layer(|pdf| {
            let place = pdf.reserve();
            pdf.set(
                place,
                format!(
                    "<< /Type /OCMD /OCGs [{place} {place}] /VE [/And {place} [/Not {place}]] >>"
                ),
            );
            place
        })
    }),
    case(
        "layers_of_nested_conditions",
        (20_000, 2_000_000),
        SHOWN,
        |depth| {
            in_layer(|pdf| {
                let layer = pdf.layer("a", true);
                let (open, close) = ("[/Not ".repeat(depth), "]".repeat(depth));
                pdf.add(format!(
                    "<< /Type /OCMD /OCGs {layer} /VE {open}{layer}{close} >>"
                ))
            })
        },
    ),
    case("layers_that_double", (30, 60), SHOWN, |depth| {
        in_layer(|pdf| {
            let layer = pdf.layer("a", true);
            (0..depth).fold(layer, |below, _| {
                let condition = pdf.add(format!("[/And {below} {below}]"));
                pdf.add(format!(
                    "<< /Type /OCMD /OCGs [{below} {below}] /VE {condition} >>"
                ))
            })
        })
    }),
    case("many_layers", (10_000, 500_000), SHOWN, |count| {
        beside(|pdf| {
            for _ in 0..count {
                pdf.layer("a", false);
            }
        })
    }),
    case("metadata_of_entities", (10, 10), SHOWN, |depth| {
        beside(|pdf| {
            let entities: String = (1..depth)
                .map(|level| {
                    format!(
                        "<!ENTITY e{level} '{}'>",
                        format!("&e{};", level - 1).repeat(10)
                    )
                })
                .collect();
            pdf.xmp(&format!(
                "<!DOCTYPE x [<!ENTITY e0 'aaaaaaaaaa'>{entities}]><x:xmpmeta xmlns:x='adobe:ns:meta/'>\
                 <dc:title xmlns:dc='http://purl.org/dc/elements/1.1/'>&e{};</dc:title></x:xmpmeta>",
                depth - 1
            ));
        })
    }),
    case(
        "metadata_of_nested_elements",
        (50_000, 10_000_000),
        SHOWN,
        |depth| beside(|pdf| pdf.xmp(&"<dc:title>".repeat(depth))),
    ),
    case("dates_without_sense", (0, 0), SHOWN, |_| {
        beside(|pdf| {
            pdf.info_entry("/CreationDate (D:99999999999999999999Z99'99') /ModDate (D:00000000000000-99'99'\\000\\377)");
        })
    }),
    case("title_of_half_a_character", (0, 0), SHOWN, |_| {
        beside(|pdf| {
            pdf.info_entry(
                "/Title <FEFFD83D> /Author <FEFF00> /Subject <FFFE> /Keywords <EFBBBFFF>",
            )
        })
    }),
    case("long_title", (MIB, 128 * MIB), SHOWN, |size| {
        beside(|pdf| pdf.info("Title", &"a".repeat(size)))
    }),
    case("password_rc4_40", (0, 0), NO_PASSWORD, |_| {
        encrypted(Cipher::Rc4With40Bits)
    }),
    case("password_rc4_128", (0, 0), NO_PASSWORD, |_| {
        encrypted(Cipher::Rc4With128Bits)
    }),
    case("password_aes_128", (0, 0), NO_PASSWORD, |_| {
        encrypted(Cipher::Aes128)
    }),
    case("password_aes_256", (0, 0), NO_PASSWORD, |_| {
        encrypted(Cipher::Aes256)
    }),
    case("encryption_of_another_kind", (0, 0), UNSUPPORTED, |_| {
        with_encryption("<< /Filter /Adobe.PubSec /V 4 /R 4 /SubFilter /adbe.pkcs7.s5 >>")
    }),
    case("encryption_of_the_future", (0, 0), UNSUPPORTED, |_| {
        with_encryption("<< /Filter /Standard /V 99 /R 99 /P -4 /O (o) /U (u) >>")
    }),
    case("encryption_without_keys", (0, 0), UNSUPPORTED, |_| {
        with_encryption("<< /Filter /Standard /V 2 /R 3 >>")
    }),
    case("encryption_of_short_keys", (0, 0), UNSUPPORTED, |_| {
        with_encryption("<< /Filter /Standard /V 5 /R 6 /P -4 /O () /U () /OE () /UE () >>")
    }),
    case("encryption_of_no_length", (0, 0), UNSUPPORTED, |_| {
        with_encryption("<< /Filter /Standard /V 2 /R 3 /Length 0 /P -4 /O (o) /U (u) >>")
    }),
    case("encryption_of_a_huge_length", (0, 0), UNSUPPORTED, |_| {
        with_encryption(
            "<< /Filter /Standard /V 4 /R 4 /Length 65535 /P -4 /O (o) /U (u) /CF << >> /StmF /A /StrF /A >>",
        )
    }),
    case("encryption_that_is_itself", (0, 0), Expected::Any, |_| {
        beside(|pdf| {
            let place = pdf.reserve();
            pdf.set(
                place,
                format!("<< /Filter {place} /V {place} /R {place} /O {place} /U {place} >>"),
            );
            pdf.trailer(&format!("/Encrypt {place} /ID {place}"));
        })
    }),
];

/// A page in a layer.
fn in_layer(make: impl FnOnce(&mut Pdf) -> Ref) -> Vec<u8> {
    page(|pdf, page| {
        let layer = make(pdf);
        let content = Stream::new(format!("/OC /L BDC {CONTENT} EMC {CONTENT}"));
        Page { content, ..page }.resource("Properties", "L", layer)
    })
}

/// A page with a link to a name, and a catalog entry that may define it.
fn linked(make: impl FnOnce(&mut Pdf) -> String) -> Vec<u8> {
    linked_often(1, make)
}

fn linked_often(count: usize, make: impl FnOnce(&mut Pdf) -> String) -> Vec<u8> {
    page(|pdf, page| {
        let entries = make(pdf);
        pdf.catalog(&entries);
        let link = pdf.annotation("Link", "1 1 9 9", "/Dest (name)");
        pdf.outline(&[(1, "title", PAGES)]);
        page.entries(&format!("/Annots [{}]", format!("{link} ").repeat(count)))
    })
}

fn encrypted(cipher: Cipher) -> Vec<u8> {
    beside(|pdf| {
        pdf.encrypt(Encryption {
            cipher,
            user: "secret",
            owner: "owner",
        });
    })
}

fn with_encryption(dictionary: &str) -> Vec<u8> {
    beside(|pdf| {
        let place = pdf.add(dictionary);
        pdf.trailer(&format!("/Encrypt {place} /ID [(a) (b)]"));
    })
}
