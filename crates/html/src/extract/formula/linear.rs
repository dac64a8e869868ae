//! The linear form of MathML. Its pieces are written in the order of the source; parentheses are
//! decided when their content is complete. Nothing here recurses.

use std::ops::Range;

use crate::events::Element;
use corpus_blocks::scripts::{self, Script};
use corpus_bytes::step_counter::count_steps;
use corpus_markup::Name;

/// Maximum number of pieces examined to decide about parentheses. A child with more always gets
/// them.
const MAX_EXAMINED_PIECES: usize = 64;

#[derive(Debug, Default)]
pub struct Linear {
    /// The text of all tokens.
    tokens: String,
    pieces: Vec<Piece>,
    open: Vec<Frame>,
    /// Whether there was text since the last tag. Text may come in pieces.
    in_text: bool,
}

#[derive(Debug, Clone)]
enum Piece {
    /// Part of `tokens`.
    Token(Range<usize>, Token),
    /// A sign that belongs to the notation.
    Sign(&'static str),
    /// Another part of `tokens`: brackets that an element declares, or a script in Unicode.
    Written(Range<usize>),
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Name,
    Number,
    Operator,
    Words,
}

/// The token before a piece.
struct Last {
    token: Token,
    is_word: bool,
    /// Whether it is the end of a script.
    is_script: bool,
}

#[derive(Debug)]
struct Frame {
    name: Name,
    layout: Layout,
    /// The number of children so far.
    children: usize,
    /// The index of the first piece of the scripts before the base.
    prescripts: Option<usize>,
    /// The index of the first piece.
    start: usize,
    /// The text that closes a fence, in `tokens`.
    closing: Range<usize>,
}

/// How the children of an element are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Row,
    Token(Token),
    Fraction,
    /// A fraction without a line, such as a binomial coefficient.
    Stack,
    Root,
    NthRoot,
    Sub,
    Super,
    SubSuper,
    Over,
    Scripts,
    Fence,
    Table,
    TableRow,
    Quote,
    /// Takes up space, but is not shown.
    Phantom,
    /// Does not count as a child, and has no content.
    Void,
}

impl Layout {
    fn of(name: &str) -> Self {
        match name {
            "mi" => Layout::Token(Token::Name),
            "mn" => Layout::Token(Token::Number),
            "mo" => Layout::Token(Token::Operator),
            "mtext" => Layout::Token(Token::Words),
            "ms" => Layout::Quote,
            "mfrac" => Layout::Fraction,
            "msqrt" => Layout::Root,
            "mroot" => Layout::NthRoot,
            "msub" | "munder" => Layout::Sub,
            "msup" => Layout::Super,
            "mover" => Layout::Over,
            "msubsup" | "munderover" => Layout::SubSuper,
            "mmultiscripts" => Layout::Scripts,
            "mphantom" => Layout::Phantom,
            "mfenced" => Layout::Fence,
            "mtable" => Layout::Table,
            "mtr" | "mlabeledtr" => Layout::TableRow,
            "mprescripts" | "mspace" | "malignmark" | "maligngroup" => Layout::Void,
            _ => Layout::Row,
        }
    }

    /// The sign between the last child and the next one, given the number of children so far.
    fn sign(self, children: usize) -> &'static str {
        match (self, children) {
            (_, 0) => "",
            (Layout::Fraction, _) => "/",
            (Layout::Stack, _) => " choose ",
            (Layout::Sub, _) | (Layout::SubSuper, 1) => "_",
            (Layout::Super | Layout::Over | Layout::SubSuper, _) => "^",
            (Layout::NthRoot, _) => "^(1/",
            (Layout::Scripts, n) if n % 2 == 1 => "_",
            (Layout::Scripts, _) => "^",
            (Layout::Table, _) => "; ",
            (Layout::TableRow, _) => " ",
            (Layout::Fence, _) => ",",
            _ => "",
        }
    }

    /// Whether a child with several tokens is put in parentheses.
    fn groups(self) -> bool {
        matches!(
            self,
            Layout::Fraction
                | Layout::Stack
                | Layout::NthRoot
                | Layout::Sub
                | Layout::Super
                | Layout::SubSuper
                | Layout::Over
                | Layout::Scripts
        )
    }
}

impl Linear {
    pub fn open(&mut self, element: &Element<'_>) {
        // HTML inside a token is part of its text.
        if !element.foreign {
            return;
        }
        self.in_text = false;
        let tag = element.tag();
        if tag == "mprescripts"
            && let Some(frame) = self.open.last_mut()
        {
            // The next script is a subscript.
            frame.children += usize::from(frame.children % 2 == 0);
            frame.prescripts = Some(self.pieces.len());
        }
        let layout = match Layout::of(&tag) {
            Layout::Fraction if has_no_line(element) => Layout::Stack,
            layout => layout,
        };
        if layout == Layout::Void {
            let frame = Frame::new(element.name, layout, self.pieces.len());
            self.open.push(frame);
            if tag == "mspace" {
                self.pieces.push(Piece::Sign(" "));
            }
            return;
        }
        self.start_child();
        let mut frame = Frame::new(element.name, layout, self.pieces.len());
        match layout {
            Layout::Root => self.pieces.extend([Piece::Sign("√"), Piece::Sign("")]),
            Layout::Quote => self.pieces.push(Piece::Sign("\"")),
            Layout::Fence => {
                let opening = self.attribute(element, "open", "(");
                self.pieces.push(Piece::Written(opening));
                frame.closing = self.attribute(element, "close", ")");
            }
            _ => {}
        }
        self.open.push(frame);
    }

