//! Catches panics of the libraries that read a document, and reports where they happened instead of
//! printing them.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// The maximum length of a panic message, which may contain parts of the document.
const MAX_MESSAGE_BYTES: usize = 500;

thread_local! {
    /// Whether this thread's panics are being caught.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the result of `work`, or the message of its panic. State shared with `work` must be
/// valid after a panic.
pub fn without_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.map_err(|_| MESSAGE.take())
}

/// Installs a panic hook, since only a hook knows the location. It passes other panics to the
/// previous hook.
fn install_hook() {
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
    let text = panic.payload_as_str().unwrap_or("no message");
    let text = &text[..text.floor_char_boundary(MAX_MESSAGE_BYTES)];
    match panic.location() {
        None => text.to_owned(),
        Some(location) => {
            let file = in_crate(location.file());
            format!("{text} ({file}:{})", location.line())
        }
    }
}

/// Removes the build folder: `hayro-syntax-0.9.2/src/xref.rs`.
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
    fn messages_include_the_location() {
        let message = without_panic(|| panic!("page {} is odd", 3)).unwrap_err();
        assert!(message.starts_with("page 3 is odd ("), "{message}");
        assert!(message.contains("panics.rs:"), "{message}");
        let text = "é".repeat(MAX_MESSAGE_BYTES);
        let message = without_panic(|| panic!("{text}")).unwrap_err();
        assert!(message.len() < MAX_MESSAGE_BYTES + 100, "{message}");
        let message = without_panic(|| panic::panic_any(5)).unwrap_err();
        assert!(message.starts_with("no message ("), "{message}");
        assert_eq!(without_panic(|| 7), Ok(7));
    }

    #[test]
    fn build_folders_are_removed() {
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
    fn calls_may_be_nested() {
        let outer = without_panic(|| {
            let inner = without_panic(|| panic!("inner"));
            assert!(inner.is_err_and(|message| message.starts_with("inner (")));
            panic!("outer")
        });
        assert!(outer.is_err_and(|message: String| message.starts_with("outer (")));
    }
}
