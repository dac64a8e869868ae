//! Fits the columns of a table to the width of a terminal.

/// The minimum width of shrunk columns. If they still do not fit, some are omitted.
const MIN_COLUMN_WIDTH: usize = 12;

/// A border and a space to the left of each cell, and a space to its right.
const CELL_FRAME: usize = 3;

/// The width of the column that marks omitted columns.
pub const FOLD_WIDTH: usize = 1;

/// The shown columns of a table, with their widths.
#[derive(Debug, PartialEq, Eq)]
pub struct Fit {
    /// The number of columns shown to the left of the omitted ones; all columns if none is omitted.
    pub left: usize,
    /// The number of columns shown to the right of them.
    pub right: usize,
    /// The widths of the shown columns, left ones first.
    pub widths: Vec<usize>,
}

impl Fit {
    pub fn is_folded(&self, columns: usize) -> bool {
        self.left + self.right < columns
    }
}

/// Shrinks the widest columns first, then omits columns in the middle.
pub fn fit(natural: &[usize], screen: usize) -> Fit {
    // The border at the right end.
    let screen = screen.saturating_sub(1);
    let needed = |widths: &mut dyn Iterator<Item = usize>| -> usize {
        widths
            .map(|width| width.min(MIN_COLUMN_WIDTH) + CELL_FRAME)
            .sum()
    };
    let all = natural.len();
    if needed(&mut natural.iter().copied()) <= screen {
        return Fit {
            left: all,
            right: 0,
            widths: shrink(natural, without_frames(screen, all)),
        };
    }
    let room = screen.saturating_sub(FOLD_WIDTH + CELL_FRAME);
    // The first column is always shown, however narrow the terminal is.
    let (mut left, mut right) = (1.min(all), 0);
    loop {
        let takes_left = left <= right;
        let (more_left, more_right) = (
            left + usize::from(takes_left),
            right + usize::from(!takes_left),
        );
        if more_left + more_right >= all {
            break;
        }
        let shown = natural[..more_left]
            .iter()
            .chain(&natural[all - more_right..]);
        if needed(&mut shown.copied()) > room {
            break;
        }
        (left, right) = (more_left, more_right);
    }
    let shown: Vec<usize> = natural[..left]
        .iter()
        .chain(&natural[all - right..])
        .copied()
        .collect();
    Fit {
        left,
        right,
        widths: shrink(&shown, without_frames(room, shown.len())),
    }
}

/// Returns the width available for the texts of cells.
fn without_frames(width: usize, cells: usize) -> usize {
    width.saturating_sub(CELL_FRAME * cells)
}

/// Caps the widths at the largest common limit at which their sum fits.
pub fn shrink(natural: &[usize], room: usize) -> Vec<usize> {
    let total = |cap: usize| -> usize { natural.iter().map(|width| *width.min(&cap)).sum() };
    let widest = natural.iter().copied().max().unwrap_or(0);
    if total(widest) <= room {
        return natural.to_vec();
    }
    let (mut fits, mut too_wide) = (1, widest);
    while too_wide - fits > 1 {
        let middle = fits.midpoint(too_wide);
        if total(middle) <= room {
            fits = middle;
        } else {
            too_wide = middle;
        }
    }
    let mut widths: Vec<usize> = natural.iter().map(|width| *width.min(&fits)).collect();
    // The first truncated columns get the remainder.
    let mut spare = room.saturating_sub(widths.iter().sum());
    for (width, natural) in widths.iter_mut().zip(natural) {
        if spare > 0 && *width < *natural {
            *width += 1;
            spare -= 1;
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(fit: &Fit, columns: usize) -> usize {
        let fold = usize::from(fit.is_folded(columns)) * (FOLD_WIDTH + CELL_FRAME);
        let cells: usize = fit.widths.iter().map(|width| width + CELL_FRAME).sum();
        cells + fold + 1
    }

    #[test]
    fn narrow_columns_keep_their_width() {
        let fitted = fit(&[3, 200, 8], 60);
        assert_eq!((fitted.left, fitted.right), (3, 0));
        assert_eq!(fitted.widths, [3, 39, 8]);
        assert_eq!(width(&fitted, 3), 60);
        assert_eq!(fit(&[3, 4], 60).widths, [3, 4]);
    }

    #[test]
    fn columns_in_the_middle_are_left_out() {
        let fitted = fit(&[50; 19], 100);
        assert_eq!((fitted.left, fitted.right), (3, 3));
        assert!(width(&fitted, 19) <= 100);
    }

    #[test]
    fn every_table_fits_unless_the_terminal_is_tiny() {
        for columns in 1..40 {
            for screen in [0, 1, 10, 25, 80, 100, 300] {
                let natural: Vec<usize> = (0..columns).map(|n| n * 7 % 90).collect();
                let fitted = fit(&natural, screen);
                assert!(fitted.left >= 1, "{columns} columns on {screen}");
                assert_eq!(fitted.widths.len(), fitted.left + fitted.right);
                assert!(screen < 25 || width(&fitted, columns) <= screen);
            }
        }
    }
}
