//! The labels of charsets, standard and informal.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, IBM866, ISO_2022_JP, KOI8_R, KOI8_U, MACINTOSH,
    REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874, WINDOWS_1252, X_MAC_CYRILLIC,
    X_USER_DEFINED,
};

/// A charset that can be decoded: one of the Encoding Standard, or UTF-32, which the standard
/// lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(pub(super) Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Standard(&'static Encoding),
    Utf32Le,
    Utf32Be,
}

impl Charset {
    pub const UTF_32LE: Self = Self(Kind::Utf32Le);
    pub const UTF_32BE: Self = Self(Kind::Utf32Be);

    /// A charset of the Encoding Standard.
    pub const fn standard(encoding: &'static Encoding) -> Self {
        Self(Kind::Standard(encoding))
    }

    /// The charset for a label. Accepts the labels of the standard and the names used by Python,
    /// Java, databases and Windows, with any punctuation.
    ///
    /// Returns `None` for labels that the standard maps to `replacement` (HZ, ISO-2022-KR and the
    /// like). They have no decoder, and detection recovers more than a single U+FFFD.
    ///
    /// ```
    /// use corpus_charset::Charset;
    ///
    /// let charset = Charset::for_label("MS932").unwrap();
    /// assert_eq!(charset.name(), "Shift_JIS");
    /// assert_eq!(Charset::for_label("utf-7"), None);
    /// ```
    pub fn for_label(label: &str) -> Option<Self> {
        let ends = |c: char| c.is_whitespace() || matches!(c, ';' | ',' | '"' | '\'' | '<' | '>');
        let name = label.split(ends).find(|part| !part.is_empty())?;
        if let Some(charset) = utf_32(name) {
            return Some(charset);
        }
        let encoding = Encoding::for_label(name.as_bytes()).or_else(|| other_name(name))?;
        if encoding == REPLACEMENT {
            return None;
        }
        // When a page declares x-user-defined, the standard has browsers use windows-1252.
        if encoding == X_USER_DEFINED {
            return Some(Self::standard(WINDOWS_1252));
        }
        Some(Self::standard(encoding))
    }

    /// Checks a label written by a user in a query. Labels found in data may be anything.
    pub fn check(label: &str) -> Result<(), String> {
        match Self::for_label(label) {
            Some(_) => Ok(()),
            None => Err(format!(
                "unknown charset '{label}'; expected a label of the Encoding standard, such as \
                 'utf-8', 'windows-1252' or 'shift_jis', or 'utf-32'"
            )),
        }
    }

    /// Like [`Charset::check`], for an argument that may be NULL.
    pub fn check_declared(label: &str) -> Result<(), String> {
        Self::check(label).map_err(|reason| format!("{reason}; NULL detects the charset"))
    }

    /// The name of the charset, as the Encoding Standard spells it.
    pub fn name(&self) -> &'static str {
        match self.0 {
            Kind::Standard(encoding) => encoding.name(),
            Kind::Utf32Le => "UTF-32LE",
            Kind::Utf32Be => "UTF-32BE",
        }
    }

    pub(super) fn encoding(&self) -> Option<&'static Encoding> {
        match self.0 {
            Kind::Standard(encoding) => Some(encoding),
            Kind::Utf32Le | Kind::Utf32Be => None,
        }
    }

    /// Whether ASCII bytes mean the same characters as in ASCII.
    pub(super) fn keeps_ascii(&self) -> bool {
        self.encoding()
            .is_some_and(|encoding| encoding != UTF_16LE && encoding != UTF_16BE)
    }
}

fn utf_32(name: &str) -> Option<Charset> {
    match key_of(name).as_str() {
        "utf32" | "utf32le" | "ucs4" | "ucs4le" | "cp12000" => Some(Charset::UTF_32LE),
        "utf32be" | "ucs4be" | "cp12001" => Some(Charset::UTF_32BE),
        _ => None,
    }
}

/// The name in lower case, without punctuation, so that `x-SJIS`, `Shift_JIS` and `shift-jis` are
/// comparable.
fn key_of(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

fn other_name(name: &str) -> Option<&'static Encoding> {
    let key = key_of(name);
    let key = key.strip_prefix('x').unwrap_or(&key);
    let key = key.strip_prefix("cs").unwrap_or(key);
    let key = key.strip_prefix("charset").unwrap_or(key);
    encoding_by_name(key)
        .or_else(|| {
            encoding_by_number(
                key,
                &["windows", "win", "cp", "ms", "ibm", "ansi", "dos", ""],
                code_page,
            )
        })
        .or_else(|| encoding_by_number(key, &["iso8859", "8859", "iso"], iso_8859))
}

fn encoding_by_name(key: &str) -> Option<&'static Encoding> {
    Some(match key {
        "utf" | "utf8" | "utf8mb3" | "utf8mb4" | "utf8sig" | "al32utf8" | "unicode" => UTF_8,
        "utf16" | "utf16le" | "ucs2" | "ucs2le" => UTF_16LE,
        "utf16be" | "ucs2be" => UTF_16BE,
        "sjis" | "sjiswin" | "shiftjis" | "shiftjisx0213" | "shiftjis2004" | "sjis2004"
        | "windows31j" | "mskanji" | "shift" | "pck" => SHIFT_JIS,
        "eucjp" | "ujis" | "eucjpms" | "eucjpwin" | "eucjpopen" | "eucjis2004" | "eucjisx0213"
        | "euc" => EUC_JP,
        "jis" | "iso2022jp" | "iso2022jp1" | "iso2022jp2" | "iso2022jp3" | "iso2022jp2004"
        | "iso2022jpext" | "iso2022jpms" => ISO_2022_JP,
        "euckr" | "uhc" | "ksc5601" | "ksx1001" | "ks" | "windows949" => EUC_KR,
        "gb" | "gb2312" | "gbk" | "gb18030" | "euccn" | "zhcn" | "gb180302000" => GB18030,
        "big5" | "big5hkscs" | "big5eten" | "big5hkscs2004" | "zhtw" => BIG5,
        "ascii" | "usascii" | "latin" | "latin1" | "isolatin1" | "ansi" | "roman8" => WINDOWS_1252,
        "koi8" | "koi8r" | "koi" => KOI8_R,
        "koi8u" | "koi8ru" => KOI8_U,
        "tis620" | "tis6202533" | "thai" => WINDOWS_874,
        "mac" | "macroman" | "macintosh" => MACINTOSH,
        "maccyrillic" | "macukrainian" => X_MAC_CYRILLIC,
        _ => return None,
    })
}

