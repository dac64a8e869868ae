//! Detects doctypes that require quirks mode. (Only one quirk matters here: a table does not end a
//! paragraph.)

/// Public identifiers of quirks mode in lower case, grouped by owner. Any text may follow after the
/// next `//`.
#[rustfmt::skip]
const QUIRKY: &[(&str, &[&str])] = &[
    ("advasoft ltd", &["html 3.0 aswedit + extensions"]),
    ("as", &["html 3.0 aswedit + extensions"]),
    ("ietf", &[
        "html 2.0 level 1", "html 2.0 level 2", "html 2.0 strict level 1",
        "html 2.0 strict level 2", "html 2.0 strict", "html 2.0", "html 2.1e", "html 3.0",
        "html 3.2 final", "html 3.2", "html 3", "html level 0", "html level 1", "html level 2",
        "html level 3", "html strict level 0", "html strict level 1", "html strict level 2",
        "html strict level 3", "html strict", "html",
    ]),
    ("metrius", &["metrius presentational"]),
    ("microsoft", &[
        "internet explorer 2.0 html strict", "internet explorer 2.0 html",
        "internet explorer 2.0 tables", "internet explorer 3.0 html strict",
        "internet explorer 3.0 html", "internet explorer 3.0 tables",
    ]),
    ("netscape comm. corp.", &["html", "strict html"]),
    ("o'reilly and associates", &["html 2.0", "html extended 1.0", "html extended relaxed 1.0"]),
    ("softquad software", &["hotmetal pro 6.0::19990601::extensions to html 4.0"]),
    ("softquad", &["hotmetal pro 4.0::19971010::extensions to html 4.0"]),
    ("spyglass", &["html 2.0 extended"]),
    ("sq", &["html 2.0 hotmetal + extensions"]),
    ("sun microsystems corp.", &["hotjava html", "hotjava strict html"]),
    ("w3c", &[
        "html 3 1995-03-24", "html 3.2 draft", "html 3.2 final", "html 3.2", "html 3.2s draft",
        "html 4.0 frameset", "html 4.0 transitional", "html experimental 19960712",
        "html experimental 970421", "w3 html",
    ]),
    ("w3o", &["w3 html 3.0"]),
    ("webtechs", &["mozilla html 2.0", "mozilla html"]),
];

/// Whether a page with this doctype (the text between `<!doctype` and `>`) is in quirks mode.
pub(super) fn is_quirky(content: &str, complete: bool) -> bool {
    let Some(doctype) = Doctype::parse(content).filter(|_| complete) else {
        return true;
    };
    if doctype.name != "html" {
        return true;
    }
    let system = doctype.system.map(str::to_ascii_lowercase);
    if system.as_deref() == Some("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd") {
        return true;
    }
    doctype
        .public
        .is_some_and(|public| is_quirky_public(&public.to_ascii_lowercase(), system.is_some()))
}

fn is_quirky_public(public: &str, has_system: bool) -> bool {
    if matches!(
        public,
        "-//w3o//dtd w3 html strict 3.0//en//" | "-/w3c/dtd html 4.0 transitional/en" | "html"
    ) {
        return true;
    }
    let Some((owner, name)) = public
        .strip_prefix("-//")
        .and_then(|rest| rest.split_once("//dtd "))
    else {
        return false;
    };
    let starts_with = |known: &&str| {
        name.strip_prefix(*known)
            .is_some_and(|rest| rest.starts_with("//"))
    };
    if owner == "w3c"
        && !has_system
        && ["html 4.01 frameset", "html 4.01 transitional"]
            .iter()
            .any(&starts_with)
    {
        return true;
    }
    QUIRKY
        .iter()
        .any(|(known, names)| *known == owner && names.iter().any(&starts_with))
}

struct Doctype<'a> {
    name: String,
    public: Option<&'a str>,
    system: Option<&'a str>,
}

impl<'a> Doctype<'a> {
    /// `None` if the doctype is malformed.
    fn parse(content: &'a str) -> Option<Self> {
        let content = trim(content);
        let end = content.find(is_space).unwrap_or(content.len());
        let (name, rest) = content.split_at_checked(end)?;
        let mut doctype = Self {
            name: name.to_ascii_lowercase(),
            public: None,
            system: None,
        };
        let rest = trim(rest);
        if name.is_empty() {
            return None;
        }
        if rest.is_empty() {
            return Some(doctype);
        }
        let (keyword, rest) = rest.split_at_checked(6)?;
        let (first, rest) = quoted(trim(rest))?;
        if keyword.eq_ignore_ascii_case("public") {
            doctype.public = Some(first);
            let rest = trim(rest);
            if !rest.is_empty() {
                doctype.system = Some(quoted(rest)?.0);
            }
        } else if keyword.eq_ignore_ascii_case("system") {
            doctype.system = Some(first);
        } else {
            return None;
        }
        Some(doctype)
    }
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace()
}

fn trim(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// Splits off the quoted text at the start.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    text.get(1..)?.split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::is_quirky;

    #[test]
    fn modern_doctypes_have_no_quirks() {
        for content in [
            " html",
            "html",
            " HTML ",
            " html PUBLIC \"-//W3C//DTD HTML 4.01//EN\"",
            " html SYSTEM 'about:legacy-compat'",
            " html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"http://www.w3.org/TR/xhtml1\"",
            " html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\"",
        ] {
            assert!(!is_quirky(content, true), "{content}");
        }
    }

    #[test]
    fn old_and_broken_doctypes_have_quirks() {
        for content in [
            "",
            " ",
            " svg",
            " html publik",
            " html PUBLIC",
            " html PUBLIC -//W3C//DTD HTML 4.01//EN",
            " html PUBLIC \"-//W3C//DTD HTML 4.01//EN",
            " html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"",
            " html PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\"",
            " html public '-//IETF//DTD HTML//EN'",
            " html PUBLIC \"html\"",
            " html SYSTEM \"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd\"",
        ] {
            assert!(is_quirky(content, true), "{content}");
        }
        assert!(is_quirky(" html", false));
    }
}
