//! Byte patterns of binary formats: the tables of the standard, then further formats found in web
//! archives.

use super::header_of;
use super::media::{ebml_type, frames_type, is_transport_stream, iso_media_type};
use super::structure::{
    always, is_binary, is_bitmap, is_embedded_font, is_flash, is_font, is_icon, is_id3,
    is_java_class, is_jpeg, is_mach_binary, is_windows_program,
};
use super::zip;

/// The tables of the standard, and the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Image,
    Media,
    Font,
    /// Archives, and other files that contain documents of many formats.
    Container,
    Other,
}

#[derive(Debug, Clone, Copy)]
pub struct Match {
    pub media_type: &'static str,
    pub group: Group,
}

struct Signature {
    media_type: &'static str,
    group: Group,
    /// Offsets, each with the bytes expected there.
    parts: &'static [(usize, &'static [u8])],
    /// Checks the structure after the pattern.
    has_structure: fn(&[u8]) -> bool,
}

const fn new(
    group: Group,
    media_type: &'static str,
    parts: &'static [(usize, &'static [u8])],
    has_structure: fn(&[u8]) -> bool,
) -> Signature {
    Signature {
        media_type,
        group,
        parts,
        has_structure,
    }
}

const ZIP: &str = "application/zip";

use Group::{Container, Font, Image, Media, Other};

/// The tables of the standard, in its order.
const STANDARD: &[Signature] = &[
    new(
        Other,
        "application/postscript",
        &[(0, b"%!PS-Adobe-")],
        always,
    ),
    new(Image, "image/x-icon", &[(0, b"\0\0\x01\0")], is_icon),
    new(Image, "image/x-icon", &[(0, b"\0\0\x02\0")], is_icon),
    new(Image, "image/bmp", &[(0, b"BM")], is_bitmap),
    new(Image, "image/gif", &[(0, b"GIF87a")], is_binary),
    new(Image, "image/gif", &[(0, b"GIF89a")], is_binary),
    new(Image, "image/webp", &[(0, b"RIFF"), (8, b"WEBPVP")], always),
    new(Image, "image/png", &[(0, b"\x89PNG\r")], always),
    // Transfers in text mode change the line ends.
    new(Image, "image/png", &[(0, b"\x89PNG\n")], always),
    new(Image, "image/jpeg", &[(0, b"\xff\xd8\xff")], is_jpeg),
    new(Media, "audio/aiff", &[(0, b"FORM"), (8, b"AIFF")], always),
    new(Media, "audio/mpeg", &[(0, b"ID3")], is_id3),
    new(Media, "application/ogg", &[(0, b"OggS\0")], always),
    new(Media, "audio/midi", &[(0, b"MThd\0\0\0\x06")], always),
    new(Media, "video/avi", &[(0, b"RIFF"), (8, b"AVI ")], is_binary),
    new(
        Media,
        "audio/wave",
        &[(0, b"RIFF"), (8, b"WAVE")],
        is_binary,
    ),
    new(
        Font,
        "application/vnd.ms-fontobject",
        &[(34, b"LP")],
        is_embedded_font,
    ),
    new(Font, "font/ttf", &[(0, b"\0\x01\0\0")], is_font),
    new(Font, "font/otf", &[(0, b"OTTO")], is_font),
    new(Font, "font/collection", &[(0, b"ttcf\0")], always),
    new(Font, "font/woff", &[(0, b"wOFF")], is_binary),
    new(Font, "font/woff2", &[(0, b"wOF2")], is_binary),
    new(
        Container,
        "application/x-gzip",
        &[(0, b"\x1f\x8b\x08")],
        always,
    ),
    new(Container, ZIP, &[(0, b"PK\x03\x04")], always),
    new(
        Other,
        "application/x-rar-compressed",
        &[(0, b"Rar!\x1a\x07")],
        always,
    ),
];

