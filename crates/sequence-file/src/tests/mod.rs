//! Tests with whole files, read in one piece and in ranges.

mod checksums;
mod damage;
mod formats;
mod hostile;
mod ranges;
