//! CSS selectors, parsed by the crate `selectors`.

use std::borrow::Borrow;
use std::fmt;

use cssparser::{BasicParseErrorKind, CowRcStr, ParseError, ParseErrorKind, SourceLocation, ToCss};
use html5ever::LocalName;
use precomputed_hash::PrecomputedHash;
use selectors::SelectorList;
use selectors::parser::{self, ParseRelative, SelectorParseErrorKind};

/// Maximum nesting, because `:not(:not(…))` is parsed recursively.
const MAX_NESTING: usize = 16;

/// A list of CSS selectors, as accepted by `querySelectorAll` in a browser, without states such as
/// `:hover` that only rendered pages have.
#[derive(Debug, Clone)]
pub struct Selector(SelectorList<Css>);

/// The error for an invalid selector. Says what is wrong and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError(String);

impl fmt::Display for SelectorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for SelectorError {}

impl Selector {
    /// Parses a selector.
    pub fn parse(selector: &str) -> Result<Self, SelectorError> {
        check_nesting(selector).map_err(SelectorError)?;
        let mut input = cssparser::ParserInput::new(selector);
        let mut input = cssparser::Parser::new(&mut input);
        SelectorList::parse(&Rules, &mut input, ParseRelative::No)
            .map(Selector)
            .map_err(|error| SelectorError(explain(selector, error)))
    }

    pub(super) fn list(&self) -> &SelectorList<Css> {
        &self.0
    }
}

fn check_nesting(selector: &str) -> Result<(), String> {
    let mut depth = 0usize;
    for character in selector.chars() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return Err(format!(
                "the CSS selector has more than {MAX_NESTING} levels of nested brackets"
            ));
        }
    }
    Ok(())
}

type Error<'i> = ParseError<'i, SelectorParseErrorKind<'i>>;

fn explain(selector: &str, error: Error<'_>) -> String {
    use SelectorParseErrorKind as Kind;
    let what = match &error.kind {
        ParseErrorKind::Basic(BasicParseErrorKind::UnexpectedToken(token)) => {
            format!("unexpected `{}`", token.to_css_string())
        }
        ParseErrorKind::Basic(_) => "it ends too early".into(),
        ParseErrorKind::Custom(kind) => match kind {
            Kind::EmptySelector => "a selector is missing".into(),
            Kind::DanglingCombinator => "a selector is missing next to a combinator".into(),
            Kind::UnsupportedPseudoClassOrElement(name) => {
                format!("`:{name}` is not a pseudo-class that documents support")
            }
            Kind::ExpectedNamespace(prefix) => {
                format!("namespaces have no prefix here: write `*|name` instead of `{prefix}|name`")
            }
            Kind::UnexpectedIdent(name) => format!("unexpected `{name}`"),
            Kind::ClassNeedsIdent(_) => "`.` needs the name of a class".into(),
            Kind::PseudoElementExpectedColon(_)
            | Kind::PseudoElementExpectedIdent(_)
            | Kind::NoIdentForPseudo(_) => "`:` needs the name of a pseudo-class".into(),
            Kind::NoQualifiedNameInAttributeSelector(_)
            | Kind::UnexpectedTokenInAttributeSelector(_)
            | Kind::ExpectedBarInAttr(_)
            | Kind::BadValueInAttr(_)
            | Kind::InvalidQualNameInAttr(_) => {
                "an attribute is written `[name]` or `[name=\"value\"]`".into()
            }
            Kind::ExplicitNamespaceUnexpectedToken(_) => "`|` needs a name".into(),
            Kind::NonCompoundSelector
            | Kind::NonPseudoElementAfterSlotted
            | Kind::InvalidPseudoElementAfterSlotted
            | Kind::InvalidPseudoElementInsideWhere
            | Kind::InvalidState => "this is not allowed here".into(),
        },
    };
    format!(
        "invalid CSS selector `{selector}`, at character {}: {what}",
        character(selector, error.location)
    )
}

/// The position in characters, counted from 1 over all lines.
fn character(selector: &str, location: SourceLocation) -> usize {
    let line = usize::try_from(location.line).unwrap_or(usize::MAX);
    let mut lines = selector.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line).map(|l| l.chars().count()).sum();
    // Columns are counted in UTF-16 units.
    let mut column = location.column.saturating_sub(1) as usize;
    let rest = lines.next().unwrap_or_default().chars();
    let within = rest
        .take_while(|c| {
            let is_before = column >= c.len_utf16();
            column = column.saturating_sub(c.len_utf16());
            is_before
        })
        .count();
    before + within + 1
}

/// The supported kinds of selectors.
struct Rules;

impl<'i> parser::Parser<'i> for Rules {
    type Impl = Css;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    // In a style sheet, `:is(:typo)` may be a future feature; in a query it is a mistake.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }

    fn parse_non_ts_pseudo_class(
        &self,
        location: SourceLocation,
        name: CowRcStr<'i>,
    ) -> Result<Link, Error<'i>> {
        if name.eq_ignore_ascii_case("link") || name.eq_ignore_ascii_case("any-link") {
            return Ok(Link);
        }
        Err(
            location.new_custom_error(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(
                name,
            )),
        )
    }
}

/// The types that selectors consist of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Css;

impl parser::SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = LocalName;
    type NonTSPseudoClass = Link;
    type PseudoElement = NoPseudoElement;
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word(pub LocalName);

impl From<&str> for Word {
    fn from(word: &str) -> Self {
        Self(word.into())
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Word {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Borrow<LocalName> for Word {
    fn borrow(&self) -> &LocalName {
        &self.0
    }
}

impl PrecomputedHash for Word {
    fn precomputed_hash(&self) -> u32 {
        self.0.precomputed_hash()
    }
}

impl ToCss for Word {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

/// `:link` and `:any-link`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link;

impl ToCss for Link {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        out.write_str(":any-link")
    }
}

impl parser::NonTSPseudoClass for Link {
    type Impl = Css;

    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

/// Documents have no pseudo-elements such as `::before`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPseudoElement {}

impl ToCss for NoPseudoElement {
    fn to_css<W: fmt::Write>(&self, _out: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl parser::PseudoElement for NoPseudoElement {
    type Impl = Css;
}
