//! Checks that the seconds and megabytes of README.md and docs/comparison.md are those of
//! docs/benchmarks.md.

use std::fs;

use crate::support::root;

/// The figures of a program in a row of docs/benchmarks.md.
struct Measured {
    /// The median of user CPU time.
    seconds: String,
    memory: String,
}

/// The rows of docs/benchmarks.md.
fn benchmarks() -> Vec<Measured> {
    let page = fs::read_to_string(root().join("docs/benchmarks.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let measured = rows.filter_map(|row| {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [_, seconds, memory, _] = cells[..] else {
            return None;
        };
        let median = seconds.split(" (").next().unwrap_or_default();
        Some(Measured {
            seconds: median.to_owned(),
            memory: memory.to_owned(),
        })
    });
    measured.collect()
}

#[test]
fn figures_of_the_readme_and_the_comparison_are_measured_ones() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, readme) = readme.split_once("\n## How fast\n").unwrap();
    let readme = readme.split("\n## ").next().unwrap_or_default();
    let comparison = fs::read_to_string(root().join("docs/comparison.md")).unwrap();
    let words: Vec<&str> = [readme, comparison.as_str()]
        .into_iter()
        .flat_map(str::split_whitespace)
        .map(|word| word.trim_end_matches([',', ';', '.', ')', ']']))
        .collect();
    let benchmarks = benchmarks();
    let mut count = 0;
    for pair in words.windows(2) {
        let [number, unit] = pair else { continue };
        if number.parse::<f64>().is_err() {
            continue;
        }
        let is_measured = match unit.split("](").next() {
            Some("s") => benchmarks.iter().any(|row| row.seconds == *number),
            Some("MB") => {
                let memory = format!("{number} MB");
                benchmarks.iter().any(|row| row.memory == memory)
            }
            _ => continue,
        };
        assert!(
            is_measured,
            "docs/benchmarks.md does not have {number} {unit}"
        );
        count += 1;
    }
    assert!(count > 5, "{count} figures");
}