/// Resolves a name made of one of the prefixes and a number.
fn encoding_by_number(
    key: &str,
    prefixes: &[&str],
    meaning: fn(u32) -> Option<&'static Encoding>,
) -> Option<&'static Encoding> {
    prefixes
        .iter()
        .find_map(|prefix| meaning(key.strip_prefix(prefix)?.parse().ok()?))
}

fn code_page(number: u32) -> Option<&'static Encoding> {
    Some(match number {
        866 => IBM866,
        932 | 943 => SHIFT_JIS,
        936 | 54936 => GB18030,
        949 | 970 | 51949 => EUC_KR,
        950 | 951 => BIG5,
        1200 => UTF_16LE,
        1201 => UTF_16BE,
        10000 => MACINTOSH,
        10007 | 10017 => X_MAC_CYRILLIC,
        20127 | 819 => WINDOWS_1252,
        20866 | 878 => KOI8_R,
        21866 => KOI8_U,
        50220..=50222 => ISO_2022_JP,
        20932 | 51932 => EUC_JP,
        65001 => UTF_8,
        28591..=28606 => return iso_8859(number - 28590),
        874 | 1250..=1258 => return Encoding::for_label(format!("windows-{number}").as_bytes()),
        _ => return None,
    })
}

fn iso_8859(part: u32) -> Option<&'static Encoding> {
    Encoding::for_label(format!("iso-8859-{part}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(label: &str) -> Option<&'static str> {
        Charset::for_label(label).map(|charset| charset.name())
    }

    #[test]
    fn standard_and_informal_labels() {
        for (name, labels) in [
            (
                "UTF-8",
                "utf8 UTF-8; utf_8 \"utf-8\" utf8mb4 unicode-1-1-utf-8 cp65001 'utf-8",
            ),
            (
                "Shift_JIS",
                "sjis x-sjis shift-jis Shift_JIS ms932 cp932 windows-31j csWindows31J MS_Kanji SJIS-win",
            ),
            (
                "EUC-JP",
                "euc-jp x-euc-jp eucjp ujis euc_jp cp51932 eucJP-ms",
            ),
            ("ISO-2022-JP", "iso-2022-jp jis csISO2022JP cp50220"),
            ("EUC-KR", "euc-kr ks_c_5601-1987 cp949 ms949 uhc ksc5601"),
            ("GBK", "gb2312 gbk chinese"),
            ("gb18030", "gb18030 cp936 ms936 EUC-CN"),
            ("Big5", "big5 big5-hkscs big5hkscs cp950 x-x-big5"),
            (
                "windows-1252",
                "iso-8859-1 latin1 us-ascii cp1252 win-1252 x-user-defined ISO8859_1",
            ),
            ("windows-1251", "windows-1251 cp1251 win1251 1251 ansi-1251"),
            ("windows-874", "tis-620 windows-874 cp874 iso8859_11"),
            ("ISO-8859-2", "iso-8859-2 latin2 iso8859_2 8859-2 cp28592"),
            ("ISO-8859-15", "iso-8859-15 iso8859_15 8859_15"),
            ("KOI8-R", "koi8-r koi8 koi cp20866"),
            ("KOI8-U", "koi8-u koi8-ru"),
            ("IBM866", "ibm866 cp866 866 dos-866"),
            ("macintosh", "macintosh x-mac-roman macroman"),
            (
                "x-mac-cyrillic",
                "x-mac-cyrillic MacCyrillic x-mac-ukrainian",
            ),
            ("UTF-16LE", "utf-16 utf-16le ucs-2 utf_16_le"),
            ("UTF-16BE", "utf-16be utf_16_be"),
            ("UTF-32LE", "utf-32 UTF-32LE utf_32_le ucs-4"),
            ("UTF-32BE", "utf-32be utf_32_be"),
        ] {
            for label in labels.split(' ') {
                assert_eq!(name_of(label), Some(name), "{label}");
            }
        }
    }

    #[test]
    fn unknown_labels() {
        let labels = [
            "",
            " ",
            ";",
            "none",
            "utf-7",
            "hz-gb-2312",
            "iso-2022-kr",
            "cp1",
            "iso-8859-99",
            "é",
            "windows-99999999999999999999",
            "x",
            "cs",
        ];
        for label in labels {
            assert_eq!(name_of(label), None, "{label}");
        }
    }

    #[test]
    fn text_around_a_label_is_ignored() {
        for label in [
            " utf-8 ",
            "utf-8;charset=x",
            "'UTF-8'",
            "utf-8,utf-8",
            "\tutf-8\"/>",
        ] {
            assert_eq!(name_of(label), Some("UTF-8"), "{label}");
        }
    }

    #[test]
    fn every_name_is_a_label_of_its_own_charset() {
        for charset in [
            Charset::UTF_32LE,
            Charset::UTF_32BE,
            Charset::standard(SHIFT_JIS),
        ] {
            assert_eq!(Charset::for_label(charset.name()), Some(charset));
        }
    }
}
