//! Lists that functions take as an argument: words, passages, blocked URLs.

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use corpus_text::lists;

use crate::file_cache::FileCache;
use crate::function::Parameter;

/// The prefix of the names of built-in lists.
const BUILT_IN: &str = "builtin:";

/// The argument that names a list.
pub const LIST_ARGUMENT: Parameter = Parameter::text(
    "list",
    "The path of a text file, or 'builtin:ad-hosts', 'builtin:english-adult-words', \
     'builtin:japanese-boilerplate', 'builtin:japanese-ng-words'.",
);

/// Parsed lists by their names.
pub struct ListFiles<T> {
    parse: fn(&str) -> Result<T, String>,
    files: FileCache<T>,
    built_in: LazyLock<Mutex<HashMap<&'static str, Arc<T>>>>,
}

impl<T> ListFiles<T> {
    pub const fn new(parse: fn(&str) -> Result<T, String>) -> Self {
        Self {
            parse,
            files: FileCache::new(),
            built_in: LazyLock::new(Mutex::default),
        }
    }

    /// Returns the list with a path or a name. An error names it.
    pub fn get(&self, list: &str) -> Result<Arc<T>, String> {
        match list.strip_prefix(BUILT_IN) {
            Some(name) => self.built_in(name),
            None => self.files.get(list, |path| {
                let read = fs::read_to_string(path).map_err(|error| error.to_string());
                read.and_then(|text| (self.parse)(&text))
            }),
        }
    }

    fn built_in(&self, name: &str) -> Result<Arc<T>, String> {
        let known = lists::names().find(|known| *known == name);
        let Some((name, text)) = known.zip(lists::built_in(name)) else {
            let names: Vec<_> = lists::names().collect();
            let names = names.join(", ");
            return Err(format!(
                "no list '{BUILT_IN}{name}'; the built-in lists are {names}"
            ));
        };
        let mut lists = self.built_in.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(list) = lists.get(name) {
            return Ok(Arc::clone(list));
        }
        let parsed = (self.parse)(text).map_err(|error| format!("'{BUILT_IN}{name}': {error}"))?;
        let list = Arc::new(parsed);
        lists.insert(name, Arc::clone(&list));
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each name that the documentation lists exists, and none is missing.
    #[test]
    fn built_in_lists_are_documented() {
        for name in lists::names() {
            assert!(
                LIST_ARGUMENT.about.contains(&format!("'{BUILT_IN}{name}'")),
                "{name}"
            );
        }
        assert_eq!(
            LIST_ARGUMENT.about.matches(BUILT_IN).count(),
            lists::names().count()
        );
    }

    #[test]
    fn errors_name_the_list() {
        static LISTS: ListFiles<String> = ListFiles::new(|text| match text.len() {
            0 => Err("empty".to_owned()),
            _ => Ok(text.to_owned()),
        });
        let error = LISTS.get("builtin:none").unwrap_err();
        assert!(
            error.contains("'builtin:none'") && error.contains("ad-hosts"),
            "{error}"
        );
        let error = LISTS.get("/does/not/exist.txt").unwrap_err();
        assert!(error.starts_with("'/does/not/exist.txt': "), "{error}");
        let list = LISTS.get("builtin:ad-hosts").unwrap();
        assert!(Arc::ptr_eq(&list, &LISTS.get("builtin:ad-hosts").unwrap()));
    }
}
