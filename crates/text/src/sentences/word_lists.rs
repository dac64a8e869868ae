//! Words that decide whether a period ends a sentence, in several languages. Each list is sorted.

/// Abbreviations before a name, a number or an example. Those that may end a sentence, such as
/// "Inc.", are not among them.
#[rustfmt::skip]
pub const TITLES: &[&str] = &[
    "Adm", "Av", "Avda", "Avv", "Bd", "Capt", "Cmdr", "Col", "Dipl.-Ing", "Dott", "Doç", "Dr",
    "Dra", "Dña", "EE", "Exma", "Exmo", "Fr", "Gen", "Geom", "Gov", "Hon", "Hr", "Hrsg", "Ing",
    "JUDr", "Lt", "MM", "MUDr", "Maj", "Messrs", "Mgr", "Mlle", "Mme", "Mr", "Mrs", "Ms", "Mt",
    "PhDr", "Prof", "Rep", "Rev", "Sen", "Sgt", "Sig", "Sigg", "Sn", "Sr", "Sra", "Srta", "St",
    "Sta", "Sto", "Ud", "Uds", "Univ.-Prof", "Vd", "bijv", "bkz", "bl.a", "bspw", "bv", "bzgl",
    "bzw", "ca", "cf", "chap", "d.h", "d.w.z", "dhr", "dr", "drs", "e.g", "ev", "evtl", "f.eks",
    "geb", "ggf", "hab", "i.d.R", "i.e", "i.p.v", "inkl", "insb", "inż", "ir", "jf", "kb", "ks",
    "m.in", "mevr", "mgr", "mw", "např", "np", "o.a", "o.g", "p.ex", "pl", "prof", "pág",
    "págs", "resp", "sog", "t.ex", "tj", "tzn", "tzv", "tzw", "u.U", "u.a", "ul", "vgl", "vs",
    "z.B", "z.T", "z.Zt", "éd", "ún", "św", "Δρ", "βλ", "δηλ", "π.χ", "акад", "гл", "доц", "им",
    "напр", "проф", "рис", "св", "см", "стр", "т.е", "т.к", "тов", "ул",
];

/// Abbreviations that do not end a sentence before a number, such as those of months.
#[rustfmt::skip]
pub const BEFORE_NUMBERS: &[&str] = &[
    "Abb", "Abs", "Apr", "Art", "Aug", "Bl", "Cap", "Ch", "Dec", "Dez", "Ed", "Eq", "Eqs",
    "Feb", "Fig", "Figs", "Fri", "Jan", "Jul", "Jun", "Kap", "Mar", "Mon", "Mär", "No", "Nos",
    "Nov", "Nr", "Nrn", "N°", "Nº", "Núm", "Oct", "Okt", "Op", "P", "PP", "Rn", "Rz", "S",
    "Sat", "Sec", "Sect", "Sep", "Sept", "Sun", "Tab", "Thu", "Thur", "Thurs", "Tue", "Tues",
    "Vol", "Vols", "Wed", "Z", "Ziff", "abr", "ago", "approx", "art", "avr", "blz", "c", "ca",
    "cap", "ch", "dic", "déc", "ed", "ene", "eq", "fig", "figs", "févr", "janv", "juil", "no",
    "nos", "nr", "n°", "nº", "núm", "op", "p", "pag", "pp", "sec", "sect", "str", "vol", "vols",
    "№",
];

/// Frequent first words of sentences, which seldom follow an initial or an abbreviation with
/// periods as part of a name.
#[rustfmt::skip]
pub const STARTERS: &[&str] = &[
    "A", "Aber", "Am", "An", "And", "Are", "As", "At", "Auch", "But", "Ce", "Cette", "Dann",
    "Dans", "Das", "De", "Der", "Did", "Die", "Diese", "Dieser", "Do", "Does", "Een", "Ein",
    "Eine", "El", "Ela", "Ele", "Eles", "Ella", "Elle", "Elles", "Ellos", "En", "Er", "Es",
    "Esta", "Este", "Et", "Gli", "He", "Her", "Here", "Het", "Heute", "Hij", "His", "How",
    "However", "I", "Ich", "If", "Il", "Ils", "Im", "In", "Is", "It", "Its", "Je", "Jetzt",
    "La", "Las", "Le", "Les", "Lo", "Los", "Ma", "Maar", "Mais", "Mas", "My", "Nous", "O", "On",
    "Os", "Our", "Pero", "Please", "Pour", "Questa", "Questo", "She", "Sie", "So", "That",
    "The", "Their", "Then", "There", "These", "They", "This", "Those", "Um", "Uma", "Un", "Una",
    "Und", "Une", "Vous", "Was", "We", "Wenn", "Wer", "Were", "What", "When", "Where", "Who",
    "Why", "Wie", "Wij", "Wir", "Yo", "You", "Zij", "Вы", "Если", "Как", "Мы", "На", "Но", "Он",
    "Она", "Они", "Оно", "По", "Так", "Это",
];

/// Months that follow the day in German dates.
#[rustfmt::skip]
pub const GERMAN_MONTHS: &[&str] = &[
    "Apr", "April", "Aug", "August", "Dez", "Dezember", "Feb", "Februar", "Jan", "Januar",
    "Jul", "Juli", "Jun", "Juni", "Jänner", "Mai", "Mär", "März", "Nov", "November", "Okt",
    "Oktober", "Sep", "Sept", "September",
];

/// German words before an ordinal number, which is written with a period.
#[rustfmt::skip]
pub const BEFORE_ORDINALS: &[&str] = &[
    "Ab", "Am", "Beim", "Bis", "Das", "Dem", "Den", "Der", "Des", "Die", "Im", "Seit", "Vom",
    "Zum", "ab", "am", "beim", "bis", "das", "dem", "den", "der", "des", "die", "ein", "eine",
    "einem", "einen", "einer", "im", "jeden", "jeder", "seit", "und", "vom", "zum",
];

/// Whether a sorted list has a word.
pub fn contains(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

#[test]
fn lists_are_sorted() {
    for list in [
        TITLES,
        BEFORE_NUMBERS,
        STARTERS,
        GERMAN_MONTHS,
        BEFORE_ORDINALS,
    ] {
        assert!(list.is_sorted(), "{list:?}");
    }
}