/// Formats that the standard lacks.
const OTHERS: &[Signature] = &[
    // Images.
    new(Image, "image/tiff", &[(0, b"II*\0")], always),
    new(Image, "image/tiff", &[(0, b"MM\0*")], always),
    new(Image, "image/tiff", &[(0, b"II+\0")], always),
    new(Image, "image/tiff", &[(0, b"MM\0+")], always),
    new(Image, "image/jxr", &[(0, b"II\xbc\x01")], always),
    new(
        Image,
        "image/jp2",
        &[(0, b"\0\0\0\x0cjP  \r\n\x87\n")],
        always,
    ),
    new(Image, "image/j2c", &[(0, b"\xff\x4f\xff\x51")], always),
    new(
        Image,
        "image/jxl",
        &[(0, b"\0\0\0\x0cJXL \r\n\x87\n")],
        always,
    ),
    new(
        Image,
        "image/vnd.djvu",
        &[(0, b"AT&TFORM"), (12, b"DJV")],
        always,
    ),
    new(
        Image,
        "image/vnd.adobe.photoshop",
        &[(0, b"8BPS\0")],
        always,
    ),
    new(Image, "image/x-xcf", &[(0, b"gimp xcf ")], is_binary),
    new(Image, "image/vnd.dwg", &[(0, b"AC10")], is_binary),
    new(Image, "image/wmf", &[(0, b"\xd7\xcd\xc6\x9a")], always),
    new(
        Image,
        "image/emf",
        &[(0, b"\x01\0\0\0"), (40, b" EMF")],
        always,
    ),
    // Audio and video.
    new(
        Media,
        "audio/aiff",
        &[(0, b"FORM"), (8, b"AIFC")],
        is_binary,
    ),
    new(Media, "audio/basic", &[(0, b".snd\0")], always),
    new(Media, "audio/flac", &[(0, b"fLaC")], is_binary),
    new(Media, "audio/amr", &[(0, b"#!AMR\n")], always),
    new(Media, "audio/amr-wb", &[(0, b"#!AMR-WB\n")], always),
    new(Media, "video/mpeg", &[(0, b"\0\0\x01\xba")], always),
    new(Media, "video/mpeg", &[(0, b"\0\0\x01\xb3")], always),
    new(Media, "video/x-flv", &[(0, b"FLV\x01")], always),
    new(
        Media,
        "video/x-ms-asf",
        &[(0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11")],
        always,
    ),
    new(
        Media,
        "application/vnd.rn-realmedia",
        &[(0, b".RMF\0")],
        always,
    ),
    new(Media, "audio/x-pn-realaudio", &[(0, b".ra\xfd")], always),
    // Fonts.
    new(Font, "font/ttf", &[(0, b"true")], is_font),
    new(
        Font,
        "application/x-font-type1",
        &[(0, b"\x80\x01"), (6, b"%!")],
        always,
    ),
    // Archives and compressed files.
    new(Container, ZIP, &[(0, b"PK\x05\x06\0\0\0\0")], always),
    new(Container, ZIP, &[(0, b"PK\x07\x08PK\x03\x04")], always),
    new(
        Container,
        "application/x-bzip2",
        &[(0, b"BZh"), (4, b"1AY&SY")],
        always,
    ),
    new(Container, "application/x-xz", &[(0, b"\xfd7zXZ\0")], always),
    new(
        Container,
        "application/zstd",
        &[(0, b"\x28\xb5\x2f\xfd")],
        always,
    ),
    new(
        Container,
        "application/x-lz4",
        &[(0, b"\x04\x22\x4d\x18")],
        always,
    ),
    new(Container, "application/x-lzip", &[(0, b"LZIP\x01")], always),
    new(
        Container,
        "application/x-compress",
        &[(0, b"\x1f\x9d")],
        always,
    ),
    new(Container, "application/x-tar", &[(257, b"ustar\0")], always),
    new(
        Container,
        "application/x-tar",
        &[(257, b"ustar  \0")],
        always,
    ),
    new(
        Container,
        "application/vnd.ms-cab-compressed",
        &[(0, b"MSCF\0\0\0\0")],
        always,
    ),
    new(
        Container,
        "application/x-ole-storage",
        &[(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
        always,
    ),
    new(
        Container,
        "application/warc",
        &[(0, b"WARC/1."), (8, b"\r\n")],
        always,
    ),
    new(
        Container,
        "application/warc",
        &[(0, b"WARC/0."), (9, b"\r\n")],
        always,
    ),
    new(
        Other,
        "application/x-7z-compressed",
        &[(0, b"7z\xbc\xaf\x27\x1c")],
        always,
    ),
    new(
        Other,
        "application/x-lzh-compressed",
        &[(2, b"-lh"), (6, b"-")],
        is_binary,
    ),
    new(
        Other,
        "application/x-stuffit",
        &[(0, b"StuffIt (c)1997")],
        always,
    ),
    new(
        Other,
        "application/x-stuffit",
        &[(0, b"SIT!"), (10, b"rLau")],
        always,
    ),
    new(Other, "application/x-xar", &[(0, b"xar!\0")], always),
    new(
        Other,
        "application/x-rpm",
        &[(0, b"\xed\xab\xee\xdb")],
        always,
    ),
    new(
        Other,
        "application/vnd.debian.binary-package",
        &[(0, b"!<arch>\ndebian")],
        always,
    ),
    // Documents.
    new(Other, "application/rtf", &[(0, b"{\\rtf1")], always),
    new(Other, "application/vnd.fdf", &[(0, b"%FDF-")], always),
    new(
        Other,
        "application/postscript",
        &[(0, b"\xc5\xd0\xd3\xc6")],
        always,
    ),
    new(
        Other,
        "application/vnd.wordperfect",
        &[(0, b"\xffWPC")],
        always,
    ),
    new(
        Other,
        "application/vnd.ms-htmlhelp",
        &[(0, b"ITSF\x03\0\0\0")],
        always,
    ),
    new(
        Other,
        "application/x-mobipocket-ebook",
        &[(60, b"BOOKMOBI")],
        is_binary,
    ),
    // Programs and data.
    new(
        Other,
        "application/x-shockwave-flash",
        &[(1, b"WS")],
        is_flash,
    ),
    new(Other, "application/x-elf", &[(0, b"\x7fELF")], always),
    new(
        Other,
        "application/vnd.microsoft.portable-executable",
        &[(0, b"MZ")],
        is_windows_program,
    ),
    new(
        Other,
        "application/x-mach-binary",
        &[(1, b"\xfa\xed\xfe")],
        is_mach_binary,
    ),
    new(
        Other,
        "application/java-vm",
        &[(0, b"\xca\xfe\xba\xbe")],
        is_java_class,
    ),
    new(Other, "application/wasm", &[(0, b"\0asm")], always),
    new(
        Other,
        "application/x-msaccess",
        &[(0, b"\0\x01\0\0Standard ")],
        always,
    ),
    new(
        Other,
        "application/vnd.sqlite3",
        &[(0, b"SQLite format 3\0")],
        always,
    ),
    new(
        Other,
        "application/vnd.apache.parquet",
        &[(0, b"PAR1")],
        is_binary,
    ),
    new(
        Other,
        "application/x-hdf5",
        &[(0, b"\x89HDF\r\n\x1a\n")],
        always,
    ),
    new(
        Other,
        "application/x-bittorrent",
        &[(0, b"d8:announce")],
        always,
    ),
    new(
        Other,
        "application/x-bplist",
        &[(0, b"bplist00")],
        is_binary,
    ),
];

/// The first signature that matches. In trusted groups, a pattern of the standard is sufficient;
/// otherwise the structure after it is checked as well.
pub fn find(body: &[u8], is_trusted: impl Fn(Group) -> bool) -> Option<Match> {
    let header = header_of(body);
    let standard = STANDARD.iter().find(|signature| {
        signature.matches(header)
            && (is_trusted(signature.group) || (signature.has_structure)(header))
    });
    let other = || {
        let is_it = |s: &&Signature| s.matches(header) && (s.has_structure)(header);
        OTHERS.iter().find(is_it)
    };
    let Some(signature) = standard.or_else(other) else {
        return find_structure(header);
    };
    let inner = (signature.media_type == ZIP)
        .then(|| zip::format_of(body))
        .flatten();
    Some(Match {
        media_type: inner.unwrap_or(signature.media_type),
        group: inner.map_or(signature.group, |_| Other),
    })
}

/// Formats without a fixed pattern.
fn find_structure(header: &[u8]) -> Option<Match> {
    let transport_stream = || is_transport_stream(header).then_some("video/mp2t");
    let media_type = iso_media_type(header)
        .or_else(|| ebml_type(header))
        .or_else(|| frames_type(header))
        .or_else(transport_stream)?;
    let group = if media_type.starts_with("image/") {
        Image
    } else {
        Media
    };
    Some(Match { media_type, group })
}

/// Whether a type has a signature, so that bytes without it must be something else.
pub fn is_listed(media_type: &str) -> bool {
    let is_it = |signature: &Signature| signature.media_type == media_type;
    media_type == super::PDF || STANDARD.iter().chain(OTHERS).any(is_it)
}

impl Signature {
    fn matches(&self, header: &[u8]) -> bool {
        let is_there = |(offset, bytes): &(usize, &[u8])| {
            header
                .get(*offset..)
                .is_some_and(|rest| rest.starts_with(bytes))
        };
        self.parts.iter().all(is_there)
    }
}
