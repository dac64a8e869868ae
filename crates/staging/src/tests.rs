use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn names_of_staging_folders_are_recognized() {
    for name in ["x.csv.part-1-0", ".part-12-34", "a.part-b.part-1-2"] {
        assert!(is_unfinished(name), "{name}");
    }
    for name in [
        "x.part-1",
        "x.part-1-",
        "x.part--1",
        "x.part-1-2x",
        "part-1-2",
        "x",
    ] {
        assert!(!is_unfinished(name), "{name}");
    }
}

#[test]
fn an_abandoned_staging_folder_takes_the_folders_it_created_along() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("new/folder/x");
    let staging = Staging::beside(&target).unwrap();
    fs::write(staging.files().join("0"), "partial").unwrap();
    drop(staging);
    assert_eq!(names(root.path()), [""; 0]);

    let staging = Staging::beside(&target).unwrap();
    fs::write(staging.files().join("0"), "whole").unwrap();
    let moves = [(staging.files().join("0"), target.clone())];
    staging.move_files(&moves, &[]).unwrap();
    assert_eq!(read(&target), "whole");
    assert_eq!(names(target.parent().unwrap()), ["x"]);
}

#[test]
fn a_replaced_folder_keeps_its_permissions() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("out");
    fs::create_dir(&target).unwrap();
    fs::write(target.join("old"), "").unwrap();
    let mut permissions = fs::metadata(&target).unwrap().permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o750);
    fs::set_permissions(&target, permissions).unwrap();
    let permissions = fs::metadata(&target).unwrap().permissions();
    let staging = Staging::beside(&target).unwrap();
    assert!(staging.reaches(&target));
    fs::write(staging.new_content().join("new"), "").unwrap();
    assert!(staging.replace(&target).unwrap());
    drop(staging);
    assert_eq!(names(&target), ["new"]);
    assert_eq!(fs::metadata(&target).unwrap().permissions(), permissions);
    assert_eq!(names(root.path()), ["out"]);
}

#[test]
fn a_commit_that_fails_is_undone() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("out");
    fs::create_dir(&target).unwrap();
    fs::write(target.join("old"), "old").unwrap();
    let staging = Staging::inside(&target).unwrap();
    fs::write(staging.files().join("0"), "new").unwrap();
    let moves = [
        (staging.files().join("0"), target.join("a")),
        (staging.files().join("missing"), target.join("b")),
    ];
    let error = staging
        .move_files(&moves, &[target.join("old")])
        .unwrap_err();
    assert_eq!(error.path, target.join("b"));
    assert_eq!(names(&target), ["old"]);
    assert_eq!(read(target.join("old")), "old");
}

#[test]
fn a_commit_that_was_killed_is_completed() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("out");
    let killed = target.join(".part-1-0");
    fs::create_dir_all(killed.join(FILES)).unwrap();
    fs::create_dir_all(killed.join(OLD_FILES)).unwrap();
    fs::write(killed.join(LOCK), "").unwrap();
    for name in ["old", "done"] {
        fs::write(target.join(name), name).unwrap();
    }
    fs::write(killed.join(FILES).join("1"), "next").unwrap();
    let renames = [
        (target.join("old"), killed.join(OLD_FILES).join("0")),
        (killed.join(FILES).join("0"), target.join("done")),
        (killed.join(FILES).join("1"), target.join("next")),
    ];
    write_journal(&killed, &renames).unwrap();
    remove_abandoned(&target).unwrap();
    assert_eq!(names(&target), ["done", "next"]);
    assert_eq!(read(target.join("next")), "next");
}

#[test]
fn only_a_free_lock_of_ours_is_removed() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("x");
    let make = |number: u32, lock: Option<&str>| {
        let folder = root.path().join(format!("x.part-{number}-0"));
        fs::create_dir(&folder).unwrap();
        if let Some(text) = lock {
            fs::write(folder.join(LOCK), text).unwrap();
        }
    };
    make(1, Some(&format!("{LOCK_HEADER}\n{}\n", host::system())));
    make(2, Some("something else"));
    make(3, None);
    fs::write(root.path().join("x.part-3-0/file"), "").unwrap();
    let alive = Staging::beside(&target).unwrap();
    remove_abandoned(&target).unwrap();
    assert!(alive.files().is_dir());
    drop(alive);
    assert_eq!(names(root.path()), ["x.part-2-0", "x.part-3-0"]);
}

#[test]
fn an_empty_folder_of_a_killed_process_is_removed() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("x");
    for folder in ["x.part-1-0", "x/.part-1-0", "x/documents.part-1-0"] {
        fs::create_dir_all(root.path().join(folder)).unwrap();
    }
    remove_abandoned(&target).unwrap();
    assert_eq!(names(root.path()), ["x"]);
    assert_eq!(names(&target), ["documents.part-1-0"]);
}

#[test]
fn a_file_whose_commit_was_killed_before_its_rename_does_not_appear() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("x.csv");
    let killed = root.path().join("x.csv.part-1-0");
    for folder in [FILES, NEW, OLD_FILES] {
        fs::create_dir_all(killed.join(folder)).unwrap();
    }
    fs::write(killed.join(LOCK), "").unwrap();
    fs::write(killed.join(FILES).join("0"), "whole").unwrap();
    remove_abandoned(&target).unwrap();
    assert_eq!(names(root.path()), [""; 0]);
}
