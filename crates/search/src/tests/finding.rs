use super::super::find::{Search, SearchOptions};
use super::super::options::IndexOptions;
use super::super::query::Operator;
use super::super::value::{ColumnType, Value};
use super::fields::typed;
use super::{TestIndex, build_parts, build_texts, defaults, ids, names, with_language};

fn best(limit: usize) -> SearchOptions {
    SearchOptions {
        limit: Some(limit),
        ..SearchOptions::default()
    }
}

fn texts() -> TestIndex {
    TestIndex::of(&[
        "The quick brown fox jumps over the lazy dog",
        "A quick guide to brown bread",
        "Dogs and foxes; the lazy applicant applied",
        "Ein Café in Zürich, l'amour d'hier",
    ])
}

#[test]
fn words_and_operators_select_documents() {
    let made = texts();
    assert_eq!(made.ids("quick"), ["0", "1"]);
    assert_eq!(made.ids("QUICK fox"), ["0"]);
    assert_eq!(made.ids("fox OR bread"), ["0", "1"]);
    assert_eq!(made.ids("quick -fox"), ["1"]);
    assert_eq!(made.ids("quick AND NOT bread"), ["0"]);
    assert_eq!(made.ids("NOT quick"), ["2", "3"]);
    assert_eq!(made.ids("(fox OR bread) lazy"), ["0"]);
    assert_eq!(made.ids("*"), ["0", "1", "2", "3"]);
    assert_eq!(made.ids("nowhere"), Vec::<String>::new());
    assert_eq!(made.ids("quick AND (-fox)"), ["1"]);
    // No document has this phrase.
    assert_eq!(made.ids("quick -\"bread fox\""), ["0", "1"]);
    // Punctuation is skipped.
    assert_eq!(made.ids("quick & brown -- fox"), ["0"]);
}

#[test]
fn the_operator_between_words_is_an_option() {
    let made = texts();
    let or = SearchOptions {
        operator: Operator::Or,
        ..SearchOptions::default()
    };
    assert_eq!(made.ranked("fox bread", &or).len(), 2);
    assert_eq!(made.ranked("fox bread", &SearchOptions::default()).len(), 0);
}

#[test]
fn accents_and_apostrophes_do_not_matter() {
    let made = texts();
    for query in [
        "café",
        "cafe",
        "CAFÉ",
        "zurich",
        "amour",
        "l'amour",
        "\"cafe in zürich\"",
    ] {
        assert_eq!(made.ids(query), ["3"], "{query}");
    }
}

#[test]
fn phrases_match_words_in_order() {
    let made = texts();
    assert_eq!(made.ids("\"quick brown\""), ["0"]);
    assert_eq!(made.ids("\"brown quick\""), Vec::<String>::new());
    assert_eq!(made.ids("\"quick guide brown\""), Vec::<String>::new());
    assert_eq!(made.ids("\"quick brown\"~3"), ["0", "1"]);
    assert_eq!(made.ids("\"lazy app\"*"), ["2"]);
    assert_eq!(made.ids("\"lazy d\"*"), ["0"]);
    assert_eq!(made.ids("\"lazy x\"*"), Vec::<String>::new());
}

#[test]
fn prefixes_and_similar_words_are_found() {
    let made = texts();
    assert_eq!(made.ids("appl*"), ["2"]);
    assert_eq!(made.ids("fox*"), ["0", "2"]);
    assert_eq!(made.ids("FOX*"), ["0", "2"]);
    assert_eq!(made.ids("zzz*"), Vec::<String>::new());
    assert_eq!(made.ids("quikc~1"), ["0", "1"]);
    assert_eq!(made.ids("quikkc~1"), Vec::<String>::new());
    assert_eq!(made.ids("quikkc~2"), ["0", "1"]);
    assert_eq!(made.ids("zurihc~"), ["3"]);
}

#[test]
fn the_word_itself_scores_better_than_similar_ones() {
    let made = TestIndex::of(&["form", "from", "farm"]);
    let found = made.ranked("form~1", &SearchOptions::default());
    assert_eq!(found[0], "0");
    assert_eq!(found.len(), 3);
}

