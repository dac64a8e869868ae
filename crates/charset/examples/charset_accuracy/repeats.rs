//! Pages with one repeated character: declared correctly, declared wrongly, and undeclared.

use std::collections::BTreeMap;

use corpus_charset::{Charset, decode, detect};

use crate::symbols::{CHARSETS, COMPANIONS, COUNTS, PLACES, characters_of, page};
use crate::tables::Count;

/// Page lengths in characters. A page is longer if the symbols need more space.
const LENGTHS: [usize; 3] = [300, 3000, 30_000];

const WRONG: [&str; 3] = ["utf-8", "iso-8859-1", "shift_jis"];

/// Charsets that UTF-8 pages are wrongly declared in.
const WRONG_FOR_UTF_8: [&str; 8] = [
    "iso-8859-1",
    "windows-1251",
    "iso-8859-2",
    "windows-1253",
    "shift_jis",
    "euc-jp",
    "gb2312",
    "euc-kr",
];

/// Characters on otherwise ASCII pages in UTF-8.
const COMMON: &str = "©®™—–’‘“”…•€£°·§«»½×→★✓\u{a0}éèüöäßçñøåčłşı№яаωאعไ日のー、한";

/// Common characters of the multi-byte charsets.
const EAST_ASIAN: [(&str, &str); 5] = [
    (
        "shift_jis",
        "、。・★☆■→←※●◎々ーあいうのはをにがんアイウソタテナ一人日本会社年月高表示能ｱﾝｶ",
    ),
    (
        "euc-jp",
        "、。・★☆■→←※●◎々ーあいうのはをにがんアイウソタテナ一人日本会社年月高表示能",
    ),
    ("gb2312", "、。·★☆■→※我的是了不在有人中一年月日"),
    ("big5", "、。．★☆■→※我的是了不在有人中一年月日許功蓋"),
    ("euc-kr", "、·★☆■→※가나다이는한국의인터넷"),
];

type Table = BTreeMap<(String, String), [Count; COUNTS.len()]>;

/// Prints the percentage of pages decoded correctly. Returns the percentage of correct declarations
/// kept in single-byte charsets, and of UTF-8 pages recovered.
pub fn print(names_failures: bool) -> (f64, f64) {
    let mut table = Table::new();
    for label in CHARSETS {
        let kind_of = |c: char| {
            if c.is_alphabetic() {
                "letter"
            } else {
                "symbol"
            }
        };
        for symbol in characters_of(label) {
            let row = format!("{} of {label}", kind_of(symbol));
            try_symbol(&mut table, &row, label, symbol, &WRONG, names_failures);
        }
    }
    let kept = percent(&table, "right");
    print_table("Percent decoded right, one repeated character", &table);
    let mut table = Table::new();
    for (label, characters) in EAST_ASIAN {
        for symbol in characters.chars() {
            try_symbol(&mut table, label, label, symbol, &WRONG, names_failures);
        }
    }
    print_table(
        "Percent decoded right, one repeated character of East Asia",
        &table,
    );
    let mut table = Table::new();
    for symbol in COMMON.chars() {
        try_symbol(
            &mut table,
            "UTF-8",
            "utf-8",
            symbol,
            &WRONG_FOR_UTF_8,
            names_failures,
        );
    }
    print_table(
        "Percent decoded right, one repeated character in UTF-8",
        &table,
    );
    let recovered = ["right", "none"].into_iter().chain(WRONG_FOR_UTF_8);
    let recovered = recovered.map(|declared| percent(&table, declared));
    (kept, recovered.fold(100.0, f64::min))
}

fn try_symbol(
    table: &mut Table,
    row: &str,
    label: &str,
    symbol: char,
    wrong: &[&str],
    names_failures: bool,
) {
    let Some(charset) = Charset::for_label(label) else {
        return;
    };
    for (column, count) in COUNTS.into_iter().enumerate() {
        for (length, place, companions) in variants() {
            let text = page(symbol, count, length, place, companions);
            // Not every charset has the companions.
            let Some(bytes) = crate::made::encode(&text, charset) else {
                continue;
            };
            let declarations = [("right", Some(label)), ("none", None)];
            let wrong = wrong.iter().map(|label| (*label, Some(*label)));
            for (name, declared) in declarations.into_iter().chain(wrong) {
                // An alias is not a wrong declaration.
                if name == declared.unwrap_or_default()
                    && declared.and_then(Charset::for_label) == Some(charset)
                {
                    continue;
                }
                let detected = detect(&bytes, declared, None).charset;
                let is_right = detected == charset || decode(&bytes, detected) == text;
                let counts = table.entry((row.to_owned(), name.to_owned())).or_default();
                counts[column].all += 1;
                counts[column].right += usize::from(is_right);
                if names_failures && !is_right {
                    println!(
                        "{symbol} of {label} x {count}, {length} {place:?} {companions:?}, declared {name}: detected as {}",
                        detected.name()
                    );
                }
            }
        }
    }
}

fn variants() -> impl Iterator<Item = (usize, crate::symbols::Placement, &'static str)> {
    LENGTHS.into_iter().flat_map(|length| {
        PLACES
            .into_iter()
            .flat_map(move |place| COMPANIONS.map(|companions| (length, place, companions)))
    })
}

fn percent(table: &Table, declared: &str) -> f64 {
    let rows = table.iter().filter(|((_, name), _)| name == declared);
    let sum = rows
        .flat_map(|(_, counts)| counts)
        .fold(Count::default(), |sum, count| Count {
            right: sum.right + count.right,
            all: sum.all + count.all,
        });
    sum.percent()
}

fn print_table(title: &str, table: &Table) {
    println!("\n{title}");
    println!(
        "| | declared | {} |",
        COUNTS.map(|count| format!("x {count}")).join(" | ")
    );
    println!("|{}", "---|".repeat(COUNTS.len() + 2));
    for ((row, declared), counts) in table {
        let cells = counts.map(|count| format!("{:.1}", count.percent()));
        println!("| {row} | {declared} | {} |", cells.join(" | "));
    }
}