    /// Stores the value of an attribute.
    fn attribute(&mut self, element: &Element<'_>, name: &str, default: &str) -> Range<usize> {
        let start = self.tokens.len();
        let value = element.attribute(name);
        self.tokens.push_str(value.as_deref().unwrap_or(default));
        start..self.tokens.len()
    }

    /// Writes the sign before the next child of the innermost element, and reserves a piece for an
    /// opening parenthesis.
    fn start_child(&mut self) {
        let Some(frame) = self.open.last() else {
            return;
        };
        let sign = frame.layout.sign(frame.children);
        if frame.layout.groups() {
            self.pieces.extend([Piece::Sign(sign), Piece::Sign("")]);
        } else if !sign.is_empty() {
            self.pieces.push(Piece::Sign(sign));
        }
    }

    pub fn close(&mut self, name: Name) {
        // Elements of MathML nest, and HTML is not among them.
        let Some(frame) = self.open.pop_if(|frame| frame.name == name) else {
            return;
        };
        self.in_text = false;
        self.end(frame);
    }

    fn end(&mut self, frame: Frame) {
        match frame.layout {
            Layout::Void => return,
            Layout::Phantom => self.pieces.truncate(frame.start),
            Layout::Root => self.group(frame.start + 2),
            Layout::Quote => self.pieces.push(Piece::Sign("\"")),
            Layout::Fence => self.pieces.push(Piece::Written(frame.closing)),
            Layout::NthRoot if frame.children > 1 => self.pieces.push(Piece::Sign(")")),
            Layout::Scripts => self.move_prescripts(&frame),
            _ => {}
        }
        self.end_child(frame.start);
    }

    /// Moves the scripts before the base, which come last in the source.
    fn move_prescripts(&mut self, frame: &Frame) {
        let pieces = self.pieces.get_mut(frame.start..).unwrap_or_default();
        if let Some(at) = frame.prescripts
            && pieces.len() <= MAX_EXAMINED_PIECES
        {
            pieces.rotate_left(at.saturating_sub(frame.start).min(pieces.len()));
        }
    }

    /// Completes a child of the innermost element, whose pieces start at an index.
    fn end_child(&mut self, start: usize) {
        let Some(parent) = self.open.last_mut() else {
            return;
        };
        let index = parent.children;
        parent.children += 1;
        let layout = parent.layout;
        if !layout.groups() {
            return;
        }
        if self.pieces.len() > start {
            if index == 0 || !self.replace_script(layout, start) {
                self.group(start);
            }
        } else if index > 0 {
            // An absent script has no sign.
            self.pieces.truncate(start.saturating_sub(2));
            if layout == Layout::NthRoot {
                parent.children = index;
            }
        }
    }

    /// Writes a script with Unicode superscript or subscript characters, if all of them exist.
    fn replace_script(&mut self, layout: Layout, start: usize) -> bool {
        let sign = start.saturating_sub(2);
        let Some(Piece::Sign(written)) = self.pieces.get(sign) else {
            return false;
        };
        let position = match *written {
            "_" => Script::Sub,
            "^" => Script::Super,
            _ => return false,
        };
        if self.pieces.len() - start > MAX_EXAMINED_PIECES {
            return false;
        }
        count_steps(1 + self.pieces.len() - start);
        let mut script = String::new();
        self.write(start, &mut script);
        let accent = match layout {
            Layout::Over => self.accent(sign, &script),
            _ => None,
        };
        let written = match accent {
            Some(accent) => accent.to_owned(),
            None => match scripts::in_unicode(&script, position) {
                Some(written) => written,
                None => return false,
            },
        };
        self.pieces.truncate(sign);
        let from = self.tokens.len();
        self.tokens.push_str(&written);
        let range = from..self.tokens.len();
        self.pieces.push(Piece::Written(range));
        true
    }

