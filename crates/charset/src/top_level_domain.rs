//! The charsets that pages of a top-level domain used before UTF-8.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_8859_2, ISO_8859_7, KOI8_R, KOI8_U, SHIFT_JIS,
    WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255,
    WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

/// Whether a charset belongs to a domain. `tld` may be a whole host name, in any case.
pub fn has_charset(tld: &str, encoding: &'static Encoding) -> bool {
    let label = tld
        .trim_end_matches('.')
        .rsplit('.')
        .next()
        .unwrap_or_default();
    charsets_of(&label.to_ascii_lowercase()).contains(&encoding)
}

fn charsets_of(tld: &str) -> &'static [&'static Encoding] {
    // Borrowed statics cannot be promoted in a match arm, hence one static per group.
    static JAPANESE: [&Encoding; 2] = [SHIFT_JIS, EUC_JP];
    static SIMPLIFIED: [&Encoding; 1] = [GB18030];
    static TRADITIONAL: [&Encoding; 1] = [BIG5];
    static KOREAN: [&Encoding; 1] = [EUC_KR];
    static RUSSIAN: [&Encoding; 2] = [WINDOWS_1251, KOI8_R];
    static UKRAINIAN: [&Encoding; 2] = [WINDOWS_1251, KOI8_U];
    static CENTRAL: [&Encoding; 2] = [WINDOWS_1250, ISO_8859_2];
    static GREEK: [&Encoding; 2] = [WINDOWS_1253, ISO_8859_7];
    static TURKISH: [&Encoding; 1] = [WINDOWS_1254];
    static HEBREW: [&Encoding; 1] = [WINDOWS_1255];
    static ARABIC: [&Encoding; 1] = [WINDOWS_1256];
    static BALTIC: [&Encoding; 1] = [WINDOWS_1257];
    static VIETNAMESE: [&Encoding; 1] = [WINDOWS_1258];
    static THAI: [&Encoding; 1] = [WINDOWS_874];
    match tld {
        "jp" => &JAPANESE,
        "cn" | "sg" | "xn--fiqs8s" => &SIMPLIFIED,
        "tw" | "hk" | "mo" => &TRADITIONAL,
        "kr" | "xn--3e0b707e" => &KOREAN,
        "ru" | "su" | "kz" | "kg" | "xn--p1ai" => &RUSSIAN,
        "ua" => &UKRAINIAN,
        "bg" | "by" | "mk" | "rs" => &RUSSIAN,
        "cz" | "sk" | "pl" | "hu" | "ro" | "si" | "hr" | "ba" => &CENTRAL,
        "gr" | "cy" => &GREEK,
        "tr" => &TURKISH,
        "il" => &HEBREW,
        "ae" | "bh" | "dz" | "eg" | "iq" | "ir" | "jo" | "kw" | "lb" | "ly" | "ma" | "om"
        | "ps" | "qa" | "sa" | "sd" | "sy" | "tn" | "ye" => &ARABIC,
        "ee" | "lt" | "lv" => &BALTIC,
        "vn" => &VIETNAMESE,
        "th" => &THAI,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains() {
        assert!(has_charset("jp", EUC_JP));
        assert!(has_charset("www.example.JP.", SHIFT_JIS));
        assert!(!has_charset("jp", BIG5));
        assert!(!has_charset("", BIG5));
        assert!(!has_charset("com", WINDOWS_1251));
    }
}
