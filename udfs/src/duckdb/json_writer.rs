//! JSON that is written for values of a type, and then read by Arrow.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;

/// JSON of values of a type.
#[derive(Default)]
pub struct JsonWriter {
    pub json: String,
    /// Whether a part did not fit the type, and became null.
    pub has_misfit: bool,
}

impl JsonWriter {
    /// Writes null for a value that does not fit.
    pub fn misfit(&mut self) {
        self.json.push_str("null");
        self.has_misfit = true;
    }

    /// Writes the text of a value that is neither a list nor a struct.
    pub fn scalar(&mut self, text: &str, kind: &DataType) {
        match kind {
            kind if kind.is_string() => write_text(text, &mut self.json),
            DataType::Boolean => match text.to_ascii_lowercase().as_str() {
                "true" | "t" | "1" => self.json.push_str("true"),
                "false" | "f" | "0" => self.json.push_str("false"),
                _ => self.misfit(),
            },
            kind if kind.is_numeric() => match text.parse::<i64>() {
                Ok(number) => self.integer(number, kind),
                Err(_) => self.number(text.parse().ok(), kind),
            },
            _ => {
                let value = ScalarValue::Utf8(Some(text.to_owned()));
                if value.cast_to(kind).is_ok() {
                    write_text(text, &mut self.json);
                } else {
                    self.misfit();
                }
            }
        }
    }

    /// Writes a whole number if it is in the range of a type.
    pub fn integer(&mut self, number: i64, kind: &DataType) {
        if ScalarValue::Int64(Some(number)).cast_to(kind).is_ok() {
            self.json.push_str(&number.to_string());
        } else {
            self.misfit();
        }
    }

    /// Writes a number if it is in the range of a type. Integers are rounded.
    pub fn number(&mut self, number: Option<f64>, kind: &DataType) {
        let number = number.filter(|number| number.is_finite());
        let number = number.map(|number| {
            if kind.is_integer() {
                number.round()
            } else {
                number
            }
        });
        let fits =
            number.is_some_and(|number| ScalarValue::Float64(Some(number)).cast_to(kind).is_ok());
        match number.filter(|_| fits) {
            Some(number) if kind.is_integer() => self.json.push_str(&format!("{number:.0}")),
            Some(number) => self.json.push_str(&format!("{number:?}")),
            None => self.misfit(),
        }
    }
}

/// Writes a text as JSON.
pub fn write_text(text: &str, json: &mut String) {
    json.push('"');
    for letter in text.chars() {
        match letter {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            letter if letter.is_control() => {
                json.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => json.push(letter),
        }
    }
    json.push('"');
}
