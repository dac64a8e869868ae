//! Tests the output of tasks that are stuck when the process ends. No output can be moved into
//! place afterwards, so this test needs a separate process.

use std::fs;
use std::time::Duration;

use corpus_staging::{Staging, abandon_all, commit};

const PATIENCE: Duration = Duration::from_millis(50);

#[test]
fn abandoned_folders_are_removed_and_nothing_appears_afterwards() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("new/out");
    let stuck = Staging::beside(&target).unwrap();
    fs::write(stuck.files().join("0"), "partial").unwrap();

    // A commit in progress is not disturbed.
    let running = commit().unwrap();
    abandon_all(PATIENCE);
    assert!(stuck.files().join("0").exists());
    drop(running);

    abandon_all(PATIENCE);
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    let moves = [(stuck.files().join("0"), target.clone())];
    let error = stuck.move_files(&moves, &[]).unwrap_err();
    assert_eq!(error.error.to_string(), "the program is ending");
    assert!(!target.exists());
}
