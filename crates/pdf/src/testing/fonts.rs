//! Fonts for tests of the meaning and width of codes.

use super::{Pdf, Ref, Stream};

/// One of the fourteen standard fonts.
pub fn standard(pdf: &mut Pdf, name: &str) -> Ref {
    pdf.add(format!(
        "<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>"
    ))
}

/// A font with codes of one byte. Empty entries are omitted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simple<'a> {
    /// `TrueType` if empty.
    pub subtype: &'a str,
    /// `Sample` if empty.
    pub base_font: &'a str,
    pub base_encoding: &'a str,
    pub differences: &'a [(u8, &'a str)],
    pub first_char: u8,
    /// In thousandths of an em, from `first_char` on.
    pub widths: &'a [u16],
    pub to_unicode: &'a [(u16, &'a str)],
    /// Further entries, as written.
    pub entries: &'a str,
    /// Entries of a descriptor, as written.
    pub descriptor: &'a str,
    pub program: Option<Program<'a>>,
}

/// An embedded font file.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// `FontFile2` …
    pub key: &'a str,
    pub data: &'a [u8],
}

impl<'a> Program<'a> {
    pub fn true_type(data: &'a [u8]) -> Option<Self> {
        let key = "FontFile2";
        Some(Self { key, data })
    }

    pub fn cff(data: &'a [u8]) -> Option<Self> {
        let key = "FontFile3";
        Some(Self { key, data })
    }

    fn entry(self, pdf: &mut Pdf) -> String {
        let subtype = "/Subtype /CIDFontType0C";
        let file = pdf.add_stream(Stream::new(self.data).entries(subtype));
        format!("/{} {file}", self.key)
    }
}

impl Simple<'_> {
    pub fn add_to(self, pdf: &mut Pdf) -> Ref {
        let subtype = or(self.subtype, "TrueType");
        let base_font = or(self.base_font, "Sample");
        let mut font = format!(
            "<< /Type /Font /Subtype /{subtype} /BaseFont /{base_font} {}",
            self.entries
        );
        font.push_str(&encoding_entry(self.base_encoding, self.differences));
        if !self.widths.is_empty() {
            font.push_str(&widths_entry(self.first_char, self.widths));
        }
        let file = self.program.map(|program| program.entry(pdf));
        if !self.descriptor.is_empty() || file.is_some() {
            let descriptor = pdf.add(format!(
                "<< /Type /FontDescriptor /FontName /{base_font} {} {} >>",
                self.descriptor,
                file.unwrap_or_default()
            ));
            font.push_str(&format!(" /FontDescriptor {descriptor}"));
        }
        font.push_str(&to_unicode_entry(pdf, self.to_unicode, 1));
        pdf.add(font + " >>")
    }
}

/// A font whose glyphs are content streams, of 1000 units to the em unless `matrix` says otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct Type3<'a> {
    /// Code, name and procedure.
    pub glyphs: &'a [(u8, &'a str, &'a str)],
    /// Of all glyphs; 500 if zero.
    pub width: u16,
    pub matrix: &'a str,
    pub to_unicode: &'a [(u16, &'a str)],
    /// Further entries, as written.
    pub entries: &'a str,
}

impl Type3<'_> {
    pub fn add_to(self, pdf: &mut Pdf) -> Ref {
        let codes = || self.glyphs.iter().map(|(code, ..)| *code);
        let (first, last) = (codes().min().unwrap_or(0), codes().max().unwrap_or(0));
        let width = if self.width == 0 { 500 } else { self.width };
        let widths = vec![width; usize::from(last - first) + 1];
        let differences: Vec<_> = self
            .glyphs
            .iter()
            .map(|(code, name, _)| (*code, *name))
            .collect();
        let procedures: String = self
            .glyphs
            .iter()
            .map(|(_, name, procedure)| {
                let stream = pdf.add_stream(Stream::new(*procedure));
                format!("/{name} {stream} ")
            })
            .collect();
        let font = format!(
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [{}] \
             /CharProcs << {procedures}>>{}{}{} {} >>",
            or(self.matrix, "0.001 0 0 0.001 0 0"),
            encoding_entry("", &differences),
            widths_entry(first, &widths),
            to_unicode_entry(pdf, self.to_unicode, 1),
            self.entries,
        );
        pdf.add(font)
    }
}

