//! Numbers and texts that the tokenizer divides, or takes for something else.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};

/// Joins the parts of numbers such as `1_000_000.5`, which the tokenizer takes for a number with an
/// alias, and leaves white space out. BigQuery's `r'…'` is a text, PostgreSQL's `0x1F` a number.
pub fn join_parts(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut kept: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut is_next_line = false;
    for mut token in tokens {
        if let Token::Whitespace(space) = &token.token {
            is_next_line |= matches!(space, Whitespace::Newline);
            continue;
        }
        // Texts on several lines are one text.
        if std::mem::take(&mut is_next_line)
            && let Token::SingleQuotedString(rest) = &token.token
            && let Some(last) = kept.last_mut()
            && let Token::SingleQuotedString(text) = &mut last.token
        {
            text.push_str(rest);
            last.span.end = token.span.end;
            continue;
        }
        if let Token::SingleQuotedRawStringLiteral(text) = token.token {
            token.token = Token::SingleQuotedString(text);
        }
        // `x'1F'`, which is one character longer, is bytes.
        if let Token::HexStringLiteral(digits) = &token.token
            && token.span.start.column + digits.len() as u64 + 2 == token.span.end.column
            && let Ok(number) = u128::from_str_radix(digits, 16)
        {
            token.token = Token::Number(number.to_string(), false);
        }
        if let (Token::Number(rest, _), Some(last)) = (&token.token, kept.last_mut())
            && let Token::Number(number, _) = &mut last.token
            && rest.starts_with('.')
            && last.span.end == token.span.start
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            number.push_str(rest);
            last.span.end = token.span.end;
        } else if let (Token::Word(word), Some(last)) = (&token.token, kept.last_mut())
            && let Token::Number(number, _) = &mut last.token
            && word.quote_style.is_none()
            && last.span.end == token.span.start
            && is_rest_of_number(&word.value)
        {
            number.extend(word.value.chars().filter(char::is_ascii_digit));
            last.span.end = token.span.end;
        } else {
            kept.push(token);
        }
    }
    kept
}

fn is_rest_of_number(word: &str) -> bool {
    word.starts_with('_')
        && word.ends_with(|last: char| last.is_ascii_digit())
        && word
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_digit())
        && !word.contains("__")
}
