use crate::surt;

/// All keys are what `surt` 0.3.1 makes.
#[test]
fn keys_of_python_surt() {
    let pairs = include_str!("../../tests/data/surt_pairs.tsv");
    let mut count = 0;
    for line in pairs.lines() {
        let (url, key) = line.split_once('\t').unwrap();
        let unescaped = |text: &str| {
            let text = text
                .replace("\\n", "\n")
                .replace("\\t", "\t")
                .replace("\\r", "\r");
            text.replace("\\\\", "\\")
        };
        assert_eq!(surt(&unescaped(url)), unescaped(key), "{url}");
        count += 1;
    }
    assert!(count > 100);
}

#[test]
fn what_is_no_url_is_its_own_key() {
    assert_eq!(surt(""), "-");
    for url in ["filedesc:foo.arc.gz", " ", "http://a:b/", "http://a:70000/"] {
        assert_eq!(surt(url), url);
    }
}
