//! Tests that read files as a whole and in ranges.

mod checksums;
mod damage;
mod formats;
mod hostile;
mod ranges;
