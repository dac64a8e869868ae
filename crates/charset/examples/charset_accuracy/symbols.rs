//! English pages with one repeated non-ASCII symbol.

/// Charsets whose symbols occur on otherwise English pages.
pub const CHARSETS: [&str; 12] = [
    "windows-1252",
    "iso-8859-15",
    "windows-1251",
    "koi8-r",
    "iso-8859-5",
    "ibm866",
    "windows-1253",
    "iso-8859-7",
    "windows-1250",
    "iso-8859-2",
    "windows-1254",
    "windows-1257",
];

pub const COUNTS: [usize; 5] = [1, 3, 10, 40, 200];

/// Other non-ASCII text on the page.
pub const COMPANIONS: [&str; 3] = [
    "",
    "\u{a0}",
    "caf\u{e9}\u{a0}r\u{e9}sum\u{e9} d\u{e9}cor fianc\u{e9}e",
];

/// The place of the symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Between the same words each time.
    Same,
    /// Next to words, next to numbers, and alone.
    Varied,
    /// Inside or attached to a different word each time.
    Joined,
}

pub const PLACES: [Placement; 3] = [Placement::Same, Placement::Varied, Placement::Joined];

const WORDS: &str = "The committee met on Tuesday to discuss the budget for the coming year and \
    agreed that most of the open questions could be settled before winter. Members asked how much \
    the new building would cost, who should pay for repairs, and whether the library ought to stay \
    open on weekends. A report on traffic near the old bridge was postponed because several figures \
    were missing. After lunch two visitors from a neighboring town explained their plan for a \
    shared bus line, which would run every hour and stop close to the market square. Nobody \
    objected, although some thought the price too high. The chair thanked everybody, reminded them \
    of the picnic next month, and closed the meeting shortly after four.";

/// The characters of a single-byte charset beyond ASCII and controls, in byte order.
pub fn characters_of(label: &str) -> Vec<char> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
    let bytes: Vec<u8> = (0x80..=0xff).collect();
    let text = encoding.map(|encoding| encoding.decode_without_bom_handling(&bytes).0);
    let has_meaning = |c: &char| !c.is_control() && *c != char::REPLACEMENT_CHARACTER;
    text.iter()
        .flat_map(|text| text.chars())
        .filter(has_meaning)
        .collect()
}

/// A page of at least `length` characters, with `companions` near its beginning.
pub fn page(
    symbol: char,
    count: usize,
    length: usize,
    place: Placement,
    companions: &str,
) -> String {
    let words: Vec<&str> = WORDS.split(' ').collect();
    let step = (length / 6 / count).max(4);
    let mut page = format!("<html><head><title>Minutes</title></head>\n<body>\n<p>{companions} ");
    let mut written = 0;
    let mut at = 0;
    while written < count || page.len() < length {
        let word = words[at % words.len()];
        let next = words[(at + 1) % words.len()];
        if at % step == step - 1 && written < count {
            page.push_str(&surrounded(symbol, written, place, word, next));
            written += 1;
            at += 1;
        } else {
            page.push_str(word);
        }
        page.push_str(if at % 60 == 59 { "</p>\n<p>" } else { " " });
        at += 1;
    }
    page.push_str("</p>\n</body></html>\n");
    page
}

fn surrounded(symbol: char, turn: usize, place: Placement, word: &str, next: &str) -> String {
    let number = turn * 7 % 90 + 3;
    match (place, turn % 6) {
        (Placement::Same, _) => format!("as provided under Code {symbol} 18.2"),
        (Placement::Varied, 0) => format!("{word} {symbol} {next}"),
        (Placement::Varied, 1) => format!("{word}{symbol} {next}"),
        (Placement::Varied, 2) => format!("{symbol}{number} {next}"),
        (Placement::Varied, 3) => format!("{number}{symbol} {next}"),
        (Placement::Varied, 4) => format!("{word} ({symbol}) {next}"),
        (Placement::Varied, _) => format!("<li>{symbol} {next}</li>"),
        (Placement::Joined, 0 | 1) => format!("{word}{symbol} {next}"),
        (Placement::Joined, 2 | 3) => format!("{word} {symbol}{next}"),
        (Placement::Joined, _) => format!("{word}{symbol}{next}"),
    }
}
