//! Panics of the libraries that read a document: caught, not printed, and told with their place.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// A message of a panic may hold a part of the document. Longer ones are cut.
const MESSAGE_BYTES: usize = 500;

thread_local! {
    /// Whether a panic of this thread is caught below.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What `work` returns, or the message of its panic. What it shares with others has to be in order
/// after a panic, too.
pub fn without_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    hear_panics();
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.map_err(|_| MESSAGE.take())
}

/// Only a hook knows where a panic happened; panics elsewhere go to the hook that was there.
fn hear_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if GUARDED.get() {
                MESSAGE.set(message(panic));
            } else {
                previous(panic);
            }
        }));
    });
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let text = panic.payload_as_str().unwrap_or("it does not say why");
    let text = &text[..text.floor_char_boundary(MESSAGE_BYTES)];
    match panic.location() {
        None => text.to_owned(),
        Some(location) => {
            let file = in_crate(location.file());
            format!("{text} ({file}:{})", location.line())
        }
    }
}

/// `hayro-syntax-0.9.2/src/xref.rs`, without the folder that the crate was built in.
fn in_crate(file: &str) -> &str {
    let Some(source) = file.rfind("/src/") else {
        return file;
    };
    let folder = file[..source].rfind('/').map_or(0, |slash| slash + 1);
    &file[folder..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_panic_says_where() {
        let said = without_panic(|| panic!("page {} is odd", 3)).unwrap_err();
        assert!(said.starts_with("page 3 is odd ("), "{said}");
        assert!(said.contains("panics.rs:"), "{said}");
        let text = "é".repeat(MESSAGE_BYTES);
        let said = without_panic(|| panic!("{text}")).unwrap_err();
        assert!(said.len() < MESSAGE_BYTES + 100, "{said}");
        let said = without_panic(|| panic::panic_any(5)).unwrap_err();
        assert!(said.starts_with("it does not say why ("), "{said}");
        assert_eq!(without_panic(|| 7), Ok(7));
    }

    #[test]
    fn folders_are_left_out() {
        for (file, shown) in [
            (
                "/home/me/.cargo/registry/src/index-1/b-0.9.2/src/c/d.rs",
                "b-0.9.2/src/c/d.rs",
            ),
            ("a/src/b.rs", "a/src/b.rs"),
            ("src/a.rs", "src/a.rs"),
        ] {
            assert_eq!(in_crate(file), shown);
        }
    }

    #[test]
    fn one_may_lie_within_another() {
        let outer = without_panic(|| {
            let inner = without_panic(|| panic!("inner"));
            assert!(inner.is_err_and(|said| said.starts_with("inner (")));
            panic!("outer")
        });
        assert!(outer.is_err_and(|said: String| said.starts_with("outer (")));
    }
}
