//! Extracts the error of a job. Ballista reports it in Rust's debug format, nested in other errors.

use crate::errors::is_full_disk;

/// The text before the error of a task.
const TASK_ERROR: &str = "DataFusionError(";

/// Returns the message of the innermost error.
pub fn readable(error: &str) -> String {
    let quoted = error
        .find(TASK_ERROR)
        .and_then(|start| error[start..].split_once("(\""))
        .and_then(|(_, text)| unquote(text));
    quoted.unwrap_or_else(|| error.trim().to_owned())
}

/// Adds the place to a message about a full disk, which is not that of the client.
pub fn locate(message: String) -> String {
    if is_full_disk(&message) {
        format!("{message} (on an executor)")
    } else {
        message
    }
}

/// Returns the text up to the closing quote, unescaped.
fn unquote(text: &str) -> Option<String> {
    let mut message = String::new();
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '"' => return Some(message),
            '\\' => message.push(match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'u' => {
                    let code: String = characters.by_ref().take_while(|c| *c != '}').collect();
                    let code = u32::from_str_radix(code.trim_start_matches('{'), 16).ok()?;
                    char::from_u32(code)?
                }
                other => other,
            }),
            other => message.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_that_of_an_executor() {
        let full = "cannot write '/a/': No space left on device (os error 28)";
        assert_eq!(locate(full.to_owned()), format!("{full} (on an executor)"));
        assert_eq!(locate("division by zero".to_owned()), "division by zero");
    }

    #[test]
    fn the_message_of_the_task_remains() {
        let error = r#"Job failed due to stage 1 failed: Task failed due to runtime execution error: DataFusionError(Shared(External(DataFusionError(Execution("/a/b.warc at 9: \"x\" \u{301} is 'y'")))))
"#;
        assert_eq!(readable(error), "/a/b.warc at 9: \"x\" \u{301} is 'y'");
        let other = "Job failed: no executors registered within 10 s\n";
        assert_eq!(readable(other), other.trim());
        assert_eq!(
            readable("DataFusionError(X(\"cut"),
            "DataFusionError(X(\"cut"
        );
    }
}