#[test]
fn more_terms_than_are_scored_are_all_found() {
    let texts: Vec<String> = (0..700).map(|at| format!("word{at:03} common")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let made = TestIndex::of(&texts);
    assert_eq!(made.ids("word*").len(), 700);
    assert_eq!(made.ids("word12*").len(), 10);
    assert_eq!(made.ids("word~2").len(), 0);
    // With two of three digits free, one digit has to match.
    assert!(made.ids("word123~2").len() > 180);
    assert_eq!(made.ids("\"common word\"*").len(), 0);
    assert_eq!(made.ids("\"word12\"*").len(), 10);
}

#[test]
fn text_without_spaces_is_found() {
    let made = TestIndex::of(&[
        "日本語の文書です。東京都に住んでいます",
        "中华人民共和国的语言",
        "한국어 문서와 日本",
        "ภาษาไทยไม่มีช่องว่าง",
        "本日は晴天",
        "これは日\n本語の行",
        "平成第1回の会議",
    ]);
    assert_eq!(made.ids("日本"), ["0", "2", "5"]);
    assert_eq!(made.ids("日本語"), ["0", "5"]);
    assert_eq!(made.ids("\"日本語\""), ["0", "5"]);
    assert_eq!(made.ids("本日"), ["4"]);
    assert_eq!(made.ids("語"), ["0", "5"]);
    assert_eq!(made.ids("言"), ["1"]);
    assert_eq!(made.ids("人民"), ["1"]);
    assert_eq!(made.ids("共和國"), Vec::<String>::new());
    assert_eq!(made.ids("한국"), ["2"]);
    assert_eq!(made.ids("문서"), ["2"]);
    assert_eq!(made.ids("ไทย"), ["3"]);
    assert_eq!(made.ids("ไม่มี"), ["3"]);
    assert_eq!(made.ids("日本 東京"), ["0"]);
    assert_eq!(made.ids("日本*"), ["0", "2", "5"]);
    assert_eq!(made.ids("第1回"), ["6"]);
    assert_eq!(made.ids("\"문서와 日本\""), ["2"]);
    assert_eq!(made.ids("\"문서와 日\""), ["2"]);
    assert_eq!(made.ids("会 OR 都"), ["0", "6"]);
}

#[test]
fn full_width_and_half_width_are_equal() {
    let made = TestIndex::of(&["ＡＢＣ株式会社", "ｶﾅ文字"]);
    assert_eq!(made.ids("abc"), ["0"]);
    assert_eq!(made.ids("カナ"), ["1"]);
}

#[test]
fn a_language_finds_other_forms_and_is_stored() {
    let made = TestIndex::with(
        &with_language("english"),
        &["running contracts", "a contract runs"],
    );
    assert_eq!(made.ids("contract"), ["0", "1"]);
    assert_eq!(made.ids("\"contracts run\""), ["1"]);
    assert_eq!(made.ids("\"run contract\""), ["0"]);
    // A prefix that is longer than the stem is still a prefix.
    assert_eq!(made.ids("contracts*"), ["0", "1"]);
    assert_eq!(made.ids("contr*"), ["0", "1"]);
    assert_eq!(made.ids("contarct~1"), ["0", "1"]);
    let plain = TestIndex::of(&["running contracts", "a contract runs"]);
    assert_eq!(plain.ids("contract"), ["1"]);
}

#[test]
fn stop_words_are_skipped() {
    let mut options = with_language("english");
    options.words.stop_words = true;
    let made = TestIndex::with(&options, &["the end of the road", "end road"]);
    assert_eq!(made.ids("the road"), ["0", "1"]);
    assert_eq!(made.ids("\"end of the road\""), ["0"]);
    assert_eq!(made.ids("\"end road\""), ["1"]);
    assert!(made.error("the").contains("no word to search for"));
}

#[test]
fn too_many_patterns_are_rejected() {
    let made = texts();
    assert!(
        made.error(&"a* ".repeat(65))
            .contains("64 words with *, ? or ~")
    );
    assert_eq!(made.ids(&"fox* ".repeat(64)), ["0", "2"]);
    let long = format!("{}~1", "x".repeat(65));
    assert!(made.error(&long).contains("64 characters"));
    assert!(made.error(&"日本".repeat(4000)).contains("4096 terms"));
    assert_eq!(made.ids(&"日本".repeat(1000)), Vec::<String>::new());
}

#[test]
fn better_hits_come_first() {
    let made = TestIndex::of(&[
        "word and a long text around it, that says many other things too",
        "word",
        "word word word",
        "nothing",
    ]);
    let found = made.ranked("word", &SearchOptions::default());
    assert_eq!(found[2], "0");
    assert_eq!(found.len(), 3);
    let boosted = made.ranked("word OR nothing^100", &SearchOptions::default());
    assert_eq!(boosted[0], "3");
}

#[test]
fn a_filter_does_not_change_scores() {
    let made = typed();
    let score = |query: &str| {
        let mut hits = made.search.find(query, &best(1)).unwrap();
        hits.row(0, &[], false).unwrap().unwrap().score
    };
    assert_eq!(score("katzen"), score("katzen lang:de pages:>0"));
}

#[test]
fn equal_hits_are_ordered_by_id_however_the_index_was_built() {
    let ids_of = |parts: usize| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("idx");
        let urls: Vec<String> = (0..60).map(|at| format!("{:02}", at * 37 % 60)).collect();
        let rows: Vec<[Value<'_>; 2]> = urls
            .iter()
            .map(|url| [Value::Text(url), Value::Text("the same text")])
            .collect();
        let rows: Vec<&[Value<'_>]> = rows.iter().map(|row| row.as_slice()).collect();
        let chunks: Vec<&[&[Value<'_>]]> = rows.chunks(60_usize.div_ceil(parts)).collect();
        build_parts(&path, super::URL_AND_DOCUMENT, &defaults(), &chunks).unwrap();
        let search = Search::open(&[path]).unwrap();
        let all = ids(&search, "same", &SearchOptions::default());
        assert_eq!(ids(&search, "same", &best(7)), all[..7]);
        let next = SearchOptions {
            offset: 7,
            ..best(5)
        };
        assert_eq!(ids(&search, "same", &next), all[7..12]);
        all
    };
    let expected: Vec<String> = (0..60).map(|at| format!("{at:02}")).collect();
    assert_eq!(ids_of(1), expected);
    assert_eq!(ids_of(4), expected);
}

#[test]
fn several_id_columns_form_one_id() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idx");
    let columns = [
        ("source_file", ColumnType::Text),
        ("page", ColumnType::Integer),
        ("text", ColumnType::Text),
    ];
    let row = |file, page| [Value::Text(file), Value::Integer(page), Value::Text("same")];
    let rows = [row("b", 1), row("a", 10), row("a", 9), row("a", -1)];
    let rows: Vec<&[Value<'_>]> = rows.iter().map(|row| row.as_slice()).collect();
    let options = IndexOptions {
        id: Some(names("source_file, page")),
        ..defaults()
    };
    build_parts(&path, &columns, &options, &[&rows]).unwrap();
    let search = Search::open(&[path]).unwrap();
    let all = [
        "a#Integer(-1)",
        "a#Integer(9)",
        "a#Integer(10)",
        "b#Integer(1)",
    ];
    assert_eq!(ids(&search, "same", &SearchOptions::default()), all);
    assert_eq!(ids(&search, "same", &best(2)), all[..2]);
}

#[test]
fn limit_and_offset_select_hits() {
    let made = texts();
    assert_eq!(made.ranked("*", &best(0)).len(), 0);
    assert_eq!(made.ranked("*", &best(3)).len(), 3);
    assert_eq!(made.ranked("*", &best(usize::MAX)).len(), 4);
    let far = SearchOptions {
        offset: usize::MAX,
        ..best(3)
    };
    assert_eq!(made.ranked("*", &far).len(), 0);
    // An invalid query is an error even if no hits are requested.
    assert!(made.search.find("(", &best(0)).is_err());
    assert!(made.search.check("(", &best(0)).is_err());
    assert!(made.search.check("quick", &best(0)).is_ok());
}

#[test]
fn several_indexes_are_searched_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [
        "rare common common",
        "common words",
        "common",
        "rare",
        "words rare words",
        "x",
    ];
    let paths: Vec<_> = ["a", "b", "all"]
        .iter()
        .map(|name| folder.path().join(name))
        .collect();
    build_texts(&paths[0], &defaults(), &texts[..4]).unwrap();
    let rows = [
        [Value::Text("4"), Value::Text(texts[4])],
        [Value::Text("5"), Value::Text(texts[5])],
    ];
    build_parts(
        &paths[1],
        super::URL_AND_DOCUMENT,
        &defaults(),
        &[&[&rows[0], &rows[1]]],
    )
    .unwrap();
    build_texts(&paths[2], &defaults(), &texts).unwrap();
    let both = Search::open(&paths[..2]).unwrap();
    let all = Search::open(&paths[2..]).unwrap();
    for query in [
        "rare",
        "common OR words",
        "rare words",
        "wor*",
        "\"rare common\"",
        "commn~",
    ] {
        let scored = |search: &Search| {
            let mut hits = search.find(query, &SearchOptions::default()).unwrap();
            let mut rows = Vec::new();
            while let Some(row) = hits.row(rows.len(), &[0], true).unwrap() {
                rows.push((row.values, row.score.to_bits(), row.snippet));
            }
            rows
        };
        assert_eq!(scored(&both), scored(&all), "{query}");
        assert_eq!(
            ids(&both, query, &best(1)),
            ids(&all, query, &best(1)),
            "{query}"
        );
    }
}
