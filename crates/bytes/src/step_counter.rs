//! Counts the steps of parsers, so that tests can check that time grows linearly with the input,
//! without measuring time.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Upper bound for the steps of one pass over a byte, with all lookups in it.
const MAX_STEPS_PER_BYTE: usize = 150;

/// Counts steps of a loop or search whose length depends on the input: the bytes that it visits,
/// or the entries that it compares. Compiles to nothing without debug assertions.
#[inline(always)]
pub fn count_steps(steps: usize) {
    if cfg!(debug_assertions) {
        STEPS.set(STEPS.get().wrapping_add(steps));
    }
}

fn steps_of(run: impl FnOnce()) -> usize {
    STEPS.set(0);
    run();
    STEPS.get()
}

/// Checks that input of twice the size takes at most twice the steps, and that the steps per byte
/// are bounded. `input` makes an input of the given number of parts. For tests; without debug
/// assertions, nothing is checked.
pub fn assert_linear<I: AsRef<[u8]>>(name: &str, input: impl Fn(usize) -> I, run: impl Fn(&I)) {
    const PARTS: usize = 3000;
    if !cfg!(debug_assertions) {
        return;
    }
    let [once, twice] = [PARTS, 2 * PARTS].map(|parts| {
        let input = input(parts);
        (input.as_ref().len(), steps_of(|| run(&input)))
    });
    assert!(once.1 > 0, "{name}: no steps were counted");
    // Numbers in the input get longer, and each run has steps that do not depend on it.
    assert!(
        twice.1 <= once.1 * 9 / 4,
        "{name}: {} steps, then {} for twice the input",
        once.1,
        twice.1
    );
    let most = twice.0 * MAX_STEPS_PER_BYTE;
    assert!(
        twice.1 <= most,
        "{name}: {} steps for {} bytes",
        twice.1,
        twice.0
    );
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    #[test]
    fn quadratic_work_is_noticed() {
        let quadratic = std::panic::catch_unwind(|| {
            assert_linear(
                "square",
                |parts| vec![0; parts],
                |input| {
                    (0..input.len()).for_each(count_steps);
                },
            );
        });
        assert!(quadratic.is_err());
        assert_linear(
            "line",
            |parts| vec![0; parts],
            |input| count_steps(input.len()),
        );
    }
}
