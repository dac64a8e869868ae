//! Whole files: what must come out of them, in one piece and in ranges.

mod checksums;
mod damage;
mod formats;
mod hostile;
mod ranges;
