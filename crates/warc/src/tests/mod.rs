//! Tests that read archives as a whole and in ranges.

mod damage;
mod formats;
mod framing;
mod hostile;
mod linear;
mod oracle;
mod random_damage;
mod ranges;
mod separators;
mod streams;
mod wrong_lengths;