    /// The combining character for an accent over a single character.
    fn accent(&self, base_end: usize, accent: &str) -> Option<&'static str> {
        let base = base_end.checked_sub(1).and_then(|at| self.pieces.get(at))?;
        let Piece::Token(range, _) = base else {
            return None;
        };
        let base = self.tokens.get(range.clone())?;
        if base.chars().nth(1).is_some() {
            return None;
        }
        Some(match accent {
            "¯" | "‾" | "_" | "―" | "−" | "-" => "\u{305}",
            "^" | "ˆ" | "\u{302}" => "\u{302}",
            "~" | "˜" | "∼" | "\u{303}" => "\u{303}",
            "→" | "⃗" | "⇀" => "\u{20d7}",
            "." | "˙" | "\u{307}" => "\u{307}",
            ".." | "¨" | "\u{308}" => "\u{308}",
            _ => return None,
        })
    }

    /// Puts the pieces from an index on in parentheses, unless they are a single token or already
    /// have brackets. The piece before them is reserved for the opening parenthesis.
    fn group(&mut self, start: usize) {
        let pieces = self.pieces.get(start..).unwrap_or_default();
        count_steps(1 + pieces.len().min(MAX_EXAMINED_PIECES));
        let needs_none = pieces.len() <= MAX_EXAMINED_PIECES && {
            let mut texts = pieces.iter().map(|piece| self.text_of(piece));
            let count = texts.clone().filter(|text| !text.is_empty()).count();
            count <= 1 || are_in_brackets(&mut texts)
        };
        if !needs_none && let Some(place) = self.pieces.get_mut(start.saturating_sub(1)) {
            *place = Piece::Sign("(");
            self.pieces.push(Piece::Sign(")"));
        }
    }

    fn text_of(&self, piece: &Piece) -> &str {
        match piece {
            Piece::Token(range, _) | Piece::Written(range) => {
                self.tokens.get(range.clone()).unwrap_or_default()
            }
            Piece::Sign(sign) => sign,
        }
    }

    pub fn text(&mut self, text: &str) {
        let inside = self.open.last().map(|frame| frame.layout);
        let token = match inside {
            Some(Layout::Token(token)) => token,
            Some(Layout::Quote) => Token::Words,
            // Text outside tokens is not allowed, but shown, except white space between elements.
            _ => Token::Words,
        };
        let is_outside = !matches!(inside, Some(Layout::Token(_) | Layout::Quote));
        let text = if is_outside && !self.in_text {
            text.trim_start()
        } else {
            text
        };
        let start = self.tokens.len();
        for character in text.chars() {
            match character {
                // Invisible function application, multiplication and comma.
                '\u{2061}' | '\u{2062}' | '\u{2063}' | '\u{200b}' => {}
                // An invisible plus, as in 1 1/2.
                '\u{2064}' => self.tokens.push(' '),
                c if c.is_whitespace() && token != Token::Words => {}
                c => self.tokens.push(c),
            }
        }
        let range = start..self.tokens.len();
        if range.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Token(last, _)) if self.in_text => last.end = range.end,
            _ => self.pieces.push(Piece::Token(range, token)),
        }
        self.in_text = true;
    }

    /// Writes the pieces from an index on.
    fn write(&self, start: usize, text: &mut String) {
        let mut last: Option<Last> = None;
        for piece in self.pieces.get(start..).unwrap_or_default() {
            let written = self.text_of(piece);
            let Piece::Token(_, token) = piece else {
                text.push_str(written);
                if !written.is_empty() {
                    last = None;
                }
                continue;
            };
            let is_word = match token {
                Token::Number => false,
                Token::Words => true,
                Token::Name | Token::Operator => written.chars().nth(1).is_some(),
            };
            let starts_word = written.starts_with(char::is_alphanumeric);
            if let Some(last) = last
                && starts_word
                && text.ends_with(char::is_alphanumeric)
                && (is_word
                    || last.is_word
                    || last.is_script
                    || (*token == Token::Number && last.token == Token::Number))
            {
                text.push(' ');
            }
            last = Some(Last {
                token: *token,
                is_word,
                is_script: text.ends_with(['^', '_']),
            });
            text.push_str(written);
        }
    }

    /// The formula with single spaces.
    pub fn finish(self) -> String {
        let mut text = String::with_capacity(self.tokens.len() + self.pieces.len());
        self.write(0, &mut text);
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ")
    }
}

/// Whether a fraction declares that its line has no thickness, in any unit.
fn has_no_line(fraction: &Element<'_>) -> bool {
    fraction.attribute("linethickness").is_some_and(|value| {
        let number = value
            .trim()
            .trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
        number.parse::<f32>() == Ok(0.0)
    })
}

/// Whether a text starts with an opening bracket that ends with its last piece.
fn are_in_brackets<'a>(pieces: &mut impl Iterator<Item = &'a str>) -> bool {
    let mut depth = 0_usize;
    for piece in pieces.by_ref().filter(|piece| !piece.is_empty()) {
        match piece {
            "(" | "[" | "{" | "⟨" | "⌊" | "⌈" => depth += 1,
            ")" | "]" | "}" | "⟩" | "⌋" | "⌉" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    // The bracket may close before the last piece, or none was opened.
    depth == 0 && pieces.all(str::is_empty)
}

impl Frame {
    fn new(name: Name, layout: Layout, start: usize) -> Self {
        Self {
            name,
            layout,
            children: 0,
            prescripts: None,
            start,
            closing: 0..0,
        }
    }
}
