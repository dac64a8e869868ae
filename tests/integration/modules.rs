//! Checks that modules of the same folder depend on each other in one direction only, and that
//! folders list their modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::support::root;

/// Returns the source folders of all crates.
fn crates() -> Vec<PathBuf> {
    let crates = std::fs::read_dir(root().join("crates")).unwrap();
    let crates = crates.map(|entry| entry.unwrap().path());
    let others = [".", "python", "udfs"].map(|name| root().join(name));
    crates
        .chain(others)
        .map(|folder| folder.join("src"))
        .collect()
}

type Module = Vec<String>;

/// Collects the modules of a crate with their code, without tests.
fn collect(folder: &Path, parent: &Module, modules: &mut BTreeMap<Module, String>) {
    let mut entries = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "rs") {
            entries.entry(name).or_insert_with(Vec::new).push(path);
        }
    }
    let mut test_modules = Vec::new();
    for name in ["lib", "main", "mod"] {
        for path in entries.remove(name).into_iter().flatten() {
            let source = std::fs::read_to_string(&path).unwrap();
            let (code, tests) = without_tests(&source);
            test_modules.extend(tests);
            modules.entry(parent.clone()).or_default().push_str(&code);
        }
    }
    for (name, paths) in entries {
        if test_modules.contains(&name) {
            continue;
        }
        let module = [parent.as_slice(), &[name]].concat();
        for path in paths {
            if path.is_dir() {
                collect(&path, &module, modules);
            } else {
                let source = std::fs::read_to_string(&path).unwrap();
                let code = modules.entry(module.clone()).or_default();
                code.push_str(&without_tests(&source).0);
            }
        }
    }
}

/// Removes comments and test modules. Also returns the names of test modules in separate files.
fn without_tests(source: &str) -> (String, Vec<String>) {
    let mut code = String::new();
    let mut files = Vec::new();
    let mut lines = source.lines().peekable();
    while let Some(line) = lines.next() {
        let module = match line.trim() {
            "#[cfg(test)]" => lines.peek().copied().unwrap_or_default(),
            _ => "",
        };
        if let Some((_, name)) = module.split_once("mod ") {
            if let Some(name) = name.strip_suffix(';') {
                files.push(name.to_owned());
                lines.next();
            } else if module.ends_with('{') {
                // The lines of an inline module are indented more than its closing brace.
                let end = line.replace("#[cfg(test)]", "}");
                lines.by_ref().find(|line| *line == end);
            }
            continue;
        }
        code.push_str(line.split("//").next().unwrap_or_default());
        code.push('\n');
    }
    (code, files)
}

#[test]
fn tests_are_cut_out_of_the_code_around_them() {
    let source = "#[cfg(test)]\nmod tests;\n#[cfg(test)]\npub(crate) mod samples;\nuse crate::a; // b\n\
                  #[cfg(test)]\nmod inline {\n    fn c() {\n    }\n}\nuse crate::d;\n";
    let (code, files) = without_tests(source);
    assert_eq!(files, ["tests", "samples"]);
    assert_eq!(code, "use crate::a; \nuse crate::d;\n");
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
    let mut circles = String::new();
    for folder in crates {
        let mut modules = BTreeMap::new();
        collect(&folder, &Module::new(), &mut modules);
        // For each folder: a module, another module that it uses, and the file with the `use`.
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
            // A module that uses no other module, or that no other module uses, is in no cycle.
            for _ in 0..edges.len() {
                let users: BTreeSet<_> = edges.iter().map(|[user, ..]| user.clone()).collect();
                let used: BTreeSet<_> = edges.iter().map(|[_, used, _]| used.clone()).collect();
                edges.retain(|[from, to, _]| users.contains(to) && used.contains(from));
            }
            for [user, used, file] in edges {
                let parent = parent.join("::");
                let folder = folder.display();
                let _ = writeln!(circles, "{folder} {parent}: {user} uses {used} in {file}");
            }
        }
    }
    assert!(circles.is_empty(), "{circles}");
}

/// Collects the modules that the doc comment of their folder does not name.
fn check_lists(folder: &Path, missing: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if path.is_dir() && name != "tests" {
            check_lists(&path, missing);
        } else if name == "lib.rs" || name == "mod.rs" {
            let source = std::fs::read_to_string(&path).unwrap();
            let head: String = source
                .lines()
                .take_while(|line| line.starts_with(['/', '#']))
                .collect();
            let listed: BTreeSet<_> = head
                .split('`')
                .skip(1)
                .step_by(2)
                .flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'))
                .collect();
            let code = without_tests(&source).0;
            let modules = code.lines().filter_map(|line| line.strip_suffix(';'));
            let modules = modules.filter_map(|line| Some(line.split_once("mod ")?.1));
            let modules: Vec<_> = modules.collect();
            for module in &modules {
                if modules.len() > 2 && !listed.contains(module) {
                    let _ = writeln!(missing, "{}: {module}", path.display());
                }
            }
        }
    }
}

#[test]
fn folders_list_their_modules() {
    let mut missing = String::new();
    for folder in crates() {
        check_lists(&folder, &mut missing);
    }
    assert!(missing.is_empty(), "{missing}");
}

/// `rustfmt` does not change comments.
#[test]
fn comments_have_at_most_100_columns() {
    fn check(folder: &Path, long: &mut String) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                check(&path, long);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
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
