//! Blocks of made files.
