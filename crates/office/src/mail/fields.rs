//! The fields of a header.

/// The end of a header field's name; `None` if the line is not a field.
pub fn name_length(line: &[u8]) -> Option<usize> {
    let length = line.iter().position(|byte| !is_name_byte(*byte))?;
    let rest = line.get(length..)?.trim_ascii_start();
    (length > 0 && rest.first() == Some(&b':')).then_some(length)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && byte != b':'
}

/// Iterates over the names and values of a header. Values have their line breaks. Other lines are
/// skipped.
pub fn fields(header: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = header;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let mut end = line_end(rest);
            // Lines that start with white space continue the field.
            while let Some(next) = rest.get(end..).filter(|next| next.starts_with([' ', '\t'])) {
                end += line_end(next);
            }
            let (field, after) = rest.split_at_checked(end)?;
            rest = after;
            if let Some(length) = name_length(field.as_bytes())
                && let Some((name, value)) = field.split_at_checked(length)
                && let Some((_, value)) = value.split_once(':')
            {
                return Some((name, value));
            }
        }
    })
}

fn line_end(text: &str) -> usize {
    memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_be_folded() {
        let header = "From x\r\nA: 1\r\nB :2\r\n\t3\r\n 4\nnone\n: 5\nC:";
        let found: Vec<_> = fields(header).collect();
        assert_eq!(
            found,
            [("A", " 1\r\n"), ("B", "2\r\n\t3\r\n 4\n"), ("C", "")]
        );
    }
}
