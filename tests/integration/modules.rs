//! Modules of the same folder depend on each other in one direction only.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::support::root;

/// Returns the source folders of all crates.
fn crates() -> Vec<PathBuf> {
    let formats = std::fs::read_dir(root().join("formats")).unwrap();
    let formats = formats.map(|entry| entry.unwrap().path());
    let others = ["columns", "search", "staging", "udfs", "."].map(|name| root().join(name));
    formats
        .chain(others)
        .map(|folder| folder.join("src"))
        .collect()
}

type Module = Vec<String>;

/// Collects the modules of a crate, each with its code, without tests.
fn collect(folder: &Path, parent: &Module, modules: &mut BTreeMap<Module, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut module = parent.clone();
        match name.as_str() {
            "tests" => continue,
            "lib" | "main" | "mod" => {}
            _ => module.push(name),
        }
        if path.is_dir() {
            collect(&path, &module, modules);
            continue;
        }
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let code = std::fs::read_to_string(&path).unwrap();
        let code = code.split("#[cfg(test)]\nmod ").next().unwrap();
        let code: Vec<&str> = code.lines().filter(|line| !line.contains("//")).collect();
        modules.entry(module).or_default().push_str(&code.join(""));
    }
}

/// Adds the paths of a `use` tree, whose text follows `prefix`. Returns the text after the tree.
fn paths<'a>(text: &'a str, prefix: &Module, found: &mut BTreeSet<Module>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut group) = text.strip_prefix('{') {
        while let Some((_, rest)) = group.split_once([',', '}']) {
            let after = paths(group, prefix, found).trim_start();
            group = after.strip_prefix(',').unwrap_or(rest);
            if let Some(after) = after.strip_prefix('}') {
                return after;
            }
        }
        return group;
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    let mut path = prefix.clone();
    match name {
        "crate" => path.clear(),
        "super" => drop(path.pop()),
        _ => path.push(name.to_owned()),
    }
    match rest.strip_prefix("::") {
        Some(rest) => paths(rest, &path, found),
        None => {
            found.insert(path);
            rest
        }
    }
}

#[test]
fn modules_do_not_depend_on_each_other_in_a_circle() {
    let crates = crates();
    assert!(crates.len() > 15, "{crates:?}");
    for folder in crates {
        let mut modules = BTreeMap::new();
        collect(&folder, &Module::new(), &mut modules);
        // For each folder: one module, another that it uses, and the file that does so.
        let mut folders: BTreeMap<Module, BTreeSet<[String; 3]>> = BTreeMap::new();
        for (module, code) in &modules {
            let mut found = BTreeSet::new();
            for (at, _) in code
                .match_indices("crate::")
                .chain(code.match_indices("super::"))
            {
                // The second of `super::super::` belongs to the first.
                if !code[..at].ends_with("::") {
                    paths(&code[at..], module, &mut found);
                }
            }
            for path in found {
                let same = module.iter().zip(&path).take_while(|(a, b)| a == b).count();
                if let (Some(user), Some(used)) = (module.get(same), path.get(same))
                    && modules.contains_key(&path[..=same])
                {
                    let edge = [user.clone(), used.clone(), module.join("::")];
                    folders
                        .entry(path[..same].to_vec())
                        .or_default()
                        .insert(edge);
                }
            }
        }
        for (parent, mut edges) in folders {
            // A module that uses no other is in no circle, nor is one that no other uses.
            for _ in 0..edges.len() {
                let users: BTreeSet<_> = edges.iter().map(|[user, ..]| user.clone()).collect();
                let used: BTreeSet<_> = edges.iter().map(|[_, used, _]| used.clone()).collect();
                edges.retain(|[from, to, _]| users.contains(to) && used.contains(from));
            }
            assert!(
                edges.is_empty(),
                "{}, {parent:?}: {edges:#?}",
                folder.display()
            );
        }
    }
}

/// `rustfmt` leaves comments as they are.
#[test]
fn comments_have_at_most_100_columns() {
    fn check(folder: &Path, long: &mut String) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                check(&path, long);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let code = std::fs::read_to_string(&path).unwrap();
                for (number, line) in code.lines().enumerate() {
                    if line.trim_start().starts_with("//") && line.chars().count() > 100 {
                        let _ = writeln!(long, "{}:{}: {line}", path.display(), number + 1);
                    }
                }
            }
        }
    }
    let mut long = String::new();
    for source in crates() {
        for folder in ["src", "tests", "examples"] {
            check(&source.with_file_name(folder), &mut long);
        }
    }
    assert!(long.is_empty(), "{long}");
}
