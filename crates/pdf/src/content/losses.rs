//! Records the lost content of a page: damaged streams, missing objects and unparsable operators.

use crate::streams::Decoded;

/// The maximum number of causes in a message.
const MAX_CAUSES: usize = 3;

/// Minimum number of unparsable operators on a page that counts as damaged. Of 680 intact files,
/// hardly any has one (from a careless writer), and none has more.
const MIN_UNKNOWN_OPERATORS: u64 = 2;

/// The lost content of a page.
#[derive(Debug, Default)]
pub struct Losses {
    /// The encoded size of the page's streams, and the part of it that could be decoded.
    encoded: f64,
    decoded: f64,
    found: u32,
    missing: u32,
    causes: Vec<&'static str>,
    pub lacks_objects: bool,
    pub operators: u64,
    /// The number of open sections in which unknown operators are allowed.
    lenient_sections: u32,
    /// The number of operators that are unknown, or have other operands than they need.
    pub strange: u64,
}

impl Losses {
    /// Records a stream of the page.
    pub fn stream(&mut self, decoded: &Decoded<'_>) {
        let encoded = decoded.encoded_bytes as f64;
        let share = decoded.damage.map_or(1.0, |damage| damage.share);
        self.found += 1;
        self.encoded += encoded;
        self.decoded += encoded * share;
        if let Some(damage) = decoded.damage {
            self.cause(damage.cause);
        }
    }

    /// Records a stream to which the page refers but which is not in the file.
    pub fn missing(&mut self, cause: &'static str) {
        self.missing += 1;
        self.lacks_objects = true;
        self.cause(cause);
    }

    /// Records damage to anything but content.
    pub fn cause(&mut self, cause: &'static str) {
        if !self.causes.contains(&cause) {
            self.causes.push(cause);
        }
    }

    /// Whether anything is damaged or missing, apart from operators.
    pub fn has_causes(&self) -> bool {
        !self.causes.is_empty()
    }

    /// Passes on the operands of an operator, and records missing or wrong operands.
    pub fn check<T>(&mut self, operands: Option<T>) -> Option<T> {
        self.strange += u64::from(operands.is_none());
        operands
    }

    /// Records an operator without effect on text, if it is not known.
    pub fn unknown(&mut self, operator: &[u8]) {
        match operator {
            b"BX" => self.lenient_sections = self.lenient_sections.saturating_add(1),
            b"EX" => self.lenient_sections = self.lenient_sections.saturating_sub(1),
            _ if self.lenient_sections > 0 || is_known(operator) => {}
            _ if operator.iter().all(u8::is_ascii_graphic) => self.strange += 1,
            // No writer emits such operators.
            _ => self.strange += MIN_UNKNOWN_OPERATORS,
        }
    }

    /// Describes the losses; `None` if there are none.
    pub fn message(&self) -> Option<String> {
        let strange = self.strange >= MIN_UNKNOWN_OPERATORS;
        if self.causes.is_empty() && !strange {
            return None;
        }
        let mut causes: Vec<String> = self
            .causes
            .iter()
            .take(MAX_CAUSES)
            .map(|cause| (*cause).to_owned())
            .collect();
        if strange {
            causes.push(format!(
                "{} of {} operators cannot be understood",
                self.strange, self.operators
            ));
        }
        Some(format!(
            "{} ({} % of the page's content could be decoded)",
            causes.join(", "),
            (100.0 * self.share()).floor()
        ))
    }

    /// The share of the content that could be decoded. A missing stream counts as one of average
    /// size.
    fn share(&self) -> f64 {
        let of_found = match self.encoded {
            0.0 if self.causes.is_empty() => 1.0,
            0.0 => 0.0,
            encoded => self.decoded / encoded,
        };
        of_found * f64::from(self.found) / f64::from((self.found + self.missing).max(1))
    }
}

/// Whether this is an operator of the standard without effect on text.
fn is_known(operator: &[u8]) -> bool {
    match operator {
        [one] => matches!(
            one,
            b'B' | b'F'
                | b'G'
                | b'J'
                | b'K'
                | b'M'
                | b'S'
                | b'W'
                | b'b'
                | b'c'
                | b'd'
                | b'f'
                | b'h'
                | b'i'
                | b'j'
                | b'l'
                | b'm'
                | b'n'
                | b's'
                | b'v'
                | b'w'
                | b'y'
        ),
        [_, _] => matches!(
            operator,
            b"re"
                | b"RG"
                | b"f*"
                | b"W*"
                | b"B*"
                | b"b*"
                | b"CS"
                | b"SC"
                | b"ri"
                | b"sh"
                | b"MP"
                | b"DP"
                | b"d0"
                | b"d1"
                | b"EI"
                | b"ID"
        ),
        _ => matches!(operator, b"SCN" | b"EMC"),
    }
}
