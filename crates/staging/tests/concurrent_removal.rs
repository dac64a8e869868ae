//! A process may end while one of its tasks removes a staging folder. [`abandon_all`] affects the
//! whole process, so this test has a separate one.

use std::fs;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use corpus_staging::{Staging, abandon_all};

#[test]
fn a_folder_that_its_owner_is_removing_is_gone_when_the_process_ends() {
    const ROUNDS: usize = 2_000;
    let root = tempfile::tempdir().unwrap();
    for _ in 0..ROUNDS {
        let staging = Staging::beside(&root.path().join("new/out")).unwrap();
        let ready = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                ready.wait();
                drop(staging);
            });
            ready.wait();
            abandon_all(Duration::from_secs(1));
            // The process would end here.
            assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
        });
    }
}
