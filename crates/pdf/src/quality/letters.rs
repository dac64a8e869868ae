//! A language-independent model of text: how likely each kind of character follows each other kind.
//! In any language, vowels, consonants, digits, signs and spaces follow typical patterns.

/// The kinds of characters, in addition to the letters from a to z.
const ACCENTED: usize = 26;
const DIGIT: usize = 27;
pub(super) const SPACE: usize = 28;
const STOP: usize = 29;
const DASH: usize = 30;
const QUOTE: usize = 31;
const OPEN: usize = 32;
const CLOSE: usize = 33;
const COLON: usize = 34;
const SLASH: usize = 35;
const RELATION: usize = 36;
const SIGN: usize = 37;
const CALL: usize = 38;
const SYMBOL: usize = 39;
/// A letter of another script, or a mark that belongs to one.
pub(super) const OTHER_LETTER: usize = 40;
const KINDS: usize = 41;

/// The surprise of each kind after another (the row): the negative logarithm of its probability, in
/// half bits, as base-36 digits. Counted in texts of ninety languages. All languages in Latin
/// script have the same weight, except that English and source code have more; other scripts have
/// less.
const SURPRISES: [&[u8; KINDS]; KINDS] = [
    b"dba9gebfaea796gbg787ccghddcn5ehimihmooorn",
    b"5ggk6kjb6bl8eg6jt8df7ienbj9l9fhikihjlmrpr",
    b"6ich7in57fabii5ilac89mkkefaj9fhflihmijksq",
    b"6iic4ifc5dfegd7gsbdgaghlfham6dgcjhgljippp",
    b"bdbaddcgbga8a6gdh678edgdeddm4dfhjggmjjmpr",
    b"6gif79ff5hjagd5jladaamhqepah6dejjfgmkkopr",
    b"6fgd5jcb7dfcfa7gl8bb8kemcjbi5deihhgjjioqk",
    b"5gie4hli7hgbge7hmcfaafereq7m6egikhhjkjpqp",
    b"ac999baggda8959dg988fbiefcam6fijqkinpopsr",
    b"5nmf3llf8gedfb8dtida7hkshi8o8emmsijkpsqtt",
    b"5hei6lec7eaahd6hia997hetek9m7efijihmhknpq",
    b"5ghb5eef6ef8df7gnicbagfpcj9m6egciihmkkonp",
    b"5ahg5igc7iiebe78mgdg9jinel8k6eglkjiilipor",
    b"7ib87e7e8edffb8imja7bejndh9n5dhgkhhmllmqr",
    b"fbbaebbgdeb886dai68aabdhhecn5dfjnignokopf",
    b"5jde6igc8jf8fc6am6cb9imogk9j9fgiihhjmkqqq",
    b"8ohbbmoc8ktanf9oeegd2tdtip9j7dlklfnokoeos",
    b"6fdb5gcg6hcdbc7gjba9adhkeg9j5dhjjhgljkorr",
    b"8hbi6hgb7fbcfg9ajia5agfqdfal5bgfkffjjimpq",
    b"6jfg5ih86ieegf8gp8bb9ghicf8l5dfhigglihmqq",
    b"aacb9ccfaea886fah777efghgebh6ejirkinmqosq",
    b"4iik4mki6igdkc7jocehdjlodh7f9fkmijkknnqts",
    b"4iff5jgb5jjfib7hjbcedqfj9kbj8dfdehijkgpqq",
    b"7abf6dla7ogfcjc7qjg6blebbibd6bbfkdehfhjgn",
    b"6dca8ceg9hcaa98atba9cgejfi8l5bediffhjhklp",
    b"5ehd5ldb6kecc98enfgcacdtcd8l6dhgqfinhmnqr",
    b"aebbagde8eb9b6bdi799ccfice8p4eiiqihnrsnmn",
    b"jjlkkmmpmqknkkokrklmmpofiro246cfiaddfdrkh",
    b"8aa89abc9eaaa9a8fb88bbdhdecbtgcbcifggfnj8",
    b"giffhjhihlnhiihglighikjlpqq617kglemlgmlod",
    b"9999a9cbagcaaab9fa89bbdfheg98i5gjfomdnlqd",
    b"9ggf9gebbmjdfcbfmcccdjfjimgh38b5icbffeije",
    b"ab9babdeafccbbcagc9abbfhgee78e8be6fhc9go9",
    b"nollinomitkjnjklrnhmortpopnt16kdb88jdhfjd",
    b"fgfggeijfpliheifrgfehkhjplnd1jphfg7egilnl",
    b"decbeedeckgcdbeagdabdfehgkg95ggchem3ehaoe",
    b"ccddedhgdjeedbedme9bdfhhojh93acac9de6dlle",
    b"aaababffbjhbaccakb7ccdfhkip969e78bghe7gnl",
    b"lglntmjtmtoeokpfpheilppttttt1che58ckbgcoj",
    b"jhhijhjkllkflkjhljihlkmporgf4cjfghiojlq92",
    b"ssrssssspttjsmqnpjnrssrsoopl6eljkihoqqoc1",
];

/// Whether a kind is a letter of any script.
pub(super) fn is_letter(kind: usize) -> bool {
    kind <= ACCENTED || kind == OTHER_LETTER
}

/// The maximum surprise between a letter and a sign of formulas, in half bits.
const MAX_FORMULA_SURPRISE: u8 = 9;

