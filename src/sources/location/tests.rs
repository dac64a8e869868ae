use object_store::memory::InMemory;

use super::*;

fn parts(text: &str) -> (String, String, Option<String>) {
    let location = Location::parse(text).unwrap();
    (
        location.store.as_str().to_owned(),
        location.base.to_string(),
        location.glob.map(|glob| glob.to_string()),
    )
}

#[test]
fn urls_and_globs_are_parsed() {
    let glob = |text: &str| Some(text.to_owned());
    assert_eq!(
        parts("s3://bucket/a/b/*.warc.gz"),
        ("s3://bucket/".into(), "a/b".into(), glob("*.warc.gz"))
    );
    assert_eq!(
        parts("https://host:81/a%20b/c.pdf"),
        ("https://host:81/".into(), "a b/c.pdf".into(), None)
    );
    assert_eq!(
        parts("/no/such/**/x[0-9].pdf"),
        ("file:///".into(), "no/such".into(), glob("**/x[0-9].pdf"))
    );
    assert_eq!(
        parts("file:///no/such%20file"),
        ("file:///".into(), "no/such file".into(), None)
    );
}

#[test]
fn queries_of_urls_are_kept() {
    for (text, path) in [
        ("https://host/a/b.pdf?x=1&y=%2F", "a/b.pdf/?x=1&y=%2F"),
        ("https://host/a.pdf?u=b/c", "a.pdf/?u=b%2Fc"),
        ("https://host/?x", "?x"),
    ] {
        let location = Location::parse(text).unwrap();
        assert_eq!(location.base.as_ref(), path);
        let shown = display_name(&location.store, &location.base);
        assert_eq!(shown, text.replace("b/c", "b%2Fc"));
    }
    let folder = Location::parse("https://host/files/").unwrap();
    let below = folder.below("a.pdf?x=1").unwrap();
    assert_eq!(below.as_ref(), "files/a.pdf/?x=1");
}

#[test]
fn invalid_locations_are_errors() {
    for text in ["", "/no/such/[", "s3://", "http://host/*.pdf"] {
        assert!(Location::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_star_stays_in_its_folder() {
    let selects = |pattern: &str, file: &str| {
        Location::parse(pattern)
            .unwrap()
            .selects(&Path::from(file), &[])
    };
    assert!(selects("s3://b/a/*.pdf", "a/x.pdf"));
    assert!(!selects("s3://b/a/*.pdf", "a/b/x.pdf"));
    assert!(!selects("s3://b/a/*.pdf", "a/.x.pdf"));
    assert!(selects("s3://b/a/**/*.pdf", "a/b/c/x.pdf"));
    assert!(selects("s3://b/a/**/*.pdf", "a/x.pdf"));
}

#[test]
fn folders_below_a_location_are_listed() {
    let location = Location::parse("s3://b/base").unwrap();
    assert_eq!(
        location.folders_below(&Path::from("base/year=2024/m=1/x.pdf")),
        ["year=2024", "m=1"]
    );
    assert!(location.folders_below(&Path::from("base/x.pdf")).is_empty());
}

#[test]
fn folders_in_the_text_of_a_location_count() {
    let cwd = std::env::current_dir().unwrap();
    let here = Path::from_absolute_path(&cwd).unwrap();
    for (text, file, expected) in [
        ("s3://b/k=1/*/c.csv", "k=1/l=2/c.csv", vec!["k=1", "l=2"]),
        ("s3://b/k=1/c.csv", "k=1/c.csv", vec!["k=1"]),
        ("s3://b/k=1", "k=10/c.csv", vec!["k=10"]),
        (
            "https://h/k=1/f=2.csv?a=b/c=d",
            "k=1/f=2.csv/?a=b%2Fc=d",
            vec!["k=1"],
        ),
        (
            "/no/k=1/l=*/c.csv",
            "no/k=1/l=2/c.csv",
            vec!["no", "k=1", "l=2"],
        ),
        ("no/x=1/../k=1/c.csv", "./no/k=1/c.csv", vec!["no", "k=1"]),
        ("no/k=1/", "./no/k=1/l=2/c.csv", vec!["no", "k=1", "l=2"]),
    ] {
        let location = Location::parse(text).unwrap();
        let file = match file.strip_prefix("./") {
            Some(file) => Path::from(format!("{here}/{file}")),
            None => Path::parse(file).unwrap(),
        };
        assert_eq!(location.folders(&file), expected, "{text}");
    }
    let inside = Location::parse(cwd.join("c.csv").to_str().unwrap()).unwrap();
    assert!(!inside.names_keys());
    assert!(Location::parse("k=1/*/c.csv").unwrap().names_keys());
    assert!(!Location::parse("a/k=1.csv").unwrap().names_keys());
}

#[test]
fn missing_credentials_are_those_of_the_store() {
    let error = "Error performing GET http://169.254.169.254/token in 1ms";
    for (store, expected) in [
        ("s3://bucket/", "AWS_ACCESS_KEY_ID"),
        ("gs://bucket/", "GOOGLE_APPLICATION_CREDENTIALS"),
        ("az://container/", "AZURE_STORAGE_ACCOUNT_KEY"),
        ("abfss://container/", "AZURE_STORAGE_ACCOUNT_KEY"),
    ] {
        let hint = no_credentials(store, error).unwrap();
        assert!(hint.contains(expected), "{store}: {hint}");
    }
    assert_eq!(no_credentials("s3://bucket/", "403 Forbidden"), None);
}

#[tokio::test]
async fn an_object_whose_name_looks_like_a_glob_is_read_by_its_name() {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    for name in [
        "x/e[.jsonl",
        "x/a[1].jsonl",
        "x/b?.jsonl",
        "x/b1.jsonl",
        "x/c.jsonl",
    ] {
        let path = Path::parse(name).unwrap();
        store.put(&path, "{}".into()).await.unwrap();
    }
    for (location, expected) in [
        ("s3://b/x/a[1].jsonl", &["x/a[1].jsonl"][..]),
        ("s3://b/x/e[.jsonl", &["x/e[.jsonl"]),
        ("s3://b/x/b?.jsonl", &["x/b1.jsonl", "x/b?.jsonl"]),
        (
            "s3://b/x/[ab]*",
            &["x/a[1].jsonl", "x/b1.jsonl", "x/b?.jsonl"],
        ),
        ("s3://b/x/d*", &[]),
    ] {
        let location = Location::parse(location).unwrap();
        let files = location.files(&store, &[]).await.unwrap_or_default();
        let names: Vec<&str> = files.iter().map(|file| file.location.as_ref()).collect();
        assert_eq!(names, expected);
    }
}