/// A composite font, by default with two bytes per code.
#[derive(Clone, Copy, Debug, Default)]
pub struct Type0<'a> {
    /// `Sample` if empty.
    pub base_font: &'a str,
    /// `/Identity-H` if empty; otherwise as it is written: a name, or a reference to a CMap.
    pub encoding: &'a str,
    /// `Identity` if empty; `Japan1`, `GB1`, `CNS1`, `Korea1`.
    pub ordering: &'a str,
    /// Entries of the descendant (`/W`, `/DW`, `/W2` …), as they are written.
    pub descendant: &'a str,
    pub program: Option<Program<'a>>,
    pub to_unicode: &'a [(u16, &'a str)],
    /// Further entries, as written.
    pub entries: &'a str,
}

impl Type0<'_> {
    pub fn add_to(self, pdf: &mut Pdf) -> Ref {
        let base_font = or(self.base_font, "Sample");
        let file = self.program.map(|program| program.entry(pdf));
        let descriptor = pdf.add(format!(
            "<< /Type /FontDescriptor /FontName /{base_font} /Flags 4 /Ascent 880 /Descent -120 {} >>",
            file.unwrap_or_default()
        ));
        let descendant = pdf.add(format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{base_font} /FontDescriptor {descriptor} \
             /CIDSystemInfo << /Registry (Adobe) /Ordering ({}) /Supplement 0 >> {} >>",
            or(self.ordering, "Identity"),
            self.descendant
        ));
        let to_unicode = to_unicode_entry(pdf, self.to_unicode, 2);
        pdf.add(format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /{base_font} /Encoding {} \
             /DescendantFonts [{descendant}]{to_unicode} {} >>",
            or(self.encoding, "/Identity-H"),
            self.entries
        ))
    }
}

/// A ToUnicode CMap of codes of one or two bytes.
pub fn to_unicode(pdf: &mut Pdf, codes: &[(u16, &str)], bytes: usize) -> Ref {
    let digits = 2 * bytes;
    let pairs: String = codes
        .iter()
        .map(|(code, text)| {
            let units: String = text
                .encode_utf16()
                .map(|unit| format!("{unit:04X}"))
                .collect();
            format!("<{code:0digits$X}> <{units}>\n")
        })
        .collect();
    let all = "F".repeat(digits);
    let count = codes.len();
    cmap(
        pdf,
        &format!(
            "1 begincodespacerange\n<{}> <{all}>\nendcodespacerange\n{count} beginbfchar\n{pairs}endbfchar",
            "0".repeat(digits)
        ),
    )
}

/// A CMap with these operators in it.
pub fn cmap(pdf: &mut Pdf, operators: &str) -> Ref {
    pdf.add_stream(Stream::new(format!(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Sample def\n\
         /CMapType 2 def\n{operators}\nendcmap\nend\nend\n"
    )))
}

fn or<'a>(given: &'a str, otherwise: &'a str) -> &'a str {
    if given.is_empty() { otherwise } else { given }
}

fn to_unicode_entry(pdf: &mut Pdf, codes: &[(u16, &str)], bytes: usize) -> String {
    if codes.is_empty() {
        return String::new();
    }
    format!(" /ToUnicode {}", to_unicode(pdf, codes, bytes))
}

fn widths_entry(first: u8, widths: &[u16]) -> String {
    let last = usize::from(first) + widths.len() - 1;
    let widths: String = widths.iter().map(|width| format!("{width} ")).collect();
    format!(" /FirstChar {first} /LastChar {last} /Widths [{widths}]")
}

fn encoding_entry(base: &str, differences: &[(u8, &str)]) -> String {
    match (base, differences) {
        ("", []) => String::new(),
        (base, []) => format!(" /Encoding /{base}"),
        (base, differences) => {
            let base = if base.is_empty() {
                String::new()
            } else {
                format!("/BaseEncoding /{base} ")
            };
            let names: String = differences
                .iter()
                .map(|(code, name)| format!("{code} /{name} "))
                .collect();
            format!(" /Encoding << /Type /Encoding {base}/Differences [{names}] >>")
        }
    }
}
