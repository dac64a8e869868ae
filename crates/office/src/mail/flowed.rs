//! Soft line breaks of `format=flowed` (RFC 3676).

/// Joins lines that end with a space to the next line, if both have the same quote depth.
/// `without_space` removes this space, too (`delsp=yes`).
pub fn join_lines(text: &str, without_space: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open_depth = None;
    for line in text.lines() {
        let content = line.trim_start_matches('>');
        let depth = line.len() - content.len();
        let content = content.strip_prefix(' ').unwrap_or(content);
        let is_signature = content == "-- ";
        if open_depth == Some(depth) && !is_signature {
            if without_space {
                out.pop();
            }
        } else {
            if !out.is_empty() || open_depth.is_some() {
                out.push('\n');
            }
            out.push_str(line.get(..depth).unwrap_or_default());
            if depth > 0 {
                out.push(' ');
            }
        }
        out.push_str(content);
        open_depth = if content.ends_with(' ') && !is_signature {
            Some(depth)
        } else {
            Some(usize::MAX)
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_breaks_are_removed() {
        for (text, expected) in [
            ("one \ntwo\nthree", "one two\nthree"),
            ("> a \n> b\n>> c \nd", "> a b\n>> c \nd"),
            ("text \n-- \nname", "text \n-- \nname"),
            (" >not quoted\n\n\nx", ">not quoted\n\n\nx"),
            ("", ""),
            ("\nx", "\nx"),
        ] {
            assert_eq!(join_lines(text, false), expected);
        }
        assert_eq!(join_lines("so \nftware", true), "software");
    }
}
