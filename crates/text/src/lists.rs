//! The syntax of lists, and small lists that are built into the crate.

/// Returns the entries of a list, each with the number of its line. Skips blank lines and comments,
/// which start with `#`.
pub(crate) fn entries(list: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = list.strip_prefix('\u{feff}').unwrap_or(list).lines();
    (1..)
        .zip(lines.map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Names and texts of the lists.
const BUILT_IN: [(&str, &str); 4] = [
    ("ad-hosts", include_str!("../lists/ad-hosts.txt")),
    (
        "english-adult-words",
        include_str!("../lists/english-adult-words.txt"),
    ),
    (
        "japanese-boilerplate",
        include_str!("../lists/japanese-boilerplate.txt"),
    ),
    (
        "japanese-ng-words",
        include_str!("../lists/japanese-ng-words.txt"),
    ),
];

/// Returns the text of a built-in list.
pub fn built_in(name: &str) -> Option<&'static str> {
    let list = BUILT_IN.iter().find(|(known, _)| *known == name)?;
    Some(list.1)
}

/// The names of all built-in lists.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boilerplate::Boilerplate;
    use crate::word_list::WordList;

    #[test]
    fn built_in_lists_can_be_used() {
        for name in names() {
            let list = built_in(name).unwrap();
            match name {
                "japanese-boilerplate" => assert!(Boilerplate::parse(list).unwrap().len() > 20),
                _ => assert!(WordList::parse(list, true).unwrap().len() > 20),
            }
        }
        assert_eq!(built_in("none"), None);
    }
}