/// The surprise of a kind after another, in half bits.
pub(super) fn surprise(before: usize, kind: usize) -> u32 {
    let row = HALF_BITS.get(before);
    let half_bits = row.and_then(|row| row.get(kind)).copied();
    u32::from(half_bits.unwrap_or_default())
}

/// [`SURPRISES`], parsed.
static HALF_BITS: [[u8; KINDS]; KINDS] = {
    let mut half_bits = [[0; KINDS]; KINDS];
    let mut before = 0;
    while before < KINDS {
        let mut kind = 0;
        while kind < KINDS {
            let digit = SURPRISES[before][kind];
            let counted = digit - if digit <= b'9' { b'0' } else { b'a' - 10 };
            // The counted texts contained few formulas.
            let is_formula =
                (before < ACCENTED && is_sign(kind)) || (is_sign(before) && kind < ACCENTED);
            let is_capped = is_formula && counted > MAX_FORMULA_SURPRISE;
            half_bits[before][kind] = if is_capped {
                MAX_FORMULA_SURPRISE
            } else {
                counted
            };
            kind += 1;
        }
        before += 1;
    }
    half_bits
};

const fn is_sign(kind: usize) -> bool {
    matches!(kind, OPEN | CLOSE | RELATION)
}

pub(super) fn kind(c: char) -> usize {
    match ASCII_KINDS.get(c as usize) {
        Some(kind) => usize::from(*kind),
        None => kind_of(c).unwrap_or_else(|| kind_by_class(c)),
    }
}

static ASCII_KINDS: [u8; 128] = {
    let mut kinds = [SYMBOL as u8; 128];
    let mut c = 0;
    while c < kinds.len() {
        if let Some(kind) = kind_of(c as u8 as char) {
            kinds[c] = kind as u8;
        }
        c += 1;
    }
    kinds
};

const fn kind_of(c: char) -> Option<usize> {
    Some(match c {
        'a'..='z' => nth_letter(c, 'a'),
        'A'..='Z' => nth_letter(c, 'A'),
        '0'..='9' => DIGIT,
        '.' | ',' | '、' | '。' | '，' | '．' | '…' => STOP,
        '-' | '\u{2010}'..='\u{2015}' | '−' => DASH,
        '\'' | '"' | '\u{2018}'..='\u{201F}' | '«' | '»' | '‹' | '›' => QUOTE,
        '(' | '[' | '{' | '（' | '「' | '『' | '【' => OPEN,
        ')' | ']' | '}' | '）' | '」' | '』' | '】' => CLOSE,
        ':' | ';' => COLON,
        '/' | '\\' => SLASH,
        '=' | '+' | '<' | '>' | '*' | '^' | '~' | '|' => RELATION,
        '#' | '$' | '%' | '&' | '@' | '_' | '`' => SIGN,
        '!' | '?' => CALL,
        // Mathematical letters, and full-width letters.
        '\u{1D400}'..='\u{1D6A3}' => nth_letter(c, '\u{1D400}') % 26,
        'Ａ'..='Ｚ' => nth_letter(c, 'Ａ'),
        'ａ'..='ｚ' => nth_letter(c, 'ａ'),
        _ if c.is_whitespace() => SPACE,
        _ => return None,
    })
}

fn kind_by_class(c: char) -> usize {
    match c {
        _ if is_bullet(c) => SPACE,
        _ if is_latin(c) => ACCENTED,
        _ if c.is_alphabetic() || is_mark(c) => OTHER_LETTER,
        _ if c.is_numeric() => DIGIT,
        _ => SYMBOL,
    }
}

const fn nth_letter(c: char, first: char) -> usize {
    c as usize - first as usize
}

fn is_latin(c: char) -> bool {
    let is_letter = matches!(c, 'ª' | 'º' | 'À'..='\u{2AF}' | '\u{1E00}'..='\u{1EFF}' | 'ﬀ'..='ﬆ');
    is_letter && !matches!(c, '×' | '÷')
}

/// Whether a character is a bullet or box, which precedes words without belonging to them.
fn is_bullet(c: char) -> bool {
    matches!(c, '•' | '‣' | '⁃' | '∙' | '\u{25A0}'..='\u{25FF}' | '\u{2610}'..='\u{2612}' | '\u{2713}'..='\u{2718}')
}

/// Whether a character is a mark that is not alphabetic in Unicode, such as a virama or a tone
/// sign.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{610}'..='\u{65F}' | '\u{900}'..='\u{109F}' | '\u{1780}'..='\u{17DD}')
}

/// A number for the script of a letter. It is the same for scripts that occur together in words.
pub(super) fn script(c: char) -> u32 {
    match c {
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => 1,
        '\u{400}'..='\u{52F}' | '\u{1C80}'..='\u{1C8F}' | '\u{2DE0}'..='\u{2DFF}' => 2,
        '\u{590}'..='\u{5FF}' | '\u{FB1D}'..='\u{FB4F}' => 3,
        '\u{600}'..='\u{8FF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}' => 4,
        '\u{10A0}'..='\u{10FF}' | '\u{1C90}'..='\u{1CBF}' | '\u{2D00}'..='\u{2D2F}' => 5,
        '\u{1100}'..='\u{11FF}' | '\u{3000}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}' => 6,
        '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' => 6,
        '\u{20000}'..='\u{3FFFF}' => 6,
        '\u{1200}'..='\u{139F}' | '\u{2D80}'..='\u{2DDF}' => 7,
        '\u{1780}'..='\u{17FF}' => 8,
        // The scripts of India and others have one block each.
        _ => u32::from(c) >> 7,
    }
}
